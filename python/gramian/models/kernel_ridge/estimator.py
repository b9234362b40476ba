# SPDX-License-Identifier: BSD-3-Clause
"""Kernel ridge regression with the parameters of scikit-learn's, and more."""

from typing import Any, ClassVar, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._scikit import MultiOutputMixin, RegressorMixin, available_if
from gramian._validation import FloatArray
from gramian.models._shared.landmarks import IndexArray
from gramian.models._shared.parameters import OneOf, Real, Whole, literal
from gramian.models._shared.parts import new_points, numbers
from gramian.models._shared.sums import seen
from gramian.models._shared.trained import TrainedEstimator
from gramian.models._shared.types import Callback, CheckpointPath, Landmarks, RandomState
from gramian.models._shared.watch import watched
from gramian.models._shared.weighted import check_sample_weight
from gramian.models._shared.words import advised
from gramian.models.kernel_ridge.data import Problem, check_alphas, check_training, compiled, is_searched
from gramian.models.kernel_ridge.fit import SOLVERS, solve
from gramian.models.kernel_ridge.kernel import check_kernel, is_of_scikit_learn, kernel_of
from gramian.models.kernel_ridge.partial import add_samples, takes_parts
from gramian.models.kernel_ridge.types import KernelRidgeSolver, Precision, RidgeKernel
from gramian.models.kernel_ridge.width import choose_width

ModelT = TypeVar("ModelT", bound="KernelRidge")

_DEFAULTS = _core.kernel_ridge.Options()


class KernelRidge(MultiOutputMixin, RegressorMixin, TrainedEstimator):
    r"""
    Kernel ridge regression: scikit-learn's estimator, on this engine.

    It minimises :math:`\sum_i w_i |y_i - f(x_i)|^2 + \alpha \|f\|^2`: :math:`f(x) = \sum_i k(x, x_i) c_i`. Parameters
    and answers are those of ``sklearn.kernel_ridge.KernelRidge``, in a third of the memory; kernels may also be those
    of gramian.kernels, and `alphas` chooses by leaving each sample out.

    Parameters
    ----------
    alpha : float or array-like of shape (n_targets,), default=1.0
        :math:`\alpha`, at least 0. There is no factor n. One for each target, if there are several.
    kernel : Kernel, str or callable, default="linear"
        One of gramian.kernels, its name, ``"precomputed"``, or a function of two samples. Names that scikit-learn has
        mean what they mean there, ``"chi2"``, ``"additive_chi2"`` and ``"sigmoid"`` too, which scikit-learn evaluates.
    gamma : float or "auto", optional
        Of the kernels that have one; None is 1 / n_features for those of scikit-learn, and for others the median of the
        squared distances between samples. ``"auto"`` chooses the length scale of any kernel that has one, from 1/16 to
        4 times that of None or of the kernel itself: by the mean squared error on a quarter of the samples, at most
        5000, of fits to at most 5000 others.
    degree : float, default=3
        Of ``"polynomial"``.
    coef0 : float, default=1
        Of ``"polynomial"`` and ``"sigmoid"``.
    kernel_params : dict, optional
        Further arguments of a kernel that is a function.
    alphas : array-like, optional
        Numbers above 0: the one with the smallest leave-one-out error takes the place of `alpha`. All of them take
        little more time than one. With ``gamma="auto"`` they are compared on the same samples as the widths, for any
        solver: alpha is multiplied by the part of the samples that a fit has.
    solver : {"auto", "cholesky", "cg", "landmarks"}, default="auto"
        Cholesky takes O(n^3 / 3) time and n^2 numbers; ``"cg"``, conjugate gradients with a preconditioner of low rank,
        one product of the kernel with the coefficients an iteration, and no n x n matrix; ``"landmarks"`` looks for f
        in the span of a few samples. ``"auto"`` is Cholesky for up to 5000 samples, conjugate gradients for up to
        50 000, and landmarks beyond, or where `landmarks` are given.
    landmarks : "auto", int or array-like of row indices, optional
        How many, drawn at random, or which samples f is a sum over. ``"auto"``, and None where the solver is
        ``"landmarks"``, is :math:`10 \sqrt n`.
    dtype : {"float64", "float32"}, default="float64"
        In which ``"cg"`` and ``"landmarks"`` evaluate the kernel and multiply with it; all else is float64.
        ``"float32"`` takes half the time, and leaves residuals of about 1e-6.
    tol : float, optional
        Iterations end when the residual is below this part of the targets. None is 1e-10 for ``"cg"``, 1e-7 for
        ``"landmarks"``, and 1e-5 with float32.
    max_iter : int, default=1000
        Iterations at most; a ConvergenceWarning says that they were not enough.
    early_stopping : bool, default=False
        Whether ``"cg"`` holds out samples, and stops when their score, :math:`R^2`, no longer rises. The coefficients
        are those with the best score. Held-out samples are not trained on: they are not in `X_fit_`.
    validation_fraction : float, default=0.1
        The part of the samples that is held out, with `early_stopping`. A score takes a product of the kernel between
        these and all others, every 5 iterations.
    n_iter_no_change : int, default=10
        Iterations without a rise of 1e-4 after which `early_stopping` ends a fit.
    callback, verbose, max_time, checkpoint, checkpoint_every
        As in `KernelAutoencoder`, of the iterations of conjugate gradients. There is no checkpoint with
        `early_stopping`.
    random_state : int, RandomState instance or None, default=None
        For landmarks and held-out samples, which are drawn.
    warm_start : bool, default=False
        ``"cg"`` begins with the coefficients of the last fit, which must have had as many samples and targets. The
        answer is the same, in fewer iterations if little has changed. Not with `early_stopping`; other solvers do not
        begin anywhere.

    Attributes
    ----------
    kernel_ : Kernel, "precomputed" or callable
        The kernel, with what was left open.
    alpha_ : float or ndarray of shape (n_targets,)
        The one that was used.
    dual_coef_ : ndarray of shape (n,) or (n, n_targets)
        :math:`c_i`.
    X_fit_ : ndarray or sparse matrix of shape (n, d), or None
        The inputs that f is a sum over: the training inputs, or the landmarks. None for a precomputed kernel.
    solver_ : {"cholesky", "least_squares", "cg", "landmarks"}
        The solver that was used: least squares where the system is singular.
    landmarks_ : ndarray or None
        The rows of X that are landmarks, in ascending order.
    objective_ : float
        What was minimised, summed over the targets.
    residual_ : float
        What is left of the system, relative to the targets: the largest of all targets; 0 for Cholesky. With
        `early_stopping` that of the coefficients with the best score.
    converged_ : bool
        Whether it is below `tol`.
    best_validation_score_ : float or None
        With `early_stopping`: the score of the coefficients.
    n_iter_ : int
        Iterations of conjugate gradients, at least 1; 1 without any.
    stop_reason_ : str
        ``"tol"``, ``"max_iter"``, ``"max_time"`` or ``"callback"``, as in `KernelAutoencoder`, or ``"stagnation"``
        where rounding keeps the residual above `tol`, or ``"validation"`` where `early_stopping` ended the fit;
        ``"tol"`` without iterations.
    history_ : dict of ndarray
        As in `KernelAutoencoder`, of the energy of the system; ``gradient_norm`` is the largest magnitude of an entry
        of the residual. Empty without iterations. With `early_stopping` also ``validation_score``, NaN for iterations
        that were not scored.
    leave_one_out_ : ndarray of shape (n,) or (n, n_targets), or None
        With `alphas`: predictions of each target by the fit to all other samples. None with ``gamma="auto"``.
    cv_results_ : dict or None
        With `alphas`: what scikit-learn's GridSearchCV has; scores are minus mean squared leave-one-out errors. With
        ``gamma="auto"`` those on held-out samples, of each kernel and alpha; after ``set_params(gamma=None,
        alphas=None)`` and ``set_params(**cv_results_["params"][i])`` a fit tries only candidate i.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (d,)
        Their names, if X had any.

    Examples
    --------
    >>> import numpy as np
    >>> import gramian
    >>> x = np.linspace(0.0, 1.0, 40)[:, None]
    >>> y = np.sin(6 * x[:, 0])
    >>> model = gramian.KernelRidge(kernel="rbf", gamma=10.0, alphas=np.logspace(-6, 0, 7)).fit(x, y)
    >>> model.alpha_
    1e-06
    >>> model.predict([[0.5]]).round(3)
    array([0.141])
    """

    _table = {
        "solver": OneOf(SOLVERS),
        "dtype": OneOf(("float64", "float32")),
        "tol": Real(optional=True),
        "max_iter": Whole(),
        "early_stopping": OneOf((False, True)),
        "validation_fraction": Real(below=1.0),
        "n_iter_no_change": Whole(),
    }
    _input_kernel = "kernel"
    _ridge = "alpha"
    _least_samples = 1
    _of_this_process = frozenset({"_sum"})
    _older: ClassVar = {
        "early_stopping": False,
        "validation_fraction": 0.1,
        "n_iter_no_change": 10,
        "best_validation_score_": None,
        "warm_start": False,
    }

    alpha: float | npt.ArrayLike
    kernel: RidgeKernel
    gamma: float | Literal["auto"] | None
    degree: float
    coef0: float
    kernel_params: dict[str, Any] | None
    alphas: npt.ArrayLike | None
    solver: KernelRidgeSolver
    landmarks: Landmarks
    dtype: Precision
    tol: float | None
    max_iter: int
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    random_state: RandomState
    warm_start: bool

    kernel_: Any
    alpha_: float | FloatArray
    dual_coef_: FloatArray
    X_fit_: Any
    solver_: str
    landmarks_: IndexArray | None
    leave_one_out_: FloatArray | None
    cv_results_: dict[str, Any] | None
    residual_: float
    converged_: bool
    best_validation_score_: float | None
    _sum: Any
    """The normal equations of all calls of `partial_fit`; None after `fit`, False if a file has left them out."""

    def __init__(
        self,
        alpha: float | npt.ArrayLike = _DEFAULTS.alphas[0],
        *,
        kernel: RidgeKernel = "linear",
        gamma: float | Literal["auto"] | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alphas: npt.ArrayLike | None = None,
        solver: KernelRidgeSolver = literal(_DEFAULTS.solver.name),
        landmarks: Landmarks = None,
        dtype: Precision = literal(_DEFAULTS.precision.name),
        tol: float | None = None,
        max_iter: int = _DEFAULTS.max_iterations,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        callback: Callback | None = None,
        verbose: int = 0,
        max_time: float | None = None,
        checkpoint: CheckpointPath = None,
        checkpoint_every: int | None = None,
        random_state: RandomState = None,
        warm_start: bool = False,
    ) -> None:
        self._keep(locals())

    def _advice_on_memory(self, what: str, advice: str) -> str:
        if what == "the normal system":
            return "use fewer landmarks"
        own = self._precomputed or self._has_function or is_of_scikit_learn(self.kernel)
        return "use fewer samples" if own else "use solver='cg' or solver='landmarks'"

    @watched
    @advised
    def fit(self: ModelT, X: Any, y: Any, sample_weight: Any = None) -> ModelT:
        """
        Solve for the coefficients.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), Gram matrix of shape (n, n), or sequence of n objects
            Inputs in rows; objects for a kernel that is a function of them.
        y : array-like of shape (n,) or (n, n_targets)
            Targets.
        sample_weight : float or array-like of shape (n,), optional
            Factors of the squared errors, of at least 0. A weight of 2 is a sample that is there twice.

        Returns
        -------
        KernelRidge
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; the message names it.
        gramian.NumericalError
            If conjugate gradients meet a kernel that is not positive semi-definite.
        """
        owner, probe = self._owner, self._probe()
        check_kernel(self, owner)
        samples, targets = check_training(probe, X, y)
        alphas = check_alphas(self, 1 if targets.ndim == 1 else targets.shape[1], owner)
        weights = check_sample_weight(sample_weight, targets)
        sight = seen(samples)
        kernel = kernel_of(self, sight, weights if sight is samples else None)
        problem, table = Problem(kernel, samples, targets, weights), {}
        if is_searched(self):
            kernel, alphas, found = choose_width(self, problem, alphas)
            problem, table = problem._replace(kernel=kernel), {"cv_results_": found}
        learned = {**solve(self, problem, alphas), **table}
        return self._become(probe, {"kernel_": kernel, "_sum": None, **learned})

    @available_if(takes_parts)
    @watched
    @advised
    def partial_fit(self: ModelT, X: Any, y: Any, sample_weight: Any = None) -> ModelT:
        """
        Add samples to a fit in the span of the landmarks that the first call has chosen among its own.

        All calls together have the answers of `fit` on all samples with these landmarks, and a first call after `fit`
        begins anew. Samples are not kept: the fitted estimator grows with the landmarks only. Takes O(n m^2 + m^3)
        time. A file that `save` writes can predict, and can't be added to; a pickle can.

        Normal equations have half the digits: with a kernel so smooth that landmarks are nearly sums of each other, and
        a small alpha, some of them are left out, and `fit` finds a lower objective.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), or source of rows
            Inputs, of the form of the first call's.
        y : array-like of shape (n,) or (n, n_targets)
            Targets.
        sample_weight : float or array-like of shape (n,), optional
            As in `fit`.

        Returns
        -------
        KernelRidge
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; the message names it.
        """
        probe = self._probe()
        check_kernel(self, self._owner)
        samples, targets = check_training(probe, X, y)
        alphas = check_alphas(self, 1 if targets.ndim == 1 else targets.shape[1], self._owner)
        weights = check_sample_weight(sample_weight, targets)
        return self._become(probe, add_samples(self, samples, targets, weights, alphas))

    def predict(self, X: Any) -> FloatArray:
        """
        Return f(x).

        Parameters
        ----------
        X : as in `fit`
            New inputs; with a precomputed kernel their kernel values to the training inputs.

        Returns
        -------
        ndarray of shape (m,) or (m, n_targets)
        """
        fresh = self._new_samples(X)
        samples = new_points(self.kernel_, fresh, self.X_fit_)
        found: FloatArray = self._predictor.apply(_core.serving.Verb.predict, samples)
        return found[:, 0] if self.dual_coef_.ndim == 1 else found

    @property
    def _takes_sparse(self) -> bool:
        return super()._takes_sparse and self.kernel != "chi2" and self.kernel != "additive_chi2"

    def _compile(self) -> _core.kernel_ridge.Predictor:
        columns = np.reshape(self.dual_coef_, (len(self.dual_coef_), -1))
        return compiled(self.kernel_, self.X_fit_, cast(FloatArray, numbers(columns, "dual_coef_")))
