# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each frame proves that its topology is the first frame's, as cheaply as can be.

Addresses of arrays prove nothing: Blender frees and takes them again, and asking for one makes it
copy an array that evaluated meshes share with the original.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import bpy
import numpy as np

from ..core.mesh import Ints, Topology
from .snapshot import read_corner_vert

PACKAGE = __package__.removesuffix("blender")

# Modifiers that move vertices and nothing else, by their kind in Blender's source.
DEFORMERS = {
    "ARMATURE",
    "CAST",
    "CLOTH",
    "COLLISION",
    "CORRECTIVE_SMOOTH",
    "CURVE",
    "DISPLACE",
    "HOOK",
    "LAPLACIANDEFORM",
    "LAPLACIANSMOOTH",
    "LATTICE",
    "MESH_CACHE",
    "MESH_DEFORM",
    "SHRINKWRAP",
    "SIMPLE_DEFORM",
    "SMOOTH",
    "SOFT_BODY",
    "SURFACE",
    "SURFACE_DEFORM",
    "VOLUME_DISPLACE",
    "WARP",
    "WAVE",
}


def only_deforms(obj: bpy.types.Object) -> bool:
    """Whether nothing that happens from frame to frame can change the object's topology.

    Hidden modifiers count, since their visibility may be animated; so do others' scripts that run
    at each frame, since they may edit the mesh.
    """
    return (
        obj.type == "MESH"
        and all(modifier.type in DEFORMERS for modifier in obj.modifiers)
        and all((handler.__module__ or "").startswith(PACKAGE) for handler in _handlers())
    )


def _handlers() -> Iterator[Callable[..., object]]:
    handlers = bpy.app.handlers
    yield from handlers.frame_change_pre
    yield from handlers.frame_change_post
    yield from handlers.depsgraph_update_pre
    yield from handlers.depsgraph_update_post


class Proof:
    """What shows that a mesh still has a topology. Made while that mesh is at hand."""

    def __init__(self, mesh: bpy.types.Mesh, topology: Topology, fixed: bool) -> None:
        self.topology = topology
        self._fixed = fixed
        self._buffers: dict[str, Ints] = {}
        self._edges: list[Ints] = []
        if not fixed and not self._all_triangles():
            self._edges = [
                self._read(mesh, name).copy() for name in (".corner_edge", ".edge_verts")
            ]

    def holds(self, mesh: bpy.types.Mesh) -> bool:
        """Whether the mesh, evaluated at another frame, has that topology."""
        if (len(mesh.vertices), len(mesh.loops), len(mesh.polygons)) != self.topology.counts:
            return False
        if self._fixed:
            return True
        corner_vert = read_corner_vert(mesh, self._buffers.get(".corner_vert"))
        self._buffers[".corner_vert"] = corner_vert
        if not np.array_equal(corner_vert, self.topology.corner_vert):
            return False
        # A corner's edge leads to the next corner's vertex, so that corners and edges together
        # say where faces begin. `loop_start` says it too, but is read twenty times slower.
        names = (".corner_edge", ".edge_verts")[: len(self._edges)]
        return all(
            np.array_equal(self._read(mesh, name), edges)
            for name, edges in zip(names, self._edges, strict=True)
        )

    def _all_triangles(self) -> bool:
        """No face has fewer than three corners: the counts alone say where faces begin."""
        return self.topology.corners == 3 * self.topology.faces

    def _read(self, mesh: bpy.types.Mesh, name: str) -> Ints:
        data = mesh.attributes[name].data
        count = len(data) * (2 if name == ".edge_verts" else 1)
        buffer = self._buffers.get(name)
        if buffer is None or len(buffer) != count:
            buffer = self._buffers[name] = np.empty(count, np.int32)
        data.foreach_get("value", buffer)
        return buffer
