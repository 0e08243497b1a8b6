# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The include of the Unity kit, function by function."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import CASES
from decoders import check, hlsl_program

FOLDER = Path(__file__).resolve().parents[3] / "kits" / "unity" / "Shaders"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_decoding(machine, case):
    check(machine, case, hlsl_program(case, '#include "TrueVAT.hlsl"', [FOLDER]))


def test_it_is_short_and_knows_no_engine():
    text = (FOLDER / "TrueVAT.hlsl").read_text("utf-8")
    assert text.count("\n") < 200
    assert "UNITY" not in text
