# SPDX-License-Identifier: BSD-3-Clause
"""Deep kernel principal component analysis."""

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

from gramian import _core
from gramian._scikit import TransformerMixin
from gramian._validation import FLOAT64, FloatArray, IntArray
from gramian.kernels import Kernel
from gramian.kernels.choice import OpenKernel
from gramian.models._shared.landmarks import is_count
from gramian.models._shared.parameters import literal
from gramian.models._shared.parts import column, numbers
from gramian.models._shared.precision import PreservesFloat32, preserves_dtype
from gramian.models._shared.samples import kept, source
from gramian.models._shared.sums import rows_in
from gramian.models._shared.trained import TrainedEstimator
from gramian.models._shared.types import Callback, CheckpointPath, ForEachLayer, Landmarks, RandomState
from gramian.models._shared.watch import Watch, watched
from gramian.models._shared.words import advised
from gramian.models.deep_pca.counted import counted
from gramian.models.deep_pca.facts import TrainingFacts
from gramian.models.deep_pca.feature_score import ScoredInFeatureSpace, known_of_products
from gramian.models.deep_pca.fit import (
    PARAMETERS,
    Level,
    check_levels,
    check_training_gram,
    choose_rows,
    crossing,
    engine_options,
    learned_attributes,
    tell_of_nothing,
    tell_of_unsolved,
    with_kernels,
)
from gramian.models.deep_pca.generation import Generation
from gramian.models.deep_pca.landmarks import SWITCH, check_samples, spans, train_on_landmarks
from gramian.models.deep_pca.training import Spread, spread_over_copies, train_levels
from gramian.models.deep_pca.types import Eigenvalues, Extension, Init, Inverse, LandmarkMethod, LevelKernels, Solver
from gramian.points import SourcePoints, check_points

_DEFAULTS, _INVERSE, _LEVELS = _core.deep_pca.Options(), _core.deep_pca.InverseOptions(), _core.deep_pca.LevelDefaults()
_TRANSFORM = _core.deep_pca.TransformOptions()
_AUTO, _ADAM = (cast(Any, _core.deep_pca.solver(name)) for name in ("auto", "riemannian_adam"))

ModelT = TypeVar("ModelT", bound="DeepKernelPCA")


class DeepKernelPCA(
    Generation, TrainingFacts, ScoredInFeatureSpace, PreservesFloat32, TransformerMixin, TrainedEstimator
):
    r"""
    Levels of kernel PCA that see each other, forward and backward.

    Level j has features :math:`H_j` with orthonormal columns that solve
    :math:`\frac 1 {\eta_j} K_j(H_{j-1}) H_j + \frac 1 {\eta_{j+1}} G_j(H_j, H_{j+1}) = H_j \Lambda_j`, [DKPCA] (6),
    where :math:`G_j` is what the next level says of them. Half the sum of squared residuals, J, is minimised over
    matrices with orthonormal columns, [DKPCA] (9). An iteration takes O(n^2 s) time for s components in all; Gram
    matrices are not stored beyond `memory_budget`.

    A small J alone says little: the residuals of *bottom* eigenvectors are small because their eigenvalues are, and
    that is where random starts end. Look at `captured_trace_`, and stay with ``init="kpca"``.

    Parameters
    ----------
    n_components : int or sequence of int, default=(5, 5)
        The number of components of each level, from the input on.
    kernels : Kernel, str, callable or list, default=None
        One for all levels, or a list with one for each: objects, or names. None is ``"rbf"``, a
        Gaussian: with gamma from the median of the squared distances between samples on the first level, with gamma
        n / (20 s) on features of s components. With ``"precomputed"`` as the first one X is the Gram matrix in `fit`,
        and that of new samples (rows) with the samples of `fit` (columns) elsewhere. The first one may also be a
        function of two samples, or of two sets of them; X may be a list of anything then.
    eta : float or list of float, default=1.0
        :math:`\eta_j`, of either sign. A small magnitude gives a level a strong say.
    solver : str, default="auto"
        ``"closed_form"``, for one level, or linear kernels on all levels but the first; ``"self_consistent"``, for the
        same, by eigenproblems in turn; ``"riemannian_lbfgs"``; ``"riemannian_adam"``; ``"projected_gradient"``,
        [DKPCA] Alg. 1; ``"levelwise"``, kernel PCA of each level on the one before. ``"auto"`` is the closed form
        where there is one, and L-BFGS elsewhere.
    init : {"kpca", "random"}, default="kpca"
        The first start: levelwise kernel PCA, or random directions.
    center : bool, default=False
        Whether every Gram matrix is centred.
    n_init : int, default=1
        The number of starts, of which the one with the smallest J is kept; all but the first are random.
    eigenvalues : {"eliminated", "joint"}, default="eliminated"
        Whether :math:`\Lambda_j` are what is best for given features, or variables as in [DKPCA] Alg. 1.
    landmarks : "auto", int, array-like of row indices or None, default="auto"
        Rows of X, or how many to choose. ``"auto"`` is None up to 5000 samples, if an exact fit has room in memory, and
        beyond that :math:`10 \sqrt n` rows, at most 1500. One level is kernel PCA of all samples in the span of the
        landmarks; several levels are trained on the landmarks only, and others are transformed like new ones. A Gram
        matrix, or a function, always has landmarks of the latter kind, and none by ``"auto"``.
    landmark_method : {"random", "spread", "pivoted", "leverage", "renyi"}, default="random"
        How a number of landmarks is chosen, by the methods of `landmark_rows`.
    extension : {"auto", "equations", "smoother"}, default="auto"
        For new samples: the equations of the training, exact; the mean of training features, weighted with the first
        kernel, as in the paper's experiments, 0 for a sample so far from all that its weights are; ``"auto"`` takes the
        latter where no solution of the former is found. Weights that cancel make no mean: such samples keep what comes
        closest to the equations, and a warning says how many there are.
    inverse : {"auto", "fixed_point", "ridge"}, default="auto"
        Back to the input of a level: the fixed point of Gaussian kernels, kernel ridge regression, or what fits each
        kernel (linear ones are inverted exactly).
    inverse_alpha : float, default=1e-4
        What is added to the diagonal of the ridge regression's Gram matrix, as `alpha` in scikit-learn's ``KernelPCA``.
    max_iter : int, default=1000
        Iterations of each start.
    tol : float, default=1e-4
        Bound of the largest entry of the Riemannian gradient, for ``"projected_gradient"`` of the last step over its
        length, [DKPCA] Alg. 1, line 12.
    learning_rate : float, default=1e-2
        Length of a step of ``"riemannian_adam"``, the first one that ``"projected_gradient"`` tries.
    callback : callable, optional
        Called after each iteration with a `gramian.optim.Iteration`. True stops the training, anything else goes on.
    verbose : int, default=0
        Print every `verbose`-th iteration to stderr; 0 prints nothing. Where the logger ``"gramian"`` or the root
        logger has a handler, the lines are logged at level INFO instead.
    max_time : float, optional
        Seconds that all starts together may take. The fit ends after the iteration in which they are over, with the
        best solution so far and a ConvergenceWarning.
    checkpoint : path, optional
        A file that says how far the fit has come. A fit that finds it goes on from there, if it has the same data and
        parameters, and ends with the same bits as if it had not been interrupted. A fit that ends by itself removes it.
    checkpoint_every : int, optional
        Iterations of a start after which the file is written. None: once a minute.
    random_state : int, numpy Generator, RandomState or None, default=None
        Of random starts and of landmarks.
    warm_start : bool, default=False
        Begin the first start where the last fit ended, which must have had as many samples, with the kernels that were
        chosen then. ``"closed_form"`` and ``"levelwise"`` do not iterate, and begin nowhere.
    memory_budget : int, optional
        Bytes that tiles of Gram matrices may be kept in; 1 GiB if None.

    Attributes
    ----------
    hidden_features_ : list of ndarray of shape (n, s_j)
        :math:`H_j`, by falling eigenvalue.
    eigenvalues_ : list of ndarray of shape (s_j,)
        Diagonals of :math:`\Lambda_j`.
    explained_variance_ratio_ : list of ndarray of shape (s_j,)
        The same over the trace of the matrix that they belong to, [DKPCA] (12).
    captured_trace_ : ndarray of shape (levels,)
        The part of each :math:`\operatorname{tr} K_j` that is in the span of :math:`H_j`; NaN, with a warning, where
        that trace is 0.
    objective_, residuals_, energy_
        J; its parts by level; :math:`\sum_j \operatorname{tr}(H_j^T K_j H_j) / 2 \eta_j`.
    kernels_, eta_, solver_
        What was used.
    stop_reason_, n_iter_, history_
        Why the best start ended, after how many iterations, and its course, as in `KernelAutoencoder`. After
        ``"closed_form"`` and ``"levelwise"``, which do not iterate: ``"tol"``, 0, and one entry.
    init_objectives_, init_captured_traces_ : ndarray of shape (n_init,)
        J and the captured trace of the first level at the end of each start.
    landmarks_ : ndarray of shape (m,), or None
        The rows that were trained on, or that span what was learned; n is their number elsewhere. None: all of them.
    X_fit_ : ndarray or sparse matrix, or None
        These samples; None for a precomputed Gram matrix.
    coupled_ : bool
        False after ``"levelwise"``.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import load_iris
    >>> X = load_iris().data
    >>> model = gramian.DeepKernelPCA(n_components=(3, 2)).fit(X)
    >>> model.transform(X).shape, model.transform(X, level=2).shape
    ((150, 5), (150, 2))
    >>> model.captured_trace_.round(2).tolist()
    [0.89, 0.97]
    """

    _table = PARAMETERS
    _input_kernel = "kernels"
    _switch = SWITCH

    n_components: int | Sequence[int]
    kernels: LevelKernels
    eta: ForEachLayer
    solver: Solver
    init: Init
    center: bool
    n_init: int
    eigenvalues: Eigenvalues
    landmarks: Landmarks
    landmark_method: LandmarkMethod
    extension: Extension
    inverse: Inverse
    inverse_alpha: float
    max_iter: int
    tol: float
    learning_rate: float
    random_state: RandomState
    warm_start: bool
    memory_budget: int | None

    eigenvalues_: list[FloatArray]
    explained_variance_ratio_: list[FloatArray]
    captured_trace_: FloatArray
    residuals_: FloatArray
    energy_: float
    eta_: FloatArray
    solver_: str
    init_objectives_: FloatArray
    init_captured_traces_: FloatArray
    landmarks_: IntArray | None
    coupled_: bool
    _centred: bool
    _primal: float
    _means: list[Any]
    _offsets: list[Any]
    _inputs: Any
    _coefficients: FloatArray | None
    """Of one level on landmarks: what sums over all samples are made of; `_centre` is that of their mean."""
    _centre: FloatArray | None
    _weights: FloatArray | None
    """How often each sample of the training is there; None: once."""

    _older: ClassVar = {"_coefficients": None, "_centre": None, "_weights": None}
    _diagonal: FloatArray | None

    def __init__(
        self,
        n_components: int | Sequence[int] = tuple(_LEVELS.components),
        kernels: LevelKernels = None,
        eta: ForEachLayer = _LEVELS.eta,
        *,
        solver: Solver = "auto",
        init: Init = literal(_DEFAULTS.start.name),
        center: bool = _DEFAULTS.centred,
        n_init: int = _DEFAULTS.starts,
        eigenvalues: Eigenvalues = literal(_DEFAULTS.eigenvalues.name),
        landmarks: Landmarks = "auto",
        landmark_method: LandmarkMethod = "random",
        extension: Extension = literal(_TRANSFORM.extension.name),
        inverse: Inverse = literal(_INVERSE.method.name),
        inverse_alpha: float = _INVERSE.ridge,
        max_iter: int = _AUTO.otherwise.max_iterations,
        tol: float = _AUTO.otherwise.gradient_tolerance,
        learning_rate: float = _ADAM.step,
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
    def _n_features_out(self) -> int:
        return sum(features.shape[1] for features in self.hidden_features_)

    def _advice_on_memory(self, what: str, advice: str) -> str:
        if "Cholesky" in what:  # of the leverages
            return "use landmark_method='random', or fewer samples"
        return super()._advice_on_memory(what, advice)

    @watched
    @advised
    def fit(self: ModelT, X: Any, y: Any = None, sample_weight: Any = None) -> ModelT:
        """
        Learn the features of all levels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), or Gram matrix of shape (n, n)
            Samples in rows, at least as many as a level has components.
        y : ignored
            There for pipelines.
        sample_weight : array-like of shape (n,), optional
            How often each sample is there, a number of at least 0. Features have orthonormal columns over all of these,
            and a sample has one row of them. Samples of weight 0 are left out.

        Returns
        -------
        DeepKernelPCA
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If X or a parameter is of the wrong kind, shape or range; the message names it.
        """
        probe = self._probe()
        levels, _ = self._plan(0)
        samples = check_samples(self, probe, levels, X)
        given, samples = samples, source(self._first_kernel, samples) if self._has_function else samples
        came = counted(sample_weight, rows_in(samples))
        asked = came.asked(self._asked_landmarks(came.present), self._owner)
        seed = self._seed(draws=is_count(asked))
        if self._precomputed or self._has_function:
            check_training_gram(samples)
        first = levels[0] if asked is None else with_kernels(levels[:1], *came.seen(samples), came.present)[0]
        chosen = choose_rows(self, asked, cast(Any, first.kernel), came.of(samples), seed, came.present)
        rows = came.among_all(chosen)
        if rows is not None and spans(self, levels):
            self._check_sizes([first], len(rows))
            samples, found = train_on_landmarks(self, first, samples, rows, came.weights)
            tell_of_nothing(self._owner, found)
            return self._learn(probe, [first], samples, found, self._watch, rows, samples)
        samples = samples.crossing(FLOAT64) if isinstance(samples, SourcePoints) else samples
        rows = came.rows if rows is None else rows
        levels = levels if chosen is None else [first, *levels[1:]]
        done = train_levels(self, levels, samples, came, rows, seed, chosen is None)
        kept_samples = kept(given, rows) if self._has_function else done.samples
        return self._learn(probe, done.levels, done.samples, done.found, self._watch, rows, kept_samples, done.spread)

    def _continues(self) -> bool:
        return bool(self.warm_start) and hasattr(self, "hidden_features_")

    def _draws(self) -> bool:
        return self.n_init != 1 or self.init == "random"

    def _takes_landmarks(self) -> bool:
        return not (self._precomputed or self._has_function)

    def _plan(self, seed: int, weights: FloatArray | None = None) -> tuple[list[Level], _core.deep_pca.Options]:
        """Return levels and the engine's options, after checking the parameters."""
        levels = check_levels(self)
        if self._continues() and len(self.kernels_) == len(levels):
            levels = [
                level if not isinstance(level.kernel, OpenKernel) else level._replace(kernel=kernel)
                for level, kernel in zip(levels, self.kernels_, strict=True)
            ]
        self._checked("extension")
        self._check_inverse()
        return levels, engine_options(self, seed, weights)

    def _learn(
        self: ModelT,
        probe: Any,
        levels: list[Level],
        samples: Any,
        found: Any,
        watch: Watch,
        rows: Any = None,
        given: Any = None,
        spread: Spread | None = None,
    ) -> ModelT:
        """
        Become fitted to samples by what the engine has found.

        given: what a function was called with for them; spread: which of them differ, and the weights of all.
        """
        learned = {**learned_attributes(levels, found, watch), "landmarks_": rows}
        if spread is not None:
            learned.update(spread_over_copies(spread, learned))
        on_points, kernel = isinstance(levels[0].kernel, Kernel), levels[0].kernel
        learned["X_fit_"] = samples.copy() if on_points else None if isinstance(kernel, str) else given
        learned.update({"_diagonal": None} if on_points else known_of_products(samples, learned))
        return self._become(probe, learned)

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> FloatArray:
        """Learn the features and return those of X, as `transform` has them."""
        return self.fit(X, y, **fit_params).transform(X)

    @preserves_dtype
    def transform(self, X: Any, level: int | None = None) -> FloatArray:
        r"""
        Return the features of samples.

        They solve the equations of the training, [DKPCA] (A.1), for one more sample: a linear system if all upper
        kernels are linear, else Newton's method from the training sample that is most alike. Takes O(n s) time for each
        sample and iteration.

        Samples of the training get their rows of `hidden_features_` back where J is 0 and the equations have one
        solution. Linear levels with more components than the Gram matrix has rank, or than the level below, have many:
        the one of smallest norm is returned, and the training has another one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d), or (q, n) inner products with the samples of `fit`
            Samples in rows.
        level : int, optional
            The level whose features are returned, from 1 on; all levels side by side if None. Output as a data frame,
            by `set_output`, is for all levels alone; `get_feature_names_out` has the columns of each.

        Returns
        -------
        ndarray of shape (q, s_j), or (q, sum of all s_j)
        """
        self._require_fitted()
        self._check_output(level)
        return self._codes(X, level)

    def _codes(self, X: Any, level: int | None) -> FloatArray:
        """Transform, to an array whatever the output is set to."""
        chosen = None if level is None else self._check_level(level)
        fresh = self._fresh(X)
        codes = self._predictor.codes(check_points(fresh, "X").crossing(FLOAT64))
        tell_of_unsolved(self.extension, codes.solved, codes.smoothed)
        return np.hstack(codes.features) if chosen is None else codes.features[chosen - 1]

    def _check_sizes(self, levels: list[Level], rows: int) -> None:
        for index, level in enumerate(levels):
            if level.components > rows:
                raise ValueError(
                    f"n_components[{index}] of {type(self).__name__} is {level.components}, and there are {rows} "
                    f"samples to train on: a level can't have more components than samples."
                )

    def _levels(self) -> "DeepKernelPCA":
        return self

    def _compile(self) -> _core.deep_pca.Predictor:
        inputs = getattr(self, "n_features_in_", 1)
        sizes = [features.shape[1] for features in self.hidden_features_]
        levels = [Level(*parts) for parts in zip(self.kernels_, sizes, self.eta_.tolist(), strict=True)]
        summary = _core.deep_pca.Summary(
            levels=crossing(levels, inputs),
            eigenvalues=[values.tolist() for values in self.eigenvalues_],
            centred=self._centred,
            coupled=self.coupled_,
            means=self._means,
            offsets=self._offsets,
        )
        if not self._by_products and self.X_fit_.shape[1] != inputs:
            raise ValueError(f"X_fit_ has {self.X_fit_.shape[1]} features, and n_features_in_ is {inputs}.")
        count = len(self.hidden_features_[0])
        training = count if self._by_products else check_points(self.X_fit_, "X_fit_").crossing(FLOAT64)
        transform = _core.deep_pca.TransformOptions(extension=_core.deep_pca.Extension[self._checked("extension")])
        return _core.deep_pca.Predictor(
            summary,
            self.hidden_features_,
            self._inputs,
            numbers(self._coefficients, "_coefficients"),
            numbers(self._centre, "_centre"),
            column(self._weights, "_weights"),
            training,
            transform,
            self._check_inverse(),
        )
