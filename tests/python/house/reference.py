# SPDX-License-Identifier: BSD-3-Clause
"""The C++ reference describes everything that the public headers declare, and each declaration has a comment."""

from __future__ import annotations

import re
import sys

from house import cxx
from house.tree import ROOT, Tree, select

sys.path.insert(0, str(ROOT / "tools"))

import cpp_reference  # noqa: E402  (found through the line above)
from cpp_headers import Symbol, read_header  # noqa: E402

PUBLIC = "cpp/include/gramian/"

# As clang-format leaves them, namespaces do not indent. These are no parser, on purpose: they check one.
TYPE = re.compile(r"^(?:enum class|enum|class|struct) (?:GRAMIAN_API )?(\w+)[^;]*?\{", re.MULTILINE)
FUNCTION = re.compile(r"^(?:GRAMIAN_API|inline|constexpr) [^;{=]*?\b(\w+|operator\W{1,2})\(", re.MULTILINE)
ALIAS = re.compile(r"^using (\w+) =", re.MULTILINE)
DETAIL = re.compile(r"^namespace \w*detail \{.*?^\}  // namespace \w*detail", re.MULTILINE | re.DOTALL)


def declared(text: str) -> set[str]:
    """The names that a header declares outside of classes."""
    code = cxx.code(DETAIL.sub("", text))
    return {name for pattern in (TYPE, FUNCTION, ALIAS) for name in pattern.findall(code)}


def the_reference_has_every_symbol(tree: Tree) -> list[str]:
    """Each function, class, enumeration and alias of a public header is described below its header's title."""
    pages = cpp_reference.pages(tree)
    complaints = []
    for path, text in select(tree, ".hpp", below=(PUBLIC,)):
        folder, _, name = path.removeprefix("cpp/include/").removesuffix(".hpp").rpartition("/")
        label = f"cpp/{folder}/{name}".replace("/gramian/", "/").replace("/", "-")
        section = pages[folder.replace("/", "-")].partition(f".. _{label}:")[2].partition("\n.. _cpp-")[0]
        described = "\n".join(re.findall(r"^(?:\.\. \w+:[\w-]+::| {4,}).*$", section, re.MULTILINE))
        complaints += [
            f"{path}: the C++ reference does not describe {name}"
            for name in sorted(declared(text))
            if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", described)
        ]
    return complaints


def public_symbols_have_comments(tree: Tree) -> list[str]:
    """Each symbol of a public header has a comment, or shares that of its namesake or of the line above."""
    complaints = []
    for path, text in select(tree, ".hpp", below=(PUBLIC,)):
        said: set[str] = set()
        before: Symbol | None = None
        for symbol in read_header(path, text).symbols:
            shares = symbol.joins and before is not None and before.qualified in said
            if symbol.comment or symbol.trailing or shares or symbol.kind == "macro":
                said.add(symbol.qualified)
            elif symbol.qualified not in said:
                complaints.append(f"{path}:{symbol.line}: {symbol.name} has no comment")
            before = symbol
        if not text.partition("\n")[2].startswith("// "):
            complaints.append(f"{path}: the second line does not say what the header is for")
    return complaints
