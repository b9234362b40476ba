# SPDX-License-Identifier: BSD-3-Clause
"""For each rule on what the package offers and prints, a tree that keeps it and trees that break it."""

from __future__ import annotations

from house import habits
from house.tree import Rule, Tree

PUBLIC = "cpp/include/gramian/"

RULES: list[tuple[Rule, Tree, list[Tree]]] = [
    (
        habits.python_prints_where_it_is_asked_to,
        {
            "python/gramian/a.py": '"""print(x)"""\n',
            "python/gramian/cli/a.py": "print(1)\n",
            "bench/a.py": "print(1)\n",
        },
        [{"python/gramian/a.py": "def f(x):\n    print(x)\n"}],
    ),
    (
        habits.the_whole_header_is_whole,
        {
            PUBLIC + "gramian.hpp": '#include "gramian/base/a.hpp"\n',
            PUBLIC + "base/a.hpp": '#include "gramian/base/b.hpp"\n',
            PUBLIC + "base/b.hpp": '#include "gramian/base/a.hpp"\n',
            PUBLIC + "eigen.hpp": "",
        },
        [{PUBLIC + "gramian.hpp": '#include "gramian/base/a.hpp"\n', PUBLIC + "base/a.hpp": "", PUBLIC + "b.hpp": ""}],
    ),
    (
        habits.public_names_are_on_the_page_of_the_interface,
        {
            "python/gramian/__init__.py": "__all__ = ['Model', '__version__', 'kernels']\n",
            "python/gramian/kernels/__init__.py": "",
            "docs/api.md": ".. autoclass:: gramian.Model\n",
        },
        [{"python/gramian/__init__.py": "__all__ = ['Model']\n", "docs/api.md": "gramian.Models\n"}],
    ),
]
