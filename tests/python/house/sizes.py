# SPDX-License-Identifier: BSD-3-Clause
"""Small files, small functions."""

from __future__ import annotations

import ast
import re
from pathlib import PurePosixPath

from house import cxx
from house.tree import Tree, select

HAND_WRITTEN = (".hpp", ".cpp", ".py", ".cmake", "CMakeLists.txt")
FILE, BINDING, CHECK_HEADER, FUNCTION = 400, 150, 120, 60
PACKAGE = "python/gramian/"
MODULE, SCRIPT = 250, 350


def most_lines(path: str) -> int:
    """How long the file may be, in lines of code if it is Python's."""
    if path.endswith(".py"):
        return MODULE if path.startswith(PACKAGE) else SCRIPT
    if path == "tests/cpp/support/check.hpp":
        return CHECK_HEADER
    return BINDING if re.fullmatch(r"bind_\w+\.cpp", PurePosixPath(path).name) else FILE


def code_lines(text: str) -> set[int]:
    """The numbers of a Python file's lines that are neither blank, nor comments, nor of a docstring."""
    lines = enumerate(text.splitlines(), start=1)
    code = {number for number, line in lines if line.strip() and not line.lstrip().startswith("#")}
    for node in ast.walk(ast.parse(text)):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and ast.get_docstring(node, clean=False) is not None:
            words = node.body[0]
            code -= set(range(words.lineno, (words.end_lineno or words.lineno) + 1))
    return code


def files_are_small(tree: Tree) -> list[str]:
    """No hand-written file is longer than a sitting."""
    complaints = []
    for path, text in select(tree, *HAND_WRITTEN):
        lines = len(code_lines(text)) if path.endswith(".py") else len(text.splitlines())
        if lines > most_lines(path):
            complaints.append(f"{path} has {lines} lines, more than {most_lines(path)}")
    return complaints


def cxx_functions_are_small(tree: Tree) -> list[str]:
    """As far as counting braces shows (cxx.functions says how far)."""
    return [
        f"{path}:{function.line}: {function.head} has {function.lines} lines, more than {FUNCTION}"
        for path, text in select(tree, ".hpp", ".cpp")
        for function in cxx.functions(text)
        if function.lines > FUNCTION
    ]


def python_functions_are_small(tree: Tree) -> list[str]:
    """Counted from `def` to the last line, without docstrings and comments."""
    complaints = []
    for path, text in select(tree, ".py"):
        code = code_lines(text)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = len(code.intersection(range(node.lineno, (node.end_lineno or node.lineno) + 1)))
                if lines > FUNCTION:
                    complaints.append(f"{path}:{node.lineno}: {node.name} has {lines} lines, more than {FUNCTION}")
    return complaints
