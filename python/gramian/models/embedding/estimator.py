# SPDX-License-Identifier: BSD-3-Clause
"""Classifiers from multiclass conditional embeddings."""

import copy
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import AnyArray, FloatArray, IntArray, check_real
from gramian.features import Features
from gramian.kernels import Kernel
from gramian.kernels.choice import is_function
from gramian.models._shared.class_weight import ClassWeight, total_weights
from gramian.models._shared.feature_space import factorize
from gramian.models._shared.landmarks import Switch, is_count
from gramian.models._shared.parameters import literal
from gramian.models._shared.progress import tell_of_jitter
from gramian.models._shared.samples import (
    check_inner_products,
    count_of,
    function_values,
    kept,
    source,
)
from gramian.models._shared.search import search_results, with_kernels
from gramian.models._shared.targets import check_labels
from gramian.models._shared.trained import TrainedEstimator
from gramian.models._shared.types import Callback, CheckpointPath, Landmarks, RandomState, SampleKernel
from gramian.models._shared.watch import watched
from gramian.models._shared.weighted import first_rows, merge
from gramian.models._shared.words import advised
from gramian.models.embedding.decision import DecidesByEmbedding, calibration_of, predictor, scores
from gramian.models.embedding.ending import stop_reason, tell
from gramian.models.embedding.fit import (
    ADAM,
    BY_GRADIENTS,
    PARAMETERS,
    PATIENCE,
    Parts,
    asked_landmarks,
    check_parts,
    choose_rows,
    expansion,
    fit_options,
    learned_kernel,
    relevances_of,
    train,
)
from gramian.models.embedding.sample import draws, unmerged
from gramian.models.embedding.types import BatchSize, Learn, Probabilities, Risk, Solver

_OPTIONS = _core.embedding.Options()
"""The engine's defaults; the docstring has them as numbers, and a test compares."""

ModelT = TypeVar("ModelT", bound="EmbeddingClassifier")


class EmbeddingClassifier(DecidesByEmbedding, TrainedEstimator):
    r"""
    A probabilistic classifier for any number of classes that learns its own kernel: [MCE].

    :math:`f(x) = Y^T (K + n \lambda I)^{-1} k(x)`, [MCE] (5), estimates the probabilities of all classes at once.
    Length scales, the kernel's other parameters and :math:`\lambda` are learned by gradients: without a grid, and
    without tuning. A step on all samples takes O(n^3 / 3 + n^2 (d + m)) time.

    Parameters
    ----------
    kernel : Kernel, str or callable, default=None
        Where learning starts: an object, or a name. None is a multiple of a Gaussian with a length
        scale for each feature, :math:`\sqrt d` times its deviation; on sparse data one length scale. All parameters
        that are greater than 0 and no whole numbers are learned. With ``"precomputed"``, X is the Gram matrix in `fit`,
        and inner products of new samples (rows) with training samples (columns) elsewhere; only :math:`\lambda` is
        learned then, and for a function of two samples, or of two sets of them, with which X may be a list of anything.
    features : optional, one of gramian.features
        Explicit features below the kernel, which are learned too; without a kernel it is a linear one, and systems are
        p x p where there are fewer features than samples, [MCE] Alg. 2.
    learn : {"validation", "rademacher", "erm", "cv", "median", None}, default="validation"
        ``"validation"``: the risk of a part of each batch that the embedding has not seen, the split redrawn at each
        step, [MCE] (13). ``"rademacher"``: [MCE] Alg. 1, the risk of the samples themselves, and the complexity
        against overfitting. ``"erm"``: the same without it. ``"cv"``: factors of the length scales, and penalty, from a
        grid. ``"median"``: length scales from the median distance. None: kernel and penalty as they are.
    penalty : float, default=1e-2
        :math:`\lambda` at the start; it is multiplied by n. From [MCE]'s 1 the search may rest on a plateau for long.
    tau : float, optional
        The multiplier of the complexity. None: 4e with ``"rademacher"``, 0.3 with ``"validation"``.
    risk : {"sum", "mean"}, default="sum"
        Of the losses. The mean is what [MCE] (12) prints, which often leaves a constant classifier.
    clip : float, default=1e-15
        Probabilities are clipped to at least this in the loss.
    probabilities : {"calibrated", "clip"}, default="calibrated"
        How `predict_proba` makes probabilities of :math:`f(x)`. ``"calibrated"``: by a softmax whose temperature is
        learned from leave-one-out values of f, which have a closed form. ``"clip"``: clipped at 0 and normalised, as
        [MCE] (6) does.
    sensitivity : float, optional
        :math:`\alpha = \sup_x k(x, x)^{1/2}`. None takes the kernel's own, or that of the samples; and 1 in a
        search of features that may grow without bound, as those of rectified units do.
    batch_size : "auto", None or int, default="auto"
        Samples in a step; None takes all, ``"auto"`` at most 1000 with ``"validation"`` and all otherwise.
    validation_fraction : float, default=0.2
        The part of a batch that is held out, with ``"validation"``.
    solver : {"adam", "lbfgs"}, default="adam"
        L-BFGS needs all samples in a step; ``"validation"`` has one split then.
    learning_rate : float, default=0.1
        Of Adam, on logarithms of the parameters.
    max_iter : int, default=300
        Steps at most.
    tol : float, default=1e-5
        Learning stops where the objective, or the mean of its last `patience` estimates, has not fallen by this much,
        relatively, in `patience` steps. 0: never.
    patience : int, default=30
        See `tol`.
    class_weight : dict, "balanced" or None, default=None
        As everywhere in scikit-learn.
    landmarks : "auto", int, array-like of int or None, default="auto"
        Training samples that support the classifier, or how many to draw; None is all. With a small `batch_size` too,
        memory does not grow with n squared. ``"auto"`` is None up to 8000 samples, if an exact fit has room in memory,
        and beyond that :math:`10 \sqrt n` rows, at most 3000. Explicit features, precomputed kernels and functions take
        all.
    cv : int, default=5
        The number of folds, with ``"cv"``.
    penalties, length_scale_factors : array-like of float, optional
        The grid of ``"cv"``: 1e-5 .. 1, and 2^-4 .. 2^4, if None.
    callback, verbose, max_time, checkpoint, checkpoint_every
        As in `KernelAutoencoder`; with ``"cv"`` an iteration is a pair of the grid.
    random_state : int, numpy Generator, RandomState or None, default=None
        Of batches, splits, folds, landmarks and the start of features.
    warm_start : bool, default=False
        Begin a search by gradients with the kernel, the features and the :math:`\lambda` that the last fit has learned.
    memory_budget : int, optional
        Bytes for exact Gram matrices, 2 GiB if None; more ends in a MemoryError that says what helps.

    Attributes
    ----------
    classes_ : ndarray of shape (m,)
        The labels, sorted.
    kernel_, penalty_ : Kernel, "precomputed", callable or None, and float
        The learned kernel, None for a linear one on features; and the learned :math:`\lambda`: from batches of b of
        n samples b / n times that of the search.
    relevances_ : ndarray of shape (d,), or None
        How much the kernel depends on each feature of X: its inverse length scale, in the order of the columns and of
        `feature_names_in_`. Features on different scales can be compared after a multiplication by their deviations.
        None where the kernel has one width for all features, or acts on `features`.
    sensitivity_, complexity_ : float
        :math:`\alpha`, and the bound r of the Rademacher complexity, [MCE] (11), both on the training samples.
    risk_ : float
        The mean loss of the training samples.
    objective_ : float
        Risk plus tau r of all training samples at the end, none held out, whether or not that is what was minimised:
        with ``"cv"``, ``"median"`` and None it was not.
    cv_results_ : dict of ndarray, or None
        With ``learn="cv"``, as in scikit-learn's ``GridSearchCV``: ``params``, ``param_penalty``, ``param_kernel``, and
        scores, which are minus the mean of :math:`\|e_y - f(x)\|^2` over held-out samples, of each split, their mean
        (weighted with the samples in the split), deviation and rank. NaN for what a callback has left out. After
        ``set_params(learn=None, **cv_results_["params"][i])`` a fit tries only candidate i.
    history_ : dict of ndarray
        By step, as in `KernelAutoencoder`: ``iteration``, ``value``, ``gradient_norm``, ``step``, ``evaluations``; and
        ``risk``, ``complexity``, ``accuracy``, ``failures`` (points without a value, as where a factorization failed,
        each of which halved the step). One entry with ``"median"`` and None, where nothing is searched.
    stop_reason_, n_iter_ : str, int
        Why the search ended, as in `KernelAutoencoder`, and after how many steps. ``"patience"`` where the objective of
        Adam no longer fell; ``"tol"`` where nothing was searched, or all of a grid.
    X_fit_ : ndarray or sparse matrix of shape (s, d), or None
        What supports the classifier, in the order of X: each sample where it comes first with its label, without those
        of weight 0. Unit vectors for a linear kernel on fewer features than samples; None for explicit features and a
        precomputed kernel.
    landmarks_ : ndarray of shape (s,), or None
        The rows of X that support the classifier, if there are landmarks.
    dual_coef_ : ndarray of shape (s, m), or of shape (p, m)
        :math:`V = (K + n \lambda I)^{-1} Y`, so that ``kernel_(X, X_fit_) @ dual_coef_`` is `embedding`; or the weights
        of explicit features.
    inverse_temperature_, uniform_share_ : float, or None
        b and u of the probabilities :math:`(1 - u) \operatorname{softmax}(b f(x)) + u / m`; None with
        ``probabilities="clip"``. u is 1 / (n + 1), so that no class has probability 0.
    theta_, jitter_ : ndarray, float
        The parameters of the features; what had to be added to the diagonal, 0 as a rule.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = gramian.EmbeddingClassifier(random_state=0).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9), model.predict_proba(X[1::2]).shape
    (True, (75, 3))
    """

    _table = PARAMETERS
    _older: ClassVar = {"probabilities": "clip", "inverse_temperature_": None, "uniform_share_": None}
    _switch = Switch(most_exact=8000, per_root=10, most=3000, stored=2.2)
    _input_kernel = "kernel"

    kernel: SampleKernel | None
    features: Features | None
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
    random_state: RandomState
    warm_start: bool
    memory_budget: int | None

    classes_: AnyArray
    kernel_: Any
    penalty_: float
    relevances_: FloatArray | None
    sensitivity_: float
    complexity_: float
    risk_: float
    cv_results_: dict[str, Any] | None
    X_fit_: Any
    landmarks_: IntArray | None
    dual_coef_: FloatArray
    theta_: FloatArray
    jitter_: float
    _count: float
    _weights: FloatArray | None
    _in_coordinates: bool
    _features: Features | None

    def __init__(
        self,
        kernel: SampleKernel | None = None,
        *,
        features: Features | None = None,
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

    @property
    def _takes_sparse(self) -> bool:
        return super()._takes_sparse and self.features is None

    def _advice_on_memory(self, what: str, advice: str) -> str:
        if self._precomputed:
            return "use fewer samples"
        if what == "cross-validation":
            return "use learn='validation' with a batch_size"
        if what == "learning from a batch":
            return "use a smaller batch_size"
        if self.features is not None and self.kernel is None:
            return "use fewer features"
        return super()._advice_on_memory(what, advice)

    def _draws(self) -> bool:
        splits = self.learn in ("validation", "cv") if isinstance(self.learn, str) else False
        batches = self.batch_size is not None and not isinstance(self.batch_size, str)
        return splits or batches or is_count(self.landmarks) or self.features is not None

    @watched
    @advised
    def fit(self: ModelT, X: Any, y: Any, sample_weight: Any = None) -> ModelT:
        r"""
        Learn kernel, features and :math:`\lambda`, then embed all samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), or Gram matrix of shape (n, n)
            Samples in rows, at least two.
        y : array-like of shape (n,)
            Labels of any type.
        sample_weight : array-like of shape (n,), optional
            Numbers of at least 0. A weight of 2 is a sample that is there twice, beside itself, to the last bit.

        Returns
        -------
        EmbeddingClassifier
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; the message names it.
        MemoryError
            If the exact classifier is beyond `memory_budget`; the message says which parameter helps.
        gramian.NumericalError
            If the system can't be factorized at the start. A failure later shortens the step, and is counted.
        """
        owner, probe = type(self).__name__, self._probe()
        samples = self._training_samples_of(probe, X)
        classes, labels = check_labels(y, count_of(samples), owner)
        by_values = self._precomputed or self._has_function
        K = source(cast(Any, self.kernel), samples) if by_values else None
        parts = self._begin(check_parts(self, samples if K is None else K))
        weights, count = total_weights(self, labels, classes, sample_weight, samples if K is None else K)
        points = samples if K is None else factorize(check_inner_products(K, "X"))
        merged = (merge if K is None else unmerged)(points, labels, weights)
        asked = asked_landmarks(self, parts, merged)
        seed = self._seed(draws=is_count(asked))
        parts = parts.decided(merged.X, seed)
        drawn = draws(merged, self.learn in ("validation", "cv") and not by_values)
        rows = choose_rows(asked, merged, seed, owner)
        options = fit_options(self, drawn, drawn.rows(rows), seed)
        found, coefficients = train(self, drawn, len(classes), parts, options)
        model = found.model
        tell(self._watch, found, options, merged)
        tell_of_jitter(owner, model.jitter)
        supports, coefficients, weights = expansion(model, merged, rows, coefficients)
        if by_values:
            supports = None if self._precomputed else kept(samples, None)
        kernel = self.kernel if by_values else learned_kernel(parts, model, merged.X)
        learned = {
            "classes_": classes,
            "kernel_": kernel,
            "relevances_": relevances_of(parts, kernel),
            "X_fit_": supports,
            "landmarks_": None if rows is None else np.sort(first_rows(merged.place, len(merged.labels))[rows]),
            **{f"{name}_": getattr(model, name) for name in ("complexity", "risk", "sensitivity", "jitter", "theta")},
            **{f"{name}_": getattr(found, name) for name in ("objective", "history")},
            **calibration_of(model.calibration),
            "stop_reason_": stop_reason(self._watch, found, options),
            "penalty_": model.lambda_,
            "cv_results_": _grid_results(found, options, kernel),
            "dual_coef_": coefficients,
            "n_iter_": found.iterations,
            "_count": count,
            "_weights": weights,
            "_in_coordinates": model.of_unit_vectors,
            "_features": self.features,
        }
        return self._become(probe, learned)

    def _continues(self) -> bool:
        return bool(self.warm_start) and hasattr(self, "theta_") and self.learn in BY_GRADIENTS

    def _begin(self, parts: Parts) -> Parts:
        """Return the kernel where learning begins, and the features."""
        if not self._continues() or not isinstance(self.kernel_, Kernel):
            return parts
        return parts._replace(kernel=copy.deepcopy(self.kernel_))

    def embedding(self, X: Any) -> FloatArray:
        """
        Return f(x), [MCE] (5): estimates of all probabilities, which may leave [0, 1] and miss a sum of 1.

        Parameters
        ----------
        X : as in `predict`
            Samples.

        Returns
        -------
        ndarray of shape (q, m)
            In blocks: besides the result, memory does not grow with q. O(q s (d + m)) time.
        """
        samples = self._new_samples(X)
        if is_function(self.kernel_):
            samples = function_values(self.kernel_, samples, self.X_fit_)
        return scores(self._predictor, self.X_fit_, samples)

    def _compile(self) -> Any:
        if isinstance(self.kernel_, str) or is_function(self.kernel_):
            return predictor(None, [], 0, len(self.dual_coef_), self.dual_coef_, self.classes_, self._calibration)
        inputs = int(self.n_features_in_)
        parts = Parts(self.kernel_, self._features, inputs)
        features = [] if self._features is None else [(parts.features_spec, self.theta_)]
        return predictor(
            parts.kernel_spec, features, inputs, self.X_fit_, self.dual_coef_, self.classes_, self._calibration
        )

    def risk_bound(self, delta: float = 0.05) -> float:
        r"""
        Return what the expected loss is below with probability :math:`1 - \delta`, [MCE] (11), as it is printed.

        It is loose: as a rule it says nothing, as the loss that it bounds is at most 1. It does not apply with
        `class_weight`, a `sensitivity` below the true one, or a `clip` of 1/e or more.

        Parameters
        ----------
        delta : float, default=0.05
            In (0, 1).

        Returns
        -------
        float
        """
        self._require_fitted()
        count, delta = max(1, round(self._count)), check_real(delta, "delta", "risk_bound")
        return _core.embedding.risk_bound(self.risk_, self.complexity_, count, delta)


def _grid_results(found: _core.embedding.Fit, options: _core.embedding.Options, kernel: Any) -> dict[str, Any] | None:
    """Return what cross-validation has found; None after any other search."""
    way = options.learning
    if not isinstance(way, _core.embedding.GridSearch):
        return None
    grid = {"length_scale_factor": way.scale_grid, "penalty": way.lambda_grid}
    results = search_results(grid, found.fold_losses, found.fold_weights)
    # The first of the best, as the engine counts: what the learned kernel is.
    best = int(np.nanargmin(found.history["value"]))
    return with_kernels(results, kernel, results["params"][best]["length_scale_factor"])
