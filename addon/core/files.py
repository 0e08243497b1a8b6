# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A bake's files appear together, under their names, or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType

from .errors import BakeError

PREFIX = ".truevat-"


class Workplace:
    """A hidden folder inside the output folder, where files are written.

    commit() moves them to their names, keeping the old ones aside; keep() makes that final. If the
    block ends without keep(), all is as it was before; where that cannot be, a BakeError says what
    to do, and old files that could not be put back stay in the hidden folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made_folder = False
        self._place: Path | None = None
        self._moved: list[tuple[Path, Path | None]] = []  # (final, where the old one is)

    def __enter__(self) -> Workplace:
        folder = self._folder
        try:
            if not folder.exists():
                folder.mkdir()
                self._made_folder = True
            self._place = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        except FileNotFoundError as error:
            if folder.parent.is_dir():  # as /proc is, where nobody makes a folder
                raise BakeError(f"{folder} cannot be made; choose another folder") from error
            raise BakeError(f"The folder {folder.parent} does not exist; make it first") from error
        except (NotADirectoryError, FileExistsError) as error:
            raise BakeError(f"{folder} is not a folder; choose another one") from error
        except OSError as error:
            self._remove_made_folder()
            raise BakeError(
                f"The output folder {folder} cannot be written to ({error.strerror}); choose "
                "another one"
            ) from error
        return self

    def path(self, name: str) -> Path:
        """Where to write the file that will have this name."""
        return self._place / name

    def existing(self, name: str) -> str | None:
        """The text of a file that the output folder has already; empty if it cannot be read."""
        path = self._folder / name
        if not os.path.lexists(path):
            return None
        try:
            return path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def commit(self, files: dict[str, Path]) -> dict[str, Path]:
        """Moves files from here to the output folder; returns where they are now."""
        final = {}
        for role, path in files.items():
            target = self._folder / path.name
            try:
                self._replace(path, target)
            except OSError as error:
                raise BakeError(
                    f"{target} cannot be replaced ({error.strerror}); is another program using it?"
                ) from error
            final[role] = target
        return final

    def _replace(self, path: Path, target: Path) -> None:
        old = None
        if target.is_dir() and not target.is_symlink():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
        if os.path.lexists(target):
            old = self._place / f"old-{len(self._moved)}"
            os.replace(target, old)
        self._moved.append((target, old))
        os.replace(path, target)

    def keep(self) -> None:
        """What commit() moved stays, and what it replaced goes."""
        self._moved.clear()
        self._made_folder = False

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        left = [pair for pair in reversed(self._moved) if not _put_back(*pair)]
        if all(old is None for _, old in left):  # else it has the only copy of an old file
            shutil.rmtree(self._place, ignore_errors=True)
        self._remove_made_folder()
        if left:
            raise BakeError(self._what_to_do(left, error)) from error

    def _what_to_do(self, left: list[tuple[Path, Path | None]], error: BaseException | None) -> str:
        steps = [
            f"delete {target}" if old is None else f"move {old} to {target}" for target, old in left
        ]
        if self._place.exists():
            steps.append(f"delete the folder {self._place}")
        text = (
            "Not all files could be put back as they were before the bake; is another program "
            f"using them? Close it, then {', '.join(steps)}"
        )
        return f"{error}\n{text}" if str(error or "") else text

    def _remove_made_folder(self) -> None:
        if self._made_folder:
            try:
                self._folder.rmdir()
            except OSError:
                pass  # somebody else has put something there meanwhile


def _put_back(target: Path, old: Path | None) -> bool:
    """Whether that was possible. On Windows it is not while somebody has the file open."""
    try:
        if old is None:
            target.unlink(missing_ok=True)
        else:
            os.replace(old, target)
    except OSError:
        return False
    return True
