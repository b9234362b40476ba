# SPDX-License-Identifier: BSD-3-Clause
"""Weights of classes, as everywhere in scikit-learn."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils.class_weight import compute_class_weight

from gramian.models._shared.weighted import Labels, check_sample_weight

ClassWeight: TypeAlias = Mapping[Any, float] | Literal["balanced"]


def total_weights(estimator: Any, labels: Labels, classes: npt.NDArray[Any], sample_weight: Any, X: Any) -> Any:
    """Return a weight for each sample, that of its class included; None for 1 each; and the sum without classes."""
    weights = check_sample_weight(sample_weight, X)
    count = float(len(labels)) if weights is None else float(weights.sum())
    if estimator.class_weight is None:
        return weights, count
    own = np.bincount(labels, weights, minlength=len(classes))
    if isinstance(estimator.class_weight, str) and estimator.class_weight == "balanced":
        present = own > 0
        factors = np.where(present, count / (present.sum() * np.where(present, own, 1.0)), 0.0)
    else:
        factors = _given_factors(estimator.class_weight, classes, classes[labels], type(estimator).__name__)
    _check_factors(factors, type(estimator).__name__)
    total = factors[labels] * (1.0 if weights is None else weights)
    if not total.sum() > 0:
        raise ValueError(
            f"The 'class_weight' parameter of {type(estimator).__name__} leaves no sample: those of a class with a "
            f"weight above 0 are needed. Got {estimator.class_weight!r} instead."
        )
    return total, count


def _check_factors(factors: Any, owner: str) -> None:
    if not (np.isfinite(factors).all() and (factors >= 0).all()):
        raise ValueError(
            f"The 'class_weight' parameter of {owner} must have finite numbers of at least 0. Got {factors.tolist()!r} "
            f"for the classes in their order."
        )


def _given_factors(class_weight: Any, classes: npt.NDArray[Any], y: npt.NDArray[Any], owner: str) -> Any:
    try:
        return compute_class_weight(class_weight, classes=classes, y=y)
    except (TypeError, ValueError) as error:
        raise type(error)(f"The 'class_weight' parameter of {owner} can't be used: {error}") from error
