# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What depends on the machine and not on the scene: memory and the folder for temporary files."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.props import IntProperty, StringProperty

ADDON = __package__.rpartition(".")[0]
DEFAULT_MEMORY = 1024


class TrueVATPreferences(bpy.types.AddonPreferences):
    bl_idname = ADDON

    memory: IntProperty(
        name="Memory Budget (MiB)",
        description="How much animation a bake keeps in memory. The rest goes to a temporary file",
        default=DEFAULT_MEMORY,
        min=1,
        soft_min=64,
        soft_max=65536,
    )
    scratch: StringProperty(
        name="Temporary Files",
        description="Folder of that temporary file. Leave it empty to use the system's own",
        subtype="DIR_PATH",
    )

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "memory")
        layout.prop(self, "scratch")


def machine(context: bpy.types.Context) -> tuple[int, Path | None]:
    """The memory budget in MiB, and the folder for temporary files (None: the system's)."""
    addon = context.preferences.addons.get(ADDON)
    if addon is None or addon.preferences is None:
        return DEFAULT_MEMORY, None
    scratch = bpy.path.abspath(addon.preferences.scratch)
    return addon.preferences.memory, Path(scratch) if scratch else None


def register() -> None:
    bpy.utils.register_class(TrueVATPreferences)


def unregister() -> None:
    bpy.utils.unregister_class(TrueVATPreferences)
