/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * float32 to binary16 and back, the same on every processor.
 */
#include "truevat.h"

#include "kernel.h"

#include <string.h>

#ifdef TV_F16C
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#endif

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
void tv_from_half(float *values, const uint16_t *halves, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = fromHalf(halves[i]);
}

/* ---------------------------------------------------------------------------------------------
 * Vectors, and what rounding does to them
 *
 * No denormal half is written, which importers and samplers may take for 0: what is nearer to 0
 * than to the smallest other one becomes 0.
 */
static const float kSmallest = 0x1p-14f;

TV_INLINE float withoutDenormals(float value) {
    const uint32_t bits = bitsOf(value), size = bits & 0x7fffffffu;
    const uint32_t kept = size > bitsOf(kSmallest / 2) ? bitsOf(kSmallest) : 0u;
    return size < bitsOf(kSmallest) ? floatOf((bits & 0x80000000u) | kept) : value;
}

static float roundVectors(uint16_t *const halves[3], const float *const values[3], size_t first,
                          size_t count) {
    float most = 0;
    for (size_t i = first; i < count; i++) {
        float square = 0;
        for (size_t axis = 0; axis < 3; axis++) {
            const float value = values[axis][i];
            halves[axis][i] = toHalf(withoutDenormals(value));
            const float lost = fromHalf(halves[axis][i]) - value;
            square += lost * lost;
        }
        most = square > most ? square : most;
    }
    return most;
}

#ifdef TV_F16C
/* Compilers know no name for it that all of them take; "avx" says that the system saves its
 * registers. Asked once: in a virtual machine the answer takes longer than a block of vectors. */
static bool hasF16c(void) {
    static atomic_int known; /* 0: not yet asked, 1: no, 2: yes */
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (!answer) {
        unsigned a, b, c = 0, d;
        const bool has = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
        answer = has && __builtin_cpu_supports("avx") ? 2 : 1;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer == 2;
}

/* Processors with the instruction for it: the same halves, eight at a time. */
__attribute__((target("avx,f16c"))) static float
roundEights(uint16_t *const halves[3], const float *const values[3], size_t count) {
    const __m256 largest = _mm256_set1_ps(65504.0f), least = _mm256_set1_ps(-65504.0f);
    const __m256 smallest = _mm256_set1_ps(kSmallest), middle = _mm256_set1_ps(kSmallest / 2);
    const __m256 sign = _mm256_set1_ps(-0.0f);
    __m256 most = _mm256_setzero_ps();
    for (size_t i = 0; i + 8 <= count; i += 8) {
        __m256 square = _mm256_setzero_ps();
        for (size_t axis = 0; axis < 3; axis++) {
            const __m256 value = _mm256_loadu_ps(values[axis] + i);
            const __m256 size = _mm256_andnot_ps(sign, value);
            const __m256 small = _mm256_cmp_ps(size, smallest, _CMP_LT_OQ);
            const __m256 up = _mm256_and_ps(_mm256_cmp_ps(size, middle, _CMP_GT_OQ), smallest);
            const __m256 flat = _mm256_or_ps(up, _mm256_and_ps(sign, value));
            const __m256 near = _mm256_blendv_ps(value, flat, small);
            const __m256 kept = _mm256_max_ps(_mm256_min_ps(near, largest), least);
            const __m128i half = _mm256_cvtps_ph(kept, _MM_FROUND_TO_NEAREST_INT);
            const __m256 lost = _mm256_sub_ps(_mm256_cvtph_ps(half), value);
            _mm_storeu_si128((__m128i *)(void *)(halves[axis] + i), half);
            square = _mm256_add_ps(square, _mm256_mul_ps(lost, lost));
        }
        most = _mm256_max_ps(most, square);
    }
    float lanes[8], result = 0;
    _mm256_storeu_ps(lanes, most);
    for (size_t lane = 0; lane < 8; lane++)
        result = lanes[lane] > result ? lanes[lane] : result;
    return result;
}
#endif

#ifdef TV_F16C
__attribute__((target("avx,f16c"))) static void halveEights(uint16_t *halves, const float *values,
                                                            size_t count) {
    const __m256 largest = _mm256_set1_ps(65504.0f), least = _mm256_set1_ps(-65504.0f);
    for (size_t i = 0; i + 8 <= count; i += 8) {
        const __m256 value = _mm256_loadu_ps(values + i);
        const __m256 kept = _mm256_max_ps(_mm256_min_ps(value, largest), least);
        _mm_storeu_si128((__m128i *)(void *)(halves + i),
                         _mm256_cvtps_ph(kept, _MM_FROUND_TO_NEAREST_INT));
    }
}
#endif

void tv_to_half(uint16_t *halves, const float *values, size_t count) {
    size_t done = 0;
#ifdef TV_F16C
    if (hasF16c()) {
        halveEights(halves, values, count);
        done = count / 8 * 8;
    }
#endif
    for (size_t i = done; i < count; i++)
        halves[i] = toHalf(values[i]);
}

float tv_vectors_to_half(uint16_t *const halves[3], const float *const values[3], size_t count) {
    float most = 0;
    size_t done = 0;
#ifdef TV_F16C
    if (hasF16c()) {
        most = roundEights(halves, values, count);
        done = count / 8 * 8;
    }
#endif
    const float rest = roundVectors(halves, values, done, count);
    return rest > most ? rest : most;
}
