# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the native module, and the `truevat` package around it.

Environment:
  TRUEVAT_TINYEXR_INCLUDE  folder of another tinyexr.h than the system's
  TRUEVAT_NATIVE_ONLY=1    distribution `truevat-native`, for the extension: only the native module
  TRUEVAT_WERROR=1         warnings are errors
  TRUEVAT_SANITIZE=1       AddressSanitizer and UndefinedBehaviorSanitizer
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path

import numpy as np
from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
VERSION = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))["version"]
STUB = ROOT / "csrc" / "truevat_native.pyi"
# Where an in-place build puts the module, so that no binary lies among the sources.
IN_PLACE = "build/native"

WHERE_FROM = {
    "tinyexr.h": """
  Debian, Ubuntu  apt-get install libtinyexr-dev
  Fedora          dnf install tinyexr-devel
  macOS, Windows  vcpkg install tinyexr
or set TRUEVAT_TINYEXR_INCLUDE to the folder that has it""",
    "zlib.h": """
  Debian, Ubuntu  apt-get install zlib1g-dev
  Fedora          dnf install zlib-devel
  macOS           xcode-select --install
  Windows         vcpkg install zlib""",
}


def switch(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


WINDOWS = sys.platform == "win32"
LINUX = sys.platform == "linux"
NATIVE_ONLY = switch("TRUEVAT_NATIVE_ONLY")
SANITIZE = switch("TRUEVAT_SANITIZE")
# Free-threaded builds of Python have no stable ABI.
LIMITED_API = not sysconfig.get_config_var("Py_GIL_DISABLED")


def system_folders(kind: str) -> list[str]:
    """The folders of the usual package managers; kind is `include` or `lib`."""
    vcpkg = os.environ.get("VCPKG_INSTALLATION_ROOT") or os.environ.get("VCPKG_ROOT")
    machine = sysconfig.get_platform().rpartition("-")[2].replace("amd64", "x64")
    triplet = f"{machine}-windows-static-md" if WINDOWS else f"{machine}-osx"
    folders = [
        *os.environ.get("CPATH" if kind == "include" else "LIBRARY_PATH", "").split(os.pathsep),
        *os.environ.get(kind.upper(), "").split(os.pathsep),  # a Visual Studio prompt's
        os.path.join(os.environ.get("CONDA_PREFIX", ""), "Library" if WINDOWS else "", kind),
        os.path.join(vcpkg, "installed", triplet, kind) if vcpkg else "",
        f"/opt/homebrew/{kind}",
        f"/usr/local/{kind}",
        f"/usr/{kind}",
    ]
    if sys.platform == "darwin":
        folders.append(f"{os.popen('xcrun --show-sdk-path').read().strip()}/usr/{kind}")
    return [folder for folder in folders if os.path.isabs(folder) and os.path.isdir(folder)]


def find_header(name: str, folders: list[str]) -> str:
    for folder in folders:
        if os.path.isfile(os.path.join(folder, name)):
            return folder
    looked = ", ".join(folders) or "no folder of this system"
    sys.exit(f"error: {name} was not found (looked into {looked}). Install it:{WHERE_FROM[name]}")


def tinyexr_folders() -> list[str]:
    own = os.environ.get("TRUEVAT_TINYEXR_INCLUDE")
    return [own] if own else system_folders("include")


class Build(build_ext):
    """One module of C and C++ sources, each with the flags of its language."""

    def build_extensions(self) -> None:
        folders = {
            find_header("tinyexr.h", tinyexr_folders()),
            find_header("zlib.h", system_folders("include")),
        }
        # The compiler looks there anyway; named once more, they would come in the wrong order.
        folders -= {"/usr/include", "/usr/local/include"}
        (native,) = self.extensions
        if self.compiler.compiler_type == "msvc":
            self.use_msvc(native, folders)
        else:
            self.use_unix(native, folders)
        super().build_extensions()

    def use_msvc(self, native: Extension, folders: set[str]) -> None:
        native.include_dirs += [*folders, np.get_include()]
        native.library_dirs += system_folders("lib")
        native.libraries += ["zlib"]
        # Each standard applies to its own language only.
        native.extra_compile_args += ["/O2", "/std:c11", "/std:c++17", "/EHsc", "/fp:precise"]
        if switch("TRUEVAT_WERROR"):
            native.extra_compile_args += ["/W3", "/WX"]

    def use_unix(self, native: Extension, folders: set[str]) -> None:
        common = ["-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
        common += ["-fvisibility=hidden", "-pthread"]
        for folder in [*folders, np.get_include(), sysconfig.get_path("include")]:
            common += ["-isystem", folder]  # no warnings from what is not ours
        if switch("TRUEVAT_WERROR"):
            common += ["-Wall", "-Wextra", "-Wshadow", "-Werror"]
        link = ["-pthread"]
        if SANITIZE:
            checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
            common += [*checks, "-O1", "-g", "-fno-omit-frame-pointer", "-UNDEBUG"]
            link += checks
        elif LINUX:
            # Blender brings a C++ library of its own: stay clear of it, templates included.
            exports = Path(self.build_temp) / "exports.map"
            exports.parent.mkdir(parents=True, exist_ok=True)
            exports.write_text("{ global: PyInit_*; local: *; };\n", "utf-8")
            link += ["-static-libstdc++", "-static-libgcc", f"-Wl,--version-script={exports}"]
            common.append("-g0")
        native.libraries += ["z"]
        native.extra_compile_args += common
        native.extra_link_args += link

        by_language = {".c": ["-std=c11"], ".cc": ["-std=c++17", "-fvisibility-inlines-hidden"]}
        compile_one = self.compiler._compile

        def compile_with_standard(obj, src, ext, cc_args, postargs, pp_opts):
            compile_one(obj, src, ext, cc_args, [*postargs, *by_language[ext]], pp_opts)

        self.compiler._compile = compile_with_standard
        for name in ("linker_so", "linker_so_cxx"):
            # A Python in an unusual folder would leave that folder's name in the module.
            flags = getattr(self.compiler, name, [])
            setattr(self.compiler, name, [flag for flag in flags if "-rpath" not in flag])

    def run(self) -> None:
        (ROOT / IN_PLACE).mkdir(parents=True, exist_ok=True)
        super().run()
        shutil.copyfile(STUB, self.stub_path())

    def stub_path(self) -> Path:
        return Path(self.get_ext_fullpath("truevat_native")).with_name(STUB.name)

    def get_outputs(self) -> list[str]:
        return [*super().get_outputs(), str(self.stub_path())]


macros = [
    ("NPY_NO_DEPRECATED_API", "NPY_1_23_API_VERSION"),
    ("NPY_TARGET_VERSION", "NPY_1_23_API_VERSION"),
    ("TRUEVAT_VERSION", f'"{VERSION}"'),
]
if LIMITED_API:
    macros.append(("Py_LIMITED_API", "0x030B0000"))

csrc = Path("csrc")
native = Extension(
    "truevat_native",
    sources=sorted(path.as_posix() for path in [*csrc.glob("*.c"), *csrc.glob("*.cc")]),
    depends=[*(path.as_posix() for path in csrc.glob("*.h")), "setup.py", "blender_manifest.toml"],
    define_macros=macros,
    py_limited_api=LIMITED_API,
    language="c++",
)

whole = dict(
    name="truevat",
    packages=["truevat", *(f"truevat.{name}" for name in find_packages("addon"))],
    package_data={"truevat.core": ["viewer.html"]},  # which .ci/viewer.py builds
    entry_points={"console_scripts": ["truevat = truevat.cli:main"]},
    # Blender as a module; not needed to read the command's help, and of no use inside Blender.
    extras_require={"bpy": ["bpy>=4.2"]},
)
native_only = dict(name="truevat-native", packages=[])

setup(
    version=VERSION,
    description="Bakes vertex animation textures in Blender",
    author="TrueVAT Authors",
    license="GPL-3.0-or-later",
    license_files=["LICENSE"],
    python_requires=">=3.11",
    install_requires=["numpy>=1.23"],
    package_dir={"truevat": "addon", "": IN_PLACE},
    ext_modules=[native],
    cmdclass={"build_ext": Build},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED_API else {},
    **(native_only if NATIVE_ONLY else whole),
)
