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


def most_lines(path: str) -> int:
    """How long the file may be."""
    if path == "tests/cpp/support/check.hpp":
        return CHECK_HEADER
    return BINDING if re.fullmatch(r"bind_\w+\.cpp", PurePosixPath(path).name) else FILE


def files_are_small(tree: Tree) -> list[str]:
    """No hand-written file is longer than a sitting."""
    complaints = []
    for path, text in select(tree, *HAND_WRITTEN):
        lines, most = len(text.splitlines()), most_lines(path)
        if lines > most:
            complaints.append(f"{path} has {lines} lines, more than {most}")
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
    """Counted from `def` to the last line, the docstring included."""
    complaints = []
    for path, text in select(tree, ".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION:
                    complaints.append(f"{path}:{node.lineno}: {node.name} has {lines} lines, more than {FUNCTION}")
    return complaints
