/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points and normals into world space. Built without floating-point contraction: a fused
 * multiply-add would round otherwise than mathutils does.
 */
#include "truevat.h"

#include <math.h>
#include <string.h>

/* Vectors are taken apart into planes of this many, so that compilers vectorise the arithmetic. */
#define BLOCK 128

typedef struct {
    float x[BLOCK], y[BLOCK], z[BLOCK];
} planes;

static void split(planes *p, const float *vectors, size_t count) {
    for (size_t i = 0; i < count; i++) {
        p->x[i] = vectors[3 * i];
        p->y[i] = vectors[3 * i + 1];
        p->z[i] = vectors[3 * i + 2];
    }
}

static void join(float *vectors, const planes *p, size_t count) {
    for (size_t i = 0; i < count; i++) {
        vectors[3 * i] = p->x[i];
        vectors[3 * i + 1] = p->y[i];
        vectors[3 * i + 2] = p->z[i];
    }
}

static void transformRow(float *restrict out, const planes *restrict p, const float *row) {
    const float a = row[0], b = row[1], c = row[2];
    const double d = row[3];
    for (size_t i = 0; i < BLOCK; i++) {
        /* mathutils starts its sum at +0.0, which matters to a product of -0.0 */
        double sum = 0.0 + (double)(a * p->x[i]);
        sum += (double)(b * p->y[i]);
        sum += (double)(c * p->z[i]);
        out[i] = (float)(sum + d);
    }
}

static bool allFinite(const float *values, size_t count) {
    float sum = 0.0f; /* a finite x gives x * 0 = 0; NaN and infinity give NaN and spread */
    for (size_t i = 0; i < count; i++)
        sum += values[i] * 0.0f;
    return sum == 0.0f;
}

size_t tv_transform_points(float *destination, const float *source, size_t count,
                           const float matrix[16]) {
    planes in, out;
    size_t first_bad = count;
    memset(&in, 0, sizeof in);

    for (size_t start = 0; start < count; start += BLOCK) {
        size_t n = count - start < BLOCK ? count - start : BLOCK;
        split(&in, source + 3 * start, n);
        transformRow(out.x, &in, matrix);
        transformRow(out.y, &in, matrix + 4);
        transformRow(out.z, &in, matrix + 8);
        join(destination + 3 * start, &out, n);

        if (first_bad == count && !allFinite(destination + 3 * start, 3 * n))
            for (size_t i = start; i < start + n && first_bad == count; i++)
                if (!allFinite(destination + 3 * i, 3))
                    first_bad = i;
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

/* The squares of shorter ones leave float32's range: dividing by 0 sends them to normalizeSmall. */
static const float kShortest = 1e-15f;

static void rotateBlock(planes *restrict out, const planes *restrict in, const float m[9]) {
    for (size_t i = 0; i < BLOCK; i++) {
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

static bool normalizeSmall(float v[3], const float source[3], const float m[9]) {
    double x = (double)m[0] * source[0] + (double)m[1] * source[1] + (double)m[2] * source[2];
    double y = (double)m[3] * source[0] + (double)m[4] * source[1] + (double)m[5] * source[2];
    double z = (double)m[6] * source[0] + (double)m[7] * source[1] + (double)m[8] * source[2];
    double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0.0 && length < INFINITY))
        return false;
    v[0] = (float)(x / length);
    v[1] = (float)(y / length);
    v[2] = (float)(z / length);
    return true;
}

size_t tv_transform_normals(float *destination, const float *source, size_t count,
                            const float matrix[16]) {
    float m[9];
    planes in, out;
    size_t bad = 0;
    normalMatrix(m, matrix);
    memset(&in, 0, sizeof in);

    for (size_t start = 0; start < count; start += BLOCK) {
        size_t n = count - start < BLOCK ? count - start : BLOCK;
        split(&in, source + 3 * start, n);
        rotateBlock(&out, &in, m);
        join(destination + 3 * start, &out, n);

        if (allFinite(destination + 3 * start, 3 * n))
            continue;
        for (size_t i = start; i < start + n; i++) {
            float *v = destination + 3 * i;
            if (allFinite(v, 3))
                continue;
            if (!normalizeSmall(v, source + 3 * i, m)) {
                v[0] = v[1] = 0.0f;
                v[2] = 1.0f;
                bad++;
            }
        }
    }
    return bad;
}

static void growAxis(float *low, float *high, const float *values) {
    float least = *low, most = *high;
    for (size_t i = 0; i < BLOCK; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    *low = least;
    *high = most;
}

void tv_grow_bounds(float bounds[6], const float *points, size_t count) {
    planes p;
    for (size_t start = 0; start < count; start += BLOCK) {
        size_t n = count - start < BLOCK ? count - start : BLOCK;
        split(&p, points + 3 * start, n);
        for (size_t i = n; i < BLOCK; i++) { /* a full block, whatever is left */
            p.x[i] = p.x[0];
            p.y[i] = p.y[0];
            p.z[i] = p.z[0];
        }
        growAxis(&bounds[0], &bounds[3], p.x);
        growAxis(&bounds[1], &bounds[4], p.y);
        growAxis(&bounds[2], &bounds[5], p.z);
    }
}
