# SPDX-License-Identifier: BSD-3-Clause
"""`python -m bench.quality TASK`: estimators as they come beside peers: probabilities, or codes of tables."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import bench  # noqa: F401  first of all imports: it cleans the environment

RESULTS = Path(__file__).resolve().parents[1] / "results" / "quality"
TASKS = ("classification", "codes")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality", description=__doc__)
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("names", nargs="*", metavar="set", help="default: all of both lists")
    parser.add_argument("--ways", metavar="NAMES", help="some of the compared, with commas between them; default: all")
    parser.add_argument("--splits", type=int, default=3, metavar="N", help="default 3")
    parser.add_argument("--quick", action="store_true", help="few rows and steps: only to see that it runs")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="of the .npz files; default: that of GRAMIAN_DATA")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="DIR", help=f"default {RESULTS.name}")
    parser.add_argument("--report", action="store_true", help="run nothing: tables of the results in DIR")
    parser.add_argument("--page", action="store_true", help="write the tables into docs/quality.md too")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sets; 2 if a name is unknown, 1 if there are no results."""
    options = parse(arguments)
    from bench.paper.common import data
    from bench.quality import codes, measure, report, sets, ways

    by_codes = options.task == "codes"
    known_ways, run_set, markdown = (
        (codes.WAYS, codes.run_set, codes.markdown) if by_codes else (ways.WAYS, measure.run_set, report.markdown)
    )
    folder = options.output / options.task
    if options.data:
        os.environ[data.VARIABLE] = str(options.data)
    every = [name for names in sets.LISTS.values() for name in names]
    chosen = options.ways.split(",") if options.ways else list(known_ways)
    for name, known in [*((name, every) for name in options.names), *((way, list(known_ways)) for way in chosen)]:
        if name not in known:
            print(f"no {name!r}: {', '.join(known)}")
            return 2
    for name in [] if options.report else options.names or every:
        if sets.is_there(name):
            found = run_set(name, chosen, 1 if options.quick else options.splits, options.quick, tell)
            report.write(folder, name, found)
        else:
            print(f"{name} is left out. {data.sentence_of_missing([name])}")
    found, machine = report.read(folder)
    if not found:
        print(f"no results in {folder}")
        return 1
    text = markdown(found, machine)
    print(f"\n{text}\n")
    if options.page:
        report.put_into(report.PAGE, options.task, text)
    return 0


def tell(record: dict[str, object]) -> None:
    """One line as soon as something was measured."""
    said = [name for name in ("accuracy", "log_loss", "ece", "error", "seconds") if name in record]
    numbers = " ".join(f"{name} {record[name]:.4f}" for name in said)
    print(f"{record['set']:18s} {record['way']:12s} {record['split']}  {numbers}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
