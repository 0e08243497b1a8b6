# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes of scenes that no Blender made: a sheet, a box and a ball, with two clips; and a drop whose
triangles change from frame to frame."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

import reference
from plain_glb import Part, write_glb
from reference import Clip, Motion
from shapes import Surface, ball, box, sheet, turned, unit

ORIGIN = np.float32([0.5, -0.25, 1.0])
LOOP_FRAMES, SHOT_FRAMES = 24, 13
SHOT_FPS = Fraction(30000, 1001)


@dataclass(frozen=True, eq=False)
class Moving:
    """`corners` (triangles, 3) are the slots of the playback mesh's triangles, `uv` (corners, 2)
    its first UV map, `material` one number for each triangle, an index into MATERIALS."""

    motion: Motion
    corners: np.ndarray
    uv: np.ndarray
    material: np.ndarray


MATERIALS = {"Sheet": (0.1, 0.35, 0.8, 1.0), "Solids": (0.85, 0.45, 0.1, 1.0)}


def solid_parts(detail: int = 1) -> Moving:
    """312 triangles with soft and hard edges: a loop of 24 frames, and 13 frames that end.

    `detail` squared times as many triangles, and about as many slots.
    """
    surfaces = sheet(10 * detail), box(2 * detail), ball(8 * detail, 5 * detail)
    places = [_looping(surfaces, frame / LOOP_FRAMES) for frame in range(LOOP_FRAMES)]
    places += [_ending(surfaces, frame / (SHOT_FRAMES - 1)) for frame in range(SHOT_FRAMES)]
    frames = [
        [surface.corners(points) for surface, points in zip(surfaces, frame, strict=True)]
        for frame in places
    ]
    positions, normals = (
        np.stack([np.concatenate([part[which] for part in parts]) for parts in frames])
        for which in (0, 1)
    )
    slots, slot_of_corner = _share(positions, normals)
    after = _looping(surfaces, 1.0)
    seam = max(
        np.linalg.norm(end - start, axis=1).max()
        for end, start in zip(after, places[0], strict=True)
    )
    clips = (
        Clip("wave", 0, LOOP_FRAMES, Fraction(24), True, 1.0, 25.0, float(seam)),
        Clip("fall", LOOP_FRAMES, SHOT_FRAMES, SHOT_FPS, False, 40.0, 52.0),
    )
    positions, normals = positions[:, slots], normals[:, slots]
    counts = [len(surface.triangles) for surface in surfaces]
    return Moving(
        Motion(positions, normals, positions[0], clips),
        slot_of_corner.reshape(-1, 3),
        np.concatenate([surface.uv[surface.triangles].reshape(-1, 2) for surface in surfaces]),
        np.repeat([0, 1, 1], counts),
    )


def _looping(surfaces: tuple[Surface, ...], phase: float) -> list[np.ndarray]:
    """The sheet waves, one edge held fast; the box circles and twists; the ball does not move."""
    flat, cube, sphere = (surface.points for surface in surfaces)
    turn = 2 * np.pi * phase
    free = (flat[:, 0] + 1) / 2
    height = 0.4 * free * np.sin(turn + 3 * free + 2 * flat[:, 1])
    waving = np.stack([flat[:, 0] * 1.5, flat[:, 1], height], axis=1)
    twist = 0.8 * np.sin(turn) * cube[:, 2]
    cos, sin = np.cos(twist), np.sin(twist)
    x, y, z = cube.T
    twisted = np.stack([x * cos - y * sin, x * sin + y * cos, z], axis=1) * 0.3
    circling = turned(twisted + (1.2, 0, 1.0), 2, turn)
    return [waving, circling, sphere * 0.25 + (-1.0, 0.5, 0.75)]


def _ending(surfaces: tuple[Surface, ...], phase: float) -> list[np.ndarray]:
    """All fall and turn, the ball stretched."""
    waving, circling, resting = _looping(surfaces, 0.0)
    drop = np.array([0, 0, -2.5 * phase**2])
    sagging = turned(waving, 1, 0.9 * phase) + drop
    tumbling = turned(circling - (1.2, 0, 1.0), 0, 2.5 * phase) + (1.2, 0.8 * phase, 1.0) + drop
    center = np.array([-1.0, 0.5, 0.75])
    stretched = (resting - center) * (1 - 0.5 * phase, 1 - 0.5 * phase, 1 + phase) + center
    return [sagging, tumbling, stretched + drop]


def drop() -> Moving:
    """A soup: a ball that grows and falls, of another number of triangles in each frame."""
    frames = 16
    positions, normals, counts = [], [], []
    for frame in range(frames):
        surface = ball(6 + frame * 5 % 9, 5 + frame * 3 % 5)
        size = 0.3 + 0.05 * frame
        place = np.array([0.1 * frame - 0.8, 0.3 * np.sin(frame), 1.5 - 0.2 * frame])
        corner, normal = surface.corners(surface.points * size + place)
        positions.append(corner)
        normals.append(normal)
        counts.append(len(surface.triangles))
    most = 3 * max(counts)
    for frame in range(frames):  # what is left over lies at a vertex of the same frame
        unused = most - len(positions[frame])
        for values in (positions, normals):
            values[frame] = np.append(values[frame], np.tile(values[frame][-1], (unused, 1)), 0)
    clips = (
        Clip("grow", 0, 10, Fraction(24), True, 1.0, 11.0),
        Clip("splash", 10, 6, Fraction(12), False, 20.0, 25.0),
    )
    motion = Motion(np.stack(positions), np.stack(normals), positions[0], clips, tuple(counts))
    uv = np.zeros((most, 2))
    return Moving(motion, np.arange(most).reshape(-1, 3), uv, np.ones(most // 3, np.int64))


def _share(positions: np.ndarray, normals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(the corner that stands for each slot, the slot of each corner), by first use."""
    paths = np.concatenate([positions, normals], axis=2).transpose(1, 0, 2)
    seen: dict[bytes, int] = {}
    slot_of_corner = np.array([seen.setdefault(path.tobytes(), len(seen)) for path in paths])
    _, first = np.unique(slot_of_corner, return_index=True)
    return first, slot_of_corner


def write(folder: Path, name: str, moving: Moving, pixel: str, width: int) -> dict[str, Path]:
    """The files by role: texture, mesh and sidecar."""
    folder.mkdir(parents=True, exist_ok=True)
    motion = moving.motion
    layout = reference.lay_out(motion, width, pixel)
    files = {"texture": folder / f"{name}.truevat.exr", "mesh": folder / f"{name}.glb"}
    reference.write_texture(files["texture"], motion, layout, pixel)
    parts = mesh_parts(moving)
    write_glb(
        files["mesh"],
        name,
        parts,
        gltf_axes(ORIGIN),
        {"truevat_bake": reference.bake_id(motion, layout, pixel)},
    )
    content = reference.sidecar(
        motion,
        layout,
        pixel,
        files=files,
        mesh_sha256=reference.mesh_hash(
            array for part in parts for array in (*part.attributes.values(), part.indices)
        ),
        objects=[name],
        origin=ORIGIN,
        triangles=len(moving.corners),
    )
    files["sidecar"] = folder / f"{name}.truevat.json"
    reference.write_sidecar(files["sidecar"], content)
    return files


def mesh_parts(moving: Moving) -> list[Part]:
    """One for each material in use; the first has the triangles that widen the bounds."""
    return [
        _part(moving, number, widen=number == moving.material.min())
        for number in np.unique(moving.material)
    ]


def _part(moving: Moving, number: int, widen: bool) -> Part:
    mine = moving.material == number
    slots = moving.corners[mine].reshape(-1)
    uv = np.float32(moving.uv.reshape(-1, 3, 2)[mine].reshape(-1, 2))
    # A vertex for each slot and UV, in an order that is not that of the slots.
    keys = np.stack([slots, *uv.view(np.int32).T], axis=1)
    _, first, index = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    order = np.random.default_rng(1).permutation(len(first))
    first, index = first[order], np.argsort(order)[index.reshape(-1)]
    slots, uv = slots[first], uv[first]
    positions, normals = moving.motion.rest[slots], moving.motion.normals[0, slots]
    if widen:
        index = np.append(index, len(slots) + np.arange(6))
        positions = np.append(positions, _widening(moving.motion.bounds), 0)
        normals = np.append(normals, np.tile(np.float32([0, 0, 1]), (6, 1)), 0)
        uv = np.append(uv, np.zeros((6, 2), np.float32), 0)
        slots = np.append(slots, np.zeros(6, np.int64))
    name, color = list(MATERIALS.items())[number]
    attributes = {
        "POSITION": gltf_axes(positions),
        "NORMAL": gltf_axes(unit(normals)),
        # glTF counts v downwards.
        "TEXCOORD_0": np.stack([uv[:, 0], 1 - uv[:, 1]], axis=1),
        "TEXCOORD_1": np.stack([slots % 1024, 1 - slots // 1024], axis=1),
    }
    return Part(name, color, attributes, index)


def _widening(bounds: np.ndarray) -> np.ndarray:
    """(6, 3): a triangle at the lowest and one at the highest corner, reaching inwards."""
    size = np.float32(1e-4) * (bounds[1] - bounds[0]).max()
    steps = np.float32([[0, 0, 0], [size, 0, 0], [0, size, 0]])
    return np.concatenate([bounds[0] + steps, bounds[1] - steps])


def gltf_axes(vectors: np.ndarray) -> np.ndarray:
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([x, z, -y], axis=-1)
