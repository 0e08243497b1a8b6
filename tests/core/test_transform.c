/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "harness.h"

#include <math.h>

/* Around the size of a block, in which compilers vectorise. */
static const size_t kCounts[] = {0, 1, 2, 3, 4, 5, 127, 128, 129, 255, 257};
enum { kCountsSize = sizeof kCounts / sizeof *kCounts };

static const float kShear[16] = {0.1f, 0.7f,  -3, 100.3f, 2, 1e-3f, 0.5f, -7,
                                 0.3f, -0.9f, 4,  0.01f,  0, 0,     0,    1};

static float expected(const float *row, const float *v) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        volatile float product = row[i] * v[i];
        sum += product;
    }
    return (float)(sum + row[3]);
}

static void transform_multiplies_in_float_and_sums_in_double(void) {
    for (size_t c = 0; c < kCountsSize; c++) {
        float *source = noiseVectors(kCounts[c], c), *world = noiseVectors(kCounts[c], 0);
        assert(tv_transform_points(world, source, kCounts[c], kShear, NULL) == kCounts[c]);
        for (size_t i = 0; i < 3 * kCounts[c]; i++) {
            float wanted = expected(kShear + 4 * (i % 3), source + i / 3 * 3);
            assert(!memcmp(&world[i], &wanted, sizeof wanted));
        }
        free(source);
        free(world);
    }
}

static void transform_names_the_first_point_that_is_not_finite(void) {
    const float bad[] = {NAN, INFINITY, -INFINITY};
    float *source = noiseVectors(300, 1), *world = noiseVectors(300, 0);
    for (size_t at = 0; at < 300; at += 13) {
        float old = source[3 * at + at % 3];
        source[3 * at + at % 3] = bad[at % 3];
        source[3 * 299] = NAN;
        assert(tv_transform_points(world, source, 300, kIdentity, NULL) == at);
        source[3 * at + at % 3] = old;
    }
    free(source);
    free(world);
}

static void transform_calls_an_overflow_not_finite(void) {
    const float matrix[16] = {1e30f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const float source[] = {1, 1, 1, 1e30f, 0, 0};
    float world[6];
    assert(tv_transform_points(world, source, 2, matrix, NULL) == 1);
}

static void transform_widens_bounds_and_nothing_else(void) {
    for (size_t c = 1; c < kCountsSize; c++) {
        float bounds[6] = {0.5f, INFINITY, INFINITY, 0.5f, -INFINITY, -INFINITY};
        float *source = noiseVectors(kCounts[c], 9), *world = noiseVectors(kCounts[c], 0);
        float low[3] = {0.5f, INFINITY, INFINITY}, high[3] = {0.5f, -INFINITY, -INFINITY};
        tv_transform_points(world, source, kCounts[c], kShear, bounds);
        for (size_t i = 0; i < 3 * kCounts[c]; i++) {
            low[i % 3] = fminf(low[i % 3], world[i]);
            high[i % 3] = fmaxf(high[i % 3], world[i]);
        }
        assert(!memcmp(bounds, low, sizeof low) && !memcmp(bounds + 3, high, sizeof high));
        free(source);
        free(world);
    }
}

static void expectNormal(const float matrix[16], float x, float y, float z, float wx, float wy,
                         float wz) {
    const float source[] = {x, y, z};
    float world[3];
    assert(tv_transform_normals(world, source, 1, matrix) == 0);
    assert(fabsf(world[0] - wx) < 1e-6f && fabsf(world[1] - wy) < 1e-6f &&
           fabsf(world[2] - wz) < 1e-6f);
}

static void normals_go_by_the_inverse_transpose(void) {
    const float stretch[16] = {2, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1};
    const float mirror[16] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const float flat[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    const float tiny[16] = {1e-30f, 0, 0, 0, 0, 1e-30f, 0, 0, 0, 0, 1e-30f, 0, 0, 0, 0, 1};
    const float root = sqrtf(0.5f);
    expectNormal(stretch, root, root, 0, 1 / sqrtf(5), 2 / sqrtf(5), 0);
    expectNormal(mirror, root, root, 0, -root, root, 0);
    expectNormal(flat, root, 0, root, 0, 0, 1);
    expectNormal(tiny, root, root, 0, root, root, 0);
}

static void normals_of_any_length_become_unit(void) {
    const float sizes[] = {1e-44f, 1e-38f, 1e-20f, 1, 1e18f, 1e38f};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        expectNormal(kIdentity, 0, -sizes[i], 0, 0, -1, 0);
}

static void normals_without_direction_are_counted_and_point_up(void) {
    const float nothing[16] = {0};
    float *source = noiseVectors(300, 3), *world = noiseVectors(300, 0);
    uint32_t words[300], packed[300];
    memset(source + 3 * 5, 0, 3 * sizeof(float));
    source[3 * 127] = NAN;
    source[3 * 299 + 2] = -INFINITY;
    assert(tv_transform_normals(world, source, 300, kIdentity) == 3);
    for (size_t i = 0; i < 3; i++) {
        const float *v = world + 3 * (const size_t[]){5, 127, 299}[i];
        assert(v[0] == 0 && v[1] == 0 && v[2] == 1);
    }
    assert(tv_transform_pack_normals(words, source, 300, kIdentity, TV_NORMAL_XYZ8_GUARDED) == 3);
    tv_pack_normals(packed, world, 300, TV_NORMAL_XYZ8_GUARDED);
    assert(!memcmp(words, packed, sizeof words));
    assert(tv_transform_normals(world, source, 300, nothing) == 300);
    free(source);
    free(world);
}

/* Mirrored, flat, skewed, huge, and with denormal entries. */
static const float kMatrices[][16] = {
    {-1, 0, 0, 3, 0, 1, 0, -2, 0, 0, 1, 0.5f, 0, 0, 0, 1},
    {0.5f, -2, 0.25f, 1e4f, 1.5f, 0.3f, -0.7f, -0.0f, 0.1f, 0.9f, -3, 1e-41f, 0, 0, 0, 1},
    {1, 0, 0, 0, 0, -0.0f, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1},
    {1e-40f, 3e-42f, 0, 1e-45f, 0, -2e-39f, 0, 0, 1e-44f, 0, 5e-40f, 0, 0, 0, 0, 1},
    {1e18f, 2e17f, 0, 0, 0, 3e18f, -1e16f, 7, 0, 0, -2e18f, 0, 0, 0, 0, 1},
};
enum { kMatricesSize = sizeof kMatrices / sizeof *kMatrices };

/* Noise, with denormals, zeros of both signs and large numbers among it. */
static float *oddVectors(size_t count, size_t seed) {
    static const float kOdd[] = {0, -0.0f, 1e-45f, -1e-40f, 1.1754942e-38f, 1e18f, -3e-20f};
    float *vectors = noiseVectors(count, seed);
    for (size_t i = 0; i < 3 * count; i += 2)
        if ((i + seed) % 5 == 0 || i / 3 % 11 == 4)
            vectors[i] = kOdd[i % 7];
    for (size_t i = 7; i < count; i += 29)
        memset(vectors + 3 * i, 0, 3 * sizeof *vectors);
    return vectors;
}

/* As tv_transform_normals does it, one number after the other: volatile keeps compilers from
 * putting two operations into one, and from doing several at once. */
typedef volatile float single;
typedef volatile double twice;

static void plainNormalMatrix(single out[9], const float *m) {
    twice cofactor[9], largest = 0;
    for (int i = 0; i < 9; i++) {
        int r1 = (i / 3 + 1) % 3, r2 = (i / 3 + 2) % 3, c1 = (i + 1) % 3, c2 = (i + 2) % 3;
        twice first = (double)m[4 * r1 + c1] * m[4 * r2 + c2];
        twice second = (double)m[4 * r1 + c2] * m[4 * r2 + c1];
        cofactor[i] = first - second;
        largest = fmax(largest, fabs(cofactor[i]));
    }
    twice determinant = m[0] * cofactor[0];
    for (int i = 1; i < 3; i++) {
        twice product = m[i] * cofactor[i];
        determinant += product;
    }
    twice scale = largest > 0 ? (determinant < 0 ? -1.0 : 1.0) / largest : 0;
    for (int i = 0; i < 9; i++)
        out[i] = (float)(cofactor[i] * scale);
}

static bool plainNormal(float *world, const float *v, const single m[9]) {
    single turned[3], squares = 0;
    for (int row = 0; row < 3; row++) {
        single a = m[3 * row] * v[0], b = m[3 * row + 1] * v[1], c = m[3 * row + 2] * v[2];
        turned[row] = a + b;
        turned[row] += c;
        single square = turned[row] * turned[row];
        squares = row ? squares + square : square;
    }
    single length = sqrtf(squares);
    if (length > 1e-15f && length < INFINITY) {
        single scale = 1 / length;
        for (int i = 0; i < 3; i++)
            world[i] = turned[i] * scale;
        return true;
    }
    twice exact[3], sum = 0;
    for (int row = 0; row < 3; row++) {
        twice a = (double)m[3 * row] * v[0], b = (double)m[3 * row + 1] * v[1];
        twice c = (double)m[3 * row + 2] * v[2];
        exact[row] = a + b;
        exact[row] += c;
        twice square = exact[row] * exact[row];
        sum += square;
    }
    twice root = sqrt(sum);
    for (int i = 0; i < 3; i++)
        world[i] = root > 0 ? (float)(exact[i] / root) : (float)(i == 2);
    return root > 0;
}

static uint32_t plainWord(const float *normal, uint32_t guard) {
    uint32_t word = guard;
    for (int i = 0; i < 3; i++) {
        single value = normal[i] * 0.5f;
        value += 0.5f;
        value *= 255.0f;
        word |= (uint32_t)fminf(fmaxf(value, 0), 255) << (16 - 8 * i);
    }
    return word;
}

static uint64_t digestOf(uint64_t digest, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ bytes[i]) * 0x100000001b3u; /* FNV-1a */
    return digest;
}

static void transform_is_the_same_everywhere(void) {
    uint64_t digest = 0xcbf29ce484222325u;
    for (size_t m = 0; m < kMatricesSize; m++)
        for (size_t c = 0; c < kCountsSize; c++) {
            const size_t count = kCounts[c];
            float *source = oddVectors(count, c), *world = noiseVectors(count, 0);
            assert(tv_transform_points(world, source, count, kMatrices[m], NULL) == count);
            for (size_t i = 0; i < 3 * count; i++) {
                float wanted = expected(kMatrices[m] + 4 * (i % 3), source + i / 3 * 3);
                assert(!memcmp(&world[i], &wanted, sizeof wanted));
            }
            digest = digestOf(digest, world, 3 * count * sizeof *world);
            free(source);
            free(world);
        }
    assert(digest == 0xd21e4a94eb6a2424u);
}

static void normals_are_the_same_everywhere(void) {
    uint64_t digest = 0xcbf29ce484222325u;
    for (size_t m = 0; m < kMatricesSize; m++)
        for (size_t c = 0; c < kCountsSize; c++) {
            const size_t count = kCounts[c];
            float *source = oddVectors(count, c), *world = noiseVectors(count, 0);
            uint32_t words[300];
            single matrix[9];
            size_t bad = 0;
            plainNormalMatrix(matrix, kMatrices[m]);
            const size_t told = tv_transform_normals(world, source, count, kMatrices[m]);
            assert(tv_transform_pack_normals(words, source, count, kMatrices[m],
                                             TV_NORMAL_XYZ8_GUARDED) == told);
            for (size_t i = 0; i < count; i++) {
                float wanted[3];
                bad += !plainNormal(wanted, source + 3 * i, matrix);
                assert(!memcmp(world + 3 * i, wanted, sizeof wanted));
                assert(words[i] == plainWord(wanted, 1u << 30));
            }
            assert(told == bad);
            digest = digestOf(digest, world, 3 * count * sizeof *world);
            free(source);
            free(world);
        }
    assert(digest == 0x2cbdc83e4010a30du);
}

const test_case kTransformTests[] = {
    TEST(transform_multiplies_in_float_and_sums_in_double),
    TEST(transform_names_the_first_point_that_is_not_finite),
    TEST(transform_calls_an_overflow_not_finite),
    TEST(transform_widens_bounds_and_nothing_else),
    TEST(transform_is_the_same_everywhere),
    TEST(normals_go_by_the_inverse_transpose),
    TEST(normals_of_any_length_become_unit),
    TEST(normals_without_direction_are_counted_and_point_up),
    TEST(normals_are_the_same_everywhere),
    END_OF_TESTS,
};
