# SPDX-License-Identifier: BSD-3-Clause
"""Memory that operations take for a memory map, to be run in a process of its own."""

import threading
import time
import warnings

import gramian
import numpy as np
from gramian.kernels import Gaussian

KERNEL = Gaussian(length_scale=4.0)


def anonymous():
    """Return the MB of this process that belong to no file."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon")) / 1024


def growth(run):
    """Return how many MB a call takes at most."""
    before, peak, running = anonymous(), 0.0, True

    def watch():
        nonlocal peak
        while running:
            peak = max(peak, anonymous())
            time.sleep(0.001)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        run()
    finally:
        running = False
        watcher.join()
    return max(peak, anonymous()) - before


def mapped(rows, dtype):
    """Return a memory map of small whole numbers."""
    X = np.memmap(f"{np.dtype(dtype).name}.dat", dtype=dtype, mode="w+", shape=(rows, 16))
    for first in range(0, rows, 100_000):
        X[first : first + 100_000] = np.random.default_rng(first).integers(-5, 5, size=X[first : first + 100_000].shape)
    X.flush()
    return X


def measure(rows, most):
    """Fail if an operation takes more than a limit of memory, in MB, for a number of rows."""
    some = np.random.default_rng(0).normal(size=(300, 16))
    V = np.ones((300, 1))
    ridge = gramian.OperatorKernelRidge().fit(some, some[:, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two steps are no fit, and enough for codes
        coder = gramian.KernelAutoencoder(max_iter=2).fit(some)
    for dtype in (np.int16, np.float32, np.float64):
        X = mapped(rows, dtype)
        for name, run in {
            "product": lambda X=X: gramian.product(KERNEL, X, V[:50], some[:50]),
            "diagonal": lambda X=X: gramian.diagonal(KERNEL, X),
            "normal_product": lambda X=X: gramian.normal_product(KERNEL, X, some[:50], V[:50]),
            "normal_system": lambda X=X: gramian.normal_system(KERNEL, X, some[:50]),
            "predict": lambda X=X: ridge.predict(X),
            "transform": lambda X=X: coder.transform(X),
        }.items():
            gramian.release_memory()
            taken = growth(run)
            assert taken <= most, f"{name} of {np.dtype(dtype).name}: {taken:.0f} MB"
            print(name, np.dtype(dtype).name, round(taken))
