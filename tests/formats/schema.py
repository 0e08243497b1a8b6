# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds a sidecar against docs/schema/."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schema" / "truevat-1.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))


def faults(sidecar: object) -> list[str]:
    """What is wrong with a sidecar, each with the place: `texture.width: 0 is less than …`."""
    return [
        f"{'.'.join(map(str, error.absolute_path))}: {error.message}"
        for error in VALIDATOR.iter_errors(sidecar)
    ]


def check(path: Path) -> dict:
    """The sidecar in a file, which must fit the schema."""
    sidecar = json.loads(path.read_text("utf-8"))
    assert not faults(sidecar)
    return sidecar
