# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the vertex functions of the kit's shaders as Unity does, without Unity."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from machine import Machine
from shaderlab import Pass, passes_of, shader_file

IDENTITY = tuple(float(i % 5 == 0) for i in range(16))
MATRICES = (
    *("unity_ObjectToWorld", "unity_WorldToObject", "unity_MatrixPreviousM"),
    *("_NonJitteredViewProjMatrix", "_PrevViewProjMatrix"),
)
# Clip space is shallow, so that no shadow is cut off at the near plane.
SHALLOW = 64
FLAT = tuple(v / (SHALLOW if i == 10 else 1) for i, v in enumerate(IDENTITY))
NOBODY = (-1.0, 0.0, 0.0, 0.0)  # a layer that no script has set
# As the shaders' Properties say.
DEFAULTS = {
    **dict.fromkeys(MATRICES, IDENTITY),
    "unity_MatrixVP": FLAT,
    **dict.fromkeys(("_Layer0", "_Layer1", "_Layer2"), NOBODY),
    "_Phases": (0.0, 0.0, 0.0, -1.0),
    "unity_WorldTransformParams": (0.0, 0.0, 0.0, 1.0),
    "_TrueVATClock": (0.0, 0.0, 0.0, 0.0),
    "_BaseMap_ST": (1.0, 1.0, 0.0, 0.0),
    "_MainTex_ST": (1.0, 1.0, 0.0, 0.0),
    **dict.fromkeys(("_Speed", "_Blend", "_HasNormals", "_Loop"), 1.0),
    "_Fps": 24.0,
}
# Varyings of the passes, as (position, normal, tangent); the clip position is the object's, too.
BUILT_IN = {"out_worldPos": "3f4", "out_normal": "3f4", "out_tangent": "4f4"}
URP = {"out_positionWS": "3f4", "out_normalWS": "3f4", "out_tangentWS": "4f4"}
POSITION = {"gl_Position": "4f4"}


def unity(vectors: np.ndarray) -> np.ndarray:
    """From Blender's axes, or back."""
    return vectors[..., [0, 2, 1]]


def addresses(slots: np.ndarray) -> np.ndarray:
    return np.stack([slots % 1024, slots // 1024], -1).astype(np.float32)


@cache
def vertex_glsl(found: Pass, defines: tuple[str, ...]) -> str:
    return found.vertex_glsl(defines)


class Shader:
    """One pass of one shader."""

    def __init__(self, machine: Machine, shader: str, pipeline: str, mode: str, *defines: str):
        (self.found,) = (
            p
            for p in passes_of(shader_file(shader))
            if (p.pipeline, p.light_mode) == (pipeline, mode)
        )
        self.machine = machine
        self.source = vertex_glsl(self.found, defines)
        if mode.endswith(("ForwardBase", "ForwardAdd")):
            self.outputs = BUILT_IN
        elif pipeline == "urp" and mode != "ShadowCaster":
            self.outputs = URP
        else:
            self.outputs = POSITION
        self.more = {"out_now": "4f4", "out_before": "4f4"} if mode == "MotionVectors" else {}

    def run(
        self,
        textures: Mapping[str, np.ndarray],
        address: np.ndarray,
        position: np.ndarray,
        normal: np.ndarray,
        tangent: np.ndarray,
        *,
        seconds: float = 0.0,
        instances: int = 1,
        **uniforms: object,
    ) -> dict[str, np.ndarray]:
        """`position`, `normal`, `tangent` and others that the pass makes, in Unity's axes."""
        ones = np.ones((len(position), 1), np.float32)
        vertex = {
            "in_vertex": np.concatenate([position, ones], 1),
            "in_position": position,
            "in_normal": normal,
            "in_tangent": np.concatenate([tangent, ones], 1),
            "in_uv": np.zeros((len(position), 2), np.float32),
            "in_address": address,
        }
        sizes = {
            f"{name}_TexelSize": (1 / p.shape[1], 1 / p.shape[0], p.shape[1], p.shape[0])
            for name, p in textures.items()
        }
        time = {"_Time": (seconds / 20, seconds, seconds * 2, seconds * 3)}
        if self.outputs is POSITION:
            vertex.pop("in_position" if self.found.pipeline == "built-in" else "in_vertex")
        made = self.machine.run(
            self.source,
            {name: np.ascontiguousarray(v, np.float32) for name, v in vertex.items()},
            {**self.outputs, **self.more},
            textures=textures,
            uniforms={**DEFAULTS, **sizes, **time, **uniforms},
            instances=instances,
        )
        names = ("position", "normal", "tangent")
        found = {
            name: made[output][:, :3] for name, output in zip(names, self.outputs, strict=False)
        }
        if self.outputs is POSITION:
            found["position"] = found["position"] * np.float32([1, 1, SHALLOW])
        return found | {name.removeprefix("out_"): made[name] for name in self.more}
