# SPDX-License-Identifier: BSD-3-Clause
"""Width and penalty, chosen on the last rows of the training part."""

from __future__ import annotations

import math
from typing import Any

from bench.large.sets import Task
from bench.large.ways import exact, landmarks

LENGTHS = (0.03, 0.06, 0.12, 0.25, 0.5, 1.0, 2.0)
"""In units of the root of the number of features."""
PENALTIES = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
CHECKED = 5000
ROWS = {"landmarks": 20_000, "exact": 8000}
MOST_LANDMARKS = 2000


def choose(task: Task, way: str, m: int = MOST_LANDMARKS) -> dict[str, Any]:
    """
    Return the best length and penalty of a way, learned from the first rows of the training part.

    It walks: from the middle of the grid to the best neighbour in one direction after the other, until none is better.
    """
    part = task.held_out(ROWS[way], CHECKED)
    errors: dict[tuple[int, int], float] = {}

    def error(place: tuple[int, int]) -> float:
        if place not in errors:
            length, penalty = LENGTHS[place[0]], PENALTIES[place[1]]
            if way == "landmarks":
                fitted = landmarks(part, length, penalty, min(m, MOST_LANDMARKS))
            else:
                fitted = exact(part, length, penalty, most=60)
            found = part.error(fitted.predict(part.X_test))
            errors[place] = found if math.isfinite(found) else math.inf
        return errors[place]

    best = walk(error, (LENGTHS.index(0.25), PENALTIES.index(1e-6)), (len(LENGTHS), len(PENALTIES)))
    return {
        "length": LENGTHS[best[0]],
        "penalty": PENALTIES[best[1]],
        "validation_error": errors[best],
        "tried": len(errors),
        "rows": len(part.y),
        "checked": len(part.y_test),
        "available": len(task.y),
    }


def walk(error: Any, start: tuple[int, int], shape: tuple[int, int]) -> tuple[int, int]:
    """The place of a grid from which no step along an axis leads to a smaller error."""
    here, moved = start, True
    while moved:
        moved = False
        for axis in (0, 1):
            for step in (-1, 1):
                place = (here[0] + step, here[1]) if axis == 0 else (here[0], here[1] + step)
                while 0 <= place[axis] < shape[axis] and error(place) < error(here):
                    here, moved = place, True
                    place = (here[0] + step, here[1]) if axis == 0 else (here[0], here[1] + step)
    return here
