# SPDX-License-Identifier: BSD-3-Clause
"""Conditional mean embeddings in the span of landmarks, on dask arrays and dataframes."""

from typing import Any, TypeVar, cast

import numpy as np

from gramian import _core
from gramian._random import seed_of
from gramian._validation import FloatArray
from gramian.dask.blocks import apply
from gramian.dask.data import training
from gramian.dask.fitted import FittedRegressor, features_of
from gramian.dask.sums import embedding_sums, fetch_rows
from gramian.kernels import Kernel
from gramian.models._shared.counted import weighted_width
from gramian.models._shared.landmarks import IndexArray
from gramian.models._shared.sums import require_room
from gramian.models._shared.types import Landmarks, RandomState, SampleKernel
from gramian.models._shared.weighted import require_some_weight
from gramian.models.conditional_mean import ConditionalMeanEmbedding as InMemory
from gramian.models.conditional_mean.landmarks import required_rows
from gramian.models.conditional_mean.outputs import check_outputs
from gramian.models.conditional_mean.sums import Basis, require_vectors, solution

ModelT = TypeVar("ModelT", bound="ConditionalMeanEmbedding")
_MATRICES_OF_A_SOLUTION = 16


class ConditionalMeanEmbedding(FittedRegressor[InMemory]):
    r"""
    A conditional mean embedding in the span of landmarks, on dask arrays and dataframes.

    It is what `gramian.ConditionalMeanEmbedding.partial_fit` makes of all rows with these landmarks: workers sum up the
    normal equations of their rows, the client gets the landmarks, their outputs and two m x m matrices, and solves. The
    bits depend on the blocks of rows that X has, and not on the number of workers or on which of them computes what.

    Parameters
    ----------
    kernel : Kernel or str, default=None
        Of the inputs: one of gramian.kernels, or its name. None is ``"rbf"``, with the median of the landmarks.
    output_kernel : Kernel or str, default=None
        The same of the outputs.
    penalty : float, default=1e-3
        Above 0; it is multiplied by the number of rows, or the sum of their weights.
    landmarks : "auto", int or array-like of row indices, default="auto"
        How many, drawn at random, or which rows of X. ``"auto"`` is :math:`10 \sqrt n`, at most 3000.
    random_state : int, RandomState instance or None, default=None
        For landmarks that are drawn.

    Attributes
    ----------
    kernel_, output_kernel_ : Kernel
        The kernels, with what was left open.
    penalty_ : float
        The penalty.
    factor_, dual_coef_, X_fit_, Y_fit_, landmarks_
        As in `gramian.ConditionalMeanEmbedding` after `partial_fit`.
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
    >>> model = gramian.dask.ConditionalMeanEmbedding(penalty=1e-6, landmarks=20, random_state=0).fit(X, y)
    >>> model.to_estimator().expectation(lambda y: y**2, [[0.5]]).round(2)
    array([0.02])
    """

    _learned = (
        "kernel_",
        "output_kernel_",
        "penalty_",
        "factor_",
        "dual_coef_",
        "X_fit_",
        "Y_fit_",
        "landmarks_",
    )

    kernel: SampleKernel | None
    output_kernel: SampleKernel | None
    penalty: float
    landmarks: Landmarks
    random_state: RandomState

    kernel_: Kernel
    output_kernel_: Kernel
    penalty_: float
    factor_: FloatArray
    dual_coef_: FloatArray
    X_fit_: FloatArray
    Y_fit_: FloatArray
    landmarks_: IndexArray

    def __init__(
        self,
        kernel: SampleKernel | None = None,
        output_kernel: SampleKernel | None = None,
        *,
        penalty: float = _core.conditional_mean.Options().lambda_,
        landmarks: Landmarks = "auto",
        random_state: RandomState = None,
    ) -> None:
        self._keep(locals())

    def fit(self: ModelT, X: Any, y: Any, sample_weight: Any = None) -> ModelT:
        """
        Embed the conditional distributions.

        X and y are read twice, for the landmarks and for the sums; the rows of dataframes are counted before that.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d)
            Inputs in rows. A block of rows, with all columns, has to fit into the memory of a worker, beside a few
            m x m matrices and its kernel values to the outputs of the landmarks.
        y : dask array, dataframe or series of shape (n,) or (n, p)
            Outputs. Where its blocks have other rows than those of X, it is split anew.
        sample_weight : dask array or series of shape (n,), optional
            Numbers of at least 0.

        Returns
        -------
        ConditionalMeanEmbedding
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range, or is not finite in a block of rows, the
            number of which the message says.
        MemoryError
            If the sums would not fit into the memory of the client; raised before they are computed.
        """
        model = InMemory(
            self.kernel,
            self.output_kernel,
            penalty=self.penalty,
            landmarks=self.landmarks,
            random_state=self.random_state,
        )
        asked, asked_output, penalty = model._check_parameters()
        if self.landmarks is None:
            raise ValueError("The 'landmarks' parameter of ConditionalMeanEmbedding must not be None for dask arrays.")
        data = training(X, y, sample_weight)
        n = len(data.X)
        rows = required_rows(model, np.arange(n), n, lambda: seed_of(self.random_state))
        require_room(len(rows), _MATRICES_OF_A_SOLUTION)
        samples, outputs = fetch_rows(data.X, rows), _fetched(data.y, rows)
        kernel, known = weighted_width(asked, samples, None), check_outputs(asked_output, outputs)
        require_vectors(model, kernel, known)
        basis = Basis(kernel, samples, rows, cast(Kernel, known.kernel), outputs)
        sums = embedding_sums(basis, data)
        require_some_weight(sums.weight)
        learned = solution(basis, sums.system(), sums.weight, penalty)
        model.__dict__.update(features_of(data), **learned, _sum=None)
        return self._become(model)

    def predict(self, X: Any) -> Any:
        """
        Return the expected outputs.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d), or array-like
            New inputs.

        Returns
        -------
        dask array of shape (n,) or (n, p), or ndarray
            Lazy, with the blocks of rows of X; an ndarray if X is not of dask.
        """
        return apply(self, X)


def _fetched(y: Any, rows: IndexArray) -> FloatArray:
    return fetch_rows(y[:, None], rows)[:, 0].copy() if y.ndim == 1 else fetch_rows(y, rows)
