# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in a Blender with a window: `blender --python driver.py -- SOCKET`.

Answers questions about Blender's state, so that tests can look behind the window. The clicks and
keys themselves come from outside, through the X server.
"""

import contextlib
import json
import socket
import sys
import traceback

import bpy
from bl_ext.user_default.truevat.ui.operators import obstacle
from bl_ext.user_default.truevat.ui.state import state

PAUSE = 0.02
names = {"bpy": bpy, "state": state, "obstacle": obstacle}
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[-1])
server.listen()
server.setblocking(False)


def answer(source: str) -> dict:
    """Runs the lines of `source`; the value of `answer`, if they set it, is handed back."""
    names.pop("answer", None)
    try:
        window = bpy.context.window_manager.windows[0]
        with bpy.context.temp_override(window=window):
            exec(source, names)
    except Exception:
        return {"error": traceback.format_exc()}
    return {"answer": names.get("answer")}


def serve() -> float:
    with contextlib.suppress(BlockingIOError):
        connection, _ = server.accept()
        with connection, connection.makefile("rw", encoding="utf-8") as stream:
            connection.settimeout(5)
            print(json.dumps(answer(json.loads(stream.readline()))), file=stream, flush=True)
    return PAUSE


bpy.app.timers.register(serve, persistent=True)
