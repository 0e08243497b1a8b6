# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kit's functions, held to the same cases as those of the other kits: in GLSL what its shader
does, and in JavaScript, in doubles, what it does itself."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from cases import CASES
from decoders import GLSL_ES, check, glsl_program
from machine import Machine
from three_rig import ROOT, node

IN_GLSL = {"texel", "oct", "oct24", "oct16", "turn"}
IN_JAVASCRIPT = {"word", "slot", "frame", "span", "fade"}
# Headers are read through `word` here, and JavaScript's numbers need no pair for a clock.
IN_NEITHER = {"float", "read", "clock"}


@pytest.fixture(scope="module")
def source() -> str:
    text = (ROOT / "kits" / "three" / "src" / "glsl.js").read_text("utf-8")
    return re.search(r"FUNCTIONS = /\* glsl \*/ `(.*?)`;", text, re.DOTALL)[1]


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine()


def cases_of(functions: set[str]) -> list:
    return [case for case in CASES if case.function in functions]


def test_each_function_has_its_place():
    assert {case.function for case in CASES} == IN_GLSL | IN_JAVASCRIPT | IN_NEITHER


@pytest.mark.parametrize("case", cases_of(IN_GLSL), ids=lambda case: case.name)
def test_glsl(machine, source, case):
    check(machine, case, glsl_program(case, source, GLSL_ES))


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> dict[str, list[dict]]:
    """What JavaScript makes of each case's rows."""
    given = []
    for case in cases_of(IN_JAVASCRIPT):
        rows = [
            {name: values[row].tolist() for name, values in case.inputs.items()}
            for row in chosen(case)
        ]
        given.append({"function": case.function, "rows": rows})
    file = tmp_path_factory.mktemp("twins") / "cases.json"
    file.write_text(json.dumps(given), "utf-8")
    names = [case.name for case in cases_of(IN_JAVASCRIPT)]
    return dict(zip(names, json.loads(node("node", "twins.mjs", str(file))), strict=True))


def chosen(case) -> np.ndarray:
    """All rows; of slots those from glTF, for this kit reads nothing else."""
    if case.function == "slot":
        return np.flatnonzero(case.inputs["flipped"])
    return np.arange(len(case.expected["result"]))


@pytest.mark.parametrize("case", cases_of(IN_JAVASCRIPT), ids=lambda case: case.name)
def test_javascript(played, case):
    """To what float32 inputs and results allow; a frame number to 1e-6, even after ten hours."""
    assert len(played[case.name]) >= 1000
    for name, expected in case.expected.items():
        expected = np.float64(expected[chosen(case)])
        error = np.array([row[name] for row in played[case.name]]) - expected
        if name == "result" and case.period is not None:
            error -= np.round(error / np.maximum(case.period, 1)) * case.period
        exact = not name == "result" or case.function in ("word", "slot")
        assert np.abs(error).max() <= (0 if exact else 5e-5), name
