# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake says while it runs, and when it is done."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from .profiles import Layout


class Progress(NamedTuple):
    """One step of a bake. `fraction` is of the whole, 0 to 1."""

    stage: str
    done: int
    total: int
    text: str
    fraction: float


@dataclass(frozen=True)
class Report:
    """`seconds` by stage; `peak_memory` of the process in bytes, None where it is not known.
    `notes` say what the bake has chosen by itself, and why."""

    directory: Path
    files: dict[str, Path]
    bake_id: str
    objects: list[str]
    layout: Layout
    pixel: str
    frames: int
    samples: int
    slots: int
    seconds: dict[str, float]
    peak_memory: int | None
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """One line for people."""
        layout, megabytes = self.layout, self.layout.megabytes(self.pixel)
        return (
            f"{self.frames:,} frames, {self.slots:,} slots for {self.samples:,} samples, "
            f"{layout.width} x {layout.height} texels of {self.pixel}, {megabytes:,.1f} MB, "
            f"{sum(self.seconds.values()):.1f} s"
        )

    def to_json(self) -> dict[str, Any]:
        """What `--json` prints. The files must still be there."""
        return {
            "bake_id": self.bake_id,
            "directory": str(self.directory),
            "files": {
                role: {"path": str(path), "bytes": path.stat().st_size}
                for role, path in self.files.items()
            },
            "objects": self.objects,
            "texture": self.layout._asdict() | {"pixel": self.pixel},
            "frames": self.frames,
            "samples": self.samples,
            "slots": self.slots,
            "seconds": {stage: round(spent, 4) for stage, spent in self.seconds.items()},
            "peak_memory_bytes": self.peak_memory,
            "warnings": self.warnings,
            "notes": self.notes,
        }


def peak_memory() -> int | None:
    """The most memory that this process has held, in bytes."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
