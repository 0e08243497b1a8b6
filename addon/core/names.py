# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that every system can store."""

from __future__ import annotations

import re

from .errors import BakeError

MOST_BYTES = 200  # leaves room for suffixes within the 255 of most file systems
DEVICES = {
    "CON",
    "PRN",
    "AUX",
    "NUL",
    *(f"{port}{n}" for port in ("COM", "LPT") for n in "123456789"),
}


def check_file_name(name: str) -> None:
    """Refuses a name that would leave the folder or that some system cannot store."""
    if (
        not name
        or name.strip(" .") != name
        or any(c in '/\\:*?"<>|' or ord(c) < 32 or 0xD800 <= ord(c) < 0xE000 for c in name)
    ):
        raise BakeError(
            f"'{name}' cannot be a file name: leave out / \\ : * ? \" < > | and spaces or dots at "
            "its ends"
        )
    if name.partition(".")[0].upper() in DEVICES:
        raise BakeError(f"'{name}' cannot be a file name: Windows keeps it for a device")
    if len(name.encode()) > MOST_BYTES:
        raise BakeError(
            f"The name '{name[:40]}…' is too long for a file; use at most {MOST_BYTES} bytes"
        )


def safe_file_name(name: str) -> str:
    """An object's name as a file name, as near to it as can be."""
    name = re.sub(r'[\x00-\x1f\ud800-\udfff/\\:*?"<>|]', "_", name)
    name = name.encode()[:MOST_BYTES].decode(errors="ignore").strip(" .")
    if name.partition(".")[0].upper() in DEVICES:
        name = f"_{name}"
    return name or "vat"
