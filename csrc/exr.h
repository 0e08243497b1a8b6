/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows to OpenEXR, in strips, on several threads.
 *
 * Scanline files with the channels A, B, G, R of 32-bit or 16-bit floats, the data window being the
 * display window at 0, 0. tinyexr makes the header and every compressed block. Lines that are not
 * compressed need no codec and are laid out here; with `direct` false they too come from tinyexr,
 * which gives the same bytes.
 */
#ifndef TRUEVAT_EXR_H
#define TRUEVAT_EXR_H

#include "truevat.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tv_exr tv_exr;

typedef enum { TV_EXR_NONE = 0, TV_EXR_ZIP = 3 } tv_compression; /* OpenEXR's own numbers */

typedef struct {
    size_t width;
    size_t height;
    tv_compression compression;
    bool half; /* 16-bit floats */
    bool direct;
    size_t threads;       /* at most so many; 0: one for each processor */
    size_t source_memory; /* what the row source needs for each thread, in bytes */
    size_t blank_rows;    /* scanlines at the top that are all 0: holes in the file, if direct */
} tv_exr_options;

/* Fills one scanline, y counted from the top, as planes of width values: A, B, G, R. Called from
 * several threads at once, each with its own number below tv_exr_threads(). */
typedef tv_result (*tv_exr_source)(void *context, size_t thread, size_t y, void *planes);

/* Creates or replaces the file. On failure *system is an errno value, or 0. */
tv_result tv_exr_create(tv_exr **exr, const char *path, const tv_exr_options *options, int *system);
size_t tv_exr_threads(const tv_exr *exr);

/* Writes the next scanlines, rounded up to whole blocks, and says how many are left. */
tv_result tv_exr_write(tv_exr *exr, size_t rows, tv_exr_source source, void *context, size_t *left,
                       int *system);

/* Writes scanlines out of turn, which tv_exr_write then leaves out. The file must be direct, and
 * nobody else be writing; the source is called as thread 0. */
tv_result tv_exr_put(tv_exr *exr, size_t y, size_t rows, tv_exr_source source, void *context,
                     int *system);

/* Reads back what was written to a direct file that is still open. */
tv_result tv_exr_get(const tv_exr *exr, size_t y, size_t rows, void *planes, int *system);

/* Writes header and offset table and closes the file. Needs all rows written. */
tv_result tv_exr_close(tv_exr *exr, uint64_t *size, int *system);

/* Closes the file if that is still to be done; does not delete it. */
void tv_exr_destroy(tv_exr *exr);

#ifdef __cplusplus
}
#endif

#endif
