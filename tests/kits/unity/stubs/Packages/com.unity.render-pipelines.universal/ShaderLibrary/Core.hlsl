// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stands in for what the Universal Render Pipeline gives.
#ifndef UNIVERSAL_CORE_INCLUDED
#define UNIVERSAL_CORE_INCLUDED

#include "Instancing.hlsl"

#define UNITY_MATRIX_M unity_ObjectToWorld
#define UNITY_PREV_MATRIX_M unity_MatrixPreviousM
#define UNITY_NEAR_CLIP_VALUE 1.0
#define UNITY_REVERSED_Z 1
#define UNITY_UV_STARTS_AT_TOP 1
float4x4 unity_MatrixPreviousM, _NonJitteredViewProjMatrix, _PrevViewProjMatrix;
float4 _ScaledScreenParams, unity_FogParams, unity_FogColor;

struct InputData
{
    float3 positionWS;
    float4 positionCS;
    float3 normalWS;
    float3 viewDirectionWS;
    float4 shadowCoord;
    float fogCoord;
    float3 vertexLighting;
    float3 bakedGI;
    float2 normalizedScreenSpaceUV;
    float4 shadowMask;
};

float3 TransformObjectToWorld(float3 p) { return mul(UNITY_MATRIX_M, float4(p, 1.0)).xyz; }
float4 TransformWorldToHClip(float3 p) { return mul(unity_MatrixVP, float4(p, 1.0)); }
float3 TransformObjectToWorldDir(float3 d) { return normalize(mul((float3x3)UNITY_MATRIX_M, d)); }
float3 TransformObjectToWorldNormal(float3 n) { return normalize(mul(n, (float3x3)unity_WorldToObject)); }
float GetOddNegativeScale() { return unity_WorldTransformParams.w; }
float3 GetWorldSpaceNormalizeViewDir(float3 p) { return normalize(_WorldSpaceCameraPos - p); }
float2 GetNormalizedScreenSpaceUV(float4 p) { return p.xy / _ScaledScreenParams.xy; }
float ComputeFogFactor(float z) { return z * unity_FogParams.z + unity_FogParams.w; }
float3 MixFog(float3 color, float fog) { return lerp(unity_FogColor.rgb, color, fog); }
float3 UnpackNormal(float4 packed_normal) { return packed_normal.xyz * 2.0 - 1.0; }
float2 PackNormalOctQuadEncode(float3 n) { return n.xy / dot(abs(n), 1.0); }
float3 PackFloat2To888(float2 f) { return float3(f, 0.0); }

#endif
