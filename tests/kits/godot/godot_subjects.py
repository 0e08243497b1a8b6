# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes to be played, and where their triangles truly are at any time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from truevat.core.engines.base import EngineBake, Texture
from truevat.core.engines.godot import Godot

import moving
from make import VARIANTS

ROUGHNESS = 0.6


@dataclass(frozen=True, eq=False)
class Subject:
    """One variant of the reference bakes."""

    name: str

    @cached_property
    def moving(self) -> moving.Moving:
        return VARIANTS[self.name][0]()

    @property
    def pixel(self) -> str:
        return VARIANTS[self.name][1]

    def write(self, folder: Path) -> dict[str, Path]:
        """A bake's folder with the .import files that the bake writes for Godot."""
        files = moving.write(folder, self.name, self.moving, *VARIANTS[self.name][1:])
        write_import_files(folder)
        return files

    @property
    def resource(self) -> str:
        return f"res://bakes/{self.name}/{self.name}.truevat.json"

    def slots_at(self, clip: str, x: float) -> tuple[np.ndarray, np.ndarray]:
        """Positions and normals of all slots at frame number x of a clip."""
        motion = self.moving.motion
        (entry,) = [entry for entry in motion.clips if entry.name == clip]
        last = entry.frames - 1
        x = x % entry.frames if entry.loop else min(max(x, 0), last)
        a = int(x)
        b = (a + 1) % entry.frames if entry.loop else min(a + 1, last)
        mix = 0 if motion.triangles else x - a
        a, b = a + entry.first_frame, b + entry.first_frame
        positions = motion.positions[a] * (1 - mix) + motion.positions[b] * mix
        return positions, _unit(motion.normals[a] * (1 - mix) + motion.normals[b] * mix)

    def write_soup(self, folder: Path, name: str, *shown: Shown, flat: bool = False) -> list[dict]:
        """What render.gd draws: the triangles of the slots, moved by an offset in Godot's axes.

        `flat`: with the normals of the triangles.
        """
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".gdignore").touch()
        parts = []
        for number, (material, color) in enumerate(moving.MATERIALS.items()):
            corners = self.moving.corners[self.moving.material == number]
            # Godot's front is the side from which corners run clockwise.
            corners = corners[:, [0, 2, 1]].reshape(-1)
            if not len(corners):
                continue
            places = [moving.gltf_axes(s.positions[corners]) + s.offset for s in shown]
            normals = [moving.gltf_axes(s.normals[corners]) for s in shown]
            if flat:
                a, b, c = np.concatenate(places).reshape(-1, 3, 3).transpose(1, 0, 2)
                normals = [np.repeat(_unit(np.cross(c - a, b - a)), 3, axis=0)]
            path = write_corners(
                folder / f"{name}_{material}.bin",
                np.concatenate(places),
                np.concatenate(normals),
                np.zeros((len(corners) * len(shown), 2)),
            )
            parts.append({"file": path, "color": color[:3], "roughness": ROUGHNESS})
        return parts


@dataclass(frozen=True, eq=False)
class Shown:
    """Slots, and where their object stands, in Godot's axes."""

    positions: np.ndarray
    normals: np.ndarray
    offset: np.ndarray


def write_corners(path: Path, positions: np.ndarray, normals: np.ndarray, uv: np.ndarray) -> str:
    """Corners of triangles for render.gd. Returns the file's path within its project."""
    np.float32(np.concatenate([positions, normals, uv], axis=1)).tofile(path)
    return f"res://{path.parent.name}/{path.name}"


def write_import_files(folder: Path) -> None:
    """As a bake with --engine godot does."""
    for path in folder.glob("*.truevat.json"):
        content = json.loads(path.read_text("utf-8"))
        texture, files = content["texture"], content["files"]
        bake = EngineBake(
            path.name.partition(".")[0],
            content["profile"],
            content["bake_id"],
            [
                Texture(
                    files["texture"]["name"],
                    texture["width"],
                    texture["height"],
                    texture["pixel"],
                )
            ],
            files["mesh"]["name"],
            path.name,
        )
        for name, text in Godot().files(bake).items():
            (folder / name).write_text(text, "utf-8")


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def write_without_normals(folder: Path) -> None:
    """As if the texture had none: the importer must not look for any."""
    sidecar = SUBJECTS["float_wrapped"].write(folder)["sidecar"]
    content = json.loads(sidecar.read_text("utf-8"))
    content["normals"]["encoding"] = "none"
    sidecar.write_text(json.dumps(content), "utf-8")


WITHOUT_NORMALS = "res://bakes/without_normals/float_wrapped.truevat.json"
SUBJECTS = {name: Subject(name) for name in VARIANTS}
