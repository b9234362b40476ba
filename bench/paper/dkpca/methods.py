# SPDX-License-Identifier: BSD-3-Clause
"""The methods that [DKPCA] compares, as features for a linear model; and how components and samples are counted."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gramian
import numpy as np
from gramian.kernels import Gaussian
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

SIZES = (3, 2)
WIDTHS = tuple(np.exp(np.arange(7.0, -2.5, -1.0)).tolist())
"""sigma^2 of the paper, from wide to narrow: of equally good ones the first is taken."""
ETAS = (10.0, 1.0, -1.0, -10.0)
ITERATIONS = 200
RANDOM_ITERATIONS = 500

PRINCIPAL, SHALLOW, LEVELWISE = "PCA", "KPCA", "Deng et al."
RANDOM, SMOOTHED, SOLVED, OWN = "DKPCA, random start", "DKPCA", "DKPCA, solved", "DKPCA, own width"
SHALLOW_CENTRED, OWN_CENTRED = "KPCA, centred", "DKPCA, own width, centred"
ATTRIBUTES, UNTRAINED = "all attributes", "untrained"
LEVELS = {3: "DKPCA, 3 levels", 4: "DKPCA, 4 levels"}


class Choice(NamedTuple):
    """What is chosen on the validation part: sigma^2 of all levels, and eta of all levels but the first."""

    width: float = 1.0
    eta: float = 1.0


class Group(NamedTuple):
    """Methods that share their fits: what is fitted for a choice, the choices, and how each reads new samples."""

    build: Callable[[Choice], Any]
    choices: Sequence[Choice]
    readings: dict[str, str | None]


def groups(quick: bool = False) -> list[Group]:
    """All of them, the cheap ones first; `None` as a reading: samples are transformed as the model itself does it."""
    widths = WIDTHS[1::4] if quick else WIDTHS
    etas = (1.0,) if quick else ETAS
    single = [Choice(width) for width in widths]
    both = [Choice(width, eta) for width in widths for eta in etas]
    few = [Choice(width, eta) for width in widths for eta in etas[1:3] or etas]
    deep = [Group(_levels(levels), few, {name: "smoother"}) for levels, name in LEVELS.items()]
    return [
        Group(lambda choice: StandardScaler(), [Choice()], {ATTRIBUTES: None}),
        Group(lambda choice: PCA(sum(SIZES)), [Choice()], {PRINCIPAL: None}),
        Group(lambda choice: dkpca(choice, (sum(SIZES),)), single, {SHALLOW: None}),
        Group(lambda choice: dkpca(choice, SIZES, solver="levelwise"), single, {LEVELWISE: None}),
        Group(lambda choice: dkpca(choice, SIZES), both, {SMOOTHED: "smoother", SOLVED: "auto"}),
        Group(_as_in_the_paper, both, {RANDOM: "smoother"}),
        Group(_untrained, single, {UNTRAINED: "smoother"}),
        Group(lambda choice: dkpca(choice, SIZES, own=True), both, {OWN: "auto"}),
        Group(lambda choice: dkpca(choice, (sum(SIZES),), center=True), single, {SHALLOW_CENTRED: None}),
        Group(lambda choice: dkpca(choice, SIZES, own=True, center=True), both, {OWN_CENTRED: "auto"}),
        *deep,
    ]


def dkpca(choice: Choice, sizes: Sequence[int], own: bool = False, **options: Any) -> Any:
    """Levels that share sigma^2, as in the paper; `own`: levels above the first have the width that suits them."""
    first = Gaussian(gamma=1 / (2 * choice.width))
    kernels = [first, *[None if own else first] * (len(sizes) - 1)]
    eta = [1.0, *[choice.eta] * (len(sizes) - 1)]
    return gramian.DeepKernelPCA(tuple(sizes), kernels, eta, **{"max_iter": ITERATIONS, **options})


def _levels(count: int) -> Callable[[Choice], Any]:
    return lambda choice: dkpca(choice, (SIZES[0], *[SIZES[1]] * (count - 1)))


def _as_in_the_paper(choice: Choice) -> Any:
    options = {"init": "random", "solver": "riemannian_adam", "eigenvalues": "joint", "max_iter": RANDOM_ITERATIONS}
    return dkpca(choice, SIZES, **options)


def _untrained(choice: Choice) -> Any:
    """The random start itself, after one step."""
    return _as_in_the_paper(choice).set_params(max_iter=1)


def fitted(model: Any, X: Any) -> Any:
    """Without a word where the iterations do not suffice, or a new sample has no features: the tables tell."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X)


def features(model: Any, X: Any, reading: str | None) -> NDArray[np.float64]:
    """Of samples, new or not."""
    if reading is not None:
        model.extension = reading
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(model.transform(X))


def judged(classes: bool, codes: Sequence[Any], y: Sequence[Any]) -> list[float]:
    """
    Scores of a linear model on codes, learned from the first part: percent right, or root mean squared error.

    For each further part one.
    """
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500) if classes else LinearRegression())
    model.fit(codes[0], y[0])
    scores = []
    for Z, truth in zip(codes[1:], y[1:], strict=True):
        guess = model.predict(Z)
        right = 100 * float(np.mean(guess == truth))
        scores.append(right if classes else float(np.sqrt(np.mean((guess - truth) ** 2))))
    return scores


def feasibility(H: Sequence[Any]) -> float:
    """The sum over levels of the squared Frobenius norm of HᵀH - I."""
    return float(sum(np.linalg.norm(one.T @ one - np.eye(one.shape[1])) ** 2 for one in H))


def shares(K: Any, H: Any) -> NDArray[np.float64]:
    """What each direction holds of tr K, the largest first."""
    return np.sort(np.einsum("ij,ij->j", H, K @ H))[::-1] / np.trace(K)


def spectrum(K: Any) -> NDArray[np.float64]:
    """All eigenvalues over their sum, the largest first: no directions hold more."""
    values = np.linalg.eigvalsh(K)[::-1]
    return values / values.sum()
