/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "harness.h"

static void slots_are_numbered_as_first_seen(void) {
    const uint64_t keys[] = {9, 1, 5, 1, 9, 1, 9, 2, 5, 1};
    int32_t slots[5], first[5];
    size_t used;
    assert(tv_assign_slots(slots, first, &used, keys, 5) == TV_OK);
    const int32_t wanted[] = {0, 1, 0, 2, 1}, seen[] = {0, 1, 3};
    assert(used == 3 && !memcmp(slots, wanted, sizeof wanted) && !memcmp(first, seen, sizeof seen));
}

static void slots_of_nothing(void) {
    size_t used = 7;
    assert(tv_assign_slots(NULL, NULL, &used, NULL, 0) == TV_OK && used == 0);
}

static void slots_of_keys_that_fall_into_one_place(void) {
    enum { kCount = 300 };
    uint64_t keys[2 * kCount];
    int32_t slots[kCount], first[kCount];
    size_t used;
    for (size_t i = 0; i < kCount; i++) { /* one low half, many high ones */
        keys[2 * i] = UINT64_MAX;
        keys[2 * i + 1] = i % 100;
    }
    assert(tv_assign_slots(slots, first, &used, keys, kCount) == TV_OK && used == 100);
    for (size_t i = 0; i < kCount; i++)
        assert(slots[i] == (int32_t)(i % 100));
}

static void slots_of_a_million_different_keys(void) {
    enum { kCount = 1000000 };
    uint64_t *keys = malloc(2 * kCount * sizeof *keys);
    int32_t *slots = malloc(kCount * sizeof *slots), *first = malloc(kCount * sizeof *first);
    size_t used;
    assert(keys && slots && first);
    for (size_t i = 0; i < kCount; i++) {
        keys[2 * i] = i * 0x9e3779b97f4a7c15u;
        keys[2 * i + 1] = i;
    }
    assert(tv_assign_slots(slots, first, &used, keys, kCount) == TV_OK && used == kCount);
    for (size_t i = 0; i < kCount; i++)
        assert(slots[i] == (int32_t)i && first[i] == (int32_t)i);
    free(keys);
    free(slots);
    free(first);
}

static void slots_refuse_more_than_their_numbers_hold(void) {
    size_t used = 7;
    assert(tv_assign_slots(NULL, NULL, &used, NULL, (size_t)INT32_MAX + 1) == TV_TOO_LARGE);
    assert(used == 0);
}

const test_case kSlotsTests[] = {
    TEST(slots_are_numbered_as_first_seen),          TEST(slots_of_nothing),
    TEST(slots_of_keys_that_fall_into_one_place),    TEST(slots_of_a_million_different_keys),
    TEST(slots_refuse_more_than_their_numbers_hold), END_OF_TESTS,
};
