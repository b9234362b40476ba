#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Record results of everything, so that a change that should change none is known to have changed none.

    python tests/golden/record.py                    all values and outputs, for the tests beside this file
    python tests/golden/record.py --hashes FILE      the bits of all results of the installed gramian
    python tests/golden/record.py --compare FILE     the cases whose bits are not those of FILE, from the same machine

The cases (`cases/`) are small problems for each estimator, solver, loss, kernel and function, and the C++ examples. The
tests hold them to what is recorded in `values.npz` and `examples/`. Tolerances are measured: every case is computed for
each instruction set (`GRAMIAN_ISA`), and, but for models that order samples by their bits, once more with the last bit
of all data turned, which is what rounding can do to it. A result may be off by ten times as much. Results are the same
bits for any number of threads, which is tested too. Whoever moves code without changing what it computes uses the
second and third form, which allow nothing.

Record again when results are meant to change, never to make a test pass: the changelog says which results, and why.
That takes a processor that runs all instruction sets. A new case is recorded in the same way; see in the output that
the others did not move.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import gramian
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import programs
import store
from cases import CASES, data

THREADS = 2
ORDERED_BY_BITS = ("embedding", "compress", "deep regression", "deep classification", "deep_regression")


def compute(name: str, threads: int = THREADS) -> dict[str, np.ndarray]:
    """The results of a case."""
    gramian.set_num_threads(threads)
    try:
        return CASES[name]()
    finally:
        gramian.set_num_threads(None)


def measure(path: str, flip: bool) -> None:
    """Write summaries of all cases; in a process of its own."""
    found = {}
    for name in CASES:
        # These put samples in an order of their bits, and draw by it: other bits are another problem.
        data.flip_last_bits = flip and not name.startswith(ORDERED_BY_BITS)
        found[name] = {key: store.summary(array) for key, array in compute(name).items()}
    Path(path).write_bytes(pickle.dumps(found))


def measured(level: str, flip: bool) -> dict[str, dict[str, store.Stored]]:
    """All summaries, with another instruction set."""
    report = "from gramian import _core; print(_core.base.build_report().isa)"
    variables = {**os.environ, "GRAMIAN_ISA": level}
    used = subprocess.run([sys.executable, "-c", report], env=variables, capture_output=True, text=True, check=True)
    if used.stdout.strip() != level:
        raise SystemExit(f"This processor does not run {level}: record where all instruction sets run.")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "found")
        command = [sys.executable, __file__, "--measure", path, *(["--flip"] if flip else [])]
        subprocess.run(command, env=variables, check=True)
        return pickle.loads(Path(path).read_bytes())


def record(folder: Path) -> None:
    """Write values.npz and examples/, and say what changed and how far rounding reaches."""
    runs = [measured(level, False) for level in reversed(programs.LEVELS)] + [measured(programs.LEVELS[-1], True)]
    values = {
        name: {key: store.with_tolerance([run[name][key] for run in runs]) for key in runs[0][name]} for name in CASES
    }
    loose = [
        f"{name}: {key} differs by {one.tolerance / store.TIMES_SPREAD:.2g} through rounding alone, make it shorter"
        for name, arrays in values.items()
        for key, one in arrays.items()
        if one.tolerance > store.MOST[4 if "float32" in key else 8]
    ]
    if loose:
        raise SystemExit("\n".join(loose))
    tell(values)
    store.write(values)
    for level in programs.LEVELS:
        (programs.TEXTS / level).mkdir(parents=True, exist_ok=True)
        for name in programs.names():
            (programs.TEXTS / level / f"{name}.txt").write_text(
                programs.output(name, folder, level=level), encoding="utf-8"
            )


def tell(values: dict[str, dict[str, store.Stored]]) -> None:
    """Print the tolerance of each case, and how far it is from what was recorded before."""
    before = store.read() if store.VALUES.exists() else {}
    for name, arrays in values.items():
        shared = [key for key in arrays if key in before.get(name, {})]
        moved = max((store.difference(before[name][key], arrays[key]) for key in shared), default=0.0)
        news = f", moved by {moved:.2g}" if moved else "" if name in before else ", new"
        print(f"{name}: {len(arrays)} results, tolerance {max(one.tolerance for one in arrays.values()):.2g}{news}")


def hashes(folder: Path) -> dict[str, dict[str, str]]:
    """The bits of all results, by case."""
    found = {name: {key: store.bits(array) for key, array in compute(name).items()} for name in CASES}
    if folder.exists():
        for name in programs.names():
            found[f"example {name}"] = {"output": store.bits(np.array(programs.output(name, folder)))}
    return found


def compare(old: dict[str, dict[str, str]], new: dict[str, dict[str, str]]) -> int:
    """Print the cases that differ, and return whether there are any."""
    different = [name for name in old | new if old.get(name) != new.get(name)]
    for name in different:
        before, after = old.get(name), new.get(name)
        if before is None or after is None:
            print(f"{name}: {'new' if before is None else 'gone'}")
        else:
            print(f"{name}: {', '.join(key for key in before | after if before.get(key) != after.get(key))}")
    print(f"{len(different)} of {len(old | new)} cases have other bits.")
    return int(bool(different))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hashes", metavar="FILE", help="write the bits of all results")
    parser.add_argument("--compare", metavar="FILE", help="print the cases whose bits are not those of FILE")
    parser.add_argument("--examples", metavar="FOLDER", default=programs.BUILT, help="where the C++ examples are")
    parser.add_argument("--measure", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--flip", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        measure(asked.measure, asked.flip)
    elif asked.hashes:
        Path(asked.hashes).write_text(json.dumps(hashes(Path(asked.examples)), indent=1), encoding="utf-8")
    elif asked.compare:
        return compare(json.loads(Path(asked.compare).read_text(encoding="utf-8")), hashes(Path(asked.examples)))
    else:
        record(Path(asked.examples))
    return 0


if __name__ == "__main__":
    sys.exit(main())
