# SPDX-License-Identifier: BSD-3-Clause
"""Decisions of classifiers that estimate all probabilities."""

from abc import abstractmethod
from typing import Any

import numpy as np

from gramian import _core
from gramian._scikit import ClassifierMixin
from gramian._validation import FLOAT64, AnyArray, FloatArray, check_choice
from gramian.models._shared.estimator import Estimator
from gramian.models._shared.samples import alike
from gramian.models._shared.targets import log_probabilities
from gramian.models.embedding.types import Entropy
from gramian.points import check_points


def predictor(
    kernel: Any, features: list[tuple[Any, Any]], inputs: int, supports: Any, weights: FloatArray, classes: AnyArray
) -> _core.embedding.Predictor:
    """
    Return the engine's value of a classifier.

    kernel, features: as the binding takes them; supports: samples, or how many where kernel values are given.
    """
    if supports is not None and not isinstance(supports, int):
        supports = check_points(supports, "X_fit_").crossing(FLOAT64)
    labels = np.asarray(classes).tolist()
    return _core.embedding.Predictor(kernel, features, inputs, supports, np.ascontiguousarray(weights), labels)


def scores(model: _core.embedding.Predictor, supports: Any, samples: Any) -> FloatArray:
    """Return f(x) of samples that are checked; supports: to be as sparse as."""
    samples = samples if supports is None or not hasattr(supports, "shape") else alike(supports, samples)
    return model.apply(_core.serving.Verb.scores, check_points(samples, "X").crossing(FLOAT64))


class DecidesByEmbedding(ClassifierMixin, Estimator):
    """A classifier that has `classes_` and `embedding`, estimates f(x) that may leave [0, 1] and miss a sum of 1."""

    classes_: AnyArray

    @abstractmethod
    def embedding(self, X: Any) -> FloatArray:
        """Return f(x)."""

    def decision_function(self, X: Any) -> FloatArray:
        """
        Return what `predict` decides by: f(x) of `embedding`; with two classes how much likelier the second one is.

        Parameters
        ----------
        X : as in `embedding`
            Samples.

        Returns
        -------
        ndarray of shape (q, m), or (q,) with two classes
            Two classes: the difference of their probabilities, in the order of `predict_proba`.
        """
        f = self.embedding(X)
        return _core.embedding.margin(f)[:, 0] if f.shape[1] == 2 else f

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
        """
        Return probabilities: f(x), clipped at 0 and normalised, [MCE] (6).

        Parameters
        ----------
        X : as in `embedding`
            Samples.

        Returns
        -------
        ndarray of shape (q, m)
            1 / m each where nothing is left.
        """
        return _core.losses.clip_normalise(self.embedding(X))

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
            Minus infinity where a probability was clipped to 0.
        """
        return log_probabilities(self.predict_proba(X))

    def entropy(self, X: Any, method: Entropy = "clip") -> FloatArray:
        """
        Return how uncertain the label of each sample is, in nats.

        Parameters
        ----------
        X : as in `embedding`
            Samples.
        method : {"clip", "expected"}, default="clip"
            Of the probabilities, [MCE] (33), or the embedding's own expectation, [MCE] (37): it may be just below 0.

        Returns
        -------
        ndarray of shape (q,)
        """
        methods = _core.embedding.EntropyMethod
        chosen = methods[check_choice(method, "method", "entropy", tuple(methods.__members__))]
        return _core.embedding.entropy(np.ascontiguousarray(self.embedding(X)), chosen)[:, 0]
