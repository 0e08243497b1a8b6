# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`truevat info` on files that are broken, or made to break it: it says so, and nothing else."""

from __future__ import annotations

import copy
import json
import os
import shutil
import struct
from pathlib import Path

import numpy as np
import OpenEXR
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from truevat.core.errors import BakeError
from truevat.core.inspect import json_file
from truevat.core.inspect.describe import describe
from truevat.core.inspect.openexr import open_exr
from truevat.core.inspect.words import lines

import pictures
from sidecars import OTHERS, sidecar
from test_schema import BAD_NAMES, changed, places

COMPRESSIONS = [name for name in dir(OpenEXR) if name.endswith("_COMPRESSION")]
THOROUGHLY = settings(max_examples=150)
READ = {"NO_COMPRESSION": "none", "ZIPS_COMPRESSION": "ZIPS", "ZIP_COMPRESSION": "ZIP"}


def survives(path):
    """It is told what the file is, or a BakeError that names a file."""
    try:
        text = "\n".join(lines(describe(path)))
    except BakeError as error:
        assert str(path.parent) in str(error)
    else:
        assert all(line.isprintable() for line in text.splitlines())
        json.dumps(describe(path), default=str)


@pytest.fixture(scope="module")
def room(bakes, tmp_path_factory):
    """A folder with a bake that examples spoil; its files by role, and their right content."""
    folder = tmp_path_factory.mktemp("room")
    files = {
        role: Path(shutil.copy(path, folder / path.name))
        for role, path in bakes["half_wrapped"].items()
    }
    content = {role: path.read_bytes() for role, path in files.items()}
    return files, content


@pytest.fixture(scope="module")
def spoiled(room):
    files, content = room

    def spoil(role, data):
        for each, path in files.items():
            path.write_bytes(data if each == role else content[each])
        return files

    return spoil


ROLES = st.sampled_from(["texture", "mesh", "sidecar"])


@THOROUGHLY
@given(role=ROLES, data=st.data())
def test_any_truncation(spoiled, room, role, data):
    whole = room[1][role]
    length = data.draw(st.integers(0, 700) | st.integers(0, len(whole) - 1))
    files = spoiled(role, whole[:length])
    for path in files.values():
        survives(path)
    if role == "texture":
        with pytest.raises(BakeError, match=r"cut off|no EXR|incomplete"):
            picture = open_exr(files["texture"])
            picture.row(0)


@THOROUGHLY
@given(role=ROLES, data=st.data())
def test_any_mutation(spoiled, room, role, data):
    """Mostly near the start, where all sizes and offsets are."""
    changed = bytearray(room[1][role])
    place = st.integers(0, 500) | st.integers(0, len(changed) - 1)
    for at, byte in data.draw(st.lists(st.tuples(place, st.integers(0, 255)), max_size=8)):
        changed[at] = byte
    at = data.draw(place)
    piece = data.draw(st.sampled_from([b"", b"\xff" * 4, b"\0" * 8, b"\x7f\xff\xff\xff", b"\x80"]))
    changed[at : at + len(piece)] = piece
    for path in spoiled(role, bytes(changed)).values():
        survives(path)


@THOROUGHLY
@given(
    start=st.sampled_from([b"", b"\x76\x2f\x31\x01\x02\0\0\0", pictures.PNG_MAGIC, b"glTF", b"{"]),
    rest=st.binary(max_size=400),
    role=ROLES,
)
def test_any_bytes(spoiled, start, rest, role):
    for path in spoiled(role, start + rest).values():
        survives(path)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["../a", "/etc/passwd", "\x1b[31m", "\ud800", "9" * 39, 10**400, 1e308, -1]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)


@THOROUGHLY
@given(profile=st.sampled_from(["truevat", *OTHERS]), data=st.data())
def test_any_value_anywhere_in_a_sidecar(spoiled, room, profile, data):
    made = sidecar(profile, "float16" if profile == "truevat" else "float32")
    if profile == "truevat":
        made = json.loads(room[1]["sidecar"])
    where = data.draw(st.sampled_from(list(places(made))))
    made = changed(made, where, data.draw(st.just(...) | VALUES))
    files = spoiled("sidecar", json.dumps(made).encode("utf-8", "surrogatepass"))
    for path in files.values():
        survives(path)


PEERS = {
    "a-remap_info.json": {
        "os-remap": {"Min": [0, 0, 0], "Max": ["1", 1, 1], "Frames": 4},
        "animations": {
            "run": {"startFrame": 1, "endFrame": 4, "framerate": 24, "looping": True},
        },
    },
    "a_info.json": {
        "textures": {"position": "a_pos.exr"},
        **{"vertex_count": 8, "frame_count": 4, "fps": 24},
        "bounding_box": {"min": [0, 0, 0], "max": [1, 1, 1]},
        "clips": [{"name": "run", "start_frame": 0, "frame_count": 4, "fps": 24}],
    },
}


@pytest.fixture(scope="module")
def peers_room(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peers")
    pictures.png(folder / "a_vat.png", 8, 8)
    pictures.remapped(folder / "a_pos.exr", 8, 4)
    return folder


@pytest.mark.parametrize("name", PEERS)
def test_any_value_anywhere_in_the_json_of_others(peers_room, name):
    @THOROUGHLY
    @given(data=st.data())
    def run(data):
        made = copy.deepcopy(PEERS[name])
        where = data.draw(st.sampled_from(list(places(made))))
        made = changed(made, where, data.draw(st.just(...) | VALUES))
        (peers_room / name).write_bytes(json.dumps(made).encode("utf-8", "surrogatepass"))
        for path in peers_room.iterdir():
            survives(path)

    run()


@THOROUGHLY
@given(st.binary(max_size=200) | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"[" * 100_000)
@example(b'{"a":' * 100_000)
@example(b'{"format": "truevat", "version": ' + b"9" * 5000 + b"}")
@example(b'{"format": "truevat", "version": NaN}')
@example(b"\xef\xbb\xbf{}")
@example(b"\xff\xfe{\0}\0")
def test_any_json(spoiled, data):
    for path in spoiled("sidecar", data).values():
        survives(path)


@pytest.mark.parametrize("name", [*BAD_NAMES, "/etc/passwd", "..\\a.exr", "x/../a.exr"])
@pytest.mark.parametrize("role", ["texture", "mesh", "another"])
def test_names_that_leave_the_folder(spoiled, room, role, name):
    made = json.loads(room[1]["sidecar"])
    made["files"][role] = {"name": name, "bytes": 1}
    files = spoiled("sidecar", json.dumps(made).encode())
    with pytest.raises(BakeError, match="not the name of a file in the same folder"):
        describe(files["sidecar"])


def test_names_in_the_json_of_others(peers_room):
    made = PEERS["a_info.json"] | {"textures": {"position": "../a_pos.exr"}}
    (peers_room / "a_info.json").write_text(json.dumps(made))
    with pytest.raises(BakeError, match="not the name of a file in the same folder"):
        describe(peers_room / "a_info.json")


def test_names_do_not_reach_the_terminal_as_commands(spoiled, room):
    made = json.loads(room[1]["sidecar"])
    made["clips"][0]["name"] = "\x1b]0;owned\x07\nlayout  nekovat"
    made["source"] = "\u202egpj.exe"
    files = spoiled("sidecar", json.dumps(made).encode())
    told = lines(describe(files["sidecar"]))
    assert all(line.isprintable() for line in told)
    assert sum("nekovat" in line for line in told) == 1


def test_json_of_any_size_is_not_read(spoiled, monkeypatch):
    monkeypatch.setattr(json_file, "MOST_BYTES", 1000)
    files = spoiled("sidecar", b'{"format": "truevat"}' + b" " * 1000)
    with pytest.raises(BakeError, match="it is no sidecar"):
        describe(files["sidecar"])


def test_what_can_be_read_without_end_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "a.exr")
    (tmp_path / "b.exr").symlink_to("/dev/zero")
    for name in ("a.exr", "b.exr"):
        with pytest.raises(BakeError, match="There is no file"):
            describe(tmp_path / name)


@pytest.mark.parametrize("name", COMPRESSIONS)
@pytest.mark.parametrize("height", [1, 15, 16, 33])
def test_compressions(tmp_path, name, height):
    """Read without loss, or named and refused."""
    path = tmp_path / "a.exr"
    values = np.random.default_rng(5).normal(size=(height, 9, 4)).astype(np.float32)
    values[:, 3:] = 0.25  # something to compress
    header = {"compression": getattr(OpenEXR, name), "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, {"RGBA": values}).write(str(path))
    if name not in READ:
        with pytest.raises(BakeError, match=f"compressed by {name.removesuffix('_COMPRESSION')}"):
            describe(path)
        return
    exr = open_exr(path)
    assert exr.compression == READ[name]
    for row in range(height):
        ours = exr.row(row)
        for channel, theirs in zip("RGBA", values[height - 1 - row].T, strict=True):
            assert ours[channel].tobytes() == theirs.tobytes()


def test_bombs(tmp_path):
    """A block that unpacks to more than its rows hold."""
    path = tmp_path / "a.exr"
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, {"RGBA": np.zeros((16, 4096, 4), np.float32)}).write(str(path))
    data = path.read_bytes()
    small = data.replace(struct.pack("<4i", 0, 0, 4095, 15), struct.pack("<4i", 0, 0, 1023, 15))
    assert small != data
    path.write_bytes(small)
    with pytest.raises(BakeError, match="another size than its rows"):
        open_exr(path).row(0)


def test_other_kinds_of_openexr(tmp_path):
    path = tmp_path / "a.exr"
    values = np.zeros((20, 20, 4), np.float32)
    tiles = OpenEXR.TileDescription()
    header = {"type": OpenEXR.tiledimage, "tiles": tiles, "compression": OpenEXR.NO_COMPRESSION}
    OpenEXR.File(header, {"RGBA": values}).write(str(path))
    with pytest.raises(BakeError, match="is tiled"):
        describe(path)
    plain = {"compression": OpenEXR.NO_COMPRESSION, "type": OpenEXR.scanlineimage}
    parts = [OpenEXR.Part({**plain, "name": name}, {"RGBA": values}) for name in "ab"]
    OpenEXR.File(parts).write(str(path))
    with pytest.raises(BakeError, match="in several parts"):
        describe(path)
    window = (np.int32([2, 2]), np.int32([21, 21]))
    OpenEXR.File({**plain, "dataWindow": window}, {"RGBA": values}).write(str(path))
    with pytest.raises(BakeError, match="is cropped"):
        describe(path)


def test_rows_from_the_bottom_up(tmp_path):
    """Files may hold their lines in either order."""
    path = tmp_path / "a.exr"
    values = np.arange(40, dtype=np.float32).reshape(5, 2, 4)
    header = {"compression": OpenEXR.NO_COMPRESSION, "lineOrder": OpenEXR.DECREASING_Y}
    OpenEXR.File(header, {"RGBA": values}).write(str(path))
    assert open_exr(path).row(0)["R"].tolist() == [32, 36]
