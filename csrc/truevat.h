/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * TrueVAT's C core: from what meshes did, frame by frame, to the rows of a vertex animation
 * texture.
 *
 * - track: samples in, frame by frame, kept in world space (track.c; transform.c, normal.c, hash.c)
 * - slots: corners with one trajectory share one address (slots.c)
 * - layout: slots to texels, texture size, UVs (layout.c)
 * - texture: rows of A, B, G, R planes (texture.c)
 * - exr: rows to an OpenEXR file (exr.h, exr.cc)
 * - writer: a texture into its file, at the end or as frames arrive (writer.h, writer.c)
 *
 * The core knows no Python. The caller owns all memory that it passes in; destinations come first;
 * counts are size_t. Nothing prints, exits or throws across this border: what can fail returns a
 * tv_result. Arrays of vectors are tight: float[3 * count]. Floats are IEEE 754 binary32, positions
 * are in metres when the matrices are, axes are Blender's (right-handed, Z up).
 */
#ifndef TRUEVAT_H
#define TRUEVAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    TV_OK = 0,
    TV_OUT_OF_MEMORY,
    TV_IO,           /* the errno value is in tv_error.system */
    TV_NOT_FINITE,   /* a position is NaN or infinite */
    TV_OUT_OF_RANGE, /* an index points outside its array */
    TV_MISMATCH,     /* a frame has other counts than the first one */
    TV_TOO_LARGE,    /* no texture within the limit holds it */
    TV_CODEC,        /* tinyexr refused */
    TV_SINK_IO,      /* TV_IO of the file that a track's sink writes */
    TV_NOT_TAKEN,    /* what a sink says of a frame that the track has to keep */
} tv_result;

/* What went wrong and where. Fields that do not apply are 0. */
typedef struct {
    tv_result result;
    int system;    /* errno value for TV_IO and TV_SINK_IO */
    size_t frame;  /* stored frame, counted from 0 */
    size_t part;   /* part within the frame */
    size_t vertex; /* point within the part */
} tv_error;

/* One English sentence without a final stop; never NULL. */
const char *tv_result_text(tv_result result);

/* How a word holds a normal. */
typedef enum {
    /* X << 16 | Y << 8 | Z, each byte (n / 2 + 0.5) * 255, truncated; with the guard bit or not */
    TV_NORMAL_XYZ8 = 0,
    TV_NORMAL_XYZ8_GUARDED,
    /* Octahedral, 12 or 16 bits to an axis, x the lower ones; codes 0 .. 2 * half, rounded, which
     * mean (code - half) / half, half being 2047 or 32767. docs/format.md has the mapping. */
    TV_NORMAL_OCT24,
    TV_NORMAL_OCT32,
} tv_normal_code;

/* ---------------------------------------------------------------------------------------------
 * Transform (transform.c)
 *
 * matrix: 16 floats, row by row, column vectors: world = matrix * local.
 */

/* Bit-equal to mathutils' `matrix @ vector`: float32 products, summed in double over columns
 * 0..3, rounded once. Widens bounds = {min x, y, z, max x, y, z}, unless NULL. Returns the index of
 * the first point that is not finite, count if all are. */
size_t tv_transform_points(float *destination, const float *source, size_t count,
                           const float matrix[16], float bounds[6]);

/* By the inverse transpose: cofactors times the determinant's sign, so that mirrored, non-uniform
 * and zero scale work; then normalised in float32. Normals that are not finite or have no length
 * become (0, 0, 1); returns how many did. */
size_t tv_transform_normals(float *destination, const float *source, size_t count,
                            const float matrix[16]);

/* tv_transform_normals, then tv_pack_normals, in one go. */
size_t tv_transform_pack_normals(uint32_t *words, const float *source, size_t count,
                                 const float matrix[16], tv_normal_code code);

/* ---------------------------------------------------------------------------------------------
 * Normals (normal.c)
 */

/* The value that a normal word carries above its three bytes, so that no sampler flushes it as a
 * denormal: with it the float lies in 2..8. Shaders mask it away. */
#define TV_NORMAL_GUARD 0x40000000u

/* words[i] holds one unit vector. */
void tv_pack_normals(uint32_t *words, const float *normals, size_t count, tv_normal_code code);
void tv_unpack_normals(float *normals, const uint32_t *words, size_t count, tv_normal_code code);

/* ---------------------------------------------------------------------------------------------
 * Halves (half.c)
 */

/* To binary16, to nearest, ties to even; what is larger than 65504 becomes that. Finite values. */
void tv_to_half(uint16_t *halves, const float *values, size_t count);
void tv_from_half(float *values, const uint16_t *halves, size_t count);

/* Planes of x, y and z, without denormals: what is below 2^-14 becomes that or 0, whichever is
 * nearer. Returns the square of the farthest that rounding moves a vector. */
float tv_vectors_to_half(uint16_t *const halves[3], const float *const values[3], size_t count);

/* ---------------------------------------------------------------------------------------------
 * Hash (hash.c)
 *
 * A trajectory's hash is a sum over frames, modulo 2^64 in each of two lanes, of a mix of the
 * frame's key and the item's bits. Sums commute: any order, any thread, and the sums of the parts
 * of a frame range add up to the sum of the whole.
 */

/* sums[2 * i], sums[2 * i + 1] += mix(key, words[width * i .. width * i + width - 1]), width 1
 * or 3. */
void tv_hash_words(uint64_t *sums, const uint32_t *words, size_t width, size_t count, uint64_t key);

/* tv_hash_words of three words and of one for each item, in one pass over the sums. */
void tv_hash_points(uint64_t *sums, const uint32_t *points, const uint32_t *normals, size_t count,
                    uint64_t key);

/* digest[0..1] += mix(salt, i, sums[2 * i .. 2 * i + 1]) over all i: one hash of many sums. */
void tv_hash_fold(uint64_t digest[2], const uint64_t *sums, size_t count, uint64_t salt);

/* ---------------------------------------------------------------------------------------------
 * Track (track.c)
 *
 * What every sample did, in world space, at the domain where it lives. A worker thread transforms,
 * packs, hashes and stores while the caller evaluates the next frame. Frames are kept in memory up
 * to a budget and beyond it in a temporary file that has no name.
 */
typedef struct tv_track tv_track;

typedef enum { TV_POINT = 0, TV_FACE = 1, TV_CORNER = 2 } tv_domain;

/* One mesh instance in one frame. */
typedef struct {
    size_t group;        /* the source object that it belongs to */
    const float *points; /* 3 * point_count, local space */
    size_t point_count;
    const float *normals; /* 3 * normal_count, local space */
    size_t normal_count;
    tv_domain domain; /* where the normals live */
    float matrix[16]; /* local to world */
    /* A frame whose topology is its own is stored sample by sample: sample s takes point
     * sample_point[s] and normal sample_normal[s]. NULL where the first frame's topology holds. */
    const int32_t *sample_point;
    const int32_t *sample_normal;
    size_t sample_count;
} tv_part;

typedef struct {
    size_t groups;         /* source objects */
    size_t memory;         /* bytes of frames to keep in memory */
    const char *directory; /* UTF-8; for the temporary file; NULL: the system's */
    tv_normal_code normal_code;
} tv_track_options;

/* How many appended frames may be unprocessed when tv_track_append returns. */
#define TV_IN_FLIGHT 2

/* One stored frame. `points` and `words` point into the track or into `scratch`. */
typedef struct {
    const float *points;   /* 3 per point of all parts, or per sample */
    const uint32_t *words; /* packed normals, part after part, or per sample */
    size_t point_count;
    size_t word_count;
    const uint8_t *domains; /* tv_domain of each part; NULL: stored sample by sample */
} tv_frame;

/* Takes frames instead of the track's own store. Called by the worker; the frame's arrays are its
 * own. TV_NOT_TAKEN leaves this frame and all later ones to the track; for TV_SINK_IO *system is an
 * errno value. */
typedef struct {
    tv_result (*take)(void *context, size_t frame, const tv_frame *view, int *system);
    void *context;
} tv_sink;

tv_result tv_track_create(tv_track **track, const tv_track_options *options);
void tv_track_destroy(tv_track *track);

/* Hands one frame to the worker. The arrays behind `parts` must stay as they are until two more
 * appends, or tv_track_finish, have returned. `key` tells frames apart in the hash. All frames
 * without own samples must have the first such frame's parts and counts; the domain of a part's
 * normals may change. An error of an earlier frame is returned by the next call. */
tv_result tv_track_append(tv_track *track, const tv_part *parts, size_t part_count, uint64_t key);

/* Waits until every appended frame is stored. */
tv_result tv_track_finish(tv_track *track);

/* Of the first failure. */
tv_error tv_track_error(tv_track *track);

/* Hands all later frames to the sink; NULL ends that. Waits as tv_track_finish does. */
void tv_track_divert(tv_track *track, const tv_sink *sink);

/* The following need a track whose appended frames are all stored. */
bool tv_track_taken(const tv_track *track, size_t frame); /* by a sink: it cannot be viewed */
size_t tv_track_taken_count(const tv_track *track);
size_t tv_track_group_count(const tv_track *track);
size_t tv_track_frame_count(const tv_track *track);
size_t tv_track_bad_normals(const tv_track *track); /* replaced, over all frames */
size_t tv_track_memory(const tv_track *track);      /* bytes of frames in memory */
size_t tv_track_spilled(const tv_track *track);     /* bytes of frames in the file */
tv_normal_code tv_track_normal_code(const tv_track *track);
void tv_track_bounds(const tv_track *track, size_t group, float bounds[6]);
void tv_track_digest(const tv_track *track, uint64_t digest[2]);

/* keys[2 * c], keys[2 * c + 1]: the trajectory hash of each corner of one part, its point's sum
 * plus its normals' sums. corner_vert and corner_face are the part's own indices. */
tv_result tv_track_keys(const tv_track *track, size_t part, uint64_t *keys,
                        const int32_t *corner_vert, const int32_t *corner_face, size_t corners);

/* Grown as needed; free(buffer) when done. */
typedef struct {
    void *buffer;
    size_t size;
    size_t frame; /* stored frame that it holds, plus 1 */
} tv_scratch;

/* Several threads may view frames at once, each with its own scratch. TV_IO leaves errno set. */
tv_result tv_track_view(const tv_track *track, size_t frame, tv_frame *view, tv_scratch *scratch);
size_t tv_track_largest_spilled(const tv_track *track);           /* bytes of one frame */
size_t tv_track_own_samples(const tv_track *track, size_t frame); /* 0: not stored by sample */
size_t tv_track_part_count(const tv_track *track);

/* What a texture of offsets would hold (offset.c): their bounds, and the square of the farthest
 * that rounding to halves moves a point. Begin with {INFINITY..., -INFINITY..., 0}. */
typedef struct {
    float low[3], high[3];
    float error;
} tv_offsets;

/* Adds one frame, against the first one; origins are 3 for each part. Both must have the first
 * one's topology. TV_IO leaves errno set. */
tv_result tv_track_measure(const tv_track *track, size_t frame, const float *origins,
                           tv_offsets *offsets, tv_scratch *first, tv_scratch *scratch);
/* Have the normals of a part lived there in some frame? Points always count. */
bool tv_track_has_domain(const tv_track *track, size_t part, tv_domain domain);
/* How many points a part has, or faces or corners if its normals lived there (0 if not). */
size_t tv_track_domain_size(const tv_track *track, size_t part, tv_domain domain);

/* ---------------------------------------------------------------------------------------------
 * Slots (slots.c)
 */

/* Gives equal keys the same number, in first-seen order, in linear time.
 * slots: count numbers; first: room for count, receives the index where each slot was first seen;
 * keys: 2 * count. */
tv_result tv_assign_slots(int32_t *slots, int32_t *first, size_t *slot_count, const uint64_t *keys,
                          size_t count);

/* ---------------------------------------------------------------------------------------------
 * Layout (layout.c)
 */

/* Rows are counted from the bottom, or `from_top`. A row of a frame holds `width` slots; the rows
 * of a frame follow each other, or `by_block` the first rows of all frames, then the second ones.
 */
typedef struct {
    size_t width;
    size_t height;
    size_t rows_per_frame;
    size_t header_rows;
    size_t normal_row;            /* first row of normals that have rows of their own */
    size_t normal_rows_per_frame; /* 0: they have none */
    bool by_block;
    bool from_top;
} tv_layout;

/* nekoVAT's. The smallest rows_per_frame for which a power of two up to max_size holds the samples,
 * the smallest such width, the smallest power of two that holds all frames and the header row.
 * TV_TOO_LARGE if there is none; then layout->rows_per_frame says how many rows a frame takes at
 * width max_size, and height the rows needed in all (not a power of two). */
tv_result tv_layout_power_of_two(tv_layout *layout, size_t samples, size_t frames, size_t max_size);

/* uv[2 * i], uv[2 * i + 1]: the texel centre of slots[i] in the first stored frame. */
void tv_layout_uv(float *uv, const int32_t *slots, size_t count, const tv_layout *layout);

/* ---------------------------------------------------------------------------------------------
 * Texture (texture.c)
 */

/* Which point and which normal each sample takes, where frames have the first one's topology.
 * Samples are sorted by part; indices are the part's own. */
typedef struct {
    size_t part_count;
    const int64_t *part_start; /* part_count + 1: first sample of each part, then the total */
    const int32_t *point;      /* per sample */
    const int32_t *face;       /* per sample */
    const int32_t *corner;     /* per sample */
    const float *origin;       /* 3 * part_count: subtracted from positions; from those of frames
                                  that are stored sample by sample, the first part's */
} tv_samples;

/* What the channels of a position's texel hold. A frame's slot is first taken relative to its
 * part's origin, and to `rest` if that is given. */
typedef enum {
    TV_TEXEL_BITS,    /* R, G, B the position; A a float whose bits are the normal's word */
    TV_TEXEL_VALUES,  /* the same, A the word as a number */
    TV_TEXEL_OFFSETS, /* R, G, B the position, A 1; normals in rows of their own: even slots in R, G
                         and odd ones in B, A, octahedral coordinates */
    TV_TEXEL_MAPPED,  /* sign * position[axis] from low..high to 0..1, A 1; normals n / 2 + 0.5 in
                         rows of their own, turned by axis and sign */
    TV_TEXEL_NORMALS, /* n / 2 + 0.5, turned by axis and sign, A 1 */
} tv_texel;

typedef struct {
    const tv_track *track;
    tv_samples samples;
    const int32_t *frames; /* which track frame each stored frame shows */
    size_t frame_count;
    size_t slots; /* of each frame */
    tv_layout layout;
    tv_texel texel;
    bool half;         /* channels are binary16; TV_TEXEL_OFFSETS, _MAPPED and _NORMALS only */
    bool pad;          /* slots that a frame has no sample for are all at its first one, not 0 */
    const float *rest; /* x of all slots, then y, then z; or NULL */
    size_t axis[3];
    float sign[3], low[3], high[3];
    const float *header; /* R, G, B, A of header_count texels from the first row on */
    size_t header_count;
} tv_texture;

/* Are all indices inside the track's arrays, and all slots inside the layout? To be asked once,
 * before rows are made, and again when normals have moved to another domain. Whether the track has
 * the frames is for the caller to know. */
tv_result tv_texture_check(const tv_texture *texture);

size_t tv_texture_row_bytes(const tv_texture *texture);

/* What a row shows; false if that is the header or nothing. */
typedef struct {
    bool normals; /* rows of their own */
    size_t frame; /* stored frame */
    size_t row;   /* of this frame */
} tv_place;
bool tv_texture_place(const tv_texture *texture, size_t row, tv_place *place);

/* A row of one frame, as planes of width floats or halves: A, B, G, R. *error, unless NULL, grows
 * to the square of the farthest that halves or the mapping move a point. */
void tv_texture_show(const tv_texture *texture, const tv_frame *view, tv_place place, void *planes,
                     float *error);

/* Any row. Texels that no slot has are 0. */
tv_result tv_texture_row(const tv_texture *texture, size_t row, void *planes, tv_scratch *scratch,
                         float *error);

#ifdef __cplusplus
}
#endif

#endif
