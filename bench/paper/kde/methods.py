# SPDX-License-Identifier: BSD-3-Clause
"""The four methods of [KDE] Sec. 6 as the experiments use them, and how their parameters are chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import gramian
import numpy as np
from gramian.kernels import Gaussian, Linear
from numpy.typing import NDArray

Choice = Mapping[str, float]
Split = tuple[NDArray[Any], NDArray[Any]]

IDENTITY, COMPONENTS, COVARIANCE, CONDITIONAL = "identity", "components", "covariance", "conditional"
METHODS = {
    IDENTITY: "KDE, identity (Cortes et al.)",
    COMPONENTS: "KDE, components (Weston et al.)",
    COVARIANCE: "KDE, covariance",
    CONDITIONAL: "KDE, conditional covariance",
}
ALPHAS = {IDENTITY: (1e-2, 1e-1, 1.0), COMPONENTS: (1e-2, 1e-1, 1.0)}
ALPHAS |= {COVARIANCE: (1e-4, 1e-3, 1e-2), CONDITIONAL: (1e-4, 1e-3, 1e-2)}
EPSILONS = (1e-2, 1e-1, 1.0)
SIZES = (10, 20, 40, 80)


def candidates(method: str, **grid: Iterable[float]) -> list[Choice]:
    """Every combination of what this method has to choose: alpha, epsilon or components, and the names of `grid`."""
    own: dict[str, Iterable[float]] = {"alpha": ALPHAS[method]}
    if method == CONDITIONAL:
        own["epsilon"] = EPSILONS
    if method == COMPONENTS:
        own["components"] = SIZES
    own |= grid
    return [dict(zip(own, values, strict=True)) for values in product(*own.values())]


def regressor(method: str, choice: Choice, samples: int, **options: Any) -> Any:
    """
    The estimator for a number of samples. `alpha` is the papers' lambda: the identity has it beside a sum of losses,
    and covariances beside a mean. `width` and `output_width` of a choice are length scales of Gaussians; without an
    output width the output kernel is linear, without a width the kernel has to be among the options.
    """
    if "width" in choice:
        options["kernel"] = Gaussian(length_scale=choice["width"])
    if "output_width" in choice:
        options["output_kernel"] = Gaussian(length_scale=choice["output_width"])
    options.setdefault("output_kernel", Linear())
    if method == CONDITIONAL:
        options["epsilon"] = choice["epsilon"]
    if method == COMPONENTS:
        options["n_output_components"] = int(choice["components"])
    operator = IDENTITY if method == COMPONENTS else method
    penalty = choice["alpha"] / samples if operator == IDENTITY else choice["alpha"]
    return gramian.DependencyRegressor(operator=operator, penalty=penalty, **{"random_state": 0, **options})


def select(choices: Sequence[Choice], error: Callable[[Choice, Any, Any], float], splits: Sequence[Split]) -> Choice:
    """The choice with the smallest mean `error(choice, train, check)` over splits of the training samples."""
    if len(choices) == 1:
        return choices[0]
    return min(choices, key=lambda choice: np.mean([error(choice, train, check) for train, check in splits]))


def printed(choice: Choice) -> str:
    """`alpha 0.01, width 4`"""
    return ", ".join(f"{name} {value:.3g}" for name, value in choice.items())


def commonest(choices: Sequence[Choice]) -> str:
    """What was chosen most often, and how often."""
    texts = [printed(choice) for choice in choices]
    best = max(texts, key=texts.count)
    return f"{best} ({texts.count(best)} of {len(texts)})"
