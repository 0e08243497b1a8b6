/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two lanes of 64 bits, each a sum of well-mixed values: the hash of a set, here of (frame, bits).
 */
#include "truevat.h"

#include "planes.h"

/* Odd 64-bit constants with about half of their bits set, the first digits of sqrt(2), sqrt(3),
 * sqrt(5), sqrt(7), sqrt(11) and sqrt(13), made odd. */
static const uint64_t kA1 = 0x6a09e667f3bcc909u, kB1 = 0xbb67ae8584caa73bu;
static const uint64_t kA2 = 0x3c6ef372fe94f82bu, kB2 = 0xa54ff53a5f1d36f1u;
static const uint64_t kA3 = 0x510e527fade682d1u, kB3 = 0x9b05688c2b3e6c1fu;

TV_INLINE uint64_t mix(uint64_t value, uint64_t multiplier) {
    value ^= value >> 32;
    value *= multiplier;
    return value ^ value >> 29;
}

TV_INLINE void add(uint64_t sums[2], uint64_t low, uint64_t high, uint64_t seed_a,
                   uint64_t seed_b) {
    uint64_t a = mix((low ^ seed_a) * kA1, kA2) + high;
    uint64_t b = mix((low ^ seed_b) * kB1, kB2) + high;
    sums[0] += mix(a * kA3, kA1);
    sums[1] += mix(b * kB3, kB1);
}

void tv_hash_words(uint64_t *sums, const uint32_t *words, size_t width, size_t count,
                   uint64_t key) {
    const uint64_t seed_a = mix((key + width) * kA2, kA3);
    const uint64_t seed_b = mix((key ^ kB3) * kB2 + width, kB1);

    if (width == 3)
        for (size_t i = 0; i < count; i++)
            add(sums + 2 * i, (uint64_t)words[3 * i] | (uint64_t)words[3 * i + 1] << 32,
                words[3 * i + 2], seed_a, seed_b);
    else
        for (size_t i = 0; i < count; i++)
            add(sums + 2 * i, words[i], 0, seed_a, seed_b);
}

void tv_hash_fold(uint64_t digest[2], const uint64_t *sums, size_t count, uint64_t salt) {
    for (size_t i = 0; i < count; i++) {
        uint64_t place = mix((salt + i) * kA3, kA2);
        add(digest, sums[2 * i], sums[2 * i + 1], place, place ^ kB2);
    }
}
