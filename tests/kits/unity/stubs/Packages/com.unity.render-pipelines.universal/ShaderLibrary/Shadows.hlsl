// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef UNIVERSAL_SHADOWS_INCLUDED
#define UNIVERSAL_SHADOWS_INCLUDED

float4 _ShadowBias;
float4x4 _MainLightWorldToShadow;

float4 TransformWorldToShadowCoord(float3 p) { return mul(_MainLightWorldToShadow, float4(p, 1.0)); }
float3 ApplyShadowBias(float3 p, float3 n, float3 direction)
{
    return direction * _ShadowBias.x + p + n * (1.0 - saturate(dot(direction, n))) * _ShadowBias.y;
}

#endif
