// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stands in for what the built-in pipeline gives. Each macro touches the fields that Unity's does.
#ifndef UNITY_CG_INCLUDED
#define UNITY_CG_INCLUDED

#include "Instancing.hlsl"

float4 _WorldSpaceLightPos0, _LightPositionRange, unity_LightShadowBias;
float4 unity_4LightPosX0, unity_4LightPosY0, unity_4LightPosZ0, unity_4LightAtten0;
float4 unity_LightColor[8];
float4 unity_SHAr, unity_SHAg, unity_SHAb, unity_FogParams, unity_FogColor;

#define UNITY_INITIALIZE_OUTPUT(type, name) name = (type)0

float4 UnityObjectToClipPos(float3 p)
{
    return mul(unity_MatrixVP, mul(unity_ObjectToWorld, float4(p, 1.0)));
}
float3 UnityObjectToWorldDir(float3 d) { return normalize(mul((float3x3)unity_ObjectToWorld, d)); }
float3 UnityObjectToWorldNormal(float3 n) { return normalize(mul(n, (float3x3)unity_WorldToObject)); }
float3 UnityWorldSpaceLightDir(float3 p) { return _WorldSpaceLightPos0.xyz - p * _WorldSpaceLightPos0.w; }
float3 ShadeSH9(float4 n) { return float3(dot(unity_SHAr, n), dot(unity_SHAg, n), dot(unity_SHAb, n)); }
float3 UnpackNormal(float4 packed_normal) { return packed_normal.xyz * 2.0 - 1.0; }
float3 Shade4PointLights(
    float4 x, float4 y, float4 z, float3 c0, float3 c1, float3 c2, float3 c3, float4 attenuation,
    float3 p, float3 n)
{
    float4 d = n.x * (x - p.x) + n.y * (y - p.y) + n.z * (z - p.z);
    float4 l = max(d, 0.0) * attenuation;
    return c0 * l.x + c1 * l.y + c2 * l.z + c3 * l.w;
}

#if defined(FOG_LINEAR)
#define UNITY_FOG_COORDS(n) float fogCoord : TEXCOORD##n;
#define UNITY_TRANSFER_FOG(o, p) o.fogCoord = (p).z * unity_FogParams.z + unity_FogParams.w
#define UNITY_APPLY_FOG(coord, color) color.rgb = lerp(unity_FogColor.rgb, color.rgb, saturate(coord))
#else
#define UNITY_FOG_COORDS(n)
#define UNITY_TRANSFER_FOG(o, p)
#define UNITY_APPLY_FOG(coord, color)
#endif

#if defined(SHADOWS_CUBE)
#define V2F_SHADOW_CASTER float4 pos : SV_POSITION; float3 vec : TEXCOORD0
#define TRANSFER_SHADOW_CASTER_NORMALOFFSET(o) o.vec = mul(unity_ObjectToWorld, v.vertex).xyz - _LightPositionRange.xyz; o.pos = UnityObjectToClipPos(v.vertex.xyz);
#define SHADOW_CASTER_FRAGMENT(i) return length(i.vec) * _LightPositionRange.w;
#else
#define V2F_SHADOW_CASTER float4 pos : SV_POSITION
#define TRANSFER_SHADOW_CASTER_NORMALOFFSET(o) o.pos = mul(unity_MatrixVP, mul(unity_ObjectToWorld, v.vertex) - float4(UnityObjectToWorldNormal(v.normal) * unity_LightShadowBias.z, 0.0));
#define SHADOW_CASTER_FRAGMENT(i) return 0.0;
#endif

#endif
