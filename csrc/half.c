/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * float32 to binary16 and back, the same on every processor.
 */
#include "truevat.h"

#include "kernel.h"

#include <string.h>

TV_INLINE uint32_t bitsOf(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

TV_INLINE float floatOf(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

TV_INLINE uint16_t toHalf(float value) {
    const uint32_t bits = bitsOf(value), sign = bits >> 16 & 0x8000u;
    uint32_t size = bits & 0x7fffffffu;
    size = size < 0x477fe000u ? size : 0x477fe000u; /* 65504, the largest */
    /* half an ulp less one, plus one if the last bit that stays is odd: ties to even */
    const uint32_t normal = (size + 0xfffu + (size >> 13 & 1u) - 0x38000000u) >> 13;
    /* added to 0.5, whose ulp is that of the smallest halves, the float unit rounds */
    const uint32_t small = bitsOf(floatOf(size) + 0.5f) - 0x3f000000u;
    return (uint16_t)(sign | (size < 0x38800000u ? small : normal));
}

TV_INLINE float fromHalf(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, size = half & 0x7fffu;
    const float normal = floatOf((size << 13) + 0x38000000u);
    const float small = (float)size * (1.0f / 16777216.0f);
    return floatOf(sign | bitsOf(size < 0x400u ? small : normal));
}

TV_KERNEL
void tv_to_half(uint16_t *halves, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        halves[i] = toHalf(values[i]);
}

TV_KERNEL
void tv_from_half(float *values, const uint16_t *halves, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = fromHalf(halves[i]);
}
