# SPDX-License-Identifier: BSD-3-Clause
"""Types of parameters that several families have."""

import os
from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian._validation import FloatArray
from gramian.kernels import Kernel, KernelName
from gramian.kernels.choice import SampleFunction
from gramian.optim import Iteration

SampleKernel: TypeAlias = Kernel | KernelName | Literal["precomputed"] | SampleFunction
"""The kernel of samples: an object, a name, a function, or none as X is the Gram matrix."""
LayerKernel: TypeAlias = Kernel | KernelName | Sequence[tuple[Kernel, npt.ArrayLike | None]] | None
"""The kernel of a layer, a sum of kernels with operators, or None for the one that is chosen."""
LayerKernels: TypeAlias = LayerKernel | Sequence[LayerKernel]
"""One for all layers, or one for each."""

ForEachLayer: TypeAlias = float | Sequence[float] | FloatArray
"""A number for all layers or levels, or one for each."""
Landmarks: TypeAlias = Literal["auto"] | int | npt.ArrayLike | None
"""Rows of X, how many to choose, None for all of them, or "auto" for a choice by the number of samples."""
Callback: TypeAlias = Callable[[Iteration], object]
CheckpointPath: TypeAlias = str | os.PathLike[str] | None
RandomState: TypeAlias = int | np.random.Generator | np.random.RandomState | None


class LossLike(Protocol):
    """A loss of gramian.losses, or an object with the same method."""

    def evaluate(self, target: FloatArray, output: FloatArray, /) -> tuple[float, FloatArray]:
        """Return the sum of the losses and its gradient in the outputs."""
