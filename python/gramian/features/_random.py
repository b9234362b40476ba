# SPDX-License-Identifier: BSD-3-Clause
"""Random features of kernels."""

from typing import Any

from gramian._validation import LARGEST_SIZE, check_whole
from gramian._value import FrozenValue
from gramian.features._base import Features, check_seed
from gramian.kernels import Kernel
from gramian.kernels.choice import check_kernel


class RandomFourierFeatures(FrozenValue, Features):
    r"""
    Random Fourier features: :math:`\varphi(x)^T \varphi(y)` is close to :math:`k(x, y)`, [RFF].

    A linear model on them is close to the kernel machine, at a cost that grows with the number of samples alone.
    With :math:`m` frequencies :math:`w_j` from the spectrum of the kernel, :math:`\varphi(x)` is
    :math:`m^{-1/2} (\cos w_1^T x, \ldots, \cos w_m^T x, \sin w_1^T x, \ldots, \sin w_m^T x)`. The error of an entry of
    the Gram matrix falls with :math:`m^{-1/2}`.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel
        A kernel with a known spectrum, such as a Gaussian, Cauchy or Matérn kernel, with one width or one for each
        feature; or a multiple of one.
    n_features : int, default=512
        How many features there are, :math:`2 m`: an even number.
    seed : int, default=0
        What the frequencies are drawn from, in [0, 2**64). More features begin with the same frequencies.

    Notes
    -----
    Theta are the logarithms of the kernel's parameters in the engine's order: factors in front, the kernel's own, one
    width for each feature if there are any. It starts with the kernel as it is given.

    Examples
    --------
    >>> from gramian.features import RandomFourierFeatures
    >>> from gramian.kernels import Gaussian
    >>> Z = RandomFourierFeatures(Gaussian(gamma=0.5), n_features=100).transform([[0.0, 0.0], [0.1, 0.1]])
    >>> (Z @ Z.T).round(1).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """

    kernel: Kernel
    n_features: int
    seed: int

    def __init__(self, kernel: Kernel, *, n_features: int = 512, seed: int = 0) -> None:
        self._store(kernel=kernel, n_features=n_features, seed=seed)

    def _lower(self, dimension: int) -> Any:
        kernel = check_kernel(self.kernel, "kernel", "RandomFourierFeatures")
        count = check_whole(self.n_features, "n_features", "RandomFourierFeatures", LARGEST_SIZE)
        seed = check_seed(self.seed, "The 'seed' parameter of RandomFourierFeatures")
        return "random_fourier", kernel._lower(dimension).spec, count, seed
