/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mesh of kPoints points and as many corners in two faces, which moves.
 */
#include "harness.h"

#include <unistd.h>

enum { kPoints = 700, kFrames = 9 };

typedef struct {
    float *points, *normals;
    tv_part part;
} mesh;

static mesh meshAt(size_t frame, tv_domain domain) {
    const size_t normals = domain == TV_FACE ? 2 : kPoints;
    mesh m = {noiseVectors(kPoints, frame), noiseVectors(normals, 100 * frame), {0}};
    m.part.points = m.points;
    m.part.point_count = kPoints;
    m.part.normals = m.normals;
    m.part.normal_count = normals;
    m.part.domain = domain;
    memcpy(m.part.matrix, kIdentity, sizeof kIdentity);
    return m;
}

static void freeMesh(mesh *m) {
    free(m->points);
    free(m->normals);
}

static tv_track *newTrack(size_t memory, const char *directory) {
    const tv_track_options options = {1, memory, directory, 0};
    tv_track *track;
    assert(tv_track_create(&track, &options) == TV_OK);
    return track;
}

/* The order frames are appended in is given by `at`; keys and contents go with the number. */
static tv_track *movingTrack(size_t memory, const char *directory, const size_t at[kFrames]) {
    tv_track *track = newTrack(memory, directory);
    mesh meshes[kFrames];
    for (size_t i = 0; i < kFrames; i++) {
        size_t frame = at ? at[i] : i;
        meshes[i] = meshAt(frame, frame % 2 ? TV_FACE : TV_POINT);
        assert(tv_track_append(track, &meshes[i].part, 1, frame) == TV_OK);
    }
    assert(tv_track_finish(track) == TV_OK);
    for (size_t i = 0; i < kFrames; i++)
        freeMesh(&meshes[i]);
    return track;
}

static void expectFrames(const tv_track *track) {
    tv_scratch scratch = {0};
    for (size_t frame = kFrames; frame-- > 0;) {
        mesh m = meshAt(frame, frame % 2 ? TV_FACE : TV_POINT);
        uint32_t words[kPoints];
        tv_frame view;
        assert(tv_track_view(track, frame, &view, &scratch) == TV_OK);
        assert(view.point_count == kPoints && view.word_count == m.part.normal_count);
        assert(view.domains && view.domains[0] == m.part.domain);
        assert(!memcmp(view.points, m.points, kPoints * 3 * sizeof(float)));
        tv_transform_pack_normals(words, m.normals, m.part.normal_count, kIdentity, 0);
        assert(!memcmp(view.words, words, view.word_count * sizeof *words));
        freeMesh(&m);
    }
    free(scratch.buffer);
}

static void track_keeps_frames_in_memory(void) {
    tv_track *track = movingTrack(SIZE_MAX, NULL, NULL);
    assert(tv_track_frame_count(track) == kFrames && tv_track_spilled(track) == 0);
    assert(tv_track_memory(track) == 9 * 700 * 12 + 5 * 700 * 4 + 4 * 2 * 4);
    assert(tv_track_largest_spilled(track) == 0);
    expectFrames(track);
    tv_track_destroy(track);
}

static int lowestFreeDescriptor(void) {
    int descriptor = dup(0);
    close(descriptor);
    return descriptor;
}

static void track_spills_to_a_file_that_has_no_name(void) {
    const char *folder = newFolder();
    const int before = lowestFreeDescriptor();
    tv_track *track = movingTrack(0, folder, NULL);
    assert(tv_track_memory(track) == 0);
    assert(tv_track_spilled(track) == 9 * 700 * 12 + 5 * 700 * 4 + 4 * 2 * 4);
    assert(tv_track_largest_spilled(track) == 700 * 16);
    forgetFolder(); /* while the track is in use */
    expectFrames(track);
    tv_track_destroy(track);
    assert(lowestFreeDescriptor() == before);
}

static void track_fills_its_budget_before_it_spills(void) {
    const char *folder = newFolder();
    tv_track *track = movingTrack(3 * 700 * 16, folder, NULL);
    assert(tv_track_memory(track) > 2 * 700 * 16 && tv_track_memory(track) <= 3 * 700 * 16);
    assert(tv_track_spilled(track) > 0);
    expectFrames(track);
    tv_track_destroy(track);
    forgetFolder();
}

static void keysOf(const tv_track *track, uint64_t keys[2 * kPoints]) {
    int32_t vert[kPoints], face[kPoints];
    for (int32_t i = 0; i < kPoints; i++) {
        vert[i] = i;
        face[i] = i >= kPoints / 2;
    }
    assert(tv_track_keys(track, 0, keys, vert, face, kPoints) == TV_OK);
}

static void track_hash_does_not_depend_on_the_order_of_frames(void) {
    const size_t backwards[kFrames] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
    tv_track *a = movingTrack(SIZE_MAX, NULL, NULL), *b = movingTrack(SIZE_MAX, NULL, backwards);
    uint64_t keys_a[2 * kPoints], keys_b[2 * kPoints], digest_a[2], digest_b[2];
    keysOf(a, keys_a);
    keysOf(b, keys_b);
    tv_track_digest(a, digest_a);
    tv_track_digest(b, digest_b);
    assert(!memcmp(keys_a, keys_b, sizeof keys_a) && !memcmp(digest_a, digest_b, sizeof digest_a));
    tv_track_destroy(a);
    tv_track_destroy(b);
}

static void track_keys_are_the_sums_of_positions_and_normals(void) {
    tv_track *track = movingTrack(0, NULL, NULL);
    uint64_t keys[2 * kPoints], wanted[2 * kPoints] = {0};
    keysOf(track, keys);
    for (size_t frame = 0; frame < kFrames; frame++) {
        mesh m = meshAt(frame, frame % 2 ? TV_FACE : TV_POINT);
        uint32_t bits[3 * kPoints], words[kPoints];
        memcpy(bits, m.points, sizeof bits);
        tv_hash_words(wanted, bits, 3, kPoints, frame);
        tv_transform_pack_normals(words, m.normals, m.part.normal_count, kIdentity, 0);
        for (size_t c = 0; c < kPoints; c++)
            tv_hash_words(wanted + 2 * c, &words[frame % 2 ? c >= kPoints / 2 : c], 1, 1, frame);
        freeMesh(&m);
    }
    assert(!memcmp(keys, wanted, sizeof keys));
    tv_track_destroy(track);
}

static void track_bounds_are_of_all_frames(void) {
    tv_track *track = movingTrack(0, NULL, NULL);
    float bounds[6], wanted[6] = {9, 9, 9, -9, -9, -9};
    for (size_t frame = 0; frame < kFrames; frame++)
        for (size_t i = 0; i < 3 * kPoints; i++) {
            float value = noise(frame + i);
            wanted[i % 3] = value < wanted[i % 3] ? value : wanted[i % 3];
            wanted[3 + i % 3] = value > wanted[3 + i % 3] ? value : wanted[3 + i % 3];
        }
    tv_track_bounds(track, 0, bounds);
    assert(!memcmp(bounds, wanted, sizeof bounds));
    tv_track_destroy(track);
}

static void track_stores_own_samples_as_they_are(void) {
    const int32_t point[] = {3, 3, 0}, normal[] = {1, 0, 1};
    mesh m = meshAt(4, TV_FACE);
    tv_part parts[2] = {m.part, m.part};
    for (size_t i = 0; i < 2; i++) {
        parts[i].sample_point = point;
        parts[i].sample_normal = normal;
        parts[i].sample_count = i ? 3 : 0;
    }
    for (size_t memory = 0; memory <= 1024; memory += 1024) {
        tv_track *track = newTrack(memory, NULL);
        tv_scratch scratch = {0};
        tv_frame view;
        assert(tv_track_append(track, parts, 2, 0) == TV_OK);
        assert(tv_track_finish(track) == TV_OK);
        assert(tv_track_view(track, 0, &view, &scratch) == TV_OK);
        assert(!view.domains && view.point_count == 3 && view.word_count == 3);
        assert(tv_track_own_samples(track, 0) == 3 && tv_track_part_count(track) == 0);
        assert(!memcmp(view.points, m.points + 9, 12) && !memcmp(view.points + 6, m.points, 12));
        assert(view.words[0] == view.words[2] && view.words[0] != view.words[1]);
        free(scratch.buffer);
        tv_track_destroy(track);
    }
    freeMesh(&m);
}

static void track_takes_frames_of_nothing(void) {
    const int32_t none[1] = {0};
    mesh m = meshAt(0, TV_POINT);
    tv_part empty = {0}, own = {0};
    own.sample_point = own.sample_normal = none;
    tv_track *track = newTrack(0, NULL);
    assert(tv_track_append(track, &m.part, 1, 0) == TV_OK);
    assert(tv_track_append(track, &own, 1, 1) == TV_OK);
    assert(tv_track_append(track, NULL, 0, 2) == TV_OK); /* all instances are gone */
    assert(tv_track_finish(track) == TV_OK);
    assert(tv_track_frame_count(track) == 3);
    tv_track_destroy(track);

    track = newTrack(0, NULL);
    assert(tv_track_append(track, &empty, 1, 0) == TV_OK);
    assert(tv_track_append(track, &empty, 1, 1) == TV_OK);
    assert(tv_track_finish(track) == TV_OK);
    tv_track_destroy(track);
    freeMesh(&m);
}

static void track_can_be_given_up_at_any_time(void) {
    mesh m = meshAt(0, TV_POINT);
    for (size_t frames = 0; frames < 5; frames++) {
        tv_track *track = newTrack(frames % 2 ? 0 : SIZE_MAX, NULL);
        for (size_t i = 0; i < frames; i++)
            assert(tv_track_append(track, &m.part, 1, i) == TV_OK);
        tv_track_destroy(track);
    }
    tv_track_destroy(NULL);
    freeMesh(&m);
}

const test_case kTrackTests[] = {
    TEST(track_keeps_frames_in_memory),
    TEST(track_spills_to_a_file_that_has_no_name),
    TEST(track_fills_its_budget_before_it_spills),
    TEST(track_hash_does_not_depend_on_the_order_of_frames),
    TEST(track_keys_are_the_sums_of_positions_and_normals),
    TEST(track_bounds_are_of_all_frames),
    TEST(track_stores_own_samples_as_they_are),
    TEST(track_takes_frames_of_nothing),
    TEST(track_can_be_given_up_at_any_time),
    END_OF_TESTS,
};
