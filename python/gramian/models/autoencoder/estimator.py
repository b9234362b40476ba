# SPDX-License-Identifier: BSD-3-Clause
"""Kernel autoencoders on vectors."""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray
from gramian.layers import Layer, forward_jacobian
from gramian.losses import check_loss
from gramian.models._shared.landmarks import Switch, is_count
from gramian.models._shared.layers import check_hidden, check_max_norm, trained_layer, trained_layers
from gramian.models._shared.parameters import OneOf, Whole, literal
from gramian.models._shared.precision import preserves_dtype
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
from gramian.models._shared.weighted import check_sample_weight, distinct, weighted_mean
from gramian.models._shared.words import advised
from gramian.models.autoencoder.base import BaseAutoencoder, embedding_of_all
from gramian.models.autoencoder.fit import DEFAULTS, HIDDEN, INNER_STEPS, LIMITS, TRAINING
from gramian.models.autoencoder.types import Init, LastLayer, Solver

ModelT = TypeVar("ModelT", bound="KernelAutoencoder")


class KernelAutoencoder(BaseAutoencoder):
    r"""
    An autoencoder whose layers are functions of vector-valued reproducing kernel Hilbert spaces.

    It minimises :math:`\frac 1 n \sum_i V(x_i, f_L \circ \cdots \circ f_1(x_i)) + \sum_l \lambda_l \|f_l\|^2`,
    [KAE] (4). Each layer is :math:`f_l = \sum_i k_l(\cdot, x_i^{(l-1)}) A_l \varphi_{l,i}`, supported by the images of
    the training samples, [KAE] Thm. 6; the coefficients :math:`\varphi_{l,i}` are learned. An iteration takes
    O(n^2 (d_1 + ... + d_L)) time, and O(n^3 / 3) where the last layer is eliminated.

    Parameters
    ----------
    hidden : int or sequence of int, default=(2,)
        The sizes of the inner layers. The last layer has as many outputs as X has features.
    kernels : Kernel, str or list, optional
        One kernel for all layers, or a list from the input side with ``len(hidden) + 1`` entries: each a kernel, its
        name, or a list of pairs ``(kernel, A)`` for their sum. The median of the squared distances between the layer's
        inputs at the start chooses the width that a name leaves open. None is a Gaussian plus the inner product, so
        that principal components are among the functions of a layer. Both see samples divided by the length that the
        median rule chooses, and p codes as they are, the Gaussian with ``gamma=1/(2p)``.
    penalty : "auto", float or list of float, default="auto"
        :math:`\lambda_l`, for all layers or one for each. The last one carries a factor n in the system that is solved
        for the last layer, :math:`W = K + n \lambda I`. ``"auto"`` is the one of 1e-1, 1e-2 .. 1e-6 with the least mean
        loss on held-out samples after 30 iterations on the others: every fifth one is held out, and with fewer than 500
        samples other fifths too. A penalty begins where the one before it has ended, and the first one that is worse
        ends the search, which sees 2000 samples at most. Fewer than 10 samples have 1e-2, bounds of norms have 0, and a
        warm start has what the last fit had.
    A : list, optional
        For each layer :math:`A_l`, symmetric and positive semi-definite: its diagonal, all of it, or None for I.
    loss : "squared" or a loss of gramian.losses, default="squared"
        V. Any other than the squared loss needs ``last_layer="joint"``.
    last_layer : {"eliminated", "joint"}, default="eliminated"
        Solve for the last layer in each evaluation, so that the optimiser sees inner layers alone, or optimise all
        layers together.
    solver : {"lbfgs", "adam", "gd", "sgd", "alternating"}, default="lbfgs"
        ``"alternating"`` is [KAE] Alg. 1. ``"sgd"`` needs ``last_layer="joint"``.
    landmarks : "auto", int, array-like of int or None, default="auto"
        Rows of X whose images support all layers, or how many to draw as k-means++ does; None is all rows. With m of
        them n m takes the place of n^2. ``"auto"`` is None up to 3000 samples, if an exact fit has room in memory, and
        beyond that :math:`5 \sqrt n` rows, at most 300. Beyond 20000 rows these are searched for on 20000 of them, and
        finished by 10 iterations on all. An alternating solver, and a last layer in closed form with an operator or
        several kernels, takes all rows.
    max_norm : float or list of float, optional
        Bounds of :math:`\|f_l\|`, for all layers or one for each, None for no bound: the constrained problem [KAE] (7),
        with ``penalty=0``. Needs ``solver="gd"``, and trains all layers jointly.
    n_init : int, default=1
        Starts; the best end is kept. All but the first one are random.
    init : {"principal", "random"}, default="principal"
        The first start: principal components of each layer's Gram matrix, or random directions.
    max_iter : int, default=1000
        Iterations at most.
    tol : float, default=1e-5
        Stop when no entry of the gradient is larger, or when the objective falls by less, relatively.
    learning_rate : float, default=1e-2
        Step of ``"adam"`` and ``"sgd"``, and the first one that ``"gd"`` and ``"alternating"`` try.
    batch_size : int, optional
        Of ``"adam"`` and ``"sgd"`` with ``last_layer="joint"``: samples for an estimate; all if None.
    inner_steps : int, default=1
        Of ``"alternating"``: gradient steps between two solves for the last layer.
    code_layer : int, optional
        The layer, from 1, whose outputs are the codes. The narrowest hidden one if None, the first of equals.
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
        Of random starts, landmarks and estimates. The default start and solver draw nothing.
    warm_start : bool, default=False
        Start from the last fit, which must have had as many samples.
    memory_budget : int, optional
        Bytes that stored Gram matrices may take; 1 GiB if None. What does not fit is computed again.

    Attributes
    ----------
    coefficients_ : list of ndarray
        :math:`\Phi_1 .. \Phi_L`, each of shape (n or landmarks, d_l). Equal samples have one row here, in the order of
        X, and those of weight 0 have none; the same in `supports_`.
    supports_ : list of ndarray
        What supports each layer: rows of X, then their images.
    kernels_ : list
        The layers' kernels, with what the median rule chose; a list of pairs ``(kernel, A)`` for a sum.
    operators_ : list
        A of each layer with one kernel; None for I.
    penalties_ : ndarray of shape (L,)
        The penalties.
    cv_results_ : dict or None
        Of the search for the penalty, in the format of scikit-learn's GridSearchCV; None if there was none.
    embedding_ : ndarray of shape (n, p)
        Codes of the training samples.
    code_layer_ : int
        The layer that they come from.
    objective_, distortion_ : float
        What was minimised, and the mean loss in it.
    squared_norms_ : ndarray of shape (L,)
        :math:`\|f_l\|^2`.
    stationarity_ : float
        The norm of the gradient in the functions themselves: 0 where the objective is stationary.
    history_ : dict of ndarray
        Of the best start, an entry for its begin and for each iteration: ``iteration``, its number; ``value``, the
        objective; ``gradient_norm``, the largest magnitude of an entry of the gradient; ``step``, the length of the
        step as a multiple of the direction; ``evaluations``, of the objective so far.
    stop_reason_ : str
        Why the best start ended: ``"tol"``, it converged; ``"max_iter"``, ``"max_time"`` or ``"callback"``, which said
        so; ``"line_search"``, no step lowers the objective any more; ``"not_finite"``.
    n_iter_ : int
        Iterations of the best start.
    init_objectives_ : ndarray
        The objective that each start ended with; as `history_`, `n_iter_` and `stop_reason_`, of the search where that
        sees a part of the rows.
    multipliers_ : ndarray of shape (L,) or None
        With `max_norm`: the penalties that would give the same solution, [KAE] Thm. 1.
    jitter_ : float
        What had to be added to the diagonal of W; 0 as a rule.
    last_layer_ : str
        ``"joint"`` if the last layer could not be eliminated.
    landmarks_ : ndarray or None
        Rows that support the layers; None for all.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (d,)
        Their names, if X had any.

    Notes
    -----
    All computations are in float64, whatever the dtype of X. With one seed the result has the same bits for any number
    of threads.

    Examples
    --------
    >>> import gramian
    >>> from sklearn.datasets import make_circles
    >>> X, _ = make_circles(100, factor=0.3, noise=0.05, random_state=0)
    >>> model = gramian.KernelAutoencoder(hidden=(2,), penalty=1e-3).fit(X)
    >>> model.transform(X).shape
    (100, 2)
    """

    _table = {
        **TRAINING,
        "last_layer": OneOf(("eliminated", "joint"), engine="last_layer"),
        "batch_size": Whole(),
    }

    _switch = Switch(most_exact=3000, per_root=5, most=300, stored=3, searched=20_000)

    loss: Literal["squared"] | LossLike
    last_layer: LastLayer
    max_norm: float | Sequence[float | None] | None
    batch_size: int | None

    multipliers_: FloatArray | None

    def __init__(
        self,
        hidden: int | Sequence[int] = HIDDEN,
        kernels: LayerKernels = None,
        *,
        penalty: ForEachLayer | Literal["auto"] = "auto",
        A: Sequence[npt.ArrayLike | None] | None = None,
        loss: Literal["squared"] | LossLike = "squared",
        last_layer: LastLayer = "eliminated",
        solver: Solver = "lbfgs",
        landmarks: Landmarks = "auto",
        max_norm: float | Sequence[float | None] | None = None,
        n_init: int = DEFAULTS.restarts,
        init: Init = literal(DEFAULTS.start.name),
        max_iter: int = LIMITS.max_iterations,
        tol: float = LIMITS.gradient_tolerance,
        learning_rate: float = LIMITS.step,
        batch_size: int | None = None,
        inner_steps: int = INNER_STEPS,
        code_layer: int | None = None,
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
    def fit(self: ModelT, X: npt.ArrayLike, y: Any = None, sample_weight: Any = None) -> ModelT:
        """
        Learn the layers.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Samples in rows, at least two.
        y : ignored
            There for pipelines.
        sample_weight : array-like of shape (n,), optional
            Weights of at least 0 in the mean of the losses. A weight of 2 is a sample that is there twice.

        Returns
        -------
        KernelAutoencoder
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If X or a parameter is of the wrong kind, shape or range; the message names it.
        gramian.NumericalError
            If the last layer's system can't be factorized.
        """
        probe = self._probe()
        points = self._training_samples_of(probe, X)
        came = distinct(points, check_sample_weight(sample_weight, points))
        own = came.of(points)
        asked = self._asked_landmarks(len(own))
        seed = self._seed(draws=is_count(asked))
        landmarks = self._landmarks_among(came, own, asked, seed)
        more = {
            "max_norm": check_max_norm(self.max_norm, len(check_hidden(self.hidden, self._owner)) + 1, self._owner),
            "batch_size": 0 if self.batch_size is None else min(self._checked("batch_size"), len(own)),
        }
        loss = check_loss(self.loss, self._owner)
        learned = self._train(own, own.shape[1], own, came, landmarks, seed, loss, more)
        rows = np.sort(came.rows) if landmarks is None else learned["landmarks_"]
        learned["supports_"] = [points[rows], *learned["supports_"]]
        learned["embedding_"] = embedding_of_all(
            came,
            learned["embedding_"],
            lambda rows: self._probe()._become(probe, learned)._encode(points[rows]),
        )
        return self._become(probe, learned)

    @preserves_dtype
    def fit_transform(self, X: npt.ArrayLike, y: Any = None, sample_weight: Any = None) -> FloatArray:
        """Learn the layers and return the codes of X: ``fit(X, y, sample_weight).embedding_``."""
        return self.fit(X, y, sample_weight).embedding_

    @preserves_dtype
    def transform(self, X: npt.ArrayLike) -> FloatArray:
        """
        Return the codes of new samples.

        Parameters
        ----------
        X : array-like of shape (q, d)
            Samples in rows.

        Returns
        -------
        ndarray of shape (q, p)
            The outputs of the code layer.
        """
        return self._encode(self._new_samples(X))

    @preserves_dtype
    def inverse_transform(self, codes: npt.ArrayLike) -> FloatArray:
        """
        Return what codes stand for.

        Parameters
        ----------
        codes : array-like of shape (q, p)
            As `transform` makes them, or any others.

        Returns
        -------
        ndarray of shape (q, d)
            The outputs of the last layer.
        """
        return cast(FloatArray, self._predictor.apply(_core.serving.Verb.inverse_transform, self._check_codes(codes)))

    def reconstruction_error(self, X: npt.ArrayLike) -> FloatArray:
        r"""
        Return :math:`|x - \hat x|^2` of each sample and its reconstruction.

        Parameters
        ----------
        X : array-like of shape (q, d)
            Samples in rows.

        Returns
        -------
        ndarray of shape (q,)
        """
        return cast(FloatArray, self._predictor.reconstruction_errors(self._new_samples(X))[:, 0])

    def score(self, X: npt.ArrayLike, y: Any = None, sample_weight: Any = None) -> float:
        """
        Return minus the mean of `reconstruction_error`: higher is better.

        Parameters
        ----------
        X : array-like of shape (q, d)
            Samples in rows.
        y : ignored
            There for pipelines.
        sample_weight : array-like of shape (q,), optional
            Weights of the mean, of at least 0.

        Returns
        -------
        float
            On the training samples of a squared loss, with their weights, it is ``-distortion_``.
        """
        return -weighted_mean(self.reconstruction_error(X), sample_weight)

    def jacobian(self, layer: int, sample: int) -> FloatArray:
        """
        Return the derivatives of all reconstructions in one row of coefficients, [KAE] App. B.3: slow, for inspection.

        Parameters
        ----------
        layer : int
            The layer of the coefficients, from 1.
        sample : int
            Their row, from 0.

        Returns
        -------
        ndarray of shape (n, d, d_layer)
        """
        self._require_fitted()
        if self.landmarks_ is not None:
            raise ValueError("Jacobians are those of models without landmarks: fit with landmarks=None.")
        layers = [self._layer(index + 1) for index in range(len(self.coefficients_))]
        flat = np.concatenate([part.ravel() for part in self.coefficients_])
        return forward_jacobian(self.supports_[0], layers, flat, layer, sample)

    def _layer(self, index: int) -> Layer:
        """Return layer 1 .. L."""
        i = index - 1
        return trained_layer(self.kernels_[i], self.operators_[i], self.coefficients_[i], float(self.penalties_[i]))

    def _encode(self, points: FloatArray) -> FloatArray:
        return cast(FloatArray, self._predictor.apply(_core.serving.Verb.transform, points))

    def _compile(self) -> _core.autoencoder.Predictor:
        layers = trained_layers(self.kernels_, self.operators_, self.coefficients_, self.supports_)
        return _core.autoencoder.Predictor(layers, int(self.code_layer_))
