# SPDX-License-Identifier: BSD-3-Clause
"""Kernel PCA of one level in the span of landmarks, on dask arrays and dataframes."""

from typing import Any, TypeVar, cast

import dask
import numpy as np

from gramian import _core
from gramian._random import seed_of
from gramian._scikit import TransformerMixin
from gramian._validation import FloatArray
from gramian.dask.blocks import apply
from gramian.dask.data import samples_alone
from gramian.dask.fitted import FittedInMemory, features_of
from gramian.dask.score import score_of_samples
from gramian.dask.sums import fetch_rows, trace_sums
from gramian.kernels import Kernel
from gramian.models._shared.landmarks import IndexArray, is_automatic
from gramian.models._shared.sums import require_room
from gramian.models._shared.types import Landmarks, RandomState, SampleKernel
from gramian.models._shared.watch import Watch
from gramian.models.deep_pca import DeepKernelPCA as InMemory
from gramian.models.deep_pca.fit import (
    COMPONENTS,
    LEVELS,
    check_levels,
    choose_rows,
    crossing,
    tell_of_nothing,
    with_kernels,
)
from gramian.models.deep_pca.landmarks import spans

ModelT = TypeVar("ModelT", bound="DeepKernelPCA")
_MATRICES_OF_A_SOLUTION = 8


class DeepKernelPCA(TransformerMixin, FittedInMemory[InMemory]):
    r"""
    Kernel PCA in the span of landmarks, on dask arrays and dataframes: `gramian.DeepKernelPCA` with one level.

    Workers sum up products of kernel values to the landmarks; the client gets the landmarks and the sum of all rows, an
    m x m matrix, and takes its eigenvectors. The bits depend on the blocks of rows that X has, and not on the number of
    workers or on which of them computes what.

    Parameters
    ----------
    n_components : int, default=5
        The number of components.
    kernels : Kernel or str, default=None
        One of gramian.kernels, or its name. None is ``"rbf"``, with the median of the landmarks.
    eta : float, default=1.0
        As in `gramian.DeepKernelPCA`.
    center : bool, default=False
        Whether the Gram matrix is centred.
    landmarks : "auto", int or array-like of row indices, default="auto"
        How many, drawn at random, or which rows of X. ``"auto"`` is :math:`10 \sqrt n`, at most 1500.
    random_state : int, RandomState instance or None, default=None
        For landmarks that are drawn.

    Attributes
    ----------
    hidden_features_, eigenvalues_, explained_variance_ratio_, captured_trace_, kernels_, X_fit_, landmarks_
        As in `gramian.DeepKernelPCA`.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (d,)
        Their names, if X is a dataframe with strings as names.

    Examples
    --------
    >>> import dask.array as da
    >>> import gramian.dask
    >>> X = da.linspace(0.0, 1.0, 40, chunks=10)[:, None]
    >>> model = gramian.dask.DeepKernelPCA(2, landmarks=20, random_state=0).fit(X)
    >>> model.transform(X).shape
    (40, 2)
    """

    _learned = (
        "hidden_features_",
        "eigenvalues_",
        "explained_variance_ratio_",
        "captured_trace_",
        "kernels_",
        "X_fit_",
        "landmarks_",
    )

    n_components: int
    kernels: SampleKernel | None
    eta: float
    center: bool
    landmarks: Landmarks
    random_state: RandomState

    hidden_features_: list[FloatArray]
    eigenvalues_: list[FloatArray]
    explained_variance_ratio_: list[FloatArray]
    captured_trace_: FloatArray
    kernels_: list[Any]
    X_fit_: FloatArray
    landmarks_: IndexArray

    def __init__(
        self,
        n_components: int = COMPONENTS[0],
        kernels: SampleKernel | None = None,
        eta: float = LEVELS.eta,
        *,
        center: bool = _core.deep_pca.Options().centred,
        landmarks: Landmarks = "auto",
        random_state: RandomState = None,
    ) -> None:
        self._keep(locals())

    def fit(self: ModelT, X: Any, y: Any = None, sample_weight: Any = None) -> ModelT:
        """
        Learn the components.

        X is read twice, for the landmarks and for the sums; the rows of dataframes are counted before that.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d)
            Samples in rows. A block of rows, with all columns, has to fit into the memory of a worker, beside a few
            m x m matrices.
        y : ignored
            There for pipelines.
        sample_weight : dask array or series of shape (n,), optional
            How often each sample is there, a number of at least 0.

        Returns
        -------
        DeepKernelPCA
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If X or a parameter is of the wrong kind, shape or range, or X is not finite in a block of rows, the number
            of which the message says.
        MemoryError
            If the sums would not fit into the memory of the client; raised before they are computed.
        """
        model = InMemory(self.n_components, self.kernels, self.eta, center=self.center, landmarks=self.landmarks)
        levels = check_levels(model)
        if self.landmarks is None or not spans(model, levels):
            raise ValueError(
                "DeepKernelPCA of dask arrays has one level, a kernel of gramian.kernels, and landmarks: None is for "
                "samples in memory."
            )
        data = samples_alone(X, sample_weight)
        n = len(data.X)
        asked = model._switch.landmarks_of(n, 0) if is_automatic(self.landmarks) else self.landmarks
        chosen = choose_rows(model, asked, cast(Any, levels[0].kernel), data.X, seed_of(self.random_state), n)
        rows = np.arange(n) if chosen is None else chosen
        require_room(len(rows), _MATRICES_OF_A_SOLUTION)
        samples = fetch_rows(data.X, rows)
        levels = with_kernels(levels, samples, None, n)
        model._check_sizes(levels, len(rows))
        kernel = cast(Kernel, levels[0].kernel)
        sums = trace_sums(kernel, samples, data)
        total = n if data.weights is None else float(sums.y_square[0])
        if not total > 0:
            raise ValueError("sample_weight must contain at least one non-zero number.")
        level = crossing(levels, samples.shape[1])[0]
        found = _core.deep_pca.fit_sums(sums.system(), sums.weight, total, samples, level, model._checked("center"))
        tell_of_nothing("DeepKernelPCA", found)
        probe = model._probe()
        probe.__dict__.update(features_of(data))
        return self._become(model._learn(probe, levels, samples, found, Watch(model), rows, samples))

    def transform(self, X: Any) -> Any:
        """
        Return the features of samples.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d), or array-like
            Samples in rows.

        Returns
        -------
        dask array of shape (n, n_components), or ndarray
            Lazy, with the blocks of rows of X; an ndarray if X is not of dask.
        """
        return apply(self, X, "transform")

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """
        Return how well samples are reconstructed, as `gramian.DeepKernelPCA.score` does.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d), or array-like
            Samples in rows.
        y : ignored
            There for pipelines.
        sample_weight : dask array or series of shape (n,), or array-like
            Weights; 1 if None.

        Returns
        -------
        float
            At most 1, which is that of exact reconstructions; the mean of X has 0.
        """
        if not dask.is_dask_collection(X):
            return float(self.to_estimator().score(X, y, sample_weight))
        return score_of_samples(self.to_estimator(), samples_alone(X, sample_weight))
