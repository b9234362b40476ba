# SPDX-License-Identifier: BSD-3-Clause
"""Concatenated kernel interpolation."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy.typing as npt

from gramian import _core
from gramian.models._shared.parameters import literal
from gramian.models._shared.types import Callback, CheckpointPath, ForEachLayer, LayerKernels, RandomState
from gramian.models._shared.watch import watched
from gramian.models._shared.words import advised
from gramian.models.deep_regression.base import BaseDeepTargets
from gramian.models.deep_regression.fit import DEFAULTS, LIMITS, Choice, Problem
from gramian.models.deep_regression.plan import check_inner_alpha
from gramian.models.deep_regression.samples import as_they_came, check_images, moments, no_scaling
from gramian.models.deep_regression.types import Init, InnerParameters, Solver

ModelT = TypeVar("ModelT", bound="DeepKernelInterpolator")


class DeepKernelInterpolator(BaseDeepTargets):
    r"""
    Interpolation by L functions of reproducing kernel Hilbert spaces, one behind the other: [DKL] (Int).

    Of all that meet the targets it seeks those with the smallest :math:`\|f_L\|^2 + \mu \sum_{l<L} \|f_l\|^2`.
    Parameters that are not explained here are those of `DeepKernelRegressor`.

    Parameters
    ----------
    kernels : Kernel, str or list, optional
        As there. None: a linear kernel and a Matérn kernel, which the targets can be met with where a Gaussian's system
        is singular up to rounding.
    hidden, A, theta : optional
        As there; theta of the last layer stays None.
    inner_alpha : float or list of float, default=1.0
        :math:`\mu`, the weight of the inner layers; [DKL] has 1.
    standardize : bool, optional
        As there.
    n_init, init, init_scale, refined_share, solver, inner_parameters
        As there.
    distance_penalty : float, default=0.0
        [DKL] (15): it keeps images apart, so that the system stays regular.
    max_iter, tol, learning_rate, callback, verbose, max_time, checkpoint, checkpoint_every
        As there.
    random_state, warm_start, memory_budget
        As there.

    Attributes
    ----------
    merged_ : list of int
        Rows that the kernels of the first layer take for an earlier one with the same targets, and that were left out.
    kernels_, operators_, coefficients_, supports_, deep_kernel_, alpha_, inner_alpha_
        As in `DeepKernelRegressor`; `alpha_`, the weight of the last layer, is 1.
    objective_, loss_, squared_norms_, layer_penalties_, stationarity_, history_, stop_reason_, n_iter_
        As in `DeepKernelRegressor`.
    init_objectives_, init_stop_reasons_, last_layer_, inner_parameters_, inner_rank_, jitter_
        As in `DeepKernelRegressor`.
    input_shift_, input_scale_, output_shift_, output_scale_, n_features_in_, feature_names_in_
        As in `DeepKernelRegressor`.

    Examples
    --------
    >>> import gramian, numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(40, 2))
    >>> y = np.abs(X[:, 0] - X[:, 1])
    >>> model = gramian.DeepKernelInterpolator(random_state=0).fit(X, y)
    >>> bool(np.abs(model.predict(X) - y).max() < 1e-6)
    True
    """

    inner_alpha: ForEachLayer

    merged_: list[int]

    def __init__(
        self,
        kernels: LayerKernels = None,
        *,
        hidden: int | Sequence[int] | None = None,
        A: Sequence[npt.ArrayLike | None] | None = None,
        inner_alpha: ForEachLayer = _core.deep_regression.Interpolation.inner_penalty,
        theta: Any = None,
        standardize: bool | None = None,
        n_init: int = DEFAULTS.restarts,
        init: Init = "identity",
        init_scale: float = DEFAULTS.init_scale,
        refined_share: float = DEFAULTS.refined_share,
        solver: Solver = "lbfgs",
        inner_parameters: InnerParameters = literal(DEFAULTS.parameters.name),
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

    landmarks = None
    _mode = _core.deep_regression.Interpolation
    _takes_sparse = False  # many rows of counts are the same

    def _advice_on_memory(self, what: str, advice: str) -> str:
        return "use fewer samples, or DeepKernelRegressor with landmarks"

    @watched
    @advised
    def fit(self: ModelT, X: npt.ArrayLike, y: npt.ArrayLike, image_targets: Any = None) -> ModelT:
        """
        Learn the layers.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Samples in rows, at least two.
        y : array-like of shape (n,) or (n, c)
            Targets.
        image_targets : dict, optional
            For inner layers, from 1, what the images of the samples should be near: an array-like of shape
            (n, d_layer), or a tuple ``(targets, weight)`` or ``(targets, weight, loss)``, of weight 1 and the squared
            loss if nobody says.

        Returns
        -------
        DeepKernelInterpolator
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; or if two rows are the same to the
            kernels of the first layer and have different targets: the message names the rows.
        MemoryError
            If the system of the last layer would not fit.
        gramian.NumericalError
            If no start leads to a point where it can be solved.
        """
        probe = self._probe()
        points, targets = self._data(probe, X, y)
        Y = targets if targets.ndim == 2 else targets[:, None]
        samples = as_they_came(points, Y, check_images(image_targets, points.shape[0]))
        outputs = moments(Y, None) if self._standardizes() else no_scaling(Y)
        learned = self._fit(samples, None, outputs, None, None)
        del learned["cv_results_"]
        learned["merged_"] = learned.pop("_merged")
        return self._become(probe, {**learned, "_flat": targets.ndim == 1})

    def _choice(self, problem: Problem, folds: Any) -> Choice:
        inner_alpha = check_inner_alpha(self.inner_alpha, problem.depth, type(self).__name__)
        return Choice(1.0, inner_alpha)

    def _draws_folds(self, depth: int) -> bool:
        return False

    def _more_options(self) -> dict[str, Any]:
        return {"interpolate": True}
