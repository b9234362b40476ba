# SPDX-License-Identifier: BSD-3-Clause
"""The rules of the house (tests/python/house), and that each of them notices what breaks it."""

from __future__ import annotations

import importlib.metadata

import gramian
import pytest
from house import citations, cxx, families, prose
from house.samples import RULES
from house.tree import ROOT, Tree, known_to_git, read_tree, walked


@pytest.fixture(scope="module")
def tree() -> Tree:
    return read_tree()


def named(rule: object) -> str:
    return getattr(rule, "__name__", "")


@pytest.mark.parametrize("rule", [rule for rule, _, _ in RULES], ids=named)
def test_the_house_keeps(rule, tree):
    assert rule(tree) == []


@pytest.mark.parametrize(("rule", "lawful"), [(rule, lawful) for rule, lawful, _ in RULES], ids=named)
def test_what_is_lawful_passes(rule, lawful):
    assert rule(lawful) == []


@pytest.mark.parametrize(("rule", "broken"), [(rule, t) for rule, _, trees in RULES for t in trees], ids=named)
def test_a_breach_is_noticed(rule, broken):
    assert rule(broken)


def test_what_a_rule_excepts_is_there(tree):
    places = {families.short(path) for path in tree}
    assert set(families.ELSEWHERE) <= places
    assert set().union(*families.ELSEWHERE.values()) <= places


def test_rules_look_at_the_whole_project(tree):
    assert {"cpp/src/isa/build.cpp", "python/gramian/__init__.py", "README.md", "CMakeLists.txt"} <= tree.keys()
    assert not any(path.startswith(("build/", ".venv", "third_party/eigen/")) for path in tree)


def test_without_git_the_same_files_are_found():
    tracked = {path for path in known_to_git(ROOT) if "/." not in f"/{path}" and (ROOT / path).is_file()}
    found = set(walked(ROOT))
    assert tracked <= found
    assert not any("__pycache__" in path for path in found)


def test_functions_are_found_where_they_are():
    text = (ROOT / "cpp/src/build.cpp").read_text(encoding="utf-8")
    found = {f.head.partition("(")[0].split()[-1]: f.line for f in cxx.functions(text)}
    assert {"compiler", "eigen", "build_report"} <= found.keys()
    assert all(f"{name}(" in text.splitlines()[line - 1] for name, line in found.items())


def test_citations_are_found_in_what_computes_them():
    engine = """// [KAE] (1): of the file
#include <vector>
namespace gramian {
constexpr double step = 0.1;  // [KAE] (2): a constant
/// [KAE] (3), (4): a class
class Layer : public Base {
 public:
  Layer() : a_{1}, b_(2) {}
  /// [KAE] Alg. 1, lines 7-8: a member, and no [KAE] (5)
  template <class T>
  double value(T x = {}) const;
  int a_, b_;
};
double Layer::operator()(int i) {
  for (; i > 0;) {
    // [KAE] Alg. 1, line 9: within a function
  }
}
}  // namespace gramian
"""
    package = '''"""[KAE] (1): a docstring is no line of code."""
class A:
    # [KAE] (6): a method
    @property
    def f(self):
        return 1  # [KAE] (7): its value
B = 1  # [KAE] (8): a constant
'''
    found = citations.hits({"cpp/src/a.cpp": engine, "python/gramian/a.py": package, "bench/a.py": "# [KAE] (9): no\n"})
    assert [(hit.symbol, hit.item, hit.lines) for hit in found] == [
        ("", "(1)", ""),
        ("step", "(2)", ""),
        ("Layer", "(3)", ""),
        ("Layer", "(4)", ""),
        ("Layer::value", "Alg. 1", "lines 7-8"),
        ("Layer::operator()", "Alg. 1", "line 9"),
        ("A.f", "(6)", ""),
        ("A.f", "(7)", ""),
        ("B", "(8)", ""),
    ]


def test_the_installed_package_has_the_version_of_the_sources(tree):
    assert gramian.__version__ == importlib.metadata.version("gramian") == prose.version_of(tree)
