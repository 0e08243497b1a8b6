# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Playback meshes against an oracle that goes corner by corner."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from truevat.core.errors import BakeError
from truevat.core.mesh import Color, MeshSnapshot, Topology, mesh_content_hash
from truevat.core.playback import playback_mesh, triangle_mesh, world_triangles

MIRROR = np.diag(np.float32([-1, 1, 1, 1]))
ORIGIN = np.float32([0.5, -2, 3])


def random_part(seed, *, mirrored=False, uvs=(), colors=(), materials=()):
    """A soup of polygons of 3 to 6 corners under a sheared matrix."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(3, 7, 9)
    start = np.int32(np.cumsum(sizes) - sizes)
    fans = [
        (first, first + i, first + i + 1)
        for first, size in zip(start, sizes, strict=True)
        for i in range(1, size - 1)
    ]
    corners, points = int(sizes.sum()), 20
    topology = Topology(
        points=points,
        corner_vert=rng.integers(0, points, corners, np.int32),
        face_start=start,
        triangles=np.int32(fans),
        triangle_face=np.repeat(np.arange(9, dtype=np.int32), sizes - 2),
    )
    matrix = np.eye(4, dtype=np.float32)
    matrix[:3] += rng.normal(0, 0.2, (3, 4))
    normals = rng.normal(0, 1, (corners, 3))
    return MeshSnapshot(
        group=0,
        topology=topology,
        points=np.float32(rng.normal(0, 1, (points, 3))),
        normals=np.float32(normals / np.linalg.norm(normals, axis=1, keepdims=True)),
        matrix=matrix @ MIRROR if mirrored else matrix,
        material_index=rng.integers(0, max(1, len(materials)), 9, np.int32),
        materials=materials,
        uv_maps={name: np.float32(rng.random((corners, 2))) for name in uvs},
        active_uv=uvs[0] if uvs else None,
        colors={
            name: Color(
                domain,
                kind,
                np.float32(rng.random((points if domain == "POINT" else corners, 4))),
            )
            for name, domain, kind in colors
        },
    )


def addresses(parts):
    corners = sum(part.topology.corners for part in parts)
    return np.float32(np.stack([np.arange(corners), -np.arange(corners)], 1))


def linear(color, kind):
    if color.kind == kind:
        return color.values
    rgb = [
        [c / 12.92 if c < 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgba[:3]]
        for rgba in color.values.tolist()
    ]
    return np.column_stack([rgb, color.values[:, 3]])


def expected_faces(parts, address, uvs, colors, triangulate):
    """Per face: its material, and per corner the position, normal, address, UVs and colours."""
    faces, offset = [], 0
    for part in parts:
        topology, matrix = part.topology, part.matrix.astype(np.float64)
        inverse_transpose = np.linalg.inv(matrix[:3, :3]).T
        ends = [*topology.face_start[1:], topology.corners]
        polygons = [
            (face, list(range(a, b)))
            for face, (a, b) in enumerate(zip(topology.face_start, ends, strict=True))
        ]
        if triangulate:
            polygons = [
                (int(face), [int(c) for c in triangle])
                for face, triangle in zip(topology.triangle_face, topology.triangles, strict=True)
            ]
        for face, corners in polygons:
            if np.linalg.det(matrix[:3, :3]) < 0:
                corners = [corners[0], *reversed(corners[1:])]
            slots = part.materials
            material = slots[part.material_index[face]] if slots else None
            rows = []
            for corner in corners:
                vert = topology.corner_vert[corner]
                normal = inverse_transpose @ part.normals[corner]
                row = [
                    *(matrix @ [*part.points[vert], 1])[:3] - ORIGIN,
                    *normal / np.linalg.norm(normal),
                    *address[offset + corner],
                ]
                for uv in uvs:
                    row += [*part.uv_maps[uv][corner]] if uv in part.uv_maps else [0, 0]
                for name, kind in colors:
                    color = part.colors.get(name)
                    element = vert if color is not None and color.domain == "POINT" else corner
                    row += [0] * 4 if color is None else [*linear(color, kind)[element]]
                rows.append(row)
            faces.append((material, rows))
        offset += topology.corners
    return faces


def actual_faces(mesh, uvs, colors):
    faces = []
    ends = [*mesh.face_start[1:], len(mesh.corner_vert)]
    for face, (a, b) in enumerate(zip(mesh.face_start, ends, strict=True)):
        slots = mesh.materials
        rows = []
        for corner in range(a, b):
            vert = mesh.corner_vert[corner]
            row = [
                *mesh.points[vert],
                *mesh.normals[corner],
                *mesh.uv_maps["VertexUV"][corner],
            ]
            for uv in uvs:
                row += [*mesh.uv_maps[uv][corner]]
            for name, _ in colors:
                color = mesh.colors[name]
                row += [*color.values[vert if color.domain == "POINT" else corner]]
            rows.append(row)
        faces.append((slots[mesh.material_index[face]] if slots else None, rows))
    return faces


def assert_same_faces(actual, expected):
    assert [material for material, _ in actual] == [material for material, _ in expected]
    assert [len(rows) for _, rows in actual] == [len(rows) for _, rows in expected]
    for (_, a), (_, b) in zip(actual, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("triangulate", [False, True])
@pytest.mark.parametrize("mirrored", [(False, False), (True, False), (True, True)])
def test_joined_instances_equal_the_oracle(mirrored, triangulate):
    parts = [
        random_part(
            1,
            mirrored=mirrored[0],
            uvs=("A", "B"),
            colors=[("Both", "POINT", "BYTE_COLOR"), ("One", "POINT", "FLOAT_COLOR")],
            materials=("Red", None, "Blue"),
        ),
        random_part(
            2,
            mirrored=mirrored[1],
            uvs=("C", "A"),
            colors=[("Both", "CORNER", "FLOAT_COLOR"), ("Bytes", "CORNER", "BYTE_COLOR")],
            materials=("Blue", "Green"),
        ),
        random_part(3),
    ]
    address = addresses(parts)
    uvs = ["A", "B", "C"]
    colors = [("Both", "FLOAT_COLOR"), ("One", "FLOAT_COLOR"), ("Bytes", "BYTE_COLOR")]

    mesh = playback_mesh("Foo", parts, address, ORIGIN, triangulate=triangulate)

    assert list(mesh.uv_maps) == ["A", "VertexUV", "B", "C"]
    assert mesh.active_uv == "A"
    assert mesh.materials == ("Red", None, "Blue", "Green")
    kinds = {name: (color.domain, color.kind) for name, color in mesh.colors.items()}
    assert kinds == {
        "Both": ("CORNER", "FLOAT_COLOR"),
        "One": ("POINT", "FLOAT_COLOR"),
        "Bytes": ("CORNER", "BYTE_COLOR"),
    }
    arrays = [mesh.points, mesh.normals, *mesh.uv_maps.values()]
    assert {a.dtype for a in arrays} == {np.dtype("f4")}
    indices = [mesh.corner_vert, mesh.face_start, mesh.material_index]
    assert {a.dtype for a in indices} == {np.dtype("i4")}
    assert_same_faces(
        actual_faces(mesh, uvs, colors), expected_faces(parts, address, uvs, colors, triangulate)
    )


def test_the_first_corner_of_a_mirrored_face_stays_the_first():
    part = random_part(4, mirrored=True)
    mesh = playback_mesh("Foo", [part], addresses([part]), ORIGIN)
    first, size = part.topology.face_start[1], np.diff(part.topology.face_start)[1]
    corners = mesh.uv_maps["VertexUV"][first : first + size, 0]
    assert corners.tolist() == [first, *range(first + size - 1, first, -1)]


def test_points_lose_the_origin_in_float32():
    part = replace(random_part(5), matrix=np.eye(4, dtype=np.float32))
    mesh = playback_mesh("Foo", [part], addresses([part]), ORIGIN)
    assert np.array_equal(mesh.points, part.points - ORIGIN)


@pytest.mark.parametrize(
    ("uvs", "final"),
    [
        ((), ["UVMap", "VertexUV"]),
        (("A",), ["A", "VertexUV"]),
        (("A", "B"), ["A", "VertexUV", "B"]),
        (("B", "A", "C"), ["B", "VertexUV", "A", "C"]),
        (tuple("ABCDEFG"), ["A", "VertexUV", *"BCDEFG"]),
    ],
)
def test_the_addresses_are_the_second_uv_map(uvs, final):
    part = random_part(6, uvs=uvs)
    mesh = playback_mesh("Foo", [part], addresses([part]), ORIGIN)
    assert list(mesh.uv_maps) == final
    assert mesh.active_uv == final[0]
    if not uvs:
        assert not mesh.uv_maps["UVMap"].any()


def test_the_empty_uv_map_makes_way_for_a_colour_of_its_name():
    part = random_part(6, colors=[("UVMap", "POINT", "BYTE_COLOR")])
    mesh = playback_mesh("Foo", [part], addresses([part]), ORIGIN)
    assert list(mesh.uv_maps) == ["UVMap.001", "VertexUV"]


def test_eight_uv_maps_are_one_too_many():
    part = replace(random_part(7, uvs=tuple("ABCDEFGH")), active_uv="H")
    with pytest.raises(BakeError, match=r"'Source' has 8 UV maps.* 7 at most\. Remove 'G'$"):
        playback_mesh("Foo_VAT", [part], addresses([part]), ORIGIN, source="Source")


def test_uv_maps_are_counted_over_all_parts():
    parts = [random_part(8, uvs=tuple("ABCDE")), random_part(9, uvs=tuple("FGHIJ"))]
    with pytest.raises(BakeError, match="'Foo' has 10 UV maps.*Remove 'H', 'I', 'J'$"):
        playback_mesh("Foo", parts, addresses(parts), ORIGIN)


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"uvs": ("VertexUV",)}, "'Foo' has a UV map called 'VertexUV'.*rename it"),
        (
            {"colors": [("VertexUV", "POINT", "BYTE_COLOR")]},
            "'Foo' has a colour attribute called 'VertexUV'.*rename it",
        ),
    ],
)
def test_a_taken_name_is_refused(attributes, message):
    part = random_part(10, **attributes)
    with pytest.raises(BakeError, match=message):
        playback_mesh("Foo", [part], addresses([part]), ORIGIN)


def test_one_name_for_a_uv_map_and_a_colour_is_refused():
    parts = [random_part(11, uvs=("X",)), random_part(12, colors=[("X", "POINT", "BYTE_COLOR")])]
    with pytest.raises(BakeError, match="'Foo'.*'X'.*rename"):
        playback_mesh("Foo", parts, addresses(parts), ORIGIN)


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ((-3, -4, -5), (3, 4, 5)),
        ((-3, -4, 2), (3, 4, 2)),  # flat
        ((1e6, -1e6, 0), (1e6 + 0.0625, 1e6, 1)),  # the size is below float32's steps
        ((0, 0, -1e-6), (1, 1e-7, 1e-6)),  # thinner than the size
    ],
)
def test_widening_reaches_the_bounds_and_stays_inside(low, high):
    part = random_part(13, uvs=("A",), colors=[("Col", "POINT", "BYTE_COLOR")], materials=("Red",))
    part = replace(part, points=np.zeros_like(part.points), matrix=np.eye(4, dtype=np.float32))
    bounds = np.float32([low, high])
    plain = playback_mesh("Foo", [part], addresses([part]), (0, 0, 0))
    mesh = playback_mesh(
        "Foo", [part], addresses([part]), (0, 0, 0), widen=bounds, slot0_uv=(0.25, 0.75)
    )
    added = mesh.points[-6:]
    assert np.array_equal(added.min(0), bounds[0])
    assert np.array_equal(added.max(0), bounds[1])
    size = 1e-4 * (bounds[1] - bounds[0]).max()
    for triangle in added.reshape(2, 3, 3).astype(np.float64):
        edges = triangle[1:] - triangle[0]
        assert np.linalg.norm(np.cross(*edges)) > 0
        assert np.all(np.abs(edges) <= np.maximum(size * 1.001, np.spacing(np.abs(bounds).max())))
    assert np.array_equal(mesh.points[:-6], plain.points)
    assert mesh.corner_vert[-6:].tolist() == [len(plain.points) + i for i in range(6)]
    assert mesh.face_start[-2:].tolist() == [len(plain.corner_vert) + i for i in (0, 3)]
    assert np.array_equal(mesh.uv_maps["VertexUV"][-6:], np.tile(np.float32([0.25, 0.75]), (6, 1)))
    assert not mesh.uv_maps["A"][-6:].any()
    assert mesh.normals[-6:].tolist() == [[0, 0, 1]] * 6
    assert mesh.material_index[-2:].tolist() == [0, 0]
    assert len(mesh.colors["Col"].values) == len(mesh.points)


@pytest.mark.parametrize("extent", [(0, 0, 0), (2, 0, 0), (0, 0, 2)])
def test_widening_without_area_still_makes_triangles(extent):
    part = random_part(14)
    low = ORIGIN + np.float32(1)
    bounds = np.stack([low, low + np.float32(extent)])
    mesh = playback_mesh(
        "Foo", [part], addresses([part]), ORIGIN, widen=bounds, slot0_uv=(0.5, 0.5)
    )
    added = mesh.points[-6:].astype(np.float64)
    assert np.array_equal(added[[0, 3]], bounds - ORIGIN)
    for a, b, c in added.reshape(2, 3, 3):
        assert np.linalg.norm(np.cross(b - a, c - a)) > 0
    excess = np.maximum(added - (bounds[1] - ORIGIN), (bounds[0] - ORIGIN) - added).max()
    assert excess <= 1.2e-4 * (max(extent) or 0.01)


def test_triangle_mesh():
    parts = [
        random_part(15, mirrored=True, uvs=("A", "B"), materials=("Red", "Blue")),
        random_part(16, materials=("Blue",)),
        random_part(17, uvs=("C",), materials=("Green",)),
    ]
    parts[0] = replace(parts[0], active_uv="B")
    first = sum(len(part.topology.triangles) for part in parts)
    count = first + 7
    address = np.float32(np.random.default_rng(0).random((3 * count, 2)))

    mesh = triangle_mesh(parts, address)

    assert mesh.name == "TriangleMesh"
    vertices = [
        v for p in range(count) for v in ((1, 0, p / 1000), (-1, 0, p / 1000), (0, 1, p / 1000))
    ]
    assert np.array_equal(mesh.points, np.float32(vertices))
    assert mesh.corner_vert.tolist() == list(range(3 * count))
    assert mesh.face_start.tolist() == list(range(0, 3 * count, 3))
    assert list(mesh.uv_maps) == ["UVMap", "VertexUV"]
    assert np.array_equal(mesh.uv_maps["VertexUV"], address)

    uv, materials = [], []
    for part, name in zip(parts, ("B", None, "C"), strict=True):
        for face, (a, b, c) in zip(
            part.topology.triangle_face, part.topology.triangles, strict=True
        ):
            corners = (a, c, b) if part is parts[0] else (a, b, c)
            uv += [part.uv_maps[name][i] if name else (0, 0) for i in corners]
            materials.append(part.materials[part.material_index[face]])
    assert np.array_equal(mesh.uv_maps["UVMap"][: 3 * first], np.float32(uv))
    assert not mesh.uv_maps["UVMap"][3 * first :].any()
    assert [mesh.materials[i] for i in mesh.material_index[:first]] == materials
    assert not mesh.material_index[first:].any()


def test_world_triangles_face_outwards_under_a_mirror():
    plain, mirrored = random_part(18), random_part(18, mirrored=True)
    assert np.array_equal(world_triangles(plain), plain.topology.triangles)
    for (a, b, c), triangle in zip(
        plain.topology.triangles, world_triangles(mirrored), strict=True
    ):
        assert triangle.tolist() == [a, c, b]


def test_the_content_hash_sees_each_position_uv_and_index():
    part = random_part(19, uvs=("A",))
    mesh = playback_mesh("Foo", [part], addresses([part]), ORIGIN)
    changed = {
        "points": np.roll(mesh.points, 1, 0),
        "corner_vert": np.roll(mesh.corner_vert, 1),
        "face_start": mesh.face_start[:-1],
        "uv_maps": {name: mesh.uv_maps[name] for name in ("VertexUV", "A")},
    }
    hashes = [mesh_content_hash([replace(mesh, **{k: v})]) for k, v in changed.items()]
    hashes += [mesh_content_hash([mesh]), mesh_content_hash([mesh, mesh]), mesh_content_hash([])]
    assert len(set(hashes)) == len(hashes)
    again = playback_mesh("Bar", [part], addresses([part]), ORIGIN)
    assert mesh_content_hash([again]) == mesh_content_hash([mesh])


def test_the_content_hash_is_the_documented_one():
    import hashlib
    import struct

    part = random_part(20)
    mesh = playback_mesh("Foo", [part], addresses([part]), ORIGIN)
    corners = len(mesh.corner_vert)
    expected = hashlib.sha256(struct.pack("<4Q", 20, corners, 9, 2))
    expected.update(struct.pack("<60f", *mesh.points.ravel()))
    for name in ("UVMap", "VertexUV"):
        expected.update(struct.pack(f"<{2 * corners}f", *mesh.uv_maps[name].ravel()))
    expected.update(struct.pack(f"<{corners}i", *mesh.corner_vert))
    expected.update(struct.pack("<9i", *mesh.face_start))
    assert mesh_content_hash([mesh]) == expected.hexdigest()
