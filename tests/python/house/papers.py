# SPDX-License-Identifier: BSD-3-Clause
"""docs/papers.md: what the papers say and where the code does it, from docs/papers.ini and the citations in sources."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from house import prose
from house.citations import ITEM, Hit, hits
from house.tree import Tree

LIST, PAGE, REFERENCES = "docs/papers.ini", "docs/papers.md", "docs/references.md"
STATUSES = ("exact", "departs", "not needed")

INTRODUCTION = """\
# From papers to code

This page lists the algorithms, statements and equations of the papers, and where the code computes them. An item is

- *exact* if the code computes what the paper says,
- one where the code *departs* if it computes something else on purpose, and the page says why,
- *not needed* if nothing is computed by it.

A comment in the function named here begins with the citation and says what the line does. Statuses and reasons are in
`docs/papers.ini`; `make papers` writes this page, and a test compares it with the sources. Files are below `cpp/src`,
or in `gramian/`, the Python package. [References](references.md) lists the papers and the form of a citation.
"""


class Entry(NamedTuple):
    """An item of a paper: its status, one line of what it is, and a reason where one is due."""

    key: str
    item: str
    status: str
    what: str
    why: str


def entries(text: str) -> Iterator[Entry]:
    """`item = status: what it is` in the section of each paper; further lines, which are indented, say why."""
    parser = configparser.ConfigParser(delimiters=("=",), comment_prefixes=("#",), interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    for key in parser.sections():
        for item, value in parser.items(key):
            first, *rest = value.splitlines()
            status, _, what = first.partition(": ")
            yield Entry(key, item, status, what, " ".join(line.strip() for line in rest))


def titles(tree: Tree) -> dict[str, str]:
    """The title of each work in the references."""
    works = re.findall(r"^\*\*\[(\w+)\]\*\*\n: (.*?)(?=\n\n|\Z)", tree.get(REFERENCES, ""), re.MULTILINE | re.DOTALL)
    found = {key: re.search(r"\*([^*]+)\.\*", " ".join(work.split())) for key, work in works}
    return {key: title[1] if title else "" for key, title in found.items()}


def first_number(text: str) -> int:
    """The number of the first line in `lines 7-8`."""
    return int(re.findall(r"\d+", text)[0])


def places(found: Iterable[Hit]) -> str:
    """Each file with the symbols in it, and of an algorithm the lines that each computes."""
    by_path: dict[str, dict[str, list[str]]] = {}
    for hit in found:
        lines = by_path.setdefault(hit.path, {}).setdefault(hit.symbol, [])
        if hit.lines and hit.lines not in lines:
            lines.append(hit.lines)
    files = []
    for path, symbols in sorted(by_path.items()):
        names = [
            f"`{name}`" + (f" ({', '.join(sorted(lines, key=first_number))})" if lines else "")
            for name, lines in symbols.items()
            if name
        ]
        short = path.removeprefix("cpp/src/").removeprefix("python/")
        files.append(f"`{short}`" + (": " + ", ".join(names) if names else ""))
    return "; ".join(files)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def page(tree: Tree) -> str:
    """The text of docs/papers.md."""
    found, listed, names = hits(tree), list(entries(tree.get(LIST, ""))), titles(tree)
    keys = list(dict.fromkeys(entry.key for entry in listed))
    parts = [INTRODUCTION]
    for key in keys:
        rows = []
        for entry in listed:
            if entry.key == key:
                here = places(hit for hit in found if (hit.key, hit.item) == (key, entry.item))
                status = entry.status.capitalize() + (f". {entry.why}" if entry.why else "")
                rows.append((entry.item, entry.what, status, here))
        parts.append(f"## [{key}] {names.get(key, '')}\n\n" + table(("Item", "What it is", "Status", "Where"), rows))
    others = sorted({(hit.key, hit.item) for hit in found if hit.key not in keys})
    if others:
        rows = [(f"[{k}] {i}", places(hit for hit in found if (hit.key, hit.item) == (k, i))) for k, i in others]
        parts.append("## Other works\n\n" + table(("Item", "Where"), rows))
    return "\n".join(parts)


def papers_are_cited(tree: Tree) -> list[str]:
    """Each item of the list is well written, and cited where it is computed; no other item of these papers is."""
    listed, keys = list(entries(tree.get(LIST, ""))), set(prose.KEY.findall(tree.get(REFERENCES, "")))
    complaints = []
    for entry in listed:
        name = f"{LIST}: [{entry.key}] {entry.item}"
        if entry.key not in keys:
            complaints.append(f"{name}: the key is not in {REFERENCES}")
        if not re.fullmatch(rf"{ITEM}(?: to {ITEM})?", entry.item):
            complaints.append(f"{name}: the item is not in the form of {REFERENCES}")
        if entry.status not in STATUSES or not entry.what:
            complaints.append(f"{name}: write one of {', '.join(STATUSES)}, a colon, and what it is")
        if entry.status != "exact" and not entry.why:
            complaints.append(f"{name}: {entry.status}, but it does not say why")
    computed = {(entry.key, entry.item) for entry in listed if entry.status != "not needed"}
    cited = {(hit.key, hit.item): hit for hit in hits(tree)}
    complaints += [
        f"{LIST}: [{key}] {item}: no comment in cpp/src or python/gramian begins with it"
        for key, item in sorted(computed - cited.keys())
    ]
    papers = {entry.key for entry in listed}
    complaints += [
        f"{hit.path}: {hit.symbol}: [{hit.key}] {hit.item} is not among what {LIST} says is computed"
        for (key, item), hit in sorted(cited.items())
        if key in papers and (key, item) not in computed
    ]
    return complaints


def the_page_of_papers_is_current(tree: Tree) -> list[str]:
    """docs/papers.md is what tools/papers.py writes."""
    return [] if tree.get(PAGE) == page(tree) else [f"{PAGE} is not what the sources say: run `make papers`"]
