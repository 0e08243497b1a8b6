#version 430
// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a vertex shader does with a texture in the nekoVAT layout.

const int BY_UV = 0;      // VertexUV, fetched by integers
const int BY_ID = 1;      // gl_VertexID, fetched by integers
const int BY_SAMPLER = 2; // VertexUV, through a point-filtered sampler

uniform sampler2D vat;
uniform int lookup;
uniform float motion; // in frames
uniform bool blend;   // with the next stored frame
uniform bool wrap;    // otherwise it stops at the last stored frame
uniform uvec2 masks;  // of rows per frame and of stored frames - 1 in the header word
uniform ivec2 known;  // both numbers as material properties; 0 where the header is to be read

in vec2 address;

out vec3 position;
out vec3 normal;
flat out ivec2 header;

ivec2 read_header() {
    uint word = floatBitsToUint(texelFetch(vat, ivec2(0), 0).r);
    return ivec2((word & masks.x) >> 16, word & masks.y);
}

vec4 texel(int frame) {
    ivec2 size = textureSize(vat, 0);
    int rows = frame * header.x;
    if (lookup == BY_SAMPLER)
        return textureLod(vat, address + vec2(0.0, float(rows) / float(size.y)), 0.0);
    ivec2 first = lookup == BY_ID ? ivec2(gl_VertexID % size.x, 1 + gl_VertexID / size.x)
                                  : ivec2(floor(address * vec2(size)));
    return texelFetch(vat, first + ivec2(0, rows), 0);
}

vec3 unpack(float packed_normal) {
    uint word = floatBitsToUint(packed_normal);
    vec3 bytes = vec3((word >> 16) & 255u, (word >> 8) & 255u, word & 255u);
    return bytes / 255.0 * 2.0 - 1.0;
}

void main() {
    header = known.x > 0 ? known : read_header();
    int whole = int(floor(motion));
    int frame = wrap ? whole % header.y : min(whole, header.y);

    vec4 now = texel(frame);
    vec3 p = now.rgb;
    vec3 n = unpack(now.a);
    if (blend) { // the next one exists: frame + 1 <= header.y wherever it counts
        vec4 next = texel(min(frame + 1, header.y));
        p = mix(p, next.rgb, fract(motion));
        n = mix(n, unpack(next.a), fract(motion));
    }
    // From Z up to Y up, which also changes handedness.
    position = p.xzy;
    normal = normalize(n).xzy;
}
