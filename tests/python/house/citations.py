# SPDX-License-Identifier: BSD-3-Clause
"""How works are cited: a key and an item, and in a comment that begins with these a colon and what is done there."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

from house import cxx, prose
from house.symbols import symbol_at, symbols_of
from house.tree import Tree, select

CXX = (".hpp", ".cpp", ".inc")
WORDS = r"(?:(?:Alg|Thm|Prop|Cor|Def|Ass|Ex|Sec|App|Fig)\.|Lemma|Table)"
NUMBER = r"(?:[A-Z](?:\.\d+)*|\d+(?:\.\d+)*)"
EQUATION = r"\((?:(?:[A-Z]\.)?\d+(?:\.\d+)?|Int|Reg|u?[PR])\)"
ITEM = rf"(?:{EQUATION}|{WORDS} {NUMBER}\b)"
LINES = r", lines? \d+(?:-\d+)?"
ITEMS = rf"{ITEM}(?:{LINES})?(?:(?:, | and | to ){ITEM}(?:{LINES})?)*"
CITED = re.compile(rf"\[(?P<key>[A-Z]\w*)\] (?P<items>{ITEMS})")

LONG_WORDS = (
    r"(?:[Aa]lgorithm|[Tt]heorem|[Pp]roposition|[Cc]orollary|[Dd]efinition|[Aa]ssumption|[Ee]xample|[Ss]ections?|[Aa]ppendi"
    r"|[Ee]quation|[Ff]igure|Eqs?\b|Figs|Sect|Secs|Lem\b|Tab\b|lemma|table|(?:alg|thm|prop|sec|app|fig)\.)"
)
# What follows a key and would be an item in another form: with a comma, a number alone, or another word.
OTHER_FORM = re.compile(rf"(?:,\s+|\s+|(?=\())(?:{ITEM}|{LONG_WORDS}|(?:Th|Eq)\.|[A-Z]?\.?\d+(?:\.\d+)*(?![\w-]))")
MORE = re.compile(r"(?:-|, | and | to )(?:\((?:[A-Z]\.)?\d|[A-Z]\.\d|\d+\.\d)|(?:, | and )" + LONG_WORDS)
TURNED_ROUND = re.compile(rf"(?:{EQUATION}|{LONG_WORDS}\s\d[\d.]*)\s(?:of|in|from)\s\[[A-Z]\w*\]")
# The mark before the text of a line of a comment.
MARK = re.compile(r"^[ \t]*(?://[/!]?<?|/\*+|\*(?!/)|#+)[ \t]*", re.MULTILINE)


class Hit(NamedTuple):
    """A comment that begins with a citation: where it is, what it cites, and the lines of an algorithm."""

    path: str
    symbol: str
    key: str
    item: str
    lines: str


def cxx_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of comments of a C++ file, each with its number."""
    for match in cxx.TOKEN.finditer(text):
        if match["comment"]:
            first = text.count("\n", 0, match.start()) + 1
            yield from enumerate((MARK.sub("", line) for line in match["comment"].splitlines()), first)


def python_lines(text: str) -> Iterator[tuple[int, str]]:
    """The comments of a Python file, without docstrings."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], MARK.sub("", token.string)


def comment_lines(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Those of either language."""
    yield from cxx_lines(text) if path.endswith(CXX) else python_lines(text)


def hits(tree: Tree) -> list[Hit]:
    """Every citation at a line of code of the engine or of the package."""
    found = []
    for path, text in select(tree, *CXX, ".py", below=("cpp/src/", "python/gramian/")):
        begun = [(line, match) for line, comment in comment_lines(path, text) if (match := CITED.match(comment))]
        if not begun:
            continue
        symbols = symbols_of(path, text)
        for line, match in begun:
            for part in re.finditer(rf"({ITEM})((?:{LINES})?)", match["items"]):
                lines = part[2].removeprefix(", ")
                found.append(Hit(path, symbol_at(symbols, line), match["key"], part[1], lines))
    return found


def other_forms(text: str) -> Iterator[str]:
    """Citations in a text that are not in the one form."""
    for key in re.finditer(r"(?<![\w\]`*])\[([A-Z]\w+)\](?!\()", text):
        rest = text[key.start() : key.start() + 100]
        cited = CITED.match(rest)
        wrong = MORE.match(rest, cited.end()) if cited else OTHER_FORM.match(rest, len(key[0]))
        if wrong:
            yield rest[: wrong.end()]
    yield from (match[0] for match in TURNED_ROUND.finditer(text))


def citations_have_one_form(tree: Tree) -> list[str]:
    """[KAE] (54), [MCE] Alg. 1, line 8: key, blank, item. A comment that begins so goes on with a colon."""
    keys = set(prose.KEY.findall(tree.get("docs/references.md", "")))
    complaints = []
    for path, text in prose.prose_of(tree):
        plain = MARK.sub("", text) if path.endswith(CXX) else text
        complaints += [
            f"{path}: {' '.join(form.split())} is not in the form of docs/references.md"
            for form in other_forms(plain)
            if set(re.findall(r"\[(\w+)\]", form)) & keys
        ]
    for path, text in select(tree, *CXX, ".py"):
        for line, comment in comment_lines(path, text):
            match = CITED.match(comment)
            if match and match["key"] in keys and not re.match(r": \S", comment[match.end() :]):
                complaints.append(f"{path}:{line}: after {match[0]} comes a colon, and what is done here")
    return complaints
