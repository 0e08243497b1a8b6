/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files against each other: what they mean to other programs is tested with those.
 */
#include "harness.h"

#include "exr.h"

#include <errno.h>
#include <unistd.h>

typedef struct {
    size_t width, height;
    size_t fail_at; /* scanline that fails */
    tv_result failure;
    bool taken[4096]; /* scanlines asked for, each once */
} picture;

static tv_result line(void *context, size_t thread, size_t y, void *row) {
    float *planes = row;
    picture *from = context;
    (void)thread;
    assert(y < from->height && !from->taken[y]);
    from->taken[y] = true;
    if (y == from->fail_at) {
        errno = ENXIO;
        return from->failure;
    }
    for (size_t i = 0; i < 4 * from->width; i++)
        planes[i] = i % 7 ? noise(y * 4 * from->width + i) : 0.25f;
    return TV_OK;
}

static picture pictureOf(size_t width, size_t height) {
    picture p = {width, height, SIZE_MAX, TV_OK, {false}};
    return p;
}

/* Writes in steps of `rows`; returns the file's bytes. */
static unsigned char *written(const char *path, tv_exr_options options, size_t rows, size_t *size) {
    picture p = pictureOf(options.width, options.height);
    tv_exr *exr;
    int system;
    uint64_t told;
    size_t left = options.height;
    assert(tv_exr_create(&exr, path, &options, &system) == TV_OK);
    assert(tv_exr_threads(exr) >= 1 && tv_exr_threads(exr) <= options.threads);
    while (left) {
        size_t before = left;
        assert(tv_exr_write(exr, rows, line, &p, &left, &system) == TV_OK && left < before);
    }
    assert(tv_exr_close(exr, &told, &system) == TV_OK);
    tv_exr_destroy(exr);
    for (size_t y = 0; y < options.height; y++)
        assert(p.taken[y]);

    FILE *file = fopen(path, "rb");
    assert(file && !fseek(file, 0, SEEK_END));
    *size = (size_t)ftell(file);
    assert(*size == told);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    assert(bytes && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    assert(unlink(path) == 0);
    return bytes;
}

static void expectSameBytes(tv_exr_options a, size_t rows_a, tv_exr_options b, size_t rows_b) {
    char path[256];
    size_t size_a, size_b;
    snprintf(path, sizeof path, "%s/a.exr", newFolder());
    unsigned char *bytes_a = written(path, a, rows_a, &size_a);
    unsigned char *bytes_b = written(path, b, rows_b, &size_b);
    assert(size_a == size_b && !memcmp(bytes_a, bytes_b, size_a));
    free(bytes_a);
    free(bytes_b);
    forgetFolder();
}

/* 1x1, 1xN, Nx1, heights around a strip and a block of 16; 4096 wide gives strips of 15 rows. */
static const size_t kSizes[][2] = {{1, 1},  {1, 300},   {300, 1},   {4096, 15},
                                   {3, 17}, {4096, 16}, {4096, 47}, {16384, 33}};
enum { kSizesSize = sizeof kSizes / sizeof *kSizes };

static tv_exr_options sized(size_t i, tv_compression compression, bool direct, size_t threads) {
    tv_exr_options options = {kSizes[i][0], kSizes[i][1], compression, false,
                              direct,       threads,      0,           0};
    return options;
}

static void exr_direct_lines_are_what_tinyexr_makes(void) {
    for (size_t i = 0; i < kSizesSize; i++)
        expectSameBytes(sized(i, TV_EXR_NONE, true, 1), SIZE_MAX, sized(i, TV_EXR_NONE, false, 1),
                        SIZE_MAX);
}

static void exr_is_the_same_with_any_number_of_threads(void) {
    for (size_t i = 0; i < kSizesSize; i++)
        for (size_t threads = 2; threads <= 5; threads += 3) {
            expectSameBytes(sized(i, TV_EXR_NONE, true, 1), SIZE_MAX,
                            sized(i, TV_EXR_NONE, true, threads), SIZE_MAX);
            expectSameBytes(sized(i, TV_EXR_NONE, false, 1), SIZE_MAX,
                            sized(i, TV_EXR_NONE, false, threads), SIZE_MAX);
        }
}

static void exr_compressed_is_the_same_with_any_number_of_threads(void) {
    for (size_t i = 0; i < kSizesSize; i++)
        expectSameBytes(sized(i, TV_EXR_ZIP, true, 1), SIZE_MAX, sized(i, TV_EXR_ZIP, true, 3),
                        SIZE_MAX);
    const tv_exr_options many = {64, 4000, TV_EXR_ZIP, false, true, 1, 0, 0};
    tv_exr_options threads = many;
    threads.threads = 4;
    expectSameBytes(many, SIZE_MAX, threads, SIZE_MAX);
}

static void exr_is_the_same_in_any_pieces(void) {
    for (size_t i = 0; i < kSizesSize; i++)
        for (size_t rows = 1; rows < 40; rows += 19) {
            expectSameBytes(sized(i, TV_EXR_NONE, true, 2), SIZE_MAX,
                            sized(i, TV_EXR_NONE, true, 2), rows);
            expectSameBytes(sized(i, TV_EXR_ZIP, true, 2), SIZE_MAX, sized(i, TV_EXR_ZIP, true, 2),
                            rows);
        }
}

static void exr_gives_up_where_a_line_fails(void) {
    const tv_result results[] = {TV_OUT_OF_MEMORY, TV_IO};
    for (size_t threads = 1; threads <= 4; threads += 3)
        for (size_t i = 0; i < 4; i++) {
            const tv_exr_options options = {
                4096, 200, i / 2 ? TV_EXR_ZIP : TV_EXR_NONE, false, true, threads, 0, 0};
            picture p = pictureOf(4096, 200);
            p.fail_at = 77;
            p.failure = results[i % 2];
            char path[256];
            snprintf(path, sizeof path, "%s/a.exr", newFolder());
            tv_exr *exr;
            int system;
            size_t left;
            uint64_t size;
            assert(tv_exr_create(&exr, path, &options, &system) == TV_OK);
            assert(tv_exr_write(exr, SIZE_MAX, line, &p, &left, &system) == p.failure);
            assert(system == (i % 2 ? ENXIO : 0));
            assert(tv_exr_close(exr, &size, &system) == p.failure);
            tv_exr_destroy(exr);
            assert(unlink(path) == 0);
            forgetFolder();
        }
}

static void exr_close_needs_all_lines(void) {
    const tv_exr_options options = {8, 40, TV_EXR_NONE, false, true, 1, 0, 0};
    picture p = pictureOf(8, 40);
    char path[256];
    snprintf(path, sizeof path, "%s/a.exr", newFolder());
    tv_exr *exr;
    int system;
    size_t left;
    uint64_t size;
    assert(tv_exr_create(&exr, path, &options, &system) == TV_OK);
    assert(tv_exr_write(exr, 39, line, &p, &left, &system) == TV_OK && left == 1);
    assert(tv_exr_close(exr, &size, &system) == TV_MISMATCH);
    tv_exr_destroy(exr);
    tv_exr_destroy(NULL);
    assert(unlink(path) == 0);
    forgetFolder();
}

static void exr_tells_what_the_system_said(void) {
    const tv_exr_options options = {64, 64, TV_EXR_NONE, false, true, 1, 0, 0};
    picture p = pictureOf(64, 64);
    tv_exr *exr;
    int system;
    size_t left;
    assert(tv_exr_create(&exr, "/nonexistent/a.exr", &options, &system) == TV_IO);
    assert(!exr && system == ENOENT);
    assert(tv_exr_create(&exr, "/tmp", &options, &system) == TV_IO && system == EISDIR);
    assert(tv_exr_create(&exr, "/dev/full", &options, &system) == TV_OK);
    assert(tv_exr_write(exr, 64, line, &p, &left, &system) == TV_IO && system == ENOSPC);
    tv_exr_destroy(exr);
}

static void exr_refuses_sizes_that_no_file_has(void) {
    const size_t sizes[][2] = {{0, 1}, {1, 0}, {(size_t)1 << 31, 1}, {1, (size_t)1 << 31}};
    for (size_t i = 0; i < 4; i++) {
        const tv_exr_options options = {sizes[i][0], sizes[i][1], TV_EXR_NONE, false,
                                        true,        1,           0,           0};
        tv_exr *exr;
        int system;
        assert(tv_exr_create(&exr, "/nonexistent/a.exr", &options, &system) == TV_TOO_LARGE);
        assert(!exr && system == 0);
    }
}

const test_case kExrTests[] = {
    TEST(exr_direct_lines_are_what_tinyexr_makes),
    TEST(exr_is_the_same_with_any_number_of_threads),
    TEST(exr_compressed_is_the_same_with_any_number_of_threads),
    TEST(exr_is_the_same_in_any_pieces),
    TEST(exr_gives_up_where_a_line_fails),
    TEST(exr_close_needs_all_lines),
    TEST(exr_tells_what_the_system_said),
    TEST(exr_refuses_sizes_that_no_file_has),
    END_OF_TESTS,
};
