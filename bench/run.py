# SPDX-License-Identifier: BSD-3-Clause
"""The bench's command line: `python -m bench` or `python bench/run.py`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench import CLEANING  # first of all imports: numpy reads the environment when it is loaded

RESULTS = Path(__file__).resolve().parent / "results"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Time gramian against its peers.")
    parser.add_argument("--quick", action="store_true", help="small sizes only")
    parser.add_argument("--rows", default="*", metavar="PATTERN", help="rows whose name fits or contains it")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="repetitions, at least 3 (default 5)")
    parser.add_argument("--threads", type=int, metavar="N", help="threads of every contestant (default: each its own)")
    parser.add_argument("--json", type=Path, default=RESULTS / "latest.json", metavar="OUT", help="where results go")
    parser.add_argument("--list", action="store_true", help="name the rows and stop")
    options = parser.parse_args(arguments)
    if options.repeat < 3:
        parser.error("--repeat must be at least 3")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the rows asked for; 1 if an answer was wrong, 2 if there is nothing to run."""
    options = parse(arguments)
    from bench import machine, picture, registry, report, runner, threads

    chosen = registry.matching(options.rows)
    if options.list or not chosen:
        print("\n".join(f"{r.name} ({len(r.sizes)})" for r in chosen) or f"no row fits {options.rows!r}")
        return 0 if chosen else 2
    with threads.limited(options.threads):
        where = machine.describe()
        print(machine.headline(where), CLEANING.sentence(), report.RULES.format(repetitions=options.repeat), sep="\n")
        print(flush=True)
        results = runner.run_rows(chosen, options.quick, options.repeat, say=lambda line: print(line, file=sys.stderr))
    print(report.table(results), *report.variants(results), sep="\n")
    report.write_json(options.json, where, CLEANING.sentence(), results)
    print(f"\nwritten: {options.json}")
    png = options.json.with_suffix(".png")
    if picture.write_picture(png, results, caption=f"{where['cpu']}, {where['cores']} cores"):
        print(f"written: {png}")
    return 0 if runner.all_correct(results) else 1


if __name__ == "__main__":
    sys.exit(main())
