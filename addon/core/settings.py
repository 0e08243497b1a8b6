# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that a bake depends on, checked when it is made.

The panel, the operator, the command line and Python callers all make the same `BakeSettings`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from .clips import ClipSettings
from .engines import ENGINES
from .errors import BakeError
from .frames import FrameRange
from .names import check_file_name
from .profiles import DEFAULT_PROFILE, PROFILES, Profile
from .profiles.base import LARGEST_TEXTURE

ADDRESSES = ("uv", "vertex-id")
NORMALS = ("corner", "vertex", "face")
DEDUPS = ("trajectory", "rest", "none")
PIXELS = ("auto", "float", "half", "png16")
ROWS = ("wrap", "single")
NORMAL_TEXTURES = ("packed", "separate", "none")
MESHES = ("auto", "fbx", "glb", "none")
# Which of a profile's attributes says what an option is that nobody chose.
DEFAULTS = {
    "normals": "normals",
    "dedup": "dedups",
    "rows": "rows",
    "normal_texture": "normal_textures",
    "join": "join",
}


@dataclass(frozen=True, kw_only=True)
class BakeSettings:
    """What to bake, how, and where to.

    `output` is a folder; text that begins with `//` is relative to the .blend, which a Path cannot
    say on Windows.
    `objects` are names; empty means those of `collection`, or else the selected ones. `frames`
    None means the scene's range. `normals`, `dedup`, `rows`, `normal_texture` and `join` None leave
    it to the profile. `tolerance` is in millimetres: what `pixel` auto may lose. `openvat_rounding`
    maps openvat's positions to bounds of whole decimetres, as OpenVAT does. `memory` is in MiB.
    `scratch` is the folder of the temporary file that takes over when `memory` is used up; None
    means the system's. `threads` 0 means one for each processor.
    """

    output: Path | str
    objects: tuple[str, ...] = ()
    collection: str | None = None
    frames: FrameRange | None = None
    clips: ClipSettings = ClipSettings()
    texture_per_clip: bool = False
    profile: str = DEFAULT_PROFILE
    address: str = "uv"
    normals: str | None = None
    dedup: str | None = None
    pixel: str = "auto"
    rows: str | None = None
    normal_texture: str | None = None
    tolerance: float = 0.1
    openvat_rounding: bool = False
    join: bool | None = None
    engines: tuple[str, ...] = tuple(ENGINES)
    max_size: int = 4096
    name: str | None = None
    mesh: str = "auto"
    guard: bool = True
    bounds: bool = True
    render_settings: bool = False
    memory: int = 1024
    scratch: Path | None = None
    threads: int = 0

    def __post_init__(self) -> None:
        if not str(self.output).strip():
            raise BakeError("Choose an output folder")
        for what in ("max_size", "memory", "threads"):
            if type(getattr(self, what)) is not int:
                raise BakeError(f"{what} is {getattr(self, what)!r}; it must be a whole number")
        _one_of("profile", self.profile, tuple(PROFILES))
        _one_of("address", self.address, ADDRESSES)
        _one_of("normals", self.normals, (*NORMALS, None))
        _one_of("dedup", self.dedup, (*DEDUPS, None))
        _one_of("pixel", self.pixel, PIXELS)
        _one_of("rows", self.rows, (*ROWS, None))
        _one_of("normal texture", self.normal_texture, (*NORMAL_TEXTURES, None))
        _one_of("mesh", self.mesh, MESHES)
        for engine in self.engines:
            _one_of("engine", engine, tuple(ENGINES))
        if self.objects and self.collection is not None:
            raise BakeError("Name objects or a collection, not both")
        self._check_numbers()
        if self.name is not None:
            check_file_name(self.name)
        self.clips.check_frames(self.frames)
        self.layout.check(self)
        for option in ("normals", "dedup", "rows", "normal_texture", "join"):
            if getattr(self, option) is None:
                default = getattr(self.layout, DEFAULTS[option])
                object.__setattr__(self, option, default[0] if option != "join" else default)

    def _check_numbers(self) -> None:
        size = self.max_size
        if not 1 <= size <= LARGEST_TEXTURE or (self.layout.power_of_two and size & (size - 1)):
            kind = "a power of two" if self.layout.power_of_two else "a number"
            raise BakeError(
                f"The texture's largest side is {size}; it must be {kind} from 1 to "
                f"{LARGEST_TEXTURE}"
            )
        if not (math.isfinite(self.tolerance) and self.tolerance >= 0):
            raise BakeError(f"The tolerance is {self.tolerance} mm; it must not be below 0")
        if self.memory < 1:
            raise BakeError(f"The memory budget is {self.memory} MiB; it must be at least 1")
        if self.threads < 0:
            raise BakeError(f"The number of threads is {self.threads}; it must not be negative")

    @property
    def layout(self) -> Profile:
        """The texture's layout."""
        return PROFILES[self.profile]

    @property
    def normals_read(self) -> str:
        """The normals that are captured: the original's rule of rest positions has vertex ones."""
        by_rest = self.dedup == "rest" and self.address == "uv"
        return "vertex" if by_rest else self.normals

    @property
    def mesh_files(self) -> dict[str, str]:
        """Role to format of the mesh files; for auto what the engines play, or FBX."""
        kinds = [self.mesh] if self.mesh != "none" else []
        if self.mesh == "auto":
            played = [engine.mesh for name, engine in ENGINES.items() if name in self.engines]
            kinds = list(dict.fromkeys(played)) or ["fbx"]
        return {f"mesh_{kind}" if i else "mesh": kind for i, kind in enumerate(kinds)}

    @property
    def by_triangle(self) -> bool:
        """Whether slots number the corners of triangles, instead of what moves alike."""
        return self.address == "vertex-id" or self.layout.numbers_triangles

    @property
    def needs_triangles(self) -> bool:
        """Whether anything that is made of the first frame is triangulated."""
        return self.by_triangle or self.mesh != "none"


def _one_of(what: str, value: str | None, choices: tuple[str | None, ...]) -> None:
    if value not in choices:
        known = ", ".join(choice for choice in choices if choice is not None)
        raise BakeError(f"The {what} '{value}' is unknown; choose one of {known}")
