# SPDX-License-Identifier: BSD-3-Clause
"""Results of fitted estimators for dask arrays and dataframes, block by block."""

import copy
import math
from typing import Any

import dask
import dask.array as da
import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian._validation import AnyArray
from gramian.dask.data import collection, feature_names, in_row_blocks
from gramian.models._shared.by_blocks import METHODS

_FURTHER_AXES = "klmnop"


def apply(model: Any, X: Any, method: str = "predict") -> Any:
    """
    Compute a method of a fitted estimator block by block.

    Each block of rows is computed where it is, with the same bits as `method` of these rows has; those of all rows
    together are the same, except for the last digit of what solves a system for each row, as `DependencyRegressor` with
    a low rank does. The estimator is sent once, not once for each block.

    Parameters
    ----------
    model : estimator
        A fitted estimator of gramian or of this module. The result is that of the estimator as it is now, whatever
        happens to it before the result is computed.
    X : dask array or dataframe of shape (n, d), or array-like
        Samples in rows. The number of rows of a block may be unknown.
    method : {"predict", "predict_proba", "predict_log_proba", "decision_function", "transform"}, default="predict"
        The method.

    Returns
    -------
    dask array
        Lazy, with the blocks of rows of X; shape and dtype are known without a computation. What the method returns, if
        X is not of dask.

    Raises
    ------
    TypeError, ValueError
        If the estimator has no such method, or refuses samples with these features.
    sklearn.exceptions.NotFittedError
        If the estimator is not fitted.

    Examples
    --------
    >>> import dask.array as da
    >>> import gramian
    >>> import gramian.dask
    >>> model = gramian.KernelRidge(kernel="rbf").fit([[0.0], [1.0]], [0.0, 1.0])
    >>> gramian.dask.apply(model, da.zeros((4, 1), chunks=2)).shape
    (4,)
    """
    fitted = model.to_estimator() if hasattr(model, "to_estimator") else model
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(map(repr, METHODS))}. Got {method!r} instead.")
    if not hasattr(fitted, method):
        raise TypeError(f"{type(fitted).__name__} has no {method}: choose another method.")
    check_is_fitted(fitted)
    if not dask.is_dask_collection(X):
        return getattr(fitted, method)(X)
    samples = in_row_blocks(collection(X, "X"))
    return mapped(fitted, method, samples, feature_names(X))


def mapped(fitted: Any, method: str, X: Any, names: list[str] | None) -> Any:
    """Return the results for an array whose blocks have all columns; names: of the features."""
    if math.isnan(X.shape[1]):
        raise ValueError("X has an unknown number of columns: call X.compute_chunk_sizes() first.")
    example = _computed(np.ones((1, X.shape[1]), X.dtype), fitted, method, names, None)
    axes = _FURTHER_AXES[: example.ndim - 1]
    return da.blockwise(
        _computed,
        "i" + axes,
        X,
        "ij",
        new_axes=dict(zip(axes, example.shape[1:], strict=True)),
        concatenate=True,
        dtype=example.dtype,
        meta=example[:0],
        fitted=dask.delayed(copy.copy(fitted)),
        method=method,
        names=names,
        empty=example[:0],
    )


def _computed(block: Any, fitted: Any, method: str, names: list[str] | None, empty: AnyArray | None) -> AnyArray:
    """Return the results for a block of rows; empty: those for no rows."""
    if empty is not None and len(block) == 0:
        return empty
    if names is not None:
        import pandas as pd  # dataframes of dask need it

        block = pd.DataFrame(block, columns=names)
    found = np.asarray(getattr(fitted, method)(block))
    if len(found) != len(block):
        raise TypeError(f"{method} of {type(fitted).__name__} does not return a row for each sample.")
    return found
