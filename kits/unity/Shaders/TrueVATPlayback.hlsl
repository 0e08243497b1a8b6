// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which frames a vertex shows: up to three clips at once, each faded in over those before it.
// Nothing in a state changes from frame to frame; only the clock does.
#ifndef TRUEVAT_PLAYBACK_INCLUDED
#define TRUEVAT_PLAYBACK_INCLUDED

#include "TrueVAT.hlsl"

// layer: clip (below 0: none), speed, and the clock at which it was at its phase.
// phases: of the three, in frames; w: bits 1, 2, 4 for those that loop, below 0: as baked.
// fade: the clock at which it began, seconds that it takes, and above 0 a weight that stands still.
struct TrueVATState { float4 layer0, layer1, layer2, phases, fade1, fade2; };

// What a material without a script says.
TrueVATState truevat_alone(float clip, float speed, float phase)
{
    TrueVATState state;
    state.layer0 = float4(max(clip, 0.0), speed, 0.0, 0.0);
    state.layer1 = state.layer2 = float4(-1.0, 0.0, 0.0, 0.0);
    state.phases = float4(phase, 0.0, 0.0, -1.0);
    state.fade1 = state.fade2 = 0.0;
    return state;
}

// A script's clock if one runs; it is above 0 then.
float2 truevat_now(float2 script_clock, float seconds)
{
    return script_clock.x > 0.0 ? script_clock : truevat_clock(seconds);
}

bool truevat_layer_loops(float4 phases, int layer, bool baked)
{
    return phases.w < 0.0 ? baked : ((int(phases.w + 0.5) >> layer) & 1) == 1;
}

// A changing topology is never mixed: the later clip shows from the middle of its fade.
float truevat_weight(float2 clock, float4 fade, bool soup)
{
    float weight = fade.w > 0.0 ? fade.w : truevat_fade(clock, fade.xy, fade.z);
    return soup ? step(0.5, weight) : weight;
}

void truevat_add_layer(
    Texture2D<float4> vat, TrueVATHeader h, float4 layer, float phase, float4 phases, int index,
    float2 clock, int slot, bool blend, float weight, inout float3 position, inout float3 normal)
{
    if (layer.x < 0.0 || weight == 0.0)
        return;
    TrueVATClip clip = truevat_clip(vat, h.width, min(int(layer.x + 0.5), h.clips - 1));
    clip.loops = truevat_layer_loops(phases, index, clip.loops);
    float x = truevat_frame(clock, layer.zw, layer.y * clip.fps, phase, clip.count, clip.loops);
    float3 layer_position, layer_normal;
    truevat_sample(vat, h, clip, slot, blend ? x : floor(x), layer_position, layer_normal);
    position = weight < 1.0 ? lerp(position, layer_position, weight) : layer_position;
    normal = weight < 1.0 ? lerp(normal, layer_normal, weight) : layer_normal;
}

// From the rest pose, in Unity's axes, to the pose at a clock. A texture that is not what its
// header should say (resized, compressed, another format) leaves the rest pose.
void truevat_animate(
    Texture2D<float4> vat, float width, TrueVATState state, float2 clock, float2 address,
    bool blend, inout float3 position, inout float3 normal, inout float3 tangent)
{
    TrueVATHeader h = truevat_header(vat, int(width + 0.5));
    if (!h.valid)
        return;
    int slot = truevat_slot(address, false);
    float3 p = 0.0, n = 0.0;
    truevat_add_layer(vat, h, state.layer0, state.phases.x, state.phases, 0, clock, slot, blend,
        1.0, p, n);
    truevat_add_layer(vat, h, state.layer1, state.phases.y, state.phases, 1, clock, slot, blend,
        truevat_weight(clock, state.fade1, h.soup), p, n);
    truevat_add_layer(vat, h, state.layer2, state.phases.z, state.phases, 2, clock, slot, blend,
        truevat_weight(clock, state.fade2, h.soup), p, n);
    p = truevat_to_unity(p);
    position = h.offsets ? position + p : p;
    if (h.normals == 0)
        return;
    n = normalize(truevat_to_unity(n) + 1e-12);
    tangent = truevat_turn(tangent, normalize(normal + 1e-12), n);
    normal = n;
}

#endif
