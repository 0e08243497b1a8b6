/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Python binding: parse, check, release the GIL, call the core, answer. Types and docstrings of
 * what it offers are in truevat_native.pyi.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_23_API_VERSION
#include <numpy/arrayobject.h>

#include "exr.h"
#include "truevat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    PyObject *error;
    PyObject *track_type;
} module_state;

static module_state *stateOf(PyObject *module) {
    return PyModule_GetState(module);
}

/* ---------------------------------------------------------------------------------------------
 * Errors
 */

static const char *codeOf(tv_result result) {
    switch (result) {
    case TV_NOT_FINITE:
        return "not_finite";
    case TV_MISMATCH:
        return "mismatch";
    case TV_TOO_LARGE:
        return "too_large";
    case TV_CODEC:
        return "codec";
    default:
        return "other";
    }
}

static bool setSize(PyObject *object, const char *name, size_t value) {
    PyObject *number = PyLong_FromSize_t(value);
    int failed = !number || PyObject_SetAttrString(object, name, number) < 0;
    Py_XDECREF(number);
    return !failed;
}

static void raiseNative(PyObject *type, tv_error error) {
    PyObject *exception = PyObject_CallFunction(type, "s", tv_result_text(error.result));
    PyObject *code = PyUnicode_FromString(codeOf(error.result));
    if (exception && code && PyObject_SetAttrString(exception, "code", code) == 0 &&
        setSize(exception, "frame", error.frame) && setSize(exception, "part", error.part) &&
        setSize(exception, "vertex", error.vertex))
        PyErr_SetObject(type, exception);
    Py_XDECREF(code);
    Py_XDECREF(exception);
}

/* Always returns NULL. path may be NULL. */
static PyObject *raise(PyObject *type, tv_error error, PyObject *path) {
    switch (error.result) {
    case TV_OUT_OF_MEMORY:
        return PyErr_NoMemory();
    case TV_IO:
        errno = error.system;
        return path ? PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path)
                    : PyErr_SetFromErrno(PyExc_OSError);
    case TV_OUT_OF_RANGE:
        PyErr_SetString(PyExc_ValueError, tv_result_text(error.result));
        return NULL;
    default:
        raiseNative(type, error);
        return NULL;
    }
}

static PyObject *raiseResult(PyObject *type, tv_result result, int system, PyObject *path) {
    tv_error error = {result, system, 0, 0, 0};
    return raise(type, error, path);
}

/* ---------------------------------------------------------------------------------------------
 * Arguments
 */

enum { kAny = -1 };

/* The array behind an argument if it is exactly what a kernel takes, NULL with an exception that
 * names it if not. The last dimensions must be as given. Borrowed. */
static PyArrayObject *arrayOf(PyObject *object, const char *name, int type, int dimensions,
                              npy_intp rows, npy_intp columns) {
    static const char *const kTypes[] = {"float32", "int32", "int64", "uint32", "uint64"};
    const char *wanted = type == NPY_FLOAT32  ? kTypes[0]
                         : type == NPY_INT32  ? kTypes[1]
                         : type == NPY_INT64  ? kTypes[2]
                         : type == NPY_UINT32 ? kTypes[3]
                                              : kTypes[4];
    if (!PyArray_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s must be a NumPy array of %s", name, wanted);
        return NULL;
    }
    PyArrayObject *array = (PyArrayObject *)object;
    if (!PyArray_EquivTypenums(PyArray_TYPE(array), type) || !PyArray_ISNOTSWAPPED(array)) {
        PyErr_Format(PyExc_TypeError, "%s must have the dtype %s in native byte order", name,
                     wanted);
        return NULL;
    }
    if (PyArray_NDIM(array) != dimensions) {
        PyErr_Format(PyExc_ValueError, "%s must have %d dimensions, not %d", name, dimensions,
                     PyArray_NDIM(array));
        return NULL;
    }
    if ((rows != kAny && PyArray_DIM(array, 0) != rows) ||
        (columns != kAny && PyArray_DIM(array, dimensions - 1) != columns)) {
        PyErr_Format(PyExc_ValueError, "%s has the wrong shape", name);
        return NULL;
    }
    if (!PyArray_IS_C_CONTIGUOUS(array) || !PyArray_ISALIGNED(array)) {
        PyErr_Format(PyExc_ValueError, "%s must be C-contiguous and aligned", name);
        return NULL;
    }
    return array;
}

static PyObject *newArray(int type, int dimensions, npy_intp first, npy_intp second) {
    npy_intp shape[2] = {first, second};
    return PyArray_SimpleNew(dimensions, shape, type);
}

static void *dataOf(PyObject *array) {
    return PyArray_DATA((PyArrayObject *)array);
}

static size_t countOf(PyArrayObject *array) {
    return (size_t)PyArray_DIM(array, 0);
}

/* A path as the core wants it: UTF-8 on Windows, the file system's bytes elsewhere. */
static PyObject *pathBytes(PyObject *path) {
#ifdef _WIN32
    PyObject *text = PyOS_FSPath(path), *bytes = NULL;
    if (text && PyUnicode_Check(text))
        bytes = PyUnicode_AsUTF8String(text);
    else if (text)
        PyErr_SetString(PyExc_TypeError, "path must be a str");
    Py_XDECREF(text);
    return bytes;
#else
    PyObject *bytes = NULL;
    return PyUnicode_FSConverter(path, &bytes) ? bytes : NULL;
#endif
}

static bool layoutOf(PyObject *object, tv_layout *layout) {
    Py_ssize_t width, height, rows;
    if (!PyTuple_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "layout must be (width, height, rows_per_frame)");
        return false;
    }
    if (!PyArg_ParseTuple(object, "nnn;layout must be (width, height, rows_per_frame)", &width,
                          &height, &rows))
        return false;
    if (width < 1 || height < 1 || rows < 1 || width > 1 << 20 || height > 1 << 24 ||
        rows > height) {
        PyErr_SetString(PyExc_ValueError, "layout is out of range");
        return false;
    }
    layout->width = (size_t)width;
    layout->height = (size_t)height;
    layout->rows_per_frame = (size_t)rows;
    return true;
}

/* ---------------------------------------------------------------------------------------------
 * Track
 */

typedef struct {
    PyObject_HEAD tv_track *track;
    PyObject *error;
    PyObject *in_use[TV_IN_FLIGHT]; /* parts that the worker may still read */
    size_t appended;
    bool busy, finished;
} TrackObject;

static bool enter(bool *busy) {
    if (*busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using this object");
        return false;
    }
    *busy = true;
    return true;
}

static bool finished(const TrackObject *self) {
    if (!self->track || !self->finished || self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "call finish() first");
        return false;
    }
    return true;
}

static PyObject *trackNew(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"groups", "memory", "directory", "guard", NULL};
    Py_ssize_t groups = -1, memory = -1;
    PyObject *directory = Py_None, *path = NULL;
    int guard = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$nnOp:Track", names, &groups, &memory,
                                     &directory, &guard))
        return NULL;
    if (groups < 0 || memory < 0) {
        PyErr_SetString(PyExc_ValueError, "groups and memory must be given and not negative");
        return NULL;
    }
    if (directory != Py_None && !(path = pathBytes(directory)))
        return NULL;

    PyObject *module = PyType_GetModule(type);
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    TrackObject *self = module ? (TrackObject *)alloc(type, 0) : NULL;
    if (!self) {
        Py_XDECREF(path);
        return NULL;
    }
    self->error = stateOf(module)->error;
    Py_INCREF(self->error);
    tv_track_options options = {(size_t)groups, (size_t)memory,
                                path ? PyBytes_AsString(path) : NULL, guard ? TV_NORMAL_GUARD : 0};
    tv_result result = tv_track_create(&self->track, &options);
    Py_XDECREF(path);
    if (result) {
        Py_DECREF(self);
        return raiseResult(NULL, result, 0, NULL);
    }
    return (PyObject *)self;
}

static void releaseParts(TrackObject *self) {
    for (size_t i = 0; i < TV_IN_FLIGHT; i++)
        Py_CLEAR(self->in_use[i]);
}

static void trackDealloc(TrackObject *self) {
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    tv_track *track = self->track;
    if (track) {
        Py_BEGIN_ALLOW_THREADS tv_track_destroy(track);
        Py_END_ALLOW_THREADS
    }
    releaseParts(self);
    Py_XDECREF(self->error);
    release(self);
    Py_DECREF(type);
}

static bool parseSamples(PyObject *points, PyObject *normals, tv_part *part) {
    PyArrayObject *point = arrayOf(points, "sample_point", NPY_INT32, 1, kAny, kAny);
    if (!point)
        return false;
    PyArrayObject *normal =
        arrayOf(normals, "sample_normal", NPY_INT32, 1, PyArray_DIM(point, 0), kAny);
    if (!normal)
        return false;
    part->sample_point = PyArray_DATA(point);
    part->sample_normal = PyArray_DATA(normal);
    part->sample_count = countOf(point);
    return true;
}

static bool parsePart(PyObject *object, tv_part *part) {
    Py_ssize_t group;
    int domain;
    PyObject *points, *normals, *matrix, *sample_point = NULL, *sample_normal = NULL;
    if (!PyTuple_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "each part must be a tuple");
        return false;
    }
    if (!PyArg_ParseTuple(object, "nOOiO|OO:part", &group, &points, &normals, &domain, &matrix,
                          &sample_point, &sample_normal))
        return false;
    if (group < 0 || domain < TV_POINT || domain > TV_CORNER) {
        PyErr_SetString(PyExc_ValueError, "group or domain is out of range");
        return false;
    }
    PyArrayObject *point_array = arrayOf(points, "points", NPY_FLOAT32, 2, kAny, 3);
    PyArrayObject *normal_array =
        point_array ? arrayOf(normals, "normals", NPY_FLOAT32, 2, kAny, 3) : NULL;
    PyArrayObject *matrix_array =
        normal_array ? arrayOf(matrix, "matrix", NPY_FLOAT32, 2, 4, 4) : NULL;
    if (!matrix_array)
        return false;
    memset(part, 0, sizeof *part);
    part->group = (size_t)group;
    part->points = PyArray_DATA(point_array);
    part->point_count = countOf(point_array);
    part->normals = PyArray_DATA(normal_array);
    part->normal_count = countOf(normal_array);
    part->domain = (tv_domain)domain;
    memcpy(part->matrix, PyArray_DATA(matrix_array), sizeof part->matrix);
    if (!sample_point)
        return true;
    if (!sample_normal) {
        PyErr_SetString(PyExc_TypeError, "sample_point needs sample_normal");
        return false;
    }
    return parseSamples(sample_point, sample_normal, part);
}

static PyObject *trackAppend(TrackObject *self, PyObject *args) {
    PyObject *sequence;
    unsigned long long key;
    if (!PyArg_ParseTuple(args, "OK:append", &sequence, &key))
        return NULL;
    PyObject *parts = PySequence_Tuple(sequence);
    if (!parts)
        return NULL;
    Py_ssize_t count = PyTuple_Size(parts);
    tv_part *parsed = malloc((count ? (size_t)count : 1) * sizeof *parsed);
    if (!parsed) {
        Py_DECREF(parts);
        return PyErr_NoMemory();
    }
    bool good = true;
    for (Py_ssize_t i = 0; i < count && good; i++)
        good = parsePart(PyTuple_GetItem(parts, i), &parsed[i]);
    if (good && self->finished) {
        PyErr_SetString(PyExc_RuntimeError, "the track is finished and takes no more frames");
        good = false;
    }
    if (!good || !enter(&self->busy)) {
        free(parsed);
        Py_DECREF(parts);
        return NULL;
    }

    tv_result result;
    Py_BEGIN_ALLOW_THREADS result = tv_track_append(self->track, parsed, (size_t)count, key);
    Py_END_ALLOW_THREADS free(parsed);
    self->busy = false;
    if (result) {
        tv_error error = tv_track_error(self->track);
        error.result = result;
        Py_DECREF(parts);
        return raise(self->error, error, NULL);
    }
    PyObject **place = &self->in_use[self->appended++ % TV_IN_FLIGHT];
    PyObject *old = *place;
    *place = parts;
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

static PyObject *trackFinish(TrackObject *self, PyObject *unused) {
    (void)unused;
    if (!enter(&self->busy))
        return NULL;
    tv_result result;
    Py_BEGIN_ALLOW_THREADS result = tv_track_finish(self->track);
    Py_END_ALLOW_THREADS self->busy = false;
    releaseParts(self);
    if (result)
        return raise(self->error, tv_track_error(self->track), NULL);
    self->finished = true;
    Py_RETURN_NONE;
}

static PyObject *trackKeys(TrackObject *self, PyObject *args) {
    Py_ssize_t part;
    PyObject *vert, *face;
    if (!PyArg_ParseTuple(args, "nOO:keys", &part, &vert, &face) || !finished(self))
        return NULL;
    PyArrayObject *verts = arrayOf(vert, "corner_vert", NPY_INT32, 1, kAny, kAny);
    PyArrayObject *faces =
        verts ? arrayOf(face, "corner_face", NPY_INT32, 1, PyArray_DIM(verts, 0), kAny) : NULL;
    PyObject *keys = faces ? newArray(NPY_UINT64, 2, PyArray_DIM(verts, 0), 2) : NULL;
    if (!keys)
        return NULL;
    tv_result result;
    Py_BEGIN_ALLOW_THREADS result =
        tv_track_keys(self->track, part < 0 ? SIZE_MAX : (size_t)part, dataOf(keys),
                      PyArray_DATA(verts), PyArray_DATA(faces), countOf(verts));
    Py_END_ALLOW_THREADS if (!result) return keys;
    Py_DECREF(keys);
    return raiseResult(self->error, result, 0, NULL);
}

static PyObject *trackBounds(TrackObject *self, PyObject *args) {
    Py_ssize_t group;
    if (!PyArg_ParseTuple(args, "n:bounds", &group) || !finished(self))
        return NULL;
    if (group < 0 || (size_t)group >= tv_track_group_count(self->track)) {
        PyErr_SetString(PyExc_IndexError, "group is out of range");
        return NULL;
    }
    PyObject *bounds = newArray(NPY_FLOAT32, 2, 2, 3);
    if (bounds)
        tv_track_bounds(self->track, (size_t)group, dataOf(bounds));
    return bounds;
}

static PyObject *trackDigest(TrackObject *self, PyObject *unused) {
    (void)unused;
    if (!finished(self))
        return NULL;
    uint64_t digest[2];
    unsigned char bytes[16];
    tv_track_digest(self->track, digest);
    for (size_t i = 0; i < 16; i++)
        bytes[i] = (unsigned char)(digest[i / 8] >> (8 * (i % 8)));
    return PyBytes_FromStringAndSize((const char *)bytes, 16);
}

static PyObject *trackFrame(TrackObject *self, PyObject *args) {
    Py_ssize_t index;
    if (!PyArg_ParseTuple(args, "n:frame", &index) || !finished(self))
        return NULL;
    if (index < 0 || (size_t)index >= tv_track_frame_count(self->track)) {
        PyErr_SetString(PyExc_IndexError, "frame is out of range");
        return NULL;
    }
    tv_frame view;
    tv_scratch scratch = {0};
    PyObject *points = NULL, *words = NULL, *answer = NULL;
    tv_result result = tv_track_view(self->track, (size_t)index, &view, &scratch);
    if (result) {
        raiseResult(self->error, result, errno, NULL);
    } else {
        points = newArray(NPY_FLOAT32, 2, (npy_intp)view.point_count, 3);
        words = newArray(NPY_UINT32, 1, (npy_intp)view.word_count, 0);
    }
    if (points && words) {
        memcpy(dataOf(points), view.points, view.point_count * 3 * sizeof(float));
        memcpy(dataOf(words), view.words, view.word_count * sizeof(uint32_t));
        answer = PyTuple_Pack(2, points, words);
    }
    free(scratch.buffer);
    Py_XDECREF(points);
    Py_XDECREF(words);
    return answer;
}

static PyObject *trackSize(TrackObject *self, void *function) {
    if (!finished(self))
        return NULL;
    size_t (*size)(const tv_track *) = NULL;
    memcpy(&size, function, sizeof size);
    return PyLong_FromSize_t(size(self->track));
}

typedef size_t (*track_size)(const tv_track *);
static const track_size kFrames = tv_track_frame_count, kBadNormals = tv_track_bad_normals,
                        kMemory = tv_track_memory, kSpilled = tv_track_spilled;

static PyGetSetDef trackProperties[] = {
    {"frames", (getter)trackSize, NULL, "Stored frames.", (void *)&kFrames},
    {"bad_normals", (getter)trackSize, NULL, "Normals that had no direction.",
     (void *)&kBadNormals},
    {"memory", (getter)trackSize, NULL, "Bytes of frames in memory.", (void *)&kMemory},
    {"spilled", (getter)trackSize, NULL, "Bytes of frames in the temporary file.",
     (void *)&kSpilled},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef trackMethods[] = {
    {"append", (PyCFunction)trackAppend, METH_VARARGS, "append(parts, key, /)"},
    {"finish", (PyCFunction)trackFinish, METH_NOARGS, "finish()"},
    {"keys", (PyCFunction)trackKeys, METH_VARARGS, "keys(part, corner_vert, corner_face, /)"},
    {"bounds", (PyCFunction)trackBounds, METH_VARARGS, "bounds(group, /)"},
    {"digest", (PyCFunction)trackDigest, METH_NOARGS, "digest()"},
    {"frame", (PyCFunction)trackFrame, METH_VARARGS, "frame(index, /)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot trackSlots[] = {
    {Py_tp_new, (void *)trackNew},
    {Py_tp_dealloc, (void *)trackDealloc},
    {Py_tp_methods, trackMethods},
    {Py_tp_getset, trackProperties},
    {Py_tp_doc, (void *)"What every sample did, frame by frame, in world space."},
    {0, NULL},
};

static PyType_Spec trackSpec = {
    "truevat_native.Track",
    sizeof(TrackObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    trackSlots,
};

/* ---------------------------------------------------------------------------------------------
 * TextureWriter
 */

typedef struct {
    PyObject_HEAD tv_exr *exr;
    tv_texture texture;
    tv_scratch *scratch; /* one for each thread */
    size_t threads;
    PyObject *error;
    PyObject *path;
    PyObject *kept; /* the track and the arrays that texture points into */
    bool busy;
} WriterObject;

static tv_result textureSource(void *context, size_t thread, size_t y, float *planes) {
    WriterObject *self = context;
    return tv_texture_row(&self->texture, self->texture.layout.height - 1 - y, planes,
                          &self->scratch[thread]);
}

static void freeScratch(WriterObject *self) {
    for (size_t i = 0; self->scratch && i < self->threads; i++)
        free(self->scratch[i].buffer);
    free(self->scratch);
    self->scratch = NULL;
}

static void writerDealloc(WriterObject *self) {
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    tv_exr_destroy(self->exr);
    freeScratch(self);
    Py_XDECREF(self->error);
    Py_XDECREF(self->path);
    Py_XDECREF(self->kept);
    release(self);
    Py_DECREF(type);
}

/* The arguments after path; on success self->texture points into the arrays that kept holds. */
static bool parseTexture(WriterObject *self, TrackObject *track, PyObject *layout, uint32_t header,
                         PyObject *arrays[6]) {
    if (!layoutOf(layout, &self->texture.layout))
        return false;
    PyArrayObject *frames = arrayOf(arrays[0], "frames", NPY_INT32, 1, kAny, kAny);
    PyArrayObject *starts =
        frames ? arrayOf(arrays[1], "part_start", NPY_INT64, 1, kAny, kAny) : NULL;
    if (!starts)
        return false;
    npy_intp parts = PyArray_DIM(starts, 0) - 1;
    if (parts < 0) {
        PyErr_SetString(PyExc_ValueError, "part_start must not be empty");
        return false;
    }
    const int64_t *start = PyArray_DATA(starts);
    PyArrayObject *point = arrayOf(arrays[2], "point", NPY_INT32, 1, (npy_intp)start[parts], kAny);
    PyArrayObject *face =
        point ? arrayOf(arrays[3], "face", NPY_INT32, 1, PyArray_DIM(point, 0), kAny) : NULL;
    PyArrayObject *corner =
        face ? arrayOf(arrays[4], "corner", NPY_INT32, 1, PyArray_DIM(point, 0), kAny) : NULL;
    PyArrayObject *origin = corner ? arrayOf(arrays[5], "origin", NPY_FLOAT32, 2, parts, 3) : NULL;
    if (!origin)
        return false;
    tv_texture *texture = &self->texture;
    texture->track = track->track;
    texture->samples.part_count = (size_t)parts;
    texture->samples.part_start = start;
    texture->samples.point = PyArray_DATA(point);
    texture->samples.face = PyArray_DATA(face);
    texture->samples.corner = PyArray_DATA(corner);
    texture->samples.origin = PyArray_DATA(origin);
    texture->frames = PyArray_DATA(frames);
    texture->frame_count = countOf(frames);
    texture->header = header;
    return true;
}

static bool openWriter(WriterObject *self, Py_ssize_t threads, bool direct) {
    PyObject *bytes = pathBytes(self->path);
    if (!bytes)
        return false;
    const tv_texture *texture = &self->texture;
    tv_exr_options options = {
        texture->layout.width, texture->layout.height,
        TV_EXR_NONE,           direct,
        (size_t)threads,       tv_track_largest_spilled(texture->track),
    };
    const char *path = PyBytes_AsString(bytes);
    tv_result result;
    int system = 0;
    Py_BEGIN_ALLOW_THREADS result = tv_texture_check(texture);
    if (!result)
        result = tv_exr_create(&self->exr, path, &options, &system);
    Py_END_ALLOW_THREADS Py_DECREF(bytes);
    if (result) {
        raiseResult(self->error, result, system, self->path);
        return false;
    }
    self->threads = tv_exr_threads(self->exr);
    self->scratch = calloc(self->threads, sizeof *self->scratch);
    if (!self->scratch)
        PyErr_NoMemory();
    return self->scratch != NULL;
}

static PyObject *writerNew(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"track", "path",   "layout", "header",  "frames", "part_start", "point",
                            "face",  "corner", "origin", "threads", "direct", NULL};
    PyObject *track, *path, *given[8] = {NULL}, *layout, **arrays;
    unsigned long header;
    Py_ssize_t threads = 0;
    int direct = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|$OOOOOOOOnp:TextureWriter", names, &track,
                                     &path, &given[0], &given[1], &given[2], &given[3], &given[4],
                                     &given[5], &given[6], &given[7], &threads, &direct))
        return NULL;
    for (size_t i = 0; i < 8; i++)
        if (!given[i]) {
            PyErr_Format(PyExc_TypeError, "%s must be given", names[2 + i]);
            return NULL;
        }
    layout = given[0];
    arrays = given + 2;
    header = PyLong_AsUnsignedLong(given[1]);
    if (PyErr_Occurred() || header > UINT32_MAX) {
        if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError))
            PyErr_SetString(PyExc_ValueError, "header must be a number of 32 bits");
        return NULL;
    }
    PyObject *module = PyType_GetModule(type);
    if (!module)
        return NULL;
    int is_track = PyObject_IsInstance(track, stateOf(module)->track_type);
    if (is_track < 1 || threads < 0) {
        if (is_track == 0)
            PyErr_SetString(PyExc_TypeError, "track must be a Track");
        else if (is_track == 1)
            PyErr_SetString(PyExc_ValueError, "threads must not be negative");
        return NULL;
    }
    if (!finished((TrackObject *)track))
        return NULL;

    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    WriterObject *self = (WriterObject *)alloc(type, 0);
    if (!self)
        return NULL;
    self->error = stateOf(module)->error;
    self->path = path;
    Py_INCREF(self->error);
    Py_INCREF(self->path);
    self->kept =
        PyTuple_Pack(7, track, arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5]);
    if (!self->kept ||
        !parseTexture(self, (TrackObject *)track, layout, (uint32_t)header, arrays) ||
        !openWriter(self, threads, direct)) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static PyObject *writerWrite(WriterObject *self, PyObject *args) {
    Py_ssize_t rows;
    if (!PyArg_ParseTuple(args, "n:write", &rows))
        return NULL;
    if (rows < 1) {
        PyErr_SetString(PyExc_ValueError, "rows must be above 0");
        return NULL;
    }
    if (!enter(&self->busy))
        return NULL;
    tv_result result;
    size_t left = 0;
    int system = 0;
    Py_BEGIN_ALLOW_THREADS result =
        tv_exr_write(self->exr, (size_t)rows, textureSource, self, &left, &system);
    Py_END_ALLOW_THREADS self->busy = false;
    if (result)
        return raiseResult(self->error, result, system, self->path);
    return PyErr_CheckSignals() ? NULL : PyLong_FromSize_t(left);
}

static PyObject *writerClose(WriterObject *self, PyObject *unused) {
    (void)unused;
    if (!enter(&self->busy))
        return NULL;
    tv_result result;
    uint64_t size = 0;
    int system = 0;
    Py_BEGIN_ALLOW_THREADS result = tv_exr_close(self->exr, &size, &system);
    Py_END_ALLOW_THREADS self->busy = false;
    if (result)
        return raiseResult(self->error, result, system, self->path);
    return PyLong_FromUnsignedLongLong(size);
}

static PyMethodDef writerMethods[] = {
    {"write", (PyCFunction)writerWrite, METH_VARARGS, "write(rows, /)"},
    {"close", (PyCFunction)writerClose, METH_NOARGS, "close()"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot writerSlots[] = {
    {Py_tp_new, (void *)writerNew},
    {Py_tp_dealloc, (void *)writerDealloc},
    {Py_tp_methods, writerMethods},
    {Py_tp_doc, (void *)"Writes a track as the rows of an OpenEXR texture."},
    {0, NULL},
};

static PyType_Spec writerSpec = {
    "truevat_native.TextureWriter",
    sizeof(WriterObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    writerSlots,
};

/* ---------------------------------------------------------------------------------------------
 * Functions
 */

static size_t boundlessPoints(float *world, const float *points, size_t count,
                              const float matrix[16]) {
    return tv_transform_points(world, points, count, matrix, NULL);
}

typedef size_t (*transform)(float *, const float *, size_t, const float[16]);

static PyObject *callTransform(PyObject *args, const char *name, transform function) {
    PyObject *vectors, *matrix;
    if (!PyArg_ParseTuple(args, "OO", &vectors, &matrix))
        return NULL;
    PyArrayObject *source = arrayOf(vectors, name, NPY_FLOAT32, 2, kAny, 3);
    PyArrayObject *by = source ? arrayOf(matrix, "matrix", NPY_FLOAT32, 2, 4, 4) : NULL;
    PyObject *world = by ? newArray(NPY_FLOAT32, 2, PyArray_DIM(source, 0), 3) : NULL;
    if (!world)
        return NULL;
    size_t answer;
    Py_BEGIN_ALLOW_THREADS answer =
        function(dataOf(world), PyArray_DATA(source), countOf(source), PyArray_DATA(by));
    Py_END_ALLOW_THREADS return Py_BuildValue("Nn", world, (Py_ssize_t)answer);
}

static PyObject *transformPoints(PyObject *module, PyObject *args) {
    (void)module;
    return callTransform(args, "points", boundlessPoints);
}

static PyObject *transformNormals(PyObject *module, PyObject *args) {
    (void)module;
    return callTransform(args, "normals", tv_transform_normals);
}

static PyObject *packNormals(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *object;
    int guard = 1;
    if (!PyArg_ParseTuple(args, "O|p:pack_normals", &object, &guard))
        return NULL;
    PyArrayObject *normals = arrayOf(object, "normals", NPY_FLOAT32, 2, kAny, 3);
    PyObject *words = normals ? newArray(NPY_UINT32, 1, PyArray_DIM(normals, 0), 0) : NULL;
    if (words)
        tv_pack_normals(dataOf(words), PyArray_DATA(normals), countOf(normals),
                        guard ? TV_NORMAL_GUARD : 0);
    return words;
}

static PyObject *hashWords(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *sum_object, *word_object;
    unsigned long long key;
    if (!PyArg_ParseTuple(args, "OOK:hash_words", &sum_object, &word_object, &key))
        return NULL;
    PyArrayObject *sums = arrayOf(sum_object, "sums", NPY_UINT64, 2, kAny, 2);
    if (!sums)
        return NULL;
    bool vectors = PyArray_Check(word_object) && PyArray_NDIM((PyArrayObject *)word_object) == 2;
    PyArrayObject *words = arrayOf(word_object, "words", NPY_UINT32, vectors ? 2 : 1,
                                   PyArray_DIM(sums, 0), vectors ? 3 : kAny);
    if (!words || PyArray_FailUnlessWriteable(sums, "sums") < 0)
        return NULL;
    tv_hash_words(PyArray_DATA(sums), PyArray_DATA(words), vectors ? 3 : 1, countOf(sums), key);
    Py_RETURN_NONE;
}

static PyObject *assignSlots(PyObject *module, PyObject *args) {
    PyObject *object;
    if (!PyArg_ParseTuple(args, "O:assign_slots", &object))
        return NULL;
    PyArrayObject *keys = arrayOf(object, "keys", NPY_UINT64, 2, kAny, 2);
    PyObject *slots = keys ? newArray(NPY_INT32, 1, PyArray_DIM(keys, 0), 0) : NULL;
    int32_t *first = slots ? malloc((countOf(keys) + 1) * sizeof *first) : NULL;
    PyObject *answer = NULL, *firsts = NULL;
    if (slots && !first)
        PyErr_NoMemory();
    if (first) {
        tv_result result;
        size_t count = 0;
        Py_BEGIN_ALLOW_THREADS result =
            tv_assign_slots(dataOf(slots), first, &count, PyArray_DATA(keys), countOf(keys));
        Py_END_ALLOW_THREADS if (result) raiseResult(stateOf(module)->error, result, 0, NULL);
        else firsts = newArray(NPY_INT32, 1, (npy_intp)count, 0);
        if (firsts) {
            memcpy(dataOf(firsts), first, count * sizeof *first);
            answer = PyTuple_Pack(2, slots, firsts);
        }
    }
    free(first);
    Py_XDECREF(slots);
    Py_XDECREF(firsts);
    return answer;
}

static PyObject *layoutPowerOfTwo(PyObject *module, PyObject *args) {
    Py_ssize_t samples, frames, max_size;
    if (!PyArg_ParseTuple(args, "nnn:layout_power_of_two", &samples, &frames, &max_size))
        return NULL;
    if (samples < 0 || frames < 0 || max_size < 1 || (max_size & (max_size - 1))) {
        PyErr_SetString(PyExc_ValueError, "max_size must be a power of two, counts not negative");
        return NULL;
    }
    tv_layout layout;
    tv_result result =
        tv_layout_power_of_two(&layout, (size_t)samples, (size_t)frames, (size_t)max_size);
    if (result)
        return raiseResult(stateOf(module)->error, result, 0, NULL);
    return Py_BuildValue("nnn", (Py_ssize_t)layout.width, (Py_ssize_t)layout.height,
                         (Py_ssize_t)layout.rows_per_frame);
}

static PyObject *layoutUv(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *object, *layout_object;
    tv_layout layout;
    if (!PyArg_ParseTuple(args, "OO:layout_uv", &object, &layout_object) ||
        !layoutOf(layout_object, &layout))
        return NULL;
    PyArrayObject *slots = arrayOf(object, "slots", NPY_INT32, 1, kAny, kAny);
    PyObject *uv = slots ? newArray(NPY_FLOAT32, 2, PyArray_DIM(slots, 0), 2) : NULL;
    if (uv)
        tv_layout_uv(dataOf(uv), PyArray_DATA(slots), countOf(slots), &layout);
    return uv;
}

typedef struct {
    const float *rgba;
    size_t width;
} picture;

static tv_result pictureSource(void *context, size_t thread, size_t y, float *planes) {
    const picture *from = context;
    (void)thread;
    for (size_t x = 0; x < from->width; x++)
        for (size_t c = 0; c < 4; c++) /* planes are A, B, G, R */
            planes[c * from->width + x] = from->rgba[(y * from->width + x) * 4 + 3 - c];
    return TV_OK;
}

static tv_result writePicture(const picture *from, const char *path, const tv_exr_options *options,
                              int *system) {
    tv_exr *exr;
    tv_result result = tv_exr_create(&exr, path, options, system);
    size_t left = options->height;
    uint64_t size;
    while (!result && left)
        result = tv_exr_write(exr, left, pictureSource, (void *)from, &left, system);
    if (!result)
        result = tv_exr_close(exr, &size, system);
    tv_exr_destroy(exr);
    return result;
}

static PyObject *writeExr(PyObject *module, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"path", "rgba", "compression", "direct", "threads", NULL};
    PyObject *path, *object;
    const char *compression = "none";
    int direct = 1;
    Py_ssize_t threads = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|$spn:write_exr", names, &path, &object,
                                     &compression, &direct, &threads))
        return NULL;
    bool zip = !strcmp(compression, "zip");
    if ((!zip && strcmp(compression, "none")) || threads < 0) {
        PyErr_SetString(PyExc_ValueError, "compression must be none or zip, threads 0 or more");
        return NULL;
    }
    PyArrayObject *rgba = arrayOf(object, "rgba", NPY_FLOAT32, 3, kAny, 4);
    PyObject *bytes = rgba ? pathBytes(path) : NULL;
    if (!bytes)
        return NULL;
    picture from = {PyArray_DATA(rgba), (size_t)PyArray_DIM(rgba, 1)};
    tv_exr_options options = {from.width, countOf(rgba),   zip ? TV_EXR_ZIP : TV_EXR_NONE,
                              direct,     (size_t)threads, 0};
    const char *name = PyBytes_AsString(bytes);
    tv_result result;
    int system = 0;
    Py_BEGIN_ALLOW_THREADS result = writePicture(&from, name, &options, &system);
    Py_END_ALLOW_THREADS Py_DECREF(bytes);
    if (result)
        return raiseResult(stateOf(module)->error, result, system, path);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"transform_points", transformPoints, METH_VARARGS, "transform_points(points, matrix, /)"},
    {"transform_normals", transformNormals, METH_VARARGS, "transform_normals(normals, matrix, /)"},
    {"pack_normals", packNormals, METH_VARARGS, "pack_normals(normals, guard=True, /)"},
    {"hash_words", hashWords, METH_VARARGS, "hash_words(sums, words, key, /)"},
    {"assign_slots", assignSlots, METH_VARARGS, "assign_slots(keys, /)"},
    {"layout_power_of_two", layoutPowerOfTwo, METH_VARARGS,
     "layout_power_of_two(samples, frames, max_size, /)"},
    {"layout_uv", layoutUv, METH_VARARGS, "layout_uv(slots, layout, /)"},
    {"write_exr", (PyCFunction)(void (*)(void))writeExr, METH_VARARGS | METH_KEYWORDS,
     "write_exr(path, rgba, *, compression='none', direct=True, threads=0)"},
    {NULL, NULL, 0, NULL},
};

static int addType(PyObject *module, PyType_Spec *spec, PyObject **kept) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (!type)
        return -1;
    int failed = PyModule_AddType(module, (PyTypeObject *)type);
    if (kept && !failed)
        *kept = type;
    else
        Py_DECREF(type);
    return failed;
}

static int moduleExec(PyObject *module) {
    if (PyArray_ImportNumPyAPI() < 0)
        return -1;
    module_state *state = stateOf(module);
    state->error = PyErr_NewExceptionWithDoc(
        "truevat_native.NativeError",
        "What the core refused. code, frame, part and vertex say what and where.", NULL, NULL);
    if (!state->error || PyModule_AddObjectRef(module, "NativeError", state->error) < 0)
        return -1;
    if (addType(module, &trackSpec, &state->track_type) < 0 ||
        addType(module, &writerSpec, NULL) < 0)
        return -1;
    if (PyModule_AddStringConstant(module, "__version__", TRUEVAT_VERSION) < 0 ||
        PyModule_AddIntConstant(module, "IN_FLIGHT", TV_IN_FLIGHT) < 0 ||
        PyModule_AddIntConstant(module, "POINT", TV_POINT) < 0 ||
        PyModule_AddIntConstant(module, "FACE", TV_FACE) < 0 ||
        PyModule_AddIntConstant(module, "CORNER", TV_CORNER) < 0)
        return -1;
    return PyModule_AddIntConstant(module, "NORMAL_GUARD", TV_NORMAL_GUARD);
}

static int moduleTraverse(PyObject *module, visitproc visit, void *arg) {
    module_state *state = stateOf(module);
    if (state) {
        Py_VISIT(state->error);
        Py_VISIT(state->track_type);
    }
    return 0;
}

static int moduleClear(PyObject *module) {
    module_state *state = stateOf(module);
    if (state) {
        Py_CLEAR(state->error);
        Py_CLEAR(state->track_type);
    }
    return 0;
}

static PyModuleDef_Slot moduleSlots[] = {
    {Py_mod_exec, (void *)moduleExec},
    {0, NULL},
};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "truevat_native",
    .m_doc = "The C core of TrueVAT: from what meshes did to a vertex animation texture.",
    .m_size = sizeof(module_state),
    .m_methods = functions,
    .m_slots = moduleSlots,
    .m_traverse = moduleTraverse,
    .m_clear = moduleClear,
};

PyMODINIT_FUNC PyInit_truevat_native(void);
PyMODINIT_FUNC PyInit_truevat_native(void) {
    return PyModuleDef_Init(&definition);
}
