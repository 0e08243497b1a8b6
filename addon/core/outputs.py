# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that say what textures and meshes are: sidecar, a layout's own documents, and import
settings of engines."""

from __future__ import annotations

from pathlib import Path

from . import sidecar
from .engines import ENGINES, EngineBake, EngineTexture
from .files import Workplace
from .plan import Plan
from .profiles.base import Contents
from .settings import BakeSettings


def write_documents(
    workplace: Workplace,
    name: str,
    settings: BakeSettings,
    plan: Plan,
    index: int,
    contents: Contents,
    facts: sidecar.Facts,
    files: dict[str, Path],
    warnings: list[str],
) -> dict[str, Path]:
    """Of one of the plan's books, whose textures and meshes `files` are, by role; returns them and
    the new ones. `warnings` takes what the user has to know."""
    suffix = plan.books[index].suffix
    files = dict(files)
    for own_suffix, content in settings.layout.documents(contents).items():
        role = Path(own_suffix).stem.strip("-_")
        files[role] = workplace.path(name + suffix + own_suffix)
        sidecar.write(files[role], content)
    path = workplace.path(name + suffix + sidecar.SUFFIX)
    sidecar.write(path, sidecar.describe(settings, plan, index, facts, files))
    files["sidecar"] = path
    return files | _import_settings(workplace, settings, plan, index, files, warnings)


def _import_settings(
    workplace: Workplace,
    settings: BakeSettings,
    plan: Plan,
    index: int,
    files: dict[str, Path],
    warnings: list[str],
) -> dict[str, Path]:
    """What engines refer to stays: a file that is there already is not touched."""
    layout, written = plan.books[index].layout, {}
    names = {path.suffix: path.name for role, path in files.items() if role.startswith("mesh")}
    for key in settings.engines:
        engine = ENGINES[key]
        bake = EngineBake(
            name=files["sidecar"].name.removesuffix(sidecar.SUFFIX),
            profile=settings.profile,
            bake_id=plan.bake_id,
            textures=[
                EngineTexture(files[role].name, layout.width, layout.height, plan.pixel)
                for role in ("texture", "normals")
                if role in files
            ],
            mesh=names.get(f".{engine.mesh}"),
            sidecar=files["sidecar"].name,
        )
        for name, text in engine.files(bake).items():
            existing = workplace.existing(name)
            if existing is not None and engine.outdated(existing, text):
                warnings.append(
                    f"{name} was kept, since {engine.label} refers to it, but is for another pixel "
                    "type than this bake; set the texture's format there, or delete the file and "
                    "bake again"
                )
            if existing is None and not workplace.path(name).exists():
                written[name] = workplace.path(name)
                written[name].write_text(text, "utf-8", newline="\n")
    return written
