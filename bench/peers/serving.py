# SPDX-License-Identifier: BSD-3-Clause
"""One function, a sum of Gaussians over n samples, as the models of several libraries that predict with it."""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.measure import Contestant, optional

GAMMA, PENALTY = 0.1, 1e-3
PREDICT = 0  # of gramian/c.h

Predict = Callable[[np.ndarray], Any]


class Problem:
    """Kernel ridge regression on n samples: f(x) = k(x, X) (K + n penalty I)^-1 y."""

    def __init__(self, n: int, d: int, outputs: int = 1) -> None:
        rng = np.random.default_rng(0)
        self.X = rng.normal(size=(n, d))
        self.y = np.sin(self.X[:, :1] + np.arange(outputs)) + 0.1 * rng.normal(size=(n, outputs))
        self.y = self.y[:, 0] if outputs == 1 else self.y
        self.alpha = n * PENALTY

    def fitted(self) -> Any:
        """The model of gramian."""
        from gramian import ConditionalMeanEmbedding
        from gramian.kernels import Gaussian

        return ConditionalMeanEmbedding(Gaussian(gamma=GAMMA), penalty=PENALTY).fit(self.X, self.y)


def estimator(problem: Problem) -> Predict:
    return problem.fitted().predict


class InC:
    """The model of gramian in a file, through the interface in C, with pointers that are made once."""

    def __init__(self, problem: Problem, rows: int) -> None:
        from gramian import get_library

        self._library = ctypes.CDLL(get_library())
        handle, numbers = ctypes.c_void_p(), ctypes.POINTER(ctypes.c_double)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            problem.fitted().save(path)
            assert self._library.gramian_load(str(path).encode(), ctypes.byref(handle)) == 0
        self.X = np.empty((rows, problem.X.shape[1]))
        outputs = 1 if problem.y.ndim == 1 else problem.y.shape[1]
        self.out = np.empty((rows, outputs))
        pointers = [ctypes.cast(ctypes.c_void_p(array.ctypes.data), numbers) for array in (self.X, self.out)]
        sizes = [ctypes.c_int64(size) for size in self.X.shape]
        self._arguments = handle, PREDICT, pointers[0], *sizes, pointers[1]

    def __call__(self, X: np.ndarray) -> np.ndarray:
        self.X[:] = X
        self.run()
        return self.out if self.out.shape[1] > 1 else self.out[:, 0]

    def run(self) -> None:
        """Predict the rows that are there already."""
        assert self._library.gramian_apply(*self._arguments) == 0


def kernel_ridge(problem: Problem) -> Predict:
    from sklearn.kernel_ridge import KernelRidge

    return KernelRidge(alpha=problem.alpha, kernel="rbf", gamma=GAMMA).fit(problem.X, problem.y).predict


def gaussian_process(problem: Problem) -> Any:
    """The same function in scikit-learn's words, which skl2onnx can translate."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF

    kernel = RBF(1 / np.sqrt(2 * GAMMA), "fixed")
    return GaussianProcessRegressor(kernel, alpha=problem.alpha, optimizer=None).fit(problem.X, problem.y)


def support_vectors(problem: Problem) -> Predict:
    """Another function, of a classifier with as many samples in its sum as it needs."""
    from sklearn.svm import SVC

    return SVC(gamma=GAMMA).fit(problem.X, np.atleast_2d(problem.y.T)[0] > 0).decision_function


def onnx(problem: Problem) -> Contestant:
    return optional(_onnx, problem)


def _onnx(problem: Problem) -> Predict:
    import onnxruntime
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import DoubleTensorType

    types = [("X", DoubleTensorType([None, problem.X.shape[1]]))]
    model = to_onnx(gaussian_process(problem), initial_types=types, target_opset=18)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "0"))  # it does not read it; 0: all cores
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda X: np.asarray(session.run(None, {"X": X})[0]).reshape(len(X), -1).squeeze(1)


def torch(problem: Problem) -> Contestant:
    return optional(_torch, problem)


def _torch(problem: Problem) -> Predict:
    import torch as library

    class Expansion(library.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.S = library.from_numpy(problem.X)
            self.W = library.from_numpy(gaussian_process(problem).alpha_.reshape(len(problem.X), -1))

        def forward(self, X: Any) -> Any:
            return library.exp(-GAMMA * library.cdist(X, self.S).square()) @ self.W

    module = library.jit.script(library.jit.trace(Expansion(), library.from_numpy(problem.X[:1])))

    def predict(X: np.ndarray) -> Any:
        with library.inference_mode():
            return module(library.from_numpy(X)).numpy().squeeze(1)

    return predict
