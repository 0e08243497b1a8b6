# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shader include, function by function, on the cases that all kits share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cases import CASES
from decoders import GLSL_330, GLSL_ES, check, glsl_program
from godot_engine import KIT

SOURCE = (KIT / "addons/truevat/shaders/truevat.gdshaderinc").read_text("utf-8")
# Godot's clocks are TrueVATMixer and TrueVATCrowd, in double precision.
MINE = [case for case in CASES if case.function not in ("clock", "fade")]


@pytest.mark.parametrize("version", [GLSL_330, GLSL_ES], ids=["core", "es"])
@pytest.mark.parametrize("case", MINE, ids=lambda case: case.name)
def test_decoding(machine, case, version):
    if case.texture is not None:  # Godot's images begin at the top
        case = replace(case, texture=case.texture[::-1])
    check(machine, case, glsl_program(case, SOURCE, version))
