/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A texture into its file: when all frames are in, or frame by frame as they arrive.
 *
 * Where the layout is known after the first frame, a writer takes a track's frames as its sink, and
 * the track keeps none of them. If the normals then move to another domain, the layout was not the
 * last word: the track keeps the frames from there on, and a second writer copies the earlier ones
 * out of the first one's file, texel by texel.
 */
#ifndef TRUEVAT_WRITER_H
#define TRUEVAT_WRITER_H

#include "truevat.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tv_writer tv_writer;

typedef struct {
    size_t threads; /* at most so many; 0: one for each processor */
    bool direct;    /* as in tv_exr_options */
    /* The writer whose file has the frames that it took, and which of its samples each sample was
     * there; or NULL. */
    const tv_writer *earlier;
    const int32_t *earlier_sample;
} tv_writer_options;

/* Creates or replaces the file. What `texture` points to must outlive the writer; frames may still
 * be to come. On TV_IO *system is an errno value. */
tv_result tv_writer_create(tv_writer **writer, const char *path, const tv_texture *texture,
                           const tv_writer_options *options, int *system);

/* Before tv_writer_write: R, G, B, A of `count` texels, from the first row on. */
void tv_writer_set_header(tv_writer *writer, const float *header, size_t count);

/* The farthest that rounding to halves, or the mapping, has moved a point so far, in metres. */
double tv_writer_error(const tv_writer *writer);

/* Writes the track's frames, and becomes its sink until it is destroyed. With `any_domain` the
 * samples stay what they are wherever normals live; else it takes frames only while they live where
 * those of the first frame do. */
tv_result tv_writer_divert(tv_writer *writer, tv_track *track, bool any_domain, int *system);

/* Writes the next rows of those that are still missing, and says how many scanlines are left. Needs
 * a track whose frames are all stored. */
tv_result tv_writer_write(tv_writer *writer, size_t rows, size_t *left, int *system);

/* Completes the file, all of whose rows must have been written. */
tv_result tv_writer_close(tv_writer *writer, uint64_t *size, int *system);

/* Closes the file if that is still to be done; does not delete it. Waits for the track's worker. */
void tv_writer_destroy(tv_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
