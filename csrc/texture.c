/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of the nekoVAT texture: R, G, B a position, A the bits of a normal word.
 */
#include "truevat.h"

#include <string.h>

static bool allBelow(const int32_t *indices, int64_t first, int64_t last, size_t limit) {
    for (int64_t s = first; s < last; s++)
        if (indices[s] < 0 || (size_t)indices[s] >= limit)
            return false;
    return true;
}

static bool partFits(const tv_texture *texture, size_t part) {
    const tv_samples *samples = &texture->samples;
    const int64_t first = samples->part_start[part], last = samples->part_start[part + 1];
    const int32_t *indices[] = {samples->point, samples->face, samples->corner};
    for (int domain = TV_POINT; domain <= TV_CORNER; domain++)
        if (tv_track_has_domain(texture->track, part, (tv_domain)domain) &&
            !allBelow(indices[domain], first, last,
                      tv_track_domain_size(texture->track, part, (tv_domain)domain)))
            return false;
    return true;
}

tv_result tv_texture_check(const tv_texture *texture) {
    const tv_samples *samples = &texture->samples;
    const tv_layout *layout = &texture->layout;
    if (samples->part_count != tv_track_part_count(texture->track) || samples->part_start[0] != 0)
        return TV_OUT_OF_RANGE;
    for (size_t part = 0; part < samples->part_count; part++)
        if (samples->part_start[part] > samples->part_start[part + 1])
            return TV_OUT_OF_RANGE;
    for (size_t part = 0; part < samples->part_count; part++)
        if (!partFits(texture, part))
            return TV_OUT_OF_RANGE;
    if ((size_t)samples->part_start[samples->part_count] > layout->width * layout->rows_per_frame ||
        texture->frame_count * layout->rows_per_frame + 1 > layout->height)
        return TV_OUT_OF_RANGE;
    for (size_t k = 0; k < texture->frame_count; k++)
        if (texture->frames[k] < 0)
            return TV_OUT_OF_RANGE;
    return TV_OK;
}

/* Columns first .. last - 1 of a row hold samples start .. of one part. */
typedef struct {
    float *a, *b, *g, *r;
} texels;

static texels at(float *planes, size_t width, size_t column) {
    texels t = {planes + column, planes + width + column, planes + 2 * width + column,
                planes + 3 * width + column};
    return t;
}

static void putSamples(texels out, size_t count, const float *points, const uint32_t *words,
                       const int32_t *point, const int32_t *normal, const float origin[3]) {
    const float x = origin[0], y = origin[1], z = origin[2];
    for (size_t i = 0; i < count; i++) {
        const float *p = points + 3 * (size_t)point[i];
        out.r[i] = p[0] - x;
        out.g[i] = p[1] - y;
        out.b[i] = p[2] - z;
    }
    for (size_t i = 0; i < count; i++)
        memcpy(out.a + i, words + normal[i], sizeof(float));
}

/* A frame that has the first one's topology: through the sample table, part by part. */
static void putShared(const tv_texture *texture, const tv_frame *view, size_t first, size_t last,
                      float *planes) {
    const tv_samples *samples = &texture->samples;
    const int32_t *indices[] = {samples->point, samples->face, samples->corner};
    const float *points = view->points;
    const uint32_t *words = view->words;

    for (size_t part = 0; part < samples->part_count; part++) {
        const size_t start = (size_t)samples->part_start[part];
        const size_t end = (size_t)samples->part_start[part + 1];
        const size_t from = start > first ? start : first, to = end < last ? end : last;
        const tv_domain domain = (tv_domain)view->domains[part];
        if (from < to)
            putSamples(at(planes, texture->layout.width, from - first), to - from, points, words,
                       samples->point + from, indices[domain] + from, samples->origin + 3 * part);
        points += 3 * tv_track_domain_size(texture->track, part, TV_POINT);
        words += tv_track_domain_size(texture->track, part, domain);
    }
}

/* A frame that is stored sample by sample: as it is. */
static void putOwn(const tv_texture *texture, const tv_frame *view, size_t first, size_t count,
                   float *planes) {
    texels out = at(planes, texture->layout.width, 0);
    const float *point = view->points + 3 * first;
    for (size_t i = 0; i < count; i++, point += 3) {
        out.r[i] = point[0];
        out.g[i] = point[1];
        out.b[i] = point[2];
    }
    if (count)
        memcpy(out.a, view->words + first, count * sizeof(float));
}

void tv_texture_show(const tv_texture *texture, const tv_frame *view, size_t row, float *planes) {
    const tv_samples *samples = &texture->samples;
    const size_t width = texture->layout.width, first = row * width;
    const size_t total =
        view->domains ? (size_t)samples->part_start[samples->part_count] : view->point_count;
    const size_t used = total <= first ? 0 : total - first < width ? total - first : width;
    for (size_t plane = 0; plane < 4; plane++)
        memset(planes + plane * width + used, 0, (width - used) * sizeof(float));
    if (view->domains)
        putShared(texture, view, first, first + used, planes);
    else
        putOwn(texture, view, first, used, planes);
}

tv_result tv_texture_row(const tv_texture *texture, size_t row, float *planes,
                         tv_scratch *scratch) {
    const size_t width = texture->layout.width, rows = texture->layout.rows_per_frame;
    const size_t k = row ? (row - 1) / rows : 0;
    if (row == 0 || k >= texture->frame_count) {
        memset(planes, 0, 4 * width * sizeof(float));
        if (row == 0) {
            texels out = at(planes, width, 0);
            memcpy(out.r, &texture->header, sizeof(float));
            *out.a = 1.0f;
        }
        return TV_OK;
    }
    tv_frame view;
    tv_result result = tv_track_view(texture->track, (size_t)texture->frames[k], &view, scratch);
    if (!result)
        tv_texture_show(texture, &view, (row - 1) % rows, planes);
    return result;
}
