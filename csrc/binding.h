/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the Python binding share. Types and docstrings of what they offer are in
 * truevat_native.pyi.
 */
#ifndef TRUEVAT_BINDING_H
#define TRUEVAT_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_23_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL truevat_array_api
#ifndef TRUEVAT_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include "truevat.h"

typedef struct {
    PyObject *error;
    PyObject *track_type;
} module_state;

module_state *moduleState(PyObject *module);

typedef struct {
    PyObject_HEAD tv_track *track;
    PyObject *error;
    PyObject *in_use[TV_IN_FLIGHT]; /* parts that the worker may still read */
    PyObject *sink_path;            /* of the file that its sink writes, or NULL */
    size_t appended;
    bool busy, settled, finished;
} TrackObject;

/* Sets an exception unless all frames so far are stored and nobody is adding any. */
bool trackSettled(const TrackObject *self);

extern PyType_Spec trackSpec, writerSpec;
extern PyMethodDef moduleFunctions[];

/* Marks an object as being used without the GIL; false, with an exception, if it is already. */
bool enter(bool *busy);

/* Always return NULL. `type` is module_state.error; path may be NULL. */
PyObject *raiseError(PyObject *type, tv_error error, PyObject *path);
PyObject *raiseResult(PyObject *type, tv_result result, int system, PyObject *path);

enum { kAny = -1 };

/* The array behind an argument if it is exactly what a kernel takes, NULL with an exception that
 * names it if not. The first and the last dimension must be as given. Borrowed. */
PyArrayObject *arrayOf(PyObject *object, const char *name, int type, int dimensions, npy_intp rows,
                       npy_intp columns);
PyObject *newArray(int type, int dimensions, npy_intp first, npy_intp second);
void *dataOf(PyObject *array);
size_t countOf(PyArrayObject *array);

/* A path as the core wants it: UTF-8 on Windows, the file system's bytes elsewhere. */
PyObject *pathBytes(PyObject *path);
bool layoutOf(PyObject *object, tv_layout *layout);

/* How words hold normals: xyz8, xyz8-guarded, oct24 or oct32. */
bool normalCodeOf(const char *name, tv_normal_code *code);

#endif
