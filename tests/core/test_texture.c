/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two parts of 3 and 2 points; 5 samples in rows of 4, so 2 rows a frame.
 */
#include "harness.h"

enum { kWidth = 4, kSamples = 5, kFrames = 3 };

static const int32_t kPoint[kSamples] = {2, 0, 1, 1, 0}, kFace[kSamples] = {0, 0, 0, 1, 1},
                     kCorner[kSamples] = {0, 1, 2, 3, 0};
static const int64_t kStart[] = {0, 3, 5};
static const float kOrigin[] = {1, 2, 3, 0.5f, 0, 0};
static const int32_t kOrder[] = {2, 0, 0, 1};
static const float kHeader[] = {7.5f, 0, 0, 1};
static const tv_domain kDomain[kFrames] = {TV_POINT, TV_FACE, TV_CORNER};

static float *buffers[4 * kFrames];

/* Frames whose normals live at points, then at faces, then at corners. */
static tv_track *newTrack(size_t memory) {
    const tv_track_options options = {1, memory, NULL, TV_NORMAL_XYZ8_GUARDED};
    tv_track *track;
    assert(tv_track_create(&track, &options) == TV_OK);
    for (size_t frame = 0; frame < kFrames; frame++) {
        tv_part parts[2];
        memset(parts, 0, sizeof parts);
        for (size_t i = 0; i < 2; i++) {
            parts[i].point_count = i ? 2 : 3;
            parts[i].domain = kDomain[frame];
            parts[i].normal_count =
                (const size_t[]){parts[i].point_count, i ? 2 : 1, i ? 4 : 3}[kDomain[frame]];
            float **b = buffers + 4 * frame + 2 * i;
            parts[i].points = b[0] = noiseVectors(parts[i].point_count, 10 * frame + i);
            parts[i].normals = b[1] = noiseVectors(parts[i].normal_count, 90 * frame + i);
            memcpy(parts[i].matrix, kIdentity, sizeof kIdentity);
        }
        assert(tv_track_append(track, parts, 2, frame) == TV_OK);
    }
    assert(tv_track_finish(track) == TV_OK);
    return track;
}

static void freeTrack(tv_track *track) {
    tv_track_destroy(track);
    for (size_t i = 0; i < 4 * kFrames; i++)
        free(buffers[i]);
}

static tv_texture textureOf(const tv_track *track) {
    const tv_texture texture = {
        .track = track,
        .samples = {2, kStart, kPoint, kFace, kCorner, kOrigin},
        .frames = kOrder,
        .frame_count = 4,
        .slots = kSamples,
        .layout = {.width = kWidth, .height = 16, .rows_per_frame = 2, .header_rows = 1},
        .header = kHeader,
        .header_count = 1,
    };
    return texture;
}

static void expectSample(const float *planes, size_t column, size_t frame, size_t sample) {
    const size_t part = sample >= 3;
    float *const *b = buffers + 4 * frame + 2 * part;
    const float *p = b[0] + 3 * kPoint[sample];
    const int32_t at[] = {kPoint[sample], kFace[sample], kCorner[sample]};
    uint32_t word;
    tv_transform_pack_normals(&word, b[1] + 3 * at[kDomain[frame]], 1, kIdentity,
                              TV_NORMAL_XYZ8_GUARDED);
    assert(!memcmp(planes + column, &word, sizeof word));
    assert(planes[3 * kWidth + column] == p[0] - kOrigin[3 * part]);
    assert(planes[2 * kWidth + column] == p[1] - kOrigin[3 * part + 1]);
    assert(planes[kWidth + column] == p[2] - kOrigin[3 * part + 2]);
}

static void texture_rows_hold_every_sample_of_every_frame(void) {
    for (size_t memory = 0; memory <= 4096; memory += 4096) {
        tv_track *track = newTrack(memory);
        tv_texture texture = textureOf(track);
        tv_scratch scratch = {0};
        float planes[4 * kWidth];
        assert(tv_texture_check(&texture) == TV_OK);
        for (size_t row = 1; row < 9; row++) {
            memset(planes, 0x7f, sizeof planes);
            assert(tv_texture_row(&texture, row, planes, &scratch, NULL) == TV_OK);
            for (size_t column = 0; column < kWidth; column++) {
                size_t sample = (row - 1) % 2 * kWidth + column;
                if (sample < kSamples)
                    expectSample(planes, column, (size_t)kOrder[(row - 1) / 2], sample);
                else
                    for (size_t plane = 0; plane < 4; plane++)
                        assert(planes[plane * kWidth + column] == 0);
            }
        }
        free(scratch.buffer);
        freeTrack(track);
    }
}

static void texture_header_and_rows_without_a_frame(void) {
    tv_track *track = newTrack(4096);
    tv_texture texture = textureOf(track);
    float planes[4 * kWidth], zero[4 * kWidth] = {0};
    memset(planes, 0x7f, sizeof planes);
    assert(tv_texture_row(&texture, 0, planes, NULL, NULL) == TV_OK);
    assert(planes[3 * kWidth] == 7.5f && planes[0] == 1.0f);
    planes[0] = planes[3 * kWidth] = 0;
    assert(!memcmp(planes, zero, sizeof zero));
    for (size_t row = 9; row < 16; row++) {
        memset(planes, 0x7f, sizeof planes);
        assert(tv_texture_row(&texture, row, planes, NULL, NULL) == TV_OK);
        assert(!memcmp(planes, zero, sizeof zero));
    }
    freeTrack(track);
}

static void expectRefused(const tv_texture *texture) {
    assert(tv_texture_check(texture) == TV_OUT_OF_RANGE);
}

static void texture_check_refuses_indices_outside(void) {
    const int32_t beyond[kSamples] = {2, 0, 1, 4, 0}, negative[kSamples] = {2, 0, 1, 1, -1};
    const int32_t before[] = {-1};
    tv_track *track = newTrack(4096);
    for (size_t what = 0; what < 3; what++)
        for (size_t kind = 0; kind < 2; kind++) {
            tv_texture texture = textureOf(track);
            const int32_t **indices[] = {&texture.samples.point, &texture.samples.face,
                                         &texture.samples.corner};
            *indices[what] = kind ? beyond : negative;
            expectRefused(&texture);
        }
    tv_texture texture = textureOf(track);
    texture.frames = before;
    texture.frame_count = 1;
    expectRefused(&texture);
    freeTrack(track);
}

static void texture_check_refuses_samples_that_are_not_sorted(void) {
    const int64_t late[] = {1, 3, 5}, back[] = {0, 1 << 20, 5}, below[] = {0, -1, 5};
    const int64_t *starts[] = {late, back, below};
    tv_track *track = newTrack(4096);
    for (size_t i = 0; i < 3; i++) {
        tv_texture texture = textureOf(track);
        texture.samples.part_start = starts[i];
        expectRefused(&texture);
    }
    tv_texture texture = textureOf(track);
    texture.samples.part_count = 1;
    expectRefused(&texture);
    freeTrack(track);
}

static void texture_check_refuses_what_does_not_fit(void) {
    tv_track *track = newTrack(4096);
    tv_texture texture = textureOf(track);
    texture.layout.height = 8;
    expectRefused(&texture);
    texture = textureOf(track);
    texture.layout.width = 2;
    expectRefused(&texture);
    freeTrack(track);
}

static void texture_check_knows_faces_that_were_none(void) {
    const tv_track_options options = {1, 4096, NULL, 0};
    const int32_t zero[1] = {0};
    const int64_t start[] = {0, 1};
    float point[3] = {0};
    tv_part part = {0};
    tv_track *track;
    part.points = part.normals = point;
    part.point_count = 1;
    part.domain = TV_FACE;
    memcpy(part.matrix, kIdentity, sizeof kIdentity);
    assert(tv_track_create(&track, &options) == TV_OK);
    assert(tv_track_append(track, &part, 1, 0) == TV_OK && tv_track_finish(track) == TV_OK);
    const tv_texture texture = {
        .track = track,
        .samples = {1, start, zero, zero, zero, point},
        .frames = zero,
        .frame_count = 1,
        .slots = 1,
        .layout = {.width = 1, .height = 2, .rows_per_frame = 1, .header_rows = 1},
    };
    expectRefused(&texture);
    tv_track_destroy(track);
}

const test_case kTextureTests[] = {
    TEST(texture_rows_hold_every_sample_of_every_frame),
    TEST(texture_header_and_rows_without_a_frame),
    TEST(texture_check_refuses_indices_outside),
    TEST(texture_check_refuses_samples_that_are_not_sorted),
    TEST(texture_check_refuses_what_does_not_fit),
    TEST(texture_check_knows_faces_that_were_none),
    END_OF_TESTS,
};
