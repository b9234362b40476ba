# SPDX-License-Identifier: BSD-3-Clause
"""What the recipes of CONTRIBUTING.md promise, compared with the tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from house.tree import Tree, select

KERNELS, REGISTRY = "cpp/src/kernels/", "cpp/src/kernels/registry.hpp"
CLASSES = "python/gramian/kernels/"
REFERENCES = ("tests/python/naive.py", "tests/cpp/support/naive_kernels.cpp")

LOSSES, LOSS_CLASSES = "cpp/include/gramian/losses/loss.hpp", "python/gramian/losses.py"
LOSS_TESTS = "tests/cpp/losses/"
LOSS_LIST_TEST = LOSS_TESTS + "test_loss_list.cpp"  # it gets them from the list, without their names
LOSS_FORMULAS = "tests/python/test_losses.py"

OPTIMISERS, SOLVERS = "cpp/include/gramian/optim/", "cpp/include/gramian/optim/solver.hpp"
MINIMIZE = "python/gramian/optim.py"
LISTS_OF_SOLVERS = {"Solver": "minimize", "StiefelSolver": "minimize_stiefel"}
INTERNAL_OPTIONS = {"patience"}  # a struct of its own, that models give to Adam


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


def loss_classes(tree: Tree) -> dict[str, str]:
    """The names of the engine's losses in gramian.losses, with their classes: each string that a class names one by."""
    found = {}
    for cls in (node for node in ast.parse(tree.get(LOSS_CLASSES, "")).body if isinstance(node, ast.ClassDef)):
        if any(isinstance(base, ast.Name) and base.id == "_BuiltIn" for base in cls.bases):
            found |= {node.value: cls.name for node in ast.walk(cls) if isinstance(node, ast.Constant)}
    return found


def losses_follow_their_recipe(tree: Tree) -> list[str]:
    """A loss of the header is in its list, has a class in Python, and is tested by its formula in C++ and in Python."""
    made = set(re.findall(r"std::unique_ptr<Loss> (?!make_)(\w+)_loss\(", tree.get(LOSSES, "")))
    listed = set(re.findall(r'\{"(\w+)",\s*\{.*?\},?\s*\[\]\(const double\*', tree.get(LOSSES, "")))
    classes, formulas = loss_classes(tree), tree.get(LOSS_FORMULAS, "")
    complaints = [] if listed else [f"{LOSSES}: there are no losses"]
    complaints += [f"{LOSSES}: {name} has a function or is in the list, but not both" for name in sorted(made ^ listed)]
    complaints += [f"{LOSS_CLASSES}: no class leads to {name}" for name in sorted(listed - classes.keys())]
    tests = [text for path, text in select(tree, ".cpp", below=(LOSS_TESTS,)) if path != LOSS_LIST_TEST]
    for name in sorted(listed):
        if not any(f"{name}_loss(" in text for text in tests):
            complaints.append(f"{LOSS_TESTS}: no test has the formula of {name}")
        if name in classes and f"{classes[name]}(" not in formulas:
            complaints.append(f"{LOSS_FORMULAS}: no formula of {classes[name]}")
    return complaints


def docstring_of(tree: Tree, path: str, function: str) -> str:
    nodes = (node for node in ast.parse(tree.get(path, "")).body if isinstance(node, ast.FunctionDef))
    return next((ast.get_docstring(node) or "" for node in nodes if node.name == function), "")


def named_options(tree: Tree) -> Iterator[tuple[str, str, list[str]]]:
    """The structs of options that have a name: the struct, the name, and the options that a user gives."""
    for _, text in select(tree, ".hpp", below=(OPTIMISERS,)):
        for struct in re.split(r"^struct ", text, flags=re.MULTILINE)[1:]:
            owner, name = re.match(r"\w+", struct), re.search(r'const char\* name = "(\w+)";', struct)
            if owner and name:
                options = re.findall(r'visit\("(\w+)"', struct)
                yield owner[0], name[1], [option for option in options if option not in INTERNAL_OPTIONS]


def solvers_follow_their_recipe(tree: Tree) -> list[str]:
    """Options that have a name are in a list of solvers, and its function's docstring has the name and each option."""
    lists = {
        name: set(re.findall(r"\w+", members))
        for name, members in re.findall(r"using (\w+) = std::variant<([^>]*)>;", tree.get(SOLVERS, ""))
    }
    found = list(named_options(tree))
    complaints = [] if found else [f"{OPTIMISERS}: no options have a name"]
    complaints += [f"{SOLVERS}: there is no list {name}" for name in LISTS_OF_SOLVERS if name not in lists]
    for owner, name, options in found:
        homes = [home for home in LISTS_OF_SOLVERS if owner in lists.get(home, ())]
        complaints += [] if homes else [f"{SOLVERS}: {owner} is in no list"]
        for function in (LISTS_OF_SOLVERS[home] for home in homes):
            said = docstring_of(tree, MINIMIZE, function)
            words = [f'"{name}"', *(f"``{option}``" for option in options)]
            complaints += [
                f"{MINIMIZE}: the docstring of {function} lacks {word}" for word in words if word not in said
            ]
    return complaints
