# SPDX-License-Identifier: BSD-3-Clause
"""Types of the parameters of embedding classifiers."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

Learn: TypeAlias = Literal["validation", "rademacher", "erm", "cv", "median"]
Risk: TypeAlias = Literal["sum", "mean"]
Solver: TypeAlias = Literal["adam", "lbfgs"]
BatchSize: TypeAlias = int | Literal["auto"]
ClassWeight: TypeAlias = Mapping[Any, float] | Literal["balanced"]
Entropy: TypeAlias = Literal["clip", "expected"]
Compression: TypeAlias = Literal["herding", "random_features"]
