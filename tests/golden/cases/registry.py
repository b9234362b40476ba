# SPDX-License-Identifier: BSD-3-Clause
"""The list that cases enter, and what they have in common."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Results = dict[str, Any]

CASES: dict[str, Callable[[], Results]] = {}


def add(name: str, compute: Callable[..., Results], *arguments: Any, **options: Any) -> None:
    """Enter a case: what it computes by name, with the arguments that it is computed with."""
    if name in CASES:
        raise ValueError(f"{name} is there twice")

    def case() -> Results:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of iterations that were too few, which is what keeps cases short
            return flat(compute(*arguments, **options))

    CASES[name] = case


def case(compute: Callable[[], Results]) -> Callable[[], Results]:
    """Enter a function under its own name."""
    add(compute.__name__, compute)
    return compute


def flat(results: Mapping[str, Any]) -> Results:
    """Lists as an array for each entry; None and what is no array left out."""
    found: Results = {}
    for name, value in results.items():
        parts = (
            {f"{name}[{i}]": part for i, part in enumerate(value)} if isinstance(value, list | tuple) else {name: value}
        )
        found.update({key: np.asarray(part) for key, part in parts.items() if part is not None})
    return found


def learned(model: Any, *names: str) -> Results:
    """Attributes of a fitted model that it has; of a search the mean scores."""
    found = {name: getattr(model, name) for name in names if getattr(model, name, None) is not None}
    if "cv_results_" in found:
        found["mean_test_score"] = found.pop("cv_results_")["mean_test_score"]
    return found


def course(model: Any) -> Results:
    """The values of the history, and why it ended."""
    return {"history": model.history_["value"], "stop_reason": str(model.stop_reason_), "n_iter": int(model.n_iter_)}
