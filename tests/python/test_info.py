# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import json
import sys
from pathlib import Path

import gramian
import numpy as np
import pytest
from gramian import _core, _info, cli

ISA_CASE = """
import sys
import numpy as np
import gramian
from gramian import _core

X = np.random.default_rng(0).normal(size=(300, 7))
V = np.random.default_rng(1).normal(size=(300, 3))
kernel = gramian.kernels.Gaussian(gamma=0.2)
build = _core.base.build_report()
print(build.isa, build.isa_reason, sep="|")
for dtype in (np.float64, np.float32):
    A, B = X.astype(dtype), V.astype(dtype)
    np.save(f"{dtype.__name__}-gram", gramian.gram(kernel, A))
    np.save(f"{dtype.__name__}-product", gramian.product(kernel, A, B))
"""


def test_show_versions_prints_facts_and_reasons(capsys):
    assert gramian.show_versions() is None
    text = capsys.readouterr().out
    for fact in (
        "gramian",
        "instruction set",
        "threads",
        "compiler",
        "BLAS",
        "Eigen",
        "memory limit",
        "numpy",
        "python",
    ):
        assert any(line.startswith(fact) for line in text.splitlines()), fact
    build, threads, memory = _core.base.build_report(), _core.base.thread_report(), _core.base.memory_report()
    for reason in (build.isa_reason, threads.reason, memory.reason, threads.backend, np.__version__):
        assert reason in text


def test_versions_are_plain_data():
    found = _info.versions()
    assert json.loads(json.dumps(found)) == found
    assert found["build"]["version"] == gramian.__version__


def test_reports_follow_the_settings():
    gramian.set_num_threads(3)
    assert _core.base.thread_report().threads == 3
    gramian.set_memory_limit(12345678)
    assert _core.base.memory_report().limit == 12345678
    gramian.set_memory_limit(None)
    memory = _core.base.memory_report()
    assert 0 < memory.limit <= memory.available


def test_large_results_leave_their_memory_to_the_next_ones(capsys):
    gramian.release_memory()
    kernel, X = gramian.kernels.Gaussian(), np.random.default_rng(0).normal(size=(1024, 3))
    K = gramian.gram(kernel, X)
    place, expected = K.ctypes.data, K.copy()
    assert _core.base.memory_report().kept == 0  # it is in use
    part = K[5:]
    del K
    assert _core.base.memory_report().kept == 0  # still
    del part
    assert _core.base.memory_report().kept == 8 * 1024**2
    gramian.show_versions()
    assert any(line.startswith("memory kept") and "0.01 GiB" in line for line in capsys.readouterr().out.splitlines())
    again = gramian.gram(kernel, X)
    assert again.ctypes.data == place and (again == expected).all()
    del again
    assert gramian.release_memory() == 8 * 1024**2
    assert gramian.release_memory() == _core.base.memory_report().kept == 0


def test_nothing_is_kept_if_the_environment_says_so(run_python):
    code = """
import numpy as np, gramian
from gramian import _core
gramian.gram(gramian.kernels.Gaussian(), np.ones((1024, 3)))
print(_core.base.memory_report().kept)
"""
    assert run_python(code, GRAMIAN_MEMORY_CACHE="0").stdout == "0\n"
    assert run_python(code, GRAMIAN_MEMORY_CACHE="9M").stdout == f"{8 * 1024**2}\n"


def test_command_line(capsys):
    assert cli.main(["info"]) == 0
    assert gramian.__version__ in capsys.readouterr().out
    assert cli.main(["info", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["build"] == _info.versions()["build"]
    with pytest.raises(SystemExit) as end:
        cli.main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"gramian {gramian.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["fly"]])
def test_command_line_refuses_what_it_does_not_know(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    assert end.value.code == 2
    assert "usage: gramian" in capsys.readouterr().err


def test_module_runs_as_a_command(run_python):
    result = run_python(
        "import runpy, sys; sys.argv = ['gramian', 'info']; runpy.run_module('gramian', run_name='__main__')"
    )
    assert result.returncode == 0, result.stderr
    assert "instruction set" in result.stdout


def test_command_is_installed(run_python):
    script = Path(sys.executable).with_name("gramian.exe" if sys.platform == "win32" else "gramian")
    result = run_python(f"import subprocess; subprocess.run([{str(script)!r}, 'info'], check=True)")
    assert result.returncode == 0, result.stderr


def test_the_cpp_package_is_where_it_says():
    include, cmake = Path(gramian.get_include()), Path(gramian.get_cmake_dir())
    assert f'GRAMIAN_VERSION "{gramian.__version__}"' in (include / "gramian" / "version.hpp").read_text(
        encoding="utf-8"
    )
    assert (cmake / "gramianConfig.cmake").is_file()


def test_every_isa_reports_itself_and_agrees(run_python, tmp_path):
    results = {}
    for isa in ("v2", "v3", "v4"):
        lines = run_python(ISA_CASE, GRAMIAN_ISA=isa)
        assert lines.returncode == 0, lines.stderr
        used, reason = lines.stdout.strip().split("|")
        assert used == isa or used in reason or "more than this processor runs" in reason or used == "generic"
        results[isa] = {path.stem: np.load(path) for path in tmp_path.glob("*.npy")}
    for isa in ("v3", "v4"):
        for name, value in results[isa].items():
            tolerance = 1e-10 if value.dtype == np.float64 else 2e-5
            np.testing.assert_allclose(
                value, results["v2"][name], rtol=tolerance, atol=tolerance, err_msg=f"{isa} {name}"
            )


def test_an_unknown_isa_is_reported(run_python):
    result = run_python("from gramian import _info; print(_info.versions()['build'])", GRAMIAN_ISA="v9")
    assert result.returncode == 0 and ("v9" in result.stdout or "generic" in result.stdout)
