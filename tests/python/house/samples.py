# SPDX-License-Identifier: BSD-3-Clause
"""The rules, each with a tree that keeps it and trees that break it: no rule passes by seeing nothing."""

from __future__ import annotations

from house import citations, habits, layers, papers, prose, sizes
from house.tree import Rule, Tree

SRC, PUBLIC = layers.PRIVATE, layers.PUBLIC
LICENCE = f"# {habits.SPDX}\n"
LONG_BODY = "  work();\n" * 60
VERSION = "".join(f"#define GRAMIAN_VERSION{part}\n" for part in ("_MAJOR 9", "_MINOR 8", "_PATCH 7", ' "9.8.7"'))
VERSIONED = {prose.VERSION_HEADER: VERSION, "CHANGELOG.md": "# Changelog\n\n## [9.8.7] - 2030-01-01\n\n## [9.8.6]\n"}
REFERENCES = {"docs/references.md": "**[KAE]**\n: A paper.\n\n**[Philox]**\n: Another.\n"}

PAPERS = {
    **REFERENCES,
    papers.LIST: "[KAE]\n(1) = not needed: a bound\n    Theory.\nAlg. 1 = departs: steps\n    Long.\n(2) = exact: x\n",
    "cpp/src/a/a.cpp": "int f() {\n  // [KAE] Alg. 1, line 8: a step\n}\n",
    "python/gramian/a.py": "x = 1  # [KAE] (2): the value\n",
}


def includes(path: str, *targets: str) -> dict[str, str]:
    return {path: "".join(f"#include {target}\n" for target in targets)}


# Rule, a tree that keeps it, trees that break it each in one way.
RULES: list[tuple[Rule, Tree, list[Tree]]] = [
    (
        layers.no_arrow_goes_up,
        {
            **includes(
                SRC + "gram/a.cpp", '"gram/b.hpp"', '"kernels/k.hpp"', '"gramian/base/view.hpp"', '"isa/dispatch.hpp"'
            ),
            **includes(
                SRC + "models/m.cpp", '"gramian/losses/l.hpp"', '"gramian/optim/adam.hpp"', '"io/file.hpp"', "<vector>"
            ),
            **includes(SRC + "kernels/registry.hpp", '"kernels/cosine.hpp"'),
            **includes(SRC + "kernels/cosine.hpp", '"isa/exp2.hpp"'),
            **includes(SRC + "isa/tile.hpp", '"kernels/profile.hpp"', '"kernels/cosine.hpp"', '"isa/vec.hpp"'),
            **includes(PUBLIC + "gramian.hpp", '"gramian/models/m.hpp"'),
            **includes(SRC + "linalg/a.cpp", '"gramian/eigen.hpp"', '"isa/dense_table.hpp"'),
            SRC + "base/a.cpp": '// #include "gram/b.hpp"\n/*\n#include "gram/b.hpp"\n*/\n',
        },
        [
            includes(SRC + "base/a.cpp", '"linalg/b.hpp"'),
            includes(PUBLIC + "base/a.hpp", '"gramian/gram/b.hpp"'),
            includes(SRC + "base/a.cpp", '"isa/table.hpp"'),
            includes(SRC + "base/a.cpp", '"gramian/gramian.hpp"'),
            includes(SRC + "gram/a.cpp", '"isa/vec.hpp"'),
            includes(SRC + "kernels/node.hpp", '"isa/exp2.hpp"'),
            includes(SRC + "isa/a.hpp", '"gramian/base/index.hpp"'),
            includes(SRC + "isa/a.hpp", '"kernels/node.hpp"'),
            includes(SRC + "isa/a.hpp", '"gramian/eigen.hpp"'),
            includes(SRC + "losses/a.cpp", '"linalg/b.hpp"'),
            includes(SRC + "optim/a.cpp", '"kernels/b.hpp"'),
            includes(SRC + "layers/a.cpp", '"gramian/models/b.hpp"'),
            includes(SRC + "io/a.cpp", '"gramian/models/b.hpp"'),
            includes(SRC + "helpers/a.cpp", "<vector>"),
        ],
    ),
    (
        layers.public_headers_are_plain,
        {
            **includes(PUBLIC + "base/a.hpp", "<cstdint>", '"gramian/base/b.hpp"'),
            **includes(PUBLIC + "eigen.hpp", "<Eigen/Core>"),
        },
        [
            includes(PUBLIC + "base/a.hpp", x)
            for x in ("<Eigen/Core>", "<omp.h>", "<Python.h>", '"base/b.hpp"', '"gramian/eigen.hpp"')
        ],
    ),
    (
        layers.nothing_below_python_knows_it,
        includes(SRC + "base/a.cpp", "<vector>"),
        [includes(SRC + "build.cpp", x) for x in ("<Python.h>", "<pybind11/numpy.h>", '"numpy/arrayobject.h"')],
    ),
    (
        layers.openmp_has_one_home,
        {
            SRC + "base/parallel_openmp.cpp": "#include <omp.h>\n#pragma omp parallel\n",
            SRC + "gram/a.cpp": "// no OpenMP\n",
        },
        [
            {SRC + "gram/a.cpp": "void f() {\n#pragma omp parallel for\n}\n"},
            {"tests/cpp/base/test_a.cpp": "#  pragma omp simd\n"},
            {SRC + "isa/vec.hpp": '#define LOOP _Pragma("omp simd")\n'},
            {SRC + "base/memory.cpp": "#include <omp.h>\n"},
        ],
    ),
    (
        layers.bindings_see_public_headers,
        {
            **includes(
                "python/src/bind_a.cpp", "<pybind11/stl.h>", "<string>", '"arrays.hpp"', '"gramian/base/view.hpp"'
            ),
            "python/src/arrays.hpp": "",
            PUBLIC + "base/view.hpp": "",
        },
        [
            includes("python/src/bind_a.cpp", x)
            for x in (
                '"gram/tiles.hpp"',
                '"gramian/gram/tiles.hpp"',
                "<Eigen/Core>",
                "<omp.h>",
                "<pybind11/eigen.h>",
                '"gramian/eigen.hpp"',
            )
        ],
    ),
    (
        layers.hot_kernels_define_nothing_shared,
        {
            **includes(SRC + "isa/build.cpp", '"isa/tile.hpp"'),
            **includes(SRC + "isa/tile.hpp", "<cstdint>", "<immintrin.h>"),
            **includes(SRC + "isa/cpu.cpp", "<string>"),
        },
        [
            includes(SRC + "isa/build.cpp", "<cmath>"),
            {**includes(SRC + "isa/build.cpp", '"isa/tile.hpp"'), **includes(SRC + "isa/tile.hpp", "<algorithm>")},
            {**includes(SRC + "isa/build.cpp", '"gramian/base/a.hpp"'), **includes(PUBLIC + "base/a.hpp", "<string>")},
        ],
    ),
    (
        layers.python_arrows_point_down,
        {
            "python/gramian/a.py": "from . import examples\nfrom .bench import b\n",
            "bench/a.py": "import gramian\nfrom bench.b import c\n",
            "examples/python/a.py": "import numpy as np\nimport gramian.kernels\n",
            "tests/python/naive.py": "",
            "tests/python/test_a.py": "from naive import gram\n",
            "tests/python/bench/test_a.py": "from bench import a\n",
        },
        [
            {"python/gramian/a.py": "import bench.data\n"},
            {"examples/python/a.py": "def f():\n    from bench import data\n"},
            {"examples/python/a.py": "import os, tests.python.naive\n"},
            {"examples/python/a.py": "from naive import gram\n", "tests/python/naive.py": ""},
            {"bench/a.py": "import house.tree\n", "tests/python/house/tree.py": ""},
            {"bench/a.py": "from demo import circles\n", "examples/python/demo.py": ""},
            {"tests/python/test_a.py": "from bench.data import points\n"},
            {"tests/slow/test_a.py": "import bench\n"},
        ],
    ),
    (
        sizes.files_are_small,
        {
            "a.py": "\n" * 400,
            "bind_a.cpp": "\n" * 150,
            "tests/cpp/support/check.hpp": "\n" * 120,
            "README.md": "\n" * 900,
        },
        [{"a.py": "\n" * 401}, {"a/CMakeLists.txt": "\n" * 401}, {"python/src/bind_a.cpp": "\n" * 151}]
        + [{"tests/cpp/support/check.hpp": "\n" * 121}],
    ),
    (
        sizes.cxx_functions_are_small,
        {
            "a.cpp": "namespace a {\nstruct B {\n  int b() { return 1; }\n"
            + "  int c;\n" * 99
            + "};\nint t[] = {\n"
            + "1,\n" * 99
            + "};\n}\n"
        },
        [
            {"a.cpp": "void f() {\n" + LONG_BODY + "}\n"},
            {
                "a.cpp": "namespace a {\ntemplate <class T, class U = B<T>>\nT f(T x) noexcept {\n"
                + LONG_BODY
                + "}\n}\n"
            },
            {"a.cpp": "A::A(int x) : b_{x}, c_{} {\n" + LONG_BODY + "}\n"},
            {"a.hpp": "class A : public B {\n public:\n  void f() const override {\n" + LONG_BODY + "  }\n};\n"},
            {"a.cpp": "TEST(name) {\n  const char* s = \"}\"; char c = '}'; // }\n" + LONG_BODY + "}\n"},
        ],
    ),
    (
        sizes.python_functions_are_small,
        {"a.py": "class A:\n" + "    x = 1\n" * 99 + "def f():\n" + "    pass\n" * 59},
        [
            {"a.py": "def f():\n" + "    pass\n" * 60},
            {"a.py": "class A:\n    async def f(self):\n" + "        pass\n" * 60},
        ],
    ),
    (
        habits.no_unsafe_math,
        {"CMakeLists.txt": "-O3 -ffp-contract=off", "a.cpp": '#error "not with -f' + 'fast-math"\n'},
        [
            {"a.cpp": "#pragma GCC opt" + 'imize("fast-math")\n'},
            {"cmake/a.cmake": "-f" + "fast-math"},
            {"Makefile": "CXXFLAGS := -O" + "fast"},
        ],
    ),
    (
        habits.nothing_prints_or_aborts,
        {SRC + "base/a.cpp": '// printf("x")\nauto s = "exit(1)"; std::snprintf(b, 3, "x"); static_assert(true);\n'},
        [
            {SRC + "base/a.cpp": 'std::cout << "x";'},
            {PUBLIC + "base/a.hpp": 'std::printf("x");'},
            {"python/src/a.cpp": "std::abort();"},
            {SRC + "base/a.cpp": "if (x) exit(1);"},
        ],
    ),
    (
        habits.sources_are_licensed,
        {"a.py": LICENCE, "a.sh": "#!/bin/sh\n" + LICENCE, "a.cpp": LICENCE.replace("#", "//"), "py.typed": ""},
        [{"a.py": "import os\n" + LICENCE}, {"Makefile": "all:\n"}, {"a.hpp": "#pragma once\n"}],
    ),
    (
        habits.cxx_tests_have_twins,
        {
            "tests/cpp/base/test_a.cpp": "",
            PUBLIC + "base/a.hpp": "",
            "tests/cpp/models/m/test_fit_edges.cpp": "",
            SRC + "models/m/fit.cpp": "",
            "tests/cpp/base/test_eigen.cpp": "",
            PUBLIC + "eigen.hpp": "",
        },
        [
            {"tests/cpp/base/test_a.cpp": ""},
            {"tests/cpp/base/test_a.cpp": "", SRC + "base/ab.cpp": ""},
            {"tests/cpp/models/m/test_fit.cpp": "", SRC + "models/n/fit.cpp": ""},
        ],
    ),
    (
        habits.sources_are_built,
        {
            SRC + "base/a.cpp": "",
            "cpp/CMakeLists.txt": "GLOB src/*.cpp",
            "python/src/b.cpp": "",
            "python/CMakeLists.txt": "GLOB src/*.cpp",
        },
        [
            {SRC + "base/a.cpp": "", "cpp/CMakeLists.txt": "src/base/b.cpp"},
            {"python/src/bind_a.cpp": "", "python/CMakeLists.txt": ""},
        ],
    ),
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
        prose.headers_are_listed,
        {
            "cpp/include/gramian/a/b.hpp": "",
            "cpp/include/gramian/a/c.hpp": "",
            "docs/api.md": "`gramian/a/b.hpp`, `c.hpp`",
        },
        [
            {"cpp/include/gramian/a/b.hpp": "", "docs/api.md": "`gramian/a/bb.hpp`"},
            {"cpp/include/gramian/a/b.hpp": ""},
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
]
