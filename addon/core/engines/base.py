# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the files beside a bake, which make an engine import it right, are made from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Texture:
    """One written texture. `pixel` is float32, float16 or unorm16."""

    file: str
    width: int
    height: int
    pixel: str


@dataclass(frozen=True)
class EngineBake:
    """The names and sizes that import settings depend on. Names are of files in one folder.

    `textures` begins with the position texture. `mesh` is None where no mesh file was written.
    """

    name: str
    profile: str
    bake_id: str
    textures: Sequence[Texture]
    mesh: str | None
    sidecar: str


class Engine(ABC):
    """One engine, one file in this package. `label` and `description` are what the panel shows."""

    name: str
    label: str
    description: str
    mesh: str  # the format of mesh files that it plays: fbx or glb

    @abstractmethod
    def files(self, bake: EngineBake) -> dict[str, str]:
        """File name to content (UTF-8, LF) of the import settings that lie beside the bake.

        A file that exists already is never replaced: engines refer to what is in it.
        """

    def outdated(self, existing: str, wanted: str) -> bool:
        """Whether a file that is there would import this bake wrongly."""
        return False
