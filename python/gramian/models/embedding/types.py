# SPDX-License-Identifier: BSD-3-Clause
"""Types of the parameters of embedding classifiers."""

from typing import Literal, TypeAlias

Learn: TypeAlias = Literal["validation", "rademacher", "erm", "cv", "median"]
Risk: TypeAlias = Literal["sum", "mean"]
Solver: TypeAlias = Literal["adam", "lbfgs"]
BatchSize: TypeAlias = int | Literal["auto"]
Probabilities: TypeAlias = Literal["calibrated", "clip"]
Entropy: TypeAlias = Literal["probabilities", "clip", "expected"]
Compression: TypeAlias = Literal["herding", "random_features"]
