# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import os

AFTER_FORK = """
import os, sys
import numpy as np
import gramian
from gramian import _core

gramian.set_num_threads(2)
kernel = gramian.kernels.Gaussian()
X = np.random.default_rng(0).normal(size=(6000, 8))
expected = gramian.product(kernel, X, X, X)
child = os.fork()
if child == 0:
    same = (gramian.product(kernel, X, X, X) == expected).all() and (gramian.gram(kernel, X) @ X).shape == X.shape
    os._exit(0 if same and _core.base.thread_report().threads == 1 else 1)
_, status = os.waitpid(child, 0)
assert (gramian.product(kernel, X, X, X) == expected).all()
sys.exit(os.waitstatus_to_exitcode(status))
"""

POOL = """
import multiprocessing
import numpy as np
import gramian

kernel = gramian.kernels.Gaussian()
X = np.random.default_rng(0).normal(size=(1500, 8))

def work(part):
    return gramian.product(kernel, X[part :: 3], X, X)

if __name__ == "__main__":
    whole = gramian.product(kernel, X, X, X.copy())
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        parts = pool.map(work, range(3))
    assert all((part == whole[i::3]).all() for i, part in enumerate(parts))
    print("right")
"""


def test_a_forked_child_finishes(run_python):
    if not hasattr(os, "fork"):
        return  # nothing can be forked here
    result = run_python(AFTER_FORK)
    assert result.returncode == 0, result.stderr


def test_a_pool_of_forked_workers_finishes(run_python):
    if not hasattr(os, "fork"):
        return
    result = run_python(POOL.format(method="fork"))
    assert result.stdout == "right\n", result.stderr
