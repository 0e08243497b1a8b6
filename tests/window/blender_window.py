# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Blender on a virtual screen, with a hand on its mouse and keyboard."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WIDTH, HEIGHT = 1600, 900
SIDEBAR = """
area = next(area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D")
region = next(region for region in area.regions if region.type == "UI")
"""


def wait_for(condition: Callable[[], Any], what: str, seconds: float = 30.0) -> Any:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds:g} s in vain for {what}")


class BlenderWindow:
    def __init__(self, scene: Path | None, folder: Path, shots: Path) -> None:
        self.shots = shots
        self.socket = folder / "driver.socket"
        self.log = folder / "blender.log"
        command = ["blender", "--gpu-backend", "opengl", "-p", "0", "0", str(WIDTH), str(HEIGHT)]
        command += [str(scene)] if scene else []
        command += ["--python", str(HERE / "driver.py"), "--", str(self.socket)]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        wait_for(lambda: self.alive() and self.socket.exists(), "Blender to start", 90)
        wait_for(lambda: self.see("answer = True"), "Blender to answer", 60)

    def alive(self) -> bool:
        if self.process.poll() is not None:
            raise AssertionError(f"Blender ended with {self.process.returncode}:\n{self.output()}")
        return True

    def output(self) -> str:
        return self.log.read_text("utf-8", "replace")

    def close(self) -> None:
        """A Python error that nobody saw fails the test, too."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert "Traceback" not in self.output(), self.output()

    def see(self, source: str) -> Any:
        """Runs Python inside Blender, between two events; returns what it leaves in `answer`."""
        self.alive()
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(60)
            client.connect(str(self.socket))
            with client.makefile("rw", encoding="utf-8") as stream:
                print(json.dumps(source), file=stream, flush=True)
                reply = json.loads(stream.readline())
        assert "error" not in reply, reply["error"]
        return reply["answer"]

    def value(self, expression: str) -> Any:
        return self.see(f"answer = {expression}")

    def move(self, x: int, y: int) -> None:
        """Positions are Blender's own: from the bottom left corner of the window."""
        # Two steps, since Blender looks for a button when the mouse moves.
        _xdotool("mousemove", x - 3, HEIGHT - y, "mousemove", x, HEIGHT - y)
        time.sleep(0.08)

    def click(self, x: int, y: int) -> None:
        self.move(x, y)
        _xdotool("click", 1)

    def key(self, *names: str) -> None:
        _xdotool("key", *names)

    def settle(self) -> None:
        """Until the window shows what Blender knows: some turns of its main loop, which draws."""
        time.sleep(0.5)
        for _ in range(4):
            self.see("")
            time.sleep(0.1)

    def shot(self, name: str) -> None:
        self.shots.mkdir(parents=True, exist_ok=True)
        path = self.shots / f"{name}.png"
        subprocess.run(["import", "-silent", "-window", "root", str(path)], check=True)

    def sidebar(self) -> tuple[int, int, int, int]:
        """x, y, width and height of the 3D view's sidebar."""
        return tuple(self.see(SIDEBAR + "answer = region.x, region.y, region.width, region.height"))

    def open_tab(self, category: str) -> None:
        """Opens the sidebar with N, and clicks down the tabs until this one is in front."""
        area = self.see(SIDEBAR + "answer = area.x, area.y, area.width, area.height")
        if not self.see(SIDEBAR + "answer = area.spaces.active.show_region_ui"):
            self.move(area[0] + area[2] // 3, area[1] + area[3] // 2)
            self.key("n")
        wait_for(lambda: self.sidebar()[2] > 100, "the sidebar")
        x, y, width, height = self.sidebar()
        for down in range(30, height, 25):
            if self.see(SIDEBAR + "answer = region.active_panel_category") == category:
                return
            self.click(x + width - 8, y + height - down)
            time.sleep(0.15)
        raise AssertionError(f"there is no tab '{category}'")

    def find_button(self, operator: str) -> tuple[int, int]:
        """Where the sidebar has the button of this operator: Ctrl-C over it copies its name."""
        x, y, width, height = self.sidebar()
        self.see("bpy.context.window_manager.clipboard = ''")
        for down in range(20, height, 18):
            self.move(x + width // 2 - 10, y + height - down)
            self.key("ctrl+c")
            time.sleep(0.05)
            if self.value("bpy.context.window_manager.clipboard").startswith(operator):
                return x + width // 2 - 10, y + height - down - 4
        self.shot("no-button")
        raise AssertionError(f"the sidebar has no button for {operator}")


def _xdotool(*arguments: object) -> None:
    subprocess.run(["xdotool", *map(str, arguments)], check=True)
