/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals to bits, and back.
 */
#include "truevat.h"

#include "planes.h"

#include <math.h>

/* ---------------------------------------------------------------------------------------------
 * Three bytes
 */

TV_INLINE uint32_t packByte(float n) {
    float value = (n * 0.5f + 0.5f) * 255.0f;
    value = value > 0.0f ? value : 0.0f; /* a unit vector may exceed 1 by its rounding */
    value = value < 255.0f ? value : 255.0f;
    return (uint32_t)(int32_t)value;
}

TV_INLINE void packBytes(uint32_t *words, const tv_planes *n, size_t count, uint32_t guard) {
    for (size_t i = 0; i < count; i++)
        words[i] = guard | packByte(n->x[i]) << 16 | packByte(n->y[i]) << 8 | packByte(n->z[i]);
}

/* ---------------------------------------------------------------------------------------------
 * The octahedron
 */

/* The code of a coordinate from -1 to 1: 0 .. 2 * half, which has a middle. */
TV_INLINE uint32_t octCode(float value, float half) {
    float code = value * half + (half + 0.5f);
    code = code > 0.0f ? code : 0.0f;
    code = code < 2.0f * half ? code : 2.0f * half;
    return (uint32_t)(int32_t)code;
}

TV_INLINE void packOct(uint32_t *words, const tv_planes *n, size_t count, unsigned bits) {
    const float half = (float)((1u << (bits - 1)) - 1);
    for (size_t i = 0; i < count; i++) {
        const float x = n->x[i], y = n->y[i], z = n->z[i];
        const float scale = 1.0f / (fabsf(x) + fabsf(y) + fabsf(z));
        const float u = x * scale, v = y * scale;
        const float folded_u = (1.0f - fabsf(v)) * (u >= 0.0f ? 1.0f : -1.0f);
        const float folded_v = (1.0f - fabsf(u)) * (v >= 0.0f ? 1.0f : -1.0f);
        words[i] = octCode(z < 0.0f ? folded_u : u, half) | octCode(z < 0.0f ? folded_v : v, half)
                                                                << bits;
    }
}

TV_INLINE void unpackOct(float *normals, const uint32_t *words, size_t count, unsigned bits) {
    const float half = (float)((1u << (bits - 1)) - 1);
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = words[i] & ((1u << bits) - 1), b = words[i] >> bits;
        float x = ((float)a - half) / half, y = ((float)b - half) / half;
        const float z = 1.0f - fabsf(x) - fabsf(y), t = z < 0.0f ? -z : 0.0f;
        x -= x >= 0.0f ? t : -t;
        y -= y >= 0.0f ? t : -t;
        const float scale = 1.0f / sqrtf(x * x + y * y + z * z);
        normals[3 * i] = x * scale;
        normals[3 * i + 1] = y * scale;
        normals[3 * i + 2] = z * scale;
    }
}

TV_INLINE void unpackBytes(float *normals, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (unsigned axis = 0; axis < 3; axis++)
            normals[3 * i + axis] =
                (float)(words[i] >> (16 - 8 * axis) & 0xff) / 255.0f * 2.0f - 1.0f;
}

/* --------------------------------------------------------------------------------------------- */

TV_KERNEL
void tv_pack_planes(uint32_t *words, const tv_planes *normals, size_t count, tv_normal_code code) {
    switch (code) {
    case TV_NORMAL_XYZ8:
        packBytes(words, normals, count, 0);
        return;
    case TV_NORMAL_XYZ8_GUARDED:
        packBytes(words, normals, count, TV_NORMAL_GUARD);
        return;
    case TV_NORMAL_OCT24:
        packOct(words, normals, count, 12);
        return;
    case TV_NORMAL_OCT32:
        packOct(words, normals, count, 16);
        return;
    }
}

void tv_pack_normals(uint32_t *words, const float *normals, size_t count, tv_normal_code code) {
    tv_planes p;
    for (size_t start = 0; start < count; start += TV_BLOCK) {
        size_t n = count - start < TV_BLOCK ? count - start : TV_BLOCK;
        tv_split(&p, normals + 3 * start, n);
        tv_pack_planes(words + start, &p, n, code);
    }
}

void tv_unpack_normals(float *normals, const uint32_t *words, size_t count, tv_normal_code code) {
    switch (code) {
    case TV_NORMAL_XYZ8:
    case TV_NORMAL_XYZ8_GUARDED:
        unpackBytes(normals, words, count);
        return;
    case TV_NORMAL_OCT24:
        unpackOct(normals, words, count, 12);
        return;
    case TV_NORMAL_OCT32:
        unpackOct(normals, words, count, 16);
        return;
    }
}
