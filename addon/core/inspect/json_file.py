# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON files of others: read with limits, and every value checked as it is taken."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any, NoReturn

from ..errors import BakeError

MOST_BYTES = 64 << 20
# As in docs/schema/: a name in the same folder, never a path.
FILE_NAME = re.compile(r'[^/\\:*?"<>|\x00-\x1f]*[^/\\:*?"<>|\x00-\x1f .]')


class Node:
    """An object in a JSON file; `where` is how messages call it."""

    def __init__(self, values: object, where: str) -> None:
        if not isinstance(values, dict):
            raise BakeError(f"{where} is not a JSON object")
        self.values = values
        self.where = where

    def __contains__(self, key: str) -> bool:
        return self.values.get(key) is not None

    def wrong(self, key: str, why: str) -> NoReturn:
        raise BakeError(f"{self.where}: '{key}' {why}")

    def take(self, key: str) -> Any:
        if key not in self.values:
            self.wrong(key, "is missing")
        return self.values[key]

    def inner(self, key: str) -> Node:
        return Node(self.take(key), f"{self.where}: '{key}'")

    def items(self, key: str) -> list[Node]:
        values = self.take(key)
        if not isinstance(values, list):
            self.wrong(key, "is not a list")
        return [
            Node(value, f"{self.where}: '{key}', number {number}")
            for number, value in enumerate(values, 1)
        ]

    def text(self, key: str) -> str:
        value = self.take(key)
        if not isinstance(value, str):
            self.wrong(key, "is not text")
        return value

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in choices:
            self.wrong(key, f"is {value!a}, not one of {', '.join(choices)}")
        return value

    def flag(self, key: str) -> bool:
        value = self.take(key)
        if not isinstance(value, bool):
            self.wrong(key, "is neither true nor false")
        return value

    def number(self, key: str) -> float:
        """Also from text, as some writers have it."""
        value = self.take(key)
        if isinstance(value, str) and len(value) < 40:
            try:
                value = float(value)
            except ValueError:
                self.wrong(key, "is not a number")
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(key, "is not a number")
        if abs(value) > 1e300 or not math.isfinite(value):
            self.wrong(key, "is beyond all numbers")
        return value

    def whole(self, key: str, least: int = 0) -> int:
        value = self.number(key)
        if value != int(value) or not least <= value < 2**53:
            self.wrong(key, f"is not a whole number from {least} up")
        return int(value)

    def vector(self, key: str) -> list[float]:
        values = self.take(key)
        if not isinstance(values, list) or len(values) != 3:
            self.wrong(key, "is not three numbers")
        numbers = Node(dict(enumerate(values)), f"{self.where}: '{key}'")
        return [numbers.number(axis) for axis in range(3)]

    def box(self, key: str, low: str = "min", high: str = "max") -> dict[str, list[float]] | None:
        if self.take(key) is None:
            return None
        box = self.inner(key)
        return {"min": box.vector(low), "max": box.vector(high)}

    def file_name(self, key: str) -> str:
        name = self.text(key)
        if not FILE_NAME.fullmatch(name):
            self.wrong(key, f"is {name!a}, which is not the name of a file in the same folder")
        return name


def load(path: Path) -> Node:
    """Of a file that is there."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BakeError(f"'{path}' cannot be read: {error.strerror or error}") from error
    if len(data) > MOST_BYTES:
        raise BakeError(f"'{path}' has more than {MOST_BYTES >> 20} MiB; it is no sidecar")
    return parse(data, f"'{path}'")


def parse(data: bytes, where: str) -> Node:
    try:
        return Node(json.loads(data.decode("utf-8-sig"), parse_constant=_refuse), where)
    except (ValueError, RecursionError) as error:
        raise BakeError(f"{where} is no JSON file: {error}") from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
