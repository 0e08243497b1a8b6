# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The facts of describe.py as lines for people."""

from __future__ import annotations

from typing import Any

LAYOUTS = {
    "truevat": "TrueVAT's own format",
    "nekovat": "nekoVAT, for the shaders nekoya/VAT and nekoya/VAT_Vertex",
    "bounds": "positions remapped to their bounds",
    "openvat": "OpenVAT",
}
POSITIONS = {
    "absolute": "absolute",
    "offset": "offsets from the rest pose",
    "remapped": "remapped to the bounds",
}
ENCODINGS = {
    "oct24": "octahedral, 24 bits",
    "oct16f": "octahedral, two half floats",
    "xyz8": "three bytes",
    "xyz": "x, y, z",
    "none": "none",
}
INDENT = 14

PLURALS = {"corner": "corners", "vertex": "vertices", "face": "faces"}


def lines(facts: dict[str, Any]) -> list[str]:
    """Free of control characters, whatever the file's names hold."""
    rows = [
        ("layout", _layout(facts)),
        ("bake id", facts.get("bake_id")),
        ("sidecar", facts["sidecar"] or "none"),
        ("texture", _texture(facts.get("texture"))),
        ("mesh", facts.get("mesh")),
        ("frames", _frames(facts.get("frames"))),
        *_rows("clips", map(_clip, facts.get("clips", []))),
        ("positions", _positions(facts)),
        ("normals", _normals(facts)),
        ("slots", _slots(facts)),
        ("topology", _topology(facts.get("constant_topology"))),
        ("bounds", _bounds(facts)),
        *_rows("objects", facts.get("objects", [])),
        ("made by", _maker(facts)),
        *_rows("checks", _checks(facts["checks"])),
        *_rows("notes", facts["notes"]),
        ("together", _together(facts)),
    ]
    return [
        _printable(facts["file"]),
        *(f"  {name:{INDENT - 2}}{_printable(text)}" for name, text in rows if text),
    ]


def _rows(name: str, texts: Any) -> list[tuple[str, str]]:
    """The name stands at the first one only."""
    return [("" if number else name, text) for number, text in enumerate(texts)]


def _layout(facts: dict[str, Any]) -> str:
    layout = facts["layout"]
    if layout:
        version = f", version {facts['version']}" if layout == "truevat" else ""
        return f"{layout}: {LAYOUTS[layout]}{version}"
    if facts["may_be"]:
        return (
            f"may be {' or '.join(facts['may_be'])}: such textures say nothing about themselves, "
            "and their JSON file is not here; or a picture of something else"
        )
    return "none of TrueVAT's: it has no header, and not the channels of a layout without one"


def _texture(texture: dict[str, Any] | None) -> str | None:
    if not texture:
        return None
    text = f"{texture['width']} x {texture['height']} texels, {texture['pixel']}"
    if "file" in texture:
        packed = texture["compression"]
        text = (
            f"{texture['file']}: {text} {texture['channels']}, "
            f"{'uncompressed' if packed == 'none' else packed}, {texture['bytes'] / 1e6:,.3f} MB"
        )
    if "rows_per_frame" in texture:
        text += (
            f"; {_count(texture['header_rows'], 'header row')}, "
            f"{_count(texture['rows_per_frame'], 'row')} per frame"
        )
    return text


def _frames(frames: dict[str, Any] | None) -> str | None:
    if not frames:
        return None
    text = f"{frames['stored']:,} stored"
    if "start" in frames:
        text += f", from {frames['start']:g} to {frames['end']:g} in steps of {frames['step']:g}"
    if "fps" in frames:
        text += f", {_fps(frames['fps'])}"
    return text


def _clip(clip: dict[str, Any]) -> str:
    name = f"{clip['name']}: " if "name" in clip else ""
    count, fps, loop = clip["frames"], clip["fps"], clip["loop"]
    text = f"{name}{_count(count, 'frame')}"
    if "first_frame" in clip:
        text += f" from {clip['first_frame']}"
    if "start" in clip:
        text += f", {clip['start']} to {clip['end']} of the scene"
    seconds = (count if loop else count - 1) / fps
    text += f", {_fps(fps)}, {float(seconds):.3f} s"
    if loop is not None:
        text += ", loops" if loop else ", holds its last frame"
    if "seam_error_m" in clip:
        text += f", its ends {clip['seam_error_m'] * 1000:.3g} mm apart"
    return text


def _positions(facts: dict[str, Any]) -> str | None:
    position = facts.get("position")
    if not position:
        return None
    text = POSITIONS[position["kind"]]
    if "error_m" in position:
        error = position["error_m"]
        text += f", at most {error * 1000:.3g} mm off" if error else ", exact"
    elif position["kind"] == "absolute" and facts["texture"].get("pixel") == "float32":
        text += ", exact"
    space = facts.get("space")
    return f"{text}; {space['axes']}, about the {space['origin']}" if space else text


def _normals(facts: dict[str, Any]) -> str | None:
    normals = facts.get("normals")
    if not normals:
        return None
    text = ENCODINGS[normals["encoding"]]
    if "of" in normals and normals["encoding"] != "none":
        text += f", of {PLURALS.get(normals['of'], normals['of'])}"
    if normals.get("error_degrees"):
        text += f", at most {normals['error_degrees']:.3g} degrees off"
    if normals.get("guard") is not None:
        text += ", guarded" if normals["guard"] else ", as the original's bare bits"
    if "in" in normals:
        text += f", in {normals['in']}"
    return text


def _slots(facts: dict[str, Any]) -> str | None:
    if "slots" not in facts:
        return None
    text = f"{facts['slots']:,}"
    if "samples" in facts:
        text += f" for {facts['samples']:,} samples ({facts['dedup']})"
    return f"{text}, addressed by {facts['address']}" if "address" in facts else text


def _topology(constant: bool | None) -> str | None:
    if constant is None:
        return None
    return "constant" if constant else "changing: frames are never mixed"


def _bounds(facts: dict[str, Any]) -> str | None:
    box = facts.get("bounds")
    if not box:
        return None
    return " to ".join(
        f"({', '.join(f'{value:.6g}' for value in box[end])})" for end in ("min", "max")
    )


def _maker(facts: dict[str, Any]) -> str | None:
    if "generator" not in facts:
        return None
    maker = facts["generator"]
    return f"{maker['name']} {maker['version']}, from {facts['source'] or 'an unsaved scene'}"


def _checks(checks: list[dict[str, Any]]) -> list[str]:
    """Those that failed, each; of the others how many."""
    passed = sum(check["ok"] is True for check in checks)
    told = [f"{passed} passed"] if passed else []
    for check in checks:
        if check["ok"] is not True:
            mark = "not known" if check["ok"] is None else "FAILED"
            told.append(f"{mark}: {check['what']}: {check['says']}")
    return told


def _together(facts: dict[str, Any]) -> str:
    """Whether mesh and texture belong together."""
    if facts["belong_together"]:
        names = "mesh, texture and sidecar" if facts["sidecar"] else "mesh and texture"
        return f"yes: {names} are of the same bake"
    if facts["belong_together"] is False:
        return "NO: see what failed; take all files from one bake, or bake again"
    if not facts["sidecar"]:
        return "cannot be told: no sidecar beside it names it"
    return "cannot be told: not all of these files say which bake they are of"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _fps(fps: Any) -> str:
    whole = fps.denominator == 1
    return f"{fps} fps" if whole else f"{float(fps):.3f} fps ({fps})"


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
