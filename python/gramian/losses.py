# SPDX-License-Identifier: BSD-3-Clause
"""
What a reconstruction costs, as values.

A loss is its class and its parameters as they were given, as a kernel is. Any object with ``evaluate(target, output)``
that returns the sum over samples and its gradient in the outputs may stand where a loss is expected; `Loss` gives it
the rest.
"""

import inspect
from abc import ABC, abstractmethod
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray, check_choice, check_matrix, check_real, check_shape, refused
from gramian._value import FrozenValue, Value, plain

__all__ = ["ClippedCrossEntropy", "EpsilonInsensitive", "Huber", "Logistic", "Loss", "Squared"]


def __dir__() -> list[str]:
    return list(__all__)


SQUARED = "squared"

Lowered: TypeAlias = tuple[str | float, ...]


class Loss(Value, ABC):
    """
    What all losses have in common; the base of a loss of your own.

    Parameters of a subclass are those of its ``__init__``, kept as attributes of the same names.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.losses import Loss
    >>> class LogCosh(Loss):
    ...     def evaluate(self, target, output):
    ...         r = output - target
    ...         return np.logaddexp(r, -r).sum(), np.tanh(r)
    >>> LogCosh()
    LogCosh()
    """

    of_residual: ClassVar[bool] = False
    """Whether it depends on output - target alone, so that targets may be shifted. Say so of a loss of your own."""

    @abstractmethod
    def evaluate(self, target: FloatArray, output: FloatArray) -> tuple[float, FloatArray]:
        """
        Evaluate the loss.

        Parameters
        ----------
        target : ndarray of shape (n, d)
            What the outputs should be, samples in rows.
        output : ndarray of shape (n, d)
            What they are.

        Returns
        -------
        value : float
            The sum over samples.
        gradient : ndarray of shape (n, d)
            Its gradient in the outputs.
        """

    def _lower(self) -> Lowered | None:
        """Return what the engine takes, after checking the parameters; None: it calls `evaluate`."""
        return None

    def __repr__(self) -> str:
        given = (f"{name}={plain(value)!r}" for name, value in self.get_params(deep=False).items())
        return f"{type(self).__name__}({', '.join(given)})"


class _BuiltIn(FrozenValue, Loss):
    """A loss of the engine: its name there, and its parameters in their order."""

    _engine: ClassVar[str]
    _from_zero: ClassVar[tuple[str, ...]] = ()
    """Parameters that may be 0; the others are above it."""

    def _spec(self) -> Lowered:
        """Return what the engine takes, after checking the parameters."""
        owner = type(self).__name__
        numbers = (check_real(v, k, owner, inclusive=k in self._from_zero) for k, v in self.get_params().items())
        return (self._engine, *numbers)

    def _lower(self) -> Lowered | None:
        return self._spec() if type(self).evaluate is _BuiltIn.evaluate else None  # what is overridden counts

    def evaluate(self, target: npt.ArrayLike, output: npt.ArrayLike) -> tuple[float, FloatArray]:
        """
        Evaluate the loss.

        Parameters
        ----------
        target : array-like of shape (n, d)
            What the outputs should be, samples in rows.
        output : array-like of shape (n, d)
            What they are.

        Returns
        -------
        value : float
            The sum over samples.
        gradient : ndarray of shape (n, d)
            Its gradient in the outputs; the subgradient 0 where there is a kink.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; the message names it.
        """
        spec = self._spec()
        outputs = check_matrix(output, "output").astype(np.float64, copy=False)
        targets = check_matrix(target, "target").astype(np.float64, copy=False)
        check_shape(targets, "target", outputs.shape)
        value, gradient = _core.losses.evaluate(spec, targets, outputs)
        return value, gradient


class Squared(_BuiltIn):
    r"""
    The squared error, :math:`\|y - z\|^2` for each sample.

    Examples
    --------
    >>> from gramian.losses import Squared
    >>> value, gradient = Squared().evaluate([[0.0, 0.0]], [[3.0, 4.0]])
    >>> value, gradient.tolist()
    (25.0, [[6.0, 8.0]])
    """

    of_residual = True
    _engine = "squared"


class EpsilonInsensitive(_BuiltIn):
    r"""
    Nothing within a distance, and what is beyond it: :math:`\max(0, \|y - z\| - \epsilon)`, or its square.

    Parameters
    ----------
    epsilon : float
        The distance that costs nothing, at least 0.
    squared : bool, default=False
        Take the square, which has no kink.

    Examples
    --------
    >>> from gramian.losses import EpsilonInsensitive
    >>> EpsilonInsensitive(epsilon=2.0).evaluate([[0.0, 0.0]], [[3.0, 4.0]])[0]
    3.0
    """

    of_residual = True
    _engine = "epsilon_insensitive"
    _from_zero = ("epsilon",)
    epsilon: float
    squared: bool

    def __init__(self, epsilon: float, squared: bool = False) -> None:
        self._store(epsilon=epsilon, squared=squared)

    def _spec(self) -> Lowered:
        squared = check_choice(self.squared, "squared", "EpsilonInsensitive", (True, False))
        name = "squared_epsilon_insensitive" if squared else "epsilon_insensitive"
        return name, check_real(self.epsilon, "epsilon", "EpsilonInsensitive", inclusive=True)


class Huber(_BuiltIn):
    r"""
    The squared error up to a distance, and its tangent from there on, so that outliers pull no harder than that.

    With :math:`r = \|y - z\|` it is :math:`r^2` up to :math:`\delta`, then :math:`2 \delta r - \delta^2`.

    Parameters
    ----------
    delta : float
        The distance, above 0.

    Examples
    --------
    >>> from gramian.losses import Huber
    >>> Huber(delta=1.0).evaluate([[0.0, 0.0]], [[3.0, 4.0]])[0]
    9.0
    """

    of_residual = True
    _engine = "huber"
    delta: float

    def __init__(self, delta: float) -> None:
        self._store(delta=delta)


class Logistic(_BuiltIn):
    r"""
    The negative logarithm of a probability that is linear in its logit.

    Of one output z and a target t in [0, 1] it is :math:`\log(1 + e^z) - t z`; of several outputs and targets in rows
    that sum to 1, :math:`\log \sum_j e^{z_j} - \sum_j t_j z_j`.

    Examples
    --------
    >>> from gramian.losses import Logistic
    >>> value, gradient = Logistic().evaluate([[1.0], [0.0]], [[0.0], [0.0]])
    >>> round(value, 6), gradient.tolist()
    (1.386294, [[-0.5], [0.5]])
    """

    _engine = "logistic"


class ClippedCrossEntropy(_BuiltIn):
    r"""
    The negative logarithm of a probability that is an output itself, clipped to :math:`[\epsilon, 1]`: [MCE] (7).

    The target of a sample is a row of a unit matrix, the row of its class. Beyond the clips the loss is constant.

    Parameters
    ----------
    epsilon : float, default=1e-15
        Below 1.

    Examples
    --------
    >>> from gramian.losses import ClippedCrossEntropy
    >>> value, gradient = ClippedCrossEntropy().evaluate([[0.0, 1.0]], [[0.5, 0.5]])
    >>> round(value, 6), float(gradient[0, 1])
    (0.693147, -2.0)
    """

    _engine = "clipped_cross_entropy"
    epsilon: float

    def __init__(self, epsilon: float = 1e-15) -> None:
        self._store(epsilon=epsilon)


def check_loss(value: Any, owner: str) -> Any:
    """Return the loss of an estimator; refuse a name that leaves a number open, and say what to write."""
    if isinstance(value, str) and value == SQUARED:
        return value
    if not isinstance(value, str | type) and callable(getattr(value, "evaluate", None)):
        return value
    classes = {cls._engine: cls for cls in _BuiltIn.__subclasses__()}
    named = value if isinstance(value, type) else classes.get(value) if isinstance(value, str) else None
    advice = f" Pass {_example(named)}." if isinstance(named, type) and issubclass(named, _BuiltIn) else ""
    examples = ", ".join(_example(cls) for cls in classes.values())
    domain = f"{SQUARED!r}, a loss of gramian.losses ({examples}), or an object with evaluate(target, output)"
    error = refused("loss", owner, domain, value, ValueError if isinstance(value, str) else TypeError)
    raise type(error)(f"{error}{advice}")


def _example(cls: type[_BuiltIn]) -> str:
    """Return an expression for a loss, with a number for each parameter that has no default."""
    given = inspect.signature(cls).parameters.values()
    numbers = ", ".join(f"{one.name}=1.0" for one in given if one.default is one.empty)
    return f"gramian.losses.{cls.__name__}({numbers})"
