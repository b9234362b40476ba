# SPDX-License-Identifier: BSD-3-Clause
"""Callbacks of scikit-learn, which has them from version 1.9 on: progress bars, monitors, early stopping."""

import inspect
import numbers
from collections.abc import Callable
from typing import Any

try:
    from sklearn.callback import with_callbacks
except ImportError:  # before 1.9

    def with_callbacks(method: Any) -> Any:
        """Return the method as it is."""
        return method


__all__ = ["FitTasks", "tasks_of", "with_callbacks"]


class FitTasks:
    """
    The tree of tasks that scikit-learn's callbacks see: the fit, its starts if there are several, and their iterations.

    The engine reports an iteration when it has ended, so the task of an iteration begins and ends there.
    """

    def __init__(self, estimator: Any, data: dict[str, Any]) -> None:
        self._estimator, self._data = estimator, data
        self._iterations = _count(estimator._planned_iterations())
        starts = _count(getattr(estimator, "n_init", 1)) or 1
        self._fit = estimator._init_callback_context(max_subtasks=starts if starts > 1 else self._iterations)
        self._several = starts > 1
        self._start = self._fit
        self._last = 0
        self._fit.call_on_fit_task_begin(estimator=estimator, **data)

    def iteration(self, number: int) -> bool:
        """Tell of an iteration; return whether a callback asked to stop."""
        if self._several and (self._start is self._fit or number <= self._last):
            self._next_start()
        self._last = number
        task = self._start.subcontext(task_name="iteration")
        task.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        return bool(task.call_on_fit_task_end(estimator=self._estimator, **self._data))

    def end(self) -> None:
        """Tell of the end of the fit; the estimator is fitted."""
        self._end_start()
        # scikit-learn copies the estimator, which has all that was learned, and adds these attributes: none.
        self._fit.call_on_fit_task_end(estimator=self._estimator, reconstruction_attributes={}, **self._data)

    def _next_start(self) -> None:
        self._end_start()
        self._start = self._fit.subcontext(task_name="start", max_subtasks=self._iterations)
        self._start.call_on_fit_task_begin(estimator=self._estimator, **self._data)

    def _end_start(self) -> None:
        if self._start is not self._fit:
            self._start.call_on_fit_task_end(estimator=self._estimator, **self._data)


def tasks_of(estimator: Any, fit: Callable[..., Any], args: Any, kwargs: Any) -> FitTasks | None:
    """Return the tasks of a fit that is called with these arguments; None if no callback was set."""
    if not getattr(estimator, "_skl_callbacks", None):
        return None
    given = dict(inspect.signature(fit).bind(estimator, *args, **kwargs).arguments)
    X, y = given.pop("X", None), given.pop("y", None)
    del given["self"]
    return FitTasks(estimator, {"X": X, "y": y, "metadata": given or None})


def _count(value: Any) -> int | None:
    """Return a number of tasks; None, which scikit-learn reads as unknown, for what is not a number."""
    return max(0, int(value)) if isinstance(value, numbers.Integral) else None
