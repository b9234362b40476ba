# SPDX-License-Identifier: BSD-3-Clause
"""
Kernels as values.

A kernel here is its class and its parameters as they were given, and nothing else: two are equal if these are, and it
can be copied, hashed, pickled and cloned by scikit-learn. It is what scikit-learn calls a callable kernel, so it may
stand as ``kernel=`` there, and ``kernel__gamma`` reaches its parameter in a grid search. As in scikit-learn, parameters
are checked when they are used.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from gramian._validation import Matrix, as_array, check_positive

__all__ = ["Gaussian", "Kernel"]

KernelT = TypeVar("KernelT", bound="Kernel")


class Kernel(ABC):
    """
    What all kernels have in common.

    A kernel does not change, except through `set_params`, which scikit-learn's searches need. Its hash is that of its
    parameters: do not call `set_params` on a kernel that is a key of a dict.
    """

    _engine_name: ClassVar[str]

    @abstractmethod
    def _engine_parameters(self) -> list[float]:
        """Return the checked parameters in the order of the engine's registry."""

    def __call__(self, X: npt.ArrayLike, Y: npt.ArrayLike | None = None) -> Matrix | float:
        """
        Evaluate the kernel.

        Parameters
        ----------
        X : array-like of shape (n, d) or (d,)
            Points in rows, or one point.
        Y : array-like of shape (m, d) or (d,), optional
            Points in rows, or one point if X is one; X if None.

        Returns
        -------
        ndarray of shape (n, m) or float
            The Gram matrix; for two points, the number. scikit-learn's ``pairwise_kernels`` asks for one number at a
            time: where speed matters, pass it a Gram matrix with ``kernel="precomputed"``.
        """
        from gramian.functional import gram  # functional imports this module

        if Y is None:
            return gram(self, X)
        x, y = as_array(X, "X"), as_array(Y, "Y")
        if x.ndim == 1 and y.ndim == 1:
            return float(gram(self, x[None], y[None])[0, 0])
        return gram(self, x, y)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """
        Return the parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Also return the parameters of parameters that are kernels, as ``name__inner``.

        Returns
        -------
        dict
            Names and values, as they were given.
        """
        own = {name: vars(self)[name] for name in self._parameter_names()}
        if not deep:
            return own
        nested = {
            f"{name}__{inner}": inner_value
            for name, value in own.items()
            if isinstance(value, Kernel)
            for inner, inner_value in value.get_params().items()
        }
        return {**own, **nested}

    def set_params(self: KernelT, **params: Any) -> KernelT:
        """
        Change parameters in place.

        Parameters
        ----------
        **params
            Names and values; ``name__inner`` reaches into a parameter that is a kernel.

        Returns
        -------
        Kernel
            The kernel itself.

        Raises
        ------
        ValueError
            If there is no parameter of that name; nothing is changed then.
        """
        valid = self.get_params()
        for name in params:
            if name not in valid:
                raise ValueError(
                    f"Invalid parameter {name!r} for kernel {self!r}. Valid parameters are: {sorted(valid)!r}."
                )
        for name, value in sorted(params.items(), key=lambda item: item[0].count("__")):  # a kernel before its parts
            owner, _, inner = name.partition("__")
            if inner:
                vars(self)[owner].set_params(**{inner: value})
            else:
                vars(self)[owner] = value
        return self

    def _store(self, **params: Any) -> None:
        vars(self).update(params)

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is a value: make a new one, or use set_params({name}=...).")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is a value: its attributes cannot be deleted.")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.get_params(deep=False))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Kernel) or type(self) is not type(other):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self), self._key()))

    def _key(self) -> tuple[Hashable, ...]:
        return tuple(_hashable(value) for value in self.get_params(deep=False).values())

    def __repr__(self) -> str:
        defaults = {name: parameter.default for name, parameter in inspect.signature(type(self)).parameters.items()}
        given = {name: value for name, value in self.get_params(deep=False).items() if value is not defaults[name]}
        return f"{type(self).__name__}({', '.join(f'{name}={_plain(value)!r}' for name, value in given.items())})"


class Gaussian(Kernel):
    r"""
    The Gaussian kernel, :math:`k(x, y) = \exp(-\gamma \|x - y\|^2)`.

    Parameters
    ----------
    gamma : float, optional
        The factor of the squared distance, above 0.
    length_scale : float, optional
        The same in the units of the points, above 0: ``gamma = 1 / (2 * length_scale**2)``. Only one of the two may be
        given; 1 if neither is.

    Examples
    --------
    >>> from gramian.kernels import Gaussian
    >>> Gaussian(gamma=0.5)([0.0, 0.0], [0.0, 0.0])
    1.0
    """

    _engine_name = "gaussian"

    gamma: float | None
    length_scale: float | None

    def __init__(self, gamma: float | None = None, length_scale: float | None = None) -> None:
        self._store(gamma=gamma, length_scale=length_scale)

    def _engine_parameters(self) -> list[float]:
        if self.gamma is not None and self.length_scale is not None:
            raise ValueError(
                f"Only one of 'gamma' and 'length_scale' of Gaussian may be given. "
                f"Got gamma={self.gamma!r} and length_scale={self.length_scale!r}."
            )
        if self.gamma is not None:
            return [check_positive(self.gamma, "gamma", "Gaussian")]
        scale = 1.0 if self.length_scale is None else check_positive(self.length_scale, "length_scale", "Gaussian")
        gamma = 0.5 / scale / scale
        if not 0 < gamma < float("inf"):
            raise ValueError(f"The 'length_scale' parameter of Gaussian is beyond what float64 can square: {scale!r}.")
        return [gamma]


def _rebuild(cls: type[Kernel], params: dict[str, Any]) -> Kernel:
    return cls(**params)


def _hashable(value: Any) -> Hashable:
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    return tuple(_hashable(item) for item in value) if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
