# SPDX-License-Identifier: BSD-3-Clause
"""The C++ examples: what they print, and what counts as the same."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = HERE.parents[1] / "examples/cpp"
BUILT = HERE.parents[1] / "build/venv/examples/cpp"
TEXTS = HERE / "examples"
LEVELS = ("v2", "v3", "v4")

NUMBER = re.compile(r"[-+]?\d+(?:\.(\d+))?(?:e([-+]\d+))?")


def names() -> list[str]:
    """All examples."""
    return sorted(path.stem for path in SOURCES.glob("*.cpp"))


def output(name: str, folder: Path = BUILT, threads: int = 2, level: str | None = None) -> str:
    """What an example prints, without the version and the threads."""
    variables = {**os.environ, "OMP_NUM_THREADS": str(threads), **({"GRAMIAN_ISA": level} if level else {})}
    command = [str(folder / f"example_{name}")]
    text = subprocess.run(command, env=variables, capture_output=True, text=True, check=True, timeout=60).stdout
    text = re.sub(r"gramian \d+\.\d+\.\d+", "gramian VERSION", text)
    return re.sub(r"\d+ threads \([^)]*\)", "THREADS", text)


def recorded(name: str) -> list[str]:
    """What it printed when it was recorded, for each instruction set."""
    return [(TEXTS / level / f"{name}.txt").read_text(encoding="utf-8") for level in LEVELS]


def words(text: str) -> list[str]:
    """All but the numbers."""
    return NUMBER.sub("#", text).split()


def numbers(text: str) -> list[tuple[float, float]]:
    """The numbers, each with one unit of its last place."""
    found = []
    for match in NUMBER.finditer(text):
        places = int(match[2] or 0) - len(match[1] or "")
        unit = 10.0**places if match[1] or match[2] else 0.0  # a count is exact
        found.append((float(match[0]), unit))
    return found


def complaints(old: list[str], new: str) -> list[str]:
    """
    What is wrong with an output.

    Words are those of the records. A number lies between those of the records, which differ by rounding alone, or away
    from them by no more than they are from each other, or by a unit of its last place.
    """
    if any(words(text) != words(new) for text in old):
        return [f"printed\n{new}\nin place of\n{old[0]}"]
    found = []
    for one, *others in zip(numbers(new), *map(numbers, old), strict=True):
        values, unit = [value for value, _ in others], max(unit for _, unit in others)
        low, high = min(values), max(values)
        slack = (high - low) + 1.01 * unit
        if not low - slack <= one[0] <= high + slack:
            found.append(f"printed {one[0]:g} in place of {low:g} to {high:g}")
    return found
