# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures as Markdown: `table.py build/bench/bench.json` prints what README carries."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

AGAINST = {
    "floor": "the floor",
    "peer": "NumPy bake, a sample per corner",
    "shared": "NumPy bake, a sample per vertex",
    "none": "TrueVAT without de-duplication",
    "nekovat": "the nekoVAT layout",
}
SIDES = {"nekovat": "", "float": ", truevat FLOAT", "half": ", truevat HALF"}
VERDICTS = {True: "yes", False: "**no**", None: "–"}


def render(document: dict[str, Any]) -> str:
    machine = document["machine"]
    results = document["results"].values()
    parts = [
        "{cpu}, {cores} cores, {memory_mib:,} MiB, {system}; Blender {blender}, Python {python}, "
        "NumPy {numpy}, TrueVAT {truevat} ({commit}).".format(**machine),
        f"Medians of {document['runs']} alternated runs."
        + (" A quick run, with a tenth of the frames: not comparable." * document["quick"]),
    ]
    times = [result for result in results if result["kind"] == "time"]
    if times:
        parts.append(_times(times))
    peaks = [result for result in results if result["kind"] == "memory"]
    if peaks:
        parts.append(_peaks(peaks))
    return "\n\n".join(parts) + "\n"


def summary(result: dict[str, Any]) -> str:
    """One line."""
    verdict = {True: "reached", False: "MISSED", None: "for information"}[result["passed"]]
    if result["kind"] == "time":
        limit = "" if result["limit"] is None else f" of {result['limit']:.2f}"
        return f"{result['ratio']:.3f}{limit} x {result['against']}: {verdict}"
    over = ", ".join(f"{length['over_mib']:.0f}" for length in result["lengths"])
    return f"{over} of {result['limit_mib']} MiB, spread {result['spread']:.1%}: {verdict}"


def _times(results: list[dict[str, Any]]) -> str:
    return _table(
        (
            "scene",
            "frames",
            "texture MB",
            "compared with",
            "its s",
            "TrueVAT s",
            "ratio",
            "ratio of pairs",
            "at most",
            "reached",
        ),
        (
            (
                result["scene"] + SIDES[result["side"]],
                str(result["frames"]),
                f"{result['texture_bytes'] / 1e6:,.0f}",
                AGAINST[result["against"]],
                f"{result['medians']['against']:.2f}",
                f"{result['medians']['bake']:.2f}",
                f"{result['ratio']:.3f}",
                f"{result['paired_ratio']:.3f}",
                "–" if result["limit"] is None else f"{result['limit']:.2f}",
                VERDICTS[result["passed"]],
            )
            for result in results
        ),
    )


def _peaks(results: list[dict[str, Any]]) -> str:
    return _table(
        (
            "scene",
            "frames",
            "texture MB",
            "seconds",
            "budget MiB",
            "over Blender's own, MiB",
            "at most",
            "reached",
        ),
        (
            (
                result["scene"],
                str(length["frames"]),
                f"{length['texture_bytes'] / 1e6:,.0f}",
                f"{min(length['seconds']):.2f}",
                str(result["budget_mib"]),
                f"{length['over_mib']:.0f}",
                str(result["limit_mib"]),
                VERDICTS[result["passed"]],
            )
            for result in results
            for length in result["lengths"]
        ),
    )


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """The first column is text and the others are figures, as far as alignment goes."""
    lines = [heads, ("---", *("---:" for _ in heads[1:])), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


if __name__ == "__main__":
    print(render(json.loads(Path(sys.argv[1]).read_text("utf-8"))), end="")
