# SPDX-License-Identifier: BSD-3-Clause
"""What comments and documentation say: citations, links, the version, and nothing of where they were written."""

from __future__ import annotations

import ast
import io
import posixpath
import re
import tokenize
from collections.abc import Iterator

from house import cxx
from house.tree import Tree, line_of, select

VERSION_HEADER = "cpp/include/gramian/version.hpp"

CITATION = re.compile(
    r"(?<![\w\]`*])\[(?:(?P<bare>[A-Z][A-Z]+\w*)\](?![(:\[])"
    r"|(?P<placed>[A-Z]\w+)\](?=,?\s(?:\(\w+\)|Alg|Th|Eq|Prop|Sec|Lemma|Def|Cor|Fig|Table|§)))"
)
KEY = re.compile(r"^\*\*\[(\w+)\]\*\*", re.MULTILINE)
LINK = re.compile(
    r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|<img[^>]*\bsrc=\"([^\"]+)\"|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE
)
FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)

# Joined, so that this file does not break its own rule.
WORKPLACE = re.compile(
    "|".join(
        [
            r"(?<![\w.~$}])/(?:" + "|".join(["ro" + "ot", "ho" + "me", "Us" + "ers", "wo" + "rk"]) + ")/",
            "/tmp/" + "bash_jobs",
            "pypi" + r"\.org",
            "python" + r"hosted\.org",
            "ana" + r"conda\.(?:org|com)",
            r"\bnex" + r"us\.",
            "arti" + "factory",
            "local" + r"host:\d",
        ]
    ),
    re.IGNORECASE,
)


def python_prose(text: str) -> Iterator[str]:
    """Comments and docstrings."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def prose_of(tree: Tree) -> Iterator[tuple[str, str]]:
    """What is written for people, file by file."""
    for path, text in tree.items():
        if path.endswith((".hpp", ".cpp", ".inc")):
            yield path, cxx.comments(text)
        elif path.endswith(".py"):
            yield path, "\n".join(python_prose(text))
        elif path.endswith(".md"):
            yield path, FENCE.sub("", text)


def citations_resolve(tree: Tree) -> list[str]:
    """A key like [KAE], alone or before a place like (54) or Alg. 1, is one of docs/references.md."""
    keys = set(KEY.findall(tree.get("docs/references.md", "")))
    return [
        f"{path}: [{match['bare'] or match['placed']}] is not in docs/references.md"
        for path, text in prose_of(tree)
        for match in CITATION.finditer(text)
        if (match["bare"] or match["placed"]) not in keys
    ]


def links_resolve(tree: Tree) -> list[str]:
    """A relative link leads to a file or a folder of the project."""
    folders = {posixpath.dirname(path) for path in tree}
    folders |= {folder[:at] for folder in folders for at, char in enumerate(folder) if char == "/"}
    complaints = []
    for path, text in select(tree, ".md"):
        for match in LINK.finditer(FENCE.sub(lambda m: cxx.blank(m[0]), text)):
            link = match[1] or match[2] or match[3]
            if re.match(r"[a-z][a-z+.-]*:|#", link):
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link.partition("#")[0]))
            if target not in tree and target not in folders:
                complaints.append(f"{path}: {link} leads nowhere")
    return complaints


def version_of(tree: Tree) -> str:
    """The version that version.hpp states."""
    match = re.search(r'define GRAMIAN_VERSION "([^"]+)"', tree.get(VERSION_HEADER, ""))
    return match[1] if match else ""


def one_version(tree: Tree) -> list[str]:
    """version.hpp states it; the newest entry of the changelog and CITATION.cff, if it has one, agree; nobody else."""
    version, complaints = version_of(tree), []
    parts = re.findall(r"define GRAMIAN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", tree.get(VERSION_HEADER, ""))
    if not version or ".".join(parts) != version:
        complaints.append(f"{VERSION_HEADER}: {'.'.join(parts)} is not {version or 'stated'}")
    newest = re.search(r"^## \[?([^\]\s]+)", tree.get("CHANGELOG.md", ""), re.MULTILINE)
    if not newest or newest[1] != version:
        complaints.append(f"CHANGELOG.md: the newest entry is not {version}")
    cited = re.search(r"^version: *[\"']?([^\"'\s]+)", tree.get("CITATION.cff", ""), re.MULTILINE)
    if cited and cited[1] != version:
        complaints.append(f"CITATION.cff: version {cited[1]} is not {version}")
    if version:
        literal = re.compile(rf"(?<![\w.]){re.escape(version)}(?!\.?\w)")
        complaints += [
            f"{path}:{line_of(text, match.start())}: states the version"
            for path, text in tree.items()
            if path not in {VERSION_HEADER, "CHANGELOG.md", "CITATION.cff"}
            for match in literal.finditer(text)
        ]
    return complaints


def no_word_of_the_workplace(tree: Tree) -> list[str]:
    """No path of somebody's machine, no host that packages happened to come from."""
    return [
        f"{path}:{line_of(text, match.start())}: {match[0]}"
        for path, text in tree.items()
        for match in WORKPLACE.finditer(text)
    ]
