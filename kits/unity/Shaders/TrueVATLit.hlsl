// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Material and movement of TrueVAT/Lit, in both pipelines. All of it stays as it is from frame to
// frame, in one buffer: the SRP batcher asks for that.
#ifndef TRUEVAT_LIT_INCLUDED
#define TRUEVAT_LIT_INCLUDED

#include "TrueVATPlayback.hlsl"

// Texture2D<float4>: Unity's own sampler2D has half precision on phones.
Texture2D<float4> _VAT;

CBUFFER_START(UnityPerMaterial)
    float4 _BaseMap_ST, _BaseColor;
    float4 _VAT_TexelSize;
    float4 _Layer0, _Layer1, _Layer2, _Phases, _Fade1, _Fade2;
    float _BumpScale, _Metallic, _Smoothness, _Cull;
    float _Clip, _Speed, _Phase, _Blend;
CBUFFER_END

#include "TrueVATState.hlsl"

void truevat_deform(
    inout float3 position, inout float3 normal, inout float3 tangent, float2 address, uint id,
    float2 clock)
{
    TrueVATState state = truevat_state(truevat_alone(_Clip, _Speed, _Phase));
    truevat_animate(_VAT, _VAT_TexelSize.z, state, clock, address, _Blend > 0.5,
        position, normal, tangent);
}

#include "TrueVATSurface.hlsl"

#endif
