# SPDX-License-Identifier: BSD-3-Clause
"""The reader of C++ headers (tools/cpp_headers.py), and the pages made of what it reads (tools/cpp_reference.py)."""

from __future__ import annotations

import sys

import pytest
from house.tree import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import cpp_reference  # noqa: E402  (found through the line above)
from cpp_headers import Symbol, read_header  # noqa: E402

HEADER = """// SPDX
// What it is for,
// in two lines.
#pragma once
#define LIMIT 3

namespace lib::family {

/// A number of things.
using Count = int;

/// Two that share
/// a comment.
LIB_API void put(const char* text = "a;{/// no comment", char end = '}');
LIB_API void put(int number) noexcept;

enum class Mode : int {
  fast = 1,  ///< quick,
             ///< but rough
  slow
};  ///< how

/// A template.
template <class T, class = std::enable_if_t<std::is_same_v<const T, T>>>
class GRAMIAN_API Box final : public Base<T> {
 public:
  Box() = default;
  Box(Box&&) noexcept;
  ~Box() override;
  explicit Box(T value) : value_{value}, other_(0) {}
  /// Its value.
  T operator()(int i) const { return value_; }
  T& operator[](int i);
  Count size() const;
  double low = 0.0, high = {1.0};  ///< bounds
  T (*make)(const double*);
  template <class Visit>
  static void fields(Visit visit) {}

 private:
  friend class Other;
  T value_;
};

/// A sum, see put() and `Box::size`.
///
///   a + b
Box<int> operator+(const Box<int>& a, const Box<int>& b);

class Later;
namespace put_detail {
void hidden();
}
}  // namespace lib::family

namespace lib {
inline constexpr double pi{3.14};  ///< the number
}
"""


@pytest.fixture(scope="module")
def symbols() -> dict[str, Symbol]:
    header = read_header("lib/a.hpp", HEADER)
    assert header.introduction == ["What it is for,", "in two lines."]
    return {symbol.qualified: symbol for symbol in reversed(header.symbols)}


def test_every_declaration_for_users_is_found(symbols):
    names = ["Count", "put", "Mode", "Box", "operator+"]
    assert set(symbols) == {"LIMIT", "lib::pi", *(f"lib::family::{name}" for name in names)}
    assert {name.rpartition("::")[2]: symbol.kind for name, symbol in symbols.items()} == {
        "LIMIT": "macro",
        "Count": "alias",
        "put": "function",
        "Mode": "enum",
        "Box": "class",
        "operator+": "function",
        "pi": "member",
    }


def test_comments_belong_to_their_declarations(symbols):
    box, mode = symbols["lib::family::Box"], symbols["lib::family::Mode"]
    assert symbols["lib::family::put"].comment == ["Two that share", "a comment."]
    assert mode.trailing == ["how"]
    assert [(e.name, e.trailing) for e in mode.members] == [("fast", ["quick,", "but rough"]), ("slow", [])]
    assert [(m.name, m.comment, m.trailing) for m in box.members] == [
        ("Box", [], []),
        ("operator()", ["Its value."], []),
        ("operator[]", [], []),
        ("size", [], []),
        ("low", [], ["bounds"]),
        ("high", [], ["bounds"]),
        ("make", [], []),
    ]


def test_signatures_have_no_bodies(symbols):
    box = symbols["lib::family::Box"]
    assert box.signature.endswith("class Box final : public Base<T>")
    assert [member.signature for member in box.members] == [
        "explicit Box(T value)",
        "T operator()(int i) const",
        "T& operator[](int i)",
        "Count size() const",
        "double low = 0.0",
        "double high = {1.0}",
        "T (*make)(const double*)",
    ]


def test_pages_describe_groups_once_and_link_names():
    pages = cpp_reference.pages({"cpp/include/lib/a.hpp": HEADER})
    page = pages["lib"]
    assert set(pages) == {"index", "lib"}
    assert page.count("Two that share a comment.") == 1
    assert "   Its value.\n" in page
    assert ":cpp:any:`put() <lib::family::put>` and :cpp:any:`Box::size <lib::family::Box::size>`" in page
    assert "::\n\n     a + b\n" in page
    assert ".. cpp:namespace:: lib::family" in page
    assert ":ref:`lib/a.hpp <cpp-lib-a>`" in pages["index"]


def test_words_of_comments_are_no_markup():
    header = "// SPDX\n// For a* and b_, |c|, `d`.\nnamespace e {\n/// - f::g is x_i * y_; `h`s.\nvoid f();\n}\n"
    page = cpp_reference.pages({"cpp/include/lib/a.hpp": header})["lib"]
    assert "For a\\* and b\\_, \\|c\\|, ``d``." in page
    assert "\\- ``f::g`` is x\\_i \\* y\\_; ``h``\\ s." in page
