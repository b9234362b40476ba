# SPDX-License-Identifier: BSD-3-Clause
"""
Base classes of scikit-learn, with types.

scikit-learn has no types. mypy takes its classes for Any, and would accept every attribute of whatever derives from
them, so mypy sees the declarations below, which are the public methods that estimators inherit. pyright reads the
sources of scikit-learn itself, or stubs of it, and needs none.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = [
    "BaseEstimator",
    "CallbackSupportMixin",
    "ClassNamePrefixFeaturesOutMixin",
    "ClassifierMixin",
    "MultiOutputMixin",
    "RegressorMixin",
    "TransformerMixin",
    "available_if",
]

MYPY = False  # mypy takes this name for true, and nothing else does

if MYPY:
    CallbackT = TypeVar("CallbackT", bound="CallbackSupportMixin")
    TransformerT = TypeVar("TransformerT", bound="TransformerMixin")

    class BaseEstimator:
        """What all estimators inherit, except for their parameters."""

        def get_metadata_routing(self) -> Any:
            """Return what is routed to which method."""

        def __sklearn_tags__(self) -> Any: ...

    class CallbackSupportMixin:
        """What estimators with callbacks inherit."""

        def set_callbacks(self: CallbackT, *callbacks: Any) -> CallbackT:
            """Choose who is told of the course of a fit."""

    class TransformerMixin:
        """What transformers inherit."""

        fit_transform: Callable[..., npt.NDArray[np.float64]]
        """Fit, and transform the same samples: with the arguments that the fit of the class has."""

        def set_output(self: TransformerT, *, transform: str | None = None) -> TransformerT:
            """Choose the container of the output."""

    class RegressorMixin:
        """What regressors inherit."""

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            """Return the coefficient of determination."""

    class ClassifierMixin:
        """What classifiers inherit."""

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            """Return the accuracy."""

    class MultiOutputMixin:
        """The mark of estimators that take several outputs."""

    MethodT = TypeVar("MethodT")

    def available_if(check: Callable[[Any], bool]) -> Callable[[MethodT], MethodT]:
        """Let an estimator have a method only if the check says so."""

    class ClassNamePrefixFeaturesOutMixin:
        """Names of features by the name of the class."""

        def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
            """Return the names of the features."""

else:
    from sklearn.base import (
        BaseEstimator,
        ClassifierMixin,
        ClassNamePrefixFeaturesOutMixin,
        MultiOutputMixin,
        RegressorMixin,
        TransformerMixin,
    )
    from sklearn.utils.metaestimators import available_if

    try:
        from sklearn.callback import CallbackSupportMixin
    except ImportError:  # before 1.9

        class CallbackSupportMixin:
            """Nothing: this release of scikit-learn has no callbacks."""
