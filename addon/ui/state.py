# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel shows besides the settings. Nothing of it is saved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from ..blender.estimate import Estimate
    from ..core.report import Progress, Report


@dataclass
class State:
    """`estimates` has an estimate, or the reason why there is none, per scene and view layer;
    `signatures` what the lists of clips were made of, per scene."""

    running: bool = False
    progress: Progress | None = None
    report: Report | None = None
    error: str = ""
    estimates: dict[tuple[str, str], Estimate | str] = field(default_factory=dict)
    signatures: dict[str, tuple] = field(default_factory=dict)

    def clear_result(self) -> None:
        """Forgets what the last bake said."""
        self.progress = None
        self.report = None
        self.error = ""


state = State()


def redraw() -> None:
    """Has the sidebars of all 3D views drawn again, and nothing else."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()
