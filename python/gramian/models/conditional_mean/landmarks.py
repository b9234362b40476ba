# SPDX-License-Identifier: BSD-3-Clause
"""Conditional mean embeddings in the span of landmarks, of samples in memory."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gramian import _core
from gramian._validation import FLOAT64, FloatArray, check_whole, is_sparse, refused
from gramian.kernels import Kernel
from gramian.models._shared.counted import without_zeros
from gramian.models._shared.landmarks import CHOICES, IndexArray, Switch, given_rows, is_automatic, is_count
from gramian.models._shared.parts import in_rows
from gramian.models._shared.samples import as_points, rows_of, source
from gramian.models.conditional_mean.outputs import Outputs
from gramian.models.conditional_mean.selection import Selection

SWITCH = Switch(most_exact=10_000, per_root=10, most=3000, stored=1.5)
"""When landmarks="auto" leaves all samples."""


def are_vectors(kernel: Any, outputs: Outputs) -> bool:
    """Tell whether both kernels see points, which landmarks need."""
    return isinstance(kernel, Kernel) and isinstance(outputs.kernel, Kernel)


def chosen_rows(model: Any, vectors: bool, n: int, weights: FloatArray | None = None) -> IndexArray | None:
    """Return the rows that are landmarks, in ascending order, or None for all of n; none of them has the weight 0."""
    given, owner = model.landmarks, model._owner
    if given is None or (is_automatic(given) and not vectors):
        return None
    if not vectors:
        raise ValueError(
            f"landmarks of {owner} need inputs and outputs that are vectors or labels, and kernels of "
            f"gramian.kernels: set landmarks=None."
        )
    counts = np.arange(n) if weights is None else np.flatnonzero(weights)
    if is_automatic(given):
        count = model._switch.landmarks_of(len(counts))
        return None if count is None else drawn_rows(counts, count, model._seed)
    return required_rows(model, counts, n)


def required_rows(model: Any, counts: IndexArray, n: int, seed: Callable[[], int] | None = None) -> IndexArray:
    """Return the rows that are asked for, of those that count; seed: called if any are drawn."""
    given, owner = model.landmarks, model._owner
    if is_automatic(given):
        return drawn_rows(counts, model._switch.landmarks_of(len(counts), 0), seed or model._seed)
    if isinstance(given, str):
        raise refused("landmarks", owner, CHOICES, given)
    if is_count(given):
        return drawn_rows(counts, check_whole(given, "landmarks", owner, len(counts)), seed or model._seed)
    rows = given_rows(given, n, owner)
    if not np.isin(rows, counts).all():
        raise ValueError(f"The 'landmarks' parameter of {owner} has rows whose sample_weight is 0.")
    return rows


def drawn_rows(counts: IndexArray, count: int, seed: Callable[[], int]) -> IndexArray:
    """Return rows that are drawn evenly, in ascending order."""
    return np.sort(np.random.default_rng(seed()).choice(counts, count, replace=False)).astype(np.int64)


def vectors_of(outputs: Outputs) -> FloatArray | None:
    """Return outputs that have a mean as rows of numbers."""
    if not outputs.numeric or is_sparse(outputs.samples):
        return None
    return np.ascontiguousarray(as_points(outputs.samples), dtype=FLOAT64)


def learn(found: Selection, samples: Any, outputs: Outputs, rows: IndexArray, weights: FloatArray | None) -> Any:
    """Return what is learned in the span of landmarks, by the names of the attributes."""
    counts = np.arange(samples.shape[0]) if weights is None else np.flatnonzero(weights)
    weights, (samples, given) = without_zeros(weights, samples, outputs.samples)
    outputs = outputs._replace(samples=given)
    weights = None if weights is None else weights / weights.mean()
    kernel, points = source(found.kernel, samples)
    landmarks = in_rows(source(found.kernel, rows_of(samples, np.searchsorted(counts, rows)))[1])
    fit = _core.conditional_mean.fit_landmarks(
        kernel,
        in_rows(points),
        landmarks,
        None if weights is None else weights[:, None],
        vectors_of(outputs),
        _core.conditional_mean.Options(lambda_=found.penalty),
    )
    kept = rows[fit.pivots]
    return {
        "factor_": fit.factor,
        "dual_coef_": fit.coefficients,
        "X_fit_": rows_of(samples, np.searchsorted(counts, kept)).copy(),
        "landmarks_": kept,
        "Y_fit_": outputs.samples,
        "jitter_": 0.0,
        "_samples": samples.copy(),
        "_mixing": None,
        "_roots": None if weights is None else np.sqrt(weights),
    }
