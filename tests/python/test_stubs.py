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


def test_no_result_is_a_tuple_or_a_dict_without_types(modules):
    for name, module in modules.items():
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef) and node.returns is not None:
                assert ast.unparse(node.returns) not in ("tuple", "dict", "list", "typing.Any"), f"{name}.{node.name}"


def options() -> dict[str, type]:
    """The classes of options, by submodule and name."""
    found = {}
    for submodule in (value for name, value in vars(_core).items() if not name.startswith("_")):
        for name, member in vars(submodule).items():
            if isinstance(member, type) and "Keywords:" in (member.__init__.__doc__ or ""):
                found[f"{submodule.__name__}.{name}"] = member
    return found


def keywords(member: type) -> list[str]:
    """The fields that the engine names."""
    (line,) = (line for line in (member.__init__.__doc__ or "").splitlines() if "Keywords:" in line)
    return line.split("Keywords:")[1].split()


@pytest.mark.parametrize("name", options())
def test_options_are_keywords_with_the_defaults_of_the_engine(name):
    member = options()[name]
    defaults = member()
    shown = [field for field in keywords(member) if hasattr(defaults, field)]
    hidden = set(keywords(member)) - set(shown)
    assert hidden <= {"loss"}  # it is read from an object of Python's
    again = member(**{field: getattr(defaults, field) for field in shown})
    for field in shown:
        value, expected = getattr(again, field), getattr(defaults, field)
        assert type(value) is type(expected)
        if type(value).__module__.startswith("builtins"):
            assert value == expected
        with pytest.raises((AttributeError, TypeError)):
            setattr(again, field, expected)
    with pytest.raises(TypeError, match="has no option 'no_such_option'"):
        member(no_such_option=1)
    with pytest.raises(TypeError):
        member(1)


@pytest.mark.parametrize("name", options())
def test_keywords_of_options_have_types(name, modules):
    _, _, submodule, title = name.split(".")
    (stub,) = (n for n in modules[submodule].body if isinstance(n, ast.ClassDef) and n.name == title)
    (init,) = (n for n in stub.body if isinstance(n, ast.FunctionDef) and n.name == "__init__")
    stated = {a.arg: ast.unparse(a.annotation) for a in init.args.kwonlyargs if a.annotation is not None}
    assert list(stated) == keywords(options()[name])
    assert {field for field, kind in stated.items() if kind == "typing.Any"} <= {"loss"}
