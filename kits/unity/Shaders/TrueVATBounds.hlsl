// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Material and movement of TrueVAT/Bounds, in both pipelines.
#ifndef TRUEVAT_BOUNDS_INCLUDED
#define TRUEVAT_BOUNDS_INCLUDED

#include "TrueVATLayouts.hlsl"

Texture2D<float4> _Positions;
Texture2D<float4> _Normals;

CBUFFER_START(UnityPerMaterial)
    float4 _BaseMap_ST, _BaseColor;
    float4 _Positions_TexelSize, _BoundsMin, _BoundsMax;
    float4 _Layer0, _Layer1, _Layer2, _Phases, _Fade1, _Fade2, _Counts;
    float _BumpScale, _Metallic, _Smoothness, _Cull;
    float _RowsPerFrame, _FirstFrame, _FrameCount, _Fps, _Speed, _Phase, _Loop, _Blend, _HasNormals;
CBUFFER_END

#define TRUEVAT_COUNTS
#include "TrueVATState.hlsl"

void truevat_deform(
    inout float3 position, inout float3 normal, inout float3 tangent, float2 address, uint id,
    float2 clock)
{
    int rows = max(int(_RowsPerFrame + 0.5), 1);
    int2 size = int2(_Positions_TexelSize.zw + 0.5);
    TrueVATState alone = truevat_alone(_FirstFrame, _Speed * _Fps, _Phase);
    alone.phases.w = _Loop;
    TrueVATState state = truevat_state(alone);
    float3 counts = TRUEVAT_INSTANCED(_Counts).xyz;
    if (counts.x < 0.5)
        counts.x = _FrameCount > 0.5 ? _FrameCount : float(size.y / rows);
    float3 rest_normal = normal, rest_tangent = tangent;
    truevat_bounds_animate(_Positions, _Normals, size, rows, state, counts, clock, address,
        _Blend > 0.5, _BoundsMin.xyz, _BoundsMax.xyz, position, normal, tangent);
    if (_HasNormals < 0.5)
    {
        normal = rest_normal;
        tangent = rest_tangent;
    }
}

#include "TrueVATSurface.hlsl"

#endif
