/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "harness.h"

static void hash_is_a_sum_over_frames_in_any_order(void) {
    const uint32_t first[] = {1, 2, 3, 4, 5, 6}, second[] = {6, 5, 4, 3, 2, 1};
    uint64_t forth[4] = {0}, back[4] = {0}, parts[2][4] = {{0}};
    tv_hash_words(forth, first, 3, 2, 10);
    tv_hash_words(forth, second, 3, 2, 11);
    tv_hash_words(back, second, 3, 2, 11);
    tv_hash_words(back, first, 3, 2, 10);
    assert(!memcmp(forth, back, sizeof forth));
    tv_hash_words(parts[0], first, 3, 2, 10);
    tv_hash_words(parts[1], second, 3, 2, 11);
    for (size_t i = 0; i < 4; i++)
        assert(parts[0][i] + parts[1][i] == forth[i]);
}

static void hash_tells_frames_apart(void) {
    const uint32_t words[] = {7, 8, 9};
    uint64_t a[2] = {0}, b[2] = {0};
    tv_hash_words(a, words, 3, 1, 1);
    tv_hash_words(b, words, 3, 1, 2);
    assert(a[0] != b[0] && a[1] != b[1]);
}

static void hash_tells_every_bit_apart(void) {
    for (size_t width = 1; width <= 3; width += 2)
        for (size_t bit = 0; bit < 32 * width; bit++) {
            uint32_t words[3] = {0}, other[3] = {0};
            uint64_t a[2] = {0}, b[2] = {0};
            other[bit / 32] = 1u << bit % 32;
            tv_hash_words(a, words, width, 1, 5);
            tv_hash_words(b, other, width, 1, 5);
            assert(a[0] != b[0] && a[1] != b[1]);
        }
}

static void hash_tells_a_word_from_a_vector(void) {
    const uint32_t words[] = {7, 0, 0};
    uint64_t word[2] = {0}, vector[2] = {0};
    tv_hash_words(word, words, 1, 1, 1);
    tv_hash_words(vector, words, 3, 1, 1);
    assert(word[0] != vector[0] && word[1] != vector[1]);
}

static void hash_lanes_do_not_repeat_each_other(void) {
    const uint32_t words[] = {7, 8, 9};
    uint64_t a[2] = {0};
    tv_hash_words(a, words, 3, 1, 1);
    assert(a[0] != a[1]);
}

static void hash_of_nothing_is_zero(void) {
    uint64_t digest[2] = {0};
    tv_hash_words(NULL, NULL, 3, 0, 1);
    tv_hash_fold(digest, NULL, 0, 1);
    assert(!digest[0] && !digest[1]);
}

static void hash_fold_knows_places(void) {
    const uint64_t sums[] = {1, 2, 3, 4}, swapped[] = {3, 4, 1, 2};
    uint64_t a[2] = {0}, b[2] = {0}, c[2] = {0};
    tv_hash_fold(a, sums, 2, 0);
    tv_hash_fold(b, swapped, 2, 0);
    tv_hash_fold(c, sums, 2, 1);
    assert(a[0] != b[0] && a[1] != b[1] && a[0] != c[0] && a[1] != c[1]);
}

const test_case kHashTests[] = {
    TEST(hash_is_a_sum_over_frames_in_any_order),
    TEST(hash_tells_frames_apart),
    TEST(hash_tells_every_bit_apart),
    TEST(hash_tells_a_word_from_a_vector),
    TEST(hash_lanes_do_not_repeat_each_other),
    TEST(hash_of_nothing_is_zero),
    TEST(hash_fold_knows_places),
    END_OF_TESTS,
};
