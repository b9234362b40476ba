# SPDX-License-Identifier: BSD-3-Clause
"""One prediction by layers of Gaussian kernels: a C++ program on gramian, and the lines that one writes in Python."""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import gramian
import numpy as np

CALLS = 2001
SOURCE = Path(__file__).resolve().parents[1] / "one_row.cpp"


class Layers:
    """Random layers of these widths with m supports each, and a sample."""

    def __init__(self, m: int, widths: list[int]):
        draw = np.random.default_rng(0)
        self.m, self.widths = m, widths
        self.x = draw.standard_normal((1, widths[0]))
        pairs = list(zip(widths[:-1], widths[1:], strict=True))
        self.gammas = [1.0 / (2 * below) for below, _ in pairs]
        self.supports = [draw.standard_normal((m, below)) for below, _ in pairs]
        self.coefficients = [draw.standard_normal((m, above)) / np.sqrt(m) for _, above in pairs]

    def predict(self, kernel: Callable[[np.ndarray, np.ndarray, float], np.ndarray]) -> np.ndarray:
        """What all layers make of the sample with kernel(X, S, gamma)."""
        codes = self.x
        for gamma, S, coefficients in zip(self.gammas, self.supports, self.coefficients, strict=True):
            codes = kernel(codes, S, gamma) @ coefficients
        return codes[0]

    def numbers(self) -> bytes:
        """The file that the program reads."""
        parts = [self.x]
        for gamma, S, coefficients in zip(self.gammas, self.supports, self.coefficients, strict=True):
            parts += [np.array([gamma]), S, coefficients]
        return b"".join(np.ascontiguousarray(part, dtype="<f8").tobytes() for part in parts)


def program(folder: Path) -> Path:
    """The C++ program, compiled against the headers and the library of the installed package."""
    package = Path(gramian.__file__).parent
    library = next(path for path in sorted(package.rglob("libgramian.*")) if path.is_file())
    built = folder / "one_row"
    command = ["c++", "-std=c++17", "-O2", str(SOURCE), "-I", gramian.get_include(), str(library)]
    subprocess.run([*command, f"-Wl,-rpath,{library.parent}", "-o", str(built)], check=True, capture_output=True)
    return built


def gramian_cpp(layers: Layers) -> tuple[float, np.ndarray]:
    """Median in microseconds, and the prediction, of the C++ program."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "layers").write_bytes(layers.numbers())
        command = [str(program(folder)), str(folder / "layers"), str(layers.m), *map(str, layers.widths)]
        found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(found[0]), np.array(found[1:], dtype=float)


def numpy_lines(layers: Layers) -> tuple[float, np.ndarray]:
    """The same of numpy, by differences."""
    return _timed(lambda: layers.predict(by_differences))


def sklearn_lines(layers: Layers) -> tuple[float, np.ndarray]:
    """The same of scikit-learn's kernel."""
    from sklearn.metrics.pairwise import rbf_kernel

    return _timed(lambda: layers.predict(rbf_kernel))


def gramian_product(layers: Layers) -> tuple[float, np.ndarray]:
    """The same of gramian.product, which packs the supports at each call."""

    def call() -> np.ndarray:
        codes = layers.x
        for gamma, S, coefficients in zip(layers.gammas, layers.supports, layers.coefficients, strict=True):
            codes = gramian.product(gramian.kernels.Gaussian(gamma=gamma), codes, coefficients, S)
        return codes[0]

    return _timed(call)


def by_differences(X: np.ndarray, S: np.ndarray, gamma: float) -> np.ndarray:
    """A Gaussian Gram matrix of one row."""
    return np.exp(-gamma * ((S - X) ** 2).sum(axis=1))[None, :]


def _timed(call: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    times = []
    for _ in range(CALLS):
        begin = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - begin)
    return 1e6 * statistics.median(times), answer
