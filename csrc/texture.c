/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of a texture: slots and frames to channels.
 */
#include "truevat.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------
 * Is it safe to make rows?
 */

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

static bool layoutFits(const tv_texture *texture) {
    const tv_layout *layout = &texture->layout;
    const size_t frames = texture->frame_count;
    const size_t end = layout->header_rows + frames * layout->rows_per_frame;
    const size_t normals_end = layout->normal_row + frames * layout->normal_rows_per_frame;
    if (texture->slots > layout->width * layout->rows_per_frame || end > layout->height)
        return false;
    if (!layout->normal_rows_per_frame)
        return true;
    const size_t per_texel = texture->texel == TV_TEXEL_OFFSETS ? 2 : 1;
    return layout->normal_row >= end && normals_end <= layout->height &&
           texture->slots <= per_texel * layout->width * layout->normal_rows_per_frame;
}

tv_result tv_texture_check(const tv_texture *texture) {
    const tv_samples *samples = &texture->samples;
    if (samples->part_count != tv_track_part_count(texture->track) || samples->part_start[0] != 0)
        return TV_OUT_OF_RANGE;
    for (size_t part = 0; part < samples->part_count; part++)
        if (samples->part_start[part] > samples->part_start[part + 1])
            return TV_OUT_OF_RANGE;
    for (size_t part = 0; part < samples->part_count; part++)
        if (!partFits(texture, part))
            return TV_OUT_OF_RANGE;
    if ((size_t)samples->part_start[samples->part_count] > texture->slots || !layoutFits(texture))
        return TV_OUT_OF_RANGE;
    for (size_t k = 0; k < texture->frame_count; k++)
        if (texture->frames[k] < 0)
            return TV_OUT_OF_RANGE;
    return TV_OK;
}

/* ---------------------------------------------------------------------------------------------
 * Slots of one frame: positions relative to their origins, and words
 */

/* What is not asked for is NULL. */
typedef struct {
    float *x, *y, *z;
    uint32_t *words;
} columns;

static columns after(columns c, size_t count) {
    const columns rest = {c.x ? c.x + count : NULL, c.y ? c.y + count : NULL,
                          c.z ? c.z + count : NULL, c.words ? c.words + count : NULL};
    return rest;
}

static void putPoints(columns out, size_t count, const float *points, const int32_t *point,
                      const float origin[3]) {
    const float x = origin[0], y = origin[1], z = origin[2];
    for (size_t i = 0; i < count; i++) {
        const float *p = points + 3 * (size_t)point[i];
        out.x[i] = p[0] - x;
        out.y[i] = p[1] - y;
        out.z[i] = p[2] - z;
    }
}

static void putWords(uint32_t *out, size_t count, const uint32_t *words, const int32_t *normal) {
    for (size_t i = 0; i < count; i++)
        out[i] = words[normal[i]];
}

/* A frame that has the first one's topology: through the sample table, part by part. */
static void gatherShared(const tv_texture *texture, const tv_frame *view, size_t first, size_t last,
                         columns out) {
    const tv_samples *samples = &texture->samples;
    const int32_t *indices[] = {samples->point, samples->face, samples->corner};
    const float *points = view->points;
    const uint32_t *words = view->words;

    for (size_t part = 0; part < samples->part_count; part++) {
        const size_t start = (size_t)samples->part_start[part];
        const size_t end = (size_t)samples->part_start[part + 1];
        const size_t from = start > first ? start : first, to = end < last ? end : last;
        const tv_domain domain = (tv_domain)view->domains[part];
        const columns here = after(out, from > first ? from - first : 0);
        if (from < to && out.x)
            putPoints(here, to - from, points, samples->point + from, samples->origin + 3 * part);
        if (from < to && out.words)
            putWords(here.words, to - from, words, indices[domain] + from);
        points += 3 * tv_track_domain_size(texture->track, part, TV_POINT);
        words += tv_track_domain_size(texture->track, part, domain);
    }
}

/* A frame that is stored sample by sample: as it is. */
static void gatherOwn(const tv_frame *view, const float origin[3], size_t first, size_t last,
                      columns out) {
    const float *point = view->points + 3 * first;
    for (size_t i = 0; out.x && i < last - first; i++, point += 3) {
        out.x[i] = point[0] - origin[0];
        out.y[i] = point[1] - origin[1];
        out.z[i] = point[2] - origin[2];
    }
    if (out.words && last > first)
        memcpy(out.words, view->words + first, (last - first) * sizeof *out.words);
}

static void gatherSome(const tv_texture *texture, const tv_frame *view, size_t first, size_t last,
                       columns out) {
    static const float kNowhere[3] = {0};
    if (view->domains)
        gatherShared(texture, view, first, last, out);
    else
        gatherOwn(view, texture->samples.part_count ? texture->samples.origin : kNowhere, first,
                  last, out);
}

/* Slots first .. last - 1. Those that the frame has no sample for are 0, or with `pad` all at its
 * first one. */
static void gather(const tv_texture *texture, const tv_frame *view, size_t first, size_t last,
                   columns out) {
    const tv_samples *samples = &texture->samples;
    const size_t has =
        view->domains ? (size_t)samples->part_start[samples->part_count] : view->point_count;
    const size_t used = has <= first ? 0 : has < last ? has - first : last - first;
    gatherSome(texture, view, first, first + used, out);
    if (used == last - first)
        return;
    float x = 0, y = 0, z = 0;
    uint32_t word = 0;
    if (texture->pad && has) {
        const columns one = {&x, &y, &z, &word};
        gatherSome(texture, view, 0, 1, one);
    }
    for (size_t i = used; i < last - first; i++) {
        if (out.x) {
            out.x[i] = x;
            out.y[i] = y;
            out.z[i] = z;
        }
        if (out.words)
            out.words[i] = word;
    }
}

/* ---------------------------------------------------------------------------------------------
 * Channels
 */

/* Planes of one row, from some column on. Values are halves where the texture's are. */
typedef struct {
    void *a, *b, *g, *r;
} texels;

static texels at(const tv_texture *texture, void *planes, size_t column) {
    const size_t size = texture->half ? sizeof(uint16_t) : sizeof(float);
    char *first = (char *)planes + column * size;
    const size_t plane = texture->layout.width * size;
    const texels t = {first, first + plane, first + 2 * plane, first + 3 * plane};
    return t;
}

enum { kBlock = 128 };

typedef struct {
    float x[kBlock], y[kBlock], z[kBlock];
} block;

static columns pointsOf(block *b) {
    const columns c = {b->x, b->y, b->z, NULL};
    return c;
}

static void store(const tv_texture *texture, void *plane, const float *values, size_t count) {
    if (texture->half)
        tv_to_half(plane, values, count);
    else
        memcpy(plane, values, count * sizeof *values);
}

/* R, G and B, and A 1. Returns the square of the farthest that halves move a vector. */
static float storeBlock(const tv_texture *texture, void *planes, size_t column, const block *b,
                        size_t count) {
    const texels out = at(texture, planes, column);
    const float *const values[3] = {b->x, b->y, b->z};
    if (texture->half) {
        uint16_t *const halves[3] = {out.r, out.g, out.b}, *alpha = out.a;
        for (size_t i = 0; i < count; i++)
            alpha[i] = 0x3c00;
        if (texture->texel == TV_TEXEL_OFFSETS)
            return tv_vectors_to_half(halves, values, count);
        for (size_t channel = 0; channel < 3; channel++)
            tv_to_half(halves[channel], values[channel], count);
        return 0;
    }
    void *const channels[3] = {out.r, out.g, out.b};
    float *alpha = out.a;
    for (size_t channel = 0; channel < 3; channel++)
        memcpy(channels[channel], values[channel], count * sizeof(float));
    for (size_t i = 0; i < count; i++)
        alpha[i] = 1.0f;
    return 0;
}

/* Straight into the row: what needs no arithmetic. */
static void putPlain(const tv_texture *texture, const tv_frame *view, size_t first, size_t last,
                     void *planes) {
    const texels t = at(texture, planes, 0);
    const columns out = {t.r, t.g, t.b, t.a};
    gather(texture, view, first, last, out);
    if (texture->texel == TV_TEXEL_VALUES)
        for (size_t i = 0; i < last - first; i++) {
            const float value = (float)out.words[i];
            memcpy(out.words + i, &value, sizeof value);
        }
}

static void subtractRest(const tv_texture *texture, size_t first, size_t count, block *b) {
    const float *x = texture->rest + first, *y = x + texture->slots, *z = y + texture->slots;
    for (size_t i = 0; i < count; i++) {
        b->x[i] -= x[i];
        b->y[i] -= y[i];
        b->z[i] -= z[i];
    }
}

static float axisOf(const block *b, const tv_texture *texture, size_t out, size_t i) {
    const float *planes[] = {b->x, b->y, b->z};
    return texture->sign[out] * planes[texture->axis[out]][i];
}

/* Turned, and low..high to 0..1: in double, so that what is stored is the nearest float. Where low
 * is high, that is 0. */
static void map(const tv_texture *texture, const float low[3], const float high[3], block *b,
                size_t count) {
    double range[3];
    for (size_t axis = 0; axis < 3; axis++)
        range[axis] = (double)high[axis] - low[axis];
    for (size_t i = 0; i < count; i++) {
        float mapped[3];
        for (size_t axis = 0; axis < 3; axis++) {
            const double above = (double)axisOf(b, texture, axis, i) - low[axis];
            mapped[axis] = range[axis] > 0 ? (float)(above / range[axis]) : 0.0f;
        }
        b->x[i] = mapped[0];
        b->y[i] = mapped[1];
        b->z[i] = mapped[2];
    }
}

/* The farthest that a point is from where a reader finds it, squared. */
static float mappingError(const tv_texture *texture, const block *exact, const block *mapped,
                          size_t count) {
    uint16_t half[kBlock];
    float stored[kBlock], most = 0;
    double square[kBlock] = {0};
    const float *axes[] = {mapped->x, mapped->y, mapped->z};
    for (size_t axis = 0; axis < 3; axis++) {
        const double low = texture->low[axis], range = (double)texture->high[axis] - low;
        memcpy(stored, axes[axis], count * sizeof *stored);
        if (texture->half) {
            tv_to_half(half, axes[axis], count);
            tv_from_half(stored, half, count);
        }
        for (size_t i = 0; i < count; i++) {
            const double lost = low + range * stored[i] - axisOf(exact, texture, axis, i);
            square[i] += lost * lost;
        }
    }
    for (size_t i = 0; i < count; i++)
        most = (float)square[i] > most ? (float)square[i] : most;
    return most;
}

/* Position, or offset from the rest position, in halves or mapped to 0..1. */
static void putReckoned(const tv_texture *texture, const tv_frame *view, size_t first, size_t last,
                        void *planes, float *error) {
    const bool mapped = texture->texel == TV_TEXEL_MAPPED;
    block b;
    for (size_t start = first; start < last; start += kBlock) {
        const size_t count = last - start < kBlock ? last - start : kBlock;
        gather(texture, view, start, start + count, pointsOf(&b));
        if (texture->rest)
            subtractRest(texture, start, count, &b);
        block exact;
        if (mapped) {
            exact = b;
            map(texture, texture->low, texture->high, &b, count);
        }
        float moved = storeBlock(texture, planes, start - first, &b, count);
        if (mapped)
            moved = mappingError(texture, &exact, &b, count);
        if (error)
            *error = moved > *error ? moved : *error;
    }
}

static void gatherWords(const tv_texture *texture, const tv_frame *view, size_t first, size_t count,
                        uint32_t *words) {
    const columns out = {NULL, NULL, NULL, words};
    gather(texture, view, first, first + count, out);
}

/* n / 2 + 0.5 */
static void putNormals(const tv_texture *texture, const tv_frame *view, size_t first, size_t last,
                       void *planes) {
    static const float kLow[3] = {-1, -1, -1}, kHigh[3] = {1, 1, 1};
    uint32_t words[kBlock];
    float normals[3 * kBlock];
    block b;
    for (size_t start = first; start < last; start += kBlock) {
        const size_t count = last - start < kBlock ? last - start : kBlock;
        gatherWords(texture, view, start, count, words);
        tv_unpack_normals(normals, words, count, tv_track_normal_code(texture->track));
        for (size_t i = 0; i < count; i++) {
            b.x[i] = normals[3 * i];
            b.y[i] = normals[3 * i + 1];
            b.z[i] = normals[3 * i + 2];
        }
        map(texture, kLow, kHigh, &b, count);
        storeBlock(texture, planes, start - first, &b, count);
    }
}

/* Octahedral coordinates of two slots to a texel. */
static void putPairs(const tv_texture *texture, const tv_frame *view, size_t first, size_t last,
                     void *planes) {
    uint32_t words[kBlock];
    float pairs[4][kBlock / 2];
    for (size_t start = first; start < last; start += kBlock) {
        const size_t count = last - start < kBlock ? last - start : kBlock;
        const size_t texels_here = (count + 1) / 2;
        gatherWords(texture, view, start, count, words);
        if (count % 2)
            words[count] = 2047 | 2047 << 12; /* nobody's: 0 */
        for (size_t i = 0; i < texels_here; i++)
            for (size_t sub = 0; sub < 2; sub++) {
                const uint32_t word = words[2 * i + sub];
                pairs[2 * sub][i] = ((float)(int32_t)(word & 0xfff) - 2047.0f) / 2047.0f;
                pairs[2 * sub + 1][i] = ((float)(int32_t)(word >> 12) - 2047.0f) / 2047.0f;
            }
        const texels out = at(texture, planes, (start - first) / 2);
        void *channels[] = {out.r, out.g, out.b, out.a};
        for (size_t channel = 0; channel < 4; channel++)
            store(texture, channels[channel], pairs[channel], texels_here);
    }
}

/* ---------------------------------------------------------------------------------------------
 * Rows
 */

size_t tv_texture_row_bytes(const tv_texture *texture) {
    return texture->layout.width * 4 * (texture->half ? sizeof(uint16_t) : sizeof(float));
}

void tv_texture_show(const tv_texture *texture, const tv_frame *view, tv_place place, void *planes,
                     float *error) {
    const size_t width = texture->layout.width;
    const bool pairs = place.normals && texture->texel == TV_TEXEL_OFFSETS;
    const size_t each = pairs ? 2 * width : width;
    const size_t first = place.row * each;
    const size_t left = texture->slots > first ? texture->slots - first : 0;
    const size_t last = first + (left < each ? left : each);
    const bool plain = texture->texel == TV_TEXEL_BITS || texture->texel == TV_TEXEL_VALUES;

    if (last - first < each)
        memset(planes, 0, tv_texture_row_bytes(texture));
    if (pairs)
        putPairs(texture, view, first, last, planes);
    else if (place.normals || texture->texel == TV_TEXEL_NORMALS)
        putNormals(texture, view, first, last, planes);
    else if (plain)
        putPlain(texture, view, first, last, planes);
    else
        putReckoned(texture, view, first, last, planes, error);
}

static void putHeader(const tv_texture *texture, size_t row, void *planes) {
    const size_t width = texture->layout.width, first = row * width;
    memset(planes, 0, tv_texture_row_bytes(texture));
    for (size_t i = 0; i < width && first + i < texture->header_count; i++) {
        const float *texel = texture->header + 4 * (first + i);
        const texels out = at(texture, planes, i);
        store(texture, out.r, texel, 1);
        store(texture, out.g, texel + 1, 1);
        store(texture, out.b, texel + 2, 1);
        store(texture, out.a, texel + 3, 1);
    }
}

bool tv_texture_place(const tv_texture *texture, size_t row, tv_place *place) {
    const tv_layout *layout = &texture->layout;
    const size_t frames = texture->frame_count;
    const bool normals = layout->normal_rows_per_frame && row >= layout->normal_row;
    const size_t first = normals ? layout->normal_row : layout->header_rows;
    const size_t rows = normals ? layout->normal_rows_per_frame : layout->rows_per_frame;
    if (row < first || row - first >= frames * rows)
        return false;
    place->normals = normals;
    place->frame = layout->by_block ? (row - first) % frames : (row - first) / rows;
    place->row = layout->by_block ? (row - first) / frames : (row - first) % rows;
    return true;
}

tv_result tv_texture_row(const tv_texture *texture, size_t row, void *planes, tv_scratch *scratch,
                         float *error) {
    tv_place place;
    if (row < texture->layout.header_rows) {
        putHeader(texture, row, planes);
        return TV_OK;
    }
    if (!tv_texture_place(texture, row, &place)) {
        memset(planes, 0, tv_texture_row_bytes(texture));
        return TV_OK;
    }
    tv_frame view;
    tv_result result =
        tv_track_view(texture->track, (size_t)texture->frames[place.frame], &view, scratch);
    if (!result)
        tv_texture_show(texture, &view, place, planes, error);
    return result;
}
