# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The only code that reads evaluated geometry frame by frame.

Blender's `foreach_get` copies memory where collection and buffer type match exactly, and is a
hundred times slower elsewhere: positions come from the attribute, corners too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

import bpy
import mathutils
import numpy as np
import truevat_native as native

from ..core.errors import BakeError
from ..core.mesh import Floats, MeshSnapshot, Topology
from ..core.playback import outward
from ..core.settings import BakeSettings
from .changes import explain_change
from .instances import instances, may_instance
from .proof import Proof, only_deforms
from .snapshot import read_snapshot, read_topology

DOMAINS = {"POINT": native.POINT, "FACE": native.FACE, "CORNER": native.CORNER}


@dataclass(frozen=True)
class _Mesh:
    """What one evaluated mesh has in one frame; instances share it. `proof` is the very one of the
    first frame as long as that holds."""

    points: Floats
    normals: Floats
    domain: str
    proof: Proof

    @property
    def topology(self) -> Topology:
        return self.proof.topology


@dataclass(frozen=True)
class _Read:
    """One mesh instance in one frame."""

    group: int
    mesh: _Mesh
    matrix: Floats

    def part(self, own_samples: bool) -> native.Part:
        """As the track takes it, with its own samples where the topology is not the first's."""
        mesh, topology = self.mesh, self.mesh.topology
        head = (self.group, mesh.points, mesh.normals, DOMAINS[mesh.domain], self.matrix)
        if not own_samples:
            return head
        corners = outward(topology.triangles, self.matrix).reshape(-1)
        point = topology.corner_vert[corners]
        normal = {"POINT": point, "CORNER": corners}.get(mesh.domain)
        if normal is None:
            normal = np.repeat(topology.triangle_face, 3)
        return (*head, point, np.ascontiguousarray(normal))


class _Buffers:
    """Arrays to read into, used again only when the track has done with them."""

    def __init__(self) -> None:
        self._sets: list[dict[tuple[str, int], Floats]] = [{} for _ in range(native.IN_FLIGHT + 1)]

    def turn(self) -> None:
        self._sets.append(self._sets.pop(0))

    def vectors(self, what: str, index: int, count: int) -> Floats:
        array = self._sets[0].get((what, index))
        if array is None or len(array) != count:
            array = self._sets[0][what, index] = np.empty((count, 3), np.float32)
        return array


class Capture:
    """first() once, then frame() for every later frame; the scene stands at that frame already.

    Positions are in metres: matrices come with the scene's unit scale.
    """

    def __init__(
        self,
        context: bpy.types.Context,
        sources: Sequence[bpy.types.Object],
        settings: BakeSettings,
        unit_scale: float,
    ) -> None:
        self._context = context
        self._sources = list(sources)
        self._settings = settings
        self._unit_scale = np.float32(unit_scale)
        self._instancing = {i for i, obj in enumerate(self._sources) if may_instance(obj)}
        self._buffers = _Buffers()
        self._known: list[_Read] = []
        self._shown: set[int] = set()
        self._begun = False
        self._start = Fraction(0)

    def first(self, time: Fraction) -> tuple[list[MeshSnapshot], Floats, list[native.Part]]:
        """(snapshots sorted by source, float32 (sources, 3) origins, parts of the frame)."""
        self._start = time
        depsgraph = self._context.evaluated_depsgraph_get()
        snapshots: list[MeshSnapshot] = []
        for read, obj, mesh in self._reads(depsgraph):
            self._known.append(read)
            snapshots.append(read_snapshot(obj, mesh, read.group, read.matrix, *_own(read.mesh)))
        self._begun = True
        self._note_shown(self._known)
        if self._settings.address == "uv":  # whose addresses are those of the first frame
            self.require_meshes(f"at frame {float(time):g}")
        elif not snapshots:
            raise BakeError(
                f"No object shows a mesh at frame {float(time):g}; start the bake where one does"
            )
        origins = [obj.evaluated_get(depsgraph).matrix_world.translation for obj in self._sources]
        return (
            sorted(snapshots, key=lambda snapshot: snapshot.group),
            np.array(origins, np.float32).reshape(-1, 3) * self._unit_scale,
            _parts(self._known, own_samples=False),
        )

    def frame(self, time: Fraction) -> list[native.Part]:
        """The parts of a later frame. BakeError where the settings need a constant topology."""
        self._buffers.turn()
        depsgraph = self._context.evaluated_depsgraph_get()
        reads = [read for read, _, _ in self._reads(depsgraph)]
        constant = len(reads) == len(self._known) and all(
            read.group == known.group and read.mesh.topology == known.mesh.topology
            for read, known in zip(reads, self._known, strict=True)
        )
        if not constant and self._settings.address == "uv":
            then, now = (
                [(r.group, r.mesh.topology) for r in each] for each in (self._known, reads)
            )
            raise explain_change(self._sources, then, now, self._start, time)
        self._note_shown(reads)
        return _parts(reads, own_samples=not constant)

    def _reads(
        self, depsgraph: bpy.types.Depsgraph
    ) -> Iterator[tuple[_Read, bpy.types.Object, bpy.types.Mesh]]:
        """Every mesh instance of the frame; object and mesh are only valid until the next one."""
        meshes: dict[int, _Mesh] = {}
        index = 0
        for group, obj, matrix in instances(depsgraph, self._sources, self._instancing):
            proof = self._known[index].mesh.proof if index < len(self._known) else None
            with opened(obj) as mesh:
                if mesh is None:
                    continue
                key = obj.data.as_pointer()
                if key not in meshes:
                    meshes[key] = self._read(mesh, len(meshes), proof, group)
                yield _Read(group, meshes[key], self._metres(matrix)), obj, mesh
            index += 1

    def _read(self, mesh: bpy.types.Mesh, index: int, proof: Proof | None, group: int) -> _Mesh:
        points = self._buffers.vectors("points", index, len(mesh.vertices))
        if len(points):
            mesh.attributes["position"].data.foreach_get("vector", points.reshape(-1))
        asked = self._settings.normals_read
        domain = {"vertex": "POINT", "face": "FACE"}.get(asked) or mesh.normals_domain
        values = {
            "POINT": mesh.vertex_normals,
            "FACE": mesh.polygon_normals,
            "CORNER": mesh.corner_normals,
        }[domain]
        normals = self._buffers.vectors("normals", index, len(values))
        values.foreach_get("vector", normals.reshape(-1))
        if proof is None or not proof.holds(mesh):
            # Later frames are compared with the first one only: theirs need no proof.
            fixed = self._begun or (
                group not in self._instancing and only_deforms(self._sources[group])
            )
            proof = Proof(mesh, read_topology(mesh, self._settings.needs_triangles), fixed)
        return _Mesh(points, normals, domain, proof)

    def _metres(self, matrix: mathutils.Matrix) -> Floats:
        world = np.array(matrix, np.float32, order="C")  # it offers its columns from 5.1 on
        if self._unit_scale != 1:
            world[:3] *= self._unit_scale
        return world

    def _note_shown(self, reads: Sequence[_Read]) -> None:
        self._shown.update(read.group for read in reads if read.mesh.topology.corners)

    def require_meshes(self, when: str) -> None:
        """Every source has shown something by now."""
        for group, obj in enumerate(self._sources):
            if group not in self._shown:
                why = "it is hidden with the eye icon" if obj.hide_get() else "it has no faces then"
                hint = (
                    ""
                    if self._settings.address == "vertex-id"
                    else (
                        ", start the bake where it has some, or bake with vertex-ID addressing "
                        "(--address vertex-id), which takes objects that come and go"
                    )
                )
                raise BakeError(
                    f"Object '{obj.name}' shows no mesh {when}: {why}; leave it out{hint}"
                )


def _own(mesh: _Mesh) -> tuple[Topology, Floats, Floats, str]:
    return mesh.topology, mesh.points, mesh.normals, mesh.domain


def _parts(reads: Sequence[_Read], own_samples: bool) -> list[native.Part]:
    return [read.part(own_samples) for read in sorted(reads, key=lambda read: read.group)]


@contextmanager
def opened(obj: bpy.types.Object) -> Iterator[bpy.types.Mesh | None]:
    """An evaluated object's mesh; None where it has none, as an empty or a part of a curve."""
    if _has_whole_mesh(obj):
        yield obj.data
        return
    try:
        mesh = obj.to_mesh()
    except RuntimeError:
        mesh = None
    try:
        yield mesh
    finally:
        if mesh is not None:
            obj.to_mesh_clear()


def _has_whole_mesh(obj: bpy.types.Object) -> bool:
    """Whether the data are what Blender shows, so that to_mesh() need not copy all vertex groups.

    They are not in Edit Mode, nor where the graphics card subdivides.
    """
    return (
        obj.type == "MESH"
        and not obj.data.is_editmode
        and all(modifier.type != "SUBSURF" for modifier in obj.modifiers)
    )
