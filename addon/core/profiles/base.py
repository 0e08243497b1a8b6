# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a texture format declares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

LARGEST_TEXTURE = 16384  # longest side, in texels: what graphics cards take


class Layout(NamedTuple):
    """Of a texture, in texels."""

    width: int
    height: int
    rows_per_frame: int

    def megabytes(self) -> float:
        """Of the file: four channels of 32 bits, in 10^6 bytes."""
        return self.width * self.height * 16 / 1e6


@dataclass(frozen=True)
class Profile(ABC):
    """One texture format. `label` and `description` are what the panel shows."""

    name: str
    label: str
    description: str
    texture_suffix: str

    @abstractmethod
    def layout(self, samples: int, frames: int, max_size: int) -> Layout:
        """The texture's size for so many samples a frame; BakeError if none is allowed."""

    @abstractmethod
    def header(self, layout: Layout, frames: int) -> int:
        """The bits of the first texel's R."""

    @abstractmethod
    def stored_frames(self, frames: int) -> list[int]:
        """Which of the baked frames each stored frame shows."""
