# SPDX-License-Identifier: BSD-3-Clause
"""Classification by concatenated functions."""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._scikit import ClassifierMixin
from gramian._validation import AnyArray, FloatArray, IntArray
from gramian.losses import ClippedCrossEntropy, Logistic, Loss
from gramian.models._shared.class_weight import ClassWeight, total_weights
from gramian.models._shared.landmarks import Switch
from gramian.models._shared.layers import LayerPlan
from gramian.models._shared.parameters import literal
from gramian.models._shared.samples import crossing
from gramian.models._shared.targets import check_labels
from gramian.models._shared.types import (
    Callback,
    CheckpointPath,
    ForEachLayer,
    Landmarks,
    LayerKernels,
    RandomState,
)
from gramian.models._shared.watch import watched
from gramian.models._shared.words import advised
from gramian.models.deep_regression.base import BaseDeepRegression
from gramian.models.deep_regression.fit import DEFAULTS, LIMITS
from gramian.models.deep_regression.samples import Given, check_images, in_order, no_scaling
from gramian.models.deep_regression.types import Init, InnerParameters, Solver


class _Probabilities(Loss):
    """The loss of probabilities that are outputs plus 1 / m, where it has an `evaluate` of its own."""

    def __init__(self, loss: ClippedCrossEntropy, classes: int) -> None:
        self.loss = loss
        self.classes = classes

    def evaluate(self, target: FloatArray, output: FloatArray) -> tuple[float, FloatArray]:
        """Evaluate the loss."""
        return self.loss.evaluate(target + 1 / self.classes, output + 1 / self.classes)


ModelT = TypeVar("ModelT", bound="DeepKernelClassifier")


class DeepKernelClassifier(ClassifierMixin, BaseDeepRegression):
    r"""
    Classification by L functions of reproducing kernel Hilbert spaces, one behind the other, with probabilities.

    It minimises [DKL] (7) as `DeepKernelRegressor` does, with a loss of probabilities; all layers are trained together.
    Parameters that are not explained here are explained there.

    Parameters
    ----------
    kernels, hidden, A, alpha, inner_alpha, alphas, inner_alphas : optional
        As there. The folds of cross-validation have as many of each class.
    cv, n_jobs, theta : optional
        As there.
    loss : {"logistic", "clipped"}, or Logistic or ClippedCrossEntropy of gramian.losses, default="logistic"
        ``"logistic"``: outputs are logits; with two classes there is one. ``"clipped"``: outputs are estimates of
        probabilities themselves that sum to 1, as A of the last layer is :math:`I - 1 1^T / m`, and the logarithm in
        the loss is clipped at epsilon, [MCE] (7), so that no sample costs more than :math:`-\log \epsilon`.
    class_weight : dict, "balanced" or None, default=None
        As everywhere in scikit-learn.
    standardize : bool, optional
        Let the first layer see columns of mean 0 and variance 1. None: if `kernels` is None.
    n_init, init, init_scale, refined_share, solver, inner_parameters
        As there.
    landmarks : "auto", int, array-like of int or None, default="auto"
        As there. ``"auto"`` is None up to 1000 samples, if an exact fit has room in memory, and beyond that
        :math:`5 \sqrt n` rows, at most 300. Beyond 5000 rows layers are searched for on 5000 of them, and finished by
        10 iterations on all.
    distance_penalty, max_iter, tol, learning_rate
        As there.
    callback, verbose, max_time, checkpoint, checkpoint_every, random_state, warm_start, memory_budget
        As there.

    Attributes
    ----------
    classes_ : ndarray of shape (m,)
        The labels, sorted.
    kernels_, operators_, coefficients_, supports_, deep_kernel_, alpha_, inner_alpha_, cv_results_
        As in `DeepKernelRegressor`.
    objective_, loss_, squared_norms_, layer_penalties_, stationarity_, history_, stop_reason_, n_iter_
        As in `DeepKernelRegressor`.
    init_objectives_, init_stop_reasons_, last_layer_, inner_parameters_, inner_rank_, jitter_, landmarks_
        As in `DeepKernelRegressor`.
    input_shift_, input_scale_, output_shift_, output_scale_, n_features_in_, feature_names_in_
        As in `DeepKernelRegressor`.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = gramian.DeepKernelClassifier(alpha=0.1, inner_alpha=0.1, random_state=0).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9), model.predict_proba(X[1::2]).shape
    (True, (75, 3))
    """

    _switch = Switch(most_exact=1000, per_root=5, most=300, stored=3, searched=5000)
    last_layer = "joint"

    alpha: float | None
    inner_alpha: ForEachLayer | None
    alphas: npt.ArrayLike | None
    inner_alphas: npt.ArrayLike | None
    cv: Any
    n_jobs: int | None
    loss: Literal["logistic", "clipped"] | Logistic | ClippedCrossEntropy
    class_weight: ClassWeight | None
    landmarks: Landmarks

    landmarks_: IntArray | None
    cv_results_: dict[str, Any] | None
    classes_: AnyArray
    _logits: bool
    _merged: list[int]

    def __init__(
        self,
        kernels: LayerKernels = None,
        *,
        hidden: int | Sequence[int] | None = None,
        A: Sequence[npt.ArrayLike | None] | None = None,
        alpha: float | None = None,
        inner_alpha: ForEachLayer | None = None,
        alphas: npt.ArrayLike | None = None,
        inner_alphas: npt.ArrayLike | None = None,
        cv: Any = None,
        n_jobs: int | None = None,
        theta: Any = None,
        loss: Literal["logistic", "clipped"] | Logistic | ClippedCrossEntropy = "logistic",
        class_weight: ClassWeight | None = None,
        standardize: bool | None = None,
        n_init: int = DEFAULTS.restarts,
        init: Init = "identity",
        init_scale: float = DEFAULTS.init_scale,
        refined_share: float = DEFAULTS.refined_share,
        solver: Solver = "lbfgs",
        inner_parameters: InnerParameters = literal(DEFAULTS.parameters.name),
        landmarks: Landmarks = "auto",
        distance_penalty: float = DEFAULTS.distance_penalty,
        max_iter: int = LIMITS.max_iterations,
        tol: float = LIMITS.gradient_tolerance,
        learning_rate: float = LIMITS.step,
        callback: Callback | None = None,
        verbose: int = 0,
        max_time: float | None = None,
        checkpoint: CheckpointPath = None,
        checkpoint_every: int | None = None,
        random_state: RandomState = None,
        warm_start: bool = False,
        memory_budget: int | None = None,
    ) -> None:
        self._keep(locals())

    @watched
    @advised
    def fit(
        self: ModelT, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: Any = None, image_targets: Any = None
    ) -> ModelT:
        """
        Choose the penalties that are open, and learn the layers.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
            Samples in rows, at least two.
        y : array-like of shape (n,)
            Labels of any type, of two classes or more.
        sample_weight : array-like of shape (n,), optional
            Numbers of at least 0. A weight of 2 is a sample that is there twice.
        image_targets : dict, optional
            For inner layers, from 1, what the images of the samples should be near: an array-like of shape
            (n, d_layer), or a tuple ``(targets, weight)`` or ``(targets, weight, loss)``, of weight 1 and the squared
            loss if nobody says.

        Returns
        -------
        DeepKernelClassifier
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; the message names it.
        MemoryError
            If the Gram matrices that have to be stored would not fit.
        gramian.NumericalError
            If no start leads to a finite objective.
        """
        owner = type(self).__name__
        probe = self._probe()
        points = self._training_samples_of(probe, X)
        classes, labels = check_labels(y, points.shape[0], owner)
        weights, _ = total_weights(self, labels, classes, sample_weight, points)
        seen = len(np.unique(labels if weights is None else labels[weights > 0]))
        if seen < 2:
            raise ValueError(f"{owner} needs samples of two classes at least, and there are those of {seen} class.")
        loss = _check_loss(self.loss, owner)
        single = len(classes) == 2 and isinstance(loss, Logistic)
        Y = labels[:, None].astype(np.float64) if single else np.eye(len(classes))[labels]
        images = check_images(image_targets, points.shape[0])
        samples = in_order(points, Y, weights, images)
        outputs = no_scaling(Y)
        if isinstance(loss, ClippedCrossEntropy):
            outputs = outputs._replace(shift=np.full(len(classes), 1 / len(classes)))
        learned = self._fit(
            samples, _on_outputs(loss, len(classes)), outputs, classes, Given(points, Y, weights, images, labels)
        )
        learned = {**learned, "classes_": classes, "_logits": isinstance(loss, Logistic)}
        return self._become(probe, learned)

    def _plans(self, features: int, outputs: int) -> list[LayerPlan]:
        plans = super()._plans(features, outputs)
        if isinstance(_check_loss(self.loss, type(self).__name__), Logistic):
            return plans
        last = plans[-1]
        if len(last.terms) > 1 or last.A is not None or (last.terms and last.terms[0][1] is not None):
            raise ValueError(
                f"With loss='clipped' the last layer of {type(self).__name__} has an A of its own: leave that of its "
                f"kernel None, or use loss='logistic'."
            )
        A = np.eye(outputs) - 1 / outputs  # outputs sum to 0
        return [*plans[:-1], last._replace(terms=((last.terms[0][0], A),)) if last.terms else last._replace(A=A)]

    def decision_function(self, X: npt.ArrayLike) -> FloatArray:
        """
        Return what `predict` decides by.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d)
            Samples in rows.

        Returns
        -------
        ndarray of shape (q,) or (q, m)
            Outputs of the last layer: logits, or estimates of probabilities with the clipped loss. With two classes
            the second one's logit, or by how much its estimate is larger.
        """
        scores = self._run(_core.serving.Verb.scores, X)
        return scores if scores.shape[1] > 2 else scores[:, 1] - scores[:, 0]

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """
        Return the likeliest labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d)
            Samples in rows.

        Returns
        -------
        ndarray of shape (q,)
        """
        numbers = self._run(_core.serving.Verb.predict, X)[:, 0].astype(np.intp)
        labels: npt.NDArray[Any] = self.classes_[numbers]
        return labels

    def predict_proba(self, X: npt.ArrayLike) -> FloatArray:
        """
        Return probabilities of the classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d)
            Samples in rows.

        Returns
        -------
        ndarray of shape (q, m)
            With the clipped loss the outputs, clipped at 0 and normalised; 1 / m each where nothing is left.
        """
        return self._run(_core.serving.Verb.predict_proba, X)

    def predict_log_proba(self, X: npt.ArrayLike) -> FloatArray:
        """
        Return logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d)
            Samples in rows.

        Returns
        -------
        ndarray of shape (q, m)
            Of logits they are finite. With the clipped loss they are minus infinity where a probability is 0.
        """
        return cast(FloatArray, self._predictor.log_proba(crossing(self._new_samples(X))))

    def _labels_and_meaning(self) -> tuple[list[Any], _core.deep_regression.Outputs]:
        meanings = _core.deep_regression.Outputs
        return np.asarray(self.classes_).tolist(), meanings.logits if self._logits else meanings.probabilities


def _on_outputs(loss: Logistic | ClippedCrossEntropy, classes: int) -> Any:
    """Return what the engine takes as the loss of outputs that sum to 0."""
    if isinstance(loss, Logistic):
        return loss
    lowered = loss._lower()
    return _Probabilities(loss, classes) if lowered is None else (*lowered, 1 / classes)


def _check_loss(loss: Any, owner: str) -> Logistic | ClippedCrossEntropy:
    if isinstance(loss, str) and loss in ("logistic", "clipped"):
        return Logistic() if loss == "logistic" else ClippedCrossEntropy()
    if isinstance(loss, Logistic | ClippedCrossEntropy):
        return loss
    raise ValueError(
        f"The 'loss' parameter of {owner} must be 'logistic', 'clipped', or Logistic or ClippedCrossEntropy of "
        f"gramian.losses. Got {loss!r} instead."
    )
