# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A `truevat` bake in each frame against Blender, by the playback objects and the GLB file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

import schema
from evaluated import Corner, bake_it, read_frames
from glb import read_glb
from reference_reader import Texture

TIMES = range(1, 6)
WIDENING = 6  # vertices of the triangles that widen a file's bounds


@dataclass(frozen=True, eq=False)
class Playback:
    """The corners of one playback object, in Blender's axes."""

    slots: np.ndarray
    rest: np.ndarray
    origin: np.ndarray


def in_scene(name: str) -> Playback:
    obj = bpy.data.objects[name]
    assert not any(obj.rotation_euler) and tuple(obj.scale) == (1, 1, 1)
    layer = obj.data.uv_layers[1]
    assert layer.name == "VertexSlot"
    uv = np.array([item.vector for item in layer.uv]).reshape(-1, 2)
    points = np.array([vertex.co for vertex in obj.data.vertices], np.float32).reshape(-1, 3)
    corners = [loop.vertex_index for loop in obj.data.loops]
    return Playback(slots_of(uv), points[corners], np.array(obj.location, np.float32))


def in_files(path, widened: bool) -> dict[str, Playback]:
    """What a GLB has, without the triangles that widen it, which must show slot 0."""
    found = {}
    for name, vertices in read_glb(path).items():
        slots = slots_of(np.float32([0, 1]) + vertices.address * np.float32([1, -1]))
        positions, origin = in_blender(vertices.positions), in_blender(vertices.origin)
        if widened:
            assert not slots[-WIDENING:].any()
            slots, positions = slots[:-WIDENING], positions[:-WIDENING]
        found[name] = Playback(slots, positions, np.float32(origin))
    return found


def bake_ids(path) -> set[str]:
    data = path.read_bytes()
    content = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    return {node["extras"]["truevat_bake"] for node in content["nodes"]}


def in_blender(vectors: np.ndarray) -> np.ndarray:
    """Vectors of glTF in Blender's axes."""
    return vectors[..., [0, 2, 1]] * np.float32([1, -1, 1])


def slots_of(address: np.ndarray) -> np.ndarray:
    """Of VertexSlot's u and v, which have to be integers."""
    whole = np.rint(address).astype(int)
    assert (whole == address).all() and (whole[:, 0] < 1024).all()
    return whole[:, 0] + 1024 * whole[:, 1]


def rest_of(playback: Sequence[Playback], slots: int) -> np.ndarray:
    """(slots, 3): corners that share a slot must lie in one place."""
    rest = np.full((slots, 3), np.nan, np.float32)
    for mesh in playback:
        rest[mesh.slots] = mesh.rest
    for mesh in playback:
        np.testing.assert_array_equal(rest[mesh.slots], mesh.rest)
    return rest


# -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Truth:
    """For each frame, for each playback object, the corners that Blender shows."""

    faces: list[list[list[Corner]]]
    triangles: list[list[list[Corner]]]
    origins: list[np.ndarray]


def read_truth(names: Sequence[str], join: bool) -> Truth:
    each = {name: read_frames([name], TIMES) for name in names}
    faces, triangles = [], []
    for k in range(len(TIMES)):
        frames = {name: frames[k] for name, frames in each.items()}
        faces.append([[c for face in f.faces[name] for c in face] for name, f in frames.items()])
        triangles.append([frame.triangles for frame in frames.values()])
    origins = [frames[0].origins[name] for name, frames in each.items()]
    shown = [[c.position for part in frame for c in part] for frame in triangles]
    assert shown[0] != shown[-1], "nothing moves"
    if join:
        faces, triangles = ([[sum(frame, [])] for frame in every] for every in (faces, triangles))
        origins = origins[:1]
    return Truth(faces, triangles, origins)


def compare(
    texture: Texture,
    playback: Sequence[Playback],
    shown: Sequence[Sequence[Sequence[Corner]]],
    origins: Sequence[np.ndarray],
    sidecar: dict,
) -> float:
    """The largest distance from what Blender shows, in metres."""
    largest, off = 0.0, 0.0
    for mesh, origin in zip(playback, origins, strict=True):
        np.testing.assert_array_equal(mesh.origin, origin)
    texture.rest = rest_of(playback, texture.slots) if texture.is_offset else None
    for k, parts in enumerate(shown):
        positions, normals = texture.positions(k), texture.normals(k)
        for mesh, corners, origin in zip(playback, parts, origins, strict=True):
            used, spare = np.split(mesh.slots, [len(corners)])
            wanted = np.array([c.position for c in corners], np.float32).reshape(-1, 3) - origin
            if not texture.is_offset:
                np.testing.assert_array_equal(positions[used], wanted)
            else:  # also as engines add: float32 to float32
                added = np.float32(positions[used])
                for decoded in (positions[used], added):
                    error = np.linalg.norm(np.float64(decoded) - wanted, axis=1)
                    largest = max(largest, error.max(initial=0.0))
            off = max(off, degrees(normals[used], corners))
            largest = max(largest, collapsed_within(positions[spare], wanted))
    assert off <= sidecar["normals"]["error_degrees"]
    return largest


def degrees(normals: np.ndarray, corners: Sequence[Corner]) -> float:
    """The largest angle to the normals that Blender shows, where there is one."""
    directed = [i for i, corner in enumerate(corners) if corner.normal is not None]
    if not directed:
        return 0.0
    wanted = np.array([corners[i].normal for i in directed])
    across = np.linalg.norm(np.cross(normals[directed], wanted), axis=1)
    along = (normals[directed] * wanted).sum(axis=1)
    return float(np.degrees(np.arctan2(across, along)).max())


def collapsed_within(spare: np.ndarray, shown: np.ndarray) -> float:
    """How far triangles that a frame does not use are from having all corners at one vertex of
    that frame, in metres. Where it has none, they need only collapse."""
    if not len(spare):
        return 0.0
    targets = shown if len(shown) else spare[:1]
    distance = np.linalg.norm(np.float64(spare)[:, None] - np.unique(targets, axis=0), axis=2)
    return float(distance.reshape(-1, 3, distance.shape[1]).max(axis=1).min(axis=1).max())


def check(folder, scene, address: str, *, join: bool = True, **options) -> dict:
    """Bakes a scene, compares it in every frame with Blender, and returns its sidecar."""
    names = scene()
    truth = read_truth(names, join)
    options = {"profile": "truevat", "mesh": "glb", "tolerance": 10.0, **options}
    report = bake_it(folder, names, address=address, join=join, **options)
    sidecar = schema.check(report.files["sidecar"])
    assert sorted(path.name for path in folder.iterdir()) == [
        f"{names[0]}{suffix}" for suffix in (".glb", ".truevat.exr", ".truevat.json")
    ]

    playback_names = [f"{name}_VAT" for name in (names[:1] if join else names)]
    objects = [bpy.data.objects[name] for name in playback_names]
    meshes = in_files(report.files["mesh"], options.get("bounds", True))
    assert sorted(meshes) == sorted(playback_names)
    texture = Texture(report.files["texture"])
    assert {obj["truevat_playback"] for obj in objects} == {texture.bake_id}
    assert bake_ids(report.files["mesh"]) == {texture.bake_id}
    assert_agree(texture, sidecar, report)

    by_scene = truth.triangles if address == "vertex-id" else truth.faces
    errors = [
        compare(texture, [in_scene(n) for n in playback_names], by_scene, truth.origins, sidecar),
        compare(
            texture, [meshes[n] for n in playback_names], truth.triangles, truth.origins, sidecar
        ),
    ]
    stated = sidecar["position"]["error_m"]
    if not texture.is_offset:
        assert stated == max(errors) == 0.0
    else:
        step = np.spacing(np.float32(np.abs(texture.bounds).max()))
        assert max(errors) <= stated <= max(errors) + 2 * step
    return sidecar


def assert_agree(texture: Texture, sidecar: dict, report) -> None:
    """Texture, sidecar and report tell the same."""
    assert sidecar["profile"] == "truevat" and sidecar["address"] == "slot"
    assert sidecar["bake_id"] == texture.bake_id == report.bake_id
    assert sidecar["texture"] == {
        "width": texture.width,
        "height": texture.height,
        "header_rows": texture.header_rows,
        "rows_per_frame": texture.rows_per_frame,
        "pixel": {"float32": "float32", "float16": "float16"}[texture.pixels.dtype.name],
        "normal_row": texture.normal_row,
        "normal_rows_per_frame": texture.normal_rows_per_frame,
    }
    assert report.pixel == sidecar["texture"]["pixel"]
    assert sidecar["slots"] == texture.slots == report.slots
    assert sidecar["frames"]["stored"] == texture.stored == report.frames == len(TIMES)
    assert sidecar["constant_topology"] == texture.constant_topology
    (clip,), (stored,) = sidecar["clips"], texture.clips
    assert (clip["first_frame"], clip["frames"], clip["loop"]) == (0, len(TIMES), False)
    assert (stored.first_frame, stored.frames, stored.loop) == (0, len(TIMES), False)
    bounds = np.float32([sidecar["bounds"]["min"], sidecar["bounds"]["max"]])
    np.testing.assert_array_equal(bounds, texture.bounds)
