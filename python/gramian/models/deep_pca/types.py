# SPDX-License-Identifier: BSD-3-Clause
"""Types of the parameters of a deep kernel PCA."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from gramian.landmarks import Method
from gramian.models._shared.types import SampleKernel

Solver: TypeAlias = Literal[
    "auto", "closed_form", "self_consistent", "riemannian_lbfgs", "riemannian_adam", "projected_gradient", "levelwise"
]
Init: TypeAlias = Literal["kpca", "random"]
Eigenvalues: TypeAlias = Literal["eliminated", "joint"]
LandmarkMethod: TypeAlias = Method
Extension: TypeAlias = Literal["auto", "equations", "smoother"]
Inverse: TypeAlias = Literal["auto", "fixed_point", "ridge"]
LevelKernels: TypeAlias = SampleKernel | Sequence[SampleKernel | None] | None
"""One for all levels, or one for each; only the first one may be "precomputed" or a function."""
