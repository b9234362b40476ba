# SPDX-License-Identifier: BSD-3-Clause
"""The rules of what is written for people, each with a tree that keeps it and trees that break it."""

from __future__ import annotations

from house import citations, lists, papers, prose, reference
from house.tree import Rule, Tree

VERSION = "".join(f"#define GRAMIAN_VERSION{part}\n" for part in ("_MAJOR 9", "_MINOR 8", "_PATCH 7", ' "9.8.7"'))
VERSIONED = {prose.VERSION_HEADER: VERSION, "CHANGELOG.md": "# Changelog\n\n## [9.8.7] - 2030-01-01\n\n## [9.8.6]\n"}
REFERENCES = {"docs/references.md": "**[KAE]**\n: A paper.\n\n**[Philox]**\n: Another.\n"}

PAPERS = {
    **REFERENCES,
    papers.LIST: "[KAE]\n(1) = not needed: a bound\n    Theory.\nAlg. 1 = departs: steps\n    Long.\n(2) = exact: x\n",
    "cpp/src/a/a.cpp": "int f() {\n  // [KAE] Alg. 1, line 8: a step\n}\n",
    "python/gramian/a.py": "x = 1  # [KAE] (2): the value\n",
}
KERNELS = {
    "python/gramian/kernels/__init__.py": '__all__ = ["Gaussian", "Kernel"]\n',
    "docs/kernels.md": "`Gaussian`",
    "python/gramian/losses.py": '__all__ = ["Huber", "Loss"]\n',
    "cpp/include/gramian/optim/a.hpp": '  static constexpr const char* name = "adam";\n',
    "cpp/include/gramian/optim/b.hpp": '  static constexpr const char* name = "gd";\n',
    "docs/optim.md": '"adam" `"gd"` `Huber(delta)`',
}

HEADER = """// SPDX
// What it is for.
namespace g {
/// Two of them share this.
GRAMIAN_API void f(std::vector<int> x, const char* s = "a;{b");
GRAMIAN_API void f();

/// A class.
class GRAMIAN_API A : public B {
 public:
  explicit A(int x) : x_{x} {}

 private:
  int x_;
};

enum class C { one, two };  ///< A choice.

/// A sum.
inline A operator+(const A& a, const A& b) { return a; }
}  // namespace g
"""

# Rule, a tree that keeps it, trees that break it each in one way.
RULES: list[tuple[Rule, Tree, list[Tree]]] = [
    (
        prose.citations_resolve,
        {
            **REFERENCES,
            "a.cpp": '// [KAE] (54), [Philox]\nx[AB];\nauto s = "[AB]";\n',
            "a.md": "[API](api.md), `[AB]`, [KAE]",
            "a.py": "x[AB]\n",
        },
        [
            {**REFERENCES, "a.cpp": "// [MCE] Alg. 1, line 8\n"},
            {**REFERENCES, "a.md": "See [DKL]."},
            {**REFERENCES, "a.py": '"""As [Halton] (3) says."""\n'},
        ],
    ),
    (
        citations.citations_have_one_form,
        {
            **REFERENCES,
            "cpp/src/a.cpp": "// [KAE] (54): N\n/// As [KAE] App. B.3 and (12) say.\n// [KAE] Alg. 1, line 8: V\n",
            "a.py": '"""[KAE] Sec. 4.2, Fig. 3 and Table 1."""\n# [KAE] (A.1), (Int): a system\n# [AB] 3\n',
            "a.md": "[KAE], [Philox], [KAE]'s, `[KAE] 4.2`, [KAE](a.md) 3",
        },
        [
            {**REFERENCES, "cpp/src/a.cpp": text}
            for text in (
                "// [KAE] (54) with a matrix\n",
                "int x;  ///< [KAE] (54)\n",
                "// See [KAE] Algorithm 1.\n",
                "// See [KAE]\n// (54).\n",
            )
        ]
        + [
            {**REFERENCES, "a.md": f"See {text}."}
            for text in (
                "[KAE], (54)",
                "[KAE] 4.2",
                "[KAE] B.3",
                "[KAE] Eq. (5)",
                "[KAE] Figure 2",
                "[KAE] Sec. 4.2 and B.3",
                "[KAE] (1)-(3)",
                "(12) of [KAE]",
                "Theorem 5 of [KAE]",
                "[Philox] sections 2 and 3",
            )
        ]
        + [{**REFERENCES, "a.py": text} for text in ('"""As [KAE] Theorem 5 says."""\n', "# [KAE] (5)\n")],
    ),
    (
        papers.papers_are_cited,
        PAPERS,
        [
            {**PAPERS, "cpp/src/a/a.cpp": "// As [KAE] Alg. 1, line 8.\n"},
            {**PAPERS, "cpp/src/a/a.cpp": PAPERS["cpp/src/a/a.cpp"] + "// [KAE] (1): a bound\n"},
            {**PAPERS, "cpp/src/a/a.cpp": PAPERS["cpp/src/a/a.cpp"] + "// [KAE] (3): a value\n"},
            {**PAPERS, "docs/references.md": ""},
        ]
        + [
            {**PAPERS, papers.LIST: PAPERS[papers.LIST] + more}
            for more in (
                "(3) = exact: nowhere\n",
                "(3) = not needed: a bound\n",
                "Theorem 3 = not needed: a bound\n    Theory.\n",
                "(3) = unknown: a bound\n    Theory.\n",
            )
        ],
    ),
    (
        papers.the_page_of_papers_is_current,
        {**PAPERS, papers.PAGE: papers.page(PAPERS)},
        [
            PAPERS,
            {**PAPERS, papers.PAGE: papers.page({**PAPERS, "cpp/src/a/a.cpp": ""})},
        ],
    ),
    (
        prose.links_resolve,
        {
            "README.md": "[a](docs/a.md#b) [b](https://x.y) [c](docs) [d](#e) `[f](g)`",
            "docs/a.md": "![p](../p.png)",
            "p.png": "",
        },
        [
            {"README.md": "[a](docs/a.md)"},
            {"docs/a.md": "![p](p.png)", "p.png": ""},
            {"README.md": '<img src="a.png">'},
        ],
    ),
    (
        reference.the_reference_has_every_symbol,
        {reference.PUBLIC + "a/b.hpp": HEADER},
        [
            {reference.PUBLIC + "a/b.hpp": HEADER + hidden}
            for hidden in (
                "class D {\n private:\nGRAMIAN_API void g();\n};\n",
                "namespace {\nnamespace g_detail {\nstruct E {};\n}\n}\n",
            )
        ],
    ),
    (
        reference.public_symbols_have_comments,
        {reference.PUBLIC + "a/b.hpp": HEADER},
        [
            {reference.PUBLIC + "a/b.hpp": HEADER.replace(said, "")}
            for said in ("// What it is for.\n", "/// Two of them share this.\n", "/// A class.\n", "  ///< A choice.")
        ],
    ),
    (
        prose.one_version,
        {**VERSIONED, "CITATION.cff": "cff-version: 1.2.0\nversion: 9.8.7\n", "a.py": "x = '19.8.7', '9.8.7.1'"},
        [
            {},
            {**VERSIONED, prose.VERSION_HEADER: VERSION.replace("MINOR 8", "MINOR 7")},
            {**VERSIONED, "CHANGELOG.md": "## [9.8.6]\n"},
            {**VERSIONED, "CITATION.cff": "version: 9.8.6\n"},
            {**VERSIONED, "pyproject.toml": 'version = "9.8.7"\n'},
        ],
    ),
    (
        prose.no_word_of_the_workplace,
        {"a.md": "the Python index, src/home/x, frame" + "work/x"},
        [
            {"a.md": text}
            for text in ("/ro" + "ot/x", "see /ho" + "me/me/x", "/tmp/" + "bash_jobs", "https://pypi" + ".org/simple")
        ],
    ),
    (
        lists.public_names_are_documented,
        {
            "python/gramian/__init__.py": '__all__ = ["__version__", "gram", "optim"]\n',
            "python/gramian/optim.py": '__all__ = ["Minimum"]\n',
            "python/gramian/_paths.py": '__all__ = ["hidden"]\n',
            "docs/api.md": ".. autofunction:: gramian.gram\n\n.. autoclass:: gramian.optim.Minimum\n   :members:\n",
        },
        [
            {
                "python/gramian/__init__.py": '__all__ = ["gram"]\n',
                "docs/api.md": ".. autofunction:: gramian.gram_along\n",
            },
            {"python/gramian/optim.py": '__all__ = ["Minimum"]\n', "docs/api.md": "Minimum"},
            {"python/gramian/optim.py": '__all__ = ["Minimum"]\n', "docs/api.md": ".. automodule:: gramian.optim\n"},
        ],
    ),
    (
        lists.the_umbrella_is_whole,
        {
            lists.UMBRELLA: '#include "gramian/base/a.hpp"\n',
            lists.EIGEN: "",
            "cpp/include/gramian/base/a.hpp": '#include "gramian/base/b.hpp"\n',
            "cpp/include/gramian/base/b.hpp": "",
        },
        [{lists.UMBRELLA: '#include "gramian/base/ab.hpp"\n', "cpp/include/gramian/base/a.hpp": ""}],
    ),
    (
        lists.guides_name_all_choices,
        KERNELS,
        [
            {**KERNELS, "docs/kernels.md": ""},
            {**KERNELS, "docs/optim.md": '"adam" `Huber(delta)`'},
            {**KERNELS, "docs/optim.md": '"adam" "gd" Huber'},
            {k: v for k, v in KERNELS.items() if not k.endswith(".hpp")},
        ],
    ),
    (
        lists.recipes_name_what_exists,
        {
            "CONTRIBUTING.md": "`a/b.cpp`, `a/c`, `gramian/d.hpp`, `a/<stem>.hpp`, `build/docs/`, `.venv/bin`",
            "a/b.cpp": "",
            "a/c/d.cpp": "",
            "cpp/include/gramian/d.hpp": "",
        },
        [{"CONTRIBUTING.md": "`a/b.cpp`", "a/b.hpp": ""}, {"CONTRIBUTING.md": "`a/b/`", "a/bc/d.cpp": ""}],
    ),
]
