# SPDX-License-Identifier: BSD-3-Clause
"""Types of the parameters of concatenated regression."""

from typing import Literal, TypeAlias

Solver: TypeAlias = Literal["lbfgs", "bfgs", "adam"]
Init: TypeAlias = Literal["identity", "random"]
InnerParameters: TypeAlias = Literal["auto", "coefficients", "features"]
LastLayer: TypeAlias = Literal["auto", "joint"]
