# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A writer of the `truevat` format, made from docs/format.md alone: none of TrueVAT's own code.

What this writes is what others are held to; reference_reader.py is its other half.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from numbers_in_texels import digits, encode_normals, float_words
from plain_exr import write_exr

MAGIC = 0x54415654
HEADER_WORDS = 32
CLIP_WORDS = 8
NORMAL_ERROR_DEGREES = 0.06


@dataclass(frozen=True)
class Clip:
    """`start` and `end` are frames of the scene."""

    name: str
    first_frame: int
    frames: int
    fps: Fraction
    loop: bool
    start: float
    end: float
    seam_error_m: float | None = None


@dataclass(frozen=True, eq=False)
class Motion:
    """What slots do: float32 (frames, slots, 3), relative to the origin, in Blender's axes.

    `rest` (slots, 3) is what the vertices of the playback mesh have. With a changing topology
    `triangles` has the count of each frame.
    """

    positions: np.ndarray
    normals: np.ndarray
    rest: np.ndarray
    clips: tuple[Clip, ...]
    triangles: tuple[int, ...] | None = None

    @property
    def bounds(self) -> np.ndarray:
        """float32 (2, 3): lowest and highest."""
        return _box(self.positions)


@dataclass(frozen=True)
class Layout:
    """Rows of the texture; all but the width follow from the motion."""

    width: int
    header_rows: int
    rows_per_frame: int
    normal_row: int
    normal_rows_per_frame: int
    height: int


def lay_out(motion: Motion, width: int, pixel: str) -> Layout:
    frames, slots, _ = motion.positions.shape
    header = _rows(HEADER_WORDS + CLIP_WORDS * len(motion.clips), width)
    rows = _rows(slots, width)
    end = header + rows * frames
    if pixel == "float32":
        return Layout(width, header, rows, 0, 0, end)
    normal_rows = _rows(_rows(slots, 2), width)
    return Layout(width, header, rows, end, normal_rows, end + normal_rows * frames)


def bake_id(motion: Motion, layout: Layout, pixel: str) -> str:
    """32 hexadecimal digits, the same for the same bake."""
    content = hashlib.sha256(repr((pixel, layout, motion.clips, motion.triangles)).encode())
    for values in (motion.positions, motion.normals, motion.rest):
        content.update(np.float32(values).tobytes())
    return content.hexdigest()[:32]


def texture(motion: Motion, layout: Layout, pixel: str) -> np.ndarray:
    """(height, width, RGBA), row 0 at the bottom."""
    image = np.zeros((layout.height, layout.width, 4), pixel)
    words = digits(np.array(header_words(motion, layout, pixel), np.uint64))
    # The header rows are whole, so that word i is texel i of the picture.
    image.reshape(-1, 4)[: len(words)] = words

    codes = encode_normals(motion.normals)
    slots = motion.positions.shape[1]
    row, column = np.divmod(np.arange(slots), layout.width)
    half_row, half_column = np.divmod(np.arange(slots) // 2, layout.width)
    for frame, positions in enumerate(motion.positions):
        texels = np.empty((slots, 4), np.float32)
        texels[:, :3] = positions
        if pixel == "float32":
            texels[:, 3] = codes[frame] @ (1, 4096)
        else:
            texels[:, :3] -= motion.rest
            texels[:, 3] = 1
            pairs = (codes[frame] - 2047) / 2047
            first = layout.normal_row + frame * layout.normal_rows_per_frame
            for odd in (0, 1):
                block = image[first:, :, 2 * odd : 2 * odd + 2]
                block[half_row[odd::2], half_column[odd::2]] = pairs[odd::2]
        assert np.abs(texels[:, :3]).max() < np.finfo(pixel).max
        image[layout.header_rows + frame * layout.rows_per_frame + row, column] = texels
    return image


def header_words(motion: Motion, layout: Layout, pixel: str) -> list[int]:
    frames, slots, _ = motion.positions.shape
    identity = bake_id(motion, layout, pixel)
    fps = motion.clips[0].fps
    offset = pixel == "float16"
    words = [
        *(MAGIC, 1, 0),
        *(layout.width, layout.height, layout.header_rows, layout.rows_per_frame),
        *(slots, frames, fps.numerator, fps.denominator),
        *(int(offset), 2 if offset else 1, layout.normal_row, layout.normal_rows_per_frame),
        *(len(motion.clips), CLIP_WORDS, HEADER_WORDS),
        *map(int, float_words(motion.bounds).reshape(-1)),
        *(int(identity[i : i + 8], 16) for i in range(0, 32, 8)),
        *(int(motion.triangles is not None), 0, 0, 0),
    ]
    assert len(words) == HEADER_WORDS
    for clip in motion.clips:
        words += [clip.first_frame, clip.frames, clip.fps.numerator, clip.fps.denominator]
        words += [int(clip.loop), 0, 0, 0]
    return words


def position_error(motion: Motion, pixel: str) -> float:
    """The largest distance of a decoded position from the true one, in metres."""
    if pixel == "float32":
        return 0.0
    offsets = np.float16(motion.positions - motion.rest)
    wrong = np.float64(motion.rest) + offsets - motion.positions
    return float(np.linalg.norm(wrong, axis=-1).max())


def sidecar(
    motion: Motion,
    layout: Layout,
    pixel: str,
    *,
    files: dict[str, Path],
    mesh_sha256: str | None,
    objects: list[str],
    origin: np.ndarray,
    triangles: int,
) -> dict:
    """`triangles` are those of the playback mesh, without the two that widen its bounds."""
    frames, slots, _ = motion.positions.shape
    offset = pixel == "float16"
    first = motion.clips[0]
    place = {"origin": origin.tolist()}
    return {
        "format": "truevat",
        "version": 1,
        "profile": "truevat",
        "bake_id": bake_id(motion, layout, pixel),
        "files": {
            role: {"name": path.name, "bytes": path.stat().st_size} for role, path in files.items()
        },
        "mesh_sha256": mesh_sha256,
        "texture": {
            "width": layout.width,
            "height": layout.height,
            "header_rows": layout.header_rows,
            "rows_per_frame": layout.rows_per_frame,
            "pixel": pixel,
            "normal_row": layout.normal_row,
            "normal_rows_per_frame": layout.normal_rows_per_frame,
        },
        "position": {
            "kind": "offset" if offset else "absolute",
            "error_m": position_error(motion, pixel),
        },
        "normals": {
            "of": "corner",
            "encoding": "oct16f" if offset else "oct24",
            "error_degrees": NORMAL_ERROR_DEGREES,
        },
        "address": "slot",
        "dedup": "none" if motion.triangles else "trajectory",
        "samples": 3 * (max(motion.triangles) if motion.triangles else triangles),
        "slots": slots,
        "frames": {
            "stored": frames,
            "start": min(clip.start for clip in motion.clips),
            "end": max(clip.end for clip in motion.clips),
            "step": 1.0,
            "fps": _fps(first.fps),
        },
        "clips": [
            {
                "name": clip.name,
                "first_frame": clip.first_frame,
                "frames": clip.frames,
                "fps": _fps(clip.fps),
                "loop": clip.loop,
                "start": clip.start,
                "end": clip.end,
                "bounds": _corners(
                    _box(motion.positions[clip.first_frame : clip.first_frame + clip.frames])
                ),
                **({"seam_error_m": clip.seam_error_m} if clip.seam_error_m is not None else {}),
            }
            for clip in motion.clips
        ],
        "constant_topology": motion.triangles is None,
        **({"triangles": list(motion.triangles)} if motion.triangles else {}),
        "space": {"axes": "right-handed, Z up", "unit": "metre", "origin": "object"},
        "bounds": _corners(motion.bounds),
        "objects": [
            {"name": name, **place, "bounds": _corners(motion.bounds + np.float32(origin))}
            for name in objects
        ],
        "meshes": [{"name": objects[0], **place, "triangles": triangles}],
        "source": "synthetic.blend",
        "generator": {"name": "TrueVAT reference writer", "version": "1"},
    }


def mesh_hash(arrays: Iterable[np.ndarray]) -> str:
    content = hashlib.sha256()
    for values in arrays:
        content.update(np.ascontiguousarray(values).tobytes())
    return content.hexdigest()


def write_texture(path: Path, motion: Motion, layout: Layout, pixel: str) -> None:
    write_exr(path, texture(motion, layout, pixel))


def write_sidecar(path: Path, content: dict) -> None:
    path.write_text(json.dumps(content, indent=2, allow_nan=False) + "\n", "utf-8")


def _rows(count: int, width: int) -> int:
    return -(-count // width)


def _box(positions: np.ndarray) -> np.ndarray:
    flat = np.float32(positions).reshape(-1, 3)
    return np.stack([flat.min(axis=0), flat.max(axis=0)])


def _corners(box: np.ndarray) -> dict:
    return {"min": box[0].tolist(), "max": box[1].tolist()}


def _fps(fps: Fraction) -> dict:
    return {"numerator": fps.numerator, "denominator": fps.denominator}
