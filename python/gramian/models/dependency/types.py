# SPDX-License-Identifier: BSD-3-Clause
"""Types of the parameters of models of structured outputs."""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from gramian.operators import OperatorKernel

Operator: TypeAlias = Literal["conditional", "covariance", "identity"] | OperatorKernel
Pivoting: TypeAlias = Literal["random", "greedy", "gain"]
Preimage: TypeAlias = Literal["nearest", "candidates", "linear", "gaussian", "sequence"] | Callable[[Any, Any], Any]
Rank: TypeAlias = Literal["auto"] | float | tuple[float | None, float | None] | list[float] | None
"""A number of columns, or a part of the trace; of inputs and outputs, or one for each; or a choice by their number."""
RidgeSolver: TypeAlias = Literal["auto", "cholesky", "cg"]
