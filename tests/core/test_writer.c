/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One part of 600 points; frame by frame, at the end, and half of each: the same file.
 */
#include "harness.h"

#include "writer.h"

#include <errno.h>
#include <unistd.h>

enum { kPoints = 600, kFrames = 8, kWidth = 256, kRows = 3 };

static int32_t kIndex[kPoints], kReversed[kPoints], kHalf[kPoints];
static const int64_t kStart[] = {0, kPoints};
static const float kOrigin[] = {1, 2, 3};
static const int32_t kOrder[kFrames] = {0, 1, 2, 3, 4, 5, 6, 7};
static float *points[kFrames], *normals[kFrames];
static const char *folder;
static float rest[3 * kPoints], reversed_rest[3 * kPoints];
static bool halves; /* of the textures that are made */

static void begin(void) {
    folder = newFolder();
    for (size_t i = 0; i < kPoints; i++) {
        kIndex[i] = (int32_t)i;
        kReversed[i] = (int32_t)(kPoints - 1 - i);
        kHalf[i] = (int32_t)(i / 2);
    }
    for (size_t frame = 0; frame < kFrames; frame++) {
        points[frame] = noiseVectors(kPoints, frame);
        normals[frame] = noiseVectors(kPoints, 100 + frame);
    }
    for (size_t axis = 0; axis < 3; axis++)
        for (size_t i = 0; i < kPoints; i++) {
            rest[axis * kPoints + i] = points[0][3 * i + axis] - kOrigin[axis];
            reversed_rest[axis * kPoints + kPoints - 1 - i] = rest[axis * kPoints + i];
        }
}

static void pathOf(char path[256], const char *name) {
    snprintf(path, 256, "%s/%s", folder, name);
}

/* The file `left` is still there, or NULL. */
static void end(const char *left) {
    char path[256];
    pathOf(path, left ? left : "");
    assert(!left || unlink(path) == 0);
    forgetFolder();
    for (size_t frame = 0; frame < kFrames; frame++) {
        free(points[frame]);
        free(normals[frame]);
    }
}

static tv_result append(tv_track *track, size_t frame, tv_domain domain) {
    tv_part part;
    memset(&part, 0, sizeof part);
    part.points = points[frame];
    part.point_count = kPoints;
    part.normals = normals[frame];
    part.domain = domain;
    part.normal_count = domain == TV_FACE ? kPoints / 2 : kPoints;
    memcpy(part.matrix, kIdentity, sizeof kIdentity);
    return tv_track_append(track, &part, 1, frame);
}

static tv_texture textureOf(const tv_track *track, const int32_t *sample) {
    tv_texture texture = {
        .track = track,
        .samples = {1, kStart, sample, kHalf, kIndex, kOrigin},
        .frames = kOrder,
        .frame_count = kFrames,
        .slots = kPoints,
        .layout = {.width = kWidth, .height = 64, .rows_per_frame = kRows, .header_rows = 1},
    };
    if (halves) {
        texture.texel = TV_TEXEL_OFFSETS;
        texture.half = true;
        texture.rest = sample == kReversed ? reversed_rest : rest;
        texture.layout.normal_row = 1 + kFrames * kRows;
        texture.layout.normal_rows_per_frame = 2;
    }
    return texture;
}

static tv_track *newTrack(size_t memory) {
    const tv_track_options options = {1, memory, NULL, TV_NORMAL_OCT24};
    tv_track *track;
    assert(tv_track_create(&track, &options) == TV_OK);
    assert(append(track, 0, TV_POINT) == TV_OK && tv_track_finish(track) == TV_OK);
    return track;
}

static tv_writer *newWriter(const char *name, const tv_texture *texture, const tv_writer *earlier,
                            const int32_t *sample) {
    const tv_writer_options options = {2, true, earlier, sample};
    char path[256];
    int system;
    tv_writer *writer;
    pathOf(path, name);
    assert(tv_writer_create(&writer, path, texture, &options, &system) == TV_OK);
    return writer;
}

/* Completes the file; its bytes. */
static unsigned char *completed(tv_writer *writer, const char *name, size_t *size) {
    char path[256];
    size_t left = 1;
    uint64_t told;
    int system;
    while (left)
        assert(tv_writer_write(writer, 5, &left, &system) == TV_OK);
    assert(tv_writer_close(writer, &told, &system) == TV_OK);
    pathOf(path, name);
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc((size_t)told + 1);
    assert(file && bytes);
    *size = fread(bytes, 1, (size_t)told + 1, file);
    assert(*size == told);
    fclose(file);
    assert(unlink(path) == 0);
    return bytes;
}

/* Normals live at points until frame `flip`. */
static void expectSameFile(size_t flip, bool any_domain, size_t taken, size_t memory) {
    size_t size_a, size_b;
    int system;
    begin();
    tv_track *plain = newTrack(memory), *diverted = newTrack(memory);
    tv_texture texture = textureOf(diverted, kIndex);
    tv_writer *early = newWriter("early", &texture, NULL, NULL);
    assert(tv_writer_divert(early, diverted, any_domain, &system) == TV_OK);
    for (size_t frame = 1; frame < kFrames; frame++) {
        assert(append(plain, frame, frame < flip ? TV_POINT : TV_FACE) == TV_OK);
        assert(append(diverted, frame, frame < flip ? TV_POINT : TV_FACE) == TV_OK);
    }
    assert(tv_track_finish(plain) == TV_OK && tv_track_finish(diverted) == TV_OK);
    assert(tv_track_taken_count(diverted) == taken && !tv_track_taken(diverted, 0));

    /* another numbering, as a second look at the trajectories would give */
    const bool all = taken == kFrames - 1;
    const int32_t *sample = all ? kIndex : kReversed;
    tv_texture late_texture = textureOf(plain, sample), again = textureOf(diverted, sample);
    tv_writer *late = newWriter("late", &late_texture, NULL, NULL);
    tv_writer *second = all ? NULL : newWriter("second", &again, early, kReversed);
    unsigned char *a = completed(late, "late", &size_a);
    unsigned char *b = completed(all ? early : second, all ? "early" : "second", &size_b);
    assert(size_a == size_b && !memcmp(a, b, size_a));
    free(a);
    free(b);
    tv_writer_destroy(late);
    tv_writer_destroy(second);
    tv_writer_destroy(early);
    tv_track_destroy(plain);
    tv_track_destroy(diverted);
    end(all ? NULL : "early");
}

static void writer_takes_frames_as_they_come(void) {
    for (int half = 0; half < 2; half++) {
        halves = half;
        expectSameFile(kFrames, false, kFrames - 1, SIZE_MAX);
    }
}

static void writer_follows_normals_where_samples_stay(void) {
    expectSameFile(4, true, kFrames - 1, SIZE_MAX);
}

static void writer_copies_what_an_earlier_one_took(void) {
    for (int half = 0; half < 2; half++) {
        halves = half;
        expectSameFile(4, false, 3, SIZE_MAX);
        expectSameFile(4, false, 3, 0);
    }
}

static void writer_tells_the_track_that_its_disk_failed(void) {
    const tv_writer_options options = {1, true, NULL, NULL};
    int system = 0;
    tv_writer *writer;
    begin();
    tv_track *track = newTrack(SIZE_MAX);
    tv_texture texture = textureOf(track, kIndex);
    if (access("/dev/full", W_OK) == 0) {
        assert(tv_writer_create(&writer, "/dev/full", &texture, &options, &system) == TV_OK);
        assert(tv_writer_divert(writer, track, false, &system) == TV_IO && system == ENOSPC);
        tv_writer_destroy(writer);
    }
    tv_track_destroy(track);
    end(NULL);
}

static void writer_that_goes_leaves_the_track_to_itself(void) {
    int system;
    begin();
    tv_track *track = newTrack(SIZE_MAX);
    tv_texture texture = textureOf(track, kIndex);
    tv_writer *writer = newWriter("gone", &texture, NULL, NULL);
    assert(tv_writer_divert(writer, track, false, &system) == TV_OK);
    assert(append(track, 1, TV_POINT) == TV_OK);
    tv_writer_destroy(writer);
    assert(append(track, 2, TV_POINT) == TV_OK && tv_track_finish(track) == TV_OK);
    assert(tv_track_taken(track, 1) && !tv_track_taken(track, 2));
    tv_frame view;
    tv_scratch scratch = {0};
    assert(tv_track_view(track, 1, &view, &scratch) == TV_OUT_OF_RANGE);
    assert(tv_track_view(track, 2, &view, &scratch) == TV_OK);
    tv_track_destroy(track);
    end("gone");
}

static void writer_refuses_frames_that_are_not_there(void) {
    int system;
    size_t left;
    begin();
    tv_track *track = newTrack(SIZE_MAX);
    tv_texture texture = textureOf(track, kIndex);
    tv_writer *writer = newWriter("few", &texture, NULL, NULL);
    assert(tv_writer_write(writer, 1, &left, &system) == TV_OUT_OF_RANGE);
    tv_writer_destroy(writer);
    tv_track_destroy(track);
    end("few");
}

const test_case kWriterTests[] = {
    TEST(writer_takes_frames_as_they_come),
    TEST(writer_follows_normals_where_samples_stay),
    TEST(writer_copies_what_an_earlier_one_took),
    TEST(writer_tells_the_track_that_its_disk_failed),
    TEST(writer_that_goes_leaves_the_track_to_itself),
    TEST(writer_refuses_frames_that_are_not_there),
    END_OF_TESTS,
};
