# SPDX-License-Identifier: BSD-3-Clause
"""
The Python programs of README.md and of the documentation run, from the pages' own text, and print what the pages say.

A block of `text` behind a program is what it prints. Signatures are blocks of `py`, which have the same colours.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from pathlib import Path

import gramian
import matplotlib
import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
ELSEWHERE = {"serving.md", "large_n.md", "dask.md", "command_line.md"}
"""Pages with a test of their own."""


def blocks_of(path: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(path.read_text(encoding="utf-8"))


def pages() -> list[Path]:
    found = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [
        path for path in found if path.name not in ELSEWHERE and any(kind == "python" for kind, _ in blocks_of(path))
    ]


def same(printed: str, stated: str) -> bool:
    """Whether words are the same, and numbers within a tenth, or within 1 where the last digit is that."""
    if NUMBER.sub("", printed).split() != NUMBER.sub("", stated).split():
        return False
    pairs = zip(NUMBER.findall(printed), NUMBER.findall(stated), strict=True)
    return all(abs(float(a) - float(b)) <= 0.1 * abs(float(b)) + 0.011 for a, b in pairs)


@pytest.fixture(autouse=True)
def settings_of_the_process():
    """Pages show how threads and memory are set."""
    matplotlib.use("Agg")
    yield
    gramian.set_num_threads(None)
    gramian.set_memory_limit(None)


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_programs_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__page__"}
    printed, before = "", ""
    for kind, code in blocks_of(path):
        if kind == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out, warnings.catch_warnings():
                warnings.simplefilter("default")
                exec(compile(code, path.name, "exec"), names)
            printed = out.getvalue()
        elif kind == "text" and before == "python":
            assert same(printed, code), f"{path.name} says\n{code}\nand its program prints\n{printed}"
        before = kind


def test_pages_with_a_test_of_their_own_are_there():
    assert all((ROOT / "docs" / name).is_file() for name in ELSEWHERE)
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/python").rglob("test_*.py"))
    assert all(f"{Path(name).stem}.md" in tests for name in ELSEWHERE)


def test_other_words_and_numbers_are_noticed():
    assert same("error 0.101\n", "error 0.1") and same("[1. 0.]", "[1.  0.]")
    assert not same("error 0.2", "error 0.1")
    assert not same("accuracy 0.1", "error 0.1")
