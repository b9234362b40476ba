# SPDX-License-Identifier: BSD-3-Clause
"""The files that rules look at."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

Tree = Mapping[str, str]
Rule = Callable[[Tree], list[str]]

# Where git is not there to say what is generated.
GENERATED = {"build", "dist", "demo_output", "__pycache__", "third_party/eigen", "bench/results", "docs/_generated"}


def known_to_git(root: Path) -> list[str]:
    """Paths that are in the repository or would be with the next `git add`; none where there is no repository."""
    if not (root / ".git").exists():
        return []
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except OSError:
        return []
    return [path for path in listing.stdout.split("\0") if path]


def walked(root: Path) -> Iterator[str]:
    """Every path below root but what is generated or hidden."""
    for folder, folders, names in os.walk(root):
        here = Path(folder).relative_to(root)
        folders[:] = [f for f in folders if not {f, (here / f).as_posix()} & GENERATED and not f.startswith(".")]
        yield from ((here / name).as_posix() for name in names)


def read_tree(root: Path = ROOT) -> dict[str, str]:
    """The text of each file of the project, empty for what is not text."""
    tree = {}
    for path in sorted(set(known_to_git(root) or walked(root))):
        if (root / path).is_file():
            try:
                tree[path] = (root / path).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                tree[path] = ""
    return tree


def select(tree: Tree, *suffixes: str, below: tuple[str, ...] = ("",)) -> Iterator[tuple[str, str]]:
    """The files whose path ends in one of the suffixes, in one of the folders."""
    for path, text in tree.items():
        if path.endswith(suffixes) and path.startswith(below):
            yield path, text


def line_of(text: str, position: int) -> int:
    """The number of the line that holds a position of the text."""
    return text.count("\n", 0, position) + 1
