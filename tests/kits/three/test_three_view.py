# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`truevat view`: what it writes, what it refuses, and the page in a browser."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
from pathlib import Path

import pytest
import viewer as builder
from truevat import cli
from truevat.core import viewer
from truevat.core.errors import BakeError

import make
import moving
from three_rig import PICTURES, chromium, node

HOSTILE = "</script><script>harmed=1</script><img src=x onerror=harmed=1>\u2028<!--"


@pytest.fixture(scope="module", autouse=True)
def template() -> None:
    builder.build_viewer()


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Bakes in one folder each."""
    folder = tmp_path_factory.mktemp("bakes")
    for name in ("float_wrapped", "half_soup"):
        make_one, pixel, width = make.VARIANTS[name]
        moving.write(folder / name, name, make_one(), pixel, width)
    return folder


@pytest.fixture
def bake(made, tmp_path) -> Path:
    """The sidecar of one that may be spoiled."""
    shutil.copytree(made / "float_wrapped", tmp_path / "bake")
    return tmp_path / "bake" / "float_wrapped.truevat.json"


def edit(sidecar: Path, change) -> None:
    content = json.loads(sidecar.read_text("utf-8"))
    change(content)
    sidecar.write_text(json.dumps(content), "utf-8")


def page_of(bake: Path | None, target: Path) -> str:
    viewer.write(viewer.prepare(bake, target))
    return target.read_text("utf-8")


def embedded(page: str) -> dict[str, bytes]:
    """Files by name, as the page has them."""
    (index,) = re.findall(
        r'<script type="application/json" id="truevat-files">(.*?)</script>', page
    )
    pattern = r'<script type="text/plain" class="truevat-data">([A-Za-z0-9+/=]*)</script>'
    chunks = iter(re.findall(pattern, page))
    found = {}
    for entry in json.loads(index):
        data = b"".join(base64.b64decode(next(chunks)) for _ in range(entry["chunks"]))
        assert len(data) == entry["bytes"]
        found[entry["name"]] = data
    assert next(chunks, None) is None
    return found


@pytest.mark.parametrize("named", ["json", "exr", "glb", "folder"])
def test_any_file_of_the_bake_names_it(bake, tmp_path, named):
    (glb,), (exr,) = bake.parent.glob("*.glb"), bake.parent.glob("*.exr")
    given = {"json": bake, "exr": exr, "glb": glb, "folder": bake.parent}[named]
    found = embedded(page_of(given, tmp_path / "page.html"))
    assert found == {path.name: path.read_bytes() for path in (bake, exr, glb)}


def test_chunks_join(bake, tmp_path, monkeypatch):
    monkeypatch.setattr(viewer, "CHUNK_BYTES", 3 * 1024)
    page = page_of(bake, tmp_path / "page.html")
    assert page.count('class="truevat-data"') > 10
    assert set(embedded(page)) == {path.name for path in bake.parent.iterdir()}


def test_page_keeps_the_licence_and_needs_nothing_else(bake, tmp_path):
    page = page_of(bake, tmp_path / "page.html")
    assert "Permission is hereby granted" in page and "three.js authors" in page
    assert not re.search(r"<(script|img|link|iframe)[^>]*\s(src|href)=", page)
    assert page.count("<!doctype html>") == 1
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    assert policy.startswith("default-src 'none'") and "http" not in policy


def test_hostile_names_stay_text(bake, tmp_path):
    """Those of a file system that allows them."""
    name = "a'\"&<b>.truevat.json"
    bake = bake.rename(bake.with_name(name))
    page = page_of(bake, tmp_path / "page.html")
    assert name in embedded(page)
    assert "<b>" not in page.split('id="truevat-files">')[1].split("</script>")[0]


def spoil_size(content):
    content["files"]["texture"]["bytes"] += 1


def name_outside(name):
    return lambda content: content["files"]["mesh"].update(name=name)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (spoil_size, r"has \d+ bytes where"),
        (name_outside("../secret.glb"), "name of a file in the same folder"),
        (name_outside("/etc/passwd"), "name of a file in the same folder"),
        (name_outside("a\\b.glb"), "name of a file in the same folder"),
        (name_outside("gone.glb"), "gone.glb' is missing"),
        (name_outside("a.fbx"), "a.fbx' is missing"),
        (lambda content: content["files"].pop("mesh"), "no GLB; bake with --mesh glb"),
        (lambda content: content.update(profile="openvat"), "profile openvat"),
        (lambda content: content.update(version=2), "version 2"),
    ],
)
def test_refuses(bake, tmp_path, change, message):
    (tmp_path / "secret.glb").write_bytes(b"secret")
    edit(bake, change)
    with pytest.raises(BakeError, match=message):
        page_of(bake, tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_refuses_a_link_out_of_the_folder(bake, tmp_path):
    (glb,) = bake.parent.glob("*.glb")
    glb.rename(tmp_path / "elsewhere.glb")
    glb.symlink_to(tmp_path / "elsewhere.glb")
    with pytest.raises(BakeError, match="link to a file elsewhere"):
        page_of(bake, tmp_path / "page.html")


@pytest.mark.parametrize("what", ["nothing", "no folder", "no bake", "no sidecar", "too much"])
def test_refuses_what_is_no_bake(bake, tmp_path, monkeypatch, what):
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.exr").touch()
    given, message = {
        "nothing": (tmp_path / "gone", "does not exist"),
        "no folder": (tmp_path / "gone" / "a.truevat.json", "does not exist"),
        "no bake": (tmp_path / "empty", "has no bake in it"),
        "no sidecar": (tmp_path / "a.exr", "no sidecar"),
        "too much": (bake, "more than a page can hold"),
    }[what]
    if what == "too much":
        monkeypatch.setattr(viewer, "MOST_BYTES", 1000)
    with pytest.raises(BakeError, match=message):
        viewer.prepare(given, None)


def test_without_the_template(bake, tmp_path, monkeypatch):
    monkeypatch.setattr(viewer, "TEMPLATE", tmp_path / "none.html")
    with pytest.raises(BakeError, match="not part of this TrueVAT.*make viewer"):
        page_of(bake, tmp_path / "page.html")


class TestCommand:
    @pytest.fixture
    def command(self, monkeypatch):
        """Runs it; returns the exit code, what it printed, and which addresses it opened."""
        opened: list[str] = []
        monkeypatch.setattr(viewer.webbrowser, "open", opened.append)

        def run(*argv: object):
            out = io.StringIO()
            monkeypatch.setattr(cli.console, "own_standard_output", lambda: out)
            code = cli.run(["view", *map(str, argv)], inside=False)
            return code, out.getvalue(), opened

        return run

    def test_writes_beside_the_bake_and_opens_it(self, command, bake):
        target = bake.with_name("float_wrapped.truevat.html")
        assert command(bake) == (0, f"{target}\n", [target.as_uri()])
        assert set(embedded(target.read_text("utf-8"))) == {
            path.name for path in bake.parent.iterdir() if path != target
        }

    def test_writes_where_it_is_told(self, command, bake, tmp_path):
        target = tmp_path / "page.html"
        assert command(bake, "-o", target, "--no-open") == (0, f"{target}\n", [])
        assert target.stat().st_size > 500_000

    def test_an_empty_page(self, command, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert command("--no-open") == (0, "truevat-viewer.html\n", [])
        assert (
            "truevat-files"
            not in (tmp_path / "truevat-viewer.html").read_text("utf-8").split("<script>")[0]
        )

    def test_says_what_is_wrong(self, command, tmp_path, capfd):
        assert command(tmp_path / "gone")[0] == 1
        assert "truevat: error: " in capfd.readouterr().err
        assert command("--no-open", "-o", tmp_path)[0] == 2
        assert command("--no-open", "-o", tmp_path / "no" / "such" / "a.html")[0] == 1


@pytest.fixture(scope="module")
def seen(made, tmp_path_factory) -> list[dict]:
    """All that happens in the browser, at once."""
    folder = tmp_path_factory.mktemp("pages")
    PICTURES.mkdir(parents=True, exist_ok=True)
    one, soup = made / "float_wrapped", made / "half_soup"
    empty, whole, hostile = (folder / f"{name}.html" for name in ("empty", "whole", "hostile"))
    page_of(None, empty)
    page_of(one, whole)
    evil = folder / "evil"
    shutil.copytree(one, evil)
    edit(evil / "float_wrapped.truevat.json", lambda c: c["clips"][0].update(name=HOSTILE))
    page_of(evil, hostile)
    wrong = folder / "wrong"
    shutil.copytree(one, wrong)
    shutil.copy(soup / "half_soup.truevat.exr", wrong / "float_wrapped.truevat.exr")
    files = {path: sorted(map(str, path.iterdir())) for path in (one, soup, wrong)}
    dropped = {"step": "dropped", "page": str(empty)}
    steps = [
        {"step": "embedded", "page": str(whole)},
        {**dropped, "files": files[one], "shot": "dropped"},
        {**dropped, "files": files[soup] + files[one], "shot": "two-bakes"},
        {**dropped, "files": files[one][:1]},
        {**dropped, "files": files[one][2:]},
        {**dropped, "files": files[wrong], "shot": "refused"},
        {"step": "hostile", "page": str(hostile), "shot": "hostile"},
    ]
    job = folder / "job.json"
    job.write_text(json.dumps({"pictures": str(PICTURES), "steps": steps}), "utf-8")
    return json.loads(node("node", "viewer.mjs", str(job), TRUEVAT_CHROMIUM=chromium()))


def test_nothing_is_asked_of_a_network_and_nothing_is_complained_of(seen):
    for step in seen:
        assert step["requests"] == [] and step["complaints"] == []


def test_controls(seen):
    found = seen[0]
    assert found["name"] == found["title"] == "float_wrapped"
    assert "FLOAT" in found["facts"] and "37 frames" in found["facts"]
    assert found["clips"] == ["wave", "fall"]
    for what in ("pauses", "scrubbingShows", "sameAgain", "wireframeShows", "normalsShow"):
        assert found[what], what
    assert found["groundGoes"] and found["sameAtTheEnd"] and found["orbits"]
    assert (found["scrubbed"], found["scrubbedOn"]) == (6, 12.5)
    assert found["second"] == "fall"


def test_a_crowd_takes_as_many_draw_calls_as_one(seen):
    """Two materials, in the shadow's pass and the camera's, and the ground."""
    assert seen[0]["calls"] == seen[0]["crowdCalls"] == 2 * 2 + 1


def test_dropped_files(seen):
    one, two, no_sidecar, only_sidecar, wrong = seen[1:6]
    assert (one["name"], one["error"], one["bakes"]) == ("float_wrapped", "", ["float_wrapped"])
    assert (two["error"], two["bakes"]) == ("", ["float_wrapped", "half_soup"])
    assert "no file *.truevat.json" in no_sidecar["error"]
    assert "is missing: drop all files" in only_sidecar["error"]
    assert "of another bake" in wrong["error"]


def test_hostile_text_is_shown_as_text(seen):
    found = seen[6]
    assert found["error"] == "" and found["clips"][0] == HOSTILE
    assert not found["harmed"] and found["images"] == 0
