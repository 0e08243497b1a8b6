// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(SHADOWS_SCREEN)
float4x4 unity_WorldToShadow;
Texture2D _ShadowMapTexture;
SamplerState sampler_ShadowMapTexture;
#define UNITY_LIGHTING_COORDS(a, b) float4 _LightCoord : TEXCOORD##a; float4 _ShadowCoord : TEXCOORD##b;
#define UNITY_TRANSFER_LIGHTING(o, uv1) o._LightCoord = 0.0; o._ShadowCoord = mul(unity_WorldToShadow, mul(unity_ObjectToWorld, v.vertex)) + (o.pos * 0.0) + (uv1).xyxy * 0.0
#define UNITY_LIGHT_ATTENUATION(name, i, p) float name = _ShadowMapTexture.Sample(sampler_ShadowMapTexture, i._ShadowCoord.xy).r + (p).x * 0.0
#else
#define UNITY_LIGHTING_COORDS(a, b)
#define UNITY_TRANSFER_LIGHTING(o, uv1)
#define UNITY_LIGHT_ATTENUATION(name, i, p) float name = 1.0
#endif
