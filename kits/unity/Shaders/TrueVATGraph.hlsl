// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// For a Custom Function node of Shader Graph (type File, name TrueVAT, precision Single), in the
// vertex stage. Slot: UV channel 1. Width: the texture's, from a Texture Size node. Phase: frames.
#ifndef TRUEVAT_GRAPH_INCLUDED
#define TRUEVAT_GRAPH_INCLUDED

#include "TrueVATPlayback.hlsl"

void TrueVAT_float(
    UnityTexture2D Texture, float Width, float2 Slot, float Seconds, float Clip, float Speed,
    float Phase, float3 Position, float3 Normal, float3 Tangent,
    out float3 AnimatedPosition, out float3 AnimatedNormal, out float3 AnimatedTangent)
{
    AnimatedPosition = Position;
    AnimatedNormal = Normal;
    AnimatedTangent = Tangent;
    truevat_animate(Texture.tex, Width, truevat_alone(Clip, Speed, Phase), truevat_clock(Seconds),
        Slot, true, AnimatedPosition, AnimatedNormal, AnimatedTangent);
}

#endif
