# SPDX-License-Identifier: BSD-3-Clause
"""What all features have in common."""

import copy
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import (
    LARGEST_SIZE,
    FloatArray,
    check_matrix,
    check_shape,
    check_vector,
    check_whole,
    whole_number,
)
from gramian._value import Value


class Sizes(NamedTuple):
    """How many numbers there are."""

    outputs: int
    """Features of a sample."""
    parameters: int
    """Numbers in theta."""


class Features(Value):
    r"""
    What all features have in common; the base of features of your own, :math:`z = \varphi(x; \theta)`.

    A subclass has the whole numbers ``inputs``, ``outputs`` and ``parameter_count`` as attributes or properties, and

    - ``start(seed)``, which returns where training starts: an array of shape (parameter_count,);
    - ``forward(theta, X, *, training, seed, step)``, which returns Z of shape (n, outputs) and keeps what it needs for
    - ``reverse(Zbar)``, which returns the gradient of :math:`\langle Z, \bar Z \rangle` in theta at the last forward
      pass.

    These are called on a shallow copy, with arrays of their own. Parameters of a subclass are those of its
    ``__init__``, kept as attributes of the same names. Features that draw random numbers, as dropout does, draw them
    from `seed` and `step` alone, and only if `training` is true.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.features import Features
    >>> class Waves(Features):
    ...     inputs, outputs, parameter_count = 1, 2, 2
    ...
    ...     def start(self, seed):
    ...         return np.array([1.0, 2.0])
    ...
    ...     def forward(self, theta, X, *, training, seed, step):
    ...         self.theta, self.X = theta, X
    ...         return np.sin(X * theta)
    ...
    ...     def reverse(self, Zbar):
    ...         return (Zbar * self.X * np.cos(self.X * self.theta)).sum(axis=0)
    >>> Waves().transform([[0.0], [1.0]]).round(2).tolist()
    [[0.0, 0.0], [0.84, 0.91]]
    """

    def _lower(self, dimension: int) -> Any:
        """Return what the binding takes for points of `dimension` features, after checking the parameters."""
        return copy.copy(self)  # passes leave something behind

    def sizes(self, inputs: int) -> Sizes:
        """
        Return the numbers of features and of parameters.

        Parameters
        ----------
        inputs : int
            The number of columns of X.

        Returns
        -------
        Sizes
            ``outputs`` and ``parameters``.
        """
        dimension = check_whole(inputs, "inputs", type(self).__name__, LARGEST_SIZE)
        return Sizes(*_core.layers.features_sizes(self._lower(dimension), dimension))

    def initial_parameters(self, inputs: int, seed: int = 0) -> FloatArray:
        """
        Return where training starts.

        Parameters
        ----------
        inputs : int
            The number of columns of X.
        seed : int, default=0
            What random numbers are drawn from, in [0, 2**64).

        Returns
        -------
        ndarray of shape (parameters,)
            Theta.
        """
        dimension = check_whole(inputs, "inputs", type(self).__name__, LARGEST_SIZE)
        return _core.layers.features_start(self._lower(dimension), dimension, check_seed(seed, "seed"))

    def transform(
        self,
        X: npt.ArrayLike,
        theta: npt.ArrayLike | None = None,
        *,
        training: bool = False,
        seed: int = 0,
        step: int = 0,
    ) -> FloatArray:
        r"""
        Return the features of samples, :math:`\varphi(X; \theta)`.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Samples in rows.
        theta : array-like of shape (parameters,), optional
            The parameters; ``initial_parameters(d, seed)`` if None.
        training : bool, default=False
            Drop what dropout drops.
        seed, step : int, default=0
            What dropout draws from: the same two give the same features.

        Returns
        -------
        ndarray of shape (n, outputs)
            Features in rows.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; the message names it.
        """
        spec, points, at = self._operands(X, theta, seed)
        return _core.layers.features_forward(spec, points, at, bool(training), *_draws(seed, step))

    def adjoint(
        self,
        X: npt.ArrayLike,
        Zbar: npt.ArrayLike,
        theta: npt.ArrayLike | None = None,
        *,
        training: bool = False,
        seed: int = 0,
        step: int = 0,
    ) -> FloatArray:
        r"""
        Return the gradient of :math:`\langle \varphi(X; \theta), \bar Z \rangle` in theta.

        It costs a pass forwards and one back, which is about three of the first.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Samples in rows.
        Zbar : array-like of shape (n, outputs)
            The gradient of something in the features.
        theta, training, seed, step
            As in `transform`.

        Returns
        -------
        ndarray of shape (parameters,)
            The gradient of that something in theta.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; the message names it.
        """
        spec, points, at = self._operands(X, theta, seed)
        bar = check_matrix(Zbar, "Zbar").astype(np.float64, copy=False)
        check_shape(bar, "Zbar", (len(points), _core.layers.features_sizes(spec, points.shape[1])[0]))
        return _core.layers.features_reverse(spec, points, bar, at, bool(training), *_draws(seed, step))

    def _operands(self, X: npt.ArrayLike, theta: npt.ArrayLike | None, seed: int) -> tuple[Any, FloatArray, FloatArray]:
        points = check_matrix(X, "X").astype(np.float64, copy=False)
        dimension = points.shape[1]
        spec = self._lower(dimension)
        if theta is None:
            return spec, points, _core.layers.features_start(spec, dimension, check_seed(seed, "seed"))
        count = _core.layers.features_sizes(spec, dimension)[1]
        at = check_vector(theta, "theta", count, f"{type(self).__name__} on {dimension} features")
        return spec, points, np.ascontiguousarray(at, dtype=np.float64)


def check_seed(value: Any, name: str) -> int:
    """Return `value` as an int if it is an integer in [0, 2**64)."""
    return whole_number(value, 0, 2**64 - 1, f"{name} must be an integer in [0, 2**64).")


def _draws(seed: int, step: int) -> tuple[int, int]:
    return check_seed(seed, "seed"), check_seed(step, "step")
