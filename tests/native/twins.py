# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kernel of the C core once more, in plain NumPy: slow, short, the oracle of the tests."""

from __future__ import annotations

import numpy as np

POINT, FACE, CORNER = range(3)
GUARD = 0x40000000
EMPTY_BOUNDS = np.float32([[np.inf] * 3, [-np.inf] * 3])

# hash.c: the first digits of square roots, made odd.
A1, B1 = 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B
A2, B2 = 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1
A3, B3 = 0x510E527FADE682D1, 0x9B05688C2B3E6C1F
ALL = (1 << 64) - 1


def transform_points(points, matrix):
    """(world, index of the first point that is not finite): products in float32, summed in
    double over columns 0..3, rounded once."""
    with np.errstate(all="ignore"):
        total = np.zeros((len(points), 3), np.float64)
        for column in range(3):
            total += points[:, column : column + 1] * matrix[:3, column]
        world = (total + matrix[:3, 3].astype(np.float64)).astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(world).all(axis=1))
    return world, int(bad[0]) if len(bad) else len(points)


def normal_matrix(matrix):
    """The cofactors times the determinant's sign, scaled to a largest entry of 1."""
    m = matrix[:3, :3].astype(np.float64)
    cofactor = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            r1, r2, c1, c2 = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
            cofactor[i, j] = m[r1, c1] * m[r2, c2] - m[r1, c2] * m[r2, c1]
    largest = np.nanmax(np.abs(cofactor), initial=0.0)
    determinant = m[0, 0] * cofactor[0, 0] + m[0, 1] * cofactor[0, 1] + m[0, 2] * cofactor[0, 2]
    scale = (-1.0 if determinant < 0 else 1.0) / largest if largest > 0 else 0.0
    return (cofactor * scale).astype(np.float32)


def transform_normals(normals, matrix):
    """(world, how many had no direction), in float32 where that can be, else in double."""
    with np.errstate(all="ignore"):
        m = normal_matrix(matrix)
        x, y, z = (
            m[i, 0] * normals[:, 0] + m[i, 1] * normals[:, 1] + m[i, 2] * normals[:, 2]
            for i in range(3)
        )
        length = np.sqrt(x * x + y * y + z * z)
        usual = (length > np.float32(1e-15)) & (length < np.inf)
        scale = np.float32(1) / np.where(usual, length, np.float32(1))
        world = np.stack([x * scale, y * scale, z * scale], axis=1)

        m, rest = m.astype(np.float64), normals[~usual].astype(np.float64)
        exact = np.stack(
            [m[i, 0] * rest[:, 0] + m[i, 1] * rest[:, 1] + m[i, 2] * rest[:, 2] for i in range(3)],
            axis=1,
        )
        length = np.sqrt(exact[:, 0] ** 2 + exact[:, 1] ** 2 + exact[:, 2] ** 2)
        good = (length > 0) & (length < np.inf)
        exact = np.where(good[:, None], exact / length[:, None], [0.0, 0.0, 1.0])
        world[~usual] = exact.astype(np.float32)
    return world, int((~good).sum())


NORMAL_CODES = ["xyz8", "xyz8-guarded", "oct24", "oct32"]


def pack_octahedral(normals, bits):
    half, one = np.float32(2 ** (bits - 1) - 1), np.float32(1)
    x, y, z = normals.T
    with np.errstate(all="ignore"):
        scale = one / (np.abs(x) + np.abs(y) + np.abs(z))
        u, v = x * scale, y * scale
        folded = (
            (one - np.abs(v)) * np.where(u >= 0, one, -one),
            ((one - np.abs(u)) * np.where(v >= 0, one, -one)),
        )
        codes = []
        for plain, turned in zip((u, v), folded, strict=True):
            code = np.where(z < 0, turned, plain) * half + (half + np.float32(0.5))
            code = np.where(code > 0, code, np.float32(0))
            codes.append(np.where(code < 2 * half, code, 2 * half).astype(np.uint32))
    return codes[0] | codes[1] << np.uint32(bits)


def unpack_octahedral(words, bits):
    """In double, as docs/format.md says."""
    half = 2 ** (bits - 1) - 1
    x = (words & np.uint32(2**bits - 1)).astype(float) / half - 1
    y = (words >> np.uint32(bits)).astype(float) / half - 1
    z = 1 - np.abs(x) - np.abs(y)
    t = np.maximum(-z, 0)
    vectors = np.stack([x - np.where(x >= 0, t, -t), y - np.where(y >= 0, t, -t), z], axis=1)
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def pack_normals(normals, code="xyz8-guarded"):
    if code.startswith("oct"):
        return pack_octahedral(normals, int(code[3:]) // 2)
    with np.errstate(all="ignore"):
        value = (normals * np.float32(0.5) + np.float32(0.5)) * np.float32(255)
        value = np.where(value > 0, value, np.float32(0))
        byte = np.where(value < 255, value, np.float32(255)).astype(np.uint32)
    words = byte[:, 0] << 16 | byte[:, 1] << 8 | byte[:, 2]
    return words | np.uint32(GUARD if code == "xyz8-guarded" else 0)


def _mix(value, multiplier):
    value ^= value >> 32
    value = value * multiplier & ALL
    return value ^ value >> 29


def _seeds(key):
    return (
        _mix(key * A2 + B2 & ALL, A3),
        _mix((key ^ B3) * B2 & ALL, B1),
        _mix(key * A3 + B1 & ALL, A1),
        _mix((key ^ A1) * A2 & ALL, B3),
    )


def _add(sums, low, high, seeds):
    a = low ^ seeds[0]
    first_high, first_low = divmod(a * (high ^ seeds[1]), ALL + 1)
    second = ((first_low + a & ALL) ^ seeds[2]) * (first_high ^ seeds[3])
    second_high, second_low = divmod(second, ALL + 1)
    return sums[0] + (second_low ^ first_high) & ALL, sums[1] + (second_high ^ first_low) & ALL


def hash_words(sums, words, key):
    """sums (n, 2) plus the mix of (key, words): words are (n,) or (n, 3)."""
    width = 3 if words.ndim == 2 else 1
    words = words.reshape(len(sums), width)
    seeds = _seeds(key + width * B3 & ALL)
    out = []
    for before, item in zip(sums.tolist(), words.tolist(), strict=True):
        low, high = (item[0] | item[1] << 32, item[2]) if width == 3 else (item[0], 0)
        out.append(_add(before, low, high, seeds))
    return np.array(out, np.uint64).reshape(-1, 2)


def hash_fold(digest, sums, salt):
    for i, (low, high) in enumerate(sums.tolist()):
        digest = _add(digest, low, high, _seeds(salt + i & ALL))
    return digest


def assign_slots(keys):
    """(slots, first), numbered as first seen."""
    number, slots, first = {}, [], []
    for i, key in enumerate(map(tuple, keys.tolist())):
        if key not in number:
            number[key] = len(number)
            first.append(i)
        slots.append(number[key])
    return np.array(slots, np.int32), np.array(first, np.int32)


def layout_power_of_two(samples, frames, max_size):
    """By trying; None if nothing fits."""
    powers = [1 << bit for bit in range(max_size.bit_length())]
    for rows in range(1, max_size + 1):
        widths = [width for width in powers if width * rows >= samples]
        heights = [height for height in powers if height >= frames * rows + 1]
        if widths:
            return (widths[0], heights[0], rows) if heights else None
    return None


def layout_uv(slots, layout):
    width, height, _ = layout
    u = slots % width / width + 1 / (2 * width)
    v = (slots // width + 1) / height + 1 / (2 * height)
    return np.stack([u, v], axis=1).astype(np.float32).reshape(-1, 2)


class Track:
    """Frames as lists of parts, as native.Track takes them."""

    def __init__(self, groups, normals="xyz8-guarded"):
        self.normals = normals
        self.frames = []  # [(points, words, domain) of each part], or (points, words) of samples
        self.own = []
        self.keys_of = []
        self.bad_normals = 0
        self.bounds = [EMPTY_BOUNDS.copy() for _ in range(groups)]

    def append(self, parts, key):
        own, worlds = [], []
        for group, points, normals, domain, matrix, *samples in parts:
            world, _ = transform_points(points, matrix)
            turned, bad = transform_normals(normals, matrix)
            words = pack_normals(turned, self.normals)
            self.bad_normals += bad
            box = self.bounds[group]
            if len(world):
                box[0], box[1] = np.minimum(box[0], world.min(0)), np.maximum(box[1], world.max(0))
            worlds.append((world, words, domain))
            if samples:
                own.append((world[samples[0]], words[samples[1]]))
        self.frames.append(own or worlds)
        self.own.append(bool(own))
        self.keys_of.append(key)

    def frame(self, index):
        """As native.Track.frame()."""
        points = [np.empty((0, 3), np.float32), *(part[0] for part in self.frames[index])]
        words = [np.empty(0, np.uint32), *(part[1] for part in self.frames[index])]
        return np.concatenate(points), np.concatenate(words)

    def sums(self, part):
        """{domain: (n, 2)}: the points' own sums are with those of normals at points."""
        sums = {}
        for parts, own, key in zip(self.frames, self.own, self.keys_of, strict=True):
            if own:
                continue
            points, words, domain = parts[part]
            for at, values in ((POINT, points.view(np.uint32)), (domain, words)):
                before = sums.get(at, np.zeros((len(values), 2), np.uint64))
                sums[at] = hash_words(before, values, key)
        return sums

    def keys(self, part, corner_vert, corner_face):
        sums = self.sums(part)
        keys = sums[POINT][corner_vert].copy()
        if FACE in sums:
            keys += sums[FACE][corner_face]
        if CORNER in sums:
            keys += sums[CORNER][: len(keys)]
        return keys

    def digest(self):
        digest = (0, 0)
        for index, (own, key) in enumerate(zip(self.own, self.keys_of, strict=True)):
            if own:
                points, words = self.frame(index)
                sums = hash_words(np.zeros((len(points), 2), np.uint64), points.view("u4"), key)
                digest = hash_fold(digest, hash_words(sums, words, key), 0)
        shared = [parts for parts, own in zip(self.frames, self.own, strict=True) if not own]
        for part in range(len(shared[0]) if shared else 0):
            for domain, sums in self.sums(part).items():
                digest = hash_fold(digest, sums, (3 * part + domain + 1) << 32)
        return b"".join(lane.to_bytes(8, "little") for lane in digest)


def texture(track, *, layout, slots, header, frames, part_start, point, face, corner, origin):
    """The whole picture, (height, width, RGBA) float32, row 0 at the bottom."""
    width, height, rows = layout
    pixels = np.zeros((height * width, 4), np.float32)
    pixels[: min(len(header), width)] = header[:width]
    for k, frame in enumerate(frames):
        begin = (1 + k * rows) * width
        if track.own[frame]:
            points, words = track.frame(frame)
            pixels[begin : begin + len(points), :3] = points - (origin[0] if len(origin) else 0)
            pixels[begin : begin + len(points), 3] = words.view(np.float32)
            continue
        for part, (points, words, domain) in enumerate(track.frames[frame]):
            mine = slice(part_start[part], part_start[part + 1])
            there = slice(begin + part_start[part], begin + part_start[part + 1])
            pixels[there, :3] = points[point[mine]] - origin[part]
            pixels[there, 3] = words[(point, face, corner)[domain][mine]].view(np.float32)
    return pixels.reshape(height, width, 4)
