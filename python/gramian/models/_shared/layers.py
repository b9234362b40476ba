# SPDX-License-Identifier: BSD-3-Clause
"""The layers of an autoencoder, from what the user says about them to what the engine takes."""

import copy
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from gramian import _core
from gramian._validation import (
    FLOAT64,
    LARGEST_SIZE,
    FloatArray,
    as_array,
    check_matrix,
    check_real,
    check_shape,
    check_vector,
    check_whole,
    refused,
)
from gramian.kernels import Kernel
from gramian.kernels.choice import OPEN_GAUSSIAN, OpenKernel, check_kernel, choose_kernel
from gramian.layers import Layer
from gramian.points import check_points

Term: TypeAlias = tuple[Kernel, FloatArray | None]
DefaultKernel: TypeAlias = Callable[[int, list[int]], Kernel | OpenKernel]
"""Of a layer, counted from 0, and the sizes of all layers."""
NO_DERIVATIVES = "Layers are trained with derivatives of their kernels, and it has none."


class LayerPlan(NamedTuple):
    """A layer before it is trained."""

    terms: tuple[Term, ...]
    """Kernels with their operators; none for one whose width the engine is to choose."""
    A: FloatArray | None
    """The operator of that one."""
    outputs: int
    penalty: float
    open: Kernel = OPEN_GAUSSIAN.kernel
    """The kernel whose width the engine is to choose."""

    def crossing(self, dimension: int | None, theta: _core.losses.Penalty | None = None) -> _core.layered.LayerPlan:
        """Return what the binding takes, for inputs of `dimension` features; theta: a penalty that is not linear."""
        terms = [(kernel._lower(dimension).spec, _operator(A, self.outputs)) for kernel, A in self.terms]
        A = None if self.A is None else _operator(self.A, self.outputs)
        return _core.layered.LayerPlan(terms, self.outputs, self.penalty, A, theta, self.open._lower(None).spec)

    def learned(self, parameters: Sequence[float]) -> "LayerPlan":
        """Return the layer with the kernel that the engine has chosen."""
        return self if self.terms else self.with_kernel(self.open._with_numbers(parameters))

    def with_kernel(self, kernel: Kernel) -> "LayerPlan":
        """Return the layer with a kernel where it has none."""
        return self._replace(terms=((kernel, self.A),), A=None)


def gaussian_everywhere(layer: int, outputs: list[int]) -> OpenKernel:
    """Return the kernel of a layer, counted from 0, whose user names none."""
    return OPEN_GAUSSIAN


def with_kernels_of(plans: list[LayerPlan], before: list[Any]) -> list[LayerPlan]:
    """Return layers with the kernels that the last fit chose, where they have none: its objective stays what it was."""
    if len(before) != len(plans):
        return plans
    return [
        plan if plan.terms or not isinstance(kernel, Kernel) else plan.with_kernel(kernel)
        for plan, kernel in zip(plans, before, strict=True)
    ]


def learned_kernel(plan: LayerPlan) -> Any:
    """Return the kernel of a trained layer; pairs of kernels and operators if it is a sum."""
    return plan.terms[0][0] if len(plan.terms) == 1 else list(plan.terms)


def trained_layer(kernel: Any, A: FloatArray | None, coefficients: FloatArray, penalty: float) -> Layer:
    """Return a trained layer from what `learned_kernel` has made of it."""
    outputs = coefficients.shape[1]
    if isinstance(kernel, Kernel):
        return Layer(kernel, outputs, penalty, A)
    return Layer([one for one, _ in kernel], outputs, penalty, [operator for _, operator in kernel])


def trained_layers(
    kernels: Sequence[Any],
    operators: Sequence[Any],
    coefficients: Sequence[Any],
    supports: Sequence[Any],
    penalties: Any = None,
) -> list[tuple[Any, ...]]:
    """
    Return what the binding takes for trained layers from the input side, from attributes that may be of any kind.

    supports: rows; or the number of rows, where a layer sees inner products with them.
    """
    layers = []
    count = len(kernels)
    weights = [0.0] * count if penalties is None else check_vector(penalties, "penalties_", count, "the layers")
    parts = zip(kernels, operators, coefficients, supports, weights, strict=True)
    for i, (kernel, A, own, rows, penalty) in enumerate(parts):
        Phi = contiguous(check_matrix(own, f"coefficients_[{i}]"))
        counted = isinstance(rows, int)
        points = rows if counted else check_points(rows, f"supports_[{i}]").crossing(FLOAT64)
        spec = trained_layer(kernel, A, Phi, float(penalty))._lower(None if counted else rows.shape[1])
        layers.append((spec, Phi, contiguous(points) if isinstance(points, np.ndarray) else points))
    return layers


def contiguous(matrix: Any) -> FloatArray:
    """Return rows of float64 without gaps: the array itself, if it is such."""
    return np.ascontiguousarray(matrix, dtype=FLOAT64)


def check_hidden_kind(hidden: Any, owner: str) -> None:
    """Refuse what is neither a size nor several of them."""
    if not np.isscalar(hidden) and not isinstance(hidden, Iterable):
        raise refused("hidden", owner, "the size of an inner layer, or a list of sizes", hidden, TypeError)


def check_hidden(hidden: Any, owner: str) -> list[int]:
    """Return the sizes of the inner layers."""
    check_hidden_kind(hidden, owner)
    sizes = [hidden] if np.isscalar(hidden) else list(hidden)
    if not sizes:
        raise ValueError(f"The 'hidden' parameter of {owner} must have the size of at least one inner layer.")
    return [check_whole(size, f"hidden[{i}]", owner, LARGEST_SIZE) for i, size in enumerate(sizes)]


def check_code_layer(code_layer: Any, hidden: list[int], owner: str) -> int:
    """Return the layer whose outputs are the codes: the narrowest one, the first of equals, if nobody says."""
    if code_layer is None:
        return hidden.index(min(hidden)) + 1
    return check_whole(code_layer, "code_layer", owner, len(hidden))


def plan_layers(
    owner: str, kernels: Any, A: Any, penalty: Any, outputs: list[int], default: DefaultKernel = gaussian_everywhere
) -> list[LayerPlan]:
    """Return the layers, from the input side; outputs: their sizes; default: gives kernels where nobody names one."""
    depth = len(outputs)
    each = for_each(kernels, "kernels", depth, owner, not isinstance(kernels, list | tuple))
    operators = for_each(A, "A", depth, owner, A is None)
    penalties = for_each(penalty, "penalty", depth, owner, np.isscalar(penalty))
    plans = []
    for i, size in enumerate(outputs):
        penalty = check_real(
            penalties[i], "penalty" if np.isscalar(penalty) else f"penalty[{i}]", owner, inclusive=True
        )
        own = check_operator(operators[i], f"A[{i}]", size)
        kernel = default(i, outputs) if each[i] is None else each[i]
        plans.append(_with_kernel(LayerPlan((), own, size, penalty), kernel, i, owner))
    return plans


def check_max_norm(max_norm: Any, depth: int, owner: str) -> list[float]:
    """Return a bound for each layer, infinity for none; nothing at all if there are none."""
    if max_norm is None:
        return []
    bounds = for_each(max_norm, "max_norm", depth, owner, np.isscalar(max_norm))
    return [math.inf if bound is None else check_real(bound, f"max_norm[{i}]", owner) for i, bound in enumerate(bounds)]


def check_operator(A: Any, name: str, size: int) -> FloatArray | None:
    """Return A of a layer with `size` outputs: its diagonal or all of it, or None."""
    if A is None:
        return None
    array = as_array(A, name)
    is_diagonal = array.ndim == 1
    matrix = check_matrix(array[None] if is_diagonal else array, name).astype(np.float64)
    check_shape(matrix, name, (1 if is_diagonal else size, size))
    return matrix[0] if is_diagonal else matrix


def _operator(A: FloatArray | None, outputs: int) -> int | FloatArray:
    return outputs if A is None else np.atleast_2d(A)


def for_each(value: Any, name: str, depth: int, owner: str, same_for_all: bool, part: str = "layer") -> list[Any]:
    """Return an entry for each layer or level."""
    if same_for_all:
        return [value] * depth
    if not isinstance(value, list | tuple | np.ndarray):
        raise refused(name, owner, f"a list with an entry for each {part}", value, TypeError)
    if len(value) != depth:
        raise ValueError(
            f"The {name!r} parameter of {owner} has {len(value)} entries for {depth} {part}s: there must be one for "
            f"each."
        )
    return list(value)


def _with_kernel(plan: LayerPlan, kernel: Any, index: int, owner: str) -> LayerPlan:
    """Return the layer with what the user gives as its kernel."""
    name = f"kernels[{index}]"
    if isinstance(kernel, OpenKernel):
        return plan._replace(open=kernel.kernel)
    if isinstance(kernel, list | tuple):
        return plan._replace(terms=_terms(kernel, plan, name, f"A[{index}]", owner), A=None)
    chosen = choose_kernel(kernel, name, owner, reason=NO_DERIVATIVES)
    if isinstance(chosen, OpenKernel):
        return plan._replace(open=chosen.kernel)
    return plan.with_kernel(copy.deepcopy(cast(Kernel, chosen)))


def _terms(pairs: Any, plan: LayerPlan, name: str, own: str, owner: str) -> tuple[Term, ...]:
    if not pairs or not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        raise TypeError(
            f"{name} of {owner} must be None, a kernel, the name of one, or a list of pairs (kernel, A). "
            f"Got {pairs!r} instead."
        )
    if plan.A is not None:
        raise ValueError(f"{own} of {owner} must be None: {name} has its own.")
    return tuple(
        (
            copy.deepcopy(check_kernel(kernel, f"{name}[{j}][0]", owner)),
            check_operator(A, f"{name}[{j}][1]", plan.outputs),
        )
        for j, (kernel, A) in enumerate(pairs)
    )


def require_positive(penalty: Any, owner: str) -> None:
    """Refuse a last layer without a penalty where it has to be solved for."""
    if np.isscalar(penalty):
        check_real(penalty, "penalty", owner)
    elif isinstance(penalty, list | tuple | np.ndarray) and len(penalty):
        check_real(penalty[-1], f"penalty[{len(penalty) - 1}]", owner)
