/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * truevat_native.TextureWriter
 */
#include "binding.h"

#include "writer.h"

typedef struct writer_object {
    PyObject_HEAD tv_writer *writer;
    tv_texture texture;
    TrackObject *track;
    PyObject *error;
    PyObject *path;
    PyObject *kept; /* the track, the earlier writer and the arrays that texture points into */
    bool busy;
} WriterObject;

static void writerDealloc(WriterObject *self) {
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    tv_writer *writer = self->writer;
    Py_BEGIN_ALLOW_THREADS tv_writer_destroy(writer);
    Py_END_ALLOW_THREADS Py_XDECREF(self->error);
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

static bool openWriter(WriterObject *self, tv_writer_options options) {
    PyObject *bytes = pathBytes(self->path);
    if (!bytes)
        return false;
    const char *path = PyBytes_AsString(bytes);
    tv_result result;
    int system = 0;
    Py_BEGIN_ALLOW_THREADS result =
        tv_writer_create(&self->writer, path, &self->texture, &options, &system);
    Py_END_ALLOW_THREADS Py_DECREF(bytes);
    if (result)
        raiseResult(self->error, result, system, self->path);
    return !result;
}

/* The writer that took frames before, and the samples' numbers there; both or neither. */
static bool parseEarlier(PyObject *type, PyObject *writer, PyObject *sample, npy_intp samples,
                         tv_writer_options *options) {
    if (writer == Py_None && sample == Py_None)
        return true;
    int is_writer = PyObject_IsInstance(writer, type);
    if (is_writer < 1) {
        if (!is_writer)
            PyErr_SetString(PyExc_TypeError, "earlier must be a TextureWriter");
        return false;
    }
    PyArrayObject *array = arrayOf(sample, "earlier_sample", NPY_INT32, 1, samples, kAny);
    if (!array)
        return false;
    options->earlier = ((WriterObject *)writer)->writer;
    options->earlier_sample = PyArray_DATA(array);
    return true;
}

static PyObject *writerNew(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"track",      "path",   "layout",  "header",         "frames",
                            "part_start", "point",  "face",    "corner",         "origin",
                            "threads",    "direct", "earlier", "earlier_sample", NULL};
    PyObject *track, *path, *given[8] = {NULL}, *layout, **arrays;
    PyObject *earlier = Py_None, *earlier_sample = Py_None;
    unsigned long header;
    Py_ssize_t threads = 0;
    int direct = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|$OOOOOOOOnpOO:TextureWriter", names, &track,
                                     &path, &given[0], &given[1], &given[2], &given[3], &given[4],
                                     &given[5], &given[6], &given[7], &threads, &direct, &earlier,
                                     &earlier_sample))
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
    if (!trackSettled((TrackObject *)track))
        return NULL;

    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    WriterObject *self = (WriterObject *)alloc(type, 0);
    if (!self)
        return NULL;
    self->error = moduleState(module)->error;
    self->path = path;
    Py_INCREF(self->error);
    Py_INCREF(self->path);
    self->track = (TrackObject *)track;
    self->kept = PyTuple_Pack(9, track, arrays[0], arrays[1], arrays[2], arrays[3], arrays[4],
                              arrays[5], earlier, earlier_sample);
    tv_writer_options options = {.threads = (size_t)threads, .direct = direct};
    if (!self->kept || !parseTexture(self, self->track, layout, (uint32_t)header, arrays) ||
        !parseEarlier((PyObject *)type, earlier, earlier_sample,
                      PyArray_DIM((PyArrayObject *)arrays[2], 0), &options) ||
        !openWriter(self, options)) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static PyObject *writerDivert(WriterObject *self, PyObject *args) {
    int any_domain;
    if (!PyArg_ParseTuple(args, "p:divert", &any_domain) || !trackSettled(self->track) ||
        !enter(&self->busy))
        return NULL;
    tv_track *track = self->track->track;
    tv_result result;
    int system = 0;
    Py_BEGIN_ALLOW_THREADS result = tv_writer_divert(self->writer, track, any_domain, &system);
    Py_END_ALLOW_THREADS self->busy = false;
    if (result)
        return raiseResult(self->error, result, system, self->path);
    PyObject *old = self->track->sink_path;
    Py_INCREF(self->path);
    self->track->sink_path = self->path;
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

static PyObject *writerWrite(WriterObject *self, PyObject *args) {
    Py_ssize_t rows;
    if (!PyArg_ParseTuple(args, "n:write", &rows))
        return NULL;
    if (rows < 1) {
        PyErr_SetString(PyExc_ValueError, "rows must be above 0");
        return NULL;
    }
    if (!trackSettled(self->track) || !enter(&self->busy))
        return NULL;
    tv_result result;
    size_t left = 0;
    int system = 0;
    Py_BEGIN_ALLOW_THREADS result = tv_writer_write(self->writer, (size_t)rows, &left, &system);
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
    Py_BEGIN_ALLOW_THREADS result = tv_writer_close(self->writer, &size, &system);
    Py_END_ALLOW_THREADS self->busy = false;
    if (result)
        return raiseResult(self->error, result, system, self->path);
    return PyLong_FromUnsignedLongLong(size);
}

static PyMethodDef writerMethods[] = {
    {"divert", (PyCFunction)writerDivert, METH_VARARGS, "divert(any_domain, /)"},
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
