# SPDX-License-Identifier: BSD-3-Clause
"""Which function, class or constant a line of a source belongs to. For C++ it counts braces: it is no parser."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from house import cxx

LABEL = re.compile(r"\s*(?:(?:public|private|protected)\s*:|template\s*<[^{};]*?>(?=\s*[\w\[]))")
NAMED_SCOPE = re.compile(r"(?:class|struct|union|enum(?:\s+class)?)\s+([\w:]+)")
CALLABLE = re.compile(r"((?:\w+::)*(?:operator\s*(?:\(\)|[^\s\w(]+)|~?\w+))\s*\(")


class Symbol(NamedTuple):
    """The lines of a definition or declaration, its qualified name, and that of the class around it."""

    first: int
    last: int
    name: str
    outer: str
    holds_others: bool  # a class, not a function


def after_labels(head: str) -> str:
    """The head without access labels and template parameters."""
    while match := LABEL.match(head):
        head = head[match.end() :]
    return head.strip()


def cxx_name(head: str) -> str:
    """What a head at the level of a namespace or a class introduces; empty for nothing."""
    head = " ".join(after_labels(head).split())
    if match := NAMED_SCOPE.match(head):
        return match[1]
    call = CALLABLE.search(head)
    if call and "=" not in head[: call.start()]:
        return call[1].replace(" ", "")
    words = re.findall(r"\w+", re.split(r"[={\[]|\(", head)[0])
    return words[-1] if words else ""


def end_of_braces(text: str, at: int) -> int:
    """Where the brace that opens at `at` is closed."""
    depth = 0
    for match in re.finditer(r"[{}]", text[at:]):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return at + match.start()
    return len(text) - 1


def cxx_symbols(text: str) -> Iterator[Symbol]:
    """The classes, functions and constants of a C++ file."""
    text = cxx.DIRECTIVE.sub(lambda m: cxx.blank(m[0]), cxx.code(text))
    scopes: list[tuple[str, int]] = []  # name (empty: a namespace) and first line
    start = at = 0
    while match := re.compile(r"[{};]").search(text, at):
        at = match.start()
        head, outer = text[start:at], "::".join(name for name, _ in scopes if name)
        whole = head.count("(") == head.count(")")
        if match[0] == "{" and whole and cxx.is_scope(after_labels(head)):
            name = cxx_name(head) if NAMED_SCOPE.match(after_labels(head)) else ""
            scopes.append((name, cxx.line_of_head(text, start)))
        elif match[0] == "}":
            if scopes and scopes[-1][0]:
                name, first = scopes[-1]
                around = "::".join(n for n, _ in scopes[:-1] if n)
                last = text.count("\n", 0, at) + 1
                yield Symbol(first, last, "::".join(filter(None, (around, name))), around, True)
            scopes[-1:] = []
        else:
            if match[0] == "{":
                at = end_of_braces(text, at)
                # Parts of an initialiser, or members initialised with braces before the body.
                if not whole or re.match(r"\s*[,{;]", text[at + 1 :]):
                    at += 1
                    continue
            if name := cxx_name(head):
                last = text.count("\n", 0, at) + 1
                name = "::".join(filter(None, (outer, name)))
                yield Symbol(cxx.line_of_head(text, start), last, name, outer, False)
        start = at = at + 1


def python_symbols(text: str) -> Iterator[Symbol]:
    """The same of a Python file."""
    waiting: list[tuple[str, ast.stmt]] = [("", node) for node in ast.parse(text).body]
    while waiting:
        outer, node = waiting.pop(0)
        last = node.end_lineno or node.lineno
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            name = f"{outer}.{node.name}" if outer else node.name
            yield Symbol(first, last, name, outer, isinstance(node, ast.ClassDef))
            if isinstance(node, ast.ClassDef):
                waiting += [(name, inner) for inner in node.body]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield Symbol(node.lineno, last, ".".join(filter(None, (outer, ast.unparse(target)))), outer, False)


def symbols_of(path: str, text: str) -> list[Symbol]:
    """Those of a file in either language; what is above the first line of C++ belongs to the file, without a name."""
    if path.endswith(".py"):
        return list(python_symbols(text))
    head = re.match(r"\s*", cxx.code(text))
    above = head[0].count("\n") if head else 0
    return [Symbol(1, above, "", "", False), *cxx_symbols(text)]


def symbol_at(symbols: list[Symbol], line: int) -> str:
    """The innermost symbol around a line; of a comment between two, the one that follows. Empty: the file itself."""
    around = [symbol for symbol in symbols if symbol.first <= line <= symbol.last]
    inner = max(around, key=lambda symbol: (symbol.first, -symbol.last), default=None)
    if inner and not inner.holds_others:
        return inner.name
    outer = inner.name if inner else ""
    later = [symbol for symbol in symbols if symbol.first > line and symbol.outer == outer]
    return min(later, key=lambda symbol: symbol.first).name if later else outer
