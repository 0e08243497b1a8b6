/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors and arguments, as all of the binding raises and takes them.
 */
#include "binding.h"

#include <errno.h>

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

bool layoutOf(PyObject *object, tv_layout *layout) {
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

bool enter(bool *busy) {
    if (*busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using this object");
        return false;
    }
    *busy = true;
    return true;
}
