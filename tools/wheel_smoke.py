# SPDX-License-Identifier: BSD-3-Clause
"""Try the installed package as a user would who has nothing but the wheel. Exit code 0 if all is well, 1 if not.

    python wheel_smoke.py [--without-compiler]

With --without-compiler a compiler on PATH is an error: it is for environments that were made to have none.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "clang-cl", "cl", "cmake", "ninja", "make")

# Reports the build that ran and the worst error against NumPy, for both operations and precisions.
COMPARE = """
import json
import numpy as np
import gramian
from gramian import _core

rng = np.random.default_rng(0)
kernel = gramian.kernels.Gaussian(gamma=0.3)
errors = {}
for dtype, tolerance in ((np.float64, 1e-12), (np.float32, 2e-5)):
    X, Y, V = (rng.normal(size=shape).astype(dtype) for shape in ((301, 9), (157, 9), (157, 4)))
    wide = [array.astype(np.float64) for array in (X, Y, V)]
    K = np.exp(-0.3 * ((wide[0][:, None] - wide[1][None]) ** 2).sum(-1))
    gram, product = gramian.gram(kernel, X, Y), gramian.product(kernel, X, V, Y)
    assert gram.dtype == product.dtype == dtype
    errors[f"gram {dtype.__name__}"] = np.abs(gram - K).max() / tolerance
    errors[f"product {dtype.__name__}"] = np.abs(product - K @ wide[2]).max() / np.abs(K @ wide[2]).max() / tolerance
print(json.dumps({"isa": _core.base.build_report().isa, "worst": max(errors.items(), key=lambda error: error[1])}))
"""

# scikit-learn carries a copy of the OpenMP run-time library, and so may the wheel: both orders of loading have to work.
WITH_SCIKIT_LEARN = """
import numpy as np

def use_gramian():
    import gramian
    return gramian.gram(gramian.kernels.Gaussian(gamma=0.5), X)

def use_scikit_learn():
    from sklearn.cluster import KMeans
    from sklearn.metrics.pairwise import rbf_kernel
    KMeans(n_clusters=3, n_init=1, random_state=0).fit(X)
    return rbf_kernel(X, gamma=0.5)

X = np.random.default_rng(0).normal(size=(500, 5))
first, second = {order}
results = [first(), second(), first()]
assert max(np.abs(result - results[0]).max() for result in results) < 1e-12
"""

# A library compiled for speed at any price switches denormals off for the whole process when it is loaded.
DENORMALS = """
import numpy as np
import gramian

smallest = [np.nextafter(dtype(0), dtype(1)) for dtype in (np.float64, np.float32)]
assert all(np.array([value]) * np.ones(1, dtype=value.dtype) != 0 for value in smallest)
gramian.product(gramian.kernels.Gaussian(), np.ones((2000, 3)), np.ones(2000))
assert all(np.array([value]) * np.ones(1, dtype=value.dtype) != 0 for value in smallest)
"""


def run(*command: str, **variables: str) -> str:
    """Run a command away from the checkout and return what it wrote; anything but exit code 0 is an error."""
    result = subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, text=True, timeout=300, check=False
    )
    if result.returncode != 0:
        raise AssertionError(f"exit code {result.returncode} of {command[:2]}\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def python(code: str, **variables: str) -> str:
    return run(sys.executable, "-W", "error", "-c", code, **variables)


def check_import_is_silent() -> str:
    printed = python("import gramian")
    assert not printed, f"import printed: {printed}"
    return "nothing printed"


def check_versions() -> str:
    shown = python("import gramian; gramian.show_versions()")
    assert "instruction set" in shown, shown
    return "\n" + shown.strip()


def check_command() -> str:
    script = shutil.which("gramian", path=sysconfig.get_path("scripts"))
    assert script, "no command gramian is installed"
    assert json.loads(run(script, "info", "--json"))["build"]["version"]
    return script


def check_cpp_package() -> str:
    paths = python("import gramian; print(gramian.get_include(), gramian.get_cmake_dir(), sep='\\n')").splitlines()
    for path, name in zip(paths, ("gramian/gramian.hpp", "gramianConfig.cmake"), strict=True):
        assert (Path(path) / name).is_file(), f"no {name} in {path}"
    return ", ".join(paths)


def check_results() -> str:
    """Every instruction set that can be asked for; one that this processor lacks runs as the best that it has."""
    used = []
    for wanted in (None, "v2", "v3", "v4"):
        report = json.loads(python(COMPARE, **({"GRAMIAN_ISA": wanted} if wanted else {})))
        what, tolerances = report["worst"]
        assert tolerances < 1, f"GRAMIAN_ISA={wanted}: {what} is off by {tolerances:.1f} tolerances"
        used.append(f"{wanted or 'default'}: {report['isa']}")
    return ", ".join(used)


def check_with_scikit_learn() -> str:
    for order in ("use_gramian, use_scikit_learn", "use_scikit_learn, use_gramian"):
        python(WITH_SCIKIT_LEARN.format(order=order))
    return "before and after"


def check_denormals() -> str:
    python(DENORMALS)
    return "survive"


def check_no_compiler() -> str:
    found = [path for path in map(shutil.which, COMPILERS) if path]
    assert not found, f"on PATH: {', '.join(found)}"
    return "none on PATH"


def main(arguments: list[str]) -> int:
    checks: dict[str, Callable[[], str]] = {
        "import": check_import_is_silent,
        "versions": check_versions,
        "command": check_command,
        "C++ package": check_cpp_package,
        "results": check_results,
        "scikit-learn": check_with_scikit_learn,
        "denormals": check_denormals,
    }
    if "--without-compiler" in arguments:
        checks = {"compiler": check_no_compiler, **checks}
    failed = 0
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        for name, check in checks.items():
            try:
                print(f"smoke: {name}: {check()}", flush=True)
            except Exception as error:
                failed += 1
                print(f"smoke: {name}: FAILED: {error}", flush=True)
        os.chdir(Path(sys.executable).anchor)
    print(f"smoke: {len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
