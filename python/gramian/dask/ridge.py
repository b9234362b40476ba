# SPDX-License-Identifier: BSD-3-Clause
"""Kernel ridge regression in the span of landmarks, on dask arrays and dataframes."""

from typing import Any, TypeVar

import numpy.typing as npt

from gramian._parametrised import parameter_names
from gramian._random import seed_of
from gramian._validation import FloatArray
from gramian.dask.blocks import apply
from gramian.dask.data import training
from gramian.dask.fitted import FittedRegressor, features_of
from gramian.dask.sums import fetch_rows, normal_sums
from gramian.kernels import Kernel
from gramian.models._shared.landmarks import IndexArray
from gramian.models._shared.sums import require_room
from gramian.models._shared.types import Landmarks as LandmarkChoice
from gramian.models._shared.types import RandomState
from gramian.models._shared.weighted import require_some_weight
from gramian.models.kernel_ridge import KernelRidge as InMemory
from gramian.models.kernel_ridge.fit import landmark_rows
from gramian.models.kernel_ridge.sums import Landmarks, fitted, kernel_of_vectors, positive_alphas
from gramian.models.kernel_ridge.types import RidgeKernel

ModelT = TypeVar("ModelT", bound="KernelRidge")
_MATRICES_OF_A_SOLUTION = 10


class KernelRidge(FittedRegressor[InMemory]):
    r"""
    Kernel ridge regression in the span of landmarks, on dask arrays and dataframes.

    It is `gramian.KernelRidge` with ``solver="landmarks"``: the same parameters mean the same, and the same random
    state draws the same landmarks. Workers sum up the normal equations of their rows; the client gets the landmarks and
    the sum of all rows, an m x m matrix, and solves. The bits depend on the blocks of rows that X has, and not on the
    number of workers or on which of them computes what.

    As in `gramian.KernelRidge.partial_fit`, normal equations have half the digits: with a kernel so smooth that
    landmarks are nearly sums of each other, and a small alpha, some of them are left out, and the objective is above
    the minimum.

    Parameters
    ----------
    alpha : float or array-like of shape (n_targets,), default=1.0
        The penalty, above 0. There is no factor n. One for each target, if there are several.
    kernel : Kernel or str, default="linear"
        One of gramian.kernels, or its name.
    gamma : float, optional
        As in `gramian.KernelRidge`; the median, where None means that, is that of the landmarks.
    degree : float, default=3
        Of ``"polynomial"``.
    coef0 : float, default=1
        Of ``"polynomial"``.
    landmarks : "auto", int or array-like of row indices, optional
        How many, drawn at random, or which rows of X. ``"auto"`` and None are :math:`10 \sqrt n`.
    random_state : int, RandomState instance or None, default=None
        For landmarks that are drawn.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel, with what was left open.
    alpha_ : float or ndarray of shape (n_targets,)
        The one that was used.
    dual_coef_ : ndarray of shape (m,) or (m, n_targets)
        Coefficients of the landmarks.
    X_fit_ : ndarray of shape (m, d)
        The landmarks.
    landmarks_ : ndarray of shape (m,)
        Which rows of X they are, in ascending order.
    objective_ : float
        The minimum, summed over the targets.
    residual_ : float
        What is left of the system, relative to the targets.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (d,)
        Their names, if X is a dataframe with strings as names.

    Examples
    --------
    >>> import dask.array as da
    >>> import gramian.dask
    >>> X = da.linspace(0.0, 1.0, 40, chunks=10)[:, None]
    >>> y = da.sin(6 * X[:, 0])
    >>> model = gramian.dask.KernelRidge(alpha=1e-6, kernel="rbf", gamma=10.0, landmarks=20, random_state=0).fit(X, y)
    >>> model.predict(X).shape, model.predict(X).numblocks[0]
    ((40,), 4)
    """

    _learned = ("kernel_", "alpha_", "dual_coef_", "X_fit_", "landmarks_", "objective_", "residual_")

    alpha: float | npt.ArrayLike
    kernel: RidgeKernel
    gamma: float | None
    degree: float
    coef0: float
    landmarks: LandmarkChoice
    random_state: RandomState

    kernel_: Kernel
    alpha_: float | FloatArray
    dual_coef_: FloatArray
    X_fit_: FloatArray
    landmarks_: IndexArray
    objective_: float
    residual_: float

    def __init__(
        self,
        alpha: float | npt.ArrayLike = 1.0,
        *,
        kernel: RidgeKernel = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        landmarks: LandmarkChoice = None,
        random_state: RandomState = None,
    ) -> None:
        self._keep(locals())

    def fit(self: ModelT, X: Any, y: Any, sample_weight: Any = None) -> ModelT:
        """
        Solve for the coefficients.

        X is read twice, for the landmarks and for the sums; the rows of dataframes are counted before that. Persist
        what is expensive to read.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d)
            Inputs in rows. A block of rows, with all columns, has to fit into the memory of a worker, beside a few
            m x m matrices.
        y : dask array, dataframe or series of shape (n,) or (n, n_targets)
            Targets. Where its blocks have other rows than those of X, it is split anew.
        sample_weight : dask array or series of shape (n,), optional
            Factors of the squared errors, of at least 0.

        Returns
        -------
        KernelRidge
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range, or is not finite in a block of rows, the
            number of which the message says.
        MemoryError
            If the sums would not fit into the memory of the client; raised before they are computed.
        """
        model = InMemory(solver="landmarks", **{name: getattr(self, name) for name in parameter_names(type(self))})
        data = training(X, y, sample_weight)
        positive_alphas(model, 1 if data.y.ndim == 1 else data.y.shape[1])
        rows = landmark_rows(model, len(data.X), lambda: seed_of(self.random_state))
        require_room(len(rows), _MATRICES_OF_A_SOLUTION)
        samples = fetch_rows(data.X, rows)
        kernel = kernel_of_vectors(model, samples)
        sums = normal_sums(kernel, samples, data)
        require_some_weight(sums.weight)
        landmarks = Landmarks(kernel, samples, rows)
        return self._become(fitted(model, features_of(data), landmarks, sums, data.y.ndim == 1))

    def predict(self, X: Any) -> Any:
        """
        Return f(x).

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d), or array-like
            New inputs.

        Returns
        -------
        dask array of shape (n,) or (n, n_targets), or ndarray
            Lazy, with the blocks of rows of X; an ndarray if X is not of dask.
        """
        return apply(self, X)
