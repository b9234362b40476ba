# SPDX-License-Identifier: BSD-3-Clause
"""As much of C++ as the rules need: comments, includes, and where functions begin and end. It is no parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"
    |"(?:\\.|[^"\\\n])*"
    |(?<![0-9A-Za-z])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL | re.VERBOSE,
)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"][^>\"\n]+[>\"])", re.MULTILINE)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
SCOPE = re.compile(r"(?:inline\s+)?(?:namespace|class|struct|union|enum|extern)\b")


class Function(NamedTuple):
    """A function's first line, how many lines it has, and its head."""

    line: int
    lines: int
    head: str


def blank(text: str) -> str:
    """As many lines, nothing in them."""
    return "\n" * text.count("\n")


def code(text: str) -> str:
    """The text without comments and the contents of literals; lines keep their numbers."""
    return TOKEN.sub(lambda m: " " + blank(m[0]) if m["comment"] else '""' + blank(m[0]), text)


def comments(text: str) -> str:
    """The comments alone."""
    return "\n".join(m["comment"] for m in TOKEN.finditer(text) if m["comment"])


def includes(text: str) -> list[str]:
    """What is included, with its quotes or angle brackets; commented-out lines are not."""
    without_comments = TOKEN.sub(lambda m: " " + blank(m[0]) if m["comment"] else m[0], text)
    return INCLUDE.findall(without_comments)


def is_scope(head: str) -> bool:
    """Whether the brace after this head opens a namespace or a class."""
    while head.startswith("template"):
        depth, end = 0, len(head)
        for end, char in enumerate(head):  # noqa: B007
            depth += (char == "<") - (char == ">")
            if char == ">" and depth == 0:
                break
        head = head[end + 1 :].lstrip()
    return bool(SCOPE.match(head)) and not re.search(r"\)\s*(const|noexcept|override|final|\s)*$", head)


def functions(text: str) -> Iterator[Function]:
    """The outermost functions, found by counting braces.

    Its limits: a brace that is opened in both branches of an #if counts twice, a macro that hides a brace is not seen,
    a lambda belongs to the function around it, and one that initialises a variable outside a function counts as a
    function itself.
    """
    text = DIRECTIVE.sub(lambda m: blank(m[0]), code(text))
    depth = 0  # of braces within the present function or initialiser
    start = 0  # of the present head
    for match in re.finditer(r"[{};]", text):
        char, at = match[0], match.start()
        if depth:
            depth += (char == "{") - (char == "}")
            # Members initialised with braces come before the body.
            if depth == 0 and not re.match(r"\s*[,{]", text[at + 1 :]):
                head = text[start:at].lstrip()
                if "(" in head.partition("{")[0]:
                    first = line_of_head(text, start)
                    yield Function(first, text.count("\n", 0, at) + 2 - first, " ".join(head.partition("{")[0].split()))
                start = at + 1
        elif char == "{" and not is_scope(" ".join(text[start:at].split())):
            depth = 1
        else:
            start = at + 1


def line_of_head(text: str, start: int) -> int:
    """The line on which the first word at or after `start` stands."""
    head = text[start:]
    return text.count("\n", 0, start) + head[: len(head) - len(head.lstrip())].count("\n") + 1
