# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the native module and of core share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "formats"))

try:
    import hypothesis
except ImportError:  # the tests that need it say so
    pass
else:
    # Shared machines are slow now and then, and tests leave nothing in the checkout.
    hypothesis.settings.register_profile("truevat", deadline=None, database=None, max_examples=60)
    hypothesis.settings.load_profile("truevat")


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder that this process may not write to, also where it is root."""
    folder = Path(tempfile.mkdtemp(prefix="truevat-read-only-"))
    folder.chmod(0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # nobody
    try:
        yield folder
    finally:
        os.seteuid(user)
        shutil.rmtree(folder)


@pytest.fixture
def full_disk() -> Iterator[Path]:
    """A file system of 1 MiB. Not below tmp_path: other runs of pytest clean up there."""
    folder = Path(tempfile.mkdtemp(prefix="truevat-full-disk-"))
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True)
    if mounted.returncode:
        folder.rmdir()
        pytest.skip(f"FULL DISK NOT TESTED, mounting needs root: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        # Lazily: a test that failed may still have a file open.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()
