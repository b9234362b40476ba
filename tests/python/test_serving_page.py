# SPDX-License-Identifier: BSD-3-Clause
"""Every program of docs/serving.md, from the page's own text: Python, C++ and C, one after another in one folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import gramian
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "serving.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMPILERS = {"cpp": (("c++", "g++", "clang++"), "-std=c++17"), "c": (("cc", "gcc", "clang"), "-std=c99")}
LANGUAGES = {"python", "text", *COMPILERS}


def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(PAGE.read_text(encoding="utf-8"))


def run_python(code: str, names: dict[str, object]) -> object:
    """The value of the last line, as a notebook shows it."""
    *most, last = code.strip().split("\n")
    try:
        value = compile(last, PAGE.name, "eval")
    except SyntaxError:
        exec(compile(code, PAGE.name, "exec"), names)
        return None
    exec(compile("\n".join(most), PAGE.name, "exec"), names)
    return eval(value, names)


def run_compiled(language: str, code: str) -> str:
    """What the program prints, which is linked with the installed library."""
    candidates, standard = COMPILERS[language]
    compiler = next(filter(None, map(shutil.which, candidates)), None) or pytest.skip(f"no compiler of {language}")
    named = re.match(r"(?://|/\*) ([\w.]+)", code)
    assert named, f"a block of {language} begins with the name of its file"
    library, source = Path(gramian.get_library()), Path(named[1])
    source.write_text(code, encoding="utf-8")
    program = Path.cwd() / source.stem
    strict = [standard, "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{gramian.get_include()}"]
    link = [str(library), f"-Wl,-rpath,{library.parent}"]
    subprocess.run([compiler, *strict, str(source), "-o", str(program), *link], check=True, timeout=300)
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    return subprocess.run([program], check=True, capture_output=True, text=True, timeout=60, env=environment).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="libraries are found in another way there")
def test_every_block_of_the_page(tmp_path, monkeypatch, capsys):
    pytest.importorskip("safetensors")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    shown: list[object] = []
    printed, seen = "", set()
    for language, code in blocks():
        assert language in LANGUAGES, f"a block of {language} that nobody runs"
        seen.add(language)
        if language == "python":
            shown.append(run_python(code, names))
        elif language in COMPILERS:
            printed = run_compiled(language, code)
        else:
            assert printed == code
    assert seen == LANGUAGES
    assert shown[0] is True  # the loaded model says the same to the bit
    assert capsys.readouterr().out.startswith("embedding [")
