# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The web: a JavaScript module that loads the bake with kits/three, the package `truevat-three`.

A browser needs no import settings. But bundlers ship only files that code names, each as
`new URL("…", import.meta.url)`, and rename them: so the module names all three.
"""

from __future__ import annotations

import json
from pathlib import PurePath

from .base import Engine, EngineBake


class Web(Engine):
    name = "web"
    mesh = "glb"
    label = "Web (three.js)"
    description = "A module for three.js beside the bake, which bundlers understand"

    def files(self, bake: EngineBake) -> dict[str, str]:
        """<name>.truevat.js; nothing for what the package does not play."""
        if bake.profile != "truevat" or not bake.mesh:
            return {}
        if PurePath(bake.mesh).suffix.lower() != ".glb":
            return {}
        names = [bake.sidecar, bake.textures[0].file, bake.mesh]
        urls = "".join(f"  {_text(name)}: {_url(name)},\n" for name in names)
        return {
            f"{bake.name}.truevat.js": 'import { loadBake } from "truevat-three";\n\n'
            "/** Resolves to a bake: bake.createObject() goes into a scene. */\n"
            f"export default () => loadBake({{\n{urls}}});\n"
        }


def _text(name: str) -> str:
    return json.dumps(name)


def _url(name: str) -> str:
    # "./", or a colon would end a scheme. All else that has a meaning in an address is encoded.
    for letter in "%#?":
        name = name.replace(letter, f"%{ord(letter):02X}")
    return f"new URL({_text(f'./{name}')}, import.meta.url)"
