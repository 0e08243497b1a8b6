/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "harness.h"

#include <math.h>

static uint16_t half(float value) {
    uint16_t bits;
    tv_to_half(&bits, &value, 1);
    return bits;
}

static void half_is_rounded_to_nearest_ties_to_even(void) {
    assert(half(0.0f) == 0 && half(-0.0f) == 0x8000 && half(1.0f) == 0x3c00);
    assert(half(1.0f + 1.0f / 2048) == 0x3c00);   /* half way to 0x3c01 */
    assert(half(1.0f + 3.0f / 2048) == 0x3c02);   /* half way from 0x3c01 */
    assert(half(1.0f + 1.001f / 2048) == 0x3c01); /* just beyond half way */
    assert(half(65504.0f) == 0x7bff && half(65519.0f) == 0x7bff);
    assert(half(1e30f) == 0x7bff && half(-1e30f) == 0xfbff); /* no infinity */
    assert(half(ldexpf(1, -24)) == 1 && half(ldexpf(1, -25)) == 0);
    assert(half(ldexpf(3, -25)) == 2 && half(ldexpf(1023, -24)) == 0x3ff);
    assert(half(ldexpf(1, -14)) == 0x400 && half(-1e-30f) == 0x8000);
}

static void half_comes_back_as_it_was(void) {
    for (uint32_t i = 0; i < 0x10000; i++) {
        const uint16_t bits = (uint16_t)i;
        float value;
        if ((bits & 0x7c00) == 0x7c00)
            continue; /* not finite */
        tv_from_half(&value, &bits, 1);
        const float size = ldexpf((float)(bits & 0x3ff) + (bits & 0x7c00 ? 1024.0f : 0.0f),
                                  (bits & 0x7c00 ? (bits >> 10 & 0x1f) - 25 : -24));
        assert(value == (bits & 0x8000 ? -size : size));
        assert(half(value) == bits);
    }
}

static void half_of_many_is_half_of_each(void) {
    float *values = noiseVectors(111, 3);
    uint16_t *halves = malloc(333 * sizeof *halves);
    float *back = malloc(333 * sizeof *back);
    assert(halves && back);
    tv_to_half(halves, values, 333);
    tv_from_half(back, halves, 333);
    for (size_t i = 0; i < 333; i++) {
        assert(halves[i] == half(values[i]));
        assert(fabsf(back[i] - values[i]) <= fabsf(values[i]) / 2048);
    }
    free(values);
    free(halves);
    free(back);
}

/* What a vector's coordinate becomes. */
static float kept(float value) {
    const uint16_t bits = half(value);
    float back;
    if (fabsf(value) < 0x1p-14f)
        return copysignf(fabsf(value) > 0x1p-15f ? 0x1p-14f : 0.0f, value);
    tv_from_half(&back, &bits, 1);
    return back;
}

static void half_vectors_know_how_far_they_moved(void) {
    for (size_t count = 0; count < 30; count++) {
        float values[3][30], most = 0;
        uint16_t halves[3][30];
        for (size_t i = 0; i < count; i++) {
            float square = 0;
            for (size_t axis = 0; axis < 3; axis++) {
                const float scale = i % 3 ? 10.0f : 0x1p-13f;
                const float value = scale * noise(3 * i + axis + 100 * count);
                values[axis][i] = value;
                square += (kept(value) - value) * (kept(value) - value);
            }
            most = square > most ? square : most;
        }
        uint16_t *const out[3] = {halves[0], halves[1], halves[2]};
        const float *const in[3] = {values[0], values[1], values[2]};
        assert(tv_vectors_to_half(out, in, count) == most);
        for (size_t axis = 0; axis < 3; axis++)
            for (size_t i = 0; i < count; i++)
                assert(halves[axis][i] == half(kept(values[axis][i])));
    }
}

static void half_vectors_have_no_denormals(void) {
    const float edges[3][9] = {{1e30f, -1e30f, 65520, 0x1p-14f, 0x1.fffffep-15f, -0x1p-15f,
                                0x1.000002p-15f, -1e-30f, -0.0f}};
    const uint16_t wanted[9] = {0x7bff, 0xfbff, 0x7bff, 0x400, 0x400,
                                0x8000, 0x400,  0x8000, 0x8000};
    uint16_t halves[3][9];
    for (size_t first = 0; first < 2; first++) { /* the first eight at once, then one by one */
        uint16_t *const out[3] = {halves[0], halves[1], halves[2]};
        const float *const in[3] = {edges[0] + first, edges[1], edges[2]};
        tv_vectors_to_half(out, in, first ? 7 : 9);
        for (size_t i = 0; i < (first ? 7u : 9u); i++)
            assert(halves[0][i] == wanted[first + i]);
    }
}

const test_case kHalfTests[] = {
    TEST(half_is_rounded_to_nearest_ties_to_even),
    TEST(half_comes_back_as_it_was),
    TEST(half_of_many_is_half_of_each),
    TEST(half_vectors_know_how_far_they_moved),
    TEST(half_vectors_have_no_denormals),
    END_OF_TESTS,
};
