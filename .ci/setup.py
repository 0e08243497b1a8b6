# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes .venv: Blender as a module, the test tools and this package, in place.

And .venv-4.2, in which the tests run a second time. Only what has changed is done again. With
--demo, what no demo needs is left out.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
# Builds the native module: the headers of NumPy 2 make one that also runs with the NumPy 1 which
# Blender up to 5.0 has.
BUILD_ENV = BUILD / "env"

# Debian's names.
BUILD_PACKAGES = ["gcc", "g++", "make", "libtinyexr-dev", "zlib1g-dev"]
BLENDER_PACKAGES = [  # libraries that Blender as a module loads
    *("libgl1", "libegl1", "libsm6", "libxi6", "libxxf86vm1", "libxfixes3", "libxrender1"),
    "libxkbcommon0",
]
TEST_PACKAGES = [
    *("clang", "clang-format", "libclang-rt-dev", "libgl1-mesa-dri", "assimp-testmodels"),
    *("debootstrap", "xvfb", "xauth", "xdotool", "imagemagick"),
    *("glslang-tools", "spirv-cross", "mono-mcs", "mono-runtime"),
]

BUILD_TOOLS = ["setuptools>=77", "wheel", "numpy>=2.0.1"]
TEST_TOOLS = ["pytest==9.*", "hypothesis==6.*", "OpenEXR==3.*", "abi3audit", "jsonschema==4.*"]
MORE_TEST_TOOLS = ["ruff==0.17.*", "moderngl==5.*", "PyYAML==6.*", "ufbx==0.0.5"]


def main(demo: bool) -> None:
    install_system_packages(BUILD_PACKAGES + BLENDER_PACKAGES + ([] if demo else TEST_PACKAGES))
    newest, older = find_python("3.13"), find_python("3.11")
    if not (newest or older):
        sys.exit("error: neither Python 3.13 nor 3.11 is here, with venv and its C headers")
    make_environment(BUILD_ENV, newest or older, BUILD_TOOLS)
    package = build_in_place()
    blender = "bpy==5.2.*" if newest else "bpy==4.5.*"
    tools = [] if demo else TEST_TOOLS + MORE_TEST_TOOLS
    make_environment(ROOT / ".venv", newest or older, [blender, *tools], package)
    if older and not demo:
        # The NumPy that Blender 4.2's own wheel asks for is any 1.26; a later one would do, too.
        tools = ["bpy==4.2.*", "numpy==1.26.*", *TEST_TOOLS]
        make_environment(ROOT / ".venv-4.2", older, tools, package)
    elif not demo:
        print("setup: no Python 3.11: the tests on Blender 4.2 will be skipped")


def install_system_packages(names: list[str]) -> None:
    if not shutil.which("dpkg-query"):
        print(f"setup: no Debian here; should a build fail, install the like of {' '.join(names)}")
        return
    known = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ).stdout
    missing = [name for name in names if f"{name} installed\n" not in known]
    if not missing:
        return
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    if sudo and not shutil.which("sudo"):
        sys.exit(f"error: install these packages first: {' '.join(missing)}")
    print(f"setup: installing {' '.join(missing)}", flush=True)
    run([*sudo, "apt-get", "-q", "update"])
    options = ["-q", "-y", "--no-install-recommends"]
    run([*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", *options, *missing])


def find_python(version: str) -> Path | None:
    """One that really runs (pyenv's stand-ins may not), with venv and headers."""
    folders = [*os.environ.get("PATH", "").split(os.pathsep), "/usr/local/bin", "/opt/homebrew/bin"]
    candidates = [Path(folder, f"python{version}") for folder in folders]
    candidates += sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python{version}"))
    check = (
        "import ensurepip, os, sys, sysconfig, venv; "
        "assert os.path.exists(os.path.join(sysconfig.get_path('include'), 'Python.h')); "
        f"assert sys.version.startswith('{version}.'); print(os.path.realpath(sys.executable))"
    )
    for candidate in candidates:
        if candidate.is_file():
            result = subprocess.run([candidate, "-c", check], capture_output=True, text=True)
            if result.returncode == 0:
                return Path(result.stdout.strip())
    return None


def make_environment(
    folder: Path, python: Path, tools: list[str], package: Path | None = None
) -> None:
    """A virtual environment that has at least these tools. `package` is a wheel of our own."""
    stamp = folder / "truevat-setup.json"
    base = [str(python), hashlib.sha256(package.read_bytes()).hexdigest() if package else ""]
    done = json.loads(stamp.read_text()) if stamp.exists() else {"base": None, "tools": []}
    missing = [tool for tool in tools if tool not in done["tools"]]
    if done["base"] == base and not missing:
        return
    print(f"setup: {folder.relative_to(ROOT)}: {' '.join(missing or ['truevat'])}", flush=True)
    if not done["base"] or done["base"][0] != base[0]:
        run([python, "-m", "venv", "--clear", folder])
    stamp.unlink(missing_ok=True)
    install = [folder / "bin" / "python", "-m", "pip", "-q", "install"]
    if missing:
        run([*install, "--upgrade", *tools])
    if package:
        run([*install, "--no-deps", "--force-reinstall", package])
    stamp.write_text(json.dumps({"base": base, "tools": [*done["tools"], *missing]}))


def build_in_place() -> Path:
    """The native module in build/native, and a wheel that leads to it and to addon/."""
    python = BUILD_ENV / "bin" / "python"
    run([python, "setup.py", "-q", "build_ext", "--inplace"], log=BUILD / "native.log")
    folder = BUILD / "editable"
    inputs = [(ROOT / name).read_bytes() for name in ("setup.py", "blender_manifest.toml")]
    key = hashlib.sha256(b"".join(inputs) + bytes(ROOT)).hexdigest()
    stamp = folder / "key"
    if not stamp.exists() or stamp.read_text() != key:
        shutil.rmtree(folder, ignore_errors=True)
        build = f"from setuptools.build_meta import build_editable; build_editable({str(folder)!r})"
        run([python, "-c", build], log=BUILD / "editable.log")
        stamp.write_text(key)
    return next(folder.glob("*.whl"))


def run(command: list, log: Path | None = None) -> None:
    """Ends everything when the command fails, and then shows what it had written to its log."""
    if not log:
        result = subprocess.run(command, cwd=ROOT)
    else:
        with log.open("w") as output:
            result = subprocess.run(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    if result.returncode:
        if log:
            print(log.read_text(), file=sys.stderr)
        sys.exit(f"error: exit code {result.returncode} from {' '.join(map(str, command))}")


if __name__ == "__main__":
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two `make` at once wait for each other
        main("--demo" in sys.argv[1:])
