# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation that lies in files: MDD, PC2 and Alembic."""

from __future__ import annotations

import struct
from pathlib import Path

import bpy
import numpy as np
import pytest

import scenes
from evaluated import check


def positions(obj: bpy.types.Object, frames: int) -> np.ndarray:
    """(frames, points, 3) of a grid that bends."""
    rest = np.array([vertex.co for vertex in obj.data.vertices])
    moved = np.repeat(rest[None], frames, 0)
    for k in range(frames):
        moved[k, :, 2] += 0.3 * np.sin(rest[:, 0] * 2 + k)
        moved[k, :, 1] += 0.1 * k
    return moved


def write_mdd(path: Path, moved: np.ndarray) -> None:
    frames, points, _ = moved.shape
    times = np.arange(frames) / 24
    header = struct.pack(">ii", frames, points)
    path.write_bytes(header + times.astype(">f4").tobytes() + moved.astype(">f4").tobytes())


def write_pc2(path: Path, moved: np.ndarray) -> None:
    frames, points, _ = moved.shape
    header = struct.pack("<12siiffi", b"POINTCACHE2", 1, points, 0.0, 1.0, frames)
    path.write_bytes(header + moved.astype("<f4").tobytes())


@pytest.mark.parametrize(("kind", "write"), [("MDD", write_mdd), ("PC2", write_pc2)])
def test_a_point_cache_file(tmp_path, kind, write):
    obj = scenes.grid()
    moved = positions(obj, 6)
    path = tmp_path / "cache"
    write(path, moved)
    modifier = obj.modifiers.new("Cache", "MESH_CACHE")
    modifier.cache_format, modifier.filepath, modifier.frame_start = kind, str(path), 1
    frames = check(tmp_path, ["Grid"])
    first = [corner.position for corner in frames[0].triangles]
    depths = {round(float(z), 5) for z in moved[0, :, 2]}
    assert {round(z, 5) for _, _, z in first} == depths, "the file was not read"


@pytest.mark.parametrize("sub_frames", [False, True])
def test_an_alembic_file(tmp_path, sub_frames):
    scenes.wave(scenes.moving(scenes.ball("Wavy")))
    scenes.skinned(scenes.grid("Skin", 6), scenes.armature())
    path = tmp_path / "scene.abc"
    bpy.ops.wm.alembic_export(filepath=str(path), start=1, end=5, as_background_job=False)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.alembic_import(filepath=str(path), as_background_job=False)
    bpy.context.view_layer.update()
    for name in ("Wavy", "Skin"):
        kinds = [modifier.type for modifier in bpy.data.objects[name].modifiers]
        assert kinds == ["MESH_SEQUENCE_CACHE"]
    check(tmp_path, ["Wavy", "Skin"], (1.5, 4.5, 0.5) if sub_frames else (1, 5))


def test_an_alembic_file_whose_counts_change(tmp_path):
    obj = scenes.ball()
    build = obj.modifiers.new("Build", "BUILD")
    build.frame_start, build.frame_duration = 0, 6
    path = tmp_path / "scene.abc"
    bpy.ops.wm.alembic_export(filepath=str(path), start=1, end=5, as_background_job=False)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.alembic_import(filepath=str(path), as_background_job=False)
    check(tmp_path, ["Ball"], addresses=["vertex-id"])
