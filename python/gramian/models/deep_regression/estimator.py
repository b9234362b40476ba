# SPDX-License-Identifier: BSD-3-Clause
"""Concatenated kernel regression."""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from gramian._validation import IntArray
from gramian.losses import Squared, check_loss
from gramian.models._shared.landmarks import Switch
from gramian.models._shared.parameters import literal
from gramian.models._shared.types import (
    Callback,
    CheckpointPath,
    ForEachLayer,
    Landmarks,
    LayerKernels,
    LossLike,
    RandomState,
)
from gramian.models._shared.watch import watched
from gramian.models._shared.weighted import check_sample_weight
from gramian.models._shared.words import advised
from gramian.models.deep_regression.base import BaseDeepTargets
from gramian.models.deep_regression.fit import DEFAULTS, LIMITS
from gramian.models.deep_regression.samples import Given, Samples, Scaling, check_images, in_order, moments, no_scaling
from gramian.models.deep_regression.types import Init, InnerParameters, LastLayer, Solver

ModelT = TypeVar("ModelT", bound="DeepKernelRegressor")


class DeepKernelRegressor(BaseDeepTargets):
    r"""
    Regression by L functions of reproducing kernel Hilbert spaces, one behind the other: [DKL].

    It minimises
    :math:`\sum_i w_i V(y_i, f_L \circ \cdots \circ f_1(x_i)) + \alpha \|f_L\|^2 + \mu \sum_{l<L} \|f_l\|^2`, [DKL] (7).
    Layers are counted from the input, kernels and sizes are listed from the input side, and all that is listed by layer
    is. The sum is one over samples: [DKL]'s :math:`\lambda` is `alpha`, without a factor n. With the squared loss the
    last layer is solved for in each evaluation, which takes O(n^3 / 3 + n^2 (d + d_1 + ...)) time.

    Parameters
    ----------
    kernels : Kernel, str or list, optional
        One for all layers, or a list from the input side: each a kernel, its name, a list of pairs ``(kernel, A)`` for
        their sum, which with diagonal A is a mixture of different kernels, or None for ``"rbf"``. The median of squared
        distances where training starts chooses the width that a name leaves open. None: two layers, a linear kernel and
        a Matérn kernel (nu=2.5, length scale 3 sqrt(d)), so that the machine learns a linear map and what is smooth
        behind it; `hidden` may ask for more layers, which have Gaussians in between.
    hidden : int or sequence of int, optional
        The sizes of the inner layers; as many as X has features if None. ``()``: one layer, kernel ridge regression.
    A : list, optional
        For each layer :math:`A_l`, symmetric and positive semi-definite: its diagonal, all of it, or None for I.
    alpha, inner_alpha : float, optional
        :math:`\alpha` and :math:`\mu`: the weights of the last layer, and of all layers before it; `inner_alpha` may be
        a list. What is None is chosen by cross-validation.
    alphas, inner_alphas : array-like of float, optional
        What cross-validation chooses from; powers of 10 from 1e-4 to 10, and from 1e-3 to 100, if
        None.
    cv : int, splitter or iterable of (train, test) pairs, optional
        The folds of this choice: 5 if None. A number of folds, or None, is of at most 1000 samples, which are drawn.
    n_jobs : int, optional
        Folds at once, each a job of joblib's current backend. None: the engine's own threads share the work, which is
        the fastest way on one machine.
    theta : None, "norm", float, object, or a list of these, default=None
        :math:`\Theta_l(s)` of the squared norm s, times the layer's penalty: s, its root, a power of it, or any
        increasing function: an object with ``value(s)`` and ``slope(s)``, its derivative, that return numbers. Where it
        is not None the penalties must be given.
    loss : "squared" or a loss of gramian.losses, default="squared"
        V. With `EpsilonInsensitive` it is a deep support vector machine. With any other than the squared loss the last
        layer is trained with the others.
    standardize : bool, optional
        Let the first layer see columns of mean 0 and variance 1; sparse columns keep their mean. Targets are centred
        too where the loss says that it is `of_residual`, and with the squared loss scaled to variance 1. None: if
        `kernels` is None, so that kernels that are given see what X has.
    n_init : int, default=8
        Starts; the best end is kept. All but the first one are random.
    init : {"identity", "random"}, default="identity"
        The first start: images as close to the samples as the kernels allow, or a random one as all others.
    init_scale : float, default=1.0
        Random starts are draws from Gaussian processes with the layers' kernels, times this.
    refined_share : float, default=0.25
        The part of the starts that come last and begin close to the best of those before. Below 1.
    solver : {"lbfgs", "bfgs", "adam"}, default="lbfgs"
        The optimiser. BFGS keeps a matrix of the square of the number of variables: for inner kernels of small rank.
    inner_parameters : {"auto", "coefficients", "features"}, default="auto"
        What describes the first layer: a coefficient for each support, or weights of an orthonormal basis, which are
        few where its kernel has a small rank, as a polynomial has. ``"auto"`` takes the basis where it can be had.
    last_layer : {"auto", "joint"}, default="auto"
        Solve for the last layer where this can be done, or train it with the others.
    landmarks : "auto", int, array-like of int or None, default="auto"
        Rows of X whose images support all layers, or how many to draw as k-means++ does; None is all rows. With m of
        them n m takes the place of n^2, and m^2 n that of n^3. ``"auto"`` is None up to 3000 samples, if an exact fit
        has room in memory, and beyond that :math:`5 \sqrt n` rows, at most 300. Beyond 20000 rows layers are searched
        for on 20000 of them, and finished by 10 iterations on all, with the squared loss.
    distance_penalty : float, default=0.0
        :math:`\gamma` of :math:`\gamma \sum_{i<j} \coth |g(x_i) - g(x_j)|^2`, [DKL] (15), of the last inner images.
    max_iter : int, default=1000
        Iterations of each start at most.
    tol : float, default=1e-5
        Stop when no entry of the gradient is larger, or when the objective falls by less than a hundredth of `tol`,
        relatively.
    learning_rate : float, default=1e-2
        The step of ``"adam"``.
    callback : callable, optional
        Called after each iteration with a `gramian.optim.Iteration`. True stops the training, anything else goes on.
        Starts run one after the other then.
    verbose : int, default=0
        Print every `verbose`-th iteration to stderr; 0 prints nothing. Where the logger ``"gramian"`` or the root
        logger has a handler, the lines are logged at level INFO instead.
    max_time : float, optional
        Seconds that the choice of penalties and all starts together may take. The fit ends after the iteration in which
        they are over, with the best solution so far and a ConvergenceWarning.
    checkpoint : path, optional
        A file that says how far the fit has come. A fit that finds it goes on from there, if it has the same data and
        parameters, and ends with the same bits as if it had not been interrupted. A fit that ends by itself removes it.
    checkpoint_every : int, optional
        Iterations of a start after which the file is written. None: once a minute.
    random_state : int, numpy Generator, RandomState or None, default=None
        Of random starts, folds and landmarks.
    warm_start : bool, default=False
        Begin the first start where the last fit ended, which must have had as many samples, with the kernels and
        penalties that were chosen then.
    memory_budget : int, optional
        Bytes that stored Gram matrices may take; 1 GiB if None. What does not fit is computed again.

    Attributes
    ----------
    kernels_ : list
        The layers' kernels, with what the median rule chose; a list of pairs ``(kernel, A)`` for a sum.
    operators_ : list
        A of each layer with one kernel; None for I.
    coefficients_ : list of ndarray
        What the functions are sums with, each of shape (m, d_l) for m supports: with one kernel in layer l its outputs
        are ``kernels_[l - 1](Z, supports_[l - 1]) @ coefficients_[l - 1]`` for its inputs Z, times A if it has one.
    supports_ : list of ndarray
        What supports each layer, in the order of X: samples as the first layer sees them, ``(X - input_shift_) /
        input_scale_``, each where it comes first, without those of weight 0; then their images under the layers below.
        The first one is sparse if X was.
    landmarks_ : ndarray of shape (m,), or None
        The rows of X that support the layers, if there are landmarks.
    deep_kernel_ : Kernel
        The learned kernel, [DKL] (10), (11): a kernel machine with it is the last layer. It takes points as `fit` does.
    alpha_, inner_alpha_ : float, ndarray of shape (L - 1,)
        The weights.
    cv_results_ : dict of ndarray, or None
        Of a choice, as in scikit-learn's ``GridSearchCV``: ``params``, ``param_alpha``, ``param_inner_alpha``, and
        scores, which are minus the loss of held-out samples, of each split, their mean (weighted with the samples in
        the split), deviation and rank. Ties are broken in favour of the largest weights.
    objective_, loss_ : float
        What was minimised, and the sum of losses in it; of standardised targets if they were.
    squared_norms_, layer_penalties_ : ndarray of shape (L,)
        :math:`\|f_l\|^2`, and what it costs.
    init_objectives_ : ndarray of shape (n_init,)
        The objective that each start ended with: how many optima there are. As `history_`, `n_iter_` and the stop
        reasons, of the search where that sees a part of the rows.
    init_stop_reasons_ : list of str
        Why.
    stationarity_ : float
        The norm of the gradient of `objective_` in those functions that were searched for, in their spaces: 0 where
        each satisfies the integral equation of [DKL] Thm. 2, (14), for the measure that weights each sample. A last
        layer that is solved for satisfies its own. With `landmarks` the gradient within their span; NaN if a layer then
        has an A or several kernels.
    history_ : dict of ndarray
        Of the best start, as in `KernelAutoencoder`.
    stop_reason_, n_iter_ : str, int
        Why the best start ended, as in `KernelAutoencoder`, and after how many iterations.
    last_layer_, inner_parameters_ : str
        ``"eliminated"`` or ``"joint"``; ``"features"`` or ``"coefficients"``.
    inner_rank_ : int or None
        How many features describe the first layer.
    jitter_ : float
        What had to be added to the diagonal of the last layer's system; 0 as a rule.
    input_shift_, input_scale_, output_shift_, output_scale_ : ndarray
        The standardisation of inputs and targets; 0 and 1 without.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    Samples are merged and ordered before the fit, so that a weight of two is a sample that is there twice, to the last
    bit. What is learned does not depend on the order of samples; predictions do, in the order of their sums. With one
    seed the result has the same bits for any number of threads.

    Examples
    --------
    >>> import gramian, numpy as np
    >>> x = np.random.default_rng(0).uniform(-1, 1, size=(80, 2))
    >>> y = 1 / (0.1 + abs(x[:, 0] - x[:, 1]))  # a kink across the coordinates
    >>> deep = gramian.DeepKernelRegressor(random_state=0).fit(x[:60], y[:60])
    >>> flat = gramian.DeepKernelRegressor(hidden=(), random_state=0).fit(x[:60], y[:60])
    >>> bool(deep.score(x[60:], y[60:]) > flat.score(x[60:], y[60:]))
    True
    """

    _switch = Switch(most_exact=3000, per_root=5, most=300, stored=3, searched=20_000)

    alpha: float | None
    inner_alpha: ForEachLayer | None
    alphas: npt.ArrayLike | None
    inner_alphas: npt.ArrayLike | None
    cv: Any
    n_jobs: int | None
    loss: Literal["squared"] | LossLike
    last_layer: LastLayer
    landmarks: Landmarks

    landmarks_: IntArray | None
    cv_results_: dict[str, Any] | None
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
        loss: Literal["squared"] | LossLike = "squared",
        standardize: bool | None = None,
        n_init: int = DEFAULTS.restarts,
        init: Init = "identity",
        init_scale: float = DEFAULTS.init_scale,
        refined_share: float = DEFAULTS.refined_share,
        solver: Solver = "lbfgs",
        inner_parameters: InnerParameters = literal(DEFAULTS.parameters.name),
        last_layer: LastLayer = "auto",
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
        y : array-like of shape (n,) or (n, c)
            Targets.
        sample_weight : array-like of shape (n,), optional
            Numbers of at least 0, a measure on the samples. A weight of 2 is a sample that is there twice.
        image_targets : dict, optional
            For inner layers, from 1, what the images of the samples should be near: an array-like of shape
            (n, d_layer), or a tuple ``(targets, weight)`` or ``(targets, weight, loss)``, of weight 1 and the squared
            loss if nobody says.

        Returns
        -------
        DeepKernelRegressor
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; the message names it.
        MemoryError
            If the systems of the last layer would not fit; the message says what helps.
        gramian.NumericalError
            If no start leads to a point where they can be solved.
        """
        probe = self._probe()
        points, targets = self._data(probe, X, y)
        Y = targets if targets.ndim == 2 else targets[:, None]
        weights = check_sample_weight(sample_weight, points)
        images = check_images(image_targets, points.shape[0])
        samples = in_order(points, Y, weights, images)
        loss = check_loss(self.loss, self._owner)
        squared = loss == "squared" if isinstance(loss, str) else type(loss) is Squared
        outputs = self._output_scaling(samples, squared)
        given = Given(points, Y, weights, images, targets)
        learned = self._fit(samples, None if squared else loss, outputs, None, given)
        return self._become(probe, {**learned, "_flat": targets.ndim == 1})

    def _output_scaling(self, samples: Samples, squared: bool) -> Scaling:
        if not self._standardizes() or not (squared or getattr(self.loss, "of_residual", False)):
            return no_scaling(samples.Y)
        found = moments(samples.Y, samples.weights)
        return found if squared else found._replace(scale=np.ones_like(found.scale))
