/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "writer.h"

#include "exr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One thread's. */
typedef struct {
    tv_scratch scratch;
    float *rows;       /* those that the earlier writer has of a frame */
    size_t rows_frame; /* which stored frame that is, plus 1 */
} desk;

struct tv_writer {
    tv_texture texture;
    tv_writer_options options;
    tv_exr *exr;
    desk *desks;
    size_t threads;
    bool checked; /* the whole track */

    /* As a sink. */
    tv_track *track;
    bool any_domain;
    uint8_t *domains; /* of each part in the frame before */
};

static size_t firstScanline(const tv_writer *writer, size_t k) {
    const tv_layout *layout = &writer->texture.layout;
    return layout->height - 1 - (k + 1) * layout->rows_per_frame;
}

/* ---------------------------------------------------------------------------------------------
 * Frame by frame
 */

typedef struct {
    const tv_texture *texture;
    const tv_frame *view;
    size_t last; /* scanline of the frame's first row */
} shown;

static tv_result shownRow(void *context, size_t thread, size_t y, float *planes) {
    const shown *s = context;
    (void)thread;
    tv_texture_show(s->texture, s->view, s->last - y, planes);
    return TV_OK;
}

static tv_result putFrame(tv_writer *writer, size_t frame, const tv_frame *view, int *system) {
    const size_t rows = writer->texture.layout.rows_per_frame;
    tv_result result = TV_OK;
    for (size_t k = 0; k < writer->texture.frame_count && !result; k++) {
        if ((size_t)writer->texture.frames[k] != frame)
            continue;
        const size_t y = firstScanline(writer, k);
        shown s = {&writer->texture, view, y + rows - 1};
        result = tv_exr_put(writer->exr, y, rows, shownRow, &s, system);
    }
    return result;
}

static tv_result take(void *context, size_t frame, const tv_frame *view, int *system) {
    tv_writer *writer = context;
    const size_t parts = writer->texture.samples.part_count;
    if (!view->domains)
        return TV_NOT_TAKEN;
    if (memcmp(writer->domains, view->domains, parts)) {
        if (!writer->any_domain)
            return TV_NOT_TAKEN;
        tv_result result = tv_texture_check(&writer->texture);
        if (result)
            return result;
        memcpy(writer->domains, view->domains, parts);
    }
    tv_result result = putFrame(writer, frame, view, system);
    return result == TV_IO ? TV_SINK_IO : result;
}

tv_result tv_writer_divert(tv_writer *writer, tv_track *track, bool any_domain, int *system) {
    const tv_sink sink = {take, writer};
    *system = 0;
    tv_result result = tv_track_finish(track);
    for (size_t frame = 0; frame < tv_track_frame_count(track) && !result; frame++) {
        tv_frame view;
        result = tv_track_view(track, frame, &view, &writer->desks->scratch);
        if (result == TV_IO)
            *system = errno;
        if (!result && !view.domains)
            result = TV_NOT_TAKEN;
        if (result)
            return result;
        if (!frame)
            memcpy(writer->domains, view.domains, writer->texture.samples.part_count);
        result = putFrame(writer, frame, &view, system);
    }
    if (result)
        return result;
    writer->track = track;
    writer->any_domain = any_domain;
    tv_track_divert(track, &sink);
    return TV_OK;
}

/* ---------------------------------------------------------------------------------------------
 * All that is still missing
 */

/* The stored frame that shows a track's frame in the earlier writer's file. */
static bool findEarlier(const tv_writer *writer, size_t frame, size_t *k) {
    const tv_texture *earlier = &writer->options.earlier->texture;
    for (*k = 0; *k < earlier->frame_count; ++*k)
        if ((size_t)earlier->frames[*k] == frame)
            return true;
    return false;
}

static tv_result readEarlier(const tv_writer *writer, size_t k, desk *own) {
    const tv_writer *earlier = writer->options.earlier;
    const tv_layout *layout = &earlier->texture.layout;
    int system;
    if (!own->rows)
        own->rows = malloc(4 * layout->width * layout->rows_per_frame * sizeof *own->rows);
    if (!own->rows)
        return TV_OUT_OF_MEMORY;
    if (own->rows_frame == k + 1)
        return TV_OK;
    own->rows_frame = 0;
    tv_result result = tv_exr_get(earlier->exr, firstScanline(earlier, k), layout->rows_per_frame,
                                  own->rows, &system);
    if (!result)
        own->rows_frame = k + 1;
    else if (result == TV_IO)
        errno = system;
    return result;
}

/* Samples first .. of one frame, out of the rows that lie from the last one to the first. */
static void copyRow(const tv_writer *writer, size_t first, const desk *own, float *planes) {
    const tv_samples *samples = &writer->texture.samples;
    const tv_layout *from = &writer->options.earlier->texture.layout;
    const size_t width = writer->texture.layout.width;
    const size_t total = (size_t)samples->part_start[samples->part_count];
    for (size_t i = 0; i < width; i++) {
        const bool used = first + i < total;
        const size_t old = used ? (size_t)writer->options.earlier_sample[first + i] : 0;
        const float *row =
            own->rows + 4 * from->width * (from->rows_per_frame - 1 - old / from->width);
        for (size_t plane = 0; plane < 4; plane++)
            planes[plane * width + i] = used ? row[plane * from->width + old % from->width] : 0.0f;
    }
}

static tv_result missingRow(void *context, size_t thread, size_t y, float *planes) {
    const tv_writer *writer = context;
    const tv_texture *texture = &writer->texture;
    const size_t row = texture->layout.height - 1 - y, rows = texture->layout.rows_per_frame;
    desk *own = &writer->desks[thread];
    if (row && (row - 1) / rows < texture->frame_count) {
        const size_t frame = (size_t)texture->frames[(row - 1) / rows];
        if (tv_track_taken(texture->track, frame)) {
            size_t k;
            tv_result result =
                findEarlier(writer, frame, &k) ? readEarlier(writer, k, own) : TV_OUT_OF_RANGE;
            if (!result)
                copyRow(writer, (row - 1) % rows * texture->layout.width, own, planes);
            return result;
        }
    }
    return tv_texture_row(texture, row, planes, &own->scratch);
}

/* Is every frame here, in the track, in the earlier file or already written? */
static tv_result checkFrames(const tv_writer *writer) {
    const tv_texture *texture = &writer->texture;
    const size_t frames = tv_track_frame_count(texture->track);
    for (size_t k = 0; k < texture->frame_count; k++) {
        const size_t frame = (size_t)texture->frames[k];
        if (frame >= frames)
            return TV_OUT_OF_RANGE;
        if (tv_track_taken(texture->track, frame) && !writer->track && !writer->options.earlier)
            return TV_OUT_OF_RANGE;
        if (tv_track_own_samples(texture->track, frame) >
            texture->layout.width * texture->layout.rows_per_frame)
            return TV_OUT_OF_RANGE;
    }
    return TV_OK;
}

tv_result tv_writer_write(tv_writer *writer, size_t rows, size_t *left, int *system) {
    *system = 0;
    if (!writer->checked) {
        tv_result result = checkFrames(writer);
        if (result)
            return result;
        writer->checked = true;
    }
    return tv_exr_write(writer->exr, rows, missingRow, writer, left, system);
}

/* ---------------------------------------------------------------------------------------------
 * The file
 */

static tv_result checkEarlier(const tv_texture *texture, const tv_writer_options *options) {
    if (!options->earlier)
        return TV_OK;
    const tv_samples *old = &options->earlier->texture.samples, *samples = &texture->samples;
    const int64_t limit = old->part_start[old->part_count];
    for (int64_t s = 0; s < samples->part_start[samples->part_count]; s++)
        if (options->earlier_sample[s] < 0 || options->earlier_sample[s] >= limit)
            return TV_OUT_OF_RANGE;
    return TV_OK;
}

static tv_exr_options exrOptions(const tv_texture *texture, const tv_writer_options *options) {
    const tv_layout *layout = &texture->layout;
    const size_t used = texture->frame_count * layout->rows_per_frame + 1;
    size_t memory = tv_track_largest_spilled(texture->track);
    if (options->earlier) {
        const tv_layout *old = &options->earlier->texture.layout;
        memory += 4 * old->width * old->rows_per_frame * sizeof(float);
    }
    const tv_exr_options made = {
        .width = layout->width,
        .height = layout->height,
        .compression = TV_EXR_NONE,
        .direct = options->direct,
        .threads = options->threads,
        .source_memory = memory,
        .blank_rows = layout->height > used ? layout->height - used : 0,
    };
    return made;
}

tv_result tv_writer_create(tv_writer **created, const char *path, const tv_texture *texture,
                           const tv_writer_options *options, int *system) {
    *created = NULL;
    *system = 0;
    tv_result result = tv_texture_check(texture);
    if (!result)
        result = checkEarlier(texture, options);
    if (result)
        return result;
    tv_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return TV_OUT_OF_MEMORY;
    writer->texture = *texture;
    writer->options = *options;
    const tv_exr_options exr = exrOptions(texture, options);
    result = tv_exr_create(&writer->exr, path, &exr, system);
    if (!result) {
        writer->threads = tv_exr_threads(writer->exr);
        writer->desks = calloc(writer->threads, sizeof *writer->desks);
        writer->domains = calloc(texture->samples.part_count + 1, 1);
        if (!writer->desks || !writer->domains)
            result = TV_OUT_OF_MEMORY;
    }
    if (result) {
        tv_writer_destroy(writer);
        return result;
    }
    *created = writer;
    return TV_OK;
}

tv_result tv_writer_close(tv_writer *writer, uint64_t *size, int *system) {
    return tv_exr_close(writer->exr, size, system);
}

void tv_writer_destroy(tv_writer *writer) {
    if (!writer)
        return;
    if (writer->track)
        tv_track_divert(writer->track, NULL);
    tv_exr_destroy(writer->exr);
    for (size_t i = 0; writer->desks && i < writer->threads; i++) {
        free(writer->desks[i].scratch.buffer);
        free(writer->desks[i].rows);
    }
    free(writer->desks);
    free(writer->domains);
    free(writer);
}
