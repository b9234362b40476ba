# SPDX-License-Identifier: BSD-3-Clause
"""Decisions of classifiers that estimate all probabilities."""

from abc import abstractmethod
from typing import Any, TypeAlias

import numpy as np

from gramian import _core
from gramian._scikit import ClassifierMixin
from gramian._validation import FLOAT64, AnyArray, FloatArray, check_choice
from gramian.models._shared.estimator import Estimator
from gramian.models._shared.samples import alike
from gramian.models._shared.targets import log_probabilities
from gramian.models.embedding.types import Entropy
from gramian.points import check_points

Calibration: TypeAlias = tuple[float, float]
"""The inverse temperature, and the share of the uniform distribution."""


def predictor(
    kernel: Any,
    features: list[tuple[Any, Any]],
    inputs: int,
    supports: Any,
    weights: FloatArray,
    classes: AnyArray,
    calibration: Calibration | None,
) -> _core.embedding.Predictor:
    """
    Return the engine's value of a classifier.

    kernel, features: as the binding takes them; supports: samples, or how many where kernel values are given.
    """
    if supports is not None and not isinstance(supports, int):
        supports = check_points(supports, "X_fit_").crossing(FLOAT64)
    labels = np.asarray(classes).tolist()
    V = np.ascontiguousarray(weights)
    return _core.embedding.Predictor(kernel, features, inputs, supports, V, labels, calibration)


def calibration_of(found: Calibration | None) -> dict[str, float | None]:
    """Return what is learned of probabilities, by the names of the attributes."""
    b, share = (None, None) if found is None else found
    return {"inverse_temperature_": b, "uniform_share_": share}


def scores(model: _core.embedding.Predictor, supports: Any, samples: Any) -> FloatArray:
    """Return f(x) of samples that are checked; supports: to be as sparse as."""
    samples = samples if supports is None or not hasattr(supports, "shape") else alike(supports, samples)
    return model.apply(_core.serving.Verb.scores, check_points(samples, "X").crossing(FLOAT64))


class DecidesByEmbedding(ClassifierMixin, Estimator):
    """A classifier that has `classes_` and `embedding`, estimates f(x) that may leave [0, 1] and miss a sum of 1."""

    classes_: AnyArray
    inverse_temperature_: float | None
    uniform_share_: float | None

    @property
    def _calibration(self) -> Calibration | None:
        """What the engine makes probabilities with; None: [MCE] (6)."""
        b, share = self.inverse_temperature_, self.uniform_share_
        return None if b is None or share is None else (b, share)

    @abstractmethod
    def embedding(self, X: Any) -> FloatArray:
        """Return f(x)."""

    def decision_function(self, X: Any) -> FloatArray:
        """
        Return what `predict` decides by: f(x) of `embedding`; with two classes how much larger that of the second is.

        Parameters
        ----------
        X : as in `embedding`
            Samples.

        Returns
        -------
        ndarray of shape (q, m), or (q,) with two classes
            Two classes: the difference of f(x), or with probabilities that are clipped that of the probabilities: in
            the order of `predict_proba`.
        """
        f = self.embedding(X)
        if f.shape[1] != 2:
            return f
        return _core.embedding.margin(f)[:, 0] if self._calibration is None else f[:, 1] - f[:, 0]

    def predict(self, X: Any) -> AnyArray:
        """
        Return the likeliest labels.

        Parameters
        ----------
        X : as in `embedding`
            Samples.

        Returns
        -------
        ndarray of shape (q,)
        """
        f = self.embedding(X)
        labels: AnyArray = self.classes_[f.argmax(axis=1)]
        return labels

    def predict_proba(self, X: Any) -> FloatArray:
        r"""
        Return probabilities: calibrated, or f(x) clipped at 0 and normalised, [MCE] (6).

        Parameters
        ----------
        X : as in `embedding`
            Samples.

        Returns
        -------
        ndarray of shape (q, m)
            :math:`(1 - u) \operatorname{softmax}(b f(x)) + u / m`, never 0, with ``inverse_temperature_`` and
            ``uniform_share_`` as b and u. Where these are None: [MCE] (6), 1 / m each where nothing is left.
        """
        f, calibration = self.embedding(X), self._calibration
        return (
            _core.losses.clip_normalise(f) if calibration is None else _core.losses.calibrated_softmax(f, *calibration)
        )

    def predict_log_proba(self, X: Any) -> FloatArray:
        """
        Return logarithms of `predict_proba`.

        Parameters
        ----------
        X : as in `embedding`
            Samples.

        Returns
        -------
        ndarray of shape (q, m)
            Finite if probabilities are calibrated; else minus infinity where one was clipped to 0.
        """
        return log_probabilities(self.predict_proba(X))

    def entropy(self, X: Any, method: Entropy = "probabilities") -> FloatArray:
        """
        Return how uncertain the label of each sample is, in nats.

        Parameters
        ----------
        X : as in `embedding`
            Samples.
        method : {"probabilities", "clip", "expected"}, default="probabilities"
            Of `predict_proba`; of f(x) clipped and normalised, [MCE] (33); or the embedding's own expectation,
            [MCE] (37), which may be just below 0.

        Returns
        -------
        ndarray of shape (q,)
        """
        methods = _core.embedding.EntropyMethod
        name = check_choice(method, "method", "entropy", ("probabilities", *methods.__members__))
        if name == "probabilities":
            return _core.embedding.entropy(self.predict_proba(X), methods.clip)[:, 0]
        return _core.embedding.entropy(np.ascontiguousarray(self.embedding(X)), methods[name])[:, 0]
