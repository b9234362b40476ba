# SPDX-License-Identifier: BSD-3-Clause
"""The output side of dependency estimation: training outputs, candidates, distances of predictions from the truth."""

from typing import Any, NamedTuple, cast

import numpy as np
from sklearn.utils.validation import check_consistent_length

from gramian import _core
from gramian._validation import FLOAT64, FloatArray, is_sparse
from gramian.kernels import Kernel
from gramian.kernels.choice import PRECOMPUTED, by_name, is_function, kernel_classes
from gramian.models._shared.compatibility import check_array
from gramian.models._shared.counted import without_zeros
from gramian.models._shared.feature_space import known_squares
from gramian.models._shared.parts import in_rows
from gramian.models._shared.samples import (
    alike,
    as_points,
    check_gram,
    check_objects,
    check_vectors,
    function_values,
    has_points,
    paired,
    rows_of,
    source,
    squared_norms,
)
from gramian.models.dependency.sequences import alphabet_of, check_sequences, distances, encode
from gramian.points import check_points


class Outputs(NamedTuple):
    """Training outputs."""

    samples: Any
    """As they are predicted; None if nothing is known of them but a Gram matrix."""
    points: Any
    """In rows, for one of gramian.kernels."""
    gram: FloatArray | None
    """Their Gram matrix, in place of points."""
    alphabet: list[Any] | None
    """Of sequences."""


def of_numbers(kernel: Any, preimage: Any) -> bool:
    """Tell whether parameters mean outputs that are numbers, and predictions in their units."""
    if is_function(kernel) or not isinstance(preimage, str) or preimage == "sequence":
        return False
    if isinstance(kernel, str):
        if kernel not in kernel_classes():
            return kernel != PRECOMPUTED
        kernel = by_name(kernel)
    if not isinstance(kernel, Kernel):
        return True
    try:
        return kernel._traits.points == _core.kernels.PointKind.vectors
    except (TypeError, ValueError):
        return True  # `fit` says what is wrong with the kernel


def check_outputs(kernel: Any, preimage: Any, Y: Any) -> Outputs:
    """Return Y in the form that the kernel, and the way back, ask for."""
    if Y is None:
        raise ValueError("DependencyRegressor requires y to be passed, but the target y is None.")
    if isinstance(preimage, str) and preimage == "sequence":
        sequences = check_sequences(Y, "y")
        alphabet = alphabet_of(sequences)
        longest = max(len(sequence) for sequence in sequences)
        return Outputs(sequences, encode(sequences, alphabet, longest, "y"), None, alphabet)
    if has_points(kernel):
        vectors = check_vectors(Y, "y")
        _check_squares(vectors)
        if is_sparse(vectors) and isinstance(preimage, str) and preimage == "gaussian":
            raise TypeError("preimage='gaussian' moves dense points: use y.toarray().")
        return Outputs(vectors.copy(), as_points(vectors), None, None)
    if isinstance(kernel, str):
        return Outputs(None, None, check_gram(Y, "y"), None)
    objects = check_objects(Y, "y")
    return Outputs(objects, None, source(kernel, objects), None)


def _check_squares(vectors: Any) -> None:
    numbers = vectors.data if is_sparse(vectors) else vectors
    most = float(np.abs(numbers).max()) if numbers.size else 0.0
    if not np.isfinite(most * most * vectors.size):
        raise ValueError(f"y has an entry of magnitude {most:.3g}, and squares of it are no numbers: scale y.")


def with_weights(weights: FloatArray, samples: Any, outputs: Outputs) -> tuple[FloatArray | None, Any, Outputs]:
    """Return weights above 0, or None for 1 each, with their samples and outputs."""
    counts = np.flatnonzero(weights)
    gram = None if outputs.gram is None else np.ascontiguousarray(outputs.gram[np.ix_(counts, counts)])
    points = None if outputs.points is None else outputs.points[counts]
    some = outputs._replace(samples=rows_of(outputs.samples, counts), points=points, gram=gram)
    left, (samples,) = without_zeros(weights, samples)
    return left, samples, some


def training_points(model: Any) -> Any:
    """Return training outputs in rows."""
    return as_points(model.Y_fit_) if model.features_ is None else model.features_


def candidates_of(model: Any, candidates: Any, diag: Any) -> tuple[Any, Any]:
    """
    Return what the engine takes for candidates, and the candidates as they are predicted.

    None for the engine: those that it knows. None for the user: their indices are predicted.
    """
    preset = candidates is None and isinstance(model.preimage, str) and model.preimage == "candidates"
    given, kernel = model.candidates if preset else candidates, model.output_kernel_
    if given is None:
        if diag is not None:
            raise ValueError("diag is that of candidates, and there are none.")
        return None, model.Y_fit_
    if isinstance(kernel, str):
        cross = check_cross(model, given, "candidates")
        squares = known_squares(diag, len(cross), model.output_squares_, "output_kernel", "candidates")
        return (in_rows(_supported(model, cross)), in_rows(squares[:, None])), None
    if diag is not None:
        raise ValueError("diag is for output_kernel='precomputed' alone.")
    samples = check_samples(model, given, "candidates")
    return None if preset else engine_outputs(model, samples), samples


def engine_outputs(model: Any, given: Any) -> Any:
    """Return what the engine takes for outputs as candidates: points, or kernel values and squares."""
    samples, kernel = check_samples(model, given, "candidates"), model.output_kernel_
    if isinstance(kernel, Kernel):
        points = points_of(model, samples, "candidates")
        _check_dense(model, points)
        return in_rows(check_points(alike(training_points(model), points), "candidates").crossing(FLOAT64))
    training = model.Y_fit_ if model.output_supports_ is None else rows_of(model.Y_fit_, model.output_supports_)
    return in_rows(function_values(kernel, samples, training)), in_rows(squared_norms(kernel, samples)[:, None])


def check_candidates(preimage: Any, candidates: Any, model: Any) -> None:
    """Refuse candidates= of the constructor that `predict` could not use; model: all that was learned."""
    wanted = isinstance(preimage, str) and preimage == "candidates"
    if candidates is None:
        if wanted:
            raise ValueError("preimage='candidates' needs some: pass candidates= to the constructor.")
        return
    if not wanted:
        raise ValueError(f"candidates= of the constructor are for preimage='candidates'. Got preimage={preimage!r}.")
    if isinstance(model.output_kernel_, str):
        check_cross(model, candidates, "candidates")
        return
    samples = check_samples(model, candidates, "candidates")
    if isinstance(model.output_kernel_, Kernel):
        _check_dense(model, points_of(model, samples, "candidates"))


def check_samples(model: Any, Y: Any, name: str) -> Any:
    """Return outputs of the kind that was fitted."""
    if hasattr(Y, "__len__") and not hasattr(Y, "shape") and len(Y) == 0 or getattr(Y, "shape", (1,))[0] == 0:
        raise ValueError(f"{name} is empty: pass at least one. candidates=None stands for the training outputs.")
    if model.symbols_ is not None:
        return check_sequences(Y, name)
    return check_vectors(Y, name) if has_points(model.output_kernel_) else check_objects(Y, name)


def points_of(model: Any, samples: Any, name: str) -> Any:
    """Return outputs in rows."""
    training = training_points(model)
    if model.symbols_ is not None:
        return encode(samples, model.symbols_, training.shape[1] // len(model.symbols_), name)
    points = as_points(samples)
    if points.shape[1] != training.shape[1]:
        raise ValueError(f"{name} has {points.shape[1]} features, and the outputs of fit have {training.shape[1]}.")
    return points


def check_cross(model: Any, cross: Any, name: str) -> FloatArray:
    """Return inner products of new outputs with all training outputs."""
    if getattr(cross, "shape", (1,))[0] == 0 or (isinstance(cross, list) and not cross):
        raise ValueError(f"{name} is empty: pass at least one. candidates=None stands for the training outputs.")
    checked = cast(FloatArray, check_array(cross, name, dtype=np.float64))
    n = len(model.output_squares_)
    if checked.shape[1] != n:
        raise ValueError(
            f"{name} must have inner products with all {n} training outputs in its columns for "
            f"output_kernel='precomputed'. Got shape {checked.shape} instead."
        )
    return checked


def losses(model: Any, Y: Any, predicted: Any, diag: Any) -> FloatArray:
    """Return squared distances in the feature space of the output kernel."""
    kernel = model.output_kernel_
    if isinstance(kernel, str):
        cross = check_cross(model, Y, "y")
        check_consistent_length(cross, predicted)
        squares = known_squares(diag, len(cross), model.output_squares_, "output_kernel", "y")
        found = squares + model.output_squares_[predicted] - 2.0 * cross[np.arange(len(cross)), predicted]
    elif model.symbols_ is not None:
        sequences = check_sequences(Y, "y")
        check_consistent_length(sequences, predicted)
        return distances(sequences, predicted)
    else:
        truth, other = check_samples(model, Y, "y"), predicted
        check_consistent_length(truth, other)
        if isinstance(kernel, Kernel):
            truth, other = points_of(model, truth, "y"), as_points(predicted)
        # All three in the same precision: equal outputs have no distance.
        found = paired(kernel, truth, truth) + paired(kernel, other, other) - 2.0 * paired(kernel, truth, other)
    return cast(FloatArray, np.maximum(found, 0.0))


def chosen(samples: Any, rows: Any) -> Any:
    """Return some of the candidates; rows: (q,), or (q, k) for the best k of them."""
    if samples is None or rows.ndim == 1:
        return rows if samples is None else rows_of(samples, rows)
    if isinstance(samples, list) or is_sparse(samples):
        return [rows_of(samples, some) for some in rows]
    return samples[rows]


def has_operator(model: Any) -> bool:
    """Tell whether the model is one of gramian.operators."""
    return not isinstance(model.operator_, str)


def has_axes(model: Any) -> bool:
    """Tell whether g(x) is a vector of the space that outputs are in, and no sum over training outputs."""
    return has_operator(model) and model.span_ is None


def _check_dense(model: Any, points: Any) -> None:
    if has_axes(model) and is_sparse(points):
        raise TypeError("candidates must be dense, as the outputs of fit. Use .toarray().")


def _supported(model: Any, cross: FloatArray) -> FloatArray:
    return cross if model.output_supports_ is None else np.ascontiguousarray(cross[:, model.output_supports_])
