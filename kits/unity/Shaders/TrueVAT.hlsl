// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a vertex shader does with a bake: pure functions, no macro of any engine. docs/format.md
// defines the format; tests/kits/shaders holds these functions and their GLSL twins to one set of
// cases. Vectors stay in Blender's axes (right-handed, Z up) until truevat_to_unity.
//
// A clock is a pair (epochs, seconds): 64 epochs + seconds, 0 <= seconds < 64. A float of seconds
// alone has a step of 4 ms after ten hours; the pair has 4 us for ever. Frames from it are off by
// at most 3e-4 + 6e-8 * frames per epoch * epochs played: no jitter, but a drift of 0.1 frames in
// ten hours at a rate that is no whole number, and none at a whole one.
// truevat_clock splits a float of seconds exactly: what plays by it alone is off by that float's
// own rounding, rate * seconds / 2^24: 0.07 frames after ten hours at 30 frames per second.
#ifndef TRUEVAT_INCLUDED
#define TRUEVAT_INCLUDED

// ---- Numbers and addresses ----------------------------------------------------------------------

uint truevat_word(float4 digits)
{
    uint4 d = uint4(digits + 0.5);
    return d.x | (d.y << 10) | (d.z << 20) | (d.w << 30);
}

float truevat_float(float4 digits) { return asfloat(truevat_word(digits)); }

// flipped: the mesh came through glTF, whose v is 1 - v, and nobody turned it back.
int truevat_slot(float2 address, bool flipped)
{
    float v = flipped || address.y < -0.5 ? 1.0 - address.y : address.y;
    return int(floor(address.x + 0.5)) + 1024 * int(floor(v + 0.5));
}

// Of HALF's normals, the texel of slot / 2.
int2 truevat_texel(int slot, int frame, int width, int first_row, int rows)
{
    uint s = uint(slot), w = uint(width);
    return int2(int(s % w), first_row + frame * rows + int(s / w));
}

// ---- Normals and tangents -----------------------------------------------------------------------

float3 truevat_oct(float2 p)
{
    float3 n = float3(p, 1.0 - abs(p.x) - abs(p.y));
    float t = max(-n.z, 0.0);
    n.x -= n.x >= 0.0 ? t : -t;
    n.y -= n.y >= 0.0 ? t : -t;
    return normalize(n);
}

// FLOAT: alpha is code x + 4096 code y. It is a whole number: adding 0.5 would round above 2^23.
float3 truevat_oct24(float alpha)
{
    uint code = uint(alpha);
    return truevat_oct((float2(float(code & 4095u), float(code >> 12)) - 2047.0) / 2047.0);
}

// HALF: two slots to a texel. Rounding takes each value back to its code.
float3 truevat_oct16(float4 texel, int slot)
{
    return truevat_oct(floor(((slot & 1) == 0 ? texel.xy : texel.zw) * 2047.0 + 0.5) / 2047.0);
}

// Turns a tangent by the shortest arc that takes one unit vector to another, as two reflections.
// Rounding: below 0.001 degrees for turns up to 90, 0.01 up to 179, 0.1 up to 179.9. Exact for a
// surface that tilts; one that turns about its own normal keeps the rest tangent's heading, so a
// normal map is then off by just that turn.
float3 truevat_turn(float3 v, float3 from, float3 to)
{
    float3 mirrored = v - from * (2.0 * dot(from, v));
    float3 between = from + to;
    if (dot(between, between) < 1e-8) // opposite: any axis will do
        between = cross(from, abs(from.x) < 0.7 ? float3(1.0, 0.0, 0.0) : float3(0.0, 1.0, 0.0));
    return mirrored - between * (2.0 * dot(between, mirrored) / dot(between, between));
}

// ---- Time ---------------------------------------------------------------------------------------

float2 truevat_clock(float seconds)
{
    float epochs = floor(seconds / 64.0);
    return float2(epochs, seconds - 64.0 * epochs);
}

float truevat_wrap(float x, float period)
{
    float wrapped = max(x - period * floor(x / period), 0.0);
    return wrapped < period ? wrapped : 0.0;
}

// The frame number at a clock, for a clip that was at frame `phase` at the clock `start`. `rate` in
// frames per second: speed times fps, negative backwards, 0 while paused.
float truevat_frame(float2 clock, float2 start, float rate, float phase, int count, bool loops)
{
    float2 gone = clock - start;
    float n = float(count);
    if (!loops)
        return clamp(phase + rate * (64.0 * gone.x + gone.y), 0.0, n - 1.0);
    float epochs = truevat_wrap(gone.x * truevat_wrap(64.0 * rate, n), n);
    return truevat_wrap(epochs + truevat_wrap(gone.y * rate, n) + truevat_wrap(phase, n), n);
}

// Frames a and b of the clip on both sides of frame number x; returns the fraction of b.
float truevat_span(float x, int count, bool loops, out int a, out int b)
{
    int last = count - 1;
    a = clamp(int(floor(x)), 0, last);
    b = a < last ? a + 1 : (loops ? 0 : last);
    return clamp(x - float(a), 0.0, 1.0);
}

// The weight of what is faded in. Layers nest: mix(mix(first, second, weight 2), third, weight 3).
float truevat_fade(float2 clock, float2 start, float seconds)
{
    float2 gone = clock - start;
    return seconds > 0.0 ? clamp((64.0 * gone.x + gone.y) / seconds, 0.0, 1.0) : 1.0;
}

// ---- The texture --------------------------------------------------------------------------------

struct TrueVATHeader
{
    int width, first_row, rows, normals, normal_row, normal_rows, clips;
    bool offsets, soup, valid;
};
struct TrueVATClip { int first, count; float fps; bool loops; };

uint truevat_read(Texture2D<float4> vat, int word, int width)
{
    return truevat_word(vat.Load(int3(truevat_texel(word, 0, width, 0, 0), 0)));
}

// `width` is the texture's own. Not valid: another format, a later version, or a resized import.
TrueVATHeader truevat_header(Texture2D<float4> vat, int width)
{
    TrueVATHeader h;
    h.width = width;
    h.first_row = int(truevat_read(vat, 5, width));
    h.rows = int(truevat_read(vat, 6, width));
    h.offsets = truevat_read(vat, 11, width) == 1u;
    h.normals = int(truevat_read(vat, 12, width));
    h.normal_row = int(truevat_read(vat, 13, width));
    h.normal_rows = int(truevat_read(vat, 14, width));
    h.clips = int(truevat_read(vat, 15, width));
    h.soup = truevat_read(vat, 28, width) == 1u;
    h.valid = truevat_read(vat, 0, width) == 0x54415654u && truevat_read(vat, 1, width) == 1u
        && truevat_read(vat, 2, width) == 0u && int(truevat_read(vat, 3, width)) == width;
    return h;
}

TrueVATClip truevat_clip(Texture2D<float4> vat, int width, int index)
{
    int word = int(truevat_read(vat, 17, width)) + index * int(truevat_read(vat, 16, width));
    TrueVATClip clip;
    clip.first = int(truevat_read(vat, word, width));
    clip.count = int(truevat_read(vat, word + 1, width));
    clip.fps = float(truevat_read(vat, word + 2, width));
    clip.fps /= float(truevat_read(vat, word + 3, width));
    clip.loops = (truevat_read(vat, word + 4, width) & 1u) == 1u;
    return clip;
}

void truevat_fetch(
    Texture2D<float4> vat, TrueVATHeader h, int slot, int frame,
    out float3 position, out float3 normal)
{
    float4 value = vat.Load(int3(truevat_texel(slot, frame, h.width, h.first_row, h.rows), 0));
    position = value.xyz;
    normal = float3(0.0, 0.0, 1.0);
    if (h.normals == 1)
        normal = truevat_oct24(value.w);
    int2 pair = truevat_texel(slot / 2, frame, h.width, h.normal_row, h.normal_rows);
    if (h.normals == 2)
        normal = truevat_oct16(vat.Load(int3(pair, 0)), slot);
}

// Position (or offset) and normal at frame number x of a clip. A soup's frames are never mixed.
void truevat_sample(
    Texture2D<float4> vat, TrueVATHeader h, TrueVATClip clip, int slot, float x,
    out float3 position, out float3 normal)
{
    int a, b;
    float fraction = truevat_span(x, clip.count, clip.loops, a, b);
    truevat_fetch(vat, h, slot, clip.first + a, position, normal);
    if (h.soup || fraction == 0.0)
        return;
    float3 next_position, next_normal;
    truevat_fetch(vat, h, slot, clip.first + b, next_position, next_normal);
    position = lerp(position, next_position, fraction);
    normal = normalize(lerp(normal, next_normal, fraction) + 1e-12);
}

float3 truevat_to_unity(float3 v) { return v.xzy; }

#endif
