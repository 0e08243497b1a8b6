# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures speed and memory, and writes build/bench/bench.json and bench.md.

Every experiment has a process of its own. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import table
from experiments import EXPERIMENTS, OVER_BUDGET, SPREAD, Comparison, Peak
from machine import facts
from scenes import SCENES

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent / "build" / "bench"
# A malloc that gives nothing back and does not adapt: otherwise a side pays for the other's past.
PINNED_MALLOC = {
    "MALLOC_TRIM_THRESHOLD_": str(1 << 32),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 25),
    "MALLOC_TOP_PAD_": str(1 << 26),
}


class Bench:
    def __init__(self, runs: int, quick: bool) -> None:
        self.runs = runs
        self.divisor = 10 if quick else 1
        self.folder = OUTPUT / "files"

    def compare(self, experiment: Comparison) -> dict[str, Any]:
        scene = SCENES[experiment.scene]
        frames = scene.frames // self.divisor
        measured = self._process(
            "compare.py",
            PINNED_MALLOC,
            scene=experiment.scene,
            against=experiment.against,
            frames=frames,
            runs=self.runs,
            side=experiment.side,
        )
        theirs, ours = (measured["seconds"][s] for s in (experiment.against, experiment.side))
        ratio = median(ours) / median(theirs)
        return {
            "kind": "time",
            "against": experiment.against,
            "side": experiment.side,
            "scene": scene.title,
            "frames": frames,
            "medians": {"against": median(theirs), "bake": median(ours)},
            "ratio": ratio,
            "paired_ratio": median(our / their for our, their in zip(ours, theirs, strict=True)),
            "limit": experiment.limit,
            "passed": None if experiment.limit is None else ratio <= experiment.limit,
            **measured,
        }

    def peak(self, experiment: Peak) -> dict[str, Any]:
        budget = max(experiment.budget // self.divisor, 1)
        lengths = [self._length(experiment, count, budget) for count in experiment.frames]
        over = [length["over_mib"] for length in lengths]
        spread = (max(over) - min(over)) / max(*over, 1.0)
        limit = budget + OVER_BUDGET
        return {
            "kind": "memory",
            "scene": SCENES[experiment.scene].title,
            "budget_mib": budget,
            "lengths": lengths,
            "limit_mib": limit,
            "spread": spread,
            "spread_limit": SPREAD,
            "passed": max(over) <= limit and spread <= SPREAD,
        }

    def _length(self, experiment: Peak, count: int, budget: int) -> dict[str, Any]:
        """Both sides load the scene from a file, so that no memory is left over from making it."""
        frames = count // self.divisor
        blend = OUTPUT / "scene.blend"
        self._run("scenes.py", {}, experiment.scene, str(frames), str(blend))
        sides: dict[int | None, list[dict[str, Any]]] = {None: [], budget: []}
        for _ in range(min(self.runs, 3)):
            for memory, measured in sides.items():
                measured.append(
                    self._process(
                        "memory.py",
                        {},
                        blend=str(blend),
                        frames=frames,
                        memory=memory,
                        max_size=SCENES[experiment.scene].max_size,
                    )
                )
        blend.unlink()
        own, bake = ([run["peak_bytes"] / 2**20 for run in runs] for runs in sides.values())
        return {
            "frames": frames,
            "own_mib": own,
            "bake_mib": bake,
            "over_mib": median(bake) - median(own),
            "seconds": [run["seconds"] for run in sides[budget]],
            "texture_bytes": sides[budget][-1]["texture_bytes"],
            "report": sides[budget][-1]["report"],
        }

    def _process(self, script: str, environment: dict[str, str], **request: Any) -> dict[str, Any]:
        """What a script of ours measures."""
        result = OUTPUT / "result.json"
        request |= {"folder": str(self.folder), "result": str(result)}
        shutil.rmtree(self.folder, ignore_errors=True)
        self._run(script, environment, json.dumps(request))
        shutil.rmtree(self.folder, ignore_errors=True)
        measured = json.loads(result.read_text("utf-8"))
        result.unlink()
        return measured

    def _run(self, script: str, environment: dict[str, str], *arguments: str) -> None:
        """Blender's chatter goes to a log, which is shown if it fails."""
        log = OUTPUT / "log.txt"
        with log.open("w", encoding="utf-8") as output:
            ended = subprocess.run(
                (sys.executable, str(HERE / script), *arguments),
                env=os.environ | environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        if ended.returncode:
            sys.exit(f"{log.read_text('utf-8')}\n{script} failed; the above is its output")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="pairs of runs, 9 by default")
    parser.add_argument(
        "--only", action="append", choices=tuple(EXPERIMENTS), help="may be given several times"
    )
    parser.add_argument("--quick", action="store_true", help="2 runs, a tenth of the frames")
    options = parser.parse_args()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    bench = Bench(2 if options.quick else options.runs, options.quick)
    document: dict[str, Any] = {
        "machine": facts(),
        "runs": bench.runs,
        "quick": options.quick,
        "results": {},
    }
    # The figures of a whole run stay until the next one.
    target = OUTPUT / ("partial.json" if options.only or options.quick else "bench.json")
    for name in options.only or EXPERIMENTS:
        print(f"{name} …", end=" ", file=sys.stderr, flush=True)
        experiment = EXPERIMENTS[name]
        measure = bench.compare if isinstance(experiment, Comparison) else bench.peak
        document["results"][name] = measure(experiment)
        print(table.summary(document["results"][name]), file=sys.stderr)
        target.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
        target.with_suffix(".md").write_text(table.render(document), "utf-8")
    print(table.render(document))


if __name__ == "__main__":
    main()
