# SPDX-License-Identifier: BSD-3-Clause
"""
What finds codes of pictures in [DKPCA] Sec. 5.1: PCA, kernel PCA, deep kernel PCA in several forms, autoencoders.

Widths, and the way back, are those with the smallest error of reconstructions of other pictures; no factor is seen.
"""

from __future__ import annotations

import itertools
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import gramian
import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA, KernelPCA

from bench.paper.dkpca import vaes

FloatArray = NDArray[np.float64]
WIDTHS = (1 / 16, 1 / 4, 1.0, 4.0)  # gamma times the median of squared distances
WAYS = (("fixed_point", 1e-6), ("ridge", 1e-4), ("ridge", 1e-2))  # a penalty for each picture
RANDOM_START, LEARNED = "DKPCA, linear, random start", "DKPCA, learned maps"
SMOOTHED, GAUSSIAN = "DKPCA, linear, smoother", "DKPCA, Gaussian"
KERNELS = (
    "PCA",
    "PCA, equal variances",
    "kernel PCA",
    "level by level",
    "DKPCA, linear",
    SMOOTHED,
    RANDOM_START,
    GAUSSIAN,
)
NETWORKS = (LEARNED, *vaes.KINDS)
OF_ALL = ("PCA", "PCA, equal variances", "DKPCA, linear", *vaes.KINDS)  # what is also learned from all pictures


class Choice(NamedTuple):
    """A width and a way back."""

    gamma: float
    inverse: str
    alpha: float


class Turns(NamedTuple):
    """How long maps are learned: so many turns, of so many steps of Adam each, of such a length."""

    rounds: int = 2
    steps: int = 40
    rate: float = 1e-3
    gamma: float = 1.0


class Codes(NamedTuple):
    """Codes of the pictures that they were learned from, two functions, and seconds of the processor."""

    known: FloatArray
    encode: Callable[[FloatArray], FloatArray]
    decode: Callable[[FloatArray], FloatArray] | None
    seconds: float


def choose(X: FloatArray, other: FloatArray, components: int) -> Choice:
    """By the error of reconstructions of other pictures from the first level."""
    middle = median(X)
    start = WAYS[0][0], WAYS[0][1] * len(X)
    best, least = Choice(1.0 / middle, *start), np.inf
    for width in WIDTHS:
        model = deep(components, Choice(width / middle, *start))
        codes = quietly(lambda model=model: model.fit(X).transform(other))
        for inverse, share in WAYS:
            alpha = share * len(X)
            model.set_params(inverse=inverse, inverse_alpha=alpha)
            back = quietly(lambda model=model, codes=codes: model.inverse_transform(codes, level=1))
            error = float(np.mean((back - other) ** 2))
            if error < least:
                best, least = Choice(width / middle, inverse, alpha), error
    return best


def median(X: FloatArray) -> float:
    """Of the squared distances between pictures, of at most 500 of them."""
    part = X[:500]
    return float(np.median([np.sum((a - b) ** 2) for a, b in itertools.combinations(part, 2)]))


def deep(components: int, choice: Choice, **options: Any) -> Any:
    """Two levels with Gaussian kernels."""
    kernels = [gramian.kernels.Gaussian(gamma=choice.gamma), None]
    given = {"center": True, "inverse": choice.inverse, "inverse_alpha": choice.alpha} | options
    return gramian.DeepKernelPCA((components, components), kernels, **given)


def learned_maps(shape: tuple[int, int], components: int, scale: Any, turns: Turns, seed: int) -> Any:
    """
    phi and psi of Table B.2, a linear kernel on phi, a Gaussian above.

    Without the sigmoid at the end of psi: with it, squared errors stay for long at a picture that is black everywhere.
    """
    import torch

    torch.manual_seed(seed)
    maps = [
        gramian.features.TorchFeatures(module, dtype="float32")
        for module in (
            vaes.encoder(shape, scale.channels, vaes.FEATURES),
            vaes.decoder(shape, scale.channels, vaes.FEATURES, logits=True),
        )
    ]
    levels = gramian.DeepKernelPCA((components, components), ["linear", None], center=True)
    options = {"n_rounds": turns.rounds, "max_iter": turns.steps, "learning_rate": turns.rate, "gamma": turns.gamma}
    return gramian.ParametricDeepKernelPCA(*maps, levels, **options, random_state=seed)


def find(name: str, X: FloatArray, components: int, choice: Choice, seed: int, networks: Any = None) -> Codes:
    """Codes of one method; `networks` are the shape of a picture, Scale and Turns."""
    if name in vaes.KINDS:
        shape, scale, _ = networks
        vae = vaes.learn(name, X, shape, 2 * components, seed, scale)
        return Codes(vae.encode(X), vae.encode, vae.decode, vae.seconds)
    begin = time.process_time()
    model = _model(name, components, choice, seed, networks)
    quietly(lambda: model.fit(X))
    seconds = time.process_time() - begin
    back = None
    known = np.hstack(model.hidden_features_) if isinstance(model, gramian.DeepKernelPCA) else model.transform(X)
    if isinstance(model, PCA):
        back = model.inverse_transform
    elif name in (GAUSSIAN, LEARNED):
        back = lambda codes: quietly(lambda: model.inverse_transform(codes, level=1))  # noqa: E731
    return Codes(known, lambda rows: quietly(lambda: model.transform(rows)), back, seconds)


def _model(name: str, components: int, choice: Choice, seed: int, networks: Any) -> Any:
    sizes = (components, components)
    if name == "PCA":
        return PCA(2 * components, random_state=seed)
    if name == "PCA, equal variances":
        return PCA(2 * components, whiten=True, random_state=seed)
    if name == "kernel PCA":
        return KernelPCA(2 * components, kernel="rbf", gamma=choice.gamma)
    if name == "level by level":
        return deep(components, choice, solver="levelwise")
    if name == "DKPCA, linear":
        return gramian.DeepKernelPCA(sizes, "linear")
    if name == SMOOTHED:
        return gramian.DeepKernelPCA(sizes, "linear", extension="smoother")
    if name == RANDOM_START:
        return gramian.DeepKernelPCA(sizes, "linear", solver="riemannian_lbfgs", init="random", random_state=seed)
    if name == GAUSSIAN:
        return deep(components, choice)
    if name == LEARNED:
        shape, scale, turns = networks
        return learned_maps(shape, components, scale, turns, seed)
    raise ValueError(f"There is no method {name!r}.")


def quietly(call: Callable[[], Any]) -> Any:
    """What a call returns, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()
