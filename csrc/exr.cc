/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The only C++ file: tinyexr is a C++ header. No exception leaves it.
 */
#include "exr.h"

#include "platform.h"

#include <zlib.h>

#define TINYEXR_USE_MINIZ 0
#define TINYEXR_USE_THREAD 0
#define TINYEXR_USE_OPENMP 0
#define TINYEXR_IMPLEMENTATION
#include <tinyexr.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

namespace {

const size_t kStripBytes = 1u << 20;  /* no gain was measured from larger strips */
const size_t kStageBytes = 40u << 20; /* what all threads together may use */
const size_t kChannels = 4;
const size_t kChunkHeader = 8; /* y and size, 32 bits each */

struct Strip {
    std::vector<unsigned char> bytes;
    std::vector<size_t> chunks; /* where each of its chunks begins */
};

size_t valueBytes(const tv_exr_options &options) {
    return options.half ? sizeof(uint16_t) : sizeof(float);
}

/* Encodes `rows` scanlines of A, B, G, R planes, one line after the other, as a file of its own. */
tv_result encodeFile(std::vector<unsigned char> &file, const unsigned char *lines, size_t width,
                     size_t rows, const tv_exr_options &options) {
    static const char *const kNames[kChannels] = {"A", "B", "G", "R"};
    const size_t size = valueBytes(options) * width;
    std::vector<unsigned char> planes(kChannels * size * rows);
    for (size_t y = 0; y < rows; y++)
        for (size_t c = 0; c < kChannels; c++)
            std::memcpy(&planes[(c * rows + y) * size], lines + (y * kChannels + c) * size, size);

    EXRChannelInfo channels[kChannels];
    std::memset(channels, 0, sizeof channels);
    int types[kChannels];
    unsigned char *images[kChannels];
    for (size_t c = 0; c < kChannels; c++) {
        std::strcpy(channels[c].name, kNames[c]);
        types[c] = options.half ? TINYEXR_PIXELTYPE_HALF : TINYEXR_PIXELTYPE_FLOAT;
        images[c] = &planes[c * rows * size];
    }
    EXRHeader header;
    InitEXRHeader(&header);
    header.num_channels = static_cast<int>(kChannels);
    header.channels = channels;
    header.pixel_types = types;
    header.requested_pixel_types = types;
    header.compression_type = static_cast<int>(options.compression);
    EXRImage image;
    InitEXRImage(&image);
    image.num_channels = static_cast<int>(kChannels);
    image.images = images;
    image.width = static_cast<int>(width);
    image.height = static_cast<int>(rows);

    unsigned char *memory = nullptr;
    const char *message = nullptr;
    size_t bytes = SaveEXRImageToMemory(&image, &header, &memory, &message);
    if (message)
        FreeEXRErrorMessage(message);
    if (!memory)
        return TV_CODEC;
    file.assign(memory, memory + bytes);
    std::free(memory);
    return TV_OK;
}

int32_t readInt(const unsigned char *bytes) {
    int32_t value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

void writeInt(unsigned char *bytes, size_t value) {
    int32_t narrow = static_cast<int32_t>(value);
    std::memcpy(bytes, &narrow, sizeof narrow);
}

/* The bytes before the offset table. With `height` the two windows are stretched to it. */
size_t headerSize(std::vector<unsigned char> &file, size_t height) {
    size_t place = 8; /* magic number and version */
    while (file[place]) {
        const char *name = reinterpret_cast<const char *>(&file[place]);
        size_t type = place + std::strlen(name) + 1;
        size_t size = type + std::strlen(reinterpret_cast<const char *>(&file[type])) + 1;
        size_t value = size + 4;
        if (height && (!std::strcmp(name, "dataWindow") || !std::strcmp(name, "displayWindow")))
            writeInt(&file[value + 12], height - 1); /* xMin, yMin, xMax, yMax */
        place = value + static_cast<size_t>(readInt(&file[size]));
    }
    return place + 1;
}

} // namespace

struct tv_exr {
    tv_exr_options options;
    tv_file file;
    std::vector<unsigned char> header;
    std::vector<uint64_t> offsets; /* of chunks; 0: still to be written */
    std::vector<Strip> strips;     /* one for each thread */
    size_t block_rows, strip_rows;
    size_t y;           /* next scanline to write */
    uint64_t data, end; /* where the first chunk and the next strip begin */

    /* Of the call to tv_exr_write under way. */
    tv_exr_source source;
    void *context;
    size_t last;   /* scanline after the last one */
    size_t taken;  /* scanlines given out to threads */
    size_t placed; /* scanlines that have their place in the file */
    tv_result result;
    int system;
    tv_mutex mutex;
    tv_cond changed;
};

namespace {

bool isDirect(const tv_exr *exr) {
    return exr->options.compression == TV_EXR_NONE && exr->options.direct;
}

size_t lineBytes(const tv_exr *exr) {
    return exr->options.width * kChannels * valueBytes(exr->options);
}

/* Where the chunk of a scanline is, or will be, in a direct file. */
uint64_t chunkPlace(const tv_exr *exr, size_t y) {
    return exr->data + static_cast<uint64_t>(y) * (kChunkHeader + lineBytes(exr));
}

tv_result fillDirect(tv_exr *exr, size_t thread, size_t y, size_t rows, Strip &strip,
                     tv_exr_source source, void *context) {
    const size_t chunk = kChunkHeader + lineBytes(exr);
    strip.bytes.resize(rows * chunk);
    for (size_t i = 0; i < rows; i++) {
        unsigned char *bytes = &strip.bytes[i * chunk];
        writeInt(bytes, y + i);
        writeInt(bytes + 4, lineBytes(exr));
        tv_result result = source(context, thread, y + i, bytes + kChunkHeader);
        if (result)
            return result;
    }
    return TV_OK;
}

tv_result fillEncoded(tv_exr *exr, size_t thread, size_t y, size_t rows, Strip &strip) {
    std::vector<unsigned char> lines(rows * lineBytes(exr));
    for (size_t i = 0; i < rows; i++) {
        tv_result result = exr->source(exr->context, thread, y + i, &lines[i * lineBytes(exr)]);
        if (result)
            return result;
    }
    std::vector<unsigned char> file;
    tv_result result = encodeFile(file, lines.data(), exr->options.width, rows, exr->options);
    if (result)
        return result;

    const size_t blocks = (rows + exr->block_rows - 1) / exr->block_rows;
    const size_t start = headerSize(file, 0) + blocks * sizeof(uint64_t);
    strip.bytes.assign(file.begin() + static_cast<std::ptrdiff_t>(start), file.end());
    strip.chunks.clear();
    for (size_t place = 0, b = 0; b < blocks; b++) {
        strip.chunks.push_back(place);
        writeInt(&strip.bytes[place], y + b * exr->block_rows);
        place += kChunkHeader + static_cast<size_t>(readInt(&strip.bytes[place + 4]));
    }
    return TV_OK;
}

/* Strips follow each other: a strip has its place once the one before has. */
uint64_t placeStrip(tv_exr *exr, size_t y, size_t rows, const Strip &strip) {
    tv_mutex_lock(&exr->mutex);
    while (exr->placed != y && !exr->result)
        tv_cond_wait(&exr->changed, &exr->mutex);
    const uint64_t position = exr->end;
    exr->end += strip.bytes.size();
    exr->placed = y + rows;
    tv_cond_broadcast(&exr->changed);
    tv_mutex_unlock(&exr->mutex);
    for (size_t i = 0; i < strip.chunks.size(); i++)
        exr->offsets[y / exr->block_rows + i] = position + strip.chunks[i];
    return position;
}

tv_result writeEncoded(tv_exr *exr, size_t thread, size_t y, size_t rows, int *system) {
    Strip &strip = exr->strips[thread];
    tv_result result = fillEncoded(exr, thread, y, rows, strip);
    if (result) {
        *system = result == TV_IO ? errno : 0;
        return result;
    }
    const uint64_t position = placeStrip(exr, y, rows, strip);
    *system = tv_file_write_at(exr->file, strip.bytes.data(), strip.bytes.size(), position);
    return *system ? TV_IO : TV_OK;
}

/* Nothing but the line's own header: what is skipped reads as 0 and takes no room on most disks. */
int writeBlank(tv_exr *exr, size_t y) {
    unsigned char header[kChunkHeader];
    writeInt(header, y);
    writeInt(header + 4, lineBytes(exr));
    return tv_file_write_at(exr->file, header, sizeof header, chunkPlace(exr, y));
}

/* Lines have one size, so that a line's place is known. */
tv_result writeDirect(tv_exr *exr, size_t thread, size_t y, size_t rows, tv_exr_source source,
                      void *context, int *system) {
    for (; rows && y < exr->options.blank_rows && !*system; y++, rows--) {
        exr->offsets[y] = chunkPlace(exr, y);
        *system = writeBlank(exr, y);
    }
    if (*system || !rows)
        return *system ? TV_IO : TV_OK;
    Strip &strip = exr->strips[thread];
    tv_result result = fillDirect(exr, thread, y, rows, strip, source, context);
    if (result) {
        *system = result == TV_IO ? errno : 0;
        return result;
    }
    for (size_t i = y; i < y + rows; i++)
        exr->offsets[i] = chunkPlace(exr, i);
    *system =
        tv_file_write_at(exr->file, strip.bytes.data(), strip.bytes.size(), chunkPlace(exr, y));
    return *system ? TV_IO : TV_OK;
}

/* What tv_exr_put has written stays. */
tv_result writeMissing(tv_exr *exr, size_t thread, size_t y, size_t rows, int *system) {
    const size_t end = y + rows;
    while (y < end) {
        size_t first = y;
        while (first < end && exr->offsets[first])
            first++;
        y = first;
        while (y < end && !exr->offsets[y])
            y++;
        tv_result result = y == first ? TV_OK
                                      : writeDirect(exr, thread, first, y - first, exr->source,
                                                    exr->context, system);
        if (result)
            return result;
    }
    return TV_OK;
}

tv_result writeStrip(tv_exr *exr, size_t thread, size_t y, size_t rows, int *system) {
    return isDirect(exr) ? writeMissing(exr, thread, y, rows, system)
                         : writeEncoded(exr, thread, y, rows, system);
}

/* No exception may cross into C. */
template <typename Function> tv_result caught(Function function) {
    try {
        return function();
    } catch (const std::bad_alloc &) {
        return TV_OUT_OF_MEMORY;
    } catch (...) {
        return TV_CODEC;
    }
}

struct Worker {
    tv_exr *exr;
    size_t thread;
};

void writeStrips(void *argument) {
    const Worker *worker = static_cast<const Worker *>(argument);
    tv_exr *exr = worker->exr;
    tv_mutex_lock(&exr->mutex);
    while (exr->taken < exr->last && !exr->result) {
        const size_t y = exr->taken, rows = std::min(exr->strip_rows, exr->last - y);
        exr->taken += rows;
        tv_mutex_unlock(&exr->mutex);

        int system = 0;
        tv_result result =
            caught([&] { return writeStrip(exr, worker->thread, y, rows, &system); });

        tv_mutex_lock(&exr->mutex);
        if (result && !exr->result) {
            exr->result = result;
            exr->system = system;
            tv_cond_broadcast(&exr->changed);
        }
    }
    tv_mutex_unlock(&exr->mutex);
}

void planStrips(tv_exr *exr) {
    const size_t line = lineBytes(exr) + kChunkHeader;
    exr->block_rows = exr->options.compression == TV_EXR_ZIP ? 16 : 1;
    exr->strip_rows = std::max<size_t>(kStripBytes / line, 1);
    exr->strip_rows = (exr->strip_rows + exr->block_rows - 1) / exr->block_rows * exr->block_rows;

    /* tinyexr holds the lines, the planes, the blocks and the file at once. */
    const size_t copies = isDirect(exr) ? 1 : 6;
    const size_t each = copies * exr->strip_rows * line + exr->options.source_memory;
    size_t threads = exr->options.threads;
    if (!threads)
        threads = std::max(std::thread::hardware_concurrency(), 1u);
    exr->options.threads = std::max<size_t>(std::min(threads, kStageBytes / each), 1);
    exr->strips.resize(exr->options.threads);
}

tv_result makeHeader(tv_exr *exr) {
    std::vector<unsigned char> line(lineBytes(exr));
    tv_result result = encodeFile(exr->header, line.data(), exr->options.width, 1, exr->options);
    if (result)
        return result;
    exr->header.resize(headerSize(exr->header, exr->options.height));
    exr->offsets.resize((exr->options.height + exr->block_rows - 1) / exr->block_rows);
    exr->data = exr->end = exr->header.size() + exr->offsets.size() * sizeof(uint64_t);
    return TV_OK;
}

} // namespace

extern "C" tv_result tv_exr_create(tv_exr **created, const char *path,
                                   const tv_exr_options *options, int *system) {
    *created = nullptr;
    *system = 0;
    if (!options->width || !options->height || options->width > INT32_MAX / 16 / 16 ||
        options->height > INT32_MAX)
        return TV_TOO_LARGE;
    tv_exr *exr = new (std::nothrow) tv_exr();
    if (!exr)
        return TV_OUT_OF_MEMORY;
    exr->options = *options;
    exr->file = TV_NO_FILE;
    tv_mutex_init(&exr->mutex);
    tv_cond_init(&exr->changed);

    tv_result result = caught([&] {
        planStrips(exr);
        return makeHeader(exr);
    });
    if (!result) {
        *system = tv_file_create(&exr->file, path);
        result = *system ? TV_IO : TV_OK;
    }
    if (result) {
        tv_exr_destroy(exr);
        return result;
    }
    *created = exr;
    return TV_OK;
}

extern "C" size_t tv_exr_threads(const tv_exr *exr) {
    return exr->options.threads;
}

extern "C" tv_result tv_exr_write(tv_exr *exr, size_t rows, tv_exr_source source, void *context,
                                  size_t *left, int *system) {
    const size_t height = exr->options.height;
    rows = std::max<size_t>(std::min(rows, height - exr->y), 1);
    rows = (rows + exr->block_rows - 1) / exr->block_rows * exr->block_rows;
    exr->source = source;
    exr->context = context;
    exr->taken = exr->placed = exr->y;
    exr->last = std::min(exr->y + rows, height);

    Worker workers[64];
    tv_thread threads[64];
    const size_t strips = (exr->last - exr->y + exr->strip_rows - 1) / exr->strip_rows;
    const size_t wanted =
        std::min({exr->options.threads, strips, sizeof threads / sizeof *threads});
    size_t started = 1; /* this thread works too */
    for (; started < wanted; started++) {
        workers[started] = {exr, started};
        if (tv_thread_start(&threads[started], writeStrips, &workers[started]))
            break; /* fewer threads give the same file */
    }
    workers[0] = {exr, 0};
    writeStrips(&workers[0]);
    for (size_t i = 1; i < started; i++)
        tv_thread_join(threads[i]);

    exr->y = exr->last;
    *left = height - exr->y;
    *system = exr->system;
    return exr->result;
}

extern "C" tv_result tv_exr_put(tv_exr *exr, size_t y, size_t rows, tv_exr_source source,
                                void *context, int *system) {
    *system = 0;
    if (!isDirect(exr) || y > exr->options.height || rows > exr->options.height - y)
        return TV_OUT_OF_RANGE;
    tv_result result = TV_OK;
    for (size_t done = 0; done < rows && !result; done += exr->strip_rows) {
        const size_t count = std::min(exr->strip_rows, rows - done);
        result =
            caught([&] { return writeDirect(exr, 0, y + done, count, source, context, system); });
    }
    return result;
}

extern "C" tv_result tv_exr_get(const tv_exr *exr, size_t y, size_t rows, void *planes,
                                int *system) {
    *system = 0;
    if (!isDirect(exr) || y > exr->options.height || rows > exr->options.height - y)
        return TV_OUT_OF_RANGE;
    for (size_t i = 0; i < rows && !*system; i++) {
        if (!exr->offsets[y + i])
            return TV_OUT_OF_RANGE;
        *system = tv_file_read_at(exr->file, static_cast<char *>(planes) + i * lineBytes(exr),
                                  lineBytes(exr), exr->offsets[y + i] + kChunkHeader);
    }
    return *system ? TV_IO : TV_OK;
}

extern "C" tv_result tv_exr_close(tv_exr *exr, uint64_t *size, int *system) {
    const size_t table = exr->offsets.size() * sizeof(uint64_t);
    *size = isDirect(exr) ? chunkPlace(exr, exr->options.height) : exr->end;
    *system = exr->system;
    if (exr->result)
        return exr->result;
    if (exr->y != exr->options.height)
        return TV_MISMATCH;
    *system = tv_file_write_at(exr->file, exr->header.data(), exr->header.size(), 0);
    if (!*system)
        *system = tv_file_write_at(exr->file, exr->offsets.data(), table, exr->header.size());
    int closed = tv_file_close(&exr->file);
    *system = *system ? *system : closed;
    return *system ? TV_IO : TV_OK;
}

extern "C" void tv_exr_destroy(tv_exr *exr) {
    if (!exr)
        return;
    if (exr->file != TV_NO_FILE)
        tv_file_close(&exr->file);
    tv_cond_destroy(&exr->changed);
    tv_mutex_destroy(&exr->mutex);
    delete exr;
}
