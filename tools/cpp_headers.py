# SPDX-License-Identifier: BSD-3-Clause
"""Reads C++ headers: what they declare for their users, with the comments that say what it is.

It knows the C++ of this project as clang-format leaves it. `///` above a declaration and `///<` behind it document it;
declarations without a blank line between them share the comment above the first one. Left out are private members,
friends, forward declarations, special members without a comment, and namespaces called *detail.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

# A directive comes first: what it has in it is neither a comment nor a literal.
MASKED = re.compile(
    r"""(?P<directive>^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
    |(?P<comment>//[^\n]*|/\*.*?\*/)
    |R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"
    |"(?:\\.|[^"\\\n])*"
    |(?<![0-9A-Za-z])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL | re.VERBOSE | re.MULTILINE,
)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
ACCESS = re.compile(r"(public|private|protected)\s*:(?!:)")
TEMPLATE = re.compile(r"template\s*<")
NAMESPACE = re.compile(r"(?:inline\s+)?namespace\b\s*([\w:]*)$")
ENUM = re.compile(r"enum\s+(?:class\s+|struct\s+)?(\w+)")
RECORD = re.compile(r"(class|struct)\s+(?:GRAMIAN_API\s+)?(\w+)")
ALIAS = re.compile(r"using\s+(\w+)\s*=")
OPERATOR = re.compile(r"\boperator\s*(\(\)|\[\]|[^\s(\w]+|[\w:<>\s]+?)\s*(?=\()")
# Friends, assertions, inherited constructors and destructors are of no use to a reader.
UNSPOKEN = re.compile(r"friend\b|static_assert\b|using\s+[\w:]+::|(?:virtual\s+)?~")


@dataclass
class Symbol:
    """One declaration; classes and enumerations have members."""

    kind: str  # class, struct, enum, enumerator, function, member, alias, macro; namespace while a header is read
    name: str
    signature: str
    line: int = 0
    comment: list[str] = field(default_factory=list)  # the lines above it
    trailing: list[str] = field(default_factory=list)  # the lines behind it
    joins: bool = False  # neither a blank line nor a comment is between it and the declaration before
    members: list[Symbol] = field(default_factory=list)
    namespace: tuple[str, ...] = ()

    @property
    def qualified(self) -> str:
        """The name with its namespaces."""
        return "::".join((*self.namespace, self.name))


@dataclass
class Header:
    """A header: what is said at its top, and what it declares."""

    path: str
    introduction: list[str]
    symbols: list[Symbol]


def read_header(path: str, text: str) -> Header:
    """What a header says and declares."""
    reader = _Reader(text)
    return Header(path, _introduction(text), _macros(text) + _flat(reader.scope(0, len(text), None), ()))


def _introduction(text: str) -> list[str]:
    lines = []
    for line in text.splitlines()[1:]:  # the first one is the licence
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    return lines


def _macros(text: str) -> list[Symbol]:
    return [Symbol("macro", name, name) for name in dict.fromkeys(MACRO.findall(text))]


def _flat(symbols: list[Symbol], namespace: tuple[str, ...]) -> list[Symbol]:
    """The symbols of nested namespaces one after another, each with the namespaces that it is in."""
    flat: list[Symbol] = []
    for symbol in symbols:
        if symbol.kind != "namespace":
            symbol.namespace = namespace
            flat.append(symbol)
        elif not symbol.name.endswith("detail"):
            flat += _flat(symbol.members, (*namespace, *symbol.name.split("::")))
    return flat


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Reader:
    """A header as text, and as code of the same length: blanks for comments and directives, zeros for literals."""

    def __init__(self, text: str):
        self.text = text
        self.code = MASKED.sub(lambda m: re.sub(r"[^\n]", " " if m["comment"] or m["directive"] else "0", m[0]), text)
        self.bare = MASKED.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m["comment"] or m["directive"] else m[0], text)
        self.above: dict[int, str] = {}  # line -> comment for the declaration below
        self.behind: dict[int, str] = {}  # line -> comment for the declaration before
        self.whole: set[int] = set()  # lines with nothing but a comment
        for match in MASKED.finditer(text):
            self._comment(match)

    def _comment(self, match: re.Match[str]) -> None:
        comment, line = match["comment"] or "", self.line(match.start())
        alone = not self.text[self.text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
        if comment and alone:
            self.whole.add(line)
        if comment.startswith("///<"):
            self.behind[line] = comment[4:].strip()
        elif comment.startswith("///") and alone:
            self.above[line] = comment[3:].removeprefix(" ")

    def line(self, at: int) -> int:
        """The number of the line of a position, from 0."""
        return self.text.count("\n", 0, at)

    def scope(self, at: int, end: int, owner: Symbol | None) -> list[Symbol]:
        """What is declared for users from `at` to `end`, in the class `owner` or in a namespace."""
        found: list[Symbol] = []
        public, before = owner is None or owner.kind != "class", -2
        while (at := self._word(at, end)) < end:
            if access := ACCESS.match(self.code, at):
                public, at = access[1] == "public", access.end()
                continue
            symbol, behind = self._declaration(at, end)
            lines = self._lines_behind(self.line(behind - 1))
            if symbol:
                self._document(symbol, self.line(at), lines, before, found)
            if symbol and public and _is_for_users(symbol, owner):
                found += _declarators(symbol)
                before = lines[-1]
            at = behind
        return found

    def _document(self, symbol: Symbol, first: int, lines: list[int], before: int, siblings: list[Symbol]) -> None:
        top = first
        while top - 1 in self.above:
            top -= 1
        symbol.line = first + 1
        symbol.comment = [self.above[n] for n in range(top, first)]
        symbol.trailing = [self.behind[n] for n in lines if n in self.behind]
        symbol.joins = bool(siblings) and top == first and before == first - 1

    def _lines_behind(self, line: int) -> list[int]:
        """The line that a declaration ends on, and those below it on which the comment behind it goes on."""
        lines = [line]
        while lines[-1] in self.behind and lines[-1] + 1 in self.behind and lines[-1] + 1 in self.whole:
            lines.append(lines[-1] + 1)
        return lines

    def _word(self, at: int, end: int) -> int:
        """The next position that has something to read."""
        while at < end and (self.code[at].isspace() or self.code[at] in ";,"):
            at += 1
        return at

    def _close(self, at: int) -> int:
        """The position behind the bracket that closes the one at `at`."""
        depth = 0
        for position in range(at, len(self.code)):
            depth += (self.code[position] in "([{") - (self.code[position] in ")]}")
            if depth == 0:
                return position + 1
        raise ValueError(f"line {self.line(at) + 1}: a bracket is not closed")

    def _until(self, stops: str, at: int, end: int) -> int:
        """The first of these characters that is outside of brackets."""
        while at < end and self.code[at] not in stops:
            at = self._close(at) if self.code[at] in "([{" else at + 1
        return at

    def _behind_template(self, at: int) -> int:
        while match := TEMPLATE.match(self.code, at):
            depth, at = 1, match.end()
            while depth:
                depth += (self.code[at] == "<") - (self.code[at] == ">")
                at += 1
            at = self._word(at, len(self.code))
        return at

    def _declaration(self, at: int, end: int) -> tuple[Symbol | None, int]:
        """The declaration that begins at `at`, None if it is of no use to anybody, and the position behind it."""
        start = self._behind_template(at)
        brace = self._until("{;", start, end)
        head, has_body = self.code[start:brace].strip(), self.code[brace : brace + 1] == "{"
        if has_body and (name := NAMESPACE.match(head)):
            behind = self._close(brace)
            return Symbol(
                "namespace", name[1] or "detail", head, members=self.scope(brace + 1, behind - 1, None)
            ), behind
        if has_body and (name := ENUM.match(head)):
            behind = self._close(brace)
            symbol = Symbol("enum", name[1], _one_line(head), members=self._enumerators(brace + 1, behind - 1))
            return symbol, self._until(";", behind, end) + 1
        if name := RECORD.match(head):
            symbol = Symbol(name[1], name[2], self._signature(at, brace))
            if not has_body:
                return symbol, brace + 1
            behind = self._close(brace)
            symbol.members = self.scope(brace + 1, behind - 1, symbol)
            return symbol, self._until(";", behind, end) + 1
        if name := ALIAS.match(head):
            behind = self._until(";", start, end)
            return Symbol("alias", name[1], self._signature(at, behind)), behind + 1
        if UNSPOKEN.match(head):
            return None, self._behind_function(start, end) if has_body else brace + 1
        return self._function_or_variable(at, start, end)

    def _enumerators(self, at: int, end: int) -> list[Symbol]:
        found: list[Symbol] = []
        while (at := self._word(at, end)) < end:
            behind = self._until(",", at, end)
            name = re.match(r"\w+", self.code[at:])
            symbol = Symbol("enumerator", name[0] if name else "", self._signature(at, behind))
            self._document(symbol, self.line(at), self._lines_behind(self.line(at)), -2, found)
            found.append(symbol)
            at = behind
        return found

    def _signature(self, at: int, end: int) -> str:
        text = re.sub(r"\b(?:GRAMIAN_API|inline) ", "", _one_line(self.bare[at:end]) + " ").strip()
        return text.replace("template ", "template", 1) if text.startswith("template <") else text

    def _parameters(self, start: int, end: int) -> tuple[str, int]:
        """The name of a function and where its parameters begin; no name if it is a variable."""
        head = self.code[start : self._until(";", start, end)]
        # An operator behind the first parameters is one that a body calls; operator() has a parenthesis in its name.
        if operator := OPERATOR.search(head[: head.find(")") + 2 or None]):
            return "operator" + operator[1].strip(), start + operator.end()
        depth = 0
        for at, char in enumerate(head):
            depth += (char == "<") - (char == ">")
            if char in "={[":
                break
            if char == "(" and depth == 0:
                name = re.search(r"(~?\w+)\s*$", head[:at])
                return (name[1], start + at) if name and not head[at + 1 :].lstrip().startswith("*") else ("", start)
        return "", start

    def _function_or_variable(self, at: int, start: int, end: int) -> tuple[Symbol, int]:
        name, parameters = self._parameters(start, end)
        if not name:
            behind = self._until(";", start, end)
            found = re.search(r"(\w+)\s*(?:=|\{|\[|\)|$)", self.code[start:behind])
            return Symbol("member", found[1] if found else "", self._signature(at, behind)), behind + 1
        stop = self._until("{;:", self._close(parameters), end)
        while self.code[stop : stop + 2] == "::":
            stop = self._until("{;:", stop + 2, end)
        return Symbol("function", name, self._signature(at, stop)), self._behind_function(stop, end)

    def _behind_function(self, at: int, end: int) -> int:
        """The position behind a body or a semicolon; members that are initialised with braces come before the body."""
        while (at := self._until("{;", at, end)) < end and self.code[at] == "{":
            at = self._close(at)
            if not re.match(r"\s*[,{]", self.code[at:]):
                return at
        return at + 1


def _split(text: str) -> list[str]:
    """The parts between commas that are outside of brackets of any kind."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "<([{") - (char in ">)]}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def _declarators(symbol: Symbol) -> list[Symbol]:
    """The members that one line declares: `double a = 0.0, b = 0.0` is two of them."""
    parts = _split(symbol.signature) if symbol.kind == "member" else []
    if len(parts) < 2:
        return [symbol]
    declared = re.split(r"\w+\s*(?:[={].*)?$", parts[0])[0]
    found = []
    for part in [parts[0].removeprefix(declared), *parts[1:]]:
        name = re.match(r"\w+", part)
        found.append(replace(symbol, name=name[0] if name else "", signature=declared + part, joins=bool(found)))
        if found[1:]:
            found[-1].comment = []
    return found


def _is_for_users(symbol: Symbol, owner: Symbol | None) -> bool:
    documented = symbol.comment or symbol.trailing
    if symbol.kind == "namespace":
        return True
    if symbol.kind in {
        "class",
        "struct",
    }:  # without all of this it is a forward declaration
        return bool(symbol.members or documented) or (owner is None and not symbol.signature.endswith(symbol.name))
    if owner and symbol.kind == "function" and not documented:
        return not _is_special(symbol, owner.name)
    return True


def _is_special(symbol: Symbol, owner: str) -> bool:
    """Copies, moves and defaults, and `fields`, by which the library itself goes through options."""
    own = rf"(?:const )?{owner}&&?\s*\w*"
    return symbol.name == "fields" or bool(re.search(rf"\b(?:{owner}|operator=)\((?:{own})?\)", symbol.signature))
