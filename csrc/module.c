/* SPDX-FileCopyrightText: 2026 TrueVAT Authors
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Python module: parse, check, release the GIL, call the core, answer.
 */
#define TRUEVAT_IMPORTS_NUMPY
#include "binding.h"

module_state *moduleState(PyObject *module) {
    return PyModule_GetState(module);
}

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
    module_state *state = moduleState(module);
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
    module_state *state = moduleState(module);
    if (state) {
        Py_VISIT(state->error);
        Py_VISIT(state->track_type);
    }
    return 0;
}

static int moduleClear(PyObject *module) {
    module_state *state = moduleState(module);
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
    .m_methods = moduleFunctions,
    .m_slots = moduleSlots,
    .m_traverse = moduleTraverse,
    .m_clear = moduleClear,
};

PyMODINIT_FUNC PyInit_truevat_native(void);
PyMODINIT_FUNC PyInit_truevat_native(void) {
    return PyModuleDef_Init(&definition);
}
