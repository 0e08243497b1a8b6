/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test is a function that asserts. Each file has a table of its own; harness.c runs one by name.
 */
#ifndef TRUEVAT_HARNESS_H
#define TRUEVAT_HARNESS_H

#undef NDEBUG
#include <assert.h>

#include "truevat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    void (*run)(void);
} test_case;

#define TEST(function)                                                                             \
    { #function, function }
#define END_OF_TESTS                                                                               \
    { NULL, NULL }

extern const test_case kHashTests[], kSlotsTests[], kLayoutTests[], kTransformTests[],
    kNormalTests[], kTrackTests[], kTrackErrorTests[], kTextureTests[], kExrTests[], kWriterTests[],
    kHalfTests[];

static const float kIdentity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* Reproducible values from -1 to 1. */
static inline float noise(size_t seed) {
    uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 31;
    x *= 0xbf58476d1ce4e5b9u;
    return (float)(int32_t)(x >> 32) / 2147483648.0f;
}

/* Of exactly this size, so that AddressSanitizer sees a step beyond it. */
static inline float *noiseVectors(size_t count, size_t seed) {
    float *vectors = malloc((count ? count : 1) * 3 * sizeof *vectors);
    assert(vectors);
    for (size_t i = 0; i < 3 * count; i++)
        vectors[i] = noise(seed + i);
    return vectors;
}

/* A folder of this process; forgetFolder() asserts that nothing was left in it. */
const char *newFolder(void);
void forgetFolder(void);

#endif
