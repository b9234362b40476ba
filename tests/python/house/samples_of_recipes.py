# SPDX-License-Identifier: BSD-3-Clause
"""The rules of the recipes, each with a tree that keeps it and trees that break it."""

from __future__ import annotations

from house import recipes
from house.tree import Rule, Tree

KERNEL = {
    recipes.KERNELS + "a.hpp": 'struct A : Base {\n  static constexpr const char* name = "a";\n};\n',
    recipes.REGISTRY: "using Registry = KernelList<A>;\n",
    recipes.CLASSES + "a.py": 'class One(Leaf):\n    _engine = "a"\n',
    recipes.CLASSES + "__init__.py": '__all__ = [\n    "One",\n]\n',
    "docs/kernels.md": "| `One` | | `a` |\n",
    "docs/api.md": ".. automodule:: gramian.kernels\n   :members:\n",
    **dict.fromkeys(recipes.REFERENCES, '"a": f'),
}

LOSS_LINES = [
    "GRAMIAN_API std::unique_ptr<Loss> a_loss(double epsilon);\n",
    '{"a",\n {{"epsilon", 0.7}},\n [](const double* p) { return a_loss(p[0]); }},\n',
    "GRAMIAN_API std::unique_ptr<Loss> make_loss(const std::string& name);\n",
]
LOSS = {
    recipes.LOSSES: "".join(LOSS_LINES),
    recipes.LOSS_CLASSES: 'class One(_BuiltIn):\n    _engine = "a"\n',
    recipes.LOSS_TESTS + "test_a.cpp": "a_loss(0.5)->evaluate(t, f, {});\n",
    recipes.LOSS_LIST_TEST: "a_loss(0.5);\n",
    recipes.LOSS_FORMULAS: "FORMULAS = {One(0.5): f}\n",
}

OPTIONS = """struct AOptions {
  static constexpr const char* name = "a";
  static void fields(Visit visit) { visit("step", &AOptions::step); }
};
struct Patience {
  static void fields(Visit visit) { visit("window", &Patience::window); }
};
"""
SOLVER = {
    recipes.OPTIMISERS + "a.hpp": OPTIONS,
    recipes.SOLVERS: "using Solver = std::variant<B,\n  AOptions>;\nusing StiefelSolver = std::variant<COptions>;\n",
    recipes.MINIMIZE: 'def minimize():\n    """``"a"``: ``step``."""\n',
}

RULES: list[tuple[Rule, Tree, list[Tree]]] = [
    (
        recipes.kernels_follow_their_recipe,
        KERNEL,
        [{**KERNEL, path: ""} for path in KERNEL]
        + [{**KERNEL, recipes.CLASSES + "a.py": 'class One(Leaf):\n    _engine = "order", {0: "a", 1: "b"}\n'}],
    ),
    (
        recipes.losses_follow_their_recipe,
        LOSS,
        [
            {**LOSS, path: ""}
            for path in (recipes.LOSS_CLASSES, recipes.LOSS_TESTS + "test_a.cpp", recipes.LOSS_FORMULAS)
        ]
        + [{**LOSS, recipes.LOSSES: line} for line in LOSS_LINES[:2]]
        + [{recipes.LOSS_CLASSES: LOSS[recipes.LOSS_CLASSES]}],
    ),
    (
        recipes.solvers_follow_their_recipe,
        SOLVER,
        [
            {**SOLVER, recipes.MINIMIZE: 'def minimize():\n    """``"a"``."""\n'},
            {**SOLVER, recipes.MINIMIZE: 'def minimize():\n    """``step``."""\n'},
            {**SOLVER, recipes.MINIMIZE: 'def other():\n    """``"a"``: ``step``."""\n'},
            {**SOLVER, recipes.SOLVERS: SOLVER[recipes.SOLVERS].replace("AOptions", "AlsoOptions")},
            {**SOLVER, recipes.SOLVERS: SOLVER[recipes.SOLVERS].partition("using Stiefel")[0]},
            {**SOLVER, recipes.OPTIMISERS + "a.hpp": ""},
        ],
    ),
]
