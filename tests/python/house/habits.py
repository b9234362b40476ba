# SPDX-License-Identifier: BSD-3-Clause
"""What no source does, and what each has."""

from __future__ import annotations

import ast
import re
from pathlib import PurePosixPath

from house import cxx
from house.tree import Tree, line_of, select

ENGINE = ("cpp/src/", "cpp/include/", "python/src/")
CXX = (".hpp", ".cpp", ".inc")
SCRIPTS = (".cmake", "CMakeLists.txt", "Makefile", ".py", ".sh", ".ci/run", ".toml", ".yml")
LICENSED = (*CXX, *SCRIPTS, ".pyi", ".css", ".map", ".cff")

SPDX = "SPDX-License-Identifier: BSD-3-Clause"
# Joined, so that this file does not break its own rule.
UNSAFE_MATH = re.compile(
    "-f" + r"fast-math\b|-O" + r"fast\b|unsafe" + r"-math|fp:" + r"fast\b|optimize\W+" + r"(?:O?fast)\b"
)
OUTPUT = re.compile(
    r"\bstd::(cout|cerr|clog|wcout|wcerr)\b"
    r"|\b(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|perror|abort|exit|_exit|_Exit|quick_exit|terminate|assert)\s*\("
    r"|\bpy::print\b"
)


BUILT_BY = {"cpp/": ("cpp/CMakeLists.txt", "cmake/GramianIsa.cmake"), "python/": ("python/CMakeLists.txt",)}


def no_unsafe_math(tree: Tree) -> list[str]:
    """Sums keep their order, NaN stays NaN, subnormal numbers survive. An #error may say so."""
    complaints = []
    for path, text in select(tree, *CXX, *SCRIPTS, "CMakePresets.json"):
        lines = re.sub(r"^[ \t]*#[ \t]*error[^\n]*", "", text, flags=re.MULTILINE) if path.endswith(CXX) else text
        complaints += [f"{path}:{line_of(lines, m.start())}: {m[0]}" for m in UNSAFE_MATH.finditer(lines)]
    return complaints


def nothing_prints_or_aborts(tree: Tree) -> list[str]:
    """A library reports by exceptions and return values."""
    complaints = []
    for path, text in select(tree, *CXX, below=ENGINE):
        code = cxx.code(text)
        complaints += [f"{path}:{line_of(code, m.start())}: {m[0].strip()}" for m in OUTPUT.finditer(code)]
    return complaints


PROGRAMS = ("python/gramian/cli/", "python/gramian/_info.py")
"""Of the Python package: what is called to print."""


def python_prints_where_it_is_asked_to(tree: Tree) -> list[str]:
    """The package raises and warns; a `print` that was left behind is seen by every user."""
    return [
        f"{path}:{node.lineno}: print"
        for path, text in select(tree, ".py", below=("python/gramian/",))
        if not path.startswith(PROGRAMS)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]


def the_whole_header_is_whole(tree: Tree) -> list[str]:
    """gramian.hpp includes every public header but Eigen's, itself or by a header that it includes."""
    whole, public = "cpp/include/gramian/gramian.hpp", "cpp/include/"
    known, pending = {"gramian/eigen.hpp"}, [whole.removeprefix(public)]
    while pending:
        found = {include.strip('"') for include in cxx.includes(tree.get(public + pending.pop(), ""))} - known
        known |= found
        pending += found
    names = [path.removeprefix(public) for path, _ in select(tree, ".hpp", below=(public,)) if path != whole]
    return [f"{whole} does not include {name}" for name in names if name not in known]


def public_names_are_on_the_page_of_the_interface(tree: Tree) -> list[str]:
    """What `import gramian` offers is in docs/api.md, but for modules, whose contents are."""
    home, page = "python/gramian/__init__.py", "docs/api.md"
    lists = [node for node in ast.parse(tree.get(home, "")).body if isinstance(node, ast.Assign)]
    names = [
        name for node in lists if ast.unparse(node.targets[0]) == "__all__" for name in ast.literal_eval(node.value)
    ]
    modules = {path.removeprefix("python/gramian/").partition("/")[0].removesuffix(".py") for path in tree}
    wanted = [name for name in names if name not in modules and not name.startswith("__")]
    return [
        f"{page} has no gramian.{name}" for name in wanted if not re.search(rf"gramian\.{name}\b", tree.get(page, ""))
    ]


def sources_are_licensed(tree: Tree) -> list[str]:
    """One SPDX line on top, after a `#!` line if there is one."""
    complaints = []
    for path, text in select(tree, *LICENSED):
        top = [line for line in text.splitlines()[:2] if not line.startswith("#!")]
        if text.strip() and SPDX not in (top[0] if top else ""):
            complaints.append(f"{path} does not begin with {SPDX}")
    return complaints


def cxx_tests_have_twins(tree: Tree) -> list[str]:
    """tests/cpp/<folder>/test_<stem>[_<part>].cpp tests <folder>/<stem>, or a header of the folder above."""
    complaints = []
    for path in tree:
        match = re.fullmatch(r"tests/cpp/([\w/]+)/test_(\w+)\.cpp", path)
        if not match:
            continue
        folder, stem = match.groups()
        words = stem.split("_")
        names = ["_".join(words[:count]) for count in range(1, len(words) + 1)]
        above = folder.rpartition("/")[0]
        places = {f"{place}/" if place else "" for place in (folder, above)}
        stems = {
            root + place + name for root in ("cpp/src/", "cpp/include/gramian/") for place in places for name in names
        }
        if not any(twin + suffix in tree for twin in stems for suffix in (".cpp", ".hpp")):
            complaints.append(f"{path} has no twin {folder}/{stem}")
    return complaints


def models_have_tests(tree: Tree) -> list[str]:
    """Each cpp/src/models/<family>/<stem>.cpp has a tests/cpp/models/<family>/test_<stem>[_<part>].cpp."""
    tests = [path for path in tree if path.startswith("tests/cpp/models/")]
    complaints = []
    for path in tree:
        match = re.fullmatch(r"cpp/src/models/(\w+)/(\w+)\.cpp", path)
        if not match:
            continue
        family, stem = match.groups()
        wanted = re.compile(rf"tests/cpp/models/{family}/test_{stem}(_\w+)?\.cpp")
        if not any(wanted.fullmatch(test) for test in tests):
            complaints.append(f"{path} has no test_{stem}.cpp in tests/cpp/models/{family}")
    return complaints


def sources_are_built(tree: Tree) -> list[str]:
    """Each .cpp of the engine and of the bindings is named by the CMake file that builds it, or found by its GLOB."""
    complaints = []
    for folder, homes in BUILT_BY.items():
        text = "".join(tree.get(home, "") for home in homes)
        globbed = "GLOB" in text and "src/*.cpp" in text
        for path in tree:
            if path.startswith(folder + "src/") and PurePosixPath(path).suffix == ".cpp" and not globbed:
                name = path.removeprefix(folder)
                if not re.search(rf"(?<!\w){re.escape(name)}", text):
                    complaints.append(f"{path} is not built by {homes[0]}")
    return complaints
