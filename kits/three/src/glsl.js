// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
// GLSL ES 3.00: the twin of kits/unity's TrueVAT.hlsl, under the same names and held to the same
// cases. Slots are read (src/geometry.js) and time is kept (src/clip-time.js) in JavaScript.

/** Layers that a cross-fade can have at once: fades begun while others still run. */
export const LAYERS = 4;

/** Pure functions. */
export const FUNCTIONS = /* glsl */ `
highp ivec2 truevat_texel(highp int slot, highp int frame, highp int width, highp int first_row, highp int rows) {
  return ivec2(slot % width, first_row + frame * rows + slot / width);
}

highp vec3 truevat_oct(highp vec2 p) {
  highp vec3 n = vec3(p, 1.0 - abs(p.x) - abs(p.y));
  highp float t = max(-n.z, 0.0);
  n.x -= n.x >= 0.0 ? t : -t;
  n.y -= n.y >= 0.0 ? t : -t;
  return normalize(n);
}

// FLOAT: alpha is code x + 4096 code y. It is a whole number: adding 0.5 would round above 2^23.
highp vec3 truevat_oct24(highp float alpha) {
  highp uint code = uint(alpha);
  return truevat_oct((vec2(float(code & 4095u), float(code >> 12u)) - 2047.0) / 2047.0);
}

// HALF: two slots to a texel. Rounded back to codes, which the halves stand for.
highp vec3 truevat_oct16(highp vec4 texel, highp int slot) {
  return truevat_oct(floor(((slot & 1) == 0 ? texel.xy : texel.zw) * 2047.0 + 0.5) / 2047.0);
}

// Turns a tangent by the shortest arc that takes one unit vector to another: two reflections.
highp vec3 truevat_turn(highp vec3 v, highp vec3 from, highp vec3 to) {
  highp vec3 mirrored = v - from * (2.0 * dot(from, v));
  highp vec3 between = from + to;
  if (dot(between, between) < 1e-8) // opposite: any axis will do
    between = cross(from, abs(from.x) < 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0));
  return mirrored - between * (2.0 * dot(between, mirrored) / dot(between, between));
}

// Blender's axes to those of glTF.
highp vec3 truevat_to_gltf(highp vec3 v) { return vec3(v.x, v.z, -v.y); }
`;

/**
 * Goes before main(). A layer is a texel (frame a, frame b, fraction of b, weight); LAYERS of them
 * for each instance, the unused ones with weight 0.
 */
export const DECLARATIONS = /* glsl */ `
uniform highp sampler2D truevat_map;
uniform highp sampler2D truevat_layers;
uniform highp int truevat_rows[5]; // width, first row, rows per frame, first row of normals, rows

in highp uint truevatSlot;

highp vec3 truevat_position;
highp vec3 truevat_normal;
${FUNCTIONS}
void truevat_fetch(highp int slot, highp int frame, out highp vec3 position, out highp vec3 normal) {
  highp vec4 value = texelFetch(truevat_map,
    truevat_texel(slot, frame, truevat_rows[0], truevat_rows[1], truevat_rows[2]), 0);
  position = value.xyz;
  normal = vec3(0.0, 0.0, 1.0);
  #if TRUEVAT_NORMALS == 1
    normal = truevat_oct24(value.w);
  #elif TRUEVAT_NORMALS == 2
    normal = truevat_oct16(texelFetch(truevat_map,
      truevat_texel(slot / 2, frame, truevat_rows[0], truevat_rows[3], truevat_rows[4]), 0), slot);
  #endif
}

void truevat_play(highp vec3 rest) {
  highp int slot = int(truevatSlot);
  truevat_position = vec3(0.0);
  truevat_normal = vec3(0.0);
  highp int columns = textureSize(truevat_layers, 0).x;
  for (int i = 0; i < ${LAYERS}; i++) {
    highp int at = gl_InstanceID * ${LAYERS} + i;
    highp vec4 layer = texelFetch(truevat_layers, ivec2(at % columns, at / columns), 0);
    if (layer.w == 0.0) break;
    highp vec3 position, normal;
    truevat_fetch(slot, int(layer.x), position, normal);
    if (layer.z > 0.0) {
      highp vec3 next_position, next_normal;
      truevat_fetch(slot, int(layer.y), next_position, next_normal);
      position = mix(position, next_position, layer.z);
      normal = normalize(mix(normal, next_normal, layer.z) + 1e-12);
    }
    truevat_position += layer.w * position;
    truevat_normal += layer.w * normal;
  }
  truevat_position = truevat_to_gltf(truevat_position);
  truevat_normal = truevat_to_gltf(normalize(truevat_normal + 1e-12));
  #ifdef TRUEVAT_OFFSETS
    truevat_position += rest;
  #endif
}
`;
