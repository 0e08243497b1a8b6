# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake's files appear together or not at all, and what was there before comes back."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from truevat.core.errors import BakeError, Cancelled
from truevat.core.files import Workplace


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text() if path.is_file() else None
        for path in folder.rglob("*")
    }


def write(workplace, **texts):
    files = {name: workplace.path(f"{name}.txt") for name in texts}
    for name, path in files.items():
        path.write_text(texts[name])
    return files


def test_files_move_to_their_names(tmp_path):
    with Workplace(tmp_path) as workplace:
        files = write(workplace, a="1", b="2")
        assert not (tmp_path / "a.txt").exists()
        final = workplace.commit(files)
        workplace.keep()
    assert final == {"a": tmp_path / "a.txt", "b": tmp_path / "b.txt"}
    assert contents(tmp_path) == {"a.txt": "1", "b.txt": "2"}


def test_old_files_are_replaced_and_others_left_alone(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "other.txt").write_text("mine")
    with Workplace(tmp_path) as workplace:
        workplace.commit(write(workplace, a="new"))
        workplace.keep()
    assert contents(tmp_path) == {"a.txt": "new", "other.txt": "mine"}


def test_work_goes_on_in_the_output_folder_itself(tmp_path):
    """So that moving is renaming, and a full disk shows before anything is replaced."""
    with Workplace(tmp_path) as workplace:
        assert workplace.path("a").parent.parent == tmp_path
        assert workplace.path("a").parent.name.startswith(".truevat-")


@pytest.mark.parametrize("error", [Cancelled("c"), BakeError("b"), KeyboardInterrupt(), OSError()])
@pytest.mark.parametrize("when", ["before", "after"])
def test_what_fails_before_or_after_the_commit_is_undone(tmp_path, when, error):
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(type(error)), Workplace(tmp_path) as workplace:
        files = write(workplace, a="new", b="new")
        if when == "after":
            workplace.commit(files)
            assert contents(tmp_path)["a.txt"] == contents(tmp_path)["b.txt"] == "new"
        raise error
    assert contents(tmp_path) == {"a.txt": "old"}


def test_leaving_without_keep_is_a_failure_too(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    with Workplace(tmp_path) as workplace:
        workplace.commit(write(workplace, a="new", b="new"))
    assert contents(tmp_path) == {"a.txt": "old"}


def test_a_generator_that_is_closed_cleans_up(tmp_path):
    def steps():
        with Workplace(tmp_path / "out") as workplace:
            write(workplace, a="half")
            yield
            pytest.fail("went on")

    running = steps()
    next(running)
    assert len(contents(tmp_path)) == 3
    running.close()
    assert contents(tmp_path) == {}


def test_the_folder_is_made_and_stays_with_the_files(tmp_path):
    with Workplace(tmp_path / "vat") as workplace:
        workplace.commit(write(workplace, a="1"))
        workplace.keep()
    assert contents(tmp_path) == {"vat": None, "vat/a.txt": "1"}


def test_the_folder_goes_again_unless_somebody_uses_it(tmp_path):
    for other, left in ((False, {}), (True, {"vat": None, "vat/mine": "1"})):
        with pytest.raises(Cancelled), Workplace(tmp_path / "vat") as workplace:
            write(workplace, a="1")
            if other:
                (tmp_path / "vat" / "mine").write_text("1")
            raise Cancelled("c")
        assert contents(tmp_path) == left


def test_a_parent_that_is_missing(tmp_path):
    folder = tmp_path / "no" / "vat"
    message = f"The folder {tmp_path / 'no'} does not exist; make it first"
    with pytest.raises(BakeError, match=re.escape(message)), Workplace(folder):
        pytest.fail("went on")
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("below", ["", "vat"])
def test_a_file_in_place_of_the_folder(tmp_path, below):
    (tmp_path / "file").write_text("1")
    folder = tmp_path / "file" / below
    message = f"{folder} is not a folder; choose another one"
    with pytest.raises(BakeError, match=re.escape(message)), Workplace(folder):
        pytest.fail("went on")
    assert contents(tmp_path) == {"file": "1"}


def test_a_folder_that_cannot_be_written_to(read_only_folder):
    for folder in (read_only_folder, read_only_folder / "vat"):
        message = f"The output folder {folder} cannot be written to (Permission denied)"
        with pytest.raises(BakeError, match=re.escape(message)), Workplace(folder):
            pytest.fail("went on")


def test_a_folder_in_place_of_a_file_is_not_touched(tmp_path):
    (tmp_path / "b.txt").mkdir()
    (tmp_path / "b.txt" / "mine").write_text("1")
    (tmp_path / "a.txt").write_text("old")
    before = contents(tmp_path)
    with pytest.raises(BakeError, match="b.txt cannot be replaced"), Workplace(tmp_path) as place:
        place.commit(write(place, a="new", b="new"))
    assert contents(tmp_path) == before


def test_a_second_move_that_fails_takes_the_first_back(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "b.txt").write_text("old")
    replace = os.replace

    def in_use(source, target):
        if Path(target) == tmp_path / "b.txt" and Path(source).name == "b.txt":
            raise PermissionError(13, "in use")
        replace(source, target)

    monkeypatch.setattr(os, "replace", in_use)
    with pytest.raises(BakeError, match="b.txt cannot be replaced .in use.; is another program"):
        with Workplace(tmp_path) as workplace:
            workplace.commit(write(workplace, a="new", b="new"))
    assert contents(tmp_path) == {"a.txt": "old", "b.txt": "old"}


@pytest.mark.parametrize("why", [Cancelled("Stopped"), KeyboardInterrupt(), None])
def test_what_cannot_be_put_back_is_kept_and_named(tmp_path, monkeypatch, why):
    """Windows: somebody opens a new file before its bake fails."""
    for name in "ac":
        (tmp_path / f"{name}.txt").write_text("old")
    replace = os.replace

    def in_use(source, target):
        if Path(target).name == "c.txt":
            raise PermissionError(13, "in use")
        replace(source, target)

    with pytest.raises(BakeError) as caught, Workplace(tmp_path) as workplace:
        place = workplace.path("a").parent
        workplace.commit(write(workplace, a="new", b="new", c="new"))
        monkeypatch.setattr(os, "replace", in_use)
        if why:
            raise why
    assert type(caught.value) is BakeError and caught.value.__cause__ is why
    first, *rest = str(caught.value).splitlines()
    assert first == "Stopped" if rest else first.startswith("Not all files could be put back")
    old = place / "old-2"
    steps = f"Close it, then move {old} to {tmp_path / 'c.txt'}, delete the folder {place}"
    assert str(caught.value).endswith(steps)
    assert contents(tmp_path) == {
        "a.txt": "old",
        "c.txt": "new",
        place.name: None,
        f"{place.name}/old-2": "old",
    }


def test_a_new_file_that_cannot_be_removed_is_named(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("old")
    unlink = Path.unlink

    def in_use(path, missing_ok=False):
        if path.name == "b.txt":
            raise PermissionError(13, "in use")
        unlink(path, missing_ok)

    message = re.escape(f"Close it, then delete {tmp_path / 'b.txt'}") + "$"
    with pytest.raises(BakeError, match=message), Workplace(tmp_path) as workplace:
        workplace.commit(write(workplace, a="new", b="new"))
        monkeypatch.setattr(Path, "unlink", in_use)
    assert contents(tmp_path) == {"a.txt": "old", "b.txt": "new"}


def test_links_come_back_as_links(tmp_path):
    (tmp_path / "real").write_text("1")
    (tmp_path / "a.txt").symlink_to("real")
    (tmp_path / "b.txt").symlink_to("nowhere")
    with Workplace(tmp_path) as workplace:
        workplace.commit(write(workplace, a="new", b="new"))
    assert (tmp_path / "a.txt").readlink() == Path("real")
    assert (tmp_path / "b.txt").readlink() == Path("nowhere")
    assert (tmp_path / "real").read_text() == "1"


def test_two_bakes_into_one_folder_do_not_meet(tmp_path):
    with Workplace(tmp_path) as first, Workplace(tmp_path) as second:
        assert first.path("a") != second.path("a")
        first.commit(write(first, a="1"))
        second.commit(write(second, b="2"))
        first.keep()
        second.keep()
    assert contents(tmp_path) == {"a.txt": "1", "b.txt": "2"}
