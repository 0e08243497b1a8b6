/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goes wrong on the worker's thread reaches the caller, whole.
 */
#include "harness.h"

#include <errno.h>
#include <math.h>

enum { kPoints = 40 };

static float points[3 * kPoints], normals[3 * kPoints];

static tv_part goodPart(void) {
    tv_part part = {0};
    for (size_t i = 0; i < 3 * kPoints; i++)
        points[i] = normals[i] = noise(i);
    part.points = points;
    part.normals = normals;
    part.point_count = part.normal_count = kPoints;
    part.domain = TV_POINT;
    memcpy(part.matrix, kIdentity, sizeof kIdentity);
    return part;
}

static tv_track *newTrack(size_t groups, size_t memory, const char *directory) {
    const tv_track_options options = {groups, memory, directory, 0};
    tv_track *track;
    assert(tv_track_create(&track, &options) == TV_OK);
    return track;
}

/* A second frame of `count` parts fails so. */
static tv_error secondFails(const tv_part *second, size_t count, tv_result wanted) {
    const tv_part good[2] = {goodPart(), goodPart()};
    tv_track *track = newTrack(1, SIZE_MAX, NULL);
    assert(tv_track_append(track, good, 2, 0) == TV_OK);
    tv_result result = tv_track_append(track, second, count, 1);
    assert(result == TV_OK && tv_track_finish(track) == wanted);
    assert(tv_track_append(track, good, 2, 2) == wanted); /* and it stays */
    assert(tv_track_frame_count(track) == 1);
    tv_error error = tv_track_error(track);
    assert(error.result == wanted && error.frame == 1);
    tv_track_destroy(track);
    return error;
}

static void error_of_a_position_names_frame_part_and_vertex(void) {
    tv_part parts[2] = {goodPart(), goodPart()};
    float bad[3 * kPoints];
    memcpy(bad, points, sizeof bad);
    bad[3 * 17 + 1] = NAN;
    parts[1].points = bad;
    tv_error error = secondFails(parts, 2, TV_NOT_FINITE);
    assert(error.part == 1 && error.vertex == 17);
}

static void error_is_whole_when_append_returns_it(void) {
    for (size_t attempt = 0; attempt < 50; attempt++) {
        tv_track *track = newTrack(1, SIZE_MAX, NULL);
        tv_part part = goodPart(), bad = part;
        bad.matrix[3] = INFINITY;
        tv_result result = TV_OK;
        for (size_t frame = 0; !result; frame++) {
            assert(frame < 4);
            result = tv_track_append(track, frame ? &bad : &part, 1, frame);
        }
        tv_error error = tv_track_error(track);
        assert(result == TV_NOT_FINITE && error.result == result && error.frame == 1);
        tv_track_destroy(track);
    }
}

static void error_of_counts_that_change(void) {
    tv_part parts[2] = {goodPart(), goodPart()};
    secondFails(parts, 1, TV_MISMATCH);
    parts[1].point_count--;
    assert(secondFails(parts, 2, TV_MISMATCH).part == 1);
    parts[1] = goodPart();
    parts[1].normal_count--;
    assert(secondFails(parts, 2, TV_MISMATCH).part == 1);
}

static void error_of_a_group_that_is_not_there(void) {
    tv_part parts[2] = {goodPart(), goodPart()};
    parts[1].group = 1;
    assert(secondFails(parts, 2, TV_MISMATCH).part == 1);
}

static void error_of_faces_that_come_after_none(void) {
    tv_part none = goodPart(), some = goodPart();
    none.domain = some.domain = TV_FACE;
    none.normal_count = 0;
    tv_track *track = newTrack(1, SIZE_MAX, NULL);
    assert(tv_track_append(track, &none, 1, 0) == TV_OK);
    assert(tv_track_append(track, &some, 1, 1) == TV_OK);
    assert(tv_track_finish(track) == TV_MISMATCH);
    tv_track_destroy(track);
}

static void error_of_own_samples_among_shared_ones(void) {
    const int32_t none[1] = {0};
    tv_part parts[2] = {goodPart(), goodPart()};
    parts[1].sample_point = parts[1].sample_normal = none;
    secondFails(parts, 2, TV_MISMATCH);
}

static void error_of_samples_outside_their_arrays(void) {
    for (int what = 0; what < 4; what++) {
        int32_t point[] = {0, 1}, normal[] = {0, 1};
        tv_part part = goodPart();
        part.sample_point = point;
        part.sample_normal = normal;
        part.sample_count = 2;
        (what % 2 ? point : normal)[1] = what / 2 ? -1 : kPoints;
        secondFails(&part, 1, TV_OUT_OF_RANGE);
    }
}

static void error_of_a_folder_that_is_not_there(void) {
    tv_part part = goodPart();
    tv_track *track = newTrack(1, 0, "/nonexistent/truevat");
    assert(tv_track_append(track, &part, 1, 0) == TV_OK);
    assert(tv_track_finish(track) == TV_IO);
    assert(tv_track_error(track).system == ENOENT);
    tv_track_destroy(track);
}

static void error_of_more_groups_than_memory(void) {
    const size_t groups[] = {SIZE_MAX / 16, (size_t)1 << 61}; /* 24 bytes each: 0 modulo 2^64 */
    for (size_t i = 0; i < 2; i++) {
        const tv_track_options options = {groups[i], 0, NULL, 0};
        tv_track *track;
        assert(tv_track_create(&track, &options) == TV_OUT_OF_MEMORY && !track);
    }
}

static void error_of_keys_outside_their_arrays(void) {
    tv_part part = goodPart();
    tv_track *track = newTrack(1, 0, NULL);
    const int32_t zero[2] = {0}, beyond[2] = {0, kPoints}, negative[2] = {0, -1}, one[2] = {0, 1};
    uint64_t keys[4];
    assert(tv_track_append(track, &part, 1, 0) == TV_OK);
    part.domain = TV_CORNER;
    part.normal_count = 1;
    assert(tv_track_append(track, &part, 1, 1) == TV_OK);
    assert(tv_track_finish(track) == TV_OK);
    assert(tv_track_keys(track, 0, keys, zero, zero, 1) == TV_OK);
    assert(tv_track_keys(track, 0, keys, zero, beyond, 1) == TV_OK); /* no normal is at a face */
    assert(tv_track_keys(track, 0, keys, zero, zero, 2) == TV_OUT_OF_RANGE);
    assert(tv_track_keys(track, 0, keys, beyond + 1, zero, 1) == TV_OUT_OF_RANGE);
    assert(tv_track_keys(track, 0, keys, negative + 1, zero, 1) == TV_OUT_OF_RANGE);
    assert(tv_track_keys(track, 1, keys, zero, zero, 1) == TV_OUT_OF_RANGE);
    tv_track_destroy(track);

    track = newTrack(1, 0, NULL);
    part.domain = TV_FACE;
    assert(tv_track_append(track, &part, 1, 0) == TV_OK);
    assert(tv_track_finish(track) == TV_OK);
    assert(tv_track_keys(track, 0, keys, zero, zero, 2) == TV_OK);
    assert(tv_track_keys(track, 0, keys, zero, one, 2) == TV_OUT_OF_RANGE);
    assert(tv_track_keys(track, 0, keys, zero, negative, 2) == TV_OUT_OF_RANGE);
    tv_track_destroy(track);
}

const test_case kTrackErrorTests[] = {
    TEST(error_of_a_position_names_frame_part_and_vertex),
    TEST(error_is_whole_when_append_returns_it),
    TEST(error_of_counts_that_change),
    TEST(error_of_a_group_that_is_not_there),
    TEST(error_of_faces_that_come_after_none),
    TEST(error_of_own_samples_among_shared_ones),
    TEST(error_of_samples_outside_their_arrays),
    TEST(error_of_a_folder_that_is_not_there),
    TEST(error_of_more_groups_than_memory),
    TEST(error_of_keys_outside_their_arrays),
    END_OF_TESTS,
};
