# SPDX-License-Identifier: BSD-3-Clause
"""
`python -m bench.serving_table`: measures predictions of one row and of many, and writes the table of docs/serving.md.

Times are processor time, which other programs on the machine change little, and each library has one thread. Answers
are checked before anything is timed.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before the libraries are loaded

import importlib.metadata  # noqa: E402  (behind the line above)
import time  # noqa: E402
from pathlib import Path  # noqa: E402

from bench.machine import cpu_model  # noqa: E402
from bench.measure import check_answers  # noqa: E402
from bench.registry import OURS  # noqa: E402
from bench.rows import serving  # noqa: E402

PAGE = Path(__file__).resolve().parents[1] / "docs" / "serving.md"
BEGIN, END = "<!-- begin: python -m bench.serving_table -->\n", "<!-- end -->\n"
SIZES, FEATURES, ROWS, ROUNDS = (1000, 5000), 8, 100_000, 5
PACKAGES = ("scikit-learn", "onnxruntime", "skl2onnx", "torch")
NAMES = {
    OURS: "gramian: `ConditionalMeanEmbedding.predict`",
    "gramian in C": "gramian: `gramian_predict`, called by ctypes",
    "KernelRidge": "scikit-learn: `KernelRidge`",
    "GaussianProcessRegressor": "scikit-learn: `GaussianProcessRegressor`",
    "SVC": "scikit-learn: `SVC`, another function of as many samples as it needs",
    "ONNX Runtime": "ONNX Runtime, from skl2onnx",
    "torch": "torch: a scripted module",
    "validation of scikit-learn": "only the checks of scikit-learn of one row",
}


def one_row(n: int) -> dict[str, str]:
    """Microseconds of one row, or why there are none."""
    found = serving.serving_row(n=n, d=FEATURES, clock=time.process_time)
    return {name: value if isinstance(value, str) else f"{value:.1f}" for name, value in found.items()}


def many_rows(n: int) -> dict[str, str]:
    """Milliseconds of many rows at once."""
    contest = serving.serving_batch(n=n, d=FEATURES, rows=ROWS)
    entries = contest.entries()
    calls = {name: entry.call for name, entry in entries.items() if entry.call is not None}
    check_answers(calls, contest.error_of, contest.tolerance)
    times = {name: min(_seconds(call) for _ in range(ROUNDS)) for name, call in calls.items()}
    return {name: f"{times[name] * 1e3:.0f}" if name in times else entry.note for name, entry in entries.items()}


def table() -> str:
    """The block of the page."""
    rows, many = {n: one_row(n) for n in SIZES}, many_rows(SIZES[0])
    lines = [
        f"| f(x) of n samples, {FEATURES} features | "
        + " | ".join(f"one row, n = {n}, µs" for n in SIZES)
        + f" | {ROWS:,} rows, n = {SIZES[0]}, ms |".replace(",", " ", 1),
        "|---" * (len(SIZES) + 2) + "|",
    ]
    for name, text in NAMES.items():
        lines.append(f"| {text} | " + " | ".join(rows[n].get(name, "") for n in SIZES) + f" | {many.get(name, '')} |")
    caption = (
        f"Processor time of one thread on {cpu_model()}, while other programs were running: the median of calls for\n"
        f"one row, the best of {ROUNDS} for many. {', '.join(map(_version, PACKAGES))}.\n"
    )
    return "\n".join(lines) + "\n\n" + caption


def main() -> None:
    """Write the table between the marks of the page."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(before + BEGIN + "\n" + table() + "\n" + END + after, encoding="utf-8")


def _seconds(call: serving.Call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def _version(package: str) -> str:
    try:
        return f"{package} {importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:
        return f"no {package}"


if __name__ == "__main__":
    main()
