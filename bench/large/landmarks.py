# SPDX-License-Identifier: BSD-3-Clause
"""`python -m bench.large.landmarks`: which rows to take as landmarks, by the error of a ridge regression on them."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import get_args

import numpy as np

SETS = {"kin40k": 0.5, "california": 0.35, "protein": 0.25, "skin": 0.2, "covtype": 0.15}
"""The length of the kernel over the root of the number of columns: about that of other runs."""
PENALTY = 1e-6
ROWS = 50_000
DRAWS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.large.landmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="set", help=f"of {', '.join(SETS)}; default: all")
    parser.add_argument("--counts", type=int, nargs="+", default=[100, 500, 2000], help="of landmarks")
    options = parser.parse_args(arguments)
    from gramian.landmarks import Method

    methods = get_args(Method)
    print("| Set | Landmarks |" + "".join(f" `{method}` |" for method in methods))
    print("|---|---|" + "---|" * len(methods))
    for name in options.names or SETS:
        for count in options.counts:
            cells = [measure(name, count, method) for method in methods]
            print(f"| {name} | {count} |" + "".join(f" {cell} |" for cell in cells), flush=True)
    return 0


def measure(name: str, count: int, method: str) -> str:
    """Return the mean error on the test rows, and the processor seconds of a choice of landmarks."""
    import gramian
    from gramian.kernels import Gaussian

    from bench.large.sets import load

    task = load(name).first(ROWS)
    kernel = Gaussian(length_scale=SETS[name] * np.sqrt(task.X.shape[1]))
    errors, seconds = [], []
    for draw in range(DRAWS):
        before = time.process_time()
        rows = gramian.landmark_rows(kernel, task.X, count, method=method, random_state=draw)
        seconds.append(time.process_time() - before)
        model = gramian.KernelRidge(alpha=PENALTY * len(task.y), kernel=kernel, landmarks=rows).fit(task.X, task.y)
        errors.append(task.error(model.predict(task.X_test)))
    return f"{np.mean(errors):.4f} ({np.median(seconds):.2g} s)"


if __name__ == "__main__":
    raise SystemExit(main())
