/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "writer.h"

#include "exr.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One thread's. */
typedef struct {
    tv_scratch scratch;
    char *rows;   /* those that the earlier writer has of a frame, from the last to the first */
    tv_place has; /* which: of positions or normals, of stored frame has.frame */
    bool filled;  /* is there anything in rows? */
    float error;  /* see tv_texture_show */
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

static size_t scanlineOf(const tv_layout *layout, size_t row) {
    return layout->from_top ? row : layout->height - 1 - row;
}

/* ---------------------------------------------------------------------------------------------
 * Frame by frame
 */

typedef struct {
    tv_writer *writer;
    const tv_frame *view;
} shown;

static tv_result shownRow(void *context, size_t thread, size_t y, void *planes) {
    const shown *s = context;
    const tv_texture *texture = &s->writer->texture;
    tv_place place;
    if (!tv_texture_place(texture, scanlineOf(&texture->layout, y), &place))
        return TV_OUT_OF_RANGE;
    tv_texture_show(texture, s->view, place, planes, &s->writer->desks[thread].error);
    return TV_OK;
}

/* Rows of one frame that lie one below the other in the file. */
static tv_result putRows(tv_writer *writer, size_t first, size_t rows, const tv_frame *view,
                         int *system) {
    shown s = {writer, view};
    const size_t y = scanlineOf(&writer->texture.layout, first + rows - 1);
    return rows ? tv_exr_put(writer->exr, y, rows, shownRow, &s, system) : TV_OK;
}

static tv_result putFrame(tv_writer *writer, size_t frame, const tv_frame *view, int *system) {
    const tv_layout *layout = &writer->texture.layout;
    const size_t rows = layout->rows_per_frame, normals = layout->normal_rows_per_frame;
    tv_result result = TV_OK;
    for (size_t k = 0; k < writer->texture.frame_count && !result; k++) {
        if ((size_t)writer->texture.frames[k] != frame)
            continue;
        result = putRows(writer, layout->header_rows + k * rows, rows, view, system);
        if (!result)
            result = putRows(writer, layout->normal_row + k * normals, normals, view, system);
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
    const tv_layout *layout = &writer->texture.layout;
    *system = 0;
    if (layout->by_block || layout->from_top)
        return TV_NOT_TAKEN;
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

static tv_result readEarlier(const tv_writer *writer, tv_place wanted, desk *own) {
    const tv_writer *earlier = writer->options.earlier;
    const tv_layout *layout = &earlier->texture.layout;
    const size_t bytes = tv_texture_row_bytes(&earlier->texture);
    const size_t rows = wanted.normals ? layout->normal_rows_per_frame : layout->rows_per_frame;
    const size_t first = wanted.normals ? layout->normal_row : layout->header_rows;
    int system;
    if (own->filled && own->has.normals == wanted.normals && own->has.frame == wanted.frame)
        return TV_OK;
    if (!own->rows)
        own->rows = malloc(bytes * layout->rows_per_frame);
    if (!own->rows)
        return TV_OUT_OF_MEMORY;
    own->filled = false;
    const size_t y = scanlineOf(layout, first + (wanted.frame + 1) * rows - 1);
    tv_result result = tv_exr_get(earlier->exr, y, rows, own->rows, &system);
    own->filled = !result;
    own->has = wanted;
    if (result == TV_IO)
        errno = system;
    return result;
}

/* Values are moved as they are, `size` bytes each; a slot has `channels` of them. */
typedef struct {
    size_t size, channels, rows;
} moved;

static const char *earlierValue(const tv_writer *writer, const desk *own, moved m, size_t slot,
                                size_t channel) {
    const size_t width = writer->options.earlier->texture.layout.width;
    const size_t per_texel = 4 / m.channels, texel = slot / per_texel;
    const size_t row = m.rows - 1 - texel / width;
    const size_t plane = 4 - m.channels * (slot % per_texel + 1) + channel;
    return own->rows + ((4 * row + plane) * width + texel % width) * m.size;
}

static void copyRow(const tv_writer *writer, tv_place place, const desk *own, char *planes) {
    const tv_texture *texture = &writer->texture;
    const tv_layout *old = &writer->options.earlier->texture.layout;
    const size_t width = texture->layout.width;
    const bool pairs = place.normals && texture->texel == TV_TEXEL_OFFSETS;
    const moved m = {texture->half ? sizeof(uint16_t) : sizeof(float), pairs ? 2 : 4,
                     place.normals ? old->normal_rows_per_frame : old->rows_per_frame};
    const size_t per_texel = 4 / m.channels, first = place.row * width * per_texel;

    memset(planes, 0, tv_texture_row_bytes(texture));
    for (size_t i = 0; i < width * per_texel && first + i < texture->slots; i++) {
        const size_t slot = (size_t)writer->options.earlier_sample[first + i];
        for (size_t channel = 0; channel < m.channels; channel++) {
            const size_t plane = 4 - m.channels * (i % per_texel + 1) + channel;
            memcpy(planes + (plane * width + i / per_texel) * m.size,
                   earlierValue(writer, own, m, slot, channel), m.size);
        }
    }
}

static tv_result missingRow(void *context, size_t thread, size_t y, void *planes) {
    const tv_writer *writer = context;
    const tv_texture *texture = &writer->texture;
    const size_t row = scanlineOf(&texture->layout, y);
    desk *own = &writer->desks[thread];
    tv_place place;
    if (tv_texture_place(texture, row, &place)) {
        const size_t frame = (size_t)texture->frames[place.frame];
        if (tv_track_taken(texture->track, frame)) {
            tv_place earlier = place;
            tv_result result = findEarlier(writer, frame, &earlier.frame)
                                   ? readEarlier(writer, earlier, own)
                                   : TV_OUT_OF_RANGE;
            if (!result)
                copyRow(writer, place, own, planes);
            return result;
        }
    }
    return tv_texture_row(texture, row, planes, &own->scratch, &own->error);
}

/* Is every frame here, in the track, in the earlier file or already written? Those that came after
 * the writer may have normals that live elsewhere. */
static tv_result checkFrames(const tv_writer *writer) {
    const tv_texture *texture = &writer->texture;
    const size_t frames = tv_track_frame_count(texture->track);
    tv_result result = tv_texture_check(texture);
    if (result)
        return result;
    for (size_t k = 0; k < texture->frame_count; k++) {
        const size_t frame = (size_t)texture->frames[k];
        if (frame >= frames)
            return TV_OUT_OF_RANGE;
        if (tv_track_taken(texture->track, frame) && !writer->track && !writer->options.earlier)
            return TV_OUT_OF_RANGE;
        if (tv_track_own_samples(texture->track, frame) > texture->slots)
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
    const tv_texture *old = &options->earlier->texture;
    const size_t samples = (size_t)texture->samples.part_start[texture->samples.part_count];
    if (old->texel != texture->texel || old->half != texture->half || samples != texture->slots ||
        !old->layout.normal_rows_per_frame != !texture->layout.normal_rows_per_frame)
        return TV_MISMATCH;
    for (size_t s = 0; s < samples; s++)
        if (options->earlier_sample[s] < 0 || (size_t)options->earlier_sample[s] >= old->slots)
            return TV_OUT_OF_RANGE;
    return TV_OK;
}

/* Rows at the top of the file that nothing is in. */
static size_t blankRows(const tv_texture *texture) {
    const tv_layout *layout = &texture->layout;
    const size_t used = layout->header_rows + texture->frame_count * layout->rows_per_frame;
    const size_t normals =
        layout->normal_row + texture->frame_count * layout->normal_rows_per_frame;
    const size_t end = layout->normal_rows_per_frame ? normals : used;
    return layout->from_top ? 0 : layout->height - end;
}

static tv_exr_options exrOptions(const tv_texture *texture, const tv_writer_options *options) {
    size_t memory = tv_track_largest_spilled(texture->track);
    if (options->earlier) {
        const tv_texture *old = &options->earlier->texture;
        memory += tv_texture_row_bytes(old) * old->layout.rows_per_frame;
    }
    const tv_exr_options made = {
        .width = texture->layout.width,
        .height = texture->layout.height,
        .compression = TV_EXR_NONE,
        .half = texture->half,
        .direct = options->direct,
        .threads = options->threads,
        .source_memory = memory,
        .blank_rows = blankRows(texture),
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

void tv_writer_set_header(tv_writer *writer, const float *header, size_t count) {
    writer->texture.header = header;
    writer->texture.header_count = count;
}

double tv_writer_error(const tv_writer *writer) {
    float most = 0;
    for (size_t i = 0; i < writer->threads; i++)
        most = writer->desks[i].error > most ? writer->desks[i].error : most;
    return sqrt((double)most);
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
