# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of a bake by three.js, against pictures of the mesh that it should be."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import make
import moving
from three_rig import ROOT, Truth, run_jobs

VARIANTS = [name for name in make.VARIANTS if not name.endswith("single_row")]
MATERIALS = ["physical", "lambert", "normal", "basic", "flat"]
MEMBERS = 25
CROWD = 1000

# Of all pixels: where a triangle's edge lies a hair to the other side. The pictures of what is
# wrong differ in at least so many.
SAME = 0.0005
OTHER = 0.01


@pytest.fixture(scope="session")
def bakes(tmp_path_factory) -> Path:
    """bakes/ with one folder for each variant, and truth/."""
    folder = tmp_path_factory.mktemp("three")
    (folder / "truth").mkdir()
    for name in VARIANTS:
        make_one, pixel, width = make.VARIANTS[name]
        moving.write(folder / "bakes" / name, name, make_one(), pixel, width)
    return folder


def times(truth: Truth, clip: int) -> list[Fraction]:
    """Seconds at stored frames and between them, the way round a loop included."""
    stored = truth.texture.clips[clip]
    last = stored.frames - (0 if stored.loop else 1)
    frames = [Fraction(0), Fraction(2 * last + 1, 3), Fraction(last), Fraction(last // 2)]
    return [frame / stored.fps for frame in (*frames, last - Fraction(1, 4))]


class Jobs:
    """Collects what to draw, and writes what it should be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.list: list[dict] = []

    def truth(self, truth: Truth, clip: int, seconds: Fraction) -> dict:
        file = f"{truth.name}-{clip}-{float(seconds):.6f}"
        if not (path := self.folder / "truth" / file).exists():
            truth.write(path, clip, seconds)
        return {"clip": clip, "seconds": float(seconds), "truth": file}

    def image(
        self,
        id: str,
        truth: Truth,
        clip: int,
        seconds: Fraction,
        against: Fraction | None = None,
        **more: object,
    ) -> None:
        """`against` is another time, at which it should not look the same."""
        job = {"id": id, "kind": "image", "bake": truth.path, "material": "standard"}
        right = self.truth(truth, clip, seconds if against is None else against)
        self.list.append({**job, **right, "seconds": float(seconds), **more})


def renamed(bakes: Path) -> dict[str, str]:
    """Addresses as a bundler makes them, by the files' names."""
    (bakes / "shipped").mkdir(exist_ok=True)
    urls = {}
    for i, path in enumerate(sorted((bakes / "bakes" / "half_wrapped").iterdir(), reverse=True)):
        shutil.copy(path, bakes / "shipped" / f"asset {i}")
        urls[path.name] = f"/shipped/asset%20{i}"
    return urls


@pytest.fixture(scope="session")
def jobs(bakes: Path) -> list[dict]:
    jobs = Jobs(bakes)
    for name in VARIANTS:
        truth = Truth.read(bakes / "bakes" / name)
        for clip in range(2):
            for i, seconds in enumerate(times(truth, clip)):
                jobs.image(f"{name}-{clip}-{i}", truth, clip, seconds, picture=i == 1)
        jobs.list.append({"id": f"{name}-first", "kind": "firstFrame", "bake": truth.path})
    for name in ("float_wrapped", "half_wrapped"):
        truth = Truth.read(bakes / "bakes" / name)
        frame, between = Fraction(9, 24), Fraction(19, 48)
        for material in MATERIALS:
            jobs.image(f"{name}-{material}", truth, 0, between, material=material, picture=True)
        jobs.image(f"{name}-point", truth, 0, between, light="point", picture=True)
        jobs.image(f"{name}-hours", truth, 0, between, hours=10)
        jobs.image(f"{name}-off", truth, 0, frame, against=between)
        jobs.image(f"{name}-next", truth, 0, frame, against=frame + Fraction(1, 24), picture=True)
        for spoil in ("vFlipped", "axesSwapped", "restShadow"):
            jobs.image(f"{name}-{spoil}", truth, 0, frame, spoil=spoil, picture=True)
        jobs.image(f"{name}-pointRest", truth, 0, frame, light="point", spoil="restShadow")
    for name in ("float_wrapped", "half_soup"):
        truth = Truth.read(bakes / "bakes" / name)
        moments = [(i % 2, Fraction(i % 7, 12)) for i in range(MEMBERS)]
        members = [jobs.truth(truth, *moment) for moment in moments]
        job = {"kind": "crowd", "bake": truth.path, "picture": True}
        jobs.list.append({**job, "id": f"{name}-crowd", "members": members})
        wrong = [{**member, "clip": 1 - member["clip"]} for member in members]
        jobs.list.append({**job, "id": f"{name}-wrongCrowd", "members": wrong})
        job = {"kind": "drawCalls", "bake": truth.path, "count": CROWD, "picture": True}
        jobs.list.append({**job, "id": f"{name}-calls"})
    job = {"bake": "float_wrapped/float_wrapped"}
    jobs.list += [
        {**job, "id": "turned", "kind": "tangents", "frame": 8, "turned": True, "picture": True},
        {**job, "id": "unturned", "kind": "tangents", "frame": 8, "turned": False},
        {**job, "id": "culled", "kind": "culled"},
        {**job, "id": "restCulled", "kind": "culled", "restBounds": True},
        {**job, "id": "clones", "kind": "clones"},
        {**job, "id": "drawErrors", "kind": "drawErrors"},
        {"id": "missing", "kind": "loads", "url": "/bakes/none/a.truevat.json"},
        {"id": "renamed", "kind": "loads", "urls": renamed(bakes)},
        {"id": "incomplete", "kind": "loads", "urls": dict(list(renamed(bakes).items())[:2])},
    ]
    return jobs.list


@pytest.fixture(scope="session")
def results(bakes: Path, jobs: list[dict]) -> dict[str, dict]:
    """Of all jobs, which run in one browser."""
    found = run_jobs(bakes, jobs)
    assert found.keys() == {job["id"] for job in jobs}
    return found


@pytest.fixture
def result(results):
    def get(id: str) -> dict:
        found = results[id]
        assert "failed" not in found, found["failed"]
        complaints = [text for text in found["complaints"] if "404" not in text]
        assert complaints == [] or id in ("missing", "drawErrors")
        return found

    return get


@pytest.mark.parametrize("clip", [0, 1])
@pytest.mark.parametrize("name", VARIANTS)
def test_frames_and_between(result, name, clip):
    for i in range(5):
        found = result(f"{name}-{clip}-{i}")
        assert found["different"] <= SAME, i


@pytest.mark.parametrize("clip", [0, 1])
@pytest.mark.parametrize("name", VARIANTS)
def test_compared_frames_are_far_apart(bakes, name, clip):
    """By a fifth of what moves: else equal pictures would say little."""
    truth = Truth.read(bakes / "bakes" / name)
    places = [truth.corner_positions(clip, seconds) for seconds in times(truth, clip)]
    size = np.linalg.norm(places[0].max(axis=0) - places[0].min(axis=0))
    for before, after in zip(places, places[1:], strict=False):
        assert np.linalg.norm(after - before, axis=1).max() >= 0.2 * size


@pytest.mark.parametrize("name", ["float_wrapped", "half_wrapped"])
class TestEachPixelType:
    @pytest.mark.parametrize("material", MATERIALS)
    def test_other_materials(self, result, name, material):
        assert result(f"{name}-{material}")["different"] <= SAME

    def test_shadow_of_a_point_light(self, result, name):
        assert result(f"{name}-point")["different"] <= SAME

    def test_after_ten_hours(self, result, name):
        assert result(f"{name}-hours")["different"] <= SAME

    @pytest.mark.parametrize(
        "control", ["next", "off", "vFlipped", "axesSwapped", "restShadow", "pointRest"]
    )
    def test_what_is_wrong_looks_wrong(self, result, name, control):
        """One frame on, half a frame on, V flipped, axes swapped, shadows of the rest pose."""
        assert result(f"{name}-{control}")["different"] >= OTHER


@pytest.mark.parametrize("name", VARIANTS)
def test_first_frame_is_the_mesh(result, bakes, name):
    """Vertex by vertex, decoded on the CPU; and the GLB keeps its materials and its first UVs."""
    found = result(f"{name}-first")
    (sidecar,) = (bakes / "bakes" / name).glob("*.json")
    slots = json.loads(sidecar.read_text("utf-8"))["slots"]
    assert found["error"] == 0
    assert found["vertices"] >= slots - 1
    assert [material for material, _ in found["materials"]] == (
        ["Solids"] if "soup" in name else ["Sheet", "Solids"]
    )
    for (material, color), keys in zip(found["materials"], found["attributes"], strict=True):
        assert color == pytest.approx(moving.MATERIALS[material][:3])
        assert set(keys) == {"position", "normal", "uv", "truevatSlot"}


@pytest.mark.parametrize("name", ["float_wrapped", "half_soup"])
class TestCrowd:
    def test_each_with_its_own_clip_and_time(self, result, name):
        assert result(f"{name}-crowd")["different"] <= SAME
        assert result(f"{name}-wrongCrowd")["different"] >= OTHER

    def test_one_draw_call_in_each_pass(self, result, name):
        """For each material: a shadow's pass and the camera's."""
        found = result(f"{name}-calls")
        assert found["calls"] == 2 * found["parts"]
        assert found["triangles"] >= CROWD * 100


def test_tangents_turn_with_the_normals(result):
    assert result("turned")["different"] <= SAME
    assert result("unturned")["different"] >= OTHER


def test_culled_by_the_bounds_of_the_animation(result):
    assert result("culled")["seen"] >= OTHER
    assert result("restCulled")["seen"] == 0


def test_clones_play_by_themselves(result):
    found = result("clones")
    assert found["position"] == [1, 2, 3]
    assert found["meshes"] == [2, 2]
    assert found["frames"] == [0, 12]
    assert not found["shared"]
    assert found["place"] == pytest.approx([4, 5, 6])


def test_what_cannot_be_drawn_says_why(result):
    found = result("drawErrors")
    assert "'glass' has no #include <begin_vertex>" in found["material"]
    assert "is larger (186) than this device can show (32)" in found["size"]
    assert "plays with WebGLRenderer" in found["other"]


def test_loading_from_other_addresses(result):
    assert result("renamed")["clips"] == ["wave", "fall"]
    assert "needs half_wrapped.glb, too" in result("incomplete")["message"]
    assert "404" in result("missing")["message"]


OLDEST = ["float_wrapped-0-1", "half_soup-1-1", "half_wrapped-physical", "half_wrapped-point"]
OLDEST_CONTROLS = ["float_wrapped-restShadow", "unturned"]


@pytest.fixture(scope="session")
def oldest(bakes, jobs) -> dict[str, dict]:
    """By the oldest version of three.js that the package allows."""
    wanted = [*OLDEST, *OLDEST_CONTROLS, "turned", "half_soup-crowd", "half_soup-calls"]
    some = [{**job, "picture": False} for job in jobs if job["id"] in wanted]
    return run_jobs(bakes, some, three="three-oldest")


def test_oldest_version_of_three(oldest):
    for id in (*OLDEST, "turned", "half_soup-crowd"):
        assert oldest[id]["different"] <= SAME, id
    for id in OLDEST_CONTROLS:
        assert oldest[id]["different"] >= OTHER, id
    assert oldest["half_soup-calls"]["calls"] == 2
    assert not any(found["complaints"] for found in oldest.values())


def test_oldest_version_is_the_one_that_the_package_names():
    package = json.loads((ROOT / "kits" / "three" / "package.json").read_text("utf-8"))
    least = package["peerDependencies"]["three"].removeprefix(">=")
    assert package["devDependencies"]["three-oldest"] == f"npm:three@{least}.0"
