# SPDX-License-Identifier: BSD-3-Clause
"""Lists that are written by hand have everything that they are lists of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from house.tree import GENERATED, Tree, select

API, KERNELS, OPTIM = "docs/api.md", "docs/kernels.md", "docs/optim.md"
HEADERS, UMBRELLA, EIGEN = "cpp/include/", "cpp/include/gramian/gramian.hpp", "cpp/include/gramian/eigen.hpp"
PACKAGE = "python/gramian/"


def constants(text: str, ending: str) -> Iterator[str]:
    """The strings in lists and tuples that are assigned to names with this ending."""
    for node in ast.parse(text).body:
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
        if any(isinstance(target, ast.Name) and target.id.endswith(ending) for target in targets):
            values = getattr(getattr(node, "value", None), "elts", [])
            yield from (value.value for value in values if isinstance(value, ast.Constant))


def public_names(tree: Tree, module: str) -> list[str]:
    """`__all__` of a module or a package of gramian, without its own modules and what has underscores around it."""
    text = tree.get(f"{PACKAGE}{module}.py") or tree.get(f"{PACKAGE}{module}/__init__.py") or ""
    inside = f"{PACKAGE}{module}/".replace("/__init__/", "/")
    modules = {
        path.removeprefix(inside).partition("/")[0].removesuffix(".py") for path in tree if path.startswith(inside)
    }
    return [name for name in constants(text, "__all__") if name not in modules and not name.startswith("__")]


def recipes_name_what_exists(tree: Tree) -> list[str]:
    """Every path in CONTRIBUTING.md leads to a file or a folder, unless it has a placeholder or is generated."""
    paths = re.findall(r"`([\w.]+(?:/[\w.]+)+)/?`", tree.get("CONTRIBUTING.md", ""))
    roots = ("", HEADERS)
    return [
        f"CONTRIBUTING.md: there is no {path}"
        for path in dict.fromkeys(paths)
        if not {path, path.partition("/")[0]} & {*GENERATED, ".venv"}
        and not any(known == root + path or known.startswith(f"{root}{path}/") for root in roots for known in tree)
    ]


def modules_of(tree: Tree) -> set[str]:
    """The public modules and packages of gramian, and `__init__` for itself."""
    names = {
        path.removeprefix(PACKAGE).partition("/")[0].removesuffix(".py")
        for path, _ in select(tree, ".py", below=(PACKAGE,))
    }
    return {name for name in names if name == "__init__" or not name.startswith("_")}


def public_names_are_documented(tree: Tree) -> list[str]:
    """docs/api.md has every public class and function of Python, or the whole module."""
    listed = set(re.findall(r"^\.\. \w+:: gramian\.(?:\w+\.)*(\w+)$", tree.get(API, ""), re.MULTILINE))
    whole = set(re.findall(r"^\.\. automodule:: gramian\.(\w+)\n +:members:$", tree.get(API, ""), re.MULTILINE))
    names = [(module, name) for module in sorted(modules_of(tree) - whole) for name in public_names(tree, module)]
    return [f"{API}: {name} of {module} is missing" for module, name in names if name not in listed]


def the_umbrella_is_whole(tree: Tree) -> list[str]:
    """gramian.hpp includes every public header, itself or through a list such as optim/solver.hpp, except eigen.hpp."""
    seen: set[str] = set()
    ahead = [UMBRELLA]
    while ahead:
        path = ahead.pop()
        seen.add(path)
        included = re.findall(r'^#include "(.+)"$', tree.get(path, ""), re.MULTILINE)
        ahead += [HEADERS + name for name in included if HEADERS + name not in seen]
    return [
        f"{UMBRELLA} does not include {path.removeprefix(HEADERS)}"
        for path, _ in select(tree, ".hpp", below=(HEADERS,))
        if path not in seen | {EIGEN}
    ]


def guides_name_all_choices(tree: Tree) -> list[str]:
    """The page of kernels has each kernel; the page of optimisers each solver and each loss."""
    solvers = [
        f'"{name}"'
        for _, text in select(tree, ".hpp", below=(f"{HEADERS}gramian/optim/",))
        for name in re.findall(r'static constexpr const char\* name = "(\w+)";', text)
    ]
    losses = [f"`{name}(" for name in public_names(tree, "losses") if name != "Loss"]
    kernels = [f"`{name}" for name in public_names(tree, "kernels") if name != "Kernel"]
    complaints = [
        f"{PACKAGE}: there are no {kind}"
        for kind, found in (("solvers", solvers), ("losses", losses), ("kernels", kernels))
        if not found
    ]
    complaints += [
        f"{OPTIM}: {name.strip('`(')} is missing" for name in solvers + losses if name not in tree.get(OPTIM, "")
    ]
    return complaints + [
        f"{KERNELS}: {name.strip('`')} is missing" for name in kernels if name not in tree.get(KERNELS, "")
    ]
