/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far points move from where they are in the first frame, before anything is written.
 */
#include "truevat.h"

#include <math.h>

enum { kBlock = 128 };

static void measureBlock(tv_offsets *offsets, const float *points, const float *rest, size_t count,
                         const float origin[3]) {
    float planes[3][kBlock];
    uint16_t halves[3][kBlock];
    for (size_t axis = 0; axis < 3; axis++)
        for (size_t i = 0; i < count; i++) {
            const float o = origin[axis];
            const float value = (points[3 * i + axis] - o) - (rest[3 * i + axis] - o);
            planes[axis][i] = value;
            offsets->low[axis] = fminf(offsets->low[axis], value);
            offsets->high[axis] = fmaxf(offsets->high[axis], value);
        }
    uint16_t *const out[3] = {halves[0], halves[1], halves[2]};
    const float *const in[3] = {planes[0], planes[1], planes[2]};
    offsets->error = fmaxf(offsets->error, tv_vectors_to_half(out, in, count));
}

tv_result tv_track_measure(const tv_track *track, size_t frame, const float *origins,
                           tv_offsets *offsets, tv_scratch *first, tv_scratch *scratch) {
    tv_frame rest, view;
    if (tv_track_taken(track, 0) || tv_track_taken(track, frame))
        return TV_OUT_OF_RANGE;
    tv_result result = tv_track_view(track, 0, &rest, first);
    if (!result)
        result = tv_track_view(track, frame, &view, scratch);
    if (result)
        return result;
    if (!rest.domains || !view.domains)
        return TV_MISMATCH;
    size_t start = 0;
    for (size_t part = 0; part < tv_track_part_count(track); part++) {
        const size_t end = start + tv_track_domain_size(track, part, TV_POINT);
        for (size_t i = start; i < end; i += kBlock)
            measureBlock(offsets, view.points + 3 * i, rest.points + 3 * i,
                         end - i < kBlock ? end - i : kBlock, origins + 3 * part);
        start = end;
    }
    return TV_OK;
}
