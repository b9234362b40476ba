# SPDX-License-Identifier: BSD-3-Clause
"""Who is told of the iterations of a fit, and who may end it: callbacks, the log, the clock."""

import functools
import logging
import math
import numbers
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from gramian._validation import check_real, is_true, refused
from gramian.models._shared.callbacks import FitTasks, tasks_of, with_callbacks
from gramian.models._shared.checkpoint import FitCheckpoint, checkpoint_of
from gramian.optim import Iteration

FitT = TypeVar("FitT", bound=Callable[..., Any])

_logger = logging.getLogger("gramian")

_REASONS = {"gradient": "tol", "value": "tol", "max_iterations": "max_iter"}
"""Why a fit ends, by the names of the parameters that say so; what is not here has one name in the engine and here."""


class Watch:
    """
    One fit as it is seen from outside. The engine calls it after each iteration, and stops if it returns False.

    Time counts from its construction, so that of several starts, and of a search before them, all count together.
    """

    def __init__(
        self,
        estimator: Any,
        tasks: FitTasks | None = None,
        within: "Watch | None" = None,
        checkpoint: FitCheckpoint | None = None,
    ) -> None:
        self.owner = type(estimator).__name__
        self.max_time = _check_max_time(getattr(estimator, "max_time", None), self.owner)
        self._end = math.inf if self.max_time is None else time.monotonic() + self.max_time
        if within is not None:
            self._end = min(self._end, within._end)
        self._callback = _check_callback(getattr(estimator, "callback", None), self.owner)
        self._verbose = _check_verbose(getattr(estimator, "verbose", 0), self.owner)
        self._tasks = tasks
        self.checkpoint = checkpoint
        self.stopped_by = ""
        """Who asked for the end: "callback", "max_time", or nobody."""

    @property
    def observer(self) -> Any:
        """
        What the engine is given: this, or the seconds that are left if nobody else wants to know, or None.

        Without a function of Python to call, the engine trains starts side by side. With a checkpoint, a pair.
        """
        if self._callback is not None or self._verbose or self._tasks is not None:
            return self._with_checkpoint(self)
        return self.clock

    @property
    def clock(self) -> Any:
        """What the engine is given for a search that only the clock may end."""
        return self._with_checkpoint(None if self._end == math.inf else self.seconds_left)

    @property
    def deadline(self) -> Any:
        """
        The same for a search that is short enough to be done again where a checkpoint goes on.

        It has to come out the same then, and the clock does not end it.
        """
        return None if self._end == math.inf or self.checkpoint is not None else self.seconds_left

    def settled(self, seed: int) -> int:
        """Return the seed of the fit that a checkpoint goes on with, or else this one."""
        return seed if self.checkpoint is None else int(self.checkpoint.engine.settled(seed))

    def _with_checkpoint(self, observer: Any) -> Any:
        return observer if self.checkpoint is None else (observer, self.checkpoint.engine)

    @property
    def seconds_left(self) -> float:
        """The time until the fit has to end; infinity if it may take any time."""
        return max(0.0, self._end - time.monotonic())

    def __call__(self, *facts: Any) -> bool:
        """Pass on one iteration; return whether to go on."""
        iteration = Iteration(*facts)
        if self._verbose and iteration.number % self._verbose == 0:
            say("%s: iteration %d, objective %.9g, gradient %.3g", self.owner, *facts[:3])
        # Each of them is asked, whatever the others say.
        asked = [self._callback is not None and is_true(self._callback(iteration))]
        asked.append(self._tasks is not None and self._tasks.iteration(iteration.number))
        if any(asked):
            self.stopped_by = "callback"
        elif self.is_late():
            self.stopped_by = "max_time"
        return not self.stopped_by

    def tell_of_end(self, fitted: Any) -> None:
        """Say why and where the fit ended, if somebody wants to read of it; fitted: the estimator."""
        if self._verbose:
            facts = fitted.n_iter_, fitted.stop_reason_, fitted.objective_
            say("%s: ended after %d iterations by %s, objective %.9g", self.owner, *facts)

    def is_late(self) -> bool:
        """Tell whether the time is over."""
        return time.monotonic() >= self._end

    def reason(self, engine: str) -> str:
        """Return why a training ended, by the names of the parameters, from the engine's name of it."""
        # Where nobody said stop, the engine has watched the clock itself.
        return self.stopped_by or "max_time" if engine == "observer" else _REASONS.get(engine, engine)


def watched(fit: FitT) -> FitT:
    """Let a fit have a watch, `self._watch`, for as long as it runs; callbacks of scikit-learn hear of the fit too."""

    @functools.wraps(fit)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        checkpoint = checkpoint_of(self, fit, args, kwargs)
        tasks = tasks_of(self, fit, args, kwargs)
        watch = self._watch = Watch(self, tasks, checkpoint=checkpoint)
        try:
            fitted = fit(self, *args, **kwargs)
        finally:
            del self._watch
        watch.tell_of_end(fitted)
        if checkpoint is not None:
            checkpoint.end()
        if tasks is not None:
            tasks.end()
        return fitted

    return cast(FitT, with_callbacks(run))


def say(message: str, *values: Any) -> None:
    """Log at level INFO; where nobody has configured that level, write to stderr, so that it is seen."""
    if _logger.hasHandlers() and _logger.isEnabledFor(logging.INFO):
        _logger.info(message, *values)
    elif _logger.level <= logging.INFO and sys.stderr is not None:
        # A handler of our own would say all twice as soon as somebody configures the root logger.
        sys.stderr.write(message % values + "\n")
        sys.stderr.flush()


def _check_callback(callback: Any, owner: str) -> Callable[[Iteration], Any] | None:
    if callback is not None and not callable(callback):
        raise refused("callback", owner, "callable or None", callback, TypeError)
    return callback  # type: ignore[no-any-return]


def _check_verbose(verbose: Any, owner: str) -> int:
    if not isinstance(verbose, numbers.Integral | np.bool_) or verbose < 0:
        raise refused("verbose", owner, "an integer of at least 0", verbose)
    return int(verbose)


def _check_max_time(max_time: Any, owner: str) -> float | None:
    return None if max_time is None else check_real(max_time, "max_time", owner)
