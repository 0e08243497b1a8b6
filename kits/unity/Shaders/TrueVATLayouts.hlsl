// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The profiles `nekovat` and `bounds`: pure functions, no macro of any engine.
#ifndef TRUEVAT_LAYOUTS_INCLUDED
#define TRUEVAT_LAYOUTS_INCLUDED

#include "TrueVATPlayback.hlsl"

// ---- nekovat ------------------------------------------------------------------------------------

// Rows per frame, and stored frames - 1. `rows` and `samples` are of the material, 0 where the
// texture is to be asked: its word is a denormal below 128 rows per frame, which some samplers
// flush to 0.
int2 truevat_neko_header(Texture2D<float4> vat, float rows, float samples)
{
    uint word = asuint(vat.Load(int3(0, 0, 0)).x);
    return int2(rows > 0.5 ? int(rows + 0.5) : int((word >> 16) & 0x3FFFu),
                samples > 0.5 ? int(samples + 0.5) - 1 : int(word & 0x3FFFu));
}

float3 truevat_neko_normal(float packed_bytes)
{
    uint word = asuint(packed_bytes);
    float3 bytes = float3(uint3(word >> 16, word >> 8, word) & 255u);
    return bytes / 255.0 * 2.0 - 1.0;
}

int2 truevat_neko_first(float2 address, int2 size)
{
    return int2(floor(address * float2(size)));
}

int2 truevat_neko_first_by_id(uint id, int2 size)
{
    return int2(int(id % uint(size.x)), 1 + int(id / uint(size.x)));
}

// Position and normal at `motion` frames, in Blender's axes. The last stored frame is the loop's
// end pose, so that a lerp never wraps: frame + 1 is at most the last one.
void truevat_neko_sample(
    Texture2D<float4> vat, int2 first, int2 header, float motion, bool blend,
    out float3 position, out float3 normal)
{
    float x = truevat_wrap(motion, float(max(header.y, 1)));
    int frame = int(floor(x));
    float4 now = vat.Load(int3(first.x, first.y + frame * header.x, 0));
    position = now.xyz;
    normal = truevat_neko_normal(now.w);
    if (blend)
    {
        float4 next = vat.Load(int3(first.x, first.y + (frame + 1) * header.x, 0));
        position = lerp(position, next.xyz, x - float(frame));
        normal = lerp(normal, truevat_neko_normal(next.w), x - float(frame));
    }
    normal = normalize(normal + 1e-12);
}

// ---- bounds -------------------------------------------------------------------------------------

// One layer of a state whose layers hold the clip's first frame and its frames per second times
// speed. Positions are 0..1 in `lowest`..`highest`, in Unity's axes already.
void truevat_bounds_layer(
    Texture2D<float4> positions, Texture2D<float4> normals, int2 first, int rows,
    float4 layer, float phase, int count, bool loops, float2 clock, bool blend, float weight,
    inout float3 position, inout float3 normal)
{
    if (layer.x < 0.0 || weight == 0.0)
        return;
    int a, b;
    float x = truevat_frame(clock, layer.zw, layer.y, phase, count, loops);
    float fraction = truevat_span(x, count, loops, a, b);
    int3 at_a = int3(first.x, first.y + (int(layer.x + 0.5) + a) * rows, 0);
    int3 at_b = int3(first.x, first.y + (int(layer.x + 0.5) + b) * rows, 0);
    fraction = blend ? fraction : 0.0;
    float3 p = lerp(positions.Load(at_a).xyz, positions.Load(at_b).xyz, fraction);
    float3 n = lerp(normals.Load(at_a).xyz, normals.Load(at_b).xyz, fraction) * 2.0 - 1.0;
    position = lerp(position, p, weight);
    normal = lerp(normal, n, weight);
}

void truevat_bounds_animate(
    Texture2D<float4> positions, Texture2D<float4> normals, int2 size, int rows, TrueVATState state,
    float3 counts, float2 clock, float2 address, bool blend, float3 lowest, float3 highest,
    inout float3 position, inout float3 normal, inout float3 tangent)
{
    // Rows that wrap may be told by v, or by a u that goes on beyond 1.
    int2 first = int2(floor(address * float2(size)));
    first = int2(first.x % size.x, first.y + first.x / size.x);
    int3 count = int3(counts + 0.5);
    float3 p = 0.0, n = 0.0;
    truevat_bounds_layer(positions, normals, first, rows, state.layer0, state.phases.x, count.x,
        truevat_layer_loops(state.phases, 0, true), clock, blend, 1.0, p, n);
    truevat_bounds_layer(positions, normals, first, rows, state.layer1, state.phases.y, count.y,
        truevat_layer_loops(state.phases, 1, true), clock, blend,
        truevat_weight(clock, state.fade1, false), p, n);
    truevat_bounds_layer(positions, normals, first, rows, state.layer2, state.phases.z, count.z,
        truevat_layer_loops(state.phases, 2, true), clock, blend,
        truevat_weight(clock, state.fade2, false), p, n);
    n = normalize(n + 1e-12);
    position = lowest + (highest - lowest) * p;
    tangent = truevat_turn(tangent, normalize(normal + 1e-12), n);
    normal = n;
}

#endif
