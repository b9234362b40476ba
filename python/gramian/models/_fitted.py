# SPDX-License-Identifier: BSD-3-Clause
"""The end of a fit: what was learned becomes the estimator's, and what has to be told is told."""

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

_OF_THE_INPUT = ("n_features_in_", "feature_names_in_")


def become_fitted(estimator: Any, probe: Any, learned: dict[str, Any]) -> None:
    """Give an estimator all that was learned at once, and the features that `probe` has seen."""
    for name in _OF_THE_INPUT:
        if name in vars(estimator):
            delattr(estimator, name)
        if hasattr(probe, name):
            setattr(estimator, name, getattr(probe, name))
    for name, value in learned.items():
        setattr(estimator, name, value)


def tell_of_jitter(owner: str, jitter: float) -> None:
    """Warn of a system that had to be changed to be solved; to be called from `fit` itself."""
    if jitter > 0:
        warnings.warn(
            f"The system of {owner} was singular up to rounding: {jitter:.3g} was added to its diagonal. Raise alpha.",
            ConvergenceWarning,
            stacklevel=3,
        )
