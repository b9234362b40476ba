# SPDX-License-Identifier: BSD-3-Clause
"""Types of the parameters of kernel ridge regression."""

from typing import Literal, TypeAlias

from gramian.kernels import Kernel, KernelName
from gramian.kernels.choice import SampleFunction

KernelRidgeSolver: TypeAlias = Literal["auto", "cholesky", "cg", "landmarks"]
RidgeKernel: TypeAlias = (
    Kernel | KernelName | Literal["precomputed", "additive_chi2", "chi2", "sigmoid"] | SampleFunction
)
"""A kernel, its name here or in scikit-learn, "precomputed", or a function of two samples or two sets of them."""
Precision: TypeAlias = Literal["float64", "float32"]
