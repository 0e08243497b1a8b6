# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a texture format declares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import BakeError
from ..mesh import Floats, Ints

if TYPE_CHECKING:
    from ..settings import BakeSettings

LARGEST_TEXTURE = 16384  # longest side, in texels: what graphics cards take

PIXEL_BYTES = {"float32": 16, "float16": 8, "unorm16": 8}  # of a texel


class Layout(NamedTuple):
    """Of a texture, in texels; csrc/truevat.h (tv_layout) says what lies where."""

    width: int
    height: int
    rows_per_frame: int
    header_rows: int = 1
    normal_row: int = 0
    normal_rows_per_frame: int = 0
    by_block: bool = False
    from_top: bool = False

    def megabytes(self, pixel: str) -> float:
        """Of the file, in 10^6 bytes."""
        return self.width * self.height * PIXEL_BYTES[pixel] / 1e6


@dataclass(frozen=True)
class Need:
    """What a texture has to hold, and how it may. `slots` are of a frame; `pixel` is float32,
    float16 or unorm16."""

    slots: int
    frames: int
    clips: int
    pixel: str
    max_size: int
    rows: str = "wrap"
    normals: str = "packed"


@dataclass(frozen=True)
class ClipRows:
    """A clip as a texture has it: which stored frames, and how fast they are played."""

    name: str
    first_frame: int
    frames: int
    fps: Fraction
    loop: bool


@dataclass(frozen=True)
class Contents:
    """All that a header or a file beside the texture may say of a bake. `bounds` is float32 (2, 3)
    in the texture's space, or what mapped positions are mapped to; `files` are names by role."""

    layout: Layout
    pixel: str
    slots: int
    clips: Sequence[ClipRows]
    bounds: Floats
    bake_id: str
    constant: bool
    normals: bool
    files: dict[str, str]

    @property
    def frames(self) -> int:
        return sum(clip.frames for clip in self.clips)

    @property
    def has_clips(self) -> bool:
        """Is there more to say of clips than that they are all frames, once?"""
        return len(self.clips) > 1 or self.clips[0].loop


@dataclass(frozen=True)
class Texture:
    """One file of a bake. `texel`, `half`, `pad` are what truevat_native.TextureWriter takes, and
    `offsets` has it subtract the rest positions. A PNG (pixel unorm16) is made of the EXR."""

    role: str
    suffix: str
    texel: str
    half: bool = False
    pad: bool = False
    offsets: bool = False


class Profile(ABC):
    """One texture format. `label` and `description` are what the panel shows.

    Choices are in the order of preference: the first one is taken where the user has none.
    """

    name: str
    label: str
    description: str
    address_map: str
    addresses: tuple[str, ...] = ("uv", "vertex-id")
    normals: tuple[str, ...] = ("corner", "vertex", "face")
    dedups: tuple[str, ...] = ("trajectory", "rest", "none")
    pixels: tuple[str, ...] = ("float",)
    rows: tuple[str, ...] = ("wrap",)
    normal_textures: tuple[str, ...] = ("packed",)
    axes: tuple[int, int, int] = (1, 2, 3)  # which of Blender's the texture's are, with their signs
    space: str = "right-handed, Z up"
    join: bool = True  # one playback mesh of all objects, unless the user says otherwise
    streams: bool = False  # no texel depends on later frames; there is one texture
    numbers_triangles: bool = False  # is every corner of every triangle a slot of its own?
    numbers_points: bool = False  # is every point a slot of its own, the last one first?
    measures: bool = False  # does pixel type auto ask how much half floats lose?
    widens: bool = True  # can its readers collapse the triangles that widen a mesh's bounds?
    rounds: bool = False  # can positions be mapped to rounded bounds?
    triangle_object: bool = False  # the stand-in of vertex-ID addressing is a pile of triangles
    clips: bool = True  # does it tell clips apart?
    textures_per_clip: bool = True  # may clips have textures of their own?
    guards: bool = False  # has its normals' word a guard bit?
    power_of_two: bool = False  # is max_size one?

    def check(self, settings: BakeSettings) -> None:
        """BakeError for what this layout cannot honour."""
        for option, value, choices in (
            ("address", settings.address, self.addresses),
            ("normals", settings.normals, self.normals),
            ("dedup", settings.dedup, self.dedups),
            ("pixel", settings.pixel, (*self.pixels, "auto")),
            ("rows", settings.rows, self.rows),
            ("normal texture", settings.normal_texture, self.normal_textures),
        ):
            if value is not None and value not in choices:
                raise BakeError(
                    f"The {self.label} layout has no {option} '{value}'; it can have "
                    f"{' or '.join(choice for choice in choices if choice != 'auto')}"
                )
        if settings.openvat_rounding and not self.rounds:
            raise BakeError(f"The {self.label} layout has no OpenVAT rounding; leave it out")
        if settings.join is False and settings.by_triangle and not self.triangle_object:
            raise BakeError(
                f"The {self.label} layout has one playback mesh of all objects where triangles are "
                "counted; join the objects, or bake each one alone"
            )

    def pixel(self, settings: BakeSettings) -> str:
        """float32, float16 or unorm16; for auto what it is until the bake knows better."""
        chosen = self.pixels[0] if settings.pixel == "auto" else settings.pixel
        return {"float": "float32", "half": "float16", "png16": "unorm16"}[chosen]

    def origins(self, settings: BakeSettings, origins: Floats) -> Floats:
        """(groups, 3): what positions are relative to, given each object's origin."""
        return np.repeat(origins[:1], len(origins), axis=0) if settings.join else origins

    def check_clips(self, settings: BakeSettings, clips: int) -> None:
        """BakeError if so many clips are too many for one texture, or cannot have one each."""
        if settings.texture_per_clip and not self.textures_per_clip:
            raise BakeError(
                f"The {self.label} layout cannot have a texture for each clip, since its addresses "
                "depend on the number of frames; bake the clips one by one, or into one texture"
            )
        if clips > 1 and not self.clips and not settings.texture_per_clip:
            raise BakeError(
                f"The {self.label} layout cannot tell {clips} clips apart; bake a texture for each "
                "(--texture-per-clip), or choose another layout"
            )

    def normal_code(self, settings: BakeSettings) -> str:
        """How words hold normals: truevat_native's NormalCode."""
        return "oct32"

    @abstractmethod
    def layout(self, need: Need) -> Layout:
        """The texture's size; BakeError if none is allowed."""

    @abstractmethod
    def textures(self, settings: BakeSettings, pixel: str) -> tuple[Texture, ...]:
        """The files; the first one has the positions."""

    @abstractmethod
    def address(self, slots: Ints, layout: Layout, frames: int) -> Floats:
        """(n, 2): the UV by which a corner finds its slot; `frames` are the stored ones."""

    def header(self, contents: Contents) -> Floats:
        """R, G, B, A (n, 4) of the texels from the first row on."""
        return np.zeros((0, 4), np.float32)

    def stored_frames(self, frames: int) -> list[int]:
        """Which of the baked frames each stored frame shows."""
        return list(range(frames))

    def turned(self, boxes: Floats) -> Floats:
        """Boxes (..., 2, 3) in Blender's axes, in the texture's."""
        axes = np.array(self.axes)
        ends = boxes[..., np.abs(axes) - 1]
        return np.where(axes > 0, ends, -ends[..., ::-1, :])

    def limits(self, settings: BakeSettings, bounds: Floats) -> Floats:
        """(2, 3) that mapped positions within `bounds`, in the texture's space, are mapped to."""
        return bounds

    def mapping(self, limits: Floats) -> Floats:
        """(3, 3): of each channel axis from 1 with its sign, and what of it becomes 0 and 1."""
        return np.array([self.axes, *limits], np.float32).T.copy()

    def documents(self, contents: Contents) -> dict[str, dict[str, Any]]:
        """Name's suffix to content of JSON files that readers of this layout expect."""
        return {}

    @abstractmethod
    def describe(self, settings: BakeSettings, pixel: str) -> dict[str, Any]:
        """The sidecar's position, normals and address."""


def too_large(need: Need, most_frames: int, most_slots: int, larger: int | None) -> BakeError:
    """What would fit instead: so many frames of these slots, or so many slots in these frames, or
    the textures of another size. 0 or None: nothing."""
    advice = []
    if most_frames >= 2:
        advice.append(f"at most {most_frames:,} frames")
    if most_slots:
        advice.append(f"at most {most_slots:,} samples a frame")
    if larger:
        advice.append(f"a max size of {larger}")
    fitting = ", or ".join(advice) or "fewer frames and samples"
    return BakeError(
        f"{need.slots:,} samples x {need.frames:,} frames do not fit into a texture of "
        f"{need.max_size} x {need.max_size}; what would fit: {fitting}"
    )
