# SPDX-License-Identifier: BSD-3-Clause
"""Fitted models of structured outputs as values of the engine."""

from typing import Any

import numpy as np

from gramian import _core
from gramian._validation import FLOAT64
from gramian.kernels import Kernel
from gramian.models._shared.parts import column, in_rows, numbers, training_side
from gramian.models._shared.samples import count_of
from gramian.models.dependency.outputs import engine_outputs, has_operator, training_points
from gramian.operators._base import OperatorKernel
from gramian.points import check_points


def ridge_predictor(operator: OperatorKernel, X: Any, coefficients: Any) -> _core.dependency.OperatorPredictor:
    """Return the value of a sum of an operator-valued kernel over X."""
    points, _ = operator._points(X, None)
    matrix = numbers(coefficients, "coefficients")
    if matrix is None:
        raise ValueError("The coefficients of the operator-valued kernel are missing.")
    engine = operator._engine(points, matrix.shape[1])
    return _core.dependency.OperatorPredictor(engine, in_rows(points[1]), matrix)


def predictor(model: Any) -> _core.dependency.Predictor:
    """Return the value of a fitted DependencyRegressor."""
    kernel = model.output_kernel_
    known = isinstance(kernel, Kernel)
    points: Any = training_points(model) if known else None
    way, candidates = _way_back(model)
    return _core.dependency.Predictor(
        **_input_side(model),
        output_kernel=kernel._lower(points.shape[1]).spec if known else None,
        outputs=in_rows(check_points(points, "Y_fit_").crossing(FLOAT64)) if known else _values(model),
        output_supports=_rows(model.output_supports_),
        preimage=_core.dependency.Preimage[way],
        candidates=candidates,
        symbols=model.symbols_ or [],
    )


def _input_side(model: Any) -> dict[str, Any]:
    names = ("input_factor", "output_factor", "components")
    parts: dict[str, Any] = {name: numbers(getattr(model, f"{name}_"), f"{name}_") for name in names}
    if has_operator(model):
        vectors = ridge_predictor(model.operator_, model.X_fit_, model.coefficients_)
        none: dict[str, Any] = {"kernel": None, "inputs": None, "input_supports": [], "mean": None}
        return {**parts, **none, "vectors": vectors, "coefficients": numbers(model.span_, "span_")}
    precomputed = isinstance(model.kernel_, str)
    count = model.n_features_in_ if precomputed else count_of(model.X_fit_)
    kernel, inputs = training_side(model.kernel_, model.X_fit_, int(count))
    return {
        **parts,
        "kernel": kernel,
        "inputs": inputs,
        "input_supports": _rows(model.input_supports_) if precomputed else [],
        "vectors": None,
        "coefficients": numbers(model.coefficients_, "coefficients_"),
        "mean": None if model.mean_ is None else np.ravel(model.mean_).tolist(),
    }


def _rows(rows: Any) -> list[int]:
    return [] if rows is None else np.asarray(rows).tolist()


def _values(model: Any) -> tuple[Any, Any]:
    cross, squares = model.output_cross_, model.output_squares_
    if cross is None or squares is None:
        raise ValueError(
            "output_cross_ and output_squares_ are needed where the output kernel is none of gramian.kernels."
        )
    return numbers(cross, "output_cross_"), column(squares, "output_squares_")


def _way_back(model: Any) -> tuple[str, Any]:
    """Return how predictions become outputs in the engine, and the candidates that are known to it."""
    way = model.preimage
    if not isinstance(way, str):
        return "none", None
    if way != "candidates":
        return way, None
    # What a Gram matrix of candidates lacks, their own squares, comes with each call.
    return (
        ("nearest", None) if isinstance(model.output_kernel_, str) else (way, engine_outputs(model, model.candidates))
    )
