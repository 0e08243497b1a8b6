// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Passes of the built-in pipeline. Whoever includes this has defined truevat_deform, truevat_uv,
// truevat_albedo and truevat_bump.
#ifndef TRUEVAT_BUILT_IN_INCLUDED
#define TRUEVAT_BUILT_IN_INCLUDED

struct TrueVATVertex
{
    float4 vertex : POSITION;
    float3 normal : NORMAL;
    float4 tangent : TANGENT;
    float2 uv : TEXCOORD0;
    float2 address : TEXCOORD1;
#ifdef TRUEVAT_BY_ID
    uint id : SV_VertexID;
#endif
    UNITY_VERTEX_INPUT_INSTANCE_ID
};

// Unity's macros find the moved vertex in v: so shadows move with the mesh.
void truevat_move(inout TrueVATVertex v)
{
    uint id = 0u;
#ifdef TRUEVAT_BY_ID
    id = v.id;
#endif
    float3 position = v.vertex.xyz, tangent = v.tangent.xyz;
    truevat_deform(position, v.normal, tangent, v.address, id, truevat_clock_now());
    v.vertex = float4(position, 1.0);
    v.tangent.xyz = tangent;
}

#if defined(TRUEVAT_FORWARD)

struct TrueVATForward
{
    float4 pos : SV_POSITION;
    float2 uv : TEXCOORD0;
    float3 worldPos : TEXCOORD1;
    float3 normal : TEXCOORD2;
    float4 tangent : TEXCOORD3;
    float3 vertexLight : TEXCOORD4;
    UNITY_FOG_COORDS(5)
    UNITY_LIGHTING_COORDS(6, 7)
    UNITY_VERTEX_INPUT_INSTANCE_ID
    UNITY_VERTEX_OUTPUT_STEREO
};

TrueVATForward truevat_forward_vertex(TrueVATVertex v)
{
    TrueVATForward o;
    UNITY_SETUP_INSTANCE_ID(v);
    UNITY_INITIALIZE_OUTPUT(TrueVATForward, o);
    UNITY_TRANSFER_INSTANCE_ID(v, o);
    UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(o);
    truevat_move(v);
    o.pos = UnityObjectToClipPos(v.vertex.xyz);
    o.uv = truevat_uv(v.uv);
    o.worldPos = mul(unity_ObjectToWorld, v.vertex).xyz;
    o.normal = UnityObjectToWorldNormal(v.normal);
    o.tangent.xyz = UnityObjectToWorldDir(v.tangent.xyz);
    o.tangent.w = v.tangent.w * unity_WorldTransformParams.w;
#ifdef VERTEXLIGHT_ON
    o.vertexLight = Shade4PointLights(unity_4LightPosX0, unity_4LightPosY0, unity_4LightPosZ0,
        unity_LightColor[0].rgb, unity_LightColor[1].rgb, unity_LightColor[2].rgb,
        unity_LightColor[3].rgb, unity_4LightAtten0, o.worldPos, o.normal);
#endif
    UNITY_TRANSFER_LIGHTING(o, v.address);
    UNITY_TRANSFER_FOG(o, o.pos);
    return o;
}

float4 truevat_forward_fragment(TrueVATForward i) : SV_Target
{
    UNITY_SETUP_INSTANCE_ID(i);
    UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i);
    float3 n = normalize(i.normal);
    float3 t = i.tangent.xyz;
    float3 bump = truevat_bump(i.uv);
    n = normalize(bump.x * t + bump.y * cross(n, t) * i.tangent.w + bump.z * n);
    float4 albedo = truevat_albedo(i.uv);
    UNITY_LIGHT_ATTENUATION(attenuation, i, i.worldPos);
    float3 direction = normalize(UnityWorldSpaceLightDir(i.worldPos));
    float3 light = _LightColor0.rgb * (saturate(dot(n, direction)) * attenuation);
#ifdef UNITY_PASS_FORWARDBASE
    light += i.vertexLight + max(ShadeSH9(float4(n, 1.0)), 0.0);
#endif
    float4 color = float4(albedo.rgb * light, 1.0);
    UNITY_APPLY_FOG(i.fogCoord, color);
    return color;
}

#elif defined(TRUEVAT_SHADOW)

struct TrueVATShadow
{
    V2F_SHADOW_CASTER;
    UNITY_VERTEX_OUTPUT_STEREO
};

TrueVATShadow truevat_shadow_vertex(TrueVATVertex v)
{
    TrueVATShadow o;
    UNITY_SETUP_INSTANCE_ID(v);
    UNITY_INITIALIZE_OUTPUT(TrueVATShadow, o);
    UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(o);
    truevat_move(v);
    TRANSFER_SHADOW_CASTER_NORMALOFFSET(o)
    return o;
}

float4 truevat_shadow_fragment(TrueVATShadow i) : SV_Target
{
    SHADOW_CASTER_FRAGMENT(i)
}

#endif
#endif
