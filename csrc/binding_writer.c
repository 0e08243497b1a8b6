/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * truevat_native.TextureWriter
 */
#include "binding.h"

#include "writer.h"

#include <string.h>

typedef struct writer_object {
    PyObject_HEAD tv_writer *writer;
    tv_texture texture;
    TrackObject *track;
    PyObject *error;
    PyObject *path;
    PyObject *kept;   /* the arguments, which texture points into */
    PyObject *header; /* the array that was set last */
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
    Py_XDECREF(self->header);
    release(self);
    Py_DECREF(type);
}

/* What writerNew was given. */
typedef struct {
    PyObject *track, *path, *layout;
    PyObject *frames, *part_start, *point, *face, *corner, *origin;
    PyObject *rest, *mapping, *earlier, *earlier_sample;
    Py_ssize_t slots, threads;
    const char *texel;
    int half, pad, direct;
} arguments;

static bool parseSampleTable(tv_texture *texture, const arguments *given) {
    PyArrayObject *starts = arrayOf(given->part_start, "part_start", NPY_INT64, 1, kAny, kAny);
    if (!starts)
        return false;
    npy_intp parts = PyArray_DIM(starts, 0) - 1;
    if (parts < 0) {
        PyErr_SetString(PyExc_ValueError, "part_start must not be empty");
        return false;
    }
    const int64_t *start = PyArray_DATA(starts);
    const npy_intp samples = (npy_intp)start[parts];
    PyArrayObject *point = arrayOf(given->point, "point", NPY_INT32, 1, samples, kAny);
    PyArrayObject *face = point ? arrayOf(given->face, "face", NPY_INT32, 1, samples, kAny) : NULL;
    PyArrayObject *corner =
        face ? arrayOf(given->corner, "corner", NPY_INT32, 1, samples, kAny) : NULL;
    PyArrayObject *origin =
        corner ? arrayOf(given->origin, "origin", NPY_FLOAT32, 2, parts, 3) : NULL;
    if (!origin)
        return false;
    texture->samples.part_count = (size_t)parts;
    texture->samples.part_start = start;
    texture->samples.point = PyArray_DATA(point);
    texture->samples.face = PyArray_DATA(face);
    texture->samples.corner = PyArray_DATA(corner);
    texture->samples.origin = PyArray_DATA(origin);
    texture->slots = given->slots < 0 ? (size_t)samples : (size_t)given->slots;
    return true;
}

static bool parseTexel(tv_texture *texture, const arguments *given) {
    static const char *const kNames[] = {"bits", "values", "offsets", "mapped", "normals"};
    for (size_t i = 0; i < sizeof kNames / sizeof *kNames; i++) {
        if (strcmp(given->texel, kNames[i]))
            continue;
        texture->texel = (tv_texel)i;
        texture->half = given->half;
        texture->pad = given->pad;
        if (i <= TV_TEXEL_VALUES && given->half) {
            PyErr_Format(PyExc_ValueError, "%s cannot be halves", kNames[i]);
            return false;
        }
        return true;
    }
    PyErr_SetString(PyExc_ValueError, "texel must be bits, values, offsets, mapped or normals");
    return false;
}

/* Three rows of: axis, counted from 1, with its sign; low; high. */
static bool parseMapping(tv_texture *texture, PyObject *object) {
    for (size_t i = 0; i < 3; i++) {
        texture->axis[i] = i;
        texture->sign[i] = texture->high[i] = 1.0f;
    }
    if (object == Py_None)
        return true;
    PyArrayObject *array = arrayOf(object, "mapping", NPY_FLOAT32, 2, 3, 3);
    if (!array)
        return false;
    const float *rows = PyArray_DATA(array);
    for (size_t i = 0; i < 3; i++, rows += 3) {
        const float axis = rows[0] < 0 ? -rows[0] : rows[0];
        if (!(axis == 1.0f || axis == 2.0f || axis == 3.0f)) {
            PyErr_SetString(PyExc_ValueError, "mapping has axes from -3 to 3 without 0");
            return false;
        }
        texture->axis[i] = (size_t)axis - 1;
        texture->sign[i] = rows[0] < 0 ? -1.0f : 1.0f;
        texture->low[i] = rows[1];
        texture->high[i] = rows[2];
    }
    return true;
}

/* On success self->texture points into the arrays. */
static bool parseTexture(WriterObject *self, const arguments *given) {
    tv_texture *texture = &self->texture;
    if (!layoutOf(given->layout, &texture->layout))
        return false;
    PyArrayObject *frames = arrayOf(given->frames, "frames", NPY_INT32, 1, kAny, kAny);
    if (!frames || !parseSampleTable(texture, given) || !parseTexel(texture, given) ||
        !parseMapping(texture, given->mapping))
        return false;
    if (given->rest != Py_None) {
        PyArrayObject *rest =
            arrayOf(given->rest, "rest", NPY_FLOAT32, 2, 3, (npy_intp)texture->slots);
        if (!rest)
            return false;
        texture->rest = PyArray_DATA(rest);
    }
    texture->track = self->track->track;
    texture->frames = PyArray_DATA(frames);
    texture->frame_count = countOf(frames);
    return true;
}

/* The writer that took frames before, and the samples' numbers there; both or neither. */
static bool parseEarlier(PyObject *type, const arguments *given, size_t samples,
                         tv_writer_options *options) {
    if (given->earlier == Py_None && given->earlier_sample == Py_None)
        return true;
    int is_writer = PyObject_IsInstance(given->earlier, type);
    if (is_writer < 1) {
        if (!is_writer)
            PyErr_SetString(PyExc_TypeError, "earlier must be a TextureWriter");
        return false;
    }
    PyArrayObject *array =
        arrayOf(given->earlier_sample, "earlier_sample", NPY_INT32, 1, (npy_intp)samples, kAny);
    if (!array)
        return false;
    options->earlier = ((WriterObject *)given->earlier)->writer;
    options->earlier_sample = PyArray_DATA(array);
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

static bool parseArguments(PyObject *args, PyObject *kwargs, arguments *given) {
    static char *names[] = {"track",   "path",   "layout",  "frames",         "part_start",
                            "point",   "face",   "corner",  "origin",         "slots",
                            "texel",   "half",   "pad",     "rest",           "mapping",
                            "threads", "direct", "earlier", "earlier_sample", NULL};
    const arguments defaults = {.rest = Py_None,
                                .mapping = Py_None,
                                .earlier = Py_None,
                                .earlier_sample = Py_None,
                                .slots = -1,
                                .texel = "bits",
                                .direct = 1};
    *given = defaults;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "OO|$OOOOOOOnsppOOnpOO:TextureWriter", names, &given->track, &given->path,
            &given->layout, &given->frames, &given->part_start, &given->point, &given->face,
            &given->corner, &given->origin, &given->slots, &given->texel, &given->half, &given->pad,
            &given->rest, &given->mapping, &given->threads, &given->direct, &given->earlier,
            &given->earlier_sample))
        return false;
    PyObject *const needed[] = {given->layout, given->frames, given->part_start, given->point,
                                given->face,   given->corner, given->origin};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!needed[i]) {
            PyErr_Format(PyExc_TypeError, "%s must be given", names[2 + i]);
            return false;
        }
    if (given->threads < 0) {
        PyErr_SetString(PyExc_ValueError, "threads must not be negative");
        return false;
    }
    return true;
}

static PyObject *writerNew(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    arguments given;
    PyObject *module = PyType_GetModule(type);
    if (!module || !parseArguments(args, kwargs, &given))
        return NULL;
    int is_track = PyObject_IsInstance(given.track, moduleState(module)->track_type);
    if (is_track < 1) {
        if (is_track == 0)
            PyErr_SetString(PyExc_TypeError, "track must be a Track");
        return NULL;
    }
    if (!trackSettled((TrackObject *)given.track))
        return NULL;

    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    WriterObject *self = (WriterObject *)alloc(type, 0);
    if (!self)
        return NULL;
    self->error = moduleState(module)->error;
    self->path = given.path;
    self->track = (TrackObject *)given.track;
    Py_INCREF(self->error);
    Py_INCREF(self->path);
    self->kept =
        PyTuple_Pack(10, given.track, given.frames, given.part_start, given.point, given.face,
                     given.corner, given.origin, given.rest, given.earlier, given.earlier_sample);
    tv_writer_options options = {.threads = (size_t)given.threads, .direct = given.direct};
    if (!self->kept || !parseTexture(self, &given) ||
        !parseEarlier((PyObject *)type, &given, self->texture.slots, &options) ||
        !openWriter(self, options)) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static PyObject *writerSetHeader(WriterObject *self, PyObject *args) {
    PyObject *object;
    if (!PyArg_ParseTuple(args, "O:set_header", &object))
        return NULL;
    PyArrayObject *texels = arrayOf(object, "texels", NPY_FLOAT32, 2, kAny, 4);
    if (!texels || !enter(&self->busy))
        return NULL;
    tv_writer_set_header(self->writer, PyArray_DATA(texels), countOf(texels));
    self->busy = false;
    PyObject *old = self->header;
    Py_INCREF(object);
    self->header = object;
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

static PyObject *writerError(WriterObject *self, void *unused) {
    (void)unused;
    if (!trackSettled(self->track) || !enter(&self->busy))
        return NULL;
    const double error = tv_writer_error(self->writer);
    self->busy = false;
    return PyFloat_FromDouble(error);
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
    if (!trackSettled(self->track) || !enter(&self->busy))
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
    {"set_header", (PyCFunction)writerSetHeader, METH_VARARGS, "set_header(texels, /)"},
    {"divert", (PyCFunction)writerDivert, METH_VARARGS, "divert(any_domain, /)"},
    {"write", (PyCFunction)writerWrite, METH_VARARGS, "write(rows, /)"},
    {"close", (PyCFunction)writerClose, METH_NOARGS, "close()"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef writerProperties[] = {
    {"error", (getter)writerError, NULL,
     "The farthest that rounding to halves has moved a point so far, in metres.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot writerSlots[] = {
    {Py_tp_new, (void *)writerNew},
    {Py_tp_dealloc, (void *)writerDealloc},
    {Py_tp_methods, writerMethods},
    {Py_tp_getset, writerProperties},
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
