/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * truevat_native.TextureWriter
 */
#include "binding.h"

#include "exr.h"

#include <stdlib.h>

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
    const size_t used = texture->frame_count * texture->layout.rows_per_frame + 1;
    tv_exr_options options = {
        .width = texture->layout.width,
        .height = texture->layout.height,
        .compression = TV_EXR_NONE,
        .direct = direct,
        .threads = (size_t)threads,
        .source_memory = tv_track_largest_spilled(texture->track),
        .blank_rows = texture->layout.height > used ? texture->layout.height - used : 0,
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
    int is_track = PyObject_IsInstance(track, moduleState(module)->track_type);
    if (is_track < 1 || threads < 0) {
        if (is_track == 0)
            PyErr_SetString(PyExc_TypeError, "track must be a Track");
        else if (is_track == 1)
            PyErr_SetString(PyExc_ValueError, "threads must not be negative");
        return NULL;
    }
    if (!trackFinished((TrackObject *)track))
        return NULL;

    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    WriterObject *self = (WriterObject *)alloc(type, 0);
    if (!self)
        return NULL;
    self->error = moduleState(module)->error;
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

PyType_Spec writerSpec = {
    "truevat_native.TextureWriter",
    sizeof(WriterObject),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    writerSlots,
};
