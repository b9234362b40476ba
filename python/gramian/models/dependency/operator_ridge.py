# SPDX-License-Identifier: BSD-3-Clause
"""Ridge regression with any operator-valued kernel on vectors of outputs, [KDE] (1), (2), (3)."""

from typing import Any, ClassVar, TypeVar

import numpy as np

from gramian import _core
from gramian._scikit import MultiOutputMixin, RegressorMixin
from gramian._validation import FloatArray, is_sparse, refused
from gramian.kernels import Kernel, KernelName
from gramian.kernels.choice import choose_kernel
from gramian.models._shared.compatibility import validate_data
from gramian.models._shared.counted import weighted_width, without_zeros
from gramian.models._shared.duration import layer_operations, tell_of_duration
from gramian.models._shared.estimator import Estimator
from gramian.models._shared.parameters import OneOf, Real, Whole, literal
from gramian.models._shared.parts import new_points
from gramian.models._shared.progress import end_of_solver
from gramian.models._shared.trained import TrainedEstimator
from gramian.models._shared.training import dual_start_of
from gramian.models._shared.types import Callback, CheckpointPath
from gramian.models._shared.watch import Watch, watched
from gramian.models._shared.weighted import check_sample_weight
from gramian.models._shared.words import advised, ridge_called
from gramian.models.dependency.compiled import ridge_predictor
from gramian.models.dependency.types import RidgeSolver
from gramian.operators._base import OperatorKernel
from gramian.operators._kinds import Separable

_DEFAULTS = _core.operators.RidgeOptions()
_ITERATIONS = 100
"""Of conjugate gradients, as a rule."""

ModelT = TypeVar("ModelT", bound="OperatorKernelRidge")


class OperatorKernelRidge(MultiOutputMixin, RegressorMixin, TrainedEstimator):
    r"""
    Ridge regression with an operator-valued kernel.

    It minimises :math:`\sum_i \|g(x_i) - y_i\|^2 + \lambda \|g\|^2`, [KDE] (1): :math:`g(x) = \sum_i K(x, x_i) \psi_i`
    with :math:`(\mathbf K + \lambda I) \Psi = Y`. Cholesky takes O((n q)^3 / 3) time and O((n q)^2) memory for q
    outputs; conjugate gradients one action of the kernel an iteration, and O(n q) memory.

    Parameters
    ----------
    operator : gramian.operators.OperatorKernel, Kernel or str, optional
        K. A kernel k, or its name, is ``Separable(k)``: all outputs with this kernel. The median of the squared
        distances between samples chooses the width that a name leaves open. None is ``"rbf"``.
    alpha : float, default=1e-2
        :math:`\lambda`, above 0. There is no factor n.
    solver : {"auto", "cholesky", "cg"}, default="auto"
        ``"auto"`` is Cholesky for up to 3000 unknowns, and conjugate gradients beyond.
    tol : float, default=1e-10
        Conjugate gradients end when the residual is below this part of Y.
    max_iter : int, default=1000
        Iterations of conjugate gradients, at most; a ConvergenceWarning says that they were not enough.
    callback, verbose, max_time, checkpoint, checkpoint_every
        As in `KernelAutoencoder`, of the iterations of conjugate gradients.
    warm_start : bool, default=False
        Conjugate gradients begin with the coefficients of the last fit, which must have had as many samples and
        outputs. The answer is the same, in fewer iterations if little has changed. Cholesky does not begin anywhere.

    Attributes
    ----------
    operator_ : OperatorKernel
        K, with what the median rule chose.
    X_fit_ : ndarray or sparse matrix of shape (n, d)
        The training inputs.
    dual_coef_ : ndarray of shape (n, q)
        :math:`\Psi`, in the order of X: ``operator_.apply(X, dual_coef_, X_fit_)`` is `predict`.
    solver_ : {"cholesky", "cg"}
        The solver that was used.
    objective_ : float
        What was minimised.
    n_iter_ : int
        Iterations of conjugate gradients, at least 1; 1 for Cholesky.
    stop_reason_ : str
        ``"tol"``, ``"max_iter"``, ``"max_time"`` or ``"callback"``, as in `KernelAutoencoder`, or ``"stagnation"``
        where rounding keeps the residual above `tol`; ``"tol"`` for Cholesky.
    history_ : dict of ndarray
        As in `KernelAutoencoder`; ``gradient_norm`` is the largest magnitude of an entry of the residual
        :math:`Y - (\mathbf K + \lambda I) \Psi`. One entry for Cholesky.
    residual_ : float
        Theirs at the end, relative to Y; 0 for Cholesky.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (d,)
        Their names, if X had any.

    Examples
    --------
    >>> import numpy as np
    >>> import gramian
    >>> from gramian.operators import Separable
    >>> X = np.linspace(0.0, 1.0, 20)[:, None]
    >>> Y = np.hstack([np.sin(3 * X), np.cos(3 * X)])
    >>> together = Separable(gramian.kernels.Gaussian(), A=[[1.0, 0.5], [0.5, 1.0]])
    >>> bool(gramian.OperatorKernelRidge(together, alpha=1e-3).fit(X, Y).score(X, Y) > 0.99)
    True
    """

    _table = {
        "alpha": Real(engine="lambda_"),
        "solver": OneOf(tuple(_core.operators.Solver.__members__)),
        "tol": Real(engine="tolerance", zero=True),
        "max_iter": Whole(engine="max_iterations"),
    }
    _takes_sparse = True
    _ridge = "alpha"
    _older: ClassVar = {"warm_start": False}

    operator: OperatorKernel | Kernel | KernelName | None
    alpha: float
    solver: RidgeSolver
    tol: float
    max_iter: int
    warm_start: bool

    operator_: OperatorKernel
    X_fit_: Any
    dual_coef_: FloatArray
    solver_: str
    residual_: float
    _one_output: bool

    def __init__(
        self,
        operator: OperatorKernel | Kernel | KernelName | None = None,
        *,
        alpha: float = _DEFAULTS.lambda_,
        solver: RidgeSolver = literal(_DEFAULTS.solver.name),
        tol: float = _DEFAULTS.tolerance,
        max_iter: int = _DEFAULTS.max_iterations,
        callback: Callback | None = None,
        verbose: int = 0,
        max_time: float | None = None,
        checkpoint: CheckpointPath = None,
        checkpoint_every: int | None = None,
        warm_start: bool = False,
    ) -> None:
        self._keep(locals())

    def _advice_on_memory(self, what: str, advice: str) -> str:
        return "use solver='cg', or fewer samples" if what == "the block matrix" else "use fewer samples"

    @watched
    @advised
    def fit(self: ModelT, X: Any, y: Any, sample_weight: Any = None) -> ModelT:
        """
        Solve for the coefficients.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d)
            Inputs in rows.
        y : array-like of shape (n, q) or (n,)
            Outputs.
        sample_weight : array-like of shape (n,), optional
            Factors of the squared errors, of at least 0. A weight of 2 is a sample that is there twice; samples of
            weight 0 are left out.

        Returns
        -------
        OperatorKernelRidge
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range.
        gramian.NumericalError
            If the block matrix is not positive semidefinite.
        """
        owner, probe = type(self).__name__, self._probe()
        solver = _core.operators.Solver[self._checked("solver")]
        asked = self._options()
        operator = _chosen_operator(self.operator, owner)
        if is_sparse(y):
            raise TypeError("y must be dense: operator-valued kernels act on vectors. Use y.toarray().")
        samples, targets = validate_data(
            probe, X, y=y, dtype=np.float64, order="C", accept_sparse="csr", multi_output=True, y_numeric=True
        )
        weights, (samples, targets) = without_zeros(check_sample_weight(sample_weight, samples), samples, targets)
        columns = np.asarray(targets, dtype=np.float64).reshape(len(targets), -1)
        given_weights = [] if weights is None else weights.tolist()
        options = _core.operators.RidgeOptions(solver=solver, weights=given_weights, **asked)
        start = dual_start_of(self, columns, _iterates(options, columns))
        learned = solve_ridge(self, operator, samples, columns, options, self._watch, start)
        learned["X_fit_"] = samples.copy()
        learned["_one_output"] = np.ndim(targets) == 1
        return self._become(probe, learned)

    def predict(self, X: Any) -> FloatArray:
        """
        Return g(x).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, d)
            Inputs in rows.

        Returns
        -------
        ndarray of shape (m, q), or (m,) if y had one dimension
        """
        samples = new_points(None, self._new_samples(X), self.X_fit_)
        found: FloatArray = self._predictor.apply(_core.serving.Verb.predict, samples)
        return found[:, 0] if self._one_output else found

    def _compile(self) -> _core.dependency.OperatorPredictor:
        return ridge_predictor(self.operator_, self.X_fit_, self.dual_coef_)


def _chosen_operator(given: Any, owner: str) -> OperatorKernel:
    if given is None or isinstance(given, Kernel | str):
        reason = "K is evaluated between samples in vectors."
        choose_kernel("rbf" if given is None else given, "operator", owner, reason=reason)
        return Separable("rbf" if given is None else given)
    if not isinstance(given, OperatorKernel):
        raise refused("operator", owner, "one of gramian.operators, a kernel, or the name of one", given, TypeError)
    return given


def _iterates(options: _core.operators.RidgeOptions, targets: FloatArray) -> bool:
    """Tell whether the engine solves by conjugate gradients."""
    large = options.solver == _core.operators.Solver.auto and targets.size > options.largest_cholesky
    return large or options.solver == _core.operators.Solver.cg


def _tell_of_duration(
    estimator: Estimator, operator: OperatorKernel, X: Any, targets: FloatArray, options: _core.operators.RidgeOptions
) -> None:
    """Warn of a long solution: all pairs of samples once an iteration, or a factorization of all blocks."""
    (n, q), d = targets.shape, X.shape[1]
    work = min(options.max_iterations, _ITERATIONS) * layer_operations(n, n, [d, q], solved=False) / 2
    few, factored = "use fewer samples", (float(n) * q) ** 3 / 3
    if isinstance(estimator, OperatorKernelRidge) and isinstance(operator, Separable) and operator.A is None:
        few += ", or KernelRidge with landmarks"
    exact = options.solver == _core.operators.Solver.cholesky
    if exact:
        few, work = few if factored < work else f"use solver='cg', or {few.removeprefix('use ')}", factored
    tell_of_duration(estimator, n, work, few, in_steps=not exact)


def solve_ridge(
    estimator: Estimator,
    operator: OperatorKernel,
    X: Any,
    targets: FloatArray,
    options: _core.operators.RidgeOptions,
    watch: Watch | None = None,
    start: FloatArray | None = None,
) -> dict[str, Any]:
    """
    Return what is learned, by the names of the attributes.

    watch: None if nobody may end it; start: the coefficients that iterations begin with, if not zero.
    """
    weights = np.array(options.weights) if options.weights else None
    operator = operator._decided(lambda chosen: weighted_width(chosen, X, weights))
    points, _ = operator._points(X, None)
    _tell_of_duration(estimator, operator, X, targets, options)
    observer = None if watch is None else watch.observer
    with ridge_called(estimator._ridge):
        begin = np.empty((0, 0)) if start is None else start
        found = operator._engine(points, targets.shape[1]).ridge(points[1], targets, options, observer, begin)
    owner = f"Conjugate gradients of {estimator._owner}"
    reason = end_of_solver(owner, found, found.residual, watch, estimator._ridge, ", or use solver='cholesky'")
    return {
        "operator_": operator,
        "dual_coef_": found.coefficients,
        "solver_": found.solver.name,
        "objective_": found.objective,
        "n_iter_": max(1, found.iterations),
        "stop_reason_": reason,
        "history_": found.history,
        "residual_": found.residual,
    }
