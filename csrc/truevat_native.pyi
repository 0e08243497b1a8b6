# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

__version__: Final[str]
IN_FLIGHT: Final[int]
POINT: Final[int]
FACE: Final[int]
CORNER: Final[int]
NORMAL_GUARD: Final[int]

# How words hold normals; truevat.h has the bits.
NormalCode = Literal["xyz8", "xyz8-guarded", "oct24", "oct32"]
# (width, height, rows per frame, header rows = 1, first row of normals = 0, their rows per frame =
# 0, by block = False, from top = False)
Layout = (
    tuple[int, int, int]
    | tuple[int, int, int, int]
    | tuple[int, int, int, int, int, int]
    | tuple[int, int, int, int, int, int, bool, bool]
)

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Keys = NDArray[np.uint64]

# (group, points (V, 3), normals (N, 3), domain, matrix (4, 4)), and for a frame that has a topology
# of its own also sample_point (S,) and sample_normal (S,)
Part = tuple[int, Floats, Floats, int, Floats] | tuple[int, Floats, Floats, int, Floats, Ints, Ints]

class NativeError(Exception):
    """What the core refused. OSError, MemoryError and ValueError are raised as such.

    code: not_finite, mismatch, too_large or codec. frame, part and vertex say where.
    """

    code: str
    frame: int
    part: int
    vertex: int

class Track:
    def __init__(
        self,
        *,
        groups: int,
        memory: int,
        directory: str | None = None,
        normals: NormalCode = "xyz8-guarded",
    ) -> None: ...
    def append(self, parts: Sequence[Part], key: int, /) -> None:
        """Hands a frame to the worker. The arrays are in use until IN_FLIGHT more appends, or
        finish(), have returned; the track holds references to them as long."""

    def settle(self) -> None:
        """Waits until all frames so far are stored; what follows may then be called, until the
        next append()."""

    def finish(self) -> None:
        """settle() for good."""

    def keys(self, part: int, corner_vert: Ints, corner_face: Ints, /) -> Keys: ...
    def bounds(self, group: int, /) -> Floats: ...
    def digest(self) -> bytes: ...
    def offsets(self, origin: Floats, first: int, last: int, /) -> tuple[float, Floats]:
        """How far points move from where they are in the first frame, in frames first .. last - 1:
        the farthest that rounding to halves would move one, and bounds (2, 3). `origin`: (parts, 3)
        of the parts. Needs frames that have the first one's topology."""

    def frame(self, index: int, /) -> tuple[Floats, NDArray[np.uint32]]:
        """World-space points (n, 3) and normal words (m,) of one stored frame, as copies."""

    @property
    def frames(self) -> int: ...
    @property
    def bad_normals(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def spilled(self) -> int: ...
    @property
    def taken(self) -> int:
        """Frames that a writer took."""

class TextureWriter:
    def __init__(
        self,
        track: Track,
        path: str,
        *,
        layout: Layout,
        frames: Ints,  # (K,) track frame of each stored frame
        part_start: NDArray[np.int64],  # (P + 1,)
        point: Ints,  # (S,)
        face: Ints,
        corner: Ints,
        origin: Floats,  # (P, 3)
        slots: int = -1,  # of each frame; S by default
        texel: Literal["bits", "values", "offsets", "mapped", "normals"] = "bits",
        half: bool = False,
        pad: bool = False,
        rest: Floats | None = None,  # (3, slots)
        mapping: Floats | None = None,  # (3, 3): axis from 1 with its sign, low, high
        threads: int = 0,
        direct: bool = True,
        earlier: TextureWriter | None = None,
        earlier_sample: Ints | None = None,  # (S,)
    ) -> None:
        """Needs a settled track; frames may still be to come. `earlier` is the writer whose file
        has the frames that it took, each sample being `earlier_sample` there."""

    def set_header(self, texels: Floats, /) -> None:
        """R, G, B, A (n, 4) of the texels from the first row on; 0 without it."""

    @property
    def error(self) -> float:
        """The farthest that rounding to halves, or the mapping, has moved a point so far, in
        metres."""

    def divert(self, any_domain: bool, /) -> None:
        """Writes the track's frames, and from now on those that it gets, as they come, in its
        stead: all of them with `any_domain`, else as long as normals live where they do in the
        first frame. Ends with the writer's life."""

    def write(self, rows: int, /) -> int:
        """Writes that many scanlines more, at least one block; returns how many are left."""

    def close(self) -> int:
        """Completes the file; returns its size in bytes. Without it the file stays incomplete."""

def transform_points(points: Floats, matrix: Floats, /) -> tuple[Floats, int]: ...
def transform_normals(normals: Floats, matrix: Floats, /) -> tuple[Floats, int]: ...
def pack_normals(normals: Floats, code: NormalCode = "xyz8-guarded", /) -> NDArray[np.uint32]: ...
def unpack_normals(words: NDArray[np.uint32], code: NormalCode, /) -> Floats: ...
def to_half(values: Floats, /) -> NDArray[np.uint16]: ...
def from_half(halves: NDArray[np.uint16], /) -> Floats: ...
def hash_words(sums: Keys, words: NDArray[np.uint32], key: int, /) -> None: ...
def assign_slots(keys: Keys, /) -> tuple[Ints, Ints]: ...
def layout_power_of_two(samples: int, frames: int, max_size: int, /) -> tuple[int, int, int]: ...
def layout_uv(slots: Ints, layout: Layout, /) -> Floats: ...
def write_exr(
    path: str,
    rgba: Floats | NDArray[np.float16],
    /,
    *,
    compression: str = "none",
    direct: bool = True,
    threads: int = 0,
) -> None: ...
