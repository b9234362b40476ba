# SPDX-License-Identifier: BSD-3-Clause
"""Structured outputs by factors of low rank, on dask arrays and dataframes."""

from typing import Any, Literal, TypeVar

import dask
import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._parametrised import parameter_names
from gramian._random import seed_of
from gramian._validation import FloatArray, IntArray
from gramian.dask.blocks import apply
from gramian.dask.data import training
from gramian.dask.fitted import FittedInMemory, features_of
from gramian.dask.sample import drawn_rows, fetch_sample, sample_count
from gramian.dask.score import score_of_losses, score_of_targets
from gramian.dask.summed_dependency import asked_ranks, finish, require_vectors
from gramian.models._shared.landmarks import IndexArray
from gramian.models._shared.parameters import literal
from gramian.models._shared.sums import require_room
from gramian.models._shared.types import RandomState, SampleKernel
from gramian.models.dependency import DependencyRegressor as InMemory
from gramian.models.dependency.tags import RegressorOfNumbers
from gramian.models.dependency.types import Pivoting, Rank

ModelT = TypeVar("ModelT", bound="DependencyRegressor")
_DEFAULTS = _core.dependency.Options()
_RANK = _core.gram.IncompleteCholeskyOptions()
_MATRICES_OF_A_SOLUTION = 12


class DependencyRegressor(RegressorOfNumbers, FittedInMemory[InMemory]):
    r"""
    Structured outputs by factors of low rank, on dask arrays and dataframes: [KDE].

    It is `gramian.DependencyRegressor` with a `rank`, for inputs and outputs that are vectors. The client fetches a
    sample of the rows, on which widths are chosen, pivots of both factors, and the penalty if there are `penalties`.
    Then workers sum up the products of the factors' rows, of all rows with these pivots; the client gets the sums,
    three matrices of the ranks, and solves. The bits depend on the blocks of rows that X has, and not on the number of
    workers or on which of them computes what.

    Of at most `sample_rows` rows the sample is all of them: the regression is that of `gramian.DependencyRegressor`,
    but for rounding. Of more rows these differ from what it would be: pivots, which are rows of the sample, and are
    chosen by what they leave of its trace; and the candidates of ``preimage="nearest"``, which are the outputs of the
    sample. `penalties` are compared on the sample.

    Parameters
    ----------
    kernel, output_kernel : Kernel or str, default=None
        As in `gramian.DependencyRegressor`; medians are those of the sample.
    operator : {"conditional", "covariance", "identity"}, default="conditional"
        As in `gramian.DependencyRegressor`.
    penalty : float, default=1e-2
        Above 0; it is multiplied by the number of rows, or the sum of their weights.
    epsilon : float, default=1e-2
        The regularization of the conditional covariance, above 0; it is multiplied as `penalty` is.
    rank : "auto", int, float or pair of these, default="auto"
        The numbers of columns of the factors, or the part of the sample's trace that may be left, if it is a float
        below 1. ``"auto"`` is :math:`10 \sqrt n`, at most 1000.
    pivoting : {"random", "greedy", "gain"}, default="random"
        How pivots are chosen, as in `gramian.incomplete_cholesky`.
    penalties : sequence of float, optional
        Choose the penalty among these; `penalty` is not read then.
    validation : "loo" or float, default="loo"
        What `penalties` are compared by, as in `gramian.DependencyRegressor`.
    preimage : {"nearest", "candidates", "linear", "gaussian"} or function, default="nearest"
        As in `gramian.DependencyRegressor`; the nearest output of the sample.
    candidates : array-like, optional
        The outputs that ``preimage="candidates"`` chooses from; other ways back take none.
    sample_rows : int, default=5000
        How many rows are fetched. They are drawn evenly from all rows, so from partitions in proportion to their size.
        There are at least as many as columns.
    random_state : int, RandomState instance or None, default=None
        For what is drawn.

    Attributes
    ----------
    kernel_, output_kernel_ : Kernel
        The kernels, with what was left open.
    penalty_, cv_results_, coefficients_, input_factor_, output_factor_, X_fit_
        As in `gramian.DependencyRegressor`.
    Y_fit_ : ndarray
        The outputs of the sample.
    input_supports_, output_supports_ : ndarray
        Which rows of the sample are pivots: indices into `sample_`, and into `Y_fit_`.
    input_residual_, output_residual_ : float
        The parts of the traces of all rows that the factors miss.
    sample_ : ndarray of int
        Which rows of X the sample has, in ascending order, without those of weight 0.
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
    >>> model = gramian.dask.DependencyRegressor(penalty=1e-6, rank=10, preimage="linear", random_state=0).fit(X, y)
    >>> model.predict(X).shape, model.predict(X).numblocks[0]
    ((40,), 4)
    """

    _learned = (
        "kernel_",
        "output_kernel_",
        "penalty_",
        "cv_results_",
        "coefficients_",
        "input_factor_",
        "output_factor_",
        "input_supports_",
        "output_supports_",
        "input_residual_",
        "output_residual_",
        "X_fit_",
        "Y_fit_",
    )

    kernel: SampleKernel | None
    output_kernel: SampleKernel | None
    operator: Literal["conditional", "covariance", "identity"]
    penalty: float
    epsilon: float
    rank: Rank
    pivoting: Pivoting
    penalties: npt.ArrayLike | None
    validation: Literal["loo"] | float
    preimage: Any
    candidates: Any
    sample_rows: int
    random_state: RandomState

    kernel_: Any
    output_kernel_: Any
    penalty_: float
    cv_results_: dict[str, Any] | None
    coefficients_: FloatArray
    input_factor_: FloatArray
    output_factor_: FloatArray
    input_supports_: IntArray
    output_supports_: IntArray
    input_residual_: float
    output_residual_: float
    X_fit_: FloatArray
    Y_fit_: FloatArray
    sample_: IndexArray

    def __init__(
        self,
        kernel: SampleKernel | None = None,
        output_kernel: SampleKernel | None = None,
        *,
        operator: Literal["conditional", "covariance", "identity"] = "conditional",
        penalty: float = _DEFAULTS.lambda_,
        epsilon: float = _core.dependency.Conditional().epsilon,
        rank: Rank = "auto",
        pivoting: Pivoting = literal(_RANK.pivoting.name),
        penalties: npt.ArrayLike | None = None,
        validation: Literal["loo"] | float = "loo",
        preimage: Any = "nearest",
        candidates: Any = None,
        sample_rows: int = 5000,
        random_state: RandomState = None,
    ) -> None:
        self._keep(locals())

    def fit(self: ModelT, X: Any, y: Any, sample_weight: Any = None) -> ModelT:
        """
        Learn g.

        X and y are read twice, for the sample and for the sums; the rows of dataframes are counted before that.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d)
            Inputs in rows. A block of rows, with all columns, has to fit into the memory of a worker, beside a few
            matrices of the ranks.
        y : dask array, dataframe or series of shape (n,) or (n, q)
            Outputs. Where its blocks have other rows than those of X, it is split anew.
        sample_weight : dask array or series of shape (n,), optional
            Numbers of at least 0. A weight of 2 is a sample that is there twice. The sample of a weighted fit takes
            memory for two Gram matrices of its rows.

        Returns
        -------
        DependencyRegressor
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range, or is not finite in a block of rows, the
            number of which the message says.
        MemoryError
            If the sums would not fit into the memory of the client; raised before they are computed.
        """
        require_vectors(self)
        data = training(X, y, sample_weight)
        n, seed = len(data.X), seed_of(self.random_state)
        ranks, columns = asked_ranks(self, n)
        require_room(columns, _MATRICES_OF_A_SOLUTION, "use a lower rank")
        rows = drawn_rows(n, sample_count(self, n, columns), seed, np.empty(0, dtype=np.int64))
        sample = fetch_sample(data, rows)
        names = [name for name in parameter_names(type(self)) if name != "sample_rows"]
        model = InMemory(**{name: getattr(self, name) for name in names}).set_params(rank=ranks, random_state=seed)
        model.fit(sample.X, sample.y, sample.weights)
        finish(model, data)
        model.set_params(rank=self.rank, random_state=self.random_state)
        model.__dict__.update(features_of(data))
        self.sample_ = sample.counted
        return self._become(model)

    def predict(self, X: Any) -> Any:
        """
        Return the outputs of new inputs.

        Parameters
        ----------
        X : dask array or dataframe of shape (n, d), or array-like
            New inputs.

        Returns
        -------
        dask array of shape (n,) or (n, q), or ndarray
            Lazy, with the blocks of rows of X; an ndarray if X is not of dask.
        """
        return apply(self, X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        r"""
        Return :math:`R^2` where outputs are numbers, and minus the mean loss elsewhere.

        It is what `gramian.DependencyRegressor.score` returns, computed on the workers.

        Parameters
        ----------
        X : as in `fit`, or array-like
            Inputs.
        y : as in `fit`, or array-like
            Outputs.
        sample_weight : as in `fit`, or array-like
            Weights; 1 if None.

        Returns
        -------
        float
        """
        fitted = self.to_estimator()
        if not dask.is_dask_collection(X):
            return float(fitted.score(X, y, sample_weight))
        score = score_of_targets if fitted._of_numbers else score_of_losses
        return score(fitted, training(X, y, sample_weight))
