# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs every test and closes with one line that counts them.

run.py            all
run.py lint       style and compiler warnings
run.py sanitize   the native module under AddressSanitizer and UndefinedBehaviorSanitizer
run.py core | blender | kits | blender-4.2 | window
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
RESULTS = BUILD / "results"
BUILD_PYTHON = BUILD / "env" / "bin" / "python"
BIN = ROOT / ".venv" / "bin"
OLD_PYTHON = ROOT / ".venv-4.2" / "bin" / "python"
# A stage that takes longer hangs: seconds.
LIMIT = 40 * 60


@dataclass
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, other: Count) -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self) -> str:
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


def run(command: Sequence[str | Path], **environment: str) -> int:
    """The exit code. Without standard input, in a process group of its own that a limit ends."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        print(f"*** no end after {LIMIT} s: {' '.join(map(str, command))}", flush=True)
        return 1
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def checks(commands: dict[str, list[str | Path]], **environment: str) -> Count:
    """Commands that each count as one test."""
    count = Count()
    for name, command in commands.items():
        if run(command, **environment):
            print(f"*** failed: {name}", flush=True)
            count.failed += 1
        else:
            count.passed += 1
    return count


def reported(pattern: str, command: list[str | Path], **environment: str) -> Count:
    """A command that leaves JUnit files in build/results."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    for old in RESULTS.glob(pattern):
        old.unlink()
    code = run(command, **environment)
    count = Count()
    for file in sorted(RESULTS.glob(pattern)):
        count.add(read_junit(file))
    if code and not count.failed:
        print(f"*** exit code {code}, though no test failed", flush=True)
        count.failed += 1
    if not code and not (count.passed or count.failed or count.skipped):
        print("*** no test was run", flush=True)
        count.failed += 1
    return count


def read_junit(file: Path) -> Count:
    count = Count()
    for case in ElementTree.parse(file).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            count.failed += 1
        elif case.find("skipped") is not None:
            count.skipped += 1
        else:
            count.passed += 1
    return count


# -------------------------------------------------------------------------------------------------
# Stages


def lint() -> Count:
    c_files = [
        str(file)
        for folder, pattern in (("csrc", "*.[ch]"), ("csrc", "*.cc"), ("tests/core", "*.[ch]"))
        for file in sorted((ROOT / folder).glob(pattern))
    ]
    count = checks(
        {
            "ruff check": [BIN / "ruff", "check", "."],
            "ruff format": [BIN / "ruff", "format", "--check", "."],
            "clang-format": ["clang-format", "--dry-run", "-Werror", *c_files],
        }
    )
    for compiler, plus in (("gcc", "g++"), ("clang", "clang++")):
        folder = f"build/lint/{compiler}"
        build = ["build_ext", "--force", "--build-temp", folder, "--build-lib", folder]
        command = [BUILD_PYTHON, "setup.py", "-q", *build]
        count.add(checks({f"{compiler} -Wall": command}, CC=compiler, CXX=plus, TRUEVAT_WERROR="1"))
        load = [BUILD_PYTHON, "-c", "import truevat_native as n; n.layout_power_of_two(1, 1, 8)"]
        count.add(checks({f"import what {compiler} built": load}, PYTHONPATH=str(ROOT / folder)))
    return count


def core() -> Count:
    return reported("core*.xml", ["bash", "tests/core/run.sh"])


def pytest(python: Path, name: str, folders: Sequence[str], **environment: str) -> Count:
    options = [f"--junitxml={RESULTS / name}.xml", "-q", *folders]
    return reported(f"{name}.xml", [python, "tests/run_pytest.py", *options], **environment)


def blender() -> Count:
    return pytest(BIN / "python", "blender", ["tests/native", "tests/formats", "tests/blender"])


def kits() -> Count:
    return pytest(BIN / "python", "kits", ["tests/kits"])


def blender_4_2() -> Count:
    if not OLD_PYTHON.exists():
        print("*** skipped: there is no Python 3.11 for Blender 4.2", flush=True)
        return Count(skipped=1)
    folders = ["tests/native", "tests/formats", "tests/blender"]
    return pytest(OLD_PYTHON, "blender-4.2", folders)


def sanitize() -> Count:
    """The tests of the native module once more, on one that was built with sanitizers."""
    folder = "build/sanitize"
    build = ["build_ext", "--build-temp", f"{folder}/temp", "--build-lib", f"{folder}/lib"]
    count = checks({"build": [BUILD_PYTHON, "setup.py", "-q", *build]}, TRUEVAT_SANITIZE="1")
    if count.failed:
        return count
    # Python itself is not built with them, so their libraries must be there before it starts.
    libraries = [
        subprocess.check_output(["gcc", f"-print-file-name={name}"], text=True).strip()
        for name in ("libasan.so", "libubsan.so", "libstdc++.so")
    ]
    tests = pytest(
        BIN / "python",
        "sanitize",
        ["tests/native"],
        LD_PRELOAD=":".join(libraries),
        ASAN_OPTIONS="detect_leaks=0",
        PYTHONPATH=f"{folder}/lib",
        TRUEVAT_SANITIZED="1",
    )
    count.add(tests)
    return count


def window() -> Count:
    return reported("window*.xml", ["bash", "tests/window/run.sh"])


STAGES = {
    "lint": lint,
    "core": core,
    "blender": blender,
    "kits": kits,
    "blender-4.2": blender_4_2,
    "sanitize": sanitize,
    "window": window,
}


def main(names: Sequence[str]) -> int:
    unknown = [name for name in names if name not in STAGES]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are: {', '.join(STAGES)}", file=sys.stderr)
        return 2
    total = Count()
    for name in names or STAGES:
        print(f"\n=== {name}", flush=True)
        begin = time.monotonic()
        count = STAGES[name]()
        print(f"=== {name}: {count} ({time.monotonic() - begin:.0f} s)", flush=True)
        total.add(count)
    print(f"\n{total}", flush=True)
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
