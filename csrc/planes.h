/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Vectors taken apart into planes of x, y and z, and put together again. Private to the kernels.
 */
#ifndef TRUEVAT_PLANES_H
#define TRUEVAT_PLANES_H

#include "kernel.h"
#include "truevat.h"

#include <stddef.h>
#include <stdint.h>

#ifdef TV_SSE2
#include <emmintrin.h>
#endif

/* Vectors are taken apart into planes of this many, so that compilers vectorise the arithmetic. */
#define TV_BLOCK 128

typedef struct {
    float x[TV_BLOCK], y[TV_BLOCK], z[TV_BLOCK];
} tv_planes;

/* Compilers for plain x86-64 do not vectorise steps of three. These move four vectors at a time and
 * return how many they moved; the loops after them do the rest. */
#ifdef TV_SSE2
TV_INLINE size_t tv_split_fours(tv_planes *p, const float *v, size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4, v += 12) {
        const __m128 a = _mm_loadu_ps(v), b = _mm_loadu_ps(v + 4), c = _mm_loadu_ps(v + 8);
        const __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)); /* x2 y2 x3 y3 */
        const __m128 yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1)); /* y0 z0 y1 z1 */
        _mm_storeu_ps(p->x + i, _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0)));
        _mm_storeu_ps(p->y + i, _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
        _mm_storeu_ps(p->z + i, _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1)));
    }
    return i;
}

TV_INLINE size_t tv_join_fours(float *v, const tv_planes *p, size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4, v += 12) {
        const __m128 x = _mm_loadu_ps(p->x + i), y = _mm_loadu_ps(p->y + i);
        const __m128 z = _mm_loadu_ps(p->z + i);
        const __m128 xy = _mm_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0)); /* x0 x2 y0 y2 */
        const __m128 zx = _mm_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0)); /* z0 z2 x1 x3 */
        const __m128 yz = _mm_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1)); /* y1 y3 z1 z3 */
        _mm_storeu_ps(v, _mm_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0)));
        _mm_storeu_ps(v + 4, _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
        _mm_storeu_ps(v + 8, _mm_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1)));
    }
    return i;
}
#else
TV_INLINE size_t tv_split_fours(tv_planes *p, const float *v, size_t count) {
    (void)p, (void)v, (void)count;
    return 0;
}

TV_INLINE size_t tv_join_fours(float *v, const tv_planes *p, size_t count) {
    (void)v, (void)p, (void)count;
    return 0;
}
#endif

TV_INLINE void tv_split(tv_planes *p, const float *vectors, size_t count) {
    for (size_t i = tv_split_fours(p, vectors, count); i < count; i++) {
        p->x[i] = vectors[3 * i];
        p->y[i] = vectors[3 * i + 1];
        p->z[i] = vectors[3 * i + 2];
    }
}

TV_INLINE void tv_join(float *vectors, const tv_planes *p, size_t count) {
    for (size_t i = tv_join_fours(vectors, p, count); i < count; i++) {
        vectors[3 * i] = p->x[i];
        vectors[3 * i + 1] = p->y[i];
        vectors[3 * i + 2] = p->z[i];
    }
}

/* normal.c: tv_pack_normals for the first `count` of a block. */
void tv_pack_planes(uint32_t *words, const tv_planes *normals, size_t count, tv_normal_code code);

#endif
