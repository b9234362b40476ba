# SPDX-License-Identifier: BSD-3-Clause
"""`python -m bench.paper kae`: repeat the experiments of a paper; tables, a JSON file and pictures."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import bench  # noqa: F401  first of all imports: it cleans the environment

RESULTS = Path(__file__).resolve().parents[1] / "results" / "paper"
EXPERIMENTS = {
    "kae": ("circles", "codes", "landscape", "supervised", "unsupervised"),
    "kde": ("digits", "faces", "labels", "ranks", "words"),
    "mce": ("iris", "uci", "digits", "pixels", "network"),
    "dkl": ("kink", "network", "interpolation", "starts", "regression", "mixture", "tables"),
    "dkpca": ("synth", "levels", "solvers", "uci", "factors", "traversals"),
}
"""By paper: `kae_circles`, of bench/paper/kae/circles.py, writes kae_circles.json and kae_circles.png."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(prog="python -m bench.paper", description="Repeat the experiments of a paper.")
    parser.add_argument("paper", choices=EXPERIMENTS, help="which one")
    parser.add_argument("--quick", action="store_true", help="small data, few iterations: only to see that it runs")
    parser.add_argument("--only", default="", metavar="WORD", help="experiments whose name contains it")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="DIR", help=f"default {RESULTS.name}")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiments; 2 if no name fits."""
    options = parse(arguments)
    names = [f"{options.paper}_{experiment}" for experiment in EXPERIMENTS[options.paper]]
    chosen = [name for name in names if options.only in name]
    if not chosen:
        print(f"no experiment fits {options.only!r}: {', '.join(names)}")
        return 2
    from bench import machine
    from bench.paper.common.outcome import Settings, write_json

    settings = Settings(options.output, options.quick)
    settings.output.mkdir(parents=True, exist_ok=True)
    outcomes = []
    for name in chosen:
        start = time.perf_counter()
        module = "bench.paper." + name.replace("_", ".", 1)
        outcome = importlib.import_module(module).run(settings)
        outcome.facts["seconds"] = time.perf_counter() - start
        print(f"\n== {name}, {outcome.facts['seconds']:.0f} s\n\n{outcome.text()}", flush=True)
        outcomes.append(outcome)
    path = settings.output / f"{options.paper if len(chosen) > 1 else chosen[0]}.json"
    write_json(path, machine.describe(), options.quick, outcomes)
    print("\nWritten:", path, *[picture for outcome in outcomes for picture in outcome.pictures], sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
