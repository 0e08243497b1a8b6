# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows point one way: ui to blender to core to truevat_native."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ADDON = Path(__file__).resolve().parents[2] / "addon"
MODULES = sorted(ADDON.rglob("*.py"))
BLENDERS_OWN = {"bpy", "bmesh", "mathutils", "gpu", "blf", "bl_ui", "addon_utils"}

# What the modules of a folder may import, of ours and of others. "" is the package's own top:
# __init__.py, which calls the rest, and the command.
MAY_IMPORT = {
    "core": {"core", "truevat_native", "numpy"},
    "blender": {"core", "blender", "truevat_native", "numpy", *BLENDERS_OWN},
    "ui": {"core", "blender", "ui", "numpy", *BLENDERS_OWN},
    "": {"core", "blender", "ui", "cli", "console", "truevat_native", *BLENDERS_OWN},
}


def layer_of(module: Path) -> str:
    folders = module.relative_to(ADDON).parts[:-1]
    return folders[0] if folders else ""


def imports_of(module: Path) -> Iterator[tuple[int, str]]:
    """(line, name) of each import; the name is the layer for our own modules."""
    package = module.relative_to(ADDON).parts[:-1]
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.lineno, node.module.partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            for name in names:
                yield node.lineno, [*start, *name.split(".")][0]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ADDON).as_posix())
def test_imports_only_what_lies_below(module: Path) -> None:
    allowed = MAY_IMPORT[layer_of(module)] | set(sys.stdlib_module_names)
    wrong = [f"line {line}: {name}" for line, name in imports_of(module) if name not in allowed]
    assert not wrong


def test_finds_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "core" / "profiles" / "wrong.py"
    module.parent.mkdir(parents=True)
    module.write_text(
        "from ...blender import capture\n"
        "from ... import ui\n"
        "from ..settings import BakeSettings\n"
        "def late():\n"
        "    import bpy.types\n"
    )
    monkeypatch.setattr(sys.modules[__name__], "ADDON", tmp_path)
    assert sorted(imports_of(module)) == [(1, "blender"), (2, "ui"), (3, "core"), (5, "bpy")]
