/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "harness.h"

static void expectLayout(size_t samples, size_t frames, size_t max_size, size_t width,
                         size_t height, size_t rows) {
    tv_layout layout;
    assert(tv_layout_power_of_two(&layout, samples, frames, max_size) == TV_OK);
    assert(layout.width == width && layout.height == height && layout.rows_per_frame == rows);
}

static void layout_takes_the_fewest_rows_then_the_smallest_width(void) {
    expectLayout(1, 1, 4096, 1, 2, 1);
    expectLayout(5, 3, 4096, 8, 4, 1);
    expectLayout(8, 3, 4096, 8, 4, 1);
    expectLayout(9, 4, 4096, 16, 8, 1);
    expectLayout(9, 3, 8, 8, 8, 2);
    expectLayout(17, 2, 16, 16, 8, 2);
    expectLayout(4097, 2, 4096, 4096, 8, 2);
    expectLayout(66564, 240, 8192, 8192, 4096, 9);
}

static void layout_of_no_samples_has_a_row(void) {
    expectLayout(0, 3, 16, 1, 4, 1);
}

static void layout_fills_the_texture_to_its_last_row(void) {
    expectLayout(16, 15, 16, 16, 16, 1);
    tv_layout layout;
    assert(tv_layout_power_of_two(&layout, 16, 16, 16) == TV_TOO_LARGE);
    assert(layout.rows_per_frame == 1 && layout.height == 17);
    assert(tv_layout_power_of_two(&layout, 17, 8, 16) == TV_TOO_LARGE);
    assert(layout.rows_per_frame == 2 && layout.height == 17);
}

static void layout_of_absurd_counts_does_not_overflow(void) {
    tv_layout layout;
    assert(tv_layout_power_of_two(&layout, SIZE_MAX, SIZE_MAX, 1) == TV_TOO_LARGE);
    assert(tv_layout_power_of_two(&layout, SIZE_MAX, 3, 16) == TV_TOO_LARGE);
    assert(tv_layout_power_of_two(&layout, 3, SIZE_MAX, 16) == TV_TOO_LARGE);
}

static void layout_uv_is_the_texel_centre_above_the_header(void) {
    const tv_layout layout = {.width = 4, .height = 8, .rows_per_frame = 2, .header_rows = 1};
    const int32_t slots[] = {0, 3, 4, 7};
    float uv[8];
    tv_layout_uv(uv, slots, 4, &layout);
    const float wanted[] = {0.125f, 0.1875f, 0.875f, 0.1875f, 0.125f, 0.3125f, 0.875f, 0.3125f};
    assert(!memcmp(uv, wanted, sizeof wanted));
}

const test_case kLayoutTests[] = {
    TEST(layout_takes_the_fewest_rows_then_the_smallest_width),
    TEST(layout_of_no_samples_has_a_row),
    TEST(layout_fills_the_texture_to_its_last_row),
    TEST(layout_of_absurd_counts_does_not_overflow),
    TEST(layout_uv_is_the_texel_centre_above_the_header),
    END_OF_TESTS,
};
