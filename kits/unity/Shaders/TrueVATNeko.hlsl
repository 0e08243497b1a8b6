// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Material and movement of TrueVAT/VAT and TrueVAT/VAT_Vertex.
#ifndef TRUEVAT_NEKO_INCLUDED
#define TRUEVAT_NEKO_INCLUDED

#include "TrueVATLayouts.hlsl"

Texture2D<float4> _Texture;
Texture2D _MainTex;
SamplerState sampler_MainTex;

CBUFFER_START(UnityPerMaterial)
    float4 _MainTex_ST, _Color, _Texture_TexelSize;
    float _Motion, _IsLerp, _TimeMotion, _FPS, _RowsPerFrame, _Samples, _ByVertexID;
CBUFFER_END

float4 _TrueVATClock;

float2 truevat_clock_now() { return truevat_now(_TrueVATClock.xy, _Time.y); }

void truevat_deform(
    inout float3 position, inout float3 normal, inout float3 tangent, float2 address, uint id,
    float2 clock)
{
    int2 size = int2(_Texture_TexelSize.zw + 0.5);
    int2 header = truevat_neko_header(_Texture, _RowsPerFrame, _Samples);
    if (header.x < 1 || header.y < 1)
        return;
    int2 first = truevat_neko_first(address, size);
#ifdef TRUEVAT_BY_ID
    if (_ByVertexID > 0.5)
        first = truevat_neko_first_by_id(id, size);
#endif
    float rate = _TimeMotion > 0.5 ? _FPS : 0.0;
    float motion = _Motion + truevat_frame(clock, float2(0.0, 0.0), rate, 0.0, header.y, true);
    float3 p, n;
    truevat_neko_sample(_Texture, first, header, motion, _IsLerp > 0.5, p, n);
    float3 moved_normal = truevat_to_unity(n);
    tangent = truevat_turn(tangent, normalize(normal + 1e-12), moved_normal);
    position = truevat_to_unity(p);
    normal = moved_normal;
}

float2 truevat_uv(float2 uv) { return uv * _MainTex_ST.xy + _MainTex_ST.zw; }

float4 truevat_albedo(float2 uv) { return _MainTex.Sample(sampler_MainTex, uv) * _Color; }

float3 truevat_bump(float2 uv) { return float3(0.0, 0.0, 1.0); }

#endif
