# SPDX-License-Identifier: BSD-3-Clause
"""How many components each level of a deep kernel PCA needs."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from gramian._validation import LARGEST, check_matrix, check_real, check_whole
from gramian.models.deep_pca.estimator import DeepKernelPCA


class ComponentSelection(NamedTuple):
    """What `select_components` returns."""

    n_components: tuple[int, ...]
    """The choice."""
    candidates: list[tuple[int, ...]]
    """What was tried."""
    errors: npt.NDArray[np.float64]
    """For each of them, the mean squared error of reconstructions over the variance of the data."""
    captured: npt.NDArray[np.float64]
    """For each of them and each level, the captured trace."""
    explained: list[list[npt.NDArray[np.float64]]]
    """For each of them and each level, the explained variance ratios."""


def select_components(
    estimator: DeepKernelPCA,
    X: npt.ArrayLike,
    sizes: Sequence[Any],
    *,
    X_validation: npt.ArrayLike | None = None,
    max_error: float = 0.1,
    level: int | None = None,
) -> ComponentSelection:
    """
    Choose the fewest components with which samples can be reconstructed, [DKPCA] Sec. 5.2.

    Models with all combinations of sizes are fitted, and samples taken to features and back. Nothing but the samples
    is needed: no labels.

    Parameters
    ----------
    estimator : gramian.DeepKernelPCA
        Not changed; its ``n_components`` does not matter.
    X : array-like of shape (n, d)
        Samples to fit to.
    sizes : sequence of (int or sequence of int)
        For each level the numbers of components to try.
    X_validation : array-like of shape (q, d), optional
        Samples to reconstruct; X if None.
    max_error : float, default=0.1
        What the mean squared error may be, over the variance of the samples. If no candidate is as good, the best one
        is chosen.
    level : int, optional
        The level that samples are reconstructed from; the last one if None, as in the paper.

    Returns
    -------
    ComponentSelection

    Examples
    --------
    >>> import numpy as np
    >>> import gramian
    >>> X = np.random.default_rng(0).normal(size=(50, 2)) @ np.random.default_rng(1).normal(size=(2, 6))
    >>> model = gramian.DeepKernelPCA(kernels="linear")
    >>> gramian.models.select_components(model, X, [(1, 2, 3), (1, 2, 3)], max_error=1e-6).n_components
    (2, 2)
    """
    bound = check_real(max_error, "max_error", "select_components", inclusive=True)
    samples = check_matrix(X, "X").astype(np.float64, copy=False)
    shown = samples if X_validation is None else check_matrix(X_validation, "X_validation")
    variance = float(((shown - shown.mean(axis=0)) ** 2).mean())
    if not variance > 0:
        name = "X" if X_validation is None else "X_validation"
        raise ValueError(f"{name} must vary for select_components: errors are over its variance. It is {variance:.3g}.")
    candidates = _candidates(sizes)
    models = [clone(estimator).set_params(n_components=candidate).fit(samples) for candidate in candidates]
    errors = [_error(model, shown, level) / variance for model in models]
    # [DKPCA] Sec. 5.2: the fewest components in all, of equals those with the least error
    good = [i for i, error in enumerate(errors) if error <= bound]
    best = min(good, key=lambda i: (sum(candidates[i]), errors[i])) if good else int(np.argmin(errors))
    captured = np.array([model.captured_trace_ for model in models])
    explained = [model.explained_variance_ratio_ for model in models]
    return ComponentSelection(candidates[best], candidates, np.array(errors), captured, explained)


def _error(model: DeepKernelPCA, samples: npt.NDArray[Any], level: int | None) -> float:
    found = model.inverse_transform(model._codes(samples, None), level=level)
    return float(((found - samples) ** 2).mean())


def _candidates(sizes: Sequence[Any]) -> list[tuple[int, ...]]:
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        raise TypeError(
            f"sizes of select_components must have an entry for each level, the numbers of components to try. "
            f"Got {sizes!r} instead."
        )
    each = [[level] if np.isscalar(level) else list(level) for level in sizes]
    if not each or not all(each):
        raise ValueError("sizes must have at least one number of components for each level, and one level.")
    for i, level in enumerate(each):
        for size in level:
            check_whole(size, f"sizes[{i}]", "select_components", LARGEST)
    return [tuple(int(size) for size in candidate) for candidate in itertools.product(*each)]
