// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef UNIVERSAL_LIGHTING_INCLUDED
#define UNIVERSAL_LIGHTING_INCLUDED

#include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Shadows.hlsl"

float4 unity_SHAr, unity_SHAg, unity_SHAb;

struct SurfaceData
{
    float3 albedo;
    float3 specular;
    float metallic;
    float smoothness;
    float3 normalTS;
    float3 emission;
    float occlusion;
    float alpha;
    float clearCoatMask;
    float clearCoatSmoothness;
};

float3 SampleSH(float3 n)
{
    float4 m = float4(n, 1.0);
    return float3(dot(unity_SHAr, m), dot(unity_SHAg, m), dot(unity_SHAb, m));
}

float4 UniversalFragmentPBR(InputData light, SurfaceData surface)
{
    float3 seen = surface.albedo * light.bakedGI * surface.occlusion + surface.emission
        + light.shadowCoord.xyz * surface.metallic * surface.smoothness;
    return float4(seen * light.shadowMask.rgb, surface.alpha);
}

#endif
