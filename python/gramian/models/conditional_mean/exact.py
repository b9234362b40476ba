# SPDX-License-Identifier: BSD-3-Clause
"""Conditional mean embeddings without landmarks, and the data of all of them, checked."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from gramian import _core
from gramian._validation import FLOAT64, FloatArray
from gramian.models._shared.counted import roots_of, times_rows, without_zeros
from gramian.models._shared.progress import tell_of_jitter
from gramian.models._shared.samples import check_gram, check_inputs, has_points
from gramian.models.conditional_mean.landmarks import vectors_of
from gramian.models.conditional_mean.outputs import Outputs, check_outputs
from gramian.models.conditional_mean.selection import Selection, embed
from gramian.models.conditional_mean.sums import sums_up
from gramian.points import SourcePoints, is_row_source


def check_training(model: Any, probe: Any, asked: Any, asked_output: Any, X: Any, y: Any) -> tuple[Any, Outputs]:
    """Return samples, which may be read by blocks later, and outputs; the probe learns the features."""
    outputs = check_outputs(asked_output, y)
    if is_row_source(X) and has_points(asked):
        rows = SourcePoints(X, "X")
        if sums_up(model, rows, outputs):
            check_consistent_length(outputs.samples, range(rows.rows))
            probe.n_features_in_ = rows.dimension
            return rows, outputs
        X = X if isinstance(X, np.ndarray) else rows.crossing(FLOAT64)
    samples = check_inputs(probe, asked, X, ensure_min_samples=model._least_samples)
    if model._precomputed:
        check_gram(samples, "X")
    check_consistent_length(samples, outputs.gram if outputs.samples is None else outputs.samples)
    return samples, outputs


def learn_on_all(
    model: Any, found: Selection, samples: Any, outputs: Outputs, weights: FloatArray | None
) -> dict[str, Any]:
    """Return what is learned without landmarks, by the names of the attributes."""
    if outputs.samples is not None and not model._precomputed:
        weights, samples, outputs = _that_count(weights, samples, outputs)
    roots = roots_of(weights)
    embedded = embed(found, samples, roots)
    tell_of_jitter(type(model).__name__, embedded.jitter)
    dual, vectors = None, vectors_of(outputs)
    if vectors is not None:
        dual = times_rows(_core.conditional_mean.coefficients(embedded.factor, times_rows(vectors, roots)), roots)
    return {
        "factor_": embedded.factor,
        "dual_coef_": dual,
        "X_fit_": None if isinstance(found.kernel, str) else samples.copy(),
        "landmarks_": None,
        "Y_fit_": outputs.samples,
        "output_gram_": outputs.gram,
        "jitter_": embedded.jitter,
        "_roots": roots,
        "_samples": None,
        "_mixing": None,
    }


def _that_count(weights: FloatArray | None, samples: Any, outputs: Outputs) -> tuple[FloatArray | None, Any, Outputs]:
    """Return samples and outputs without those of weight 0."""
    counts = None if weights is None else np.flatnonzero(weights)
    if counts is not None and outputs.gram is not None:
        outputs = outputs._replace(gram=np.ascontiguousarray(outputs.gram[np.ix_(counts, counts)]))
    weights, (samples, given) = without_zeros(weights, samples, outputs.samples)
    return weights, samples, outputs._replace(samples=given)
