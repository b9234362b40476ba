# SPDX-License-Identifier: BSD-3-Clause
"""Who may include whom. An arrow between layers never goes up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from house import cxx
from house.tree import Tree, select

PUBLIC, PRIVATE, BINDINGS = "cpp/include/gramian/", "cpp/src/", "python/src/"

STACK = ("base", "linalg", "kernels", "gram", "ovk", "layers", "serving", "models")
MAY_SEE: dict[str, set[str]] = {layer: set(STACK[: level + 1]) for level, layer in enumerate(STACK)}
MAY_SEE["losses"] = {"base", "losses"}
MAY_SEE["optim"] = {"base", "linalg", "optim"}
MAY_SEE["io"] = {"base", "io"}
MAY_SEE["serving"] |= {"io"}
MAY_SEE["models"] |= {"losses", "optim", "io"}

# The doors of the hot kernels; the rest of isa/ is theirs and the kernel profiles'.
ISA_DOORS = re.compile(r"isa/(\w+_)?table\.hpp|isa/dispatch\.hpp")
BUILD, PROFILES = "isa/build.cpp", "kernels/registry.hpp"
PROFILE_TOOLS = {"kernels/profile.hpp", PROFILES}

# The Python module that speaks of the whole package, and packages on top of the models.
TOP_OF_PYTHON = {"__init__"}
ABOVE_MODELS = ("python/gramian/dask/", "python/gramian/cli/")

# At the top, but standing on base or on nothing.
LEAVES = {"version.hpp", "eigen.hpp"}

# Standard headers have no dot and no folder in their names; what the hot kernels may include defines nothing.
STANDARD = re.compile(r"<[a-z_]+>")
HOT = {"<cstdint>", "<immintrin.h>", "<math.h>"}
OPENMP = re.compile(r"^\s*#\s*pragma\s+omp\b|_Pragma\(\s*\"\s*omp\b|^\s*#\s*include\s*<omp\.h>", re.MULTILINE)


def short(path: str) -> str:
    """The path as an include states it, public or not: base/view.hpp."""
    return path.removeprefix(PUBLIC).removeprefix(PRIVATE)


def layer_of(name: str) -> str:
    """The folder of a short path; empty for the files at the top."""
    return name.partition("/")[0] if "/" in name else ""


def target_of(include: str) -> str:
    """The short path that an include with quotes leads to; empty for one with angle brackets."""
    return include.strip('"').removeprefix("gramian/") if include.startswith('"') else ""


def profiles(tree: Tree) -> set[str]:
    """The files that make up the registry's kernels, compiled once for each instruction set."""
    return {target_of(i) for i in cxx.includes(tree.get(PRIVATE + PROFILES, ""))} | PROFILE_TOOLS


def upward_arrow(name: str, target: str, kernel_files: set[str]) -> bool:
    """Whether the file `name` may not include `target`."""
    layer, wanted = layer_of(name), layer_of(target)
    if layer == "":  # the files at the top speak of the whole library
        return False
    if wanted == "":
        return target not in LEAVES or layer == "isa"
    if layer == "isa":
        return wanted != "isa" and target not in kernel_files
    if wanted == "isa":
        return layer == "base" or not (ISA_DOORS.fullmatch(target) or name in kernel_files)
    return wanted not in MAY_SEE.get(layer, set())


def no_arrow_goes_up(tree: Tree) -> list[str]:
    """Each layer sees itself and those below."""
    complaints = []
    kernel_files = profiles(tree)
    for path, text in select(tree, ".hpp", ".cpp", ".inc", below=(PUBLIC, PRIVATE)):
        name = short(path)
        if layer_of(name) not in {"", "isa", *MAY_SEE}:
            complaints.append(f"{path}: {layer_of(name)} is not a layer")
            continue
        for target in filter(None, map(target_of, cxx.includes(text))):
            if upward_arrow(name, target, kernel_files):
                complaints.append(f"{path} must not include {target}")
    return complaints


def public_headers_are_plain(tree: Tree) -> list[str]:
    """No Eigen (but in eigen.hpp), OpenMP, Python or private header in what an embedder includes."""
    complaints = []
    for path, text in select(tree, ".hpp", below=(PUBLIC,)):
        for include in cxx.includes(text):
            if include == "<Eigen/Core>" and path == PUBLIC + "eigen.hpp":
                continue
            ours = include.startswith('"gramian/') and target_of(include) != "eigen.hpp"
            if not (STANDARD.fullmatch(include) or ours):
                complaints.append(f"{path} is public and must not include {include}")
    return complaints


def nothing_below_python_knows_it(tree: Tree) -> list[str]:
    """The engine runs with no Python in sight."""
    return [
        f"{path} must not include {include}"
        for path, text in select(tree, ".hpp", ".cpp", ".inc", below=("cpp/",))
        for include in cxx.includes(text)
        if re.match(r"[<\"](Python\.h|pybind11/|numpy/)", include)
    ]


def openmp_has_one_home(tree: Tree) -> list[str]:
    """Pragmas and the header of OpenMP are in base/parallel*.cpp alone, which carries exceptions out of a region."""
    complaints = []
    for path, text in select(tree, ".hpp", ".cpp", ".inc"):
        home = re.fullmatch(r"cpp/src/base/parallel\w*\.cpp", path)
        if not home and OPENMP.search(text):
            complaints.append(f"{path}: OpenMP outside cpp/src/base/parallel*.cpp")
    return complaints


def bindings_see_public_headers(tree: Tree) -> list[str]:
    """A binding includes gramian/..., its neighbours, pybind11 and the standard library."""
    complaints = []
    neighbours = {f'"{PurePosixPath(path).name}"' for path in tree if path.startswith(BINDINGS)}
    for path, text in select(tree, ".hpp", ".cpp", below=(BINDINGS,)):
        for include in cxx.includes(text):
            public = include.startswith('"gramian/') and PUBLIC + target_of(include) in tree
            if not (public or include in neighbours or STANDARD.fullmatch(include) or include.startswith("<pybind11/")):
                complaints.append(f"{path} must not include {include}")
            if include in {"<pybind11/eigen.h>", '"gramian/eigen.hpp"'}:
                complaints.append(f"{path}: bindings pass views, not Eigen types")
    return complaints


def hot_kernels_define_nothing_shared(tree: Tree) -> list[str]:
    """What build.cpp reaches is compiled for several processors, and the linker would merge templates of std."""
    complaints = []
    seen: set[str] = set()
    waiting = [BUILD] if PRIVATE + BUILD in tree else []
    while waiting:
        name = waiting.pop()
        seen.add(name)
        path = next((p for p in (PRIVATE + name, PUBLIC + name) if p in tree), "")
        for include in cxx.includes(tree.get(path, "")):
            target = target_of(include)
            if not target and include not in HOT:
                complaints.append(f"{path} is compiled for each instruction set and must not include {include}")
            if target and target not in seen:
                waiting.append(target)
    return complaints


def imports(text: str) -> Iterator[tuple[int, str]]:
    """What a Python file imports, relative imports apart: the line and the name of each module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module


def modules(tree: Tree, folder: str) -> set[str]:
    """The names under which a folder's Python files and packages can be imported, and that of the outermost folder."""
    inside = (path.removeprefix(folder) for path, _ in select(tree, ".py", below=(folder,)))
    return {name.partition("/")[0].removesuffix(".py") for name in inside} | {folder.partition("/")[0]}


def python_arrows_point_down(tree: Tree) -> list[str]:
    """
    The package knows no one; an example, which is there to be copied, and the bench know the package alone.

    Tests of the bench are in tests/python/bench, and tests/torch/bench where they need PyTorch; no other test needs it.
    """
    bench, examples = {"bench"}, modules(tree, "examples/python/")
    tests = modules(tree, "tests/python/") - bench
    forbidden = {
        "python/": bench | examples | tests,
        "bench/": examples | tests,
        "examples/": bench | tests,
        "tests/": bench,
    }
    complaints = []
    for folder, names in forbidden.items():
        for path, text in select(tree, ".py", below=(folder,)):
            if not path.startswith(("tests/python/bench/", "tests/torch/bench/")):
                complaints += [
                    f"{path}:{line}: must not import {name}"
                    for line, name in imports(text)
                    if name.partition(".")[0] in names
                ]
    return complaints


def python_families_do_not_meet(tree: Tree) -> list[str]:
    """
    A family of models imports models/_shared, itself and what is below models; nothing below models imports it.

    Nobody imports gramian.dask: it needs what is not always installed.
    """
    complaints = []
    for path, text in select(tree, ".py", below=("python/gramian/",)):
        match = re.match(r"python/gramian/models/(\w+)/", path)
        own = match[1] if match else ""
        if path.startswith(ABOVE_MODELS) or (own == "" and PurePosixPath(path).stem in TOP_OF_PYTHON):
            continue
        for node in ast.walk(ast.parse(text)):
            module = getattr(node, "module", None) or ""
            if isinstance(node, ast.ImportFrom) and re.match(r"gramian\.dask\b", module):
                complaints.append(f"{path}:{node.lineno}: must not import {module}")
            if isinstance(node, ast.ImportFrom) and re.match(r"gramian\.models\b", module):
                family = module.split(".")[2] if module.count(".") > 1 else ""
                if family != own and (family != "_shared" or own == ""):
                    complaints.append(f"{path}:{node.lineno}: must not import {module}")
    return complaints
