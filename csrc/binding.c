/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors and arguments, as all of the binding raises and takes them.
 */
#include "binding.h"

#include <errno.h>
#include <string.h>

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

PyObject *raiseError(PyObject *type, tv_error error, PyObject *path) {
    switch (error.result) {
    case TV_OUT_OF_MEMORY:
        return PyErr_NoMemory();
    case TV_IO:
    case TV_SINK_IO:
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

PyObject *raiseResult(PyObject *type, tv_result result, int system, PyObject *path) {
    tv_error error = {result, system, 0, 0, 0};
    return raiseError(type, error, path);
}

/* ---------------------------------------------------------------------------------------------
 * Arguments
 */

PyArrayObject *arrayOf(PyObject *object, const char *name, int type, int dimensions, npy_intp rows,
                       npy_intp columns) {
    static const char *const kTypes[] = {"float32", "int32",  "int64",  "uint32",
                                         "uint64",  "uint16", "float16"};
    const char *wanted = type == NPY_FLOAT32  ? kTypes[0]
                         : type == NPY_INT32  ? kTypes[1]
                         : type == NPY_INT64  ? kTypes[2]
                         : type == NPY_UINT32 ? kTypes[3]
                         : type == NPY_UINT64 ? kTypes[4]
                         : type == NPY_UINT16 ? kTypes[5]
                                              : kTypes[6];
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

PyObject *newArray(int type, int dimensions, npy_intp first, npy_intp second) {
    npy_intp shape[2] = {first, second};
    return PyArray_SimpleNew(dimensions, shape, type);
}

void *dataOf(PyObject *array) {
    return PyArray_DATA((PyArrayObject *)array);
}

size_t countOf(PyArrayObject *array) {
    return (size_t)PyArray_DIM(array, 0);
}

PyObject *pathBytes(PyObject *path) {
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

static bool layoutIsSane(const tv_layout *layout) {
    const size_t most = (size_t)1 << 24;
    return layout->width >= 1 && layout->width <= 1 << 20 && layout->height >= 1 &&
           layout->height <= most && layout->rows_per_frame >= 1 &&
           layout->rows_per_frame <= layout->height && layout->header_rows <= layout->height &&
           layout->normal_row <= layout->height &&
           layout->normal_rows_per_frame <= layout->rows_per_frame;
}

bool layoutOf(PyObject *object, tv_layout *layout) {
    static const char kFormat[] = "nnn|nnnpp;layout must be (width, height, rows_per_frame, "
                                  "header_rows, normal_row, normal_rows_per_frame, by_block, "
                                  "from_top)";
    Py_ssize_t numbers[6] = {0, 0, 0, 1, 0, 0};
    int by_block = 0, from_top = 0;
    if (!PyTuple_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "layout must be (width, height, rows_per_frame, ...)");
        return false;
    }
    if (!PyArg_ParseTuple(object, kFormat, &numbers[0], &numbers[1], &numbers[2], &numbers[3],
                          &numbers[4], &numbers[5], &by_block, &from_top))
        return false;
    const tv_layout parsed = {
        (size_t)numbers[0], (size_t)numbers[1], (size_t)numbers[2], (size_t)numbers[3],
        (size_t)numbers[4], (size_t)numbers[5], by_block,           from_top};
    *layout = parsed;
    if (layoutIsSane(layout)) /* a negative number became a large one */
        return true;
    PyErr_SetString(PyExc_ValueError, "layout is out of range");
    return false;
}

bool normalCodeOf(const char *name, tv_normal_code *code) {
    static const char *const kNames[] = {"xyz8", "xyz8-guarded", "oct24", "oct32"};
    for (size_t i = 0; i < sizeof kNames / sizeof *kNames; i++)
        if (!strcmp(name, kNames[i])) {
            *code = (tv_normal_code)i;
            return true;
        }
    PyErr_SetString(PyExc_ValueError, "normals must be xyz8, xyz8-guarded, oct24 or oct32");
    return false;
}

bool enter(bool *busy) {
    if (*busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using this object");
        return false;
    }
    *busy = true;
    return true;
}
