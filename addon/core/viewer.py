# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`truevat view BAKE`: a page that plays a bake in any browser, with everything inside it."""

from __future__ import annotations

import argparse
import base64
import json
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from .errors import BakeError
from .files import PREFIX, Workplace
from .inspect import sidecar as sidecars
from .inspect.json_file import load

# Built by .ci/viewer.py from kits/three/viewer, with three.js in it.
TEMPLATE = Path(__file__).with_name("viewer.html")
MARK = "<!--data-->"
# Of a file: no base64 text is cut inside three bytes, and none is too long for a browser's string.
CHUNK_BYTES = 12 << 20
# Of all files; browsers give up on a page of more.
MOST_BYTES = 1 << 30


@dataclass(frozen=True)
class View:
    """`files` by the names that sidecars use, `target` the page to write."""

    files: dict[str, Path]
    target: Path


def arguments(parser: argparse.ArgumentParser, inside: bool) -> None:
    add = parser.add_argument
    add(
        "bake",
        metavar="BAKE",
        nargs="?",
        type=Path,
        help="a bake's sidecar, texture or mesh, or a folder of bakes (default: an empty page, "
        "onto which bakes are dropped)",
    )
    add("-o", "--output", metavar="FILE", type=Path, help="the page (default: beside the bake)")
    add("--no-open", action="store_true", help="write the page, and do not open it")


def check(args: argparse.Namespace) -> None:
    if args.output and args.output.is_dir():
        raise BakeError(f"'{args.output}' is a folder; name a file")


def run(args: argparse.Namespace, _checked: None, stdout: TextIO) -> None:
    view = prepare(args.bake, args.output)
    write(view)
    stdout.write(f"{view.target}\n")
    stdout.flush()
    if not args.no_open:
        webbrowser.open(view.target.absolute().as_uri())


def prepare(bake: Path | None, target: Path | None) -> View:
    """What goes into the page. BakeError where a bake is not whole."""
    if not bake:
        return View({}, target or Path("truevat-viewer.html"))
    found = [sidecars.read(path, load(path)) for path in _sidecar_paths(bake)]
    files = {}
    for each in found:
        files[each.path.name] = each.path
        for role, (name, size) in each.files.items():
            if role in ("texture", _mesh_role(each)):
                files[name] = _inside(each.path, name, size)
        _check_playable(each)
    total = sum(path.stat().st_size for path in files.values())
    if total > MOST_BYTES:
        raise BakeError(
            f"'{bake}' has {total >> 20} MiB, more than a page can hold ({MOST_BYTES >> 20} MiB); "
            "run 'truevat view' alone, and drop the files onto its page"
        )
    folder = found[0].path.parent
    name = found[0].path.name.removesuffix(sidecars.SUFFIX)
    if len(found) > 1:
        name = folder.absolute().name
    return View(files, target or folder / f"{name}.truevat.html")


def _sidecar_paths(bake: Path) -> list[Path]:
    if bake.is_dir():
        # What a bake that is still running has there is hidden.
        found = [path for path in bake.glob(f"*{sidecars.SUFFIX}") if path.is_file()]
        found = [path for path in found if not path.name.startswith(PREFIX)]
        if not found:
            raise BakeError(f"'{bake}' has no bake in it (no file *{sidecars.SUFFIX})")
        return sorted(found)
    if not bake.is_file():
        raise BakeError(f"'{bake}' does not exist")
    if bake.name.endswith(sidecars.SUFFIX):
        return [bake]
    beside, notes = sidecars.find(bake)
    if not beside:
        raise BakeError(
            "; ".join([f"'{bake}' has no sidecar (*{sidecars.SUFFIX}) beside it", *notes])
        )
    return [beside.path]


def _check_playable(sidecar: sidecars.Sidecar) -> None:
    if sidecar.layout != "truevat":
        raise BakeError(
            f"'{sidecar.path}' is of the profile {sidecar.layout}; the viewer plays truevat: bake "
            "with --profile truevat"
        )
    mesh = sidecar.file(_mesh_role(sidecar))
    if not mesh or mesh.suffix.lower() != ".glb":
        raise BakeError(f"'{sidecar.path}' has no GLB; bake with --mesh glb")


def _mesh_role(sidecar: sidecars.Sidecar) -> str:
    """Of the mesh that browsers read, where there are two."""
    return "mesh_glb" if "mesh_glb" in sidecar.files else "mesh"


def _inside(sidecar: Path, name: str, size: int) -> Path:
    """A file of the bake, which must really lie in its folder."""
    path = sidecar.parent / name
    if not path.is_file():
        raise BakeError(f"'{path}' is missing, which '{sidecar.name}' names; bake again")
    if path.resolve().parent != sidecar.parent.resolve():
        raise BakeError(f"'{path}' is a link to a file elsewhere; put the file itself there")
    found = path.stat().st_size
    if found != size:
        raise BakeError(
            f"'{path}' has {found} bytes where '{sidecar.name}' says {size}: it is of another "
            "bake, or not whole; bake again"
        )
    return path


def write(view: View) -> None:
    """The page, whole or not at all."""
    before, after = _template()
    target = view.target.absolute()
    with Workplace(target.parent) as place:
        page = place.path(target.name)
        try:
            with page.open("w", encoding="utf-8", newline="\n") as file:
                file.write(before)
                file.writelines(_data(view.files))
                file.write(after)
        except OSError as error:
            raise BakeError(f"'{target}' cannot be written ({error.strerror or error})") from error
        place.commit({"page": page})
        place.keep()


def _template() -> tuple[str, str]:
    try:
        parts = TEMPLATE.read_text("utf-8").split(MARK)
    except OSError as error:
        raise BakeError(
            "The viewer's page is not part of this TrueVAT: it was installed from sources without "
            "being built. Install a released wheel or extension, or run 'make viewer'"
        ) from error
    before, after = parts
    return before, after


def _data(files: dict[str, Path]) -> Iterator[str]:
    """Elements that hold text and run nothing. Base64 has no < in it, and names are escaped."""
    if not files:
        return
    index = [
        {"name": name, "bytes": size, "chunks": -(-size // CHUNK_BYTES)}
        for name, size in ((name, path.stat().st_size) for name, path in files.items())
    ]
    text = json.dumps(index).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    yield f'<script type="application/json" id="truevat-files">{text}</script>\n'
    for entry, path in zip(index, files.values(), strict=True):
        with path.open("rb") as file:
            for _ in range(entry["chunks"]):
                data = base64.b64encode(file.read(CHUNK_BYTES)).decode("ascii")
                yield f'<script type="text/plain" class="truevat-data">{data}</script>\n'
