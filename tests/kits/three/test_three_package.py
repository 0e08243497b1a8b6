# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The package: its types, its own tests in Node, and what npm would publish."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from truevat.core.engines import ENGINES, EngineBake, EngineTexture

import make
import moving
from three_rig import PICTURES, ROOT, chromium, node, stage


def run_tests(file: str, least: int, **variables: str) -> None:
    """A suite of Node's own test runner."""
    said = node("node", "--test", "--test-reporter=tap", file, **variables)
    counts = {word: int(number) for word, number in re.findall(r"^# (\w+) (\d+)$", said, re.M)}
    assert counts["pass"] == counts["tests"] >= least, said


def test_mixer():
    run_tests("mixer.test.mjs", 20)


def test_bakes(tmp_path):
    """Read as they are, and refused when they are not as they should be."""
    for name, (make_one, pixel, width) in make.VARIANTS.items():
        moving.write(tmp_path / name, name, make_one(), pixel, width)
    run_tests("bake.test.mjs", 60, TRUEVAT_BAKES=str(tmp_path))


@pytest.fixture(scope="module")
def types() -> Path:
    """Checks the kit's own code, and writes its declarations."""
    node("../node_modules/.bin/tsc", "-p", "..")
    return stage() / "types"


def test_types_serve_a_user(types):
    """consumer.ts has lines that must not compile, too."""
    assert (types / "index.d.ts").exists()
    node("../node_modules/.bin/tsc", "-p", "tsconfig.json")


def test_what_would_be_published(types):
    command = ["npm", "pack", "..", "--dry-run", "--json", "--ignore-scripts", "--offline"]
    (package,) = json.loads(node(*command))
    names = {file["path"] for file in package["files"]}
    sources = {path.name for path in (ROOT / "kits" / "three" / "src").glob("*.js")}
    assert {f"src/{name}" for name in sources} <= names
    assert {f"types/{name.replace('.js', '.d.ts')}" for name in sources} <= names
    assert {"package.json", "README.md"} <= names
    assert not any(name.startswith(("node_modules", "tests", "viewer")) for name in names)
    assert package["unpackedSize"] < 200_000


def demo(folder: Path, query: str, picture: str) -> dict:
    """The demo page, built as `npm run demo` does, beside the bakes of a folder."""
    options = ["--bundle", "--format=esm", f"--outdir={folder}"]
    node("../node_modules/.bin/esbuild", "../demo/main.js", *options)
    shutil.copy(stage() / "demo" / "index.html", folder)
    PICTURES.mkdir(parents=True, exist_ok=True)
    command = ["node", "demo.mjs", str(folder), query, str(PICTURES / f"{picture}.png")]
    return json.loads(node(*command, TRUEVAT_CHROMIUM=chromium()))


def test_demo(tmp_path):
    moving.write(tmp_path / "bake", "parts", moving.solid_parts(), "float16", 61)
    found = demo(tmp_path, "bake=bake/parts.truevat.json", "demo")
    assert found == {"before": "Click for the next clip.", "after": "fall", "complaints": []}


def test_demo_says_what_is_missing(tmp_path):
    assert "404" in demo(tmp_path, "bake=none.truevat.json", "demo-missing")["before"]


WEB = ENGINES["web"]


def written(name: str, mesh: str, profile: str = "truevat") -> dict[str, str]:
    texture = EngineTexture(f"{name}.truevat.exr", 61, 186, "float32")
    return WEB.files(EngineBake(name, profile, "0" * 32, [texture], mesh, f"{name}.truevat.json"))


def test_module_beside_the_bake(tmp_path):
    """It finds its three files, whatever they are called."""
    name = "a b #1 50%"
    files = moving.write(tmp_path, name, moving.solid_parts(), "float16", 61)
    ((module, text),) = written(name, files["mesh"].name).items()
    assert module == f"{name}.truevat.js"
    (tmp_path / module).write_text(text, "utf-8")
    run_tests("module.test.mjs", 1, TRUEVAT_MODULE=str(tmp_path / module))


def test_no_module_for_what_is_not_played():
    assert written("a", "a.fbx") == {} == written("a", "a.glb", profile="nekovat")


def test_version_is_the_projects():
    package = json.loads((ROOT / "kits" / "three" / "package.json").read_text("utf-8"))
    manifest = (ROOT / "blender_manifest.toml").read_text("utf-8")
    assert f'\nversion = "{package["version"]}"' in manifest
