/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every sample did, frame by frame. One worker thread does the arithmetic while the caller
 * evaluates the next frame; frames beyond the memory budget go to a file that nobody can see.
 */
#include "truevat.h"

#include "platform.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { kDomains = 3, kBlock = 512 };

typedef struct {
    tv_part *parts;
    size_t part_count;
    size_t part_capacity;
    uint64_t key;
} job;

/* Floats and words of one frame lie in one piece: points first. */
typedef struct {
    void *memory;    /* NULL: in the file, or taken */
    uint64_t offset; /* in the file */
    size_t point_count;
    size_t word_count;
    uint8_t *domains; /* NULL: stored sample by sample */
    bool taken;       /* by the sink */
} stored;

/* Frames lie one after the other in chunks. */
typedef struct {
    char *pages;
    size_t size, used;
} chunk;

/* Of the frames that have the first one's topology. */
typedef struct {
    size_t group;
    bool known[kDomains]; /* does size say anything yet? */
    size_t size[kDomains];
    uint64_t *sums[kDomains]; /* two lanes for each item; the points' own are with their normals' */
} shape;

struct tv_track {
    tv_track_options options;
    char *directory;

    tv_thread worker;
    bool has_worker;
    tv_mutex mutex;
    tv_cond changed;
    job jobs[TV_IN_FLIGHT];
    size_t appended, processed;
    bool closing;
    tv_error error;

    /* The worker's own, until a frame is processed. */
    tv_error failure;
    tv_sink sink; /* take NULL: none */

    stored *frames;
    size_t frame_count, frame_capacity, taken_count;
    shape *shapes;
    size_t shape_count;
    float *bounds; /* 6 for each group */
    uint64_t own_digest[2];
    size_t bad_normals;

    chunk *chunks;
    size_t chunk_count;
    size_t memory, spilled, largest_spilled;
    tv_file file;
    void *staging;
    size_t staging_size;
    void *scratch; /* local points and words of a frame that is stored sample by sample */
    size_t scratch_size;
};

static tv_result reserve(void **buffer, size_t *size, size_t needed) {
    if (needed <= *size && *buffer)
        return TV_OK;
    void *grown = realloc(*buffer, needed ? needed : 1);
    if (!grown)
        return TV_OUT_OF_MEMORY;
    *buffer = grown;
    *size = needed;
    return TV_OK;
}

static const size_t kChunkSize = (size_t)16 << 20;
static const size_t kAlignment = 64;

static void *allocateFrame(tv_track *track, size_t size) {
    size = (size + kAlignment - 1) / kAlignment * kAlignment;
    chunk *last = track->chunk_count ? &track->chunks[track->chunk_count - 1] : NULL;
    if (!last || last->size - last->used < size) {
        chunk *grown = realloc(track->chunks, (track->chunk_count + 1) * sizeof *grown);
        if (!grown)
            return NULL;
        track->chunks = grown;
        last = &grown[track->chunk_count];
        /* as many frames of this size as fit, since the next ones are likely to have it */
        last->size = size && size < kChunkSize ? kChunkSize / size * size : size + !size;
        last->used = 0;
        last->pages = tv_pages_allocate(last->size);
        if (!last->pages)
            return NULL;
        track->chunk_count++;
    }
    void *memory = last->pages + last->used;
    last->used += size;
    return memory;
}

static size_t payloadSize(size_t points, size_t words) {
    return points * 3 * sizeof(float) + words * sizeof(uint32_t);
}

/* ---------------------------------------------------------------------------------------------
 * The worker's side
 */

static tv_result fail(tv_track *track, tv_result result, size_t part, size_t vertex, int system) {
    track->failure.result = result;
    track->failure.system = system;
    track->failure.frame = track->frame_count;
    track->failure.part = part;
    track->failure.vertex = vertex;
    return result;
}

static tv_result transformPart(tv_track *track, const tv_part *part, size_t index, float *points,
                               uint32_t *words) {
    size_t bad = tv_transform_points(points, part->points, part->point_count, part->matrix,
                                     track->bounds + 6 * part->group);
    if (bad < part->point_count)
        return fail(track, TV_NOT_FINITE, index, bad, 0);
    track->bad_normals += tv_transform_pack_normals(words, part->normals, part->normal_count,
                                                    part->matrix, track->options.normal_code);
    return TV_OK;
}

static tv_result learnShapes(tv_track *track, const job *work) {
    track->shapes = calloc(work->part_count ? work->part_count : 1, sizeof *track->shapes);
    if (!track->shapes)
        return fail(track, TV_OUT_OF_MEMORY, 0, 0, 0);
    track->shape_count = work->part_count;
    for (size_t i = 0; i < work->part_count; i++) {
        track->shapes[i].group = work->parts[i].group;
        track->shapes[i].size[TV_POINT] = work->parts[i].point_count;
        track->shapes[i].known[TV_POINT] = true;
    }
    return TV_OK;
}

static tv_result prepareSums(tv_track *track, shape *known, tv_domain domain, size_t part) {
    if (known->sums[domain] || !known->size[domain])
        return TV_OK;
    known->sums[domain] = calloc(2 * known->size[domain], sizeof(uint64_t));
    return known->sums[domain] ? TV_OK : fail(track, TV_OUT_OF_MEMORY, part, 0, 0);
}

static tv_result checkShape(tv_track *track, const tv_part *part, size_t index) {
    shape *known = &track->shapes[index];
    if (!known->known[part->domain])
        known->size[part->domain] = part->normal_count;
    known->known[part->domain] = true;
    if (known->size[TV_POINT] != part->point_count ||
        known->size[part->domain] != part->normal_count)
        return fail(track, TV_MISMATCH, index, 0, 0);
    tv_result result = prepareSums(track, known, TV_POINT, index);
    return result ? result : prepareSums(track, known, part->domain, index);
}

static tv_result fillShared(tv_track *track, const job *work, float *points, uint32_t *words) {
    for (size_t i = 0; i < work->part_count; i++) {
        const tv_part *part = &work->parts[i];
        tv_result result = transformPart(track, part, i, points, words);
        if (result)
            return result;
        const shape *known = &track->shapes[i];
        const uint32_t *bits = (const uint32_t *)(const void *)points;
        if (part->domain == TV_POINT) {
            tv_hash_points(known->sums[TV_POINT], bits, words, part->point_count, work->key);
        } else {
            tv_hash_words(known->sums[TV_POINT], bits, 3, part->point_count, work->key);
            tv_hash_words(known->sums[part->domain], words, 1, part->normal_count, work->key);
        }
        points += 3 * part->point_count;
        words += part->normal_count;
    }
    return TV_OK;
}

static tv_result gather(tv_track *track, const tv_part *part, size_t index, float *points,
                        uint32_t *words, const float *local_points, const uint32_t *local_words) {
    for (size_t s = 0; s < part->sample_count; s++) {
        size_t point = (size_t)part->sample_point[s], normal = (size_t)part->sample_normal[s];
        if (point >= part->point_count || normal >= part->normal_count)
            return fail(track, TV_OUT_OF_RANGE, index, 0, 0);
        memcpy(points + 3 * s, local_points + 3 * point, 3 * sizeof(float));
        words[s] = local_words[normal];
    }
    return TV_OK;
}

static void digestSamples(tv_track *track, const float *points, const uint32_t *words, size_t count,
                          uint64_t key) {
    for (size_t start = 0; start < count; start += kBlock) {
        uint64_t sums[2 * kBlock] = {0};
        size_t n = count - start < kBlock ? count - start : kBlock;
        tv_hash_words(sums, (const uint32_t *)(const void *)(points + 3 * start), 3, n, key);
        tv_hash_words(sums, words + start, 1, n, key);
        tv_hash_fold(track->own_digest, sums, n, start);
    }
}

static tv_result fillOwn(tv_track *track, const job *work, float *points, uint32_t *words) {
    const float *all_points = points;
    const uint32_t *all_words = words;
    size_t count = 0;
    for (size_t i = 0; i < work->part_count; i++) {
        const tv_part *part = &work->parts[i];
        if (reserve(&track->scratch, &track->scratch_size,
                    payloadSize(part->point_count, part->normal_count)))
            return fail(track, TV_OUT_OF_MEMORY, i, 0, 0);
        float *local_points = track->scratch;
        uint32_t *local_words = (uint32_t *)(void *)(local_points + 3 * part->point_count);
        tv_result result = transformPart(track, part, i, local_points, local_words);
        if (!result)
            result = gather(track, part, i, points, words, local_points, local_words);
        if (result)
            return result;
        points += 3 * part->sample_count;
        words += part->sample_count;
        count += part->sample_count;
    }
    digestSamples(track, all_points, all_words, count, work->key);
    return TV_OK;
}

static tv_result spill(tv_track *track, stored *frame, const void *payload, size_t size) {
    int code = 0;
    if (track->file == TV_NO_FILE)
        code = tv_file_create_temporary(&track->file, track->directory);
    if (!code)
        code = tv_file_write_at(track->file, payload, size, track->spilled);
    if (code)
        return fail(track, TV_IO, 0, 0, code);
    frame->offset = track->spilled;
    track->spilled += size;
    if (size > track->largest_spilled)
        track->largest_spilled = size;
    return TV_OK;
}

static tv_result measure(tv_track *track, const job *work, stored *frame, bool *own) {
    /* A frame without parts among others with some has its own samples: none. */
    *own = work->part_count ? work->parts[0].sample_point != NULL : track->shape_count != 0;
    if (!*own && !track->shapes) {
        tv_result result = learnShapes(track, work);
        if (result)
            return result;
    }
    if (!*own && track->shape_count != work->part_count)
        return fail(track, TV_MISMATCH, 0, 0, 0);

    for (size_t i = 0; i < work->part_count; i++) {
        const tv_part *part = &work->parts[i];
        if (part->group >= track->options.groups || !part->sample_point == *own)
            return fail(track, TV_MISMATCH, i, 0, 0);
        frame->point_count += *own ? part->sample_count : part->point_count;
        frame->word_count += *own ? part->sample_count : part->normal_count;
        tv_result result = *own ? TV_OK : checkShape(track, part, i);
        if (result)
            return result;
    }
    return TV_OK;
}

static tv_result noteDomains(tv_track *track, stored *frame, const job *work) {
    frame->domains = malloc(work->part_count ? work->part_count : 1);
    if (!frame->domains)
        return fail(track, TV_OUT_OF_MEMORY, 0, 0, 0);
    for (size_t i = 0; i < work->part_count; i++)
        frame->domains[i] = (uint8_t)work->parts[i].domain;
    return TV_OK;
}

static tv_frame viewOf(const stored *frame, const void *payload) {
    const float *points = payload;
    const tv_frame view = {points,
                           (const uint32_t *)(const void *)(points + 3 * frame->point_count),
                           frame->point_count, frame->word_count, frame->domains};
    return view;
}

static tv_result fill(tv_track *track, const job *work, const stored *frame, bool own,
                      void *payload) {
    float *points = payload;
    uint32_t *words = (uint32_t *)(void *)(points + 3 * frame->point_count);
    return own ? fillOwn(track, work, points, words) : fillShared(track, work, points, words);
}

static tv_result giveAway(tv_track *track, stored *frame) {
    const tv_frame view = viewOf(frame, track->staging);
    int code = 0;
    tv_result result = track->sink.take(track->sink.context, track->frame_count, &view, &code);
    if (result == TV_NOT_TAKEN)
        track->sink.take = NULL;
    else if (result)
        return fail(track, result, 0, 0, code);
    frame->taken = !result;
    track->taken_count += frame->taken;
    return TV_OK;
}

/* Into memory, the sink or the file; in the latter two cases by way of `staging`. */
static tv_result fillFrame(tv_track *track, const job *work, stored *frame, bool own) {
    const size_t size = payloadSize(frame->point_count, frame->word_count);
    const bool fits = track->memory + size <= track->options.memory;
    const bool diverted = track->sink.take != NULL;
    if (fits && !diverted)
        frame->memory = allocateFrame(track, size);
    else if (reserve(&track->staging, &track->staging_size, size))
        return fail(track, TV_OUT_OF_MEMORY, 0, 0, 0);
    if (fits && !diverted && !frame->memory)
        return fail(track, TV_OUT_OF_MEMORY, 0, 0, 0);

    tv_result result =
        fill(track, work, frame, own, frame->memory ? frame->memory : track->staging);
    if (!result && diverted)
        result = giveAway(track, frame);
    if (result || frame->taken)
        return result;
    if (fits && diverted) { /* the sink did not want it */
        frame->memory = allocateFrame(track, size);
        if (!frame->memory)
            return fail(track, TV_OUT_OF_MEMORY, 0, 0, 0);
        memcpy(frame->memory, track->staging, size);
    }
    if (!fits)
        return spill(track, frame, track->staging, size);
    track->memory += size;
    return TV_OK;
}

static tv_result storeFrame(tv_track *track, const job *work) {
    if (track->frame_count == track->frame_capacity) {
        size_t capacity = track->frame_capacity ? 2 * track->frame_capacity : 64;
        stored *grown = realloc(track->frames, capacity * sizeof *grown);
        if (!grown)
            return fail(track, TV_OUT_OF_MEMORY, 0, 0, 0);
        track->frames = grown;
        track->frame_capacity = capacity;
    }
    stored *frame = &track->frames[track->frame_count];
    memset(frame, 0, sizeof *frame);

    bool own = false;
    tv_result result = measure(track, work, frame, &own);
    if (!result && !own)
        result = noteDomains(track, frame, work);
    if (!result)
        result = fillFrame(track, work, frame, own);
    if (result) {
        free(frame->domains);
        return result;
    }
    track->frame_count++;
    return TV_OK;
}

static void work(void *argument) {
    tv_track *track = argument;
    tv_mutex_lock(&track->mutex);
    for (;;) {
        while (track->appended == track->processed && !track->closing)
            tv_cond_wait(&track->changed, &track->mutex);
        if (track->closing)
            break;
        const job *next = &track->jobs[track->processed % TV_IN_FLIGHT];
        bool failed = track->error.result != TV_OK;
        tv_mutex_unlock(&track->mutex);
        if (!failed)
            storeFrame(track, next); /* what failed is in track->failure */
        tv_mutex_lock(&track->mutex);
        track->error = track->failure;
        track->processed++;
        tv_cond_broadcast(&track->changed);
    }
    tv_mutex_unlock(&track->mutex);
}

/* ---------------------------------------------------------------------------------------------
 * The caller's side
 */

static void resetBounds(float *bounds, size_t groups) {
    for (size_t i = 0; i < groups; i++)
        for (size_t axis = 0; axis < 3; axis++) {
            bounds[6 * i + axis] = INFINITY;
            bounds[6 * i + 3 + axis] = -INFINITY;
        }
}

tv_result tv_track_create(tv_track **created, const tv_track_options *options) {
    *created = NULL;
    tv_track *track = calloc(1, sizeof *track);
    if (!track)
        return TV_OUT_OF_MEMORY;
    track->options = *options;
    track->file = TV_NO_FILE;
    if (tv_mutex_init(&track->mutex)) {
        free(track);
        return TV_OUT_OF_MEMORY;
    }
    if (tv_cond_init(&track->changed)) {
        tv_mutex_destroy(&track->mutex);
        free(track);
        return TV_OUT_OF_MEMORY;
    }
    track->bounds = calloc(options->groups ? options->groups : 1, 6 * sizeof(float));
    if (options->directory) {
        size_t size = strlen(options->directory) + 1;
        track->directory = malloc(size);
        if (track->directory)
            memcpy(track->directory, options->directory, size);
    }
    if (!track->bounds || (options->directory && !track->directory) ||
        tv_thread_start(&track->worker, work, track)) {
        tv_track_destroy(track);
        return TV_OUT_OF_MEMORY;
    }
    track->has_worker = true;
    resetBounds(track->bounds, options->groups);
    *created = track;
    return TV_OK;
}

void tv_track_destroy(tv_track *track) {
    if (!track)
        return;
    if (track->has_worker) {
        tv_mutex_lock(&track->mutex);
        track->closing = true;
        tv_cond_broadcast(&track->changed);
        tv_mutex_unlock(&track->mutex);
        tv_thread_join(track->worker);
    }
    for (size_t i = 0; i < TV_IN_FLIGHT; i++)
        free(track->jobs[i].parts);
    for (size_t i = 0; i < track->frame_count; i++)
        free(track->frames[i].domains);
    for (size_t i = 0; i < track->chunk_count; i++)
        tv_pages_free(track->chunks[i].pages, track->chunks[i].size);
    free(track->chunks);
    for (size_t i = 0; i < track->shape_count; i++)
        for (size_t domain = 0; domain < kDomains; domain++)
            free(track->shapes[i].sums[domain]);
    if (track->file != TV_NO_FILE)
        tv_file_close(&track->file);
    tv_cond_destroy(&track->changed);
    tv_mutex_destroy(&track->mutex);
    free(track->frames);
    free(track->shapes);
    free(track->bounds);
    free(track->staging);
    free(track->scratch);
    free(track->directory);
    free(track);
}

tv_result tv_track_append(tv_track *track, const tv_part *parts, size_t part_count, uint64_t key) {
    tv_mutex_lock(&track->mutex);
    while (track->appended - track->processed == TV_IN_FLIGHT)
        tv_cond_wait(&track->changed, &track->mutex);
    tv_result result = track->error.result;
    job *next = &track->jobs[track->appended % TV_IN_FLIGHT];
    if (!result && part_count > next->part_capacity) {
        tv_part *grown = realloc(next->parts, part_count * sizeof *grown);
        if (grown) {
            next->parts = grown;
            next->part_capacity = part_count;
        } else {
            result = TV_OUT_OF_MEMORY;
        }
    }
    if (!result) {
        if (part_count)
            memcpy(next->parts, parts, part_count * sizeof *parts);
        next->part_count = part_count;
        next->key = key;
        track->appended++;
        tv_cond_broadcast(&track->changed);
    }
    tv_mutex_unlock(&track->mutex);
    return result;
}

tv_result tv_track_finish(tv_track *track) {
    tv_mutex_lock(&track->mutex);
    while (track->appended != track->processed)
        tv_cond_wait(&track->changed, &track->mutex);
    tv_result result = track->error.result;
    tv_mutex_unlock(&track->mutex);
    return result;
}

void tv_track_divert(tv_track *track, const tv_sink *sink) {
    static const tv_sink kNone = {NULL, NULL};
    tv_track_finish(track);
    tv_mutex_lock(&track->mutex); /* for the worker to see it */
    track->sink = sink ? *sink : kNone;
    tv_mutex_unlock(&track->mutex);
}

bool tv_track_taken(const tv_track *track, size_t frame) {
    return track->frames[frame].taken;
}

tv_error tv_track_error(tv_track *track) {
    tv_mutex_lock(&track->mutex);
    tv_error error = track->error;
    tv_mutex_unlock(&track->mutex);
    return error;
}

size_t tv_track_taken_count(const tv_track *track) {
    return track->taken_count;
}

size_t tv_track_group_count(const tv_track *track) {
    return track->options.groups;
}

size_t tv_track_frame_count(const tv_track *track) {
    return track->frame_count;
}

size_t tv_track_bad_normals(const tv_track *track) {
    return track->bad_normals;
}

size_t tv_track_memory(const tv_track *track) {
    return track->memory;
}

size_t tv_track_spilled(const tv_track *track) {
    return track->spilled;
}

size_t tv_track_largest_spilled(const tv_track *track) {
    return track->largest_spilled;
}

size_t tv_track_own_samples(const tv_track *track, size_t frame) {
    return track->frames[frame].domains ? 0 : track->frames[frame].point_count;
}

size_t tv_track_part_count(const tv_track *track) {
    return track->shape_count;
}

bool tv_track_has_domain(const tv_track *track, size_t part, tv_domain domain) {
    return track->shapes[part].known[domain];
}

size_t tv_track_domain_size(const tv_track *track, size_t part, tv_domain domain) {
    return track->shapes[part].size[domain];
}

tv_normal_code tv_track_normal_code(const tv_track *track) {
    return track->options.normal_code;
}

void tv_track_bounds(const tv_track *track, size_t group, float bounds[6]) {
    memcpy(bounds, track->bounds + 6 * group, 6 * sizeof(float));
}

void tv_track_digest(const tv_track *track, uint64_t digest[2]) {
    digest[0] = track->own_digest[0];
    digest[1] = track->own_digest[1];
    for (size_t i = 0; i < track->shape_count; i++)
        for (size_t domain = 0; domain < kDomains; domain++)
            if (track->shapes[i].sums[domain])
                tv_hash_fold(digest, track->shapes[i].sums[domain], track->shapes[i].size[domain],
                             (uint64_t)(kDomains * i + domain + 1) << 32);
}

tv_result tv_track_keys(const tv_track *track, size_t part, uint64_t *keys,
                        const int32_t *corner_vert, const int32_t *corner_face, size_t corners) {
    if (part >= track->shape_count)
        return TV_OUT_OF_RANGE;
    const shape *known = &track->shapes[part];
    const uint64_t *point_sums = known->sums[TV_POINT], *face_sums = known->sums[TV_FACE],
                   *corner_sums = known->sums[TV_CORNER];
    if (known->known[TV_CORNER] && corners > known->size[TV_CORNER])
        return TV_OUT_OF_RANGE;
    for (size_t c = 0; c < corners; c++) {
        size_t point = (size_t)corner_vert[c], face = (size_t)corner_face[c];
        if (point >= known->size[TV_POINT] ||
            (known->known[TV_FACE] && face >= known->size[TV_FACE]))
            return TV_OUT_OF_RANGE;
        for (size_t lane = 0; lane < 2; lane++)
            keys[2 * c + lane] = point_sums[2 * point + lane] +
                                 (face_sums ? face_sums[2 * face + lane] : 0) +
                                 (corner_sums ? corner_sums[2 * c + lane] : 0);
    }
    return TV_OK;
}

tv_result tv_track_view(const tv_track *track, size_t index, tv_frame *view, tv_scratch *scratch) {
    const stored *frame = &track->frames[index];
    const void *payload = frame->memory;
    if (frame->taken)
        return TV_OUT_OF_RANGE;
    if (!payload && scratch->frame == index + 1) {
        payload = scratch->buffer;
    } else if (!payload) {
        size_t size = payloadSize(frame->point_count, frame->word_count);
        scratch->frame = 0;
        if (reserve(&scratch->buffer, &scratch->size, size))
            return TV_OUT_OF_MEMORY;
        int code = tv_file_read_at(track->file, scratch->buffer, size, frame->offset);
        if (code) {
            errno = code;
            return TV_IO;
        }
        scratch->frame = index + 1;
        payload = scratch->buffer;
    }
    *view = viewOf(frame, payload);
    return TV_OK;
}
