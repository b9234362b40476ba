# SPDX-License-Identifier: BSD-3-Clause
"""The committed stub of the compiled module is the one that the module gives."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from gramian import _core

ROOT = Path(__file__).resolve().parents[2]
STUB = ROOT / "python" / "gramian" / "_core.pyi"


@pytest.fixture(scope="module")
def module() -> ast.Module:
    return ast.parse(STUB.read_text(encoding="utf-8"))


def test_the_stub_is_current(tmp_path):
    fresh = tmp_path / "_core.pyi"
    command = [sys.executable, str(ROOT / "tools" / "stubs.py"), "--output", str(fresh)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert result.returncode == 0, result.stderr
    if fresh.read_text(encoding="utf-8") != STUB.read_text(encoding="utf-8"):
        pytest.fail(f"{STUB} is not what the installed module gives: run `make stubs`")


def test_the_stub_names_every_public_function(module):
    stated = {node.name for node in module.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert {name for name in vars(_core) if not name.startswith("_")} == stated


def test_every_argument_and_result_has_a_type(module):
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    assert functions
    for function in functions:
        arguments = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
        assert function.returns is not None, function.name
        assert all(a.annotation is not None for a in arguments if a.arg != "self"), function.name
