# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender shows, read by slow plain code, and a bake compared with it vertex by vertex."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from truevat.blender.bake import bake
from truevat.core.frames import FrameRange
from truevat.core.report import Report
from truevat.core.settings import BakeSettings

from decoding import Texture, as_bytes
from schema import check as check_sidecar


@dataclass
class Corner:
    """`normal` is None where the surface has no direction, as when it is scaled to a line."""

    position: tuple[float, float, float]
    normal: np.ndarray | None


@dataclass
class Frame:
    """`faces` by source object: one list of corners for each face of each mesh it shows.
    `triangles`: all corners of all triangles as a player numbers them. `origins` by object.
    `topologies`: of each mesh, the vertices of its faces and the corners of its triangles."""

    faces: dict[str, list[list[Corner]]]
    triangles: list[Corner]
    origins: dict[str, np.ndarray]
    topologies: list[tuple[list, list]]


def settings(output: Path, objects: Sequence[str] = (), frames=(1, 5), **options) -> BakeSettings:
    options = {
        "profile": "nekovat",
        "mesh": "none",
        "max_size": 1024,
        "engines": (),
        **options,
    }
    if frames is not None:
        frames = FrameRange(*frames)
    return BakeSettings(output=output, objects=tuple(objects), frames=frames, **options)


def bake_it(output: Path, objects: Sequence[str] = (), frames=(1, 5), **options) -> Report:
    report = bake(bpy.context, settings(output, objects, frames, **options))
    for path in report.files.values():
        if path.name.endswith(".truevat.json"):
            check_sidecar(path)
    return report


def go_to(time: float) -> None:
    whole = math.floor(time)
    bpy.context.scene.frame_set(whole, subframe=time - whole)


def shown(obj: bpy.types.Object) -> Iterator[tuple[bpy.types.Object, object]]:
    """(evaluated object, matrix) of all that a source shows: its own mesh, then instances."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    for instance in depsgraph.object_instances:
        if instance.object.type != "MESH":
            continue
        if instance.is_instance:
            mine = instance.parent.original == obj
        else:
            mine = instance.show_self and instance.object.original == obj
        if mine:
            yield instance.object, instance.matrix_world.copy()


def read_frame(objects: Sequence[str], first: Frame | None = None) -> Frame:
    """A mesh that is connected as in the first frame keeps the triangles of the first frame."""
    faces, triangles, origins, topologies = {}, [], {}, []
    for name in objects:
        obj = bpy.context.scene.objects[name]
        depsgraph = bpy.context.evaluated_depsgraph_get()
        origins[name] = np.float32(obj.evaluated_get(depsgraph).matrix_world.translation)
        faces[name] = []
        for evaluated, matrix in shown(obj):
            mesh = evaluated.to_mesh()
            mirrored = matrix.to_3x3().determinant() < 0
            corners = read_corners(mesh, matrix)
            for polygon in mesh.polygons:
                start, *others = polygon.loop_indices
                order = [start, *(reversed(others) if mirrored else others)]
                faces[name].append([corners[i] for i in order])
            topology = read_topology(mesh)
            if first and len(topologies) < len(first.topologies):
                known = first.topologies[len(topologies)]
                topology = known if known[0] == topology[0] else topology
            topologies.append(topology)
            for a, b, c in topology[1]:
                triangles += [corners[i] for i in ((a, c, b) if mirrored else (a, b, c))]
            evaluated.to_mesh_clear()
    return Frame(faces, triangles, origins, topologies)


def read_topology(mesh: bpy.types.Mesh) -> tuple[list, list]:
    mesh.calc_loop_triangles()
    return (
        [tuple(polygon.vertices) for polygon in mesh.polygons],
        [tuple(triangle.loops) for triangle in mesh.loop_triangles],
    )


def read_corners(mesh: bpy.types.Mesh, matrix) -> list[Corner]:
    linear = np.float64(matrix)[:3, :3]
    cofactors = np.stack([np.cross(linear[i - 2], linear[i - 1]) for i in range(3)])
    if linear[0] @ cofactors[0] < 0:
        cofactors = -cofactors
    normals = [cofactors @ np.float64(normal.vector) for normal in mesh.corner_normals]
    lengths = [np.linalg.norm(normal) for normal in normals]
    return [
        Corner(tuple(matrix @ mesh.vertices[loop.vertex_index].co), n / size if size else None)
        for loop, n, size in zip(mesh.loops, normals, lengths, strict=True)
    ]


def read_frames(objects: Sequence[str], times: Sequence[float]) -> list[Frame]:
    frames: list[Frame] = []
    for time in times:
        go_to(time)
        frames.append(read_frame(objects, frames[0] if frames else None))
    return frames


# -------------------------------------------------------------------------------------------------


def check(
    output: Path,
    objects: Sequence[str],
    frames: tuple[float, ...] = (1, 5),
    addresses: Sequence[str] = ("uv", "vertex-id"),
    remake: Callable[[], None] | None = None,
    still: bool = False,
    **options,
) -> list[Frame]:
    """Bakes and compares. `remake` makes the scene anew, where evaluating it leaves a cache.
    Unless it is `still`, the scene must move, since otherwise nothing would be tested."""
    bpy.context.view_layer.update()  # particles depend on how often they were evaluated before
    step = frames[2] if len(frames) > 2 else 1
    count = int((frames[1] - frames[0]) / step + 1e-9) + 1
    expected = read_frames(objects, [frames[0] + k * step for k in range(count)])
    assert all(frame.triangles for frame in expected[-1:])
    if not still:
        positions = [[c.position for c in frame.triangles] for frame in expected]
        assert positions[0] != positions[-1], "nothing moves"
    for address in addresses:
        if remake:
            bpy.ops.wm.read_factory_settings(use_empty=True)
            remake()
        output.mkdir(exist_ok=True)
        report = bake_it(output / address, objects, frames, address=address, **options)
        assert report.frames == count
        assert report.objects == list(objects)
        compare(report, expected, address)
    return expected


def compare(report: Report, expected: list[Frame], address: str) -> None:
    texture = Texture(report.files["texture"])
    assert texture.frames == max(len(expected), 2)
    compare_with = compare_uv if address == "uv" else compare_id
    for k, frame in enumerate(expected):
        compare_with(texture, k, frame, expected[0])


def compare_uv(texture: Texture, k: int, frame: Frame, first: Frame) -> None:
    for name, faces in frame.faces.items():
        mesh = bpy.data.objects[f"{name}_VAT"].data
        assert [polygon.loop_total for polygon in mesh.polygons] == [len(face) for face in faces]
        uv = np.array([item.vector for item in mesh.uv_layers["VertexUV"].uv])
        corners = [corner for face in faces for corner in face]
        compare_corners(*texture.by_uv(uv, k), corners, first.origins[name])


def compare_id(texture: Texture, k: int, frame: Frame, first: Frame) -> None:
    mesh = bpy.data.objects["TriangleObject"].data
    uv = np.array([item.vector for item in mesh.uv_layers["VertexUV"].uv])
    assert len(uv) >= len(frame.triangles)
    positions, normals = texture.by_id(len(uv), k)
    for by_uv, by_id in zip(texture.by_uv(uv, k), (positions, normals), strict=True):
        assert by_uv.tobytes() == by_id.tobytes()
    count = len(frame.triangles)
    compare_corners(positions[:count], normals[:count], frame.triangles, np.zeros(3, np.float32))
    assert not positions[count:].any() and not normals[count:].any()


def compare_corners(positions, normals, corners: list[Corner], origin: np.ndarray) -> None:
    expected = np.array([corner.position for corner in corners], np.float32).reshape(-1, 3) - origin
    # Bit for bit, but for the sign of zero.
    np.testing.assert_array_equal(positions, expected)
    directed = [i for i, corner in enumerate(corners) if corner.normal is not None]
    if directed:
        wanted = as_bytes(np.array([corners[i].normal for i in directed]))
        assert np.abs(normals[directed] - wanted).max() <= 1
