/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trajectories to slots: an open-addressing hash table over keys that are hashes already.
 */
#include "truevat.h"

#include <stdlib.h>
#include <string.h>

tv_result tv_assign_slots(int32_t *slots, int32_t *first, size_t *slot_count, const uint64_t *keys,
                          size_t count) {
    *slot_count = 0;
    if (count > INT32_MAX)
        return TV_TOO_LARGE;

    size_t capacity = 16;
    while (capacity < 2 * count)
        capacity *= 2;
    int32_t *table = malloc(capacity * sizeof *table);
    if (!table)
        return TV_OUT_OF_MEMORY;
    memset(table, 0xff, capacity * sizeof *table); /* -1: empty */

    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t *key = keys + 2 * i;
        size_t place = (size_t)key[0] & (capacity - 1);
        int32_t slot;
        while ((slot = table[place]) >= 0) {
            const uint64_t *other = keys + 2 * (size_t)first[slot];
            if (other[0] == key[0] && other[1] == key[1])
                break;
            place = (place + 1) & (capacity - 1);
        }
        if (slot < 0) {
            slot = (int32_t)used++;
            table[place] = slot;
            first[slot] = (int32_t)i;
        }
        slots[i] = slot;
    }
    free(table);
    *slot_count = used;
    return TV_OK;
}
