# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import pytest


def test_import_prints_nothing(run_python):
    result = run_python("import gramian, gramian.cli", "-W", "error")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("package", ["sklearn", "scipy", "threadpoolctl", "pandas", "argparse", "multiprocessing"])
def test_import_is_light(run_python, package):
    code = (
        f"import sys, numpy; before = set(sys.modules); import gramian; print({package!r} in set(sys.modules) - before)"
    )
    assert run_python(code).stdout == "False\n"


def test_import_adds_few_modules(run_python):
    """The parts of the compiled module come with it: they are not found and read one by one, so they have no spec."""
    result = run_python(
        "import sys, numpy, inspect, importlib.metadata; before = set(sys.modules); import gramian;"
        "print(sum(sys.modules[name].__spec__ is not None for name in set(sys.modules) - before))"
    )
    assert int(result.stdout) < 40, result.stderr


def test_subnormal_numbers_survive(run_python):
    code = """
import numpy as np
import gramian
X = np.random.default_rng(0).normal(size=(2000, 8))
gramian.product(gramian.kernels.Gaussian(), X, X)
tiny = np.array([5e-324])
assert 5e-324 != 0 and (tiny * 1.0 != 0).all() and 2.5e-308 / 4 > 0 and np.isnan(np.array([np.nan])).all()
print("alive")
"""
    assert run_python(code).stdout == "alive\n"


def test_public_names_exist():
    import gramian

    assert all(hasattr(gramian, name) for name in gramian.__all__)
    assert sorted(gramian.__all__) == list(gramian.__all__)
