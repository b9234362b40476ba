# SPDX-License-Identifier: BSD-3-Clause
"""Embedding classifiers in the span of landmarks, on dask arrays and dataframes."""

from typing import Any, TypeVar

import dask
import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._parametrised import parameter_names
from gramian._random import seed_of
from gramian._scikit import ClassifierMixin
from gramian._validation import AnyArray, FloatArray, IntArray
from gramian.dask.blocks import apply
from gramian.dask.data import training
from gramian.dask.fitted import FittedInMemory, features_of
from gramian.dask.labels import label_counts
from gramian.dask.sample import drawn_rows, fetch_sample, sample_count
from gramian.dask.score import accuracy
from gramian.dask.summed_classifier import all_labels, asked, finish, require_landmarks
from gramian.models._shared.class_weight import ClassWeight
from gramian.models._shared.landmarks import IndexArray
from gramian.models._shared.parameters import literal
from gramian.models._shared.sums import require_room
from gramian.models._shared.types import Landmarks, RandomState, SampleKernel
from gramian.models._shared.weighted import require_some_weight
from gramian.models.embedding import EmbeddingClassifier as InMemory
from gramian.models.embedding.fit import ADAM, PATIENCE
from gramian.models.embedding.types import BatchSize, Learn, Probabilities, Risk, Solver

ModelT = TypeVar("ModelT", bound="EmbeddingClassifier")
_MATRICES_OF_A_SOLUTION = 10
_OPTIONS = _core.embedding.Options()


class EmbeddingClassifier(ClassifierMixin, FittedInMemory[InMemory]):
    r"""
    A probabilistic classifier that learns its kernel, in the span of landmarks, on dask arrays and dataframes: [MCE].

    It is `gramian.EmbeddingClassifier` with landmarks. Kernel and :math:`\lambda` are learned on a sample of the rows,
    which the client fetches; landmarks are rows of the sample. Then workers sum up the normal equations of all rows,
    in the coordinates of the landmarks; the client gets the sum of all rows, an m x m matrix, and solves. The
    temperature of the probabilities is learned from leave-one-out values of rows of the sample, by the classifier of
    all rows. The bits depend on the blocks of rows that X has, and not on the number of workers or on which of them
    computes what.

    Of at most `sample_rows` rows the sample is all of them: the classifier is that of `gramian.EmbeddingClassifier`,
    but for rounding. Of more rows these differ from what it would be: what is learned, as fewer rows are seen, with
    :math:`n \lambda` that of the sample; the sums, for which equal rows are not merged; `risk_`, which is of the
    sample, as are `history_` and `cv_results_`.

    Parameters
    ----------
    kernel : Kernel or str, default=None
        Where learning starts, as in `gramian.EmbeddingClassifier`.
    learn, penalty, tau, risk, clip, probabilities, sensitivity
        As in `gramian.EmbeddingClassifier`. With ``learn=None`` and ``"median"`` :math:`\lambda` is as given.
    batch_size, validation_fraction, solver, learning_rate, max_iter, tol, patience
        As in `gramian.EmbeddingClassifier`.
    class_weight : dict, "balanced" or None, default=None
        As everywhere in scikit-learn; balanced over all rows.
    landmarks : "auto", int or array-like of row indices, default="auto"
        How many, drawn at random, or which rows of X. ``"auto"`` is :math:`10 \sqrt n`, at most 3000.
    cv, penalties, length_scale_factors
        As in `gramian.EmbeddingClassifier`.
    sample_rows : int, default=10000
        How many rows are fetched. They are drawn evenly from all rows, so from partitions in proportion to their size.
        The first row of each class and given landmarks are among them, and at least as many as there are landmarks.
    random_state : int, RandomState instance or None, default=None
        For what is drawn.

    Attributes
    ----------
    classes_ : ndarray of shape (m,)
        The labels, sorted.
    kernel_, penalty_, relevances_, sensitivity_, complexity_, inverse_temperature_, uniform_share_, jitter_
        As in `gramian.EmbeddingClassifier`.
    risk_, history_, stop_reason_, n_iter_, cv_results_
        The same, of the sample.
    dual_coef_ : ndarray of shape (s, m)
        Coefficients of the landmarks.
    X_fit_ : ndarray of shape (s, d)
        The landmarks, without those that depend on others up to rounding.
    landmarks_ : ndarray of shape (s,)
        Which rows of X they are, in ascending order.
    sample_ : ndarray of int
        Which rows of X the sample has, in ascending order.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (d,)
        Their names, if X is a dataframe with strings as names.

    Examples
    --------
    >>> import dask.array as da
    >>> import gramian.dask
    >>> X = da.linspace(0.0, 1.0, 40, chunks=10)[:, None]
    >>> model = gramian.dask.EmbeddingClassifier(learn="median", landmarks=10, random_state=0).fit(X, X[:, 0] > 0.5)
    >>> model.predict_proba(X).shape, model.predict_proba(X).numblocks[0]
    ((40, 2), 4)
    """

    _learned = (
        "classes_",
        "kernel_",
        "penalty_",
        "relevances_",
        "sensitivity_",
        "complexity_",
        "risk_",
        "inverse_temperature_",
        "uniform_share_",
        "jitter_",
        "history_",
        "stop_reason_",
        "n_iter_",
        "cv_results_",
        "dual_coef_",
        "X_fit_",
        "landmarks_",
    )

    kernel: SampleKernel | None
    learn: Learn | None
    penalty: float
    tau: float | None
    risk: Risk
    clip: float
    probabilities: Probabilities
    sensitivity: float | None
    batch_size: BatchSize | None
    validation_fraction: float
    solver: Solver
    learning_rate: float
    max_iter: int
    tol: float
    patience: int
    class_weight: ClassWeight | None
    landmarks: Landmarks
    cv: int
    penalties: npt.ArrayLike | None
    length_scale_factors: npt.ArrayLike | None
    sample_rows: int
    random_state: RandomState

    classes_: AnyArray
    kernel_: Any
    penalty_: float
    relevances_: FloatArray | None
    sensitivity_: float
    complexity_: float
    risk_: float
    inverse_temperature_: float | None
    uniform_share_: float | None
    jitter_: float
    history_: dict[str, Any]
    stop_reason_: str
    n_iter_: int
    cv_results_: dict[str, Any] | None
    dual_coef_: FloatArray
    X_fit_: FloatArray
    landmarks_: IntArray
    sample_: IndexArray

    def __init__(
        self,
        kernel: SampleKernel | None = None,
        *,
        learn: Learn | None = "validation",
        penalty: float = _OPTIONS.lambda_,
        tau: float | None = None,
        risk: Risk = literal(_OPTIONS.risk),
        clip: float = _OPTIONS.epsilon,
        probabilities: Probabilities = literal(_OPTIONS.probabilities),
        sensitivity: float | None = None,
        batch_size: BatchSize | None = "auto",
        validation_fraction: float = _core.embedding.ValidationSearch().fraction,
        solver: Solver = "adam",
        learning_rate: float = ADAM.step,
        max_iter: int = ADAM.max_iterations,
        tol: float = PATIENCE.tolerance,
        patience: int = PATIENCE.window,
        class_weight: ClassWeight | None = None,
        landmarks: Landmarks = "auto",
        cv: int = _core.embedding.GridSearch().folds,
        penalties: npt.ArrayLike | None = None,
        length_scale_factors: npt.ArrayLike | None = None,
        sample_rows: int = 10_000,
        random_state: RandomState = None,
    ) -> None:
        self._keep(locals())

    def fit(self: ModelT, X: Any, y: Any, sample_weight: Any = None) -> ModelT:
        r"""
        Learn kernel and :math:`\lambda` on the sample, then embed all rows.

        X is read twice, for the sample and for the sums, y and the weights once more before that; the rows of
        dataframes are counted at first.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d)
            Samples in rows. A block of rows, with all columns, has to fit into the memory of a worker, beside a few
            m x m matrices.
        y : dask array or series of shape (n,)
            Labels: names or whole numbers. Where its blocks have other rows than those of X, it is split anew.
        sample_weight : dask array or series of shape (n,), optional
            Numbers of at least 0. A weight of 2 is a sample that is there twice.

        Returns
        -------
        EmbeddingClassifier
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range, or is not finite in a block of rows, the
            number of which the message says.
        MemoryError
            If the sums would not fit into the memory of the client; raised before they are computed.
        gramian.NumericalError
            If the system can't be factorized.
        """
        require_landmarks(self)
        data = training(X, y, sample_weight)
        if data.y.ndim != 1:
            raise ValueError(f"y must have one label for each row of X. Got shape {data.y.shape} instead.")
        n, seed = len(data.X), seed_of(self.random_state)
        known = label_counts(data)
        require_some_weight(float(known.weights.sum()))
        count, given = asked(self, n)
        require_room(count, _MATRICES_OF_A_SOLUTION)
        also = np.append(known.first, given)
        sample = fetch_sample(data, drawn_rows(n, sample_count(self, n, count), seed, also))
        names = [name for name in parameter_names(type(self)) if name != "sample_rows"]
        model = InMemory(**{name: getattr(self, name) for name in names}).set_params(
            landmarks=np.searchsorted(sample.rows, given) if len(given) else count,
            class_weight=all_labels(self, known).by_label,
            random_state=seed,
        )
        model.fit(sample.X, sample.y, sample.weights)
        finish(model, sample, known, data)
        model.set_params(landmarks=self.landmarks, class_weight=self.class_weight, random_state=self.random_state)
        model.__dict__.update(features_of(data))
        self.sample_ = sample.rows
        return self._become(model)

    def decision_function(self, X: Any) -> Any:
        """
        Return what `predict` decides by, as `gramian.EmbeddingClassifier.decision_function` does.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d), or array-like
            Samples in rows.

        Returns
        -------
        dask array of shape (n, m), or (n,) with two classes; or ndarray
            Lazy, with the blocks of rows of X; an ndarray if X is not of dask.
        """
        return apply(self, X, "decision_function")

    def predict(self, X: Any) -> Any:
        """
        Return the likeliest labels.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d), or array-like
            Samples in rows.

        Returns
        -------
        dask array of shape (n,), or ndarray
            Lazy, with the blocks of rows of X; an ndarray if X is not of dask.
        """
        return apply(self, X)

    def predict_proba(self, X: Any) -> Any:
        """
        Return probabilities, as `gramian.EmbeddingClassifier.predict_proba` does.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d), or array-like
            Samples in rows.

        Returns
        -------
        dask array of shape (n, m), or ndarray
            Lazy, with the blocks of rows of X; an ndarray if X is not of dask.
        """
        return apply(self, X, "predict_proba")

    def predict_log_proba(self, X: Any) -> Any:
        """
        Return logarithms of `predict_proba`.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d), or array-like
            Samples in rows.

        Returns
        -------
        dask array of shape (n, m), or ndarray
            Lazy, with the blocks of rows of X; an ndarray if X is not of dask.
        """
        return apply(self, X, "predict_log_proba")

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """
        Return the share of samples that are predicted as they are labelled.

        Parameters
        ----------
        X : as in `fit`, or array-like
            Samples.
        y : as in `fit`, or array-like
            Labels.
        sample_weight : as in `fit`, or array-like
            Weights; 1 if None.

        Returns
        -------
        float
        """
        if not dask.is_dask_collection(X):
            return float(self.to_estimator().score(X, y, sample_weight))
        return accuracy(self.to_estimator(), training(X, y, sample_weight))
