# SPDX-License-Identifier: BSD-3-Clause
"""The ways to learn from many rows: of gramian, of scikit-learn, and a Falkon in torch."""

from __future__ import annotations

import itertools
import math
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bench.large.sets import Task

TOLERANCE = 1e-4
"""Of the iterations: the error on test rows no longer changes below it."""
SCREENING_ROWS = 30_000
SCREENING_STEPS = 150


@dataclass(frozen=True)
class Fitted:
    """What came out of a way: predictions of rows, and what is worth telling."""

    predict: Callable[[Any], Any]
    facts: dict[str, Any] = field(default_factory=dict)


def gaussian(task: Task, length: float) -> float:
    """Length scale from one in units of the root of the number of features."""
    return length * math.sqrt(task.X.shape[1])


def landmarks(task: Task, length: float, penalty: float, m: int, dtype: str = "float32") -> Fitted:
    """Of gramian: the span of m rows drawn at random."""
    return _ours(task, length, penalty, solver="landmarks", landmarks=min(m, len(task.y)), dtype=dtype)


def exact(task: Task, length: float, penalty: float, most: int = 300, dtype: str = "float32") -> Fitted:
    """Of gramian: all rows, by conjugate gradients."""
    return _ours(task, length, penalty, solver="cg", dtype=dtype, max_iter=most)


def nystroem(task: Task, length: float, penalty: float, m: int) -> Fitted:
    """Of scikit-learn: features from m rows, ridge regression on them."""
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline

    features = Nystroem(gamma=_gamma(task, length), n_components=min(m, len(task.y)), random_state=0)
    ridge = Ridge(alpha=penalty * len(task.y), fit_intercept=False, copy_X=False)
    return Fitted(make_pipeline(features, ridge).fit(task.X, task.y).predict)


def sklearn_exact(task: Task, length: float, penalty: float) -> Fitted:
    """Of scikit-learn: all rows, by Cholesky."""
    from sklearn.kernel_ridge import KernelRidge

    model = KernelRidge(alpha=penalty * len(task.y), kernel="rbf", gamma=_gamma(task, length))
    return Fitted(model.fit(task.X, task.y).predict)


def trees(task: Task, seconds: float) -> Fitted:
    """Histogram gradient boosting: settings tried for a third of the processor seconds, steps for the rest."""
    start = time.process_time()
    sample = task.held_out(SCREENING_ROWS, SCREENING_ROWS // 4)
    tried: list[tuple[float, dict[str, Any]]] = []
    for settings in _settings_of_trees():
        model = _boosting(task, {**settings, "max_iter": SCREENING_STEPS})
        model.fit(sample.X, _labels(sample))
        tried.append((sample.error(_as_columns(sample, model.predict(sample.X_test))), settings))
        if time.process_time() - start > seconds / 3:
            break
    settings = min(tried, key=lambda one: one[0])[1]
    steps = []
    for count in (2, 12):  # binning is paid once
        begun = time.process_time()
        _boosting(task, {**settings, "max_iter": count, "early_stopping": False}).fit(task.X, _labels(task))
        steps.append(time.process_time() - begun)
    once = max((steps[1] - steps[0]) / 10, 1e-4)
    most = int(np.clip((start + seconds - time.process_time() - steps[0]) / once, 20, 5000))
    final = _boosting(task, {**settings, "max_iter": most}).fit(task.X, _labels(task))
    facts = {"iterations": int(final.n_iter_), "settings": settings, "settings_tried": len(tried)}
    return Fitted(lambda X: _as_columns(task, final.predict(X)), facts)


def falkon(task: Task, length: float, penalty: float, m: int) -> Fitted:
    """In torch, as it is printed in its paper."""
    from bench.large.falkon import fit

    rows = np.random.default_rng(0).choice(len(task.y), min(m, len(task.y)), replace=False)
    return Fitted(*fit(task.X, task.y, task.X[rows], gaussian(task, length), penalty))


def _ours(task: Task, length: float, penalty: float, **options: Any) -> Fitted:
    import gramian

    moments: list[float] = []

    def watch(_: Any) -> bool:
        moments.append(time.process_time())
        return False

    kernel = gramian.kernels.Gaussian(length_scale=gaussian(task, length))
    model = gramian.KernelRidge(
        penalty * len(task.y), kernel=kernel, tol=TOLERANCE, callback=watch, random_state=0, **options
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the residual is in the table
        model.fit(task.X, task.y)
    facts = {"iterations": model.n_iter_, "residual": model.residual_, "stop_reason": model.stop_reason_}
    if len(moments) > 2:
        facts["iteration_seconds"] = float(np.median(np.diff(moments)))
    return Fitted(model.predict, facts)


def _gamma(task: Task, length: float) -> float:
    return 0.5 / gaussian(task, length) ** 2


def _settings_of_trees() -> list[dict[str, Any]]:
    """The defaults, then all combinations, in a random order that is always the same."""
    rates, leaves, sizes, ridges = (0.05, 0.1, 0.2), (31, 127, 511), (5, 20), (0.0, 1.0)
    names = ("learning_rate", "max_leaf_nodes", "min_samples_leaf", "l2_regularization")
    grid = [dict(zip(names, one, strict=True)) for one in itertools.product(rates, leaves, sizes, ridges)]
    return [{}, *(grid[i] for i in np.random.default_rng(0).permutation(len(grid)))]


def _boosting(task: Task, settings: dict[str, Any]) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    model = HistGradientBoostingClassifier if task.classes else HistGradientBoostingRegressor
    return model(**{"early_stopping": True, "random_state": 0, **settings})


def _labels(task: Task) -> Any:
    return task.y.argmax(axis=1) if task.y.ndim == 2 else task.y


def _as_columns(task: Task, predicted: Any) -> Any:
    return np.eye(task.y.shape[1])[predicted] if task.y.ndim == 2 else predicted


WAYS: dict[str, Callable[..., Fitted]] = {
    "landmarks": landmarks,
    "exact": exact,
    "nystroem": nystroem,
    "sklearn_exact": sklearn_exact,
    "trees": trees,
    "falkon": falkon,
}
