# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`truevat info FILE`."""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from pathlib import Path
from typing import TextIO

from .describe import describe
from .words import lines


def arguments(parser: argparse.ArgumentParser, inside: bool) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a texture (EXR, PNG) or a sidecar")
    parser.add_argument("--json", action="store_true", help="print JSON, and nothing else")


def check(args: argparse.Namespace) -> Path:
    return args.file


def run(args: argparse.Namespace, file: Path, stdout: TextIO) -> None:
    facts = describe(file)
    if args.json:
        stdout.write(json.dumps(facts, indent=2, default=_fraction) + "\n")
    else:
        stdout.writelines(f"{line}\n" for line in lines(facts))
    stdout.flush()


def _fraction(value: Fraction) -> dict[str, int]:
    return {"numerator": value.numerator, "denominator": value.denominator}
