# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines that import settings are written for, one file each. A new one is added here."""

from __future__ import annotations

from .base import Engine, EngineBake
from .base import Texture as EngineTexture
from .godot import Godot
from .unity import Unity
from .web import Web

ENGINES: dict[str, Engine] = {engine.name: engine for engine in (Unity(), Godot(), Web())}

__all__ = ["ENGINES", "Engine", "EngineBake", "EngineTexture"]
