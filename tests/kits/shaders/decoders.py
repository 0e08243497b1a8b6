# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the shared cases on the functions of one include file, in GLSL or HLSL.

In a test of a kit:

    @pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
    def test_decoding(machine, case):
        check(machine, case, glsl_program(case, SOURCE))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cases import Case
from machine import Machine, glsl_from_hlsl

GLSL_330 = "#version 330\n"
GLSL_ES = (
    "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"
)
HLSL_TYPES = {"sampler2D": "Texture2D<float4>", "vec": "float", "ivec": "int"}
NUMPY = {"float": "f4", "int": "i4", "uint": "u4"}


def glsl_program(case: Case, source: str, version: str = GLSL_330, call: str | None = None) -> str:
    """A vertex shader. `call` where the function is named otherwise, its {parameters} in braces."""
    lines = [version + source]
    values = {}
    for name, kind in case.parameters.items():
        if kind == "sampler2D":
            lines.append(f"uniform sampler2D {name};")
            values[name] = name
            continue
        stored = "int" if kind == "bool" else kind
        lines.append(f"in {stored} in_{name};")
        values[name] = f"in_{name} != 0" if kind == "bool" else f"in_{name}"
    outs = [f"out_{name}" for name in case.outs]
    for kind, name in [(case.returns, "out_result"), *(("int", name) for name in outs)]:
        lines.append(f"{'' if kind.startswith(('float', 'vec')) else 'flat '}out {kind} {name};")
    arguments = ", ".join([*values.values(), *outs])
    expression = call.format(**values) if call else f"truevat_{case.function}({arguments})"
    lines.append(f"void main() {{ gl_Position = vec4(0.0); out_result = {expression}; }}")
    return "\n".join(lines) + "\n"


def hlsl_program(case: Case, source: str, folders: Sequence[Path] = ()) -> str:
    """The same from HLSL, as GLSL."""
    fields, textures, values = [], [], []
    for name, kind in case.parameters.items():
        if kind == "sampler2D":
            textures.append(f"Texture2D<float4> {name};")
            values.append(name)
            continue
        stored = "int" if kind == "bool" else _hlsl_type(kind)
        fields.append(f"{stored} {name} : A{len(fields)};")
        values.append(f"input.{name} != 0" if kind == "bool" else f"input.{name}")
    results = [f"{_hlsl_type(case.returns)} result : R0;"]
    results += [f"int {name} : R{k + 1};" for k, name in enumerate(case.outs)]
    arguments = ", ".join([*values, *(f"output.{name}" for name in case.outs)])
    text = f"""{source}
{" ".join(textures)}
struct Input {{ {" ".join(fields)} }};
struct Output {{ float4 position : SV_Position; {" ".join(results)} }};
Output main(Input input)
{{
    Output output;
    output.position = 0.0;
    output.result = truevat_{case.function}({arguments});
    return output;
}}
"""
    return glsl_from_hlsl(text, folders=folders)


def _hlsl_type(kind: str) -> str:
    if kind.startswith(("vec", "ivec")):
        return HLSL_TYPES[kind[:-1]] + kind[-1]
    return HLSL_TYPES.get(kind, kind)


def check(machine: Machine, case: Case, program: str) -> None:
    """Every row of a case."""
    letters = {"vec": "f4", "ivec": "i4"}
    kind = case.returns
    stored = kind[-1] + letters[kind[:-1]] if kind[-1].isdigit() else NUMPY[kind]
    outputs = {"out_result": stored} | {f"out_{name}": "i4" for name in case.outs}
    inputs = {f"in_{name}": values for name, values in case.inputs.items()}
    textures = {name: case.texture for name, kind in case.parameters.items() if kind == "sampler2D"}
    found = machine.run(program, inputs, outputs, textures=textures)
    for name, expected in case.expected.items():
        values = found[f"out_{name}"].reshape(expected.shape)
        if name == "result" and case.degrees is not None:
            assert angles(values, expected).max() <= case.degrees, case.name
            continue
        error = values.astype(float) - expected.astype(float)
        if name == "result" and case.period is not None:
            around = (error + case.period / 2) % np.maximum(case.period, 1) - case.period / 2
            error = np.where(case.period > 0, around, error)
        if name == "result" and case.jitter is not None:
            assert np.abs(np.diff(error, axis=0)).max() <= case.jitter, case.name
        away = np.abs(error)
        row = int(away.max(axis=1).argmax())
        given = {key: column[row] for key, column in case.inputs.items()}
        assert away.max() <= case.errors.get(name, 0), (
            f"{case.name}: {name} of {given} is {values[row]}, not {expected[row]}"
        )


def angles(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Degrees between vectors; small ones come out right. A wrong length counts as an angle."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return np.degrees(2 * np.arcsin(np.clip(np.linalg.norm(a - b, axis=-1) / 2, 0, 1)))
