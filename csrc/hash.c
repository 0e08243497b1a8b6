/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two lanes of 64 bits, each a sum of well-mixed values: the hash of a set, here of (frame, bits).
 */
#include "truevat.h"

#include "kernel.h"

/* Odd 64-bit constants with about half of their bits set, the first digits of sqrt(2), sqrt(3),
 * sqrt(5), sqrt(7), sqrt(11) and sqrt(13), made odd. */
static const uint64_t kA1 = 0x6a09e667f3bcc909u, kB1 = 0xbb67ae8584caa73bu;
static const uint64_t kA2 = 0x3c6ef372fe94f82bu, kB2 = 0xa54ff53a5f1d36f1u;
static const uint64_t kA3 = 0x510e527fade682d1u, kB3 = 0x9b05688c2b3e6c1fu;

typedef struct {
    uint64_t low, high;
} product;

TV_INLINE product multiply(uint64_t a, uint64_t b) {
#ifdef TV_INT128
    __extension__ typedef unsigned __int128 wide;
    const wide full = (wide)a * b;
    const product p = {(uint64_t)full, (uint64_t)(full >> 64)};
#else
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    const uint64_t other = a0 * b1 + (uint32_t)middle;
    const product p = {a * b, a1 * b1 + (middle >> 32) + (other >> 32)};
#endif
    return p;
}

typedef struct {
    uint64_t low, high, third, fourth;
} seeds;

static uint64_t mix(uint64_t value, uint64_t multiplier) {
    value ^= value >> 32;
    value *= multiplier;
    return value ^ value >> 29;
}

static seeds seedsOf(uint64_t key) {
    const seeds s = {mix(key * kA2 + kB2, kA3), mix((key ^ kB3) * kB2, kB1),
                     mix(key * kA3 + kB1, kA1), mix((key ^ kA1) * kA2, kB3)};
    return s;
}

/* Two rounds of 64 x 64 to 128 bits. The second takes `a` along, so that no two factorings of one
 * product meet; a lane takes the strong half of one round over the weak half of the other. */
TV_INLINE void add(uint64_t sums[2], uint64_t low, uint64_t high, const seeds *s) {
    const uint64_t a = low ^ s->low, b = high ^ s->high;
    const product first = multiply(a, b);
    const product second = multiply((first.low + a) ^ s->third, first.high ^ s->fourth);
    sums[0] += second.low ^ first.high;
    sums[1] += second.high ^ first.low;
}

TV_INLINE void addThree(uint64_t sums[2], const uint32_t *words, const seeds *s) {
    add(sums, (uint64_t)words[0] | (uint64_t)words[1] << 32, words[2], s);
}

void tv_hash_words(uint64_t *sums, const uint32_t *words, size_t width, size_t count,
                   uint64_t key) {
    const seeds s = seedsOf(key + width * kB3);

    if (width == 3)
        for (size_t i = 0; i < count; i++)
            addThree(sums + 2 * i, words + 3 * i, &s);
    else
        for (size_t i = 0; i < count; i++)
            add(sums + 2 * i, words[i], 0, &s);
}

void tv_hash_points(uint64_t *sums, const uint32_t *points, const uint32_t *normals, size_t count,
                    uint64_t key) {
    const seeds s3 = seedsOf(key + 3 * kB3), s1 = seedsOf(key + kB3);
    for (size_t i = 0; i < count; i++) {
        addThree(sums + 2 * i, points + 3 * i, &s3);
        add(sums + 2 * i, normals[i], 0, &s1);
    }
}

void tv_hash_fold(uint64_t digest[2], const uint64_t *sums, size_t count, uint64_t salt) {
    for (size_t i = 0; i < count; i++) {
        const seeds s = seedsOf(salt + i);
        add(digest, sums[2 * i], sums[2 * i + 1], &s);
    }
}
