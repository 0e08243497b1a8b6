/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "harness.h"

#include <math.h>

static uint32_t packed(float x, float y, float z, tv_normal_code code) {
    const float normal[] = {x, y, z};
    uint32_t word;
    tv_pack_normals(&word, normal, 1, code);
    return word;
}

static void normal_bytes_are_truncated(void) {
    assert(packed(-1, 0, 1, 0) == 0x007fff);
    assert(packed(0.5f, -0.5f, 0, 0) == 0xbf3f7f);
}

static void normal_word_with_guard_is_no_denormal(void) {
    for (int i = -8; i <= 8; i++) {
        uint32_t word = packed((float)i / 8, -1, 1, TV_NORMAL_XYZ8_GUARDED);
        float value;
        memcpy(&value, &word, sizeof value);
        assert(isnormal(value) && value >= 2 && value < 8);
        assert((word & ~TV_NORMAL_GUARD) == packed((float)i / 8, -1, 1, 0));
    }
}

static void normal_beyond_unit_stays_in_its_byte(void) {
    assert(packed(1.0000001f, -1.0000001f, 3e38f, 0) == 0xff00ff);
    assert(packed(INFINITY, -INFINITY, NAN, 0) == 0xff0000);
}

static void normal_counts_around_a_block(void) {
    for (size_t count = 120; count < 140; count++) {
        float *normals = noiseVectors(count, count);
        uint32_t *words = malloc(count * sizeof *words);
        assert(words);
        tv_pack_normals(words, normals, count, 0);
        for (size_t i = 0; i < count; i++)
            assert(words[i] == packed(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2], 0));
        free(normals);
        free(words);
    }
}

static void results_all_have_a_text(void) {
    for (int result = TV_OK; result <= TV_CODEC; result++)
        assert(strcmp(tv_result_text((tv_result)result), "unknown error"));
}

const test_case kNormalTests[] = {
    TEST(normal_bytes_are_truncated),
    TEST(normal_word_with_guard_is_no_denormal),
    TEST(normal_beyond_unit_stays_in_its_byte),
    TEST(normal_counts_around_a_block),
    TEST(results_all_have_a_text),
    END_OF_TESTS,
};
