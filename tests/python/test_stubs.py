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
STUBS = ROOT / "python" / "gramian" / "_core"


@pytest.fixture(scope="module")
def modules() -> dict[str, ast.Module]:
    """The committed stubs: name of the submodule (`__init__` for the module itself), syntax tree."""
    return {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in STUBS.glob("*.pyi")}


def test_the_stubs_are_current(tmp_path):
    command = [sys.executable, str(ROOT / "tools" / "stubs.py"), "--output", str(tmp_path / "fresh")]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert result.returncode == 0, result.stderr
    fresh = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "fresh").glob("*.pyi")}
    if fresh != {path.name: path.read_text(encoding="utf-8") for path in STUBS.glob("*.pyi")}:
        pytest.fail(f"{STUBS} is not what the installed module gives: run `make stubs`")


def test_the_stubs_name_every_public_function(modules):
    submodules = {name for name in vars(_core) if not name.startswith("_")}
    assert submodules | {"__init__"} == modules.keys()
    for name in submodules:
        stated = {node.name for node in modules[name].body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert {public for public in vars(getattr(_core, name)) if not public.startswith("_")} == stated


def test_every_argument_and_result_has_a_type(modules):
    functions = [node for module in modules.values() for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    assert functions
    for function in functions:
        arguments = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
        assert function.returns is not None, function.name
        assert all(a.annotation is not None for a in arguments if a.arg != "self"), function.name
