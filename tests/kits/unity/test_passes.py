# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every pass of every shader compiles, in every variant that matters to it."""

from __future__ import annotations

import re

import pytest

from machine import compile_hlsl
from shaderlab import SHADERS, passes, passes_of, properties, shader_file

VARIANTS = {
    "plain": [],
    "instanced": ["INSTANCING_ON"],
    "stereo": ["STEREO_INSTANCING_ON"],
    "lights": ["SHADOWS_SCREEN", "VERTEXLIGHT_ON", "FOG_LINEAR", "_GBUFFER_NORMALS_OCT"],
    "points": ["SHADOWS_CUBE", "_CASTING_PUNCTUAL_LIGHT_SHADOW", "UNITY_PASS_FORWARDBASE"],
}
BUILT_IN = ["ForwardBase", "ForwardAdd", "ShadowCaster"]
URP = ["UniversalForwardOnly", "ShadowCaster", "DepthOnly", "DepthNormalsOnly", "MotionVectors"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("shader_pass", passes(), ids=str)
def test_a_pass_compiles(tmp_path, shader_pass, variant):
    for stage in ("vert", "frag"):
        shader_pass.compile(tmp_path / "pass.spv", stage, VARIANTS[variant])


def test_a_custom_function_of_shader_graph_compiles(tmp_path):
    compile_hlsl(
        """
struct UnityTexture2D { Texture2D<float4> tex; };
#include "TrueVATGraph.hlsl"
Texture2D<float4> bake;
struct Vertex { float3 position : A0; float3 normal : A1; float3 tangent : A2; float2 slot : A3; };
float4 main(Vertex v) : SV_Position
{
    UnityTexture2D wrapped;
    wrapped.tex = bake;
    float3 p, n, t;
    TrueVAT_float(
        wrapped, 64.0, v.slot, 1.5, 0.0, 1.0, 0.0, v.position, v.normal, v.tangent, p, n, t);
    return float4(p + n + t, 1.0);
}
""",
        tmp_path / "graph.spv",
        folders=[SHADERS],
    )


@pytest.mark.parametrize("shader", ["Lit", "Bounds"])
def test_both_pipelines_have_their_passes(shader):
    found = [(p.pipeline, p.light_mode) for p in passes_of(shader_file(shader))]
    assert found == [("urp", m) for m in URP] + [("built-in", m) for m in BUILT_IN]


@pytest.mark.parametrize("shader", ["VAT", "VAT_Vertex"])
def test_the_original_shaders_names(shader):
    found = [(p.pipeline, p.light_mode) for p in passes_of(shader_file(shader))]
    assert found == [("built-in", m) for m in BUILT_IN]
    assert {"_Texture", "_MainTex", "_Motion", "_IsLerp"} <= properties(shader_file(shader))


@pytest.mark.parametrize("shader", ["Lit", "Bounds", "VAT", "VAT_Vertex"])
def test_batching_and_fallbacks(shader):
    text = shader_file(shader).read_text("utf-8")
    assert text.count('"DisableBatching" = "True"') == text.count("SubShader\n")
    assert text.count('"VRCFallback" = "Hidden"') == 1
    assert text.count("#pragma multi_compile_instancing") == text.count("        Pass\n")


@pytest.mark.parametrize("shader, include", [("Lit", "Lit"), ("Bounds", "Bounds"), ("VAT", "Neko")])
def test_the_batcher_finds_every_property_in_its_buffer(shader, include):
    text = (SHADERS / f"TrueVAT{include}.hlsl").read_text("utf-8")
    (buffer,) = re.findall(r"(?s)CBUFFER_START\(UnityPerMaterial\)(.*?)CBUFFER_END", text)
    stored = set(re.findall(r"_\w+", buffer)) - {"_ByVertexID"}
    shown = properties(shader_file(shader))
    textures = {name for name in shown if f"{name}_TexelSize" in stored or f"{name}_ST" in stored}
    textures |= {"_BumpMap", "_Normals"} & shown
    assert shown - textures == {n for n in stored if not n.endswith(("_ST", "_TexelSize"))}


def test_no_texture_is_read_at_half_precision():
    for file in SHADERS.iterdir():
        code = re.sub(r"//.*", "", file.read_text("utf-8"))
        assert not re.search(r"\b(tex2D\w*|sampler2D\w*|half\d?)\b", code)
