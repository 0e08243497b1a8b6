# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which playback meshes a bake has: one of all objects, one for each, or a soup of triangles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .mesh import Floats, Ints, MeshSnapshot, PlaybackMesh
from .plan import Plan, union
from .playback import playback_mesh, soup_mesh, triangle_mesh, uv_names
from .settings import BakeSettings

TRIANGLE_OBJECT = "TriangleObject"


class PlaybackObject(NamedTuple):
    """Object name, mesh, and world position of its origin in metres."""

    name: str
    mesh: PlaybackMesh
    origin: tuple[float, float, float]


def object_names(settings: BakeSettings, name: str, groups: Sequence[str]) -> list[str]:
    """Of the playback objects of a bake of this name; `groups` are the sources' names."""
    if _has_triangle_object(settings):
        return [TRIANGLE_OBJECT]
    if settings.join or _is_soup(settings):
        return [f"{name}_VAT"]
    return [f"{group}_VAT" for group in groups]


def check_uv_maps(
    settings: BakeSettings, groups: Sequence[str], snapshots: Sequence[MeshSnapshot]
) -> None:
    """Is there room for the addresses? BakeError names the object where not."""
    if _has_triangle_object(settings):
        return
    for group, source in enumerate(groups):
        mine = [part for part in snapshots if part.group == group]
        uv_names(source, mine, settings.layout.address_map)
    if settings.join and snapshots:
        uv_names(", ".join(groups), snapshots, settings.layout.address_map)


def playback_objects(
    settings: BakeSettings,
    plan: Plan,
    snapshots: Sequence[MeshSnapshot],
    name: str,
    groups: Sequence[str],
    *,
    for_file: bool,
) -> list[PlaybackObject]:
    """For a mesh file they are triangulated, and widened to the bounds."""
    names = object_names(settings, name, groups)
    every = np.arange(plan.slots, dtype=np.int32)
    if _has_triangle_object(settings):
        mesh = triangle_mesh(snapshots, _address(settings, plan, every))
        return [PlaybackObject(names[0], mesh, (0.0, 0.0, 0.0))]
    if _is_soup(settings):
        mesh = soup_mesh(
            names[0],
            snapshots,
            _address(settings, plan, every),
            plan.origins[0],
            address_map=settings.layout.address_map,
            widen=_widen(settings, plan, slice(None), for_file),
        )
        return [_placed(names[0], mesh, plan.origins[0])]
    return list(_by_corner(settings, plan, snapshots, names, groups, for_file))


def _by_corner(
    settings: BakeSettings,
    plan: Plan,
    snapshots: Sequence[MeshSnapshot],
    names: Sequence[str],
    groups: Sequence[str],
    for_file: bool,
) -> Iterator[PlaybackObject]:
    every = list(range(len(groups)))
    for which, name in zip([every] if settings.join else [[g] for g in every], names, strict=True):
        mine = [i for i, part in enumerate(snapshots) if part.group in which]
        if not mine:
            continue  # a metaball that another one of its family shows
        slots = np.concatenate([plan.address[i] for i in mine])
        first_slot = np.zeros(1, np.int32)
        origin = plan.origins[which[0]]
        mesh = playback_mesh(
            name,
            [snapshots[i] for i in mine],
            _address(settings, plan, slots),
            origin,
            address_map=settings.layout.address_map,
            triangulate=for_file,
            widen=_widen(settings, plan, which, for_file),
            slot0_uv=tuple(_address(settings, plan, first_slot)[0]),
            source=", ".join(groups[group] for group in which),
        )
        yield _placed(name, mesh, origin)


def _address(settings: BakeSettings, plan: Plan, slots: Ints) -> Floats:
    return settings.layout.address(slots, plan.layout, len(plan.books[0].stored))


def _widen(
    settings: BakeSettings, plan: Plan, which: slice | list[int], for_file: bool
) -> Floats | None:
    """(2, 3) world bounds of these groups, for a mesh that is to be widened."""
    if not (for_file and settings.bounds and settings.layout.widens):
        return None
    boxes = plan.bounds[which]
    boxes = boxes[np.isfinite(boxes).all(axis=(1, 2))]
    return union(boxes, 0) if len(boxes) else None


def _placed(name: str, mesh: PlaybackMesh, origin: Floats) -> PlaybackObject:
    return PlaybackObject(name, mesh, tuple(map(float, origin)))


def _has_triangle_object(settings: BakeSettings) -> bool:
    return settings.address == "vertex-id" and settings.layout.triangle_object


def _is_soup(settings: BakeSettings) -> bool:
    return settings.by_triangle and not settings.layout.triangle_object
