# SPDX-License-Identifier: BSD-3-Clause
"""
Kernels as values.

A kernel here is its class and its parameters as they were given, and nothing else: two are equal if these are, and it
can be copied, hashed, pickled and cloned by scikit-learn. It is what scikit-learn calls a callable kernel, so it may
stand as ``kernel=`` there, and ``kernel__gamma`` reaches its parameter in a grid search. As in scikit-learn, parameters
are checked when they are used. Kernels are combined by ``a + b``, ``a * b``, ``2.0 * a`` and ``a ** 3``.
"""

from typing import Literal, TypeAlias

from gramian.kernels.angular import ArcCosine, Cosine, Tanimoto
from gramian.kernels.base import Kernel
from gramian.kernels.cauchy import Cauchy
from gramian.kernels.composite import Power, Product, Scaled, Sum
from gramian.kernels.discrete import Delta
from gramian.kernels.gaussian import Gaussian
from gramian.kernels.laplacian import Laplacian
from gramian.kernels.matern import Matern
from gramian.kernels.polynomial import Linear, Polynomial
from gramian.kernels.rational_quadratic import RationalQuadratic
from gramian.kernels.tensor_matern import TensorMatern

__all__ = [
    "ArcCosine",
    "Cauchy",
    "Cosine",
    "Delta",
    "Gaussian",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern",
    "Polynomial",
    "Power",
    "Product",
    "RationalQuadratic",
    "Scaled",
    "Sum",
    "Tanimoto",
    "TensorMatern",
]

KernelName: TypeAlias = Literal[
    "arc_cosine",
    "cauchy",
    "cosine",
    "delta",
    "gaussian",
    "laplacian",
    "linear",
    "matern",
    "poly",
    "polynomial",
    "rational_quadratic",
    "rbf",
    "tanimoto",
    "tensor_matern",
]
"""The names of kernels, for tools; a test compares."""


def __dir__() -> list[str]:
    return list(__all__)
