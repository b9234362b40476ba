# SPDX-License-Identifier: BSD-3-Clause
"""From the parameters of an embedding classifier to one call of the engine, and back to kernels."""

import copy
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import (
    FLOAT64,
    LARGEST,
    FloatArray,
    check_choice,
    check_reals,
    check_whole,
    is_sparse,
    refused,
)
from gramian.features import Features
from gramian.kernels import Gaussian, Kernel, Linear
from gramian.kernels.choice import OpenKernel, is_function
from gramian.kernels.composite import Scaled
from gramian.kernels.lowering import relevances
from gramian.models._shared.duration import fewer_supports, tell_of_duration
from gramian.models._shared.landmarks import CHOICES, is_automatic, merged_rows
from gramian.models._shared.parameters import OneOf, Real, Table, Whole
from gramian.models._shared.samples import check_kernel
from gramian.models._shared.search import refuse_grids
from gramian.models._shared.weighted import Merged, order_of_samples
from gramian.models._shared.words import ridge_called
from gramian.models.embedding.sample import Drawn
from gramian.points import check_points

ADAM = _core.embedding.Adam()
PATIENCE = ADAM.patience or _core.optim.Patience()
_SPLITTING = ("validation", "cv")
BY_GRADIENTS = ("validation", "rademacher", "erm")
"""The ways to learn that search from a start."""


class Parts(NamedTuple):
    """What is evaluated on points: a kernel, features, or a kernel on features."""

    kernel: Any
    """One of gramian.kernels, one whose width is open until `decided`, or None."""
    features: Any
    dimension: int

    @property
    def kernel_spec(self) -> Any:
        """What the binding takes."""
        if self.kernel is None:
            return None
        return self.kernel._lower(None if self.features is not None else self.dimension).spec

    @property
    def features_spec(self) -> Any:
        """What the binding takes."""
        return None if self.features is None else self.features._lower(self.dimension)

    def decided(self, X: Any, seed: int) -> "Parts":
        """Return them with the width that the name of a kernel leaves open: by samples, or by features of these."""
        if not isinstance(self.kernel, OpenKernel):
            return self
        if self.features is not None:
            X = self.features.transform(X, self.features.initial_parameters(self.dimension, seed))
        return self._replace(kernel=self.kernel.on(X))


def check_parts(estimator: Any, X: Any) -> Parts:
    """Return what the parameters say."""
    features, owner = estimator.features, type(estimator).__name__
    if estimator._precomputed or estimator._has_function:
        for name in ("features", "landmarks"):
            given = getattr(estimator, name)
            if given is not None and not (name == "landmarks" and is_automatic(given)):
                raise ValueError(
                    f"{owner} has no {name} with kernel={estimator.kernel!r}: that needs samples with coordinates."
                )
    kernel = None if estimator.kernel is None else check_kernel(estimator.kernel, "kernel", owner)
    if isinstance(kernel, str) or is_function(kernel):
        kernel = Linear()  # on coordinates that have these inner products
    if features is not None and not isinstance(features, Features):
        raise refused("features", owner, "None or one of gramian.features", features, TypeError)
    _check_learnable(estimator.learn, kernel, features, owner)
    return Parts(copy.deepcopy(kernel), features, int(X.shape[1]))


def _check_learnable(learn: Any, kernel: Any, features: Any, owner: str) -> None:
    if features is None or not isinstance(learn, str):
        return
    if learn == "cv":
        raise ValueError(
            f"learn='cv' of {owner} has no grid for features: take another way to learn, such as learn='validation'."
        )
    if learn == "median" and (kernel is None or kernel == Linear()):
        raise ValueError(
            f"learn='median' of {owner} sets length scales, and a linear kernel on features has none: give a kernel, "
            f"or take another way to learn."
        )


PARAMETERS: Table = {
    "risk": OneOf(tuple(_core.embedding.Risk.__members__), engine="risk"),
    "clip": Real(engine="epsilon", below=1.0),
    "probabilities": OneOf(tuple(_core.embedding.Probabilities.__members__), engine="probabilities"),
    "penalty": Real(engine="lambda_"),
    "sensitivity": Real(engine="sensitivity", optional=True),
    "memory_budget": Whole(engine="memory_budget", optional=True),
    "solver": OneOf(("adam", "lbfgs")),
    "learning_rate": Real(),
    "max_iter": Whole(),
    "tol": Real(zero=True),
    "patience": Whole(),
    "tau": Real(zero=True, optional=True),
    "learn": OneOf(("validation", "rademacher", "erm", "cv", "median", None)),
    "validation_fraction": Real(below=1.0),
    "cv": Whole(),
}
"""The parameters of an embedding classifier; those without an engine name are of its way to learn, or of its solver."""


def fit_options(estimator: Any, drawn: Drawn, landmarks: Any, seed: int) -> _core.embedding.Options:
    """Return the engine's options, after checking the kinds of the parameters."""
    n = len(drawn.labels) if drawn.weights is None else int(np.count_nonzero(drawn.weights))
    learn = None if estimator.learn is None else estimator._checked("learn")
    if n < 2 and learn in _SPLITTING:
        learn = None  # of one distinct sample nothing can be held out, and so nothing is learned
    # What a search of batches learns is multiplied by their share of all samples.
    batch = _batch_size(estimator, n, learn) if estimator._continues() else 0
    start = {"lambda_": estimator.penalty_ * (n / batch if 0 < batch < n else 1.0)} if estimator._continues() else {}
    return _core.embedding.Options(
        **{**estimator._options(), **start},
        learning=_learning(estimator, n, learn),
        landmarks=[] if landmarks is None else landmarks.tolist(),
        seed=seed,
        keep_samples=estimator._precomputed or estimator._has_function,  # of which predictions are given inner products
    )


def _learning(estimator: Any, n: int, learn: str | None) -> Any:
    """Return one of the engine's ways to learn."""
    owner, ways = type(estimator).__name__, _core.embedding
    solver = _solver(estimator, n, learn)
    grids = {
        "lambda_grid": _numbers(estimator.penalties, "penalties", owner),
        "scale_grid": _numbers(estimator.length_scale_factors, "length_scale_factors", owner),
    }
    if learn != "cv":
        refuse_grids(estimator, ("penalties", "length_scale_factors"))
    tau = {} if estimator.tau is None else {"tau": estimator._checked("tau")}
    if learn == "validation":
        return ways.ValidationSearch(fraction=estimator._checked("validation_fraction"), solver=solver, **tau)
    if learn in ("rademacher", "erm"):
        return ways.RiskSearch(solver=solver, **({"tau": 0.0} if learn == "erm" else tau))
    if learn == "cv":
        given: dict[str, Any] = {name: numbers for name, numbers in grids.items() if numbers}
        return ways.GridSearch(folds=min(_folds(estimator), n), **given, **tau)  # merged samples may be few
    return (ways.AsGiven if learn is None else ways.MedianLengths)(**tau)


def _solver(estimator: Any, n: int, learn: str | None) -> Any:
    name, batch, steps, tolerance, rate, window = (
        estimator._checked("solver"),
        _batch_size(estimator, n, learn),
        *(estimator._checked(name) for name in ("max_iter", "tol", "learning_rate", "patience")),
    )
    if name == "adam":
        patience = _core.optim.Patience(tolerance=tolerance, window=window, average=PATIENCE.average)
        return _core.embedding.Adam(max_iterations=steps, step=rate, patience=patience, batch_size=batch)
    if batch > 0:
        owner = type(estimator).__name__
        raise ValueError(f"solver='lbfgs' of {owner} needs the whole objective: batch_size must be None or 'auto'.")
    return _core.embedding.Lbfgs(max_iterations=steps, value_tolerance=tolerance)


def _folds(estimator: Any) -> int:
    count: int = estimator._checked("cv")
    if count < 2:
        owner = type(estimator).__name__
        raise refused("cv", owner, "at least 2", estimator.cv)
    return count


def _batch_size(estimator: Any, n: int, learn: str | None) -> int:
    owner, batch = type(estimator).__name__, estimator.batch_size
    if isinstance(batch, str):
        check_choice(batch, "batch_size", owner, ("auto",))
        draws = learn == "validation" and estimator.solver == "adam"
        return ADAM.automatic_batch(n) if draws else 0
    return 0 if batch is None else min(check_whole(batch, "batch_size", owner, LARGEST), n)


def _numbers(value: Any, name: str, owner: str) -> list[float]:
    return [] if value is None or np.shape(value) == (0,) else check_reals(value, name, owner)


def asked_landmarks(estimator: Any, parts: Parts, merged: Merged) -> Any:
    """Return the landmarks of the parameter, a number of them, or None for all samples."""
    landmarks = estimator.landmarks
    if not is_automatic(landmarks):
        return landmarks
    if estimator._precomputed or estimator._has_function or _in_coordinates(parts, merged.X):
        return None
    budget = None if estimator.memory_budget is None else estimator._checked("memory_budget")
    return estimator._switch.landmarks_of(len(merged.labels), budget)


def _in_coordinates(parts: Parts, X: Any) -> bool:
    """Tell whether systems are those of explicit features, which landmarks have no part in."""
    kernel = parts.kernel
    if parts.features is not None:
        return kernel is None or (isinstance(kernel, Kernel) and kernel._traits.inner_product)
    return isinstance(kernel, Kernel) and kernel._traits.explicit_features and not is_sparse(X) and X.shape[1] < len(X)


def choose_rows(landmarks: Any, merged: Merged, seed: int, owner: str) -> npt.NDArray[np.int64] | None:
    """Return rows of the merged samples that support the classifier, ascending; None for all of them."""
    n = len(merged.labels)
    if landmarks is None:
        return None
    if isinstance(landmarks, str):
        raise refused("landmarks", owner, CHOICES, landmarks)
    if np.ndim(landmarks) == 0:
        count = min(check_whole(landmarks, "landmarks", owner, LARGEST), n)
        return np.sort(np.random.default_rng(seed).permutation(n)[:count])
    return merged_rows(landmarks, merged.place, owner)


def train(
    estimator: Any, drawn: Drawn, classes: int, parts: Parts, options: _core.embedding.Options
) -> tuple[_core.embedding.Fit, FloatArray]:
    """Call the engine; return what it has learned, and the coefficients of distinct samples."""
    points = check_points(drawn.X, "X").crossing(FLOAT64)
    labels, specs = np.ascontiguousarray(drawn.labels), (parts.kernel_spec, parts.features_spec)
    theta, observer = estimator.theta_.tolist() if estimator._continues() else [], estimator._watch.observer
    _tell_of_duration(estimator, len(labels), len(options.landmarks), parts, drawn.X)
    with ridge_called("penalty"):
        found = _core.embedding.fit(points, labels, classes, drawn.weights, *specs, options, theta, observer)
    model = found.model
    of_samples = model.has_kernel and not model.of_unit_vectors and not options.landmarks
    return found, drawn.together(model.weights) if of_samples else model.weights


def _tell_of_duration(estimator: Any, n: int, landmarks: int, parts: Parts, X: Any) -> None:
    """Warn of a long embedding of all samples at the end."""
    if not _in_coordinates(parts, X):
        work = float(n) * landmarks**2 if landmarks else float(n) ** 3 / 3
        tell_of_duration(estimator, n, work, fewer_supports(estimator, not landmarks))


def expansion(
    model: _core.embedding.Model, samples: Merged, rows: Any, coefficients: FloatArray
) -> tuple[Any, FloatArray, FloatArray | None]:
    """
    Return what the kernel is evaluated against, the coefficients of it, and its weights if all samples support it.

    These are samples in the order of X, or unit vectors for a linear kernel in its coordinates; none without a kernel.
    """
    if not model.has_kernel:
        return None, coefficients, None
    if model.of_unit_vectors:
        return np.eye(samples.X.shape[1]), coefficients, None
    order = order_of_samples(samples.place, len(samples.labels), rows)
    supports = samples.X[order if rows is None else rows[order]]
    # Landmarks stand for all samples alike.
    weights = None if rows is not None or samples.weights is None else samples.weights[order]
    return supports, coefficients[order], weights


def learned_kernel(parts: Parts, model: _core.embedding.Model, X: Any) -> Kernel | None:
    """Return the kernel with the engine's parameters; None for explicit features."""
    if not model.has_kernel:
        return None
    numbers = model.kernel_parameters
    if parts.kernel is not None:
        dimension = parts.dimension if parts.features is None else None
        return cast(Kernel, parts.kernel)._with_numbers(numbers, dimension)
    factor, gamma, *lengths = numbers
    return Scaled(factor, Gaussian(gamma=gamma) if is_sparse(X) else Gaussian(length_scale=np.array(lengths)))


def relevances_of(parts: Parts, kernel: Any) -> FloatArray | None:
    """Return those of the features of X; None if the kernel has one width for all, or acts on other features."""
    own = isinstance(kernel, Kernel) and parts.features is None
    return relevances(kernel._lower(parts.dimension).spec) if own else None
