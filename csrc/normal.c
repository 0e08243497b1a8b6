/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals to bits.
 */
#include "truevat.h"

#include "planes.h"

TV_INLINE uint32_t packByte(float n) {
    float value = (n * 0.5f + 0.5f) * 255.0f;
    value = value > 0.0f ? value : 0.0f; /* a unit vector may exceed 1 by its rounding */
    value = value < 255.0f ? value : 255.0f;
    return (uint32_t)(int32_t)value;
}

TV_KERNEL
void tv_pack_planes(uint32_t *words, const tv_planes *normals, size_t count, uint32_t guard) {
    for (size_t i = 0; i < count; i++)
        words[i] = guard | packByte(normals->x[i]) << 16 | packByte(normals->y[i]) << 8 |
                   packByte(normals->z[i]);
}

void tv_pack_normals(uint32_t *words, const float *normals, size_t count, uint32_t guard) {
    tv_planes p;
    for (size_t start = 0; start < count; start += TV_BLOCK) {
        size_t n = count - start < TV_BLOCK ? count - start : TV_BLOCK;
        tv_split(&p, normals + 3 * start, n);
        tv_pack_planes(words + start, &p, n, guard);
    }
}
