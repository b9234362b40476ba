# SPDX-License-Identifier: BSD-3-Clause
"""The rules, each with a tree that keeps it and trees that break it: no rule passes by seeing nothing."""

from __future__ import annotations

from house import families, habits, layers, samples_of_package, samples_of_recipes, samples_of_writing, sizes
from house.tree import Rule, Tree

SRC, PUBLIC = layers.PRIVATE, layers.PUBLIC
LICENCE = f"# {habits.SPDX}\n"
LONG_BODY = "  work();\n" * 60


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
            **includes(SRC + "models/m.cpp", '"gramian/losses/l.hpp"', '"gramian/optim/adam.hpp"', "<vector>"),
            **includes(SRC + "models/n.cpp", '"io/json.hpp"'),
            **includes(SRC + "io/a.cpp", '"gramian/base/error.hpp"', '"io/json.hpp"'),
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
            includes(SRC + "io/a.cpp", '"gramian/linalg/b.hpp"'),
            includes(SRC + "layers/a.cpp", '"gramian/io/document.hpp"'),
            includes(SRC + "optim/a.cpp", '"kernels/b.hpp"'),
            includes(SRC + "layers/a.cpp", '"gramian/models/b.hpp"'),
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
            SRC + "base/parallel_backend_openmp.cpp": "#include <omp.h>\n#pragma omp parallel\n",
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
        layers.python_families_do_not_meet,
        {
            "python/gramian/__init__.py": "from gramian.models import A\n",
            "python/gramian/models/a/fit.py": "from gramian.models._shared.b import c\n"
            "from gramian.models.a.d import e\n",
            "python/gramian/models/_shared/b.py": "from gramian.models._shared.f import g\n",
            "python/gramian/dask/a.py": "from gramian.dask.b import c\nfrom gramian.models.a.fit import d\n",
        },
        [
            {"python/gramian/models/a/fit.py": "from gramian.models.b.fit import c\n"},
            {"python/gramian/models/_shared/b.py": "from gramian.models.a.fit import c\n"},
            {"python/gramian/points.py": "from gramian.models._shared.b import c\n"},
            {"python/gramian/models/a/fit.py": "from gramian.dask.b import c\n"},
        ],
    ),
    (
        families.families_know_no_other,
        {
            **includes(
                SRC + "models/a/fit.cpp", '"gramian/models/a.hpp"', '"models/layered/b.hpp"', '"models/a/c.hpp"'
            ),
            **includes(SRC + "models/a/store.cpp", '"serving/stored/writer.hpp"'),
            **includes(PUBLIC + "models/a.hpp", '"gramian/layers/layer.hpp"'),
            **includes(PUBLIC + "models/a/b.hpp", '"gramian/models/a.hpp"'),
        },
        [
            includes(SRC + "models/a/fit.cpp", '"models/b/c.hpp"'),
            includes(SRC + "models/a/fit.cpp", '"gramian/models/b.hpp"'),
            includes(PUBLIC + "models/a.hpp", '"gramian/models/b/c.hpp"'),
            includes(SRC + "models/layered/a.cpp", '"models/a/c.hpp"'),
        ],
    ),
    (
        families.families_have_a_namespace,
        {
            SRC + "models/a/fit.cpp": "namespace gramian::a {\n\nnamespace {\n}\n}  // namespace gramian::a\n",
            PUBLIC + "models/layered.hpp": "namespace gramian {\n}\n",
        },
        [
            {SRC + "models/a/fit.cpp": "namespace gramian {\n}\n"},
            {PUBLIC + "models/a.hpp": "namespace gramian::b {\n}\n"},
        ],
    ),
    (
        families.families_call_no_other,
        {
            families.PYTHON + "a/fit.py": "_core.a.fit(_core.gram.gram(X))\n",
            families.PYTHON + "_shared/b.py": "_core.layered.Limits()\n",
        },
        [
            {families.PYTHON + "a/fit.py": "_core.b.fit(X)\n", families.PYTHON + "b/fit.py": ""},
            {families.PYTHON + "_shared/b.py": "_core.a.Options()\n", families.PYTHON + "a/fit.py": ""},
        ],
    ),
    (
        families.families_are_folders,
        {PUBLIC + "models/a.hpp": "", SRC + "models/a/fit.cpp": "", families.PYTHON + "__init__.py": ""},
        [
            {SRC + "models/a.cpp": ""},
            {PUBLIC + "models/a.hpp": "", SRC + "models/ab/fit.cpp": ""},
            {families.PYTHON + "a.py": ""},
            {"tests/cpp/models/test_a.cpp": ""},
            {"tests/python/models/test_a.py": ""},
        ],
    ),
    (
        families.bodies_have_the_stem_of_their_header,
        {
            PUBLIC + "gram/a.hpp": "namespace g {\nclass A {\n public:\n  A();\n  int b() const { return 1; }\n};\n}\n",
            SRC + "gram/a.cpp": "",
            SRC + "gram/b.hpp": "template <class T>\nT f(T x) {\n  return g(x);\n}\n",
            SRC + "gram/c.hpp": "struct B {\n  int c{};\n  using D = int();\n  virtual void f() = 0;\n};\n",
            PUBLIC + "models/a.hpp": "void fit();\n",
            SRC + "models/a/fit.cpp": "",
            SRC + "base/d.hpp": "void f();\n",
            SRC + "base/d_one.cpp": "",
        },
        [
            {PUBLIC + "gram/a.hpp": "void f();\n"},
            {PUBLIC + "gram/a.hpp": "double f(int x) noexcept;\n", SRC + "gram/ab.cpp": ""},
            {SRC + "gram/a.hpp": "class A {\n public:\n  A(int b, std::vector<int> c);\n};\n", SRC + "gram/b.cpp": ""},
            {SRC + "gram/a.hpp": "struct A {\n  int b() const;\n};\n", SRC + "layers/a.cpp": ""},
        ],
    ),
    (
        sizes.files_are_small,
        {
            "python/gramian/a.py": '"""\n' + "A.\n" * 400 + '"""\n# b\n\n' + "a = 1\n" * 250,
            "tests/a.py": "a = 1\n" * 350,
            "bind_a.cpp": "\n" * 150,
            "tests/cpp/support/check.hpp": "\n" * 120,
            "README.md": "\n" * 900,
        },
        [{"python/gramian/a.py": "a = 1\n" * 251}, {"tests/a.py": "a = 1\n" * 351}]
        + [{"a/CMakeLists.txt": "\n" * 401}, {"python/src/bind_a.cpp": "\n" * 151}]
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
        {"a.py": "class A:\n" + "    x = 1\n" * 99 + 'def f():\n    """A.\n\n    B."""\n    # c\n' + "    pass\n" * 59},
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
        habits.models_have_tests,
        {
            SRC + "models/m/fit.cpp": "",
            "tests/cpp/models/m/test_fit_edges.cpp": "",
            SRC + "models/m/fit.hpp": "",
            SRC + "gram/full.cpp": "",
        },
        [
            {SRC + "models/m/fit.cpp": ""},
            {SRC + "models/m/fit.cpp": "", "tests/cpp/models/n/test_fit.cpp": ""},
            {SRC + "models/m/fit.cpp": "", "tests/cpp/models/m/test_fitted.cpp": ""},
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
    *samples_of_package.RULES,
    *samples_of_recipes.RULES,
    *samples_of_writing.RULES,
]
