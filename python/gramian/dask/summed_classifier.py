# SPDX-License-Identifier: BSD-3-Clause
"""From an embedding classifier of a sample to one of all rows of dask arrays."""

import math
from typing import Any, NamedTuple

import numpy as np

from gramian import _core
from gramian._validation import FLOAT64, LARGEST, AnyArray, FloatArray, check_whole, refused
from gramian.dask.data import Training
from gramian.dask.labels import LabelCounts, labelled_sums
from gramian.dask.sample import Sample
from gramian.dask.spans import Span
from gramian.kernels.choice import PRECOMPUTED, is_function
from gramian.models._shared.class_weight import total_weights
from gramian.models._shared.landmarks import IndexArray, given_rows, is_automatic, is_count
from gramian.models._shared.weighted import merge
from gramian.models._shared.words import ridge_called
from gramian.models.embedding import EmbeddingClassifier
from gramian.models.embedding.decision import calibration_of
from gramian.points import check_points

_CHOICES = "'auto', a number of rows, or an array of row indices, for dask arrays"


class Factors(NamedTuple):
    """What weights are multiplied by, for each class."""

    by_class: FloatArray | None
    """In the order of the classes; None for 1 each."""
    by_label: dict[Any, float] | None
    """The same by their names."""


def require_landmarks(model: Any) -> None:
    """Raise an error unless a classifier has a kernel on vectors, and landmarks."""
    kernel, owner = model.kernel, type(model).__name__
    if is_function(kernel) or (isinstance(kernel, str) and kernel == PRECOMPUTED):
        raise ValueError(f"{owner} of dask arrays needs one of gramian.kernels: use fit with samples in memory.")
    if model.landmarks is None or (isinstance(model.landmarks, str) and not is_automatic(model.landmarks)):
        raise refused("landmarks", owner, _CHOICES, model.landmarks)


def asked(model: Any, n: int) -> tuple[int, IndexArray]:
    """Return how many landmarks there will be of n rows, and which ones if they are given."""
    landmarks, owner = model.landmarks, type(model).__name__
    if is_automatic(landmarks):
        switch = EmbeddingClassifier._switch
        return min(n, math.ceil(switch.per_root * math.sqrt(n)), switch.most), np.empty(0, dtype=np.int64)
    if is_count(landmarks):
        return min(n, check_whole(landmarks, "landmarks", owner, LARGEST)), np.empty(0, dtype=np.int64)
    rows = given_rows(landmarks, n, owner)
    return len(rows), rows


def all_labels(model: Any, known: LabelCounts) -> Factors:
    """Return the factors of the classes by their weights in all rows."""
    if model.class_weight is None:
        return Factors(None, None)
    own = np.arange(len(known.labels))
    if isinstance(model.class_weight, str) and model.class_weight == "balanced":
        present = known.weights > 0
        mean = known.weights.sum() / present.sum()
        factors = np.where(present, mean / np.where(present, known.weights, 1.0), 0.0)
    else:
        factors, _ = total_weights(model, own, known.labels, None, known.labels)
    return Factors(factors, dict(zip(known.labels.tolist(), factors.tolist(), strict=True)))


def finish(model: EmbeddingClassifier, sample: Sample, known: LabelCounts, data: Training) -> None:
    """Replace what a classifier has learned of a sample by what it is with this kernel for all rows."""
    classes, landmarks = model.classes_, model.landmarks_
    if landmarks is None:
        raise ValueError(f"{type(model).__name__} of dask arrays needs landmarks.")
    labels = np.searchsorted(classes, sample.y).astype(np.int64)
    weights, _ = total_weights(model, labels, classes, sample.weights, sample.X)
    merged = merge(sample.X, labels, weights)
    span = Span(model.kernel_, model.X_fit_)
    sums = labelled_sums(span, classes, _of_classes(model, classes), data)
    whole = len(sample.rows) == len(data.X)
    own_weight = float(len(merged.labels) if merged.weights is None else merged.weights.sum())
    learned = model.learn is not None and model.learn != "median"
    penalty = model.penalty_ * (own_weight / sums.weight if learned and not whole else 1.0)
    with ridge_called("penalty"):
        found = _core.embedding.fit_sums(
            span.engine,
            sums.system(),
            sums.weight,
            len(merged.labels) if whole else int(known.rows.sum()),
            check_points(merged.X, "X").crossing(FLOAT64),
            np.ascontiguousarray(merged.labels),
            merged.weights,
            _core.embedding.Options(**{**model._options(), "lambda_": penalty}),
        )
    pivots = span.engine.pivots
    order = np.argsort(pivots)
    learned_of_all = {
        "dual_coef_": found.weights[order],
        "X_fit_": model.X_fit_[pivots[order]],
        "landmarks_": sample.rows[landmarks[pivots[order]]],
        "penalty_": penalty,
        **{f"{name}_": getattr(found, name) for name in ("complexity", "risk", "sensitivity", "jitter")},
        **calibration_of(found.calibration),
        "_count": float(known.weights.sum()),
    }
    for name, value in learned_of_all.items():
        setattr(model, name, value)


def _of_classes(model: Any, classes: AnyArray) -> FloatArray | None:
    if model.class_weight is None:
        return None
    factors = [model.class_weight[label] for label in classes.tolist()]
    return np.array(factors, dtype=np.float64)
