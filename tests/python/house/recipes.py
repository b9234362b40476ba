# SPDX-License-Identifier: BSD-3-Clause
"""What the recipes of CONTRIBUTING.md promise, compared with the tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from house.tree import Tree, select

KERNELS, REGISTRY = "cpp/src/kernels/", "cpp/src/kernels/registry.hpp"
CLASSES = "python/gramian/kernels/"
REFERENCES = ("tests/python/naive.py", "tests/cpp/support/naive_kernels.hpp")


def profiles(tree: Tree) -> dict[str, str]:
    """The kernels that the files beside the registry define: struct, name in the engine."""
    found = {}
    for _, text in select(tree, ".hpp", below=(KERNELS,)):
        found |= dict(re.findall(r"struct (\w+)[^{};]*\{\s*static constexpr const char\* name = \"(\w+)\";", text))
    return found


def engine_names(value: ast.expr) -> Iterator[str]:
    """The names of `_engine`: one, or those of a choice."""
    if isinstance(value, ast.Tuple) and isinstance(value.elts[1], ast.Dict):
        yield from (name.value for name in value.elts[1].values if isinstance(name, ast.Constant))
    elif isinstance(value, ast.Constant):
        yield value.value


def leaf_classes(tree: Tree) -> dict[str, set[str]]:
    """The classes of gramian.kernels that stand for kernels of the engine, with the names of these."""
    found = {}
    for _, text in select(tree, ".py", below=(CLASSES,)):
        for cls in (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)):
            for line in cls.body:
                if isinstance(line, ast.Assign) and getattr(line.targets[0], "id", "") == "_engine":
                    found[cls.name] = set(engine_names(line.value))
    return found


def kernels_follow_their_recipe(tree: Tree) -> list[str]:
    """A kernel is in the registry, in a class, in the package's list, on its page, and in both naive references."""
    structs, classes = profiles(tree), leaf_classes(tree)
    listing = re.search(r"KernelList<(\w[^>]*)>;", tree.get(REGISTRY, ""))
    listed = {name.strip() for name in listing[1].split(",")} if listing else set()
    exported, page = tree.get(CLASSES + "__init__.py", ""), tree.get("docs/kernels.md", "")
    complaints = [
        f"{REGISTRY}: {name} is in the list or has a file, but not both" for name in sorted(listed ^ structs.keys())
    ]
    names = {name for own in classes.values() for name in own}
    complaints += [f"{CLASSES}: no class leads to {name}" for name in sorted(set(structs.values()) - names)]
    complaints += [f"{CLASSES}: {name} is no kernel of the registry" for name in sorted(names - set(structs.values()))]
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    for name, own in classes.items():
        if f'"{name}",' not in exported:
            complaints.append(f"{CLASSES}__init__.py does not list {name}")
        row = next((row for row in rows if f"`{name}`" in row.split("|")[1]), "")
        complaints += [
            f"docs/kernels.md: no row says that {name} leads to {kernel}" for kernel in own if f"`{kernel}`" not in row
        ]
    for path in REFERENCES:
        complaints += [
            f"{path} has no formula of {name}" for name in structs.values() if f'"{name}"' not in tree.get(path, "")
        ]
    if classes and ".. automodule:: gramian.kernels\n   :members:\n" not in tree.get("docs/api.md", ""):
        complaints.append("docs/api.md does not have all of gramian.kernels")
    return complaints
