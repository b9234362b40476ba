# SPDX-License-Identifier: BSD-3-Clause
"""A family of models is a folder with the same name in C++, in Python and in the tests, and knows no other family."""

from __future__ import annotations

import re

from house import cxx
from house.layers import PRIVATE, PUBLIC, short, target_of
from house.tree import Tree, select

PYTHON = "python/gramian/models/"
SHARED = "layered"  # by several families; it knows none of them
FOLDERS = (PRIVATE + "models/", "tests/cpp/models/", "tests/python/models/", PYTHON)

# The bodies of these are where their topic is: what a kernel is made of, and a part of something larger.
ELSEWHERE = {
    "kernels/kernel.hpp": {"kernels/combine.cpp", "kernels/registry.cpp"},
    "kernels/node.hpp": {"kernels/combine.cpp", "kernels/registry.cpp"},
    "kernels/point_map.hpp": {"kernels/combine.cpp"},
    "models/deep_pca/parts.hpp": {"models/deep_pca/objective.cpp"},
}

# A statement that ends here declares a function whose body is elsewhere.
DECLARATION = re.compile(r"[\w=]\s*\(.*\)\s*(?:const)?\s*(?:noexcept)?\s*(?:override|final)?$")
NO_FUNCTION = re.compile(r"(?:using|typedef|friend|static_assert|return|constexpr)\b")


def family_of(name: str) -> str:
    """The family of a short path, deep_pca for models/deep_pca/rows.hpp and for models/deep_pca.hpp; else nothing."""
    return name.split("/")[1].removesuffix(".hpp") if name.startswith("models/") else ""


def families_know_no_other(tree: Tree) -> list[str]:
    """In C++ a family includes models/layered, itself, and what is below models; layered includes no family."""
    return [
        f"{path} must not include {target}: {family_of(target)} is another family"
        for path, text in select(tree, ".hpp", ".cpp", below=(PUBLIC + "models/", PRIVATE + "models/"))
        for target in map(target_of, cxx.includes(text))
        if family_of(target) not in {"", SHARED, family_of(short(path))}
    ]


def families_have_a_namespace(tree: Tree) -> list[str]:
    """In C++ all of a family is in gramian::<family>; layered, which families share, is in gramian."""
    return [
        f"{path} must open namespace gramian::{family} and no other: it opens {scope}"
        for path, text in select(tree, ".hpp", ".cpp", below=(PUBLIC + "models/", PRIVATE + "models/"))
        if (family := family_of(short(path))) != SHARED
        for scope in re.findall(r"^namespace ([\w:]+) \{", text, re.MULTILINE)
        if scope != f"gramian::{family}"
    ]


def families_call_no_other(tree: Tree) -> list[str]:
    """In Python a family calls its own part of the compiled module, and what families share calls that of none."""
    families = {path.removeprefix(PYTHON).split("/")[0] for path in tree if path.startswith(PYTHON)}
    return [
        f"{path} must not call _core.{part}: that is of another family"
        for path, text in select(tree, ".py", below=(PYTHON,))
        for part in sorted(set(re.findall(r"\b_core\.(\w+)", text)))
        if part in families - {path.removeprefix(PYTHON).split("/")[0]}
    ]


def families_are_folders(tree: Tree) -> list[str]:
    """Nothing but folders lies directly in models/, and a public header there is that of a folder."""
    complaints = []
    for path in tree:
        for folder in FOLDERS:
            rest = path.removeprefix(folder)
            if path.startswith(folder) and "/" not in rest and rest != "__init__.py":
                complaints.append(f"{path} belongs in the folder of a family")
        header = re.fullmatch(re.escape(PUBLIC) + r"(models/\w+)\.hpp", path)
        if header and not any(other.startswith(f"{PRIVATE}{header[1]}/") for other in tree):
            complaints.append(f"{path} is the header of no family")
    return complaints


def declared(text: str) -> list[str]:
    """The functions that a header declares without a body."""
    text = cxx.DIRECTIVE.sub(lambda m: cxx.blank(m[0]), cxx.code(text))
    depth = start = 0  # of braces within a body; of the present statement
    found = []
    for match in re.finditer(r"[{};]", text):
        char, end = match[0], match.start()
        statement = " ".join(re.sub(r"\b(?:public|private|protected):", "", text[start:end]).split())
        if depth:
            depth += (char == "{") - (char == "}")
            start = start if depth else end + 1
        elif char == "{" and not cxx.is_scope(statement):
            depth = 1
        else:
            if char == ";" and DECLARATION.search(statement) and not NO_FUNCTION.match(statement):
                found.append(statement)
            start = end + 1
    return found


def bodies_have_the_stem_of_their_header(tree: Tree) -> list[str]:
    """
    What <stem>.hpp declares is defined in <stem>.cpp beside it.

    In parts it is in <stem>_<part>.cpp, or in the files of the folder <stem>/.
    """
    complaints = []
    for path, text in select(tree, ".hpp", below=(PUBLIC, PRIVATE)):
        if short(path).startswith("isa/"):  # compiled as a whole by isa/build.cpp
            continue
        stem = PRIVATE + short(path).removesuffix(".hpp")
        body = re.compile(re.escape(stem) + r"(_\w+|/\w+)?\.cpp")
        elsewhere = ELSEWHERE.get(short(path), {"nowhere"}) <= {short(other) for other in tree}
        if not elsewhere and not any(map(body.fullmatch, tree)) and (functions := declared(text)):
            complaints.append(f"{path} declares {functions[0]}, and there is no {stem}.cpp")
    return complaints
