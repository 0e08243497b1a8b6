/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points and normals into world space. Built without floating-point contraction: a fused
 * multiply-add would round otherwise than mathutils does.
 */
#include "truevat.h"

#include "planes.h"

#include <math.h>
#include <string.h>

TV_INLINE bool isFinite(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x7f800000u) != 0x7f800000u;
}

TV_INLINE bool planeFinite(const float *values) {
    uint32_t bad = 0;
    for (size_t i = 0; i < TV_BLOCK; i++)
        bad |= (uint32_t)!isFinite(values[i]);
    return !bad;
}

TV_INLINE bool allFinite(const tv_planes *p) {
    return planeFinite(p->x) && planeFinite(p->y) && planeFinite(p->z);
}

/* A block is always worked on whole: what a short one lacks is its first vector again. */
TV_INLINE void splitWhole(tv_planes *p, const float *vectors, size_t count) {
    tv_split(p, vectors, count);
    for (size_t i = count; i < TV_BLOCK; i++) {
        p->x[i] = p->x[0];
        p->y[i] = p->y[0];
        p->z[i] = p->z[0];
    }
}

TV_INLINE size_t blockCount(size_t count, size_t start) {
    return count - start < TV_BLOCK ? count - start : TV_BLOCK;
}

TV_INLINE void transformRow(float *restrict out, const tv_planes *restrict p, const float *row) {
    const float a = row[0], b = row[1], c = row[2];
    const double d = row[3];
    for (size_t i = 0; i < TV_BLOCK; i++) {
        /* mathutils starts its sum at +0.0, which matters to a product of -0.0 */
        double sum = 0.0 + (double)(a * p->x[i]);
        sum += (double)(b * p->y[i]);
        sum += (double)(c * p->z[i]);
        out[i] = (float)(sum + d);
    }
}

/* Halves against each other, since a running minimum waits for the one before. */
TV_INLINE void growAxis(float *low, float *high, const float *values) {
    float least[TV_BLOCK / 2], most[TV_BLOCK / 2];
    for (size_t i = 0; i < TV_BLOCK / 2; i++) {
        const float a = values[i], b = values[i + TV_BLOCK / 2];
        least[i] = b < a ? b : a;
        most[i] = b > a ? b : a;
    }
    for (size_t half = TV_BLOCK / 4; half >= 8; half /= 2)
        for (size_t i = 0; i < half; i++) {
            least[i] = least[i + half] < least[i] ? least[i + half] : least[i];
            most[i] = most[i + half] > most[i] ? most[i + half] : most[i];
        }
    for (size_t i = 0; i < 8; i++) {
        *low = least[i] < *low ? least[i] : *low;
        *high = most[i] > *high ? most[i] : *high;
    }
}

static size_t firstBad(const tv_planes *p, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isFinite(p->x[i]) || !isFinite(p->y[i]) || !isFinite(p->z[i]))
            return i;
    return count;
}

TV_KERNEL
size_t tv_transform_points(float *destination, const float *source, size_t count,
                           const float matrix[16], float bounds[6]) {
    tv_planes in, out;
    size_t first_bad = count;

    for (size_t start = 0; start < count; start += TV_BLOCK) {
        size_t n = blockCount(count, start);
        splitWhole(&in, source + 3 * start, n);
        transformRow(out.x, &in, matrix);
        transformRow(out.y, &in, matrix + 4);
        transformRow(out.z, &in, matrix + 8);
        tv_join(destination + 3 * start, &out, n);

        if (bounds) {
            growAxis(&bounds[0], &bounds[3], out.x);
            growAxis(&bounds[1], &bounds[4], out.y);
            growAxis(&bounds[2], &bounds[5], out.z);
        }
        if (first_bad == count && !allFinite(&out))
            first_bad = start + firstBad(&out, n);
    }
    return first_bad;
}

/* The cofactor matrix times the determinant's sign is the inverse transpose up to a positive
 * scale, and is defined for a singular matrix too. Scaled so that float32 can neither overflow nor
 * lose it. */
static void normalMatrix(float out[9], const float m[16]) {
    double cofactor[9], largest = 0.0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            int r1 = (row + 1) % 3, r2 = (row + 2) % 3;
            int c1 = (column + 1) % 3, c2 = (column + 2) % 3;
            double value =
                (double)m[4 * r1 + c1] * m[4 * r2 + c2] - (double)m[4 * r1 + c2] * m[4 * r2 + c1];
            cofactor[3 * row + column] = value;
            largest = fabs(value) > largest ? fabs(value) : largest;
        }
    double determinant = m[0] * cofactor[0] + m[1] * cofactor[1] + m[2] * cofactor[2];
    double scale = largest > 0.0 ? (determinant < 0.0 ? -1.0 : 1.0) / largest : 0.0;
    for (int i = 0; i < 9; i++)
        out[i] = (float)(cofactor[i] * scale);
}

/* The squares of shorter ones leave float32's range: dividing by 0 sends them to rescue(). */
static const float kShortest = 1e-15f;

TV_INLINE void rotateBlock(tv_planes *restrict out, const tv_planes *restrict in,
                           const float m[9]) {
    for (size_t i = 0; i < TV_BLOCK; i++) {
        float x = m[0] * in->x[i] + m[1] * in->y[i] + m[2] * in->z[i];
        float y = m[3] * in->x[i] + m[4] * in->y[i] + m[5] * in->z[i];
        float z = m[6] * in->x[i] + m[7] * in->y[i] + m[8] * in->z[i];
        float length = sqrtf(x * x + y * y + z * z);
        length = length > kShortest && length < INFINITY ? length : 0.0f;
        float scale = 1.0f / length;
        out->x[i] = x * scale;
        out->y[i] = y * scale;
        out->z[i] = z * scale;
    }
}

/* In double, for normals that float32 cannot normalise; false if there is no direction. */
static bool rescue(tv_planes *out, const tv_planes *in, size_t i, const float m[9]) {
    double x = (double)m[0] * in->x[i] + (double)m[1] * in->y[i] + (double)m[2] * in->z[i];
    double y = (double)m[3] * in->x[i] + (double)m[4] * in->y[i] + (double)m[5] * in->z[i];
    double z = (double)m[6] * in->x[i] + (double)m[7] * in->y[i] + (double)m[8] * in->z[i];
    double length = sqrt(x * x + y * y + z * z);
    bool good = length > 0.0 && length < INFINITY;
    out->x[i] = good ? (float)(x / length) : 0.0f;
    out->y[i] = good ? (float)(y / length) : 0.0f;
    out->z[i] = good ? (float)(z / length) : 1.0f;
    return good;
}

/* One block; returns how many had no direction. */
TV_INLINE size_t transformBlock(tv_planes *out, const float *source, size_t count,
                                const float m[9]) {
    tv_planes in;
    size_t bad = 0;
    splitWhole(&in, source, count);
    rotateBlock(out, &in, m);
    if (allFinite(out))
        return 0;
    for (size_t i = 0; i < count; i++)
        if (!isFinite(out->x[i]) || !isFinite(out->y[i]) || !isFinite(out->z[i]))
            bad += !rescue(out, &in, i, m);
    return bad;
}

TV_KERNEL
size_t tv_transform_normals(float *destination, const float *source, size_t count,
                            const float matrix[16]) {
    float m[9];
    tv_planes out;
    size_t bad = 0;
    normalMatrix(m, matrix);
    for (size_t start = 0; start < count; start += TV_BLOCK) {
        size_t n = blockCount(count, start);
        bad += transformBlock(&out, source + 3 * start, n, m);
        tv_join(destination + 3 * start, &out, n);
    }
    return bad;
}

TV_KERNEL
size_t tv_transform_pack_normals(uint32_t *words, const float *source, size_t count,
                                 const float matrix[16], tv_normal_code code) {
    float m[9];
    tv_planes out;
    size_t bad = 0;
    normalMatrix(m, matrix);
    for (size_t start = 0; start < count; start += TV_BLOCK) {
        size_t n = blockCount(count, start);
        bad += transformBlock(&out, source + 3 * start, n, m);
        tv_pack_planes(words + start, &out, n, code);
    }
    return bad;
}
