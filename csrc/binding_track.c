/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * truevat_native.Track
 */
#include "binding.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool trackSettled(const TrackObject *self) {
    if (!self->track || !self->settled || self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "call settle() or finish() first");
        return false;
    }
    return true;
}

static PyObject *trackNew(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"groups", "memory", "directory", "normals", NULL};
    Py_ssize_t groups = -1, memory = -1;
    PyObject *directory = Py_None, *path = NULL;
    const char *normals = "xyz8-guarded";
    tv_normal_code code;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$nnOs:Track", names, &groups, &memory,
                                     &directory, &normals) ||
        !normalCodeOf(normals, &code))
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
    self->error = moduleState(module)->error;
    Py_INCREF(self->error);
    tv_track_options options = {(size_t)groups, (size_t)memory,
                                path ? PyBytes_AsString(path) : NULL, code};
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
    Py_XDECREF(self->sink_path);
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

static PyObject *raiseTrackError(const TrackObject *self, tv_error error) {
    return raiseError(self->error, error, error.result == TV_SINK_IO ? self->sink_path : NULL);
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
    self->settled = false;
    Py_BEGIN_ALLOW_THREADS result = tv_track_append(self->track, parsed, (size_t)count, key);
    Py_END_ALLOW_THREADS free(parsed);
    self->busy = false;
    if (result) {
        tv_error error = tv_track_error(self->track);
        error.result = result;
        Py_DECREF(parts);
        return raiseTrackError(self, error);
    }
    PyObject **place = &self->in_use[self->appended++ % TV_IN_FLIGHT];
    PyObject *old = *place;
    *place = parts;
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

static bool waitForWorker(TrackObject *self) {
    if (!enter(&self->busy))
        return false;
    tv_result result;
    Py_BEGIN_ALLOW_THREADS result = tv_track_finish(self->track);
    Py_END_ALLOW_THREADS self->busy = false;
    releaseParts(self);
    self->settled = !result;
    if (result)
        raiseTrackError(self, tv_track_error(self->track));
    return !result;
}

static PyObject *trackSettle(TrackObject *self, PyObject *unused) {
    (void)unused;
    if (!waitForWorker(self))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *trackFinish(TrackObject *self, PyObject *unused) {
    (void)unused;
    if (!waitForWorker(self))
        return NULL;
    self->finished = true;
    Py_RETURN_NONE;
}

static PyObject *trackKeys(TrackObject *self, PyObject *args) {
    Py_ssize_t part;
    PyObject *vert, *face;
    if (!PyArg_ParseTuple(args, "nOO:keys", &part, &vert, &face) || !trackSettled(self))
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
    if (!PyArg_ParseTuple(args, "n:bounds", &group) || !trackSettled(self))
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
    if (!trackSettled(self))
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
    if (!PyArg_ParseTuple(args, "n:frame", &index) || !trackSettled(self))
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
        raiseResult(self->error, result, result == TV_IO ? errno : 0, NULL);
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

static PyObject *trackOffsets(TrackObject *self, PyObject *args) {
    Py_ssize_t first, last;
    PyObject *origins;
    if (!PyArg_ParseTuple(args, "Onn:offsets", &origins, &first, &last) || !trackSettled(self))
        return NULL;
    PyArrayObject *origin =
        arrayOf(origins, "origin", NPY_FLOAT32, 2, (npy_intp)tv_track_part_count(self->track), 3);
    if (!origin || !enter(&self->busy))
        return NULL;
    tv_offsets offsets = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    tv_scratch scratch[2] = {{0}, {0}};
    tv_result result = TV_OK;
    int system = 0;
    const bool inside =
        first >= 0 && last >= first && (size_t)last <= tv_track_frame_count(self->track);
    Py_BEGIN_ALLOW_THREADS for (size_t i = (size_t)first; inside && !result && i < (size_t)last;
                                i++) {
        result = tv_track_measure(self->track, i, PyArray_DATA(origin), &offsets, &scratch[0],
                                  &scratch[1]);
        system = result == TV_IO ? errno : 0;
    }
    Py_END_ALLOW_THREADS self->busy = false;
    free(scratch[0].buffer);
    free(scratch[1].buffer);
    if (!inside || result)
        return raiseResult(self->error, inside ? result : TV_OUT_OF_RANGE, system, NULL);
    PyObject *bounds = newArray(NPY_FLOAT32, 2, 2, 3);
    if (!bounds)
        return NULL;
    memcpy(dataOf(bounds), offsets.low, sizeof offsets.low);
    memcpy((float *)dataOf(bounds) + 3, offsets.high, sizeof offsets.high);
    return Py_BuildValue("dN", sqrt((double)offsets.error), bounds);
}

static PyObject *trackSize(TrackObject *self, void *function) {
    if (!trackSettled(self))
        return NULL;
    size_t (*size)(const tv_track *) = NULL;
    memcpy(&size, function, sizeof size);
    return PyLong_FromSize_t(size(self->track));
}

typedef size_t (*track_size)(const tv_track *);
static const track_size kFrames = tv_track_frame_count, kBadNormals = tv_track_bad_normals,
                        kMemory = tv_track_memory, kSpilled = tv_track_spilled,
                        kTaken = tv_track_taken_count;

static PyGetSetDef trackProperties[] = {
    {"frames", (getter)trackSize, NULL, "Stored frames.", (void *)&kFrames},
    {"bad_normals", (getter)trackSize, NULL, "Normals that had no direction.",
     (void *)&kBadNormals},
    {"memory", (getter)trackSize, NULL, "Bytes of frames in memory.", (void *)&kMemory},
    {"spilled", (getter)trackSize, NULL, "Bytes of frames in the temporary file.",
     (void *)&kSpilled},
    {"taken", (getter)trackSize, NULL, "Frames that a writer took.", (void *)&kTaken},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef trackMethods[] = {
    {"append", (PyCFunction)trackAppend, METH_VARARGS, "append(parts, key, /)"},
    {"settle", (PyCFunction)trackSettle, METH_NOARGS, "settle()"},
    {"finish", (PyCFunction)trackFinish, METH_NOARGS, "finish()"},
    {"keys", (PyCFunction)trackKeys, METH_VARARGS, "keys(part, corner_vert, corner_face, /)"},
    {"bounds", (PyCFunction)trackBounds, METH_VARARGS, "bounds(group, /)"},
    {"digest", (PyCFunction)trackDigest, METH_NOARGS, "digest()"},
    {"offsets", (PyCFunction)trackOffsets, METH_VARARGS, "offsets(origin, first, last, /)"},
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

PyType_Spec trackSpec = {
    "truevat_native.Track",
    sizeof(TrackObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    trackSlots,
};
