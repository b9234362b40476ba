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
    "kae": ("kae_circles", "kae_codes", "kae_landscape", "kae_supervised", "kae_unsupervised"),
    "kde": ("kde_digits", "kde_faces", "kde_labels", "kde_ranks", "kde_words"),
    "mce": ("mce_iris", "mce_uci", "mce_digits", "mce_pixels", "mce_network"),
    "dkl": (
        "dkl_kink",
        "dkl_network",
        "dkl_interpolation",
        "dkl_starts",
        "dkl_regression",
        "dkl_mixture",
        "dkl_tables",
    ),
    "dkpca": ("dkpca_synth", "dkpca_levels", "dkpca_solvers", "dkpca_uci", "dkpca_factors", "dkpca_traversals"),
}


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
    chosen = [name for name in EXPERIMENTS[options.paper] if options.only in name]
    if not chosen:
        print(f"no experiment fits {options.only!r}: {', '.join(EXPERIMENTS[options.paper])}")
        return 2
    from bench import machine
    from bench.paper.outcome import Settings, write_json

    settings = Settings(options.output, options.quick)
    settings.output.mkdir(parents=True, exist_ok=True)
    outcomes = []
    for name in chosen:
        start = time.perf_counter()
        outcome = importlib.import_module(f"bench.paper.{name}").run(settings)
        outcome.facts["seconds"] = time.perf_counter() - start
        print(f"\n== {name}, {outcome.facts['seconds']:.0f} s\n\n{outcome.text()}", flush=True)
        outcomes.append(outcome)
    path = settings.output / f"{options.paper if len(chosen) > 1 else chosen[0]}.json"
    write_json(path, machine.describe(), options.quick, outcomes)
    print("\nWritten:", path, *[picture for outcome in outcomes for picture in outcome.pictures], sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
