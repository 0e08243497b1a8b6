// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Passes of the Universal Render Pipeline. Whoever includes this has defined truevat_deform,
// truevat_uv, truevat_albedo and truevat_bump.
#ifndef TRUEVAT_URP_INCLUDED
#define TRUEVAT_URP_INCLUDED

struct TrueVATVertex
{
    float3 position : POSITION;
    float3 normal : NORMAL;
    float4 tangent : TANGENT;
    float2 uv : TEXCOORD0;
    float2 address : TEXCOORD1;
    UNITY_VERTEX_INPUT_INSTANCE_ID
};

struct TrueVATFragment
{
    float4 positionCS : SV_POSITION;
    float2 uv : TEXCOORD0;
    float3 positionWS : TEXCOORD1;
    float3 normalWS : TEXCOORD2;
    float4 tangentWS : TEXCOORD3;
    float fog : TEXCOORD4;
#if defined(TRUEVAT_MOTION)
    float4 now : TEXCOORD5;
    float4 before : TEXCOORD6;
#endif
    UNITY_VERTEX_INPUT_INSTANCE_ID
    UNITY_VERTEX_OUTPUT_STEREO
};

#if defined(TRUEVAT_SHADOW)
float3 _LightDirection;
float3 _LightPosition;

float4 truevat_shadow_position(float3 positionWS, float3 normalWS)
{
#if defined(_CASTING_PUNCTUAL_LIGHT_SHADOW)
    float3 direction = normalize(_LightPosition - positionWS);
#else
    float3 direction = _LightDirection;
#endif
    float4 positionCS = TransformWorldToHClip(ApplyShadowBias(positionWS, normalWS, direction));
#if UNITY_REVERSED_Z
    positionCS.z = min(positionCS.z, UNITY_NEAR_CLIP_VALUE * positionCS.w);
#else
    positionCS.z = max(positionCS.z, UNITY_NEAR_CLIP_VALUE * positionCS.w);
#endif
    return positionCS;
}
#endif

TrueVATFragment truevat_vertex(TrueVATVertex v)
{
    TrueVATFragment o = (TrueVATFragment)0;
    UNITY_SETUP_INSTANCE_ID(v);
    UNITY_TRANSFER_INSTANCE_ID(v, o);
    UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(o);
    float3 position = v.position, normal = v.normal, tangent = v.tangent.xyz;
    truevat_deform(position, normal, tangent, v.address, 0u, truevat_clock_now());
    o.positionWS = TransformObjectToWorld(position);
    o.normalWS = TransformObjectToWorldNormal(normal);
    o.tangentWS = float4(TransformObjectToWorldDir(tangent), v.tangent.w * GetOddNegativeScale());
#if defined(TRUEVAT_SHADOW)
    o.positionCS = truevat_shadow_position(o.positionWS, o.normalWS);
#else
    o.positionCS = TransformWorldToHClip(o.positionWS);
#endif
    o.uv = truevat_uv(v.uv);
    o.fog = ComputeFogFactor(o.positionCS.z);
#if defined(TRUEVAT_MOTION)
    float3 previous = v.position, previous_normal = v.normal, previous_tangent = v.tangent.xyz;
    truevat_deform(
        previous, previous_normal, previous_tangent, v.address, 0u, truevat_clock_before());
    o.now = mul(_NonJitteredViewProjMatrix, float4(o.positionWS, 1.0));
    o.before = mul(_PrevViewProjMatrix, mul(UNITY_PREV_MATRIX_M, float4(previous, 1.0)));
#endif
    return o;
}

float3 truevat_normal(TrueVATFragment i)
{
    float3 n = normalize(i.normalWS);
    float3 t = i.tangentWS.xyz;
    float3 bump = truevat_bump(i.uv);
    return normalize(bump.x * t + bump.y * cross(n, t) * i.tangentWS.w + bump.z * n);
}

float4 truevat_fragment(TrueVATFragment i) : SV_Target
{
    UNITY_SETUP_INSTANCE_ID(i);
    UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i);
#if defined(TRUEVAT_FORWARD)
    float4 albedo = truevat_albedo(i.uv);
    InputData light = (InputData)0;
    light.positionWS = i.positionWS;
    light.positionCS = i.positionCS;
    light.normalWS = truevat_normal(i);
    light.viewDirectionWS = GetWorldSpaceNormalizeViewDir(i.positionWS);
    light.shadowCoord = TransformWorldToShadowCoord(i.positionWS);
    light.fogCoord = i.fog;
    light.bakedGI = SampleSH(light.normalWS);
    light.normalizedScreenSpaceUV = GetNormalizedScreenSpaceUV(i.positionCS);
    light.shadowMask = float4(1.0, 1.0, 1.0, 1.0);
    SurfaceData surface = (SurfaceData)0;
    surface.albedo = albedo.rgb;
    surface.metallic = _Metallic;
    surface.smoothness = _Smoothness;
    surface.normalTS = float3(0.0, 0.0, 1.0);
    surface.occlusion = 1.0;
    surface.alpha = 1.0;
    float4 color = UniversalFragmentPBR(light, surface);
    color.rgb = MixFog(color.rgb, i.fog);
    return color;
#elif defined(TRUEVAT_NORMALS)
    float3 n = truevat_normal(i);
#if defined(_GBUFFER_NORMALS_OCT)
    float2 octahedral = saturate(PackNormalOctQuadEncode(n) * 0.5 + 0.5);
    return float4(PackFloat2To888(octahedral), 0.0);
#else
    return float4(n, 0.0);
#endif
#elif defined(TRUEVAT_MOTION)
    float2 motion = i.now.xy / i.now.w - i.before.xy / i.before.w;
#if UNITY_UV_STARTS_AT_TOP
    motion.y = -motion.y;
#endif
    return float4(motion * 0.5, 0.0, 0.0);
#else
    return i.positionCS.z;
#endif
}

#endif
