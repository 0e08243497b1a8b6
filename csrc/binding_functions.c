/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of truevat_native.
 */
#include "binding.h"

#include "exr.h"

#include <stdlib.h>
#include <string.h>

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
    const char *name = "xyz8-guarded";
    tv_normal_code code;
    if (!PyArg_ParseTuple(args, "O|s:pack_normals", &object, &name) || !normalCodeOf(name, &code))
        return NULL;
    PyArrayObject *normals = arrayOf(object, "normals", NPY_FLOAT32, 2, kAny, 3);
    PyObject *words = normals ? newArray(NPY_UINT32, 1, PyArray_DIM(normals, 0), 0) : NULL;
    if (!words)
        return NULL;
    Py_BEGIN_ALLOW_THREADS tv_pack_normals(dataOf(words), PyArray_DATA(normals), countOf(normals),
                                           code);
    Py_END_ALLOW_THREADS return words;
}

static PyObject *unpackNormals(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *object;
    const char *name;
    tv_normal_code code;
    if (!PyArg_ParseTuple(args, "Os:unpack_normals", &object, &name) || !normalCodeOf(name, &code))
        return NULL;
    PyArrayObject *words = arrayOf(object, "words", NPY_UINT32, 1, kAny, kAny);
    PyObject *normals = words ? newArray(NPY_FLOAT32, 2, PyArray_DIM(words, 0), 3) : NULL;
    if (!normals)
        return NULL;
    Py_BEGIN_ALLOW_THREADS tv_unpack_normals(dataOf(normals), PyArray_DATA(words), countOf(words),
                                             code);
    Py_END_ALLOW_THREADS return normals;
}

static PyObject *toHalf(PyObject *module, PyObject *object) {
    (void)module;
    PyArrayObject *values = arrayOf(object, "values", NPY_FLOAT32, 1, kAny, kAny);
    PyObject *halves = values ? newArray(NPY_UINT16, 1, PyArray_DIM(values, 0), 0) : NULL;
    if (halves)
        tv_to_half(dataOf(halves), PyArray_DATA(values), countOf(values));
    return halves;
}

static PyObject *fromHalf(PyObject *module, PyObject *object) {
    (void)module;
    PyArrayObject *halves = arrayOf(object, "halves", NPY_UINT16, 1, kAny, kAny);
    PyObject *values = halves ? newArray(NPY_FLOAT32, 1, PyArray_DIM(halves, 0), 0) : NULL;
    if (values)
        tv_from_half(dataOf(values), PyArray_DATA(halves), countOf(halves));
    return values;
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
    Py_BEGIN_ALLOW_THREADS tv_hash_words(PyArray_DATA(sums), PyArray_DATA(words), vectors ? 3 : 1,
                                         countOf(sums), key);
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
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
        Py_END_ALLOW_THREADS if (result) raiseResult(moduleState(module)->error, result, 0, NULL);
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
        return raiseResult(moduleState(module)->error, result, 0, NULL);
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
    if (!uv)
        return NULL;
    Py_BEGIN_ALLOW_THREADS tv_layout_uv(dataOf(uv), PyArray_DATA(slots), countOf(slots), &layout);
    Py_END_ALLOW_THREADS return uv;
}

typedef struct {
    const char *rgba;
    size_t width, size; /* texels, bytes of a value */
} picture;

static tv_result pictureSource(void *context, size_t thread, size_t y, void *planes) {
    const picture *from = context;
    const char *row = from->rgba + y * from->width * 4 * from->size;
    (void)thread;
    for (size_t x = 0; x < from->width; x++)
        for (size_t c = 0; c < 4; c++) /* planes are A, B, G, R */
            memcpy((char *)planes + (c * from->width + x) * from->size,
                   row + (x * 4 + 3 - c) * from->size, from->size);
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
    const bool half = PyArray_Check(object) && PyArray_TYPE((PyArrayObject *)object) == NPY_FLOAT16;
    PyArrayObject *rgba = arrayOf(object, "rgba", half ? NPY_FLOAT16 : NPY_FLOAT32, 3, kAny, 4);
    PyObject *bytes = rgba ? pathBytes(path) : NULL;
    if (!bytes)
        return NULL;
    picture from = {PyArray_DATA(rgba), (size_t)PyArray_DIM(rgba, 1), half ? 2 : 4};
    tv_exr_options options = {
        .width = from.width,
        .height = countOf(rgba),
        .compression = zip ? TV_EXR_ZIP : TV_EXR_NONE,
        .half = half,
        .direct = direct,
        .threads = (size_t)threads,
    };
    const char *name = PyBytes_AsString(bytes);
    tv_result result;
    int system = 0;
    Py_BEGIN_ALLOW_THREADS result = writePicture(&from, name, &options, &system);
    Py_END_ALLOW_THREADS Py_DECREF(bytes);
    if (result)
        return raiseResult(moduleState(module)->error, result, system, path);
    Py_RETURN_NONE;
}

PyMethodDef moduleFunctions[] = {
    {"transform_points", transformPoints, METH_VARARGS, "transform_points(points, matrix, /)"},
    {"transform_normals", transformNormals, METH_VARARGS, "transform_normals(normals, matrix, /)"},
    {"pack_normals", packNormals, METH_VARARGS, "pack_normals(normals, code='xyz8-guarded', /)"},
    {"unpack_normals", unpackNormals, METH_VARARGS, "unpack_normals(words, code, /)"},
    {"to_half", toHalf, METH_O, "to_half(values, /)"},
    {"from_half", fromHalf, METH_O, "from_half(halves, /)"},
    {"hash_words", hashWords, METH_VARARGS, "hash_words(sums, words, key, /)"},
    {"assign_slots", assignSlots, METH_VARARGS, "assign_slots(keys, /)"},
    {"layout_power_of_two", layoutPowerOfTwo, METH_VARARGS,
     "layout_power_of_two(samples, frames, max_size, /)"},
    {"layout_uv", layoutUv, METH_VARARGS, "layout_uv(slots, layout, /)"},
    {"write_exr", (PyCFunction)(void (*)(void))writeExr, METH_VARARGS | METH_KEYWORDS,
     "write_exr(path, rgba, *, compression='none', direct=True, threads=0)"},
    {NULL, NULL, 0, NULL},
};
