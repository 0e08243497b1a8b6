/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slots to texels.
 */
#include "truevat.h"

#include <string.h>

static size_t ceilDivide(size_t value, size_t by) {
    return value / by + (value % by != 0);
}

static size_t powerOfTwo(size_t least) {
    size_t value = 1;
    while (value < least)
        value *= 2;
    return value;
}

tv_result tv_layout_power_of_two(tv_layout *layout, size_t samples, size_t frames,
                                 size_t max_size) {
    size_t rows = ceilDivide(samples, max_size);
    rows = rows ? rows : 1;
    memset(layout, 0, sizeof *layout);
    layout->header_rows = 1;
    layout->rows_per_frame = rows;
    layout->width = powerOfTwo(ceilDivide(samples, rows));
    if (rows > (SIZE_MAX - 1) / (frames ? frames : 1)) {
        layout->height = SIZE_MAX;
        return TV_TOO_LARGE;
    }
    size_t needed = frames * rows + 1;
    if (needed > max_size) {
        layout->height = needed;
        return TV_TOO_LARGE;
    }
    layout->height = powerOfTwo(needed);
    return TV_OK;
}

void tv_layout_uv(float *uv, const int32_t *slots, size_t count, const tv_layout *layout) {
    const double width = (double)layout->width, height = (double)layout->height;
    for (size_t i = 0; i < count; i++) {
        const size_t slot = (size_t)slots[i];
        const size_t column = slot % layout->width;
        const size_t row = layout->header_rows + slot / layout->width;
        uv[2 * i] = (float)((double)column / width + 1.0 / (2.0 * width));
        uv[2 * i + 1] = (float)((double)row / height + 1.0 / (2.0 * height));
    }
}
