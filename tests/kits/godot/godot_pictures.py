# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is to be drawn, and how two pictures compare."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import moving
from godot_engine import KIT
from godot_subjects import Shown, Subject

SIZE = 320
# A pixel differs if a channel does by more than this; of 255.
STEP = 12
# Where the camera looks, and how much it sees, so that all of the animation is in the picture.
VIEW = {"target": [0.5, -0.1, 0.25], "size": 5.6}
ORIGIN = moving.gltf_axes(moving.ORIGIN)


@dataclass(frozen=True)
class Pose:
    """A clip at a frame number."""

    clip: str
    x: float

    def __str__(self) -> str:
        return f"{self.clip}_{self.x:g}"


@dataclass
class Jobs:
    """Pictures by name, of a project."""

    project: Path
    jobs: dict[str, dict] = field(default_factory=dict)

    def add(self, name: str, *things: dict, **view) -> None:
        self.jobs[name] = {"name": name, **VIEW, **view, "things": list(things)}

    def soup(self, subject: Subject, name: str, *shown: Shown, **more) -> dict:
        return {"soup": subject.write_soup(self.project / "soups", name, *shown), **more}

    def truth(self, subject: Subject, pose: Pose, **more) -> dict:
        shown = Shown(*subject.slots_at(pose.clip, pose.x), ORIGIN)
        return self.soup(subject, f"{subject.name}_{pose}", shown, **more)


def player(subject: Subject, pose: Pose, **more) -> dict:
    clips = {clip.name: clip for clip in subject.moving.motion.clips}
    seconds = pose.x / float(clips[pose.clip].fps)
    actions = [["play", pose.clip], ["seek", seconds]]
    return {"scene": subject.resource, "actions": actions, **more}


def change_shaders(project: Path, name: str, text: str, changed: str) -> None:
    """A copy of the kit's shaders with a fault, in res://faults/<name>/."""
    folder = project / "faults" / name
    shutil.copytree(KIT / "addons/truevat/shaders", folder, dirs_exist_ok=True)
    sources = list(folder.glob("*.gdshaderinc"))
    assert sum(path.read_text("utf-8").count(text) for path in sources) == 1, name
    for path in sources:
        path.write_text(path.read_text("utf-8").replace(text, changed), "utf-8")


def picture(project: Path, name: str) -> np.ndarray:
    pixels = np.fromfile(project / "pictures" / f"{name}.rgb", np.uint8)
    return np.int16(pixels.reshape(SIZE, SIZE, 3))


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """The share of differing pixels among those that either has of its object."""
    background = a[0, 0]
    drawn = ((a != background) | (b != background)).any(axis=2).sum()
    differing = (np.abs(a - b).max(axis=2) > STEP).sum()
    assert drawn > SIZE * SIZE / 100, "there is next to nothing in the picture"
    return float(differing / drawn)
