// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef TRUEVAT_SURFACE_INCLUDED
#define TRUEVAT_SURFACE_INCLUDED

Texture2D _BaseMap;
SamplerState sampler_BaseMap;
Texture2D _BumpMap;
SamplerState sampler_BumpMap;

float2 truevat_uv(float2 uv) { return uv * _BaseMap_ST.xy + _BaseMap_ST.zw; }

float4 truevat_albedo(float2 uv) { return _BaseMap.Sample(sampler_BaseMap, uv) * _BaseColor; }

float3 truevat_bump(float2 uv)
{
    float3 bump = UnpackNormal(_BumpMap.Sample(sampler_BumpMap, uv));
    return float3(bump.xy * _BumpScale, bump.z);
}

#endif
