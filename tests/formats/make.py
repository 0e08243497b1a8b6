# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes bakes of every variant of the `truevat` format, each into a folder of its own.

python tests/formats/make.py DIR
"""

from __future__ import annotations

import sys
from pathlib import Path

import moving

# What moves, the pixel type and the texture's width: rows that wrap, one row to a frame, a header
# of more than one row, and more slots than fit the first part of their address.
VARIANTS = {
    "float_wrapped": (moving.solid_parts, "float32", 61),
    "float_single_row": (moving.solid_parts, "float32", 512),
    "float_narrow": (moving.solid_parts, "float32", 7),
    "half_wrapped": (moving.solid_parts, "float16", 61),
    "half_single_row": (moving.solid_parts, "float16", 512),
    "half_narrow": (moving.solid_parts, "float16", 7),
    "float_many_slots": (lambda: moving.solid_parts(4), "float32", 1000),
    "half_many_slots": (lambda: moving.solid_parts(4), "float16", 1000),
    "float_soup": (moving.drop, "float32", 100),
    "half_soup": (moving.drop, "float16", 100),
}


def main(folder: Path) -> None:
    for name, (make, pixel, width) in VARIANTS.items():
        for path in moving.write(folder / name, name, make(), pixel, width).values():
            print(path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
