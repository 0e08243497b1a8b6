# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path


def facts() -> dict[str, str | int]:
    return {
        "cpu": _field("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": os.cpu_count() or 1,
        "memory_mib": int(_field("/proc/meminfo", "MemTotal").removesuffix("kB") or 0) // 1024,
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "blender": _version("bpy"),
        "numpy": _version("numpy"),
        "truevat": _version("truevat"),
        "commit": _commit(),
    }


def _field(path: str, name: str) -> str:
    """The first such field of a file in /proc; empty on other systems."""
    if not Path(path).exists():
        return ""
    lines = Path(path).read_text("utf-8").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def _commit() -> str:
    command = ("git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty")
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
