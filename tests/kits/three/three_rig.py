# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kit for three.js in headless Chromium, and the meshes that it must draw.

Chromium comes from Debian, everything else from npm, into build/three.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import viewer
from setup import install_system_packages

from glb import read_glb
from reference_reader import Texture

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PICTURES = ROOT / "build" / "kits" / "three"
LIMIT = 1200  # seconds, on a machine that others use, too


@cache
def chromium() -> str:
    """Its path. Where it is missing and cannot be installed, the test is skipped."""
    if not shutil.which("chromium"):
        try:
            install_system_packages(["chromium"])
        except SystemExit as error:
            pytest.skip(f"Chromium cannot be installed: {error}")
    path = shutil.which("chromium") or pytest.skip("Chromium is missing")
    return str(path)


@cache
def stage() -> Path:
    """The kit as a package, with these tests' scripts in its folder `tests`."""
    with viewer.lock():
        folder = viewer.stage()
        tests = folder / "tests"
        shutil.rmtree(tests, ignore_errors=True)
        tests.mkdir()
        for path in HERE.iterdir():
            if path.suffix in (".js", ".mjs", ".ts", ".json"):
                shutil.copy(path, tests)
    return folder


@cache
def bundle(three: str) -> Path:
    """page.js in one file, with one of the versions that package.json names."""
    target = stage() / "tests" / f"page-{three}.js"
    options = ["--bundle", f"--outfile={target}"]
    if three != "three":
        options.append(f"--alias:three={three}")
    node("../node_modules/.bin/esbuild", "page.js", *options)
    return target


def node(*command: str, **variables: str) -> str:
    """What a script prints. Its complaint is the test's."""
    environment = {**os.environ, **variables}
    result = subprocess.run(
        command,
        cwd=stage() / "tests",
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout}{result.stderr}"
    return result.stdout


@dataclass(frozen=True, eq=False)
class Truth:
    """A bake's folder as others read it. Of all triangles' corners, without those of the triangles
    that widen the bounds: the slot, and where its object stands in the GLB."""

    name: str
    folder: Path
    texture: Texture
    corners: np.ndarray
    origins: np.ndarray
    clips: tuple[str, ...]

    @classmethod
    def read(cls, folder: Path) -> Truth:
        (sidecar,) = folder.glob("*.truevat.json")
        content = json.loads(sidecar.read_text("utf-8"))
        corners, origins = [], []
        rest = np.zeros((content["slots"], 3), np.float32)
        for mesh in read_glb(folder / content["files"]["mesh"]["name"]).values():
            # glTF's v is turned over.
            slots = np.int64(np.round(mesh.address)) * (1, -1024) @ (1, 1) + 1024
            used = np.repeat((slots.reshape(-1, 3) != 0).any(axis=1), 3)
            rest[slots[used]] = blenders_axes(mesh.positions[used])
            corners.append(slots[used])
            origins.append(np.tile(mesh.origin, (used.sum(), 1)))
        return cls(
            sidecar.name.removesuffix(".truevat.json"),
            folder,
            Texture(folder / content["files"]["texture"]["name"], rest),
            np.concatenate(corners),
            np.concatenate(origins),
            tuple(clip["name"] for clip in content["clips"]),
        )

    @property
    def path(self) -> str:
        """Of its files, without their endings, from where all bakes are."""
        return f"{self.folder.name}/{self.name}"

    def corner_positions(self, clip: int, seconds: Fraction | float) -> np.ndarray:
        """(corners, 3) in three.js's axes, where the objects stand."""
        return gltf_axes(self.texture.play(clip, seconds)[0][self.corners]) + self.origins

    def write(self, target: Path, clip: int, seconds: Fraction | float) -> None:
        """float32 (corners, 6): positions and normals."""
        normals = gltf_axes(self.texture.play(clip, seconds)[1][self.corners])
        both = [self.corner_positions(clip, seconds), normals]
        target.write_bytes(np.float32(np.concatenate(both, axis=1)).tobytes())


def gltf_axes(vectors: np.ndarray) -> np.ndarray:
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([x, z, -y], axis=-1)


def blenders_axes(vectors: np.ndarray) -> np.ndarray:
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([x, -z, y], axis=-1)


def run_jobs(folder: Path, jobs: list[dict], three: str = "three") -> dict[str, dict]:
    """What page.js returns for each job, by its id. `folder` has bakes/ and truth/."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    file = folder / "jobs.json"
    given = {"folder": str(folder), "script": str(bundle(three)), "jobs": jobs}
    file.write_text(json.dumps({**given, "pictures": str(PICTURES)}), "utf-8")
    return json.loads(node("node", "browser.mjs", str(file), TRUEVAT_CHROMIUM=chromium()))
