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

static const uint32_t kPoints[] = {0,          0,          0,          0x3f800000, 0x80000000,
                                   0x7f7fffff, 0xffffffff, 0xffffffff, 0xffffffff, 1,
                                   2,          3,          0xdeadbeef, 0x12345678, 0x9abcdef0};
static const uint32_t kNormals[] = {0, 0x407f7fff, 0xffffffff, 1, 0x80000000};

/* The compilers' wide product and the portable one, any compiler and any processor: the same bits.
 * The numbers are those of the twin in tests/native/twins.py. */
static void hash_is_the_same_everywhere(void) {
    static const uint64_t of_points[] = {
        0x5a99922a3705c792u, 0xa680c467e629c4d1u, 0xa4a321e0d5979267u, 0xc5ce2e87d93de945u,
        0x2f3d39038e900c6du, 0xab6cb1b24ec7baa3u, 0x87ce89c4e25ea897u, 0x6dd57029e18852cbu,
        0x461269c67c5bba45u, 0xbe2ee7319429fa1bu};
    static const uint64_t of_normals[] = {
        0xb465581f6b04e417u, 0xff99da3260b6a277u, 0x35be11bc0c8c9f1au, 0xdd670fabc71eab4du,
        0x6c684c4fb2c8c59cu, 0xaecd63311da9dc7cu, 0x7d85508902e08f87u, 0xd7ee3037193f7c8eu,
        0xa908aff8e440718du, 0xfcdc6c8e221912eeu};
    uint64_t sums[10] = {0}, both[10] = {0};
    tv_hash_words(sums, kPoints, 3, 5, 1);
    assert(!memcmp(sums, of_points, sizeof sums));
    memset(sums, 0, sizeof sums);
    tv_hash_words(sums, kNormals, 1, 5, 1);
    assert(!memcmp(sums, of_normals, sizeof sums));
    tv_hash_points(both, kPoints, kNormals, 5, 1);
    for (size_t i = 0; i < 10; i++)
        assert(both[i] == of_points[i] + of_normals[i]);
}

static void hash_fold_is_the_same_everywhere(void) {
    static const struct {
        uint64_t key, digest[2];
    } kFolded[] = {
        {0, {0x9f24a16ab697348au, 0xffde18437466f11au}},
        {1, {0x33d39f597aa33c0cu, 0xec2e3d235bb79ecfu}},
        {0xffffffffu, {0xf30be43982c26926u, 0xbba1dc518294a0e6u}},
        {0x100000000u, {0x65b5ad5d27afd8d7u, 0xecd48b1be43346a9u}},
        {UINT64_MAX, {0x7894a497d2647294u, 0x741d5d4b9d7f8ceeu}},
    };
    for (size_t k = 0; k < sizeof kFolded / sizeof *kFolded; k++) {
        uint64_t sums[10] = {0}, digest[2] = {0};
        tv_hash_points(sums, kPoints, kNormals, 5, kFolded[k].key);
        tv_hash_fold(digest, sums, 5, kFolded[k].key);
        assert(!memcmp(digest, kFolded[k].digest, sizeof digest));
    }
}

const test_case kHashTests[] = {
    TEST(hash_is_a_sum_over_frames_in_any_order),
    TEST(hash_tells_frames_apart),
    TEST(hash_tells_every_bit_apart),
    TEST(hash_tells_a_word_from_a_vector),
    TEST(hash_lanes_do_not_repeat_each_other),
    TEST(hash_of_nothing_is_zero),
    TEST(hash_fold_knows_places),
    TEST(hash_is_the_same_everywhere),
    TEST(hash_fold_is_the_same_everywhere),
    END_OF_TESTS,
};
