# SPDX-License-Identifier: BSD-3-Clause
"""Kernels to test with: every class with every engine kernel that it leads to, at the samples of the registry."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

from gramian import _core, kernels
from gramian.kernels import (
    ArcCosine,
    Cosine,
    Delta,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    RationalQuadratic,
    Tanimoto,
    TensorMatern,
)
from gramian.kernels.leaf import Leaf

REGISTRY = {info.name: info for info in _core.kernels.registry()}
CLASSES = [cls for name, cls in vars(kernels).items() if name in kernels.__all__ and cls is not Kernel]
WIDTHS = [0.8, 1.3, 2.1]  # one for each of three features


def engine_kernels(cls: type[Leaf]) -> Iterator[tuple[dict[str, Any], str]]:
    """The choices that a class has, each with the engine's kernel that it leads to."""
    if isinstance(cls._engine, str):
        yield {}, cls._engine
    else:
        choice, names = cls._engine
        yield from (({choice: value}, name) for value, name in names.items())


def made(cls: type[Leaf], sample: int, widths: Sequence[float] | None = None) -> Iterator[Kernel]:
    """Kernels of a class at a sample of the registry, by each of the names that the width has; or with other widths."""
    for chosen, name in engine_kernels(cls):
        info = REGISTRY[name]
        values = zip(info.parameters, info.samples[sample % len(info.samples)], strict=True)
        own = {parameter.name: int(value) if parameter.whole else value for parameter, value in values}
        if info.width is None:
            if widths is None:
                yield cls(**chosen, **own)
            continue
        width = info.parameters[info.width.parameter].name
        value = own.pop(width)
        length = (value / info.width.factor) ** (1 / info.width.power)
        for key, number in {width: value, "length_scale": length}.items():
            if key in inspect.signature(cls).parameters:
                yield cls(**chosen, **own, **{key: number if widths is None else list(widths)})


LEAVES: list[Kernel] = [kernel for cls in CLASSES if issubclass(cls, Leaf) for kernel in made(cls, 0)]
LEAVES += [Gaussian(), Polynomial(degree=1, coef0=0), TensorMatern(s=3, gamma=0.7, normalized=False)]

STRETCHED: list[Kernel] = [kernel for cls in CLASSES if issubclass(cls, Leaf) for kernel in made(cls, 0, WIDTHS)]
ANISOTROPIC: list[Kernel] = [*STRETCHED, TensorMatern(s=3, gamma=WIDTHS, normalized=False)]

COMPOSITES: list[Kernel] = [
    2.0 * Gaussian(gamma=0.3),
    Gaussian(gamma=0.3) + Linear(),
    Gaussian(gamma=0.3) * Polynomial(degree=2),
    Matern(nu=2.5) ** 3,
    (0.5 * Gaussian(length_scale=2.0) + RationalQuadratic()) * (Linear() + 0.1 * Delta()),
    (Gaussian() + 0.3 * ArcCosine()) ** 2 + Tanimoto() * (Cosine() + Laplacian(norm="l2")),
]
