# SPDX-License-Identifier: BSD-3-Clause
"""How well codes separate what varies in data: IRS and MIG where its factors are known, WINDIN where they are not."""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import LARGEST_SIZE, FloatArray, as_array, check_matrix, check_real, check_whole

__all__ = ["RobustnessScore", "irs", "mig", "windin"]


def __dir__() -> list[str]:
    return list(__all__)


class RobustnessScore(NamedTuple):
    """What `irs` returns."""

    score: float
    """The mean of the components' scores, each weighted with the range that it moves in."""
    components: FloatArray
    """For each component the largest entry of its row of `matrix`."""
    parents: npt.NDArray[np.intp]
    """The factor that this entry is for."""
    matrix: FloatArray
    """Of shape (components, factors)."""


def irs(codes: npt.ArrayLike, factors: npt.ArrayLike, quantile: float = 0.99) -> RobustnessScore:
    r"""
    Interventional robustness score, [IRS]: whether each component holds still while its factor does.

    For a factor, samples are put into groups of the same value. In each group a component strays from its mean by at
    most so much, whatever the other factors do; the mean of that over groups, by the most that it strays from its mean
    over all samples, is taken from 1. A component's score is its best one over factors. Takes O(n s f) time:

    .. math::
        R_{ij} = 1 - \frac{\operatorname{mean}_v \operatorname{quantile}_{m : g_{mj} = v} |z_{mi} - \bar z_i^{(v)}|}
        {\max_m |z_{mi} - \bar z_i|}, \qquad
        \text{score} = \frac{\sum_i w_i \max_j R_{ij}}{\sum_i w_i}, \quad w_i = \max_m |z_{mi} - \bar z_i|.

    It is the paper's estimate for samples without noise and factors that vary independently; below 0 counts as 0.

    Parameters
    ----------
    codes : array-like of shape (n, s)
        Components in columns.
    factors : array-like of shape (n, f)
        The factors that samples were made from: numbers or labels with few different values.
    quantile : float, default=0.99
        What stands for the largest deviation in a group, in (0, 1]: 1 in the paper, 0.99 in its authors' program.

    Returns
    -------
    RobustnessScore
        In [0, 1]; 1 is best. A component that never changes says nothing: its score is 1 and its weight 0.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range; the message names it.

    Examples
    --------
    >>> from gramian.metrics import irs
    >>> factors = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> irs([[0.0, 5.0], [0.0, 6.0], [1.0, 5.0], [1.0, 6.0]], factors).score
    1.0
    """
    Z = check_matrix(codes, "codes").astype(np.float64, copy=False)
    groups = _groups(factors, len(Z))
    level = check_real(quantile, "quantile", "irs", most=1)
    most = np.abs(Z - Z.mean(axis=0)).max(axis=0)
    matrix = np.ones((Z.shape[1], len(groups)))
    for column, labels in enumerate(groups):
        strays = np.zeros(Z.shape[1])
        for value in range(labels.max() + 1):
            group = Z[labels == value]
            strays += np.quantile(np.abs(group - group.mean(axis=0)), level, axis=0)
        strays /= labels.max() + 1
        matrix[:, column] -= np.divide(strays, most, out=np.zeros_like(strays), where=most > 0)
    matrix = np.clip(matrix, 0.0, 1.0)
    best = matrix.max(axis=1)
    score = float(np.average(best, weights=most)) if most.sum() > 0 else 0.0
    return RobustnessScore(score, best, matrix.argmax(axis=1), matrix)


def mig(codes: npt.ArrayLike, factors: npt.ArrayLike, bins: int = 20) -> float:
    r"""
    Mutual information gap, [MIG]: whether each factor is in one component alone.

    For each factor, by how much the component that tells most about it is ahead of the second one, over the entropy of
    the factor; the mean over factors. Components are put into bins of equal width. Takes O(n s f) time.

    Parameters
    ----------
    codes : array-like of shape (n, s)
        Components in columns.
    factors : array-like of shape (n, f)
        Numbers or labels with few different values, at least two each.
    bins : int, default=20
        How many of them.

    Returns
    -------
    float
        In [0, 1]; 1 is best.

    Examples
    --------
    >>> from gramian.metrics import mig
    >>> factors = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> mig([[0.0, 5.0], [0.0, 6.0], [1.0, 5.0], [1.0, 6.0]], factors)
    1.0
    """
    Z = check_matrix(codes, "codes").astype(np.float64, copy=False)
    groups = _groups(factors, len(Z))
    count = check_whole(bins, "bins", "mig", LARGEST_SIZE)
    cells = [_binned(column, count) for column in Z.T]
    gaps = []
    for index, labels in enumerate(groups):
        entropy = _entropy(labels)
        if entropy == 0:
            raise ValueError(f"factors[:, {index}] has one value only: there is nothing to know about it.")
        told = sorted((_mutual_information(cell, labels) for cell in cells), reverse=True)
        gaps.append((told[0] - (told[1] if len(told) > 1 else 0.0)) / entropy)
    return float(np.mean(gaps))


def windin(codes: npt.ArrayLike, noise: float = 0.1) -> float:
    r"""
    Weighted informativeness of independent components, [WINDIN], without knowing any factor.

    :math:`\sum_i \rho_i \, (I(x, z_i) - I(z_i, z_{\neq i}))` in nats, with weights :math:`\rho_i` in proportion to
    :math:`I(x, z_i)`: what a component tells about a sample, less what the others tell about the component. Noises of
    components are independent here, so that each term is :math:`I(x, z_i \mid z_{\neq i})`, and the sum the paper's
    WSEPIN as well.

    Codes without noise would tell infinitely much. So each is read with normal noise, of `noise` standard deviations
    of its component, and information is that of the mixture of these. The paper estimates it by sampling; here it is
    bounded from above by pairwise divergences, without chance,
    :math:`-\frac 1 n \sum_i \log \frac 1 n \sum_j e^{-|z_i - z_j|^2 / 2}` in units of the noise, [KT]. Values depend on
    the noise and on n, as no information is above log n: compare codes of the same samples. Takes O(n^2 s) time.

    Parameters
    ----------
    codes : array-like of shape (n, s)
        Components in columns. Those that never change are left out.
    noise : float, default=0.1
        Standard deviation of the noise, relative to that of each component.

    Returns
    -------
    float
        At least 0, up to rounding; more is better.

    Examples
    --------
    >>> from gramian.metrics import windin
    >>> windin([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), windin([[0.0, 0.0], [1.0, 1.0]])
    (0.6931471805599453, 0.0)
    """
    Z = check_matrix(codes, "codes").astype(np.float64, copy=False)
    width = check_real(noise, "noise", "windin")
    return _core.gram.windin(Z, width)


def _groups(factors: Any, rows: int) -> list[npt.NDArray[np.intp]]:
    """Return the values of each factor as numbers from 0 on."""
    array = as_array(factors, "factors")
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or array.shape[1] == 0 or len(array) != rows:
        raise ValueError(f"factors must have a row for each of the {rows} samples, got shape {array.shape}.")
    if array.dtype.kind in "fcO" and bool(np.any(array != array)):
        raise ValueError("factors must have a value for each sample: it contains NaN.")
    return [np.unique(column, return_inverse=True)[1].ravel() for column in array.T]


def _binned(column: FloatArray, bins: int) -> npt.NDArray[np.intp]:
    low, high = column.min(), column.max()
    if high <= low:
        return np.zeros(len(column), dtype=np.intp)
    cells: npt.NDArray[np.intp] = np.minimum(((column - low) / (high - low) * bins).astype(np.intp), bins - 1)
    return cells


def _entropy(labels: npt.NDArray[np.intp]) -> float:
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return max(0.0, -math.fsum(share * math.log(share) for share in shares.tolist()))


def _mutual_information(a: npt.NDArray[np.intp], b: npt.NDArray[np.intp]) -> float:
    pairs = a * (int(b.max()) + 1) + b
    return max(0.0, _entropy(a) + _entropy(b) - _entropy(pairs))
