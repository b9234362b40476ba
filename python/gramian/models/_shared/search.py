# SPDX-License-Identifier: BSD-3-Clause
"""What a search over a grid has found, in the format of scikit-learn's GridSearchCV."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gramian._validation import FloatArray


def refuse_grids(estimator: Any, names: Sequence[str]) -> None:
    """Refuse grids of parameters where no search would try them; to be called unless learn asks for one."""
    for name in names:
        if getattr(estimator, name) is not None:
            raise ValueError(
                f"The {name!r} parameter of {type(estimator).__name__} is only for learn='cv', and learn is "
                f"{estimator.learn!r}: the grid would not be tried. Set learn='cv', or {name}=None."
            )


def search_results(
    grid: Mapping[str, Sequence[float] | FloatArray], losses: Any, weights: Any = None, means: Any = None
) -> dict[str, Any]:
    """
    Return `cv_results_`: scores are minus losses, so that larger is better.

    grid: the values of each parameter, of which the last one varies fastest. losses: candidates x splits, or None if
    there are only means. weights: of the splits in the means, as numbers of held-out samples; all the same if None.
    """
    params = [dict(zip(grid, values, strict=True)) for values in itertools.product(*map(_floats, grid.values()))]
    found: dict[str, Any] = {"params": params}
    for name in grid:
        found[f"param_{name}"] = np.ma.MaskedArray([one[name] for one in params], mask=np.zeros(len(params), bool))
    if losses is None:
        mean, spread = -np.asarray(means, dtype=np.float64).ravel(), np.full(len(params), np.nan)
    else:
        scores = -np.asarray(losses, dtype=np.float64).reshape(len(params), -1)
        found.update({f"split{k}_test_score": column.copy() for k, column in enumerate(scores.T)})
        mean = np.average(scores, axis=1, weights=weights)
        with np.errstate(invalid="ignore"):  # candidates that can't be fitted have scores of minus infinity
            spread = np.sqrt(np.average((scores - mean[:, None]) ** 2, axis=1, weights=weights))
    ranked = np.where(np.isnan(mean), -np.inf, mean)
    ranks = 1 + (ranked[None] > ranked[:, None]).sum(axis=1)
    return {**found, "mean_test_score": mean, "std_test_score": spread, "rank_test_score": ranks.astype(np.int32)}


def with_kernels(results: dict[str, Any], kernel: Any, unit: float = 1.0) -> dict[str, Any]:
    """
    Return results in which kernels stand for factors of their length scales, which no estimator has a parameter for.

    unit: the factor that `kernel` has already.
    """
    found = dict(results)
    factors = {float(factor) for factor in found.pop("param_length_scale_factor")}
    kernels = {factor: kernel if factor == unit else kernel._stretched(factor / unit) for factor in factors}
    others = [{name: one[name] for name in one if name != "length_scale_factor"} for one in results["params"]]
    params = [
        {"kernel": kernels[one["length_scale_factor"]], **rest}
        for one, rest in zip(results["params"], others, strict=True)
    ]
    column = np.empty(len(params), dtype=object)
    column[:] = [one["kernel"] for one in params]
    return {**found, "params": params, "param_kernel": np.ma.MaskedArray(column, mask=np.zeros(len(params), bool))}


def _floats(values: Sequence[float] | FloatArray) -> list[float]:
    return [float(value) for value in values]
