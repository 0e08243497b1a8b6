# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a .shader file Unity hands to its compiler: a program for each pass."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from machine import compile_hlsl, glsl_from_hlsl

ROOT = Path(__file__).resolve().parents[3]
SHADERS = ROOT / "kits" / "unity" / "Shaders"
STUBS = Path(__file__).resolve().parent / "stubs"


@dataclass(frozen=True)
class Pass:
    shader: str
    pipeline: str
    light_mode: str
    source: str
    vertex: str
    fragment: str

    def __str__(self) -> str:
        return f"{self.shader}-{self.pipeline}-{self.light_mode}"

    def compile(self, target: Path, stage: str, defines: Sequence[str] = ()) -> None:
        entry = self.vertex if stage == "vert" else self.fragment
        folders = [SHADERS, STUBS]
        compile_hlsl(
            self.source, target, folders=folders, defines=defines, stage=stage, entry=entry
        )

    def vertex_glsl(self, defines: Sequence[str] = ()) -> str:
        folders = [SHADERS, STUBS]
        return glsl_from_hlsl(self.source, folders=folders, defines=defines, entry=self.vertex)


def passes() -> list[Pass]:
    return [found for file in sorted(SHADERS.glob("*.shader")) for found in passes_of(file)]


def passes_of(file: Path) -> list[Pass]:
    text = file.read_text("utf-8")
    name = re.search(r'^Shader "TrueVAT/(.+)"$', text, re.M)[1]
    found = []
    for sub_shader in text.split("SubShader")[1:]:
        pipeline = "urp" if "UniversalPipeline" in sub_shader else "built-in"
        common = "".join(re.findall(r"(?s)(?:CG|HLSL)INCLUDE\n(.*?)END(?:CG|HLSL)", sub_shader))
        for block in re.split(r"(?m)^        Pass$", sub_shader)[1:]:
            (program,) = re.findall(r"(?s)(?:CG|HLSL)PROGRAM\n(.*?)END(?:CG|HLSL)", block)
            found.append(
                Pass(
                    name,
                    pipeline,
                    re.search(r'"LightMode" = "(\w+)"', block)[1],
                    common + program,
                    re.search(r"#pragma vertex (\w+)", program)[1],
                    re.search(r"#pragma fragment (\w+)", program)[1],
                )
            )
    return found


def properties(file: Path) -> set[str]:
    return set(re.findall(r'(?m)^\s+(?:\[.*?\] )*(_\w+) \("', file.read_text("utf-8")))


def shader_file(shader: str) -> Path:
    return SHADERS / f"TrueVAT-{shader}.shader"
