# SPDX-License-Identifier: BSD-3-Clause
"""Types of the parameters of autoencoders."""

from typing import Literal, TypeAlias

Solver: TypeAlias = Literal["lbfgs", "adam", "gd", "sgd", "alternating"]
Init: TypeAlias = Literal["principal", "random"]
LastLayer: TypeAlias = Literal["eliminated", "joint"]
