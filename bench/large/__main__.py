# SPDX-License-Identifier: BSD-3-Clause
"""`python -m bench.large`: regression and classification on many rows, beside peers."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import bench  # noqa: F401  first of all imports: it cleans the environment

RESULTS = Path(__file__).resolve().parents[1] / "results" / "large"
GROWTH = "growth"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(prog="python -m bench.large", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help="sets, or 'growth'; default: all")
    parser.add_argument("--quick", action="store_true", help="few rows: only to see that it runs")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="of the .npz files; default: that of GRAMIAN_DATA")
    parser.add_argument("--threads", type=int, metavar="N", help="for every way; default: its own")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="DIR", help=f"default {RESULTS.name}")
    parser.add_argument("--report", action="store_true", help="run nothing: tables of the results in DIR")
    parser.add_argument("--page", action="store_true", help="write the tables into docs/large_n.md too")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sets; 2 if a name is unknown."""
    options = parse(arguments)
    from bench.large import growth, plan, process, report
    from bench.large.picture import write_picture
    from bench.paper.common import data

    if options.data:
        os.environ[data.VARIABLE] = str(options.data)
    every = [*_sets(), GROWTH]
    unknown = [name for name in options.names if name not in every]
    if unknown:
        print(f"no set {unknown[0]!r}: {', '.join(every)}")
        return 2
    sizes = replace(plan.QUICK if options.quick else plan.Plan(), threads=options.threads)
    for name in [] if options.report else options.names or every:
        if name == GROWTH:
            points = growth.QUICK if options.quick else growth.Sizes()
            found = growth.measure(points, options.quick, options.threads, tell, process.run)
        elif _is_there(name):
            found = plan.run_set(name, sizes, tell, process.run)
        else:
            continue
        report.write(options.output, name, sizes, found)
    records, grown, machine = report.read(options.output, _sets(), GROWTH)
    if not machine:
        print(f"no results in {options.output}")
        return 1
    text = report.markdown(records, grown, machine)
    print(f"\n{text}\n")
    write_picture(options.output / "large.png", records)
    if options.page:
        report.put_into(report.PAGE, text)
    return 0


def tell(record: dict[str, object]) -> None:
    """One line as soon as something was measured."""
    kept = (
        "set",
        "way",
        "options",
        "what",
        "error",
        "validation_error",
        "cpu_seconds",
        "exponent",
        "residual",
        "refused",
    )
    print("  ".join(f"{key} {record[key]}" for key in kept if key in record), flush=True)


def _sets() -> list[str]:
    from bench.large.sets import READERS

    return list(READERS)


def _is_there(name: str) -> bool:
    from bench.large.sets import FILES
    from bench.paper.common import data

    if name in FILES and data.path_of(FILES[name]) is None:
        print(f"{name} is left out. {data.sentence_of_missing([FILES[name]])}")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
