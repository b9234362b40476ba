# SPDX-License-Identifier: BSD-3-Clause
"""
From what a user gives as a kernel to a kernel, or to an error that says what there is.

A kernel goes by an object, by the name of its class as in scikit-learn, or by what only some places take: a function of
samples, or "precomputed". A name leaves the width of its kernel open, until there are samples to choose it by.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias, cast

from gramian import _core, kernels
from gramian._parametrised import parameter_names
from gramian._validation import FLOAT64, FloatArray, refused
from gramian.kernels.base import Kernel
from gramian.kernels.gaussian import Gaussian
from gramian.kernels.leaf import Leaf
from gramian.kernels.polynomial import Polynomial
from gramian.points import InnerProducts, check_points

PRECOMPUTED = "precomputed"
_AS_IN_SCIKIT_LEARN: dict[str, type[Leaf]] = {"poly": Polynomial, "rbf": Gaussian}


class OpenKernel(NamedTuple):
    """A kernel whose width is still to be chosen."""

    kernel: Kernel
    """The kernel with any width."""

    def with_gamma(self, gamma: float, features: int) -> Kernel:
        """Return the kernel with the length of the Gaussian of this gamma, for points of so many features."""
        return self.kernel._with_numbers(_core.kernels.with_width(self.kernel._lower(None).spec, gamma, features))

    def on(self, X: Any, weights: FloatArray | None = None) -> Kernel:
        """
        Return the kernel with its width by the median rule: the median squared distance of samples is 1 / gamma.

        With weights each sample is there as often as its weight says: pairs of copies are at distance 0.
        """
        points = check_points(X, "X")
        if isinstance(points, InnerProducts) and not points.one_set:
            raise TypeError(
                f"X has the inner products of two sets of points, which do not tell the width of a kernel: pass "
                f"{suggestion(type(self.kernel))} in place of a name."
            )
        counts = None if weights is None else weights.tolist()
        return self.with_gamma(_core.gram.median_gamma(points.crossing(FLOAT64), counts), points.dimension or 1)


SampleFunction: TypeAlias = Callable[[Any, Any], Any]
"""Of two samples, or of two sets of them."""
KernelChoice: TypeAlias = Kernel | OpenKernel | str | SampleFunction
"""A kernel, an open one, "precomputed", or a function."""

OPEN_GAUSSIAN = OpenKernel(Gaussian(gamma=1.0))


def choose_kernel(
    value: Any, name: str, owner: str, *, precomputed: bool = False, functions: bool = False, reason: str = ""
) -> KernelChoice:
    """
    Return the kernel that a parameter means; raise an error that lists what it may be.

    precomputed, functions: whether these have a meaning there; reason: a sentence that says why they have none.
    """
    if isinstance(value, Kernel):
        return value
    if isinstance(value, str):
        if value in kernel_classes():
            return by_name(value)
        if precomputed and value == PRECOMPUTED:
            return value
    elif functions and is_function(value):
        return cast(SampleFunction, value)
    forms = ["one of gramian.kernels", "one of their names"]
    forms += ["'precomputed'"] * precomputed + ["a function of two samples"] * functions
    domain = f"{', '.join(forms[:-1])} or {forms[-1]}"
    error = refused(name, owner, domain, value, ValueError if isinstance(value, str) else TypeError)
    if is_function(value) or (isinstance(value, str) and value == PRECOMPUTED):
        raise type(error)(f"{error} {reason}".rstrip())
    raise type(error)(f"{error} The names are {', '.join(map(repr, kernel_classes()))}.")


def decided_kernel(chosen: KernelChoice, X: Any) -> Any:
    """Return an open kernel with its width by the median rule on these samples, and anything else as it is."""
    return chosen.on(X) if isinstance(chosen, OpenKernel) else chosen


def check_kernel(value: Any, name: str, owner: str) -> Kernel:
    """Return the kernel that an argument means where there are no samples to choose a width by."""
    chosen = choose_kernel(value, name, owner)
    if isinstance(chosen, OpenKernel):
        raise ValueError(
            f"{name}={value!r} of {owner} leaves the width of the kernel open, and there are no samples to choose it "
            f"by: pass {suggestion(type(chosen.kernel))}."
        )
    return cast(Kernel, chosen)


def is_function(value: Any) -> bool:
    """Tell whether a value may be a kernel that is a function."""
    return callable(value) and not isinstance(value, Kernel | type)


@lru_cache(maxsize=1)
def kernel_classes() -> Mapping[str, type[Leaf]]:
    """Return the classes of kernels by their names."""
    named = {re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower(): cls for cls in _leaves()}
    named.update(_AS_IN_SCIKIT_LEARN)
    return {name: named[name] for name in sorted(named)}


def _leaves() -> Iterator[type[Leaf]]:
    """The kernels of the engine, in the order of the package's list."""
    for name in kernels.__all__:
        cls = getattr(kernels, name)
        if issubclass(cls, Leaf):
            yield cls


def suggestion(kernel: Any, parameter: str | None = None) -> str:
    """Return an expression for a kernel with a parameter, such as its width; kernel: a class, a name, or None."""
    cls = kernel_classes().get(kernel, Gaussian) if isinstance(kernel, str) else kernel or Gaussian
    if parameter is None:
        parameter = next((name for name in ("gamma", "length_scale") if name in parameter_names(cls)), "")
    elif parameter not in parameter_names(cls):
        if isinstance(kernel, str) and kernel in kernel_classes():
            names = parameter_names(cls)
            return f"gramian.kernels.{cls.__name__}({', '.join(f'{name}=...' for name in names)})"
        cls = next((other for other in _leaves() if parameter in parameter_names(other)), cls)
    return f"gramian.kernels.{cls.__name__}({parameter and f'{parameter}=...'})"


@cache
def by_name(name: str) -> Kernel | OpenKernel:
    """Return the kernel that a name stands for."""
    cls: Any = kernel_classes()[name]
    kernel: Kernel = cls(gamma=1.0) if "gamma" in parameter_names(cls) else cls()
    return OpenKernel(kernel) if kernel._has_width else kernel
