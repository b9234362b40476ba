# SPDX-License-Identifier: BSD-3-Clause
"""A last layer in closed form."""

import numpy.typing as npt

from gramian import _core
from gramian._memory import advising
from gramian._validation import FLOAT64, LARGEST_SIZE, FloatArray, check_columns, check_shape, check_whole
from gramian.layers._layer import Layer

_ADVICE = "use fewer samples"


class RidgeOutput:
    r"""
    A last layer in closed form: the best coefficients for given codes are those of a kernel ridge regression.

    The minimum over :math:`\Phi` of :math:`\frac 1 n |T - K \Phi A|^2 + \lambda \, \mathrm{tr}(\Phi^T K \Phi A)` with
    :math:`K = k(Z, Z)`, as a function of the codes Z; [KAE] (13) and (54).

    Parameters
    ----------
    layer : Layer
        With one kernel, and a penalty above 0.
    targets : array-like of shape (n, outputs)
        What is to be reconstructed: the data, or a factor of its Gram matrix.
    code_size : int
        The number of columns of Z.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range; the message names it.

    Examples
    --------
    >>> import gramian
    >>> from gramian.layers import Layer, RidgeOutput
    >>> output = RidgeOutput(Layer(gramian.kernels.Linear(), outputs=1, penalty=1.0), [[2.0]], code_size=1)
    >>> value, gradient = output.value_and_gradient([[1.0]])
    >>> round(value, 12), gradient.round(12)
    (2.0, array([[-2.]]))
    """

    def __init__(self, layer: Layer, targets: npt.ArrayLike, code_size: int) -> None:
        self.layer = layer
        self.targets = check_columns(targets, "targets")[0].astype(FLOAT64, copy=False)
        self.code_size = check_whole(code_size, "code_size", "RidgeOutput", LARGEST_SIZE)
        if self.targets.shape[1] != layer.outputs:
            raise ValueError(f"targets has {self.targets.shape[1]} columns, the layer {layer.outputs} outputs.")
        with advising(_ADVICE):
            self._engine = _core.layers.RidgeOutput(layer._lower(self.code_size), self.targets, self.code_size)

    def value_and_gradient(self, codes: npt.ArrayLike) -> tuple[float, FloatArray]:
        """
        Compute the minimum and its gradient in the codes, in O(n^3 / 3) time.

        Parameters
        ----------
        codes : array-like of shape (n, code_size)
            Z.

        Returns
        -------
        tuple of float and ndarray of shape (n, code_size)

        Raises
        ------
        gramian.NumericalError
            If the system can't be factorized; a larger penalty helps.
        """
        Z = check_columns(codes, "codes")[0].astype(FLOAT64, copy=False)
        check_shape(Z, "codes", (len(self.targets), self.code_size))
        with advising(_ADVICE):
            value, gradient = self._engine.evaluate(Z)
        return value, gradient

    @property
    def coefficients(self) -> FloatArray:
        """The best coefficients at the codes of the last evaluation, of shape (n, outputs)."""
        return self._engine.coefficients()

    @property
    def distortion(self) -> float:
        """The mean squared error at the codes of the last evaluation."""
        return float(self._engine.distortion())

    @property
    def squared_norm(self) -> float:
        """The squared norm of the function at the codes of the last evaluation."""
        return float(self._engine.squared_norm())
