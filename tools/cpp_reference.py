# SPDX-License-Identifier: BSD-3-Clause
"""Writes the C++ reference from the public headers: a page for each folder, and a page that lists the headers.

The pages are reStructuredText for the C++ domain of Sphinx, which gives each symbol an anchor and links types.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path, PurePosixPath

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cpp_headers import Header, Symbol, read_header  # noqa: E402  (found through the line above)

ROOT = Path(__file__).resolve().parents[1]
INCLUDE = "cpp/include/"
REFERENCES = "docs/references.md"
TITLE = "C++ reference"

# Words of a comment that mean something: code, a citation, a display that is cut out, and names that may be symbols.
INLINE = re.compile(r"`(?P<code>[^`]+)`|\[(?P<key>[A-Za-z]\w+)\]|(?P<name>\b[A-Za-z_]\w*(?:::\w+)*\b(?P<call>\(\))?)")


def pages(tree: Mapping[str, str]) -> dict[str, str]:
    """The pages by their names, from the headers among the texts of the repository."""
    headers = [
        read_header(path.removeprefix(INCLUDE), text)
        for path, text in sorted(tree.items())
        if path.startswith(INCLUDE) and path.endswith(".hpp")
    ]
    keys = set(re.findall(r"^\*\*\[(\w+)\]\*\*", tree.get(REFERENCES, ""), re.MULTILINE))
    writer = _Writer(headers, keys)
    folders = {folder: list(group) for folder, group in groupby(sorted(headers, key=_order), key=_folder)}
    written = {_page(folder): writer.folder(folder, group) for folder, group in folders.items()}
    return {"index": writer.index(folders), **written}


def write(target: Path) -> None:
    """Write the pages to `target`. Files that would not change are left alone; pages of folders that are gone go."""
    tree = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in ROOT.glob(INCLUDE + "**/*.hpp")
    }
    tree[REFERENCES] = (ROOT / REFERENCES).read_text(encoding="utf-8")
    written = {target / f"{name}.rst": text for name, text in pages(tree).items()}
    target.mkdir(parents=True, exist_ok=True)
    for path, text in written.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
    for path in set(target.glob("*.rst")) - written.keys():
        path.unlink()


def _folder(header: Header) -> str:
    return PurePosixPath(header.path).parent.as_posix()


def _order(header: Header) -> tuple[str, str]:
    return _folder(header), header.path


def _page(folder: str) -> str:
    return folder.replace("/", "-")


def _title(folder: str) -> str:
    return folder.removeprefix("gramian/")


def _label(header: Header) -> str:
    return "cpp-" + header.path.removeprefix("gramian/").removesuffix(".hpp").replace("/", "-")


def _underlined(title: str, mark: str) -> str:
    return f"{title}\n{mark * len(title)}\n"


class _Writer:
    """Knows every symbol, so that a name in a comment becomes a link."""

    def __init__(self, headers: list[Header], keys: set[str]):
        self.keys = keys
        self.kinds: dict[str, str] = {}
        self.seen: set[str] = set()  # names that the list of contents has already
        for symbol in (symbol for header in headers for symbol in header.symbols):
            self.kinds[symbol.qualified] = symbol.kind
            self.kinds |= {f"{symbol.qualified}::{member.name}": member.kind for member in symbol.members}

    def index(self, folders: Mapping[str, list[Header]]) -> str:
        """The page that lists all headers, by folder."""
        text = f".. _cpp-reference:\n\n{_underlined(TITLE, '=')}\n"
        text += (
            "``#include <gramian/gramian.hpp>`` includes every header except ``gramian/eigen.hpp``.\n"
            "Its source are the comments of the headers. The guide is :doc:`Embedding in C++ </embedding>`.\n\n"
        )
        names = "".join(f"   {_title(folder)} <{_page(folder)}>\n" for folder in folders)
        text += f".. toctree::\n   :hidden:\n   :maxdepth: 1\n\n{names}\n"
        for folder, headers in folders.items():
            text += _underlined(f":doc:`{_title(folder)} <{_page(folder)}>`", "-") + "\n"
            text += "".join(self._entry(header) for header in headers) + "\n"
        return text

    def _entry(self, header: Header) -> str:
        names = dict.fromkeys(symbol.qualified for symbol in header.symbols)
        listed = ", ".join(self._symbol(name, name.removeprefix("gramian::")) for name in names)
        words = self._paragraph(" ".join(header.introduction), ())
        below = "\n".join(filter(None, [f"   {words}", f"\n   {listed}" if listed else ""]))
        return f":ref:`{header.path} <{_label(header)}>`\n{below}\n\n"

    def folder(self, folder: str, headers: list[Header]) -> str:
        """The page of a folder: a section for each of its headers."""
        return _underlined(folder, "=") + "".join(self._header(header) for header in headers)

    def _header(self, header: Header) -> str:
        text = f"\n.. _{_label(header)}:\n\n{_underlined(PurePosixPath(header.path).name, '-')}\n"
        text += f"``#include <{header.path}>``\n\n"
        text += "\n".join(self._prose(header.introduction, ())) + "\n"
        for namespace, symbols in groupby(header.symbols, key=lambda symbol: symbol.namespace):
            if namespace:
                text += f"\n.. cpp:namespace:: {'::'.join(namespace)}\n"
            if namespace[1:]:
                text += f"\nIn namespace ``{'::'.join(namespace)}``:\n"
            text += "\n".join(self._symbols(list(symbols), namespace))
        return text

    def _symbols(self, symbols: list[Symbol], scope: tuple[str, ...]) -> Iterator[str]:
        for group in _groups(symbols):
            shared = len(group) > 1 and any(symbol.trailing for symbol in group)
            if shared:
                yield from ["", *self._prose(group[0].comment, scope)]
            for together in [[symbol] for symbol in group] if shared else _same_kind(group):
                comment = [] if shared else together[0].comment
                yield from self._directive(together, comment, scope)

    def _directive(self, symbols: list[Symbol], comment: list[str], scope: tuple[str, ...]) -> Iterator[str]:
        """The lines of one description: a signature for each symbol, and what is said of all of them."""
        first = symbols[0]
        head = f".. {_directive_name(first)}:: "
        yield ""
        yield head + _signature(first)
        yield from (" " * len(head) + _signature(symbol) for symbol in symbols[1:])
        if scope[-1:] and "::".join(scope) in self.kinds or first.qualified in self.seen:
            yield "   :no-contents-entry:"
        self.seen.add(first.qualified)
        inside = (*scope, first.name)
        body = [*self._prose(comment, inside), *self._prose([" ".join(first.trailing)], inside)]
        body += self._symbols(first.members, inside)
        yield from (f"   {line}" if line else "" for line in ["", *body])

    def _prose(self, comment: Iterable[str], scope: tuple[str, ...]) -> Iterator[str]:
        """The paragraphs of a comment; one that is indented is shown as it is."""
        for blank, group in groupby(comment, key=lambda line: not line.strip()):
            lines = list(group)
            if blank:
                continue
            if all(line.startswith("  ") for line in lines):
                yield from ["::", "", *lines]
            else:
                yield self._paragraph(" ".join(lines), scope)
            yield ""

    def _paragraph(self, text: str, scope: tuple[str, ...]) -> str:
        words, end = "", 0
        for match in INLINE.finditer(text):
            words += _escaped(text[end : match.start()])
            markup, end = self._markup(match, scope), match.end()
            if markup.endswith("`"):  # it has to begin and to end beside a blank or a mark
                before = "" if re.search(r"(^|[\s('\"{/:-]|\\\[)$", words) else "\\ "
                behind = "" if re.match(r"$|[\s.,;:!?)'\"}/-]", text[end:]) else "\\ "
                markup = before + markup + behind
            words += markup
        words += _escaped(text[end:])
        return "\\" + words if re.match(r"[-+] |\.\. |\w{1,3}[.)] |:(?!\w+:)", words) else words

    def _markup(self, match: re.Match[str], scope: tuple[str, ...]) -> str:
        if match["key"]:
            return f":doc:`[{match['key']}] </references>`" if match["key"] in self.keys else match[0]
        shown = match["code"] or match["name"]
        name = shown.removesuffix("()")
        known = self._lookup(name, scope)
        # A word is a symbol only if it looks like one: a call, a path, or a capital inside.
        looks = match["code"] or match["call"] or "::" in name or re.search(r"[a-z][A-Z]", name)
        if known and looks:
            return self._symbol(known, shown)
        return f"``{shown}``" if match["code"] or match["call"] or "::" in name else _escaped(shown)

    def _lookup(self, name: str, scope: tuple[str, ...]) -> str:
        """The qualified name that is meant inside of a scope, empty if there is none."""
        for depth in range(len(scope) or 1, -1, -1):
            candidate = "::".join((*(scope or ("gramian",))[:depth], name))
            if candidate in self.kinds:
                return candidate
        return ""

    def _symbol(self, qualified: str, shown: str) -> str:
        role = ":c:macro:" if self.kinds[qualified] == "macro" else ":cpp:any:"
        return f"{role}`{shown} <{qualified}>`"


def _escaped(text: str) -> str:
    return re.sub(r"([\\*`_|])", r"\\\1", text).replace("::", r":\:")


def _groups(symbols: list[Symbol]) -> Iterator[list[Symbol]]:
    """Declarations that share a comment."""
    group: list[Symbol] = []
    for symbol in symbols:
        if group and not symbol.joins:
            yield group
            group = []
        group.append(symbol)
    if group:
        yield group


def _same_kind(group: list[Symbol]) -> Iterator[list[Symbol]]:
    """Runs that fit into one description: of one kind, and without members, which need one of their own."""
    for index, (_, run) in enumerate(groupby(group, key=lambda symbol: (symbol.kind, symbol.members and id(symbol)))):
        symbols = list(run)
        if index:
            symbols[0].comment = []
        yield symbols


def _directive_name(symbol: Symbol) -> str:
    if symbol.kind == "macro":
        return "c:macro"
    if symbol.kind == "enum" and re.match(r"enum (class|struct)", symbol.signature):
        return "cpp:enum-class"
    return "cpp:" + {"alias": "type"}.get(symbol.kind, symbol.kind)


def _signature(symbol: Symbol) -> str:
    """The declaration as the domain's directives want it: without the word that the directive has already."""
    text = symbol.signature.replace("\\", "\\\\")
    if symbol.kind in {"class", "struct"}:
        return re.sub(rf"\b{symbol.kind} (?=(?:\w+::)*{symbol.name}\b)", "", text, count=1)
    return re.sub(r"^enum (?:class |struct )?|\busing (?=\w+ =)", "", text, count=1)


if __name__ == "__main__":
    write(ROOT / "docs" / "_generated" / "cpp")
