# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import importlib
import inspect
import pkgutil

import gramian
import pytest


def public_modules():
    """The package and its modules without an underscore, but for those that hold one class or function each."""
    folders = [gramian, gramian.models]
    found = [f"{folder.__name__}.{part.name}" for folder in folders for part in pkgutil.iter_modules(folder.__path__)]
    return ["gramian"] + [
        name for name in found if not name.rpartition(".")[2].startswith("_") and name not in PROGRAMS
    ]


PROGRAMS = ("gramian.cli",)
"""They have no names for others."""


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


@pytest.mark.parametrize("name", public_modules())
def test_a_public_module_shows_its_public_names_only(name):
    module = importlib.import_module(name)
    assert sorted(module.__all__) == list(module.__all__)
    assert dir(module) == sorted(module.__all__)
    for public in dir(module):
        value = getattr(module, public)
        assert public == "__version__" or not public.startswith("_")
        assert inspect.ismodule(value) or inspect.getmodule(value) is None or value.__module__.startswith("gramian")


def test_to_list_the_names_imports_nothing_more(run_python):
    result = run_python("import sys, gramian; dir(gramian); print('sklearn' in sys.modules)")
    assert result.stdout == "False\n", result.stderr
