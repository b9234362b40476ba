# SPDX-License-Identifier: BSD-3-Clause
"""Decisions of classifiers that estimate all probabilities."""

from typing import Any

import numpy as np

from gramian import _core
from gramian._scikit import ClassifierMixin
from gramian._validation import AnyArray, FloatArray, check_choice
from gramian.models._shared.estimator import Estimator
from gramian.models._shared.targets import log_probabilities
from gramian.models.embedding.types import Entropy


class DecidesByEmbedding(ClassifierMixin, Estimator):
    """A classifier that has `classes_` and `embedding`, estimates f(x) that may leave [0, 1] and miss a sum of 1."""

    classes_: AnyArray

    def embedding(self, X: Any) -> FloatArray:
        """Return f(x)."""
        raise NotImplementedError

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
