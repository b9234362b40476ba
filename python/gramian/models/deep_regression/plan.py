# SPDX-License-Identifier: BSD-3-Clause
"""The layers of a concatenated regression, from what the user says about them to what the engine takes."""

import numbers
from typing import Any

import numpy as np

from gramian import _core
from gramian._validation import LARGEST_SIZE, check_real, check_whole
from gramian.kernels import Kernel, Linear
from gramian.kernels.choice import choose_kernel
from gramian.models._shared.layers import NO_DERIVATIVES, LayerPlan, check_hidden_kind, plan_layers


def plan(estimator: Any, features: int, outputs: int, outer: Kernel) -> list[LayerPlan]:
    """Return the layers from the input side; their penalties are not decided yet.

    outer: the last one of the kernels that stand in for none.
    """
    owner = type(estimator).__name__
    kernels, hidden = estimator.kernels, estimator.hidden
    depth = _depth(kernels, hidden, owner)
    sizes = [*_hidden_sizes(hidden, depth, features, owner), outputs]
    if kernels is None:
        kernels = [*[Linear()] * min(depth - 1, 1), *[None] * (depth - 2), outer]
    return plan_layers(owner, kernels, estimator.A, 1.0, sizes)


def crossing(
    plans: list[LayerPlan], features: int, alpha: float, inner_alpha: list[float], theta: list[Any]
) -> list[Any]:
    """Return what the binding takes; alpha and inner_alpha: the penalties of the last layer and of those before."""
    dimensions = [features, *[plan.outputs for plan in plans[:-1]]]
    return [
        one._replace(penalty=penalty).crossing(dimension, _penalty(form, penalty))
        for one, dimension, penalty, form in zip(plans, dimensions, [*inner_alpha, alpha], theta, strict=True)
    ]


def check_theta(theta: Any, depth: int, owner: str) -> list[Any]:
    """Return, for each layer, None for a linear penalty, "norm", an exponent, or an object."""
    each = list(theta) if isinstance(theta, list | tuple) else [theta] * depth
    if len(each) != depth:
        raise ValueError(f"The 'theta' parameter of {owner} has {len(each)} entries for {depth} layers.")
    return [_check_form(form, owner) for form in each]


def check_inner_alpha(inner_alpha: Any, depth: int, owner: str) -> list[float]:
    """Return the penalties of all layers but the last one."""
    each = [inner_alpha] * (depth - 1) if isinstance(inner_alpha, numbers.Real) else inner_alpha
    if not isinstance(each, list | tuple | np.ndarray) or np.ndim(each) == 0 or len(each) != depth - 1:
        raise ValueError(
            f"The 'inner_alpha' parameter of {owner} must be a number, or a list with one for each of the {depth - 1} "
            f"layers below the last one. Got {inner_alpha!r} instead."
        )
    return [check_real(one, "inner_alpha", owner, inclusive=True) for one in each]


def _check_form(form: Any, owner: str) -> Any:
    if form is None or isinstance(form, numbers.Real):
        return None if form is None else check_real(form, "theta", owner)
    own = not isinstance(form, type) and all(callable(getattr(form, name, None)) for name in ("value", "slope"))
    if not own and form != "norm":
        raise (ValueError if isinstance(form, str) else TypeError)(
            f"The 'theta' parameter of {owner} must be None, 'norm', an exponent, an object with value(square) and "
            f"slope(square), or a list of these. Got {form!r} instead."
        )
    return form


def _penalty(form: Any, weight: float) -> _core.losses.Penalty | None:
    if form is None:
        return None
    if isinstance(form, str):
        return _core.losses.norm_penalty(weight)
    if isinstance(form, numbers.Real):
        return _core.losses.power_penalty(weight, form)
    return _core.losses.own_penalty(weight, form)


def _depth(kernels: Any, hidden: Any, owner: str) -> int:
    if hidden is not None:
        check_hidden_kind(hidden, owner)
    listed = isinstance(kernels, list | tuple)
    if listed and not len(kernels):
        raise ValueError(f"The 'kernels' parameter of {owner} must have an entry for each layer, at least one.")
    if not listed and kernels is not None:
        choose_kernel(kernels, "kernels", owner, reason=NO_DERIVATIVES)
    if listed:
        return len(kernels)
    return _core.deep_regression.default_depth() if hidden is None or np.isscalar(hidden) else len(hidden) + 1


def _hidden_sizes(hidden: Any, depth: int, features: int, owner: str) -> list[int]:
    sizes = [features if hidden is None else hidden] * (depth - 1) if hidden is None or np.isscalar(hidden) else hidden
    sizes = list(sizes)
    if len(sizes) != depth - 1:
        raise ValueError(
            f"The 'hidden' parameter of {owner} has {len(sizes)} sizes, and 'kernels' describes {depth} layers: there "
            f"must be one for each layer but the last."
        )
    return [check_whole(size, f"hidden[{i}]", owner, LARGEST_SIZE) for i, size in enumerate(sizes)]
