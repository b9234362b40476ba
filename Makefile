# SPDX-License-Identifier: BSD-3-Clause
# `make demo` and `make test` each do all of their own set-up: a virtual environment in the checkout holds every tool, cmake and
# ninja included, so that nothing but Python >= 3.10, a C++17 compiler and make is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH_VENV := .venv-bench
JOBS ?= 2
export PATH := $(CURDIR)/$(BIN):$(PATH)

# One build tree serves the Python package and the C++ tests.
TREE := build/venv
SOURCES := $(shell find cpp python tests/cpp examples/cpp cmake CMakeLists.txt pyproject.toml -type f 2>/dev/null)

BUILD_TOOLS := "scikit-build-core>=1.0" "pybind11>=3.1" cmeel-eigen==3.4.1 cmake ninja
TEST_TOOLS := numpy scikit-learn scipy pytest pytest-benchmark hypothesis mpmath matplotlib rich threadpoolctl safetensors "dask[array,dataframe]" distributed pyarrow pybind11-stubgen==3.0.0
LINT_TOOLS := ruff==0.17.5 mypy==2.4.1 "pyright[nodejs]==1.1.414" clang-format==23.1.3
DOC_TOOLS := sphinx furo myst-parser

# The papers whose experiments are repeated: bench/paper/<key>.
PAPERS := paper-kae paper-kde paper-mce paper-dkl paper-dkpca

.PHONY: help demo test programs test-cpp test-python golden slow fuzz torch install stubs papers lint format asan tsan no-openmp \
        isa isa-v2 isa-v3 guards consume wheel sdist python-versions oldest bench bench-large $(PAPERS) docs clean

help:
	@echo "make demo     set up, build, race the engine against its peers, train autoencoders: tables, pictures in demo_output/"
	@echo "make test     set up, build, run every test"
	@echo "make golden   only the results that were recorded, after a change that should change none"
	@echo "make bench    the full benchmark with its peers, in an environment of its own"
	@echo "make bench-large  regression on many rows beside peers, hours; QUICK=1: a minute, only to see that it runs"
	@echo "make $(firstword $(PAPERS))  the experiments of a paper, one of $(PAPERS); QUICK=1: a minute, only to see that they run"
	@echo "make torch    the tests that need PyTorch, in the environment of the benchmarks"
	@echo "make docs     the documentation site, in build/docs"
	@echo "make papers   docs/papers.md, from docs/papers.ini and the citations in the sources"
	@echo "make lint     ruff, mypy, pyright, clang-format"
	@echo "make wheel    the source distribution and a wheel of it, repaired, installed where there is no compiler, and tried"
	@echo "make guards   what builds the engine once more: without OpenMP, inside of other projects, as a wheel"
	@echo "make slow     sizes beyond 32 bits, with 12 GB of memory; a million damages of a model file; fits killed at any time"
	@echo "make fuzz     libFuzzer on the reader of model files and on whole models, ten minutes each; needs clang"
	@echo "make format | stubs | asan | tsan | no-openmp | isa | consume | sdist | python-versions | oldest | clean"

$(VENV)/tools: Makefile
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "gramian needs Python 3.10 or later, this is " + sys.version)'
	@echo "build tools, NumPy, scikit-learn and pytest go into $(VENV)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet $(BUILD_TOOLS) $(TEST_TOOLS)
	touch $@

$(VENV)/installed: $(VENV)/tools $(SOURCES)
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(BIN)/python tools/install.py -Cbuild-dir=$(TREE) \
	  -Ccmake.define.GRAMIAN_TESTS=ON -Ccmake.define.GRAMIAN_EXAMPLES=ON -Cbuild.targets="_core;gramian;gramian_examples"
	touch $@

install: $(VENV)/installed

# The pattern names gram-gaussian and product-gaussian.
demo: install
	$(BIN)/python -m bench --quick --rows '[gp]r*-gaussian' --json demo_output/benchmark.json
	$(BIN)/python examples/python/demo.py

test: test-cpp test-python

# The programs of the C++ tests: what only uses the package does not wait for them.
programs: install
	$(BIN)/cmake --build $(TREE) -j $(JOBS)

test-cpp: programs
	$(BIN)/ctest --test-dir $(TREE) -j $(JOBS) --output-on-failure --no-tests=error

test-python: install
	$(BIN)/python -m pytest

# Results that were recorded: tests/golden/record.py says what for. A part of test-python.
golden: install
	$(BIN)/python -m pytest -q tests/golden

# More than 2^31 entries: 12 GB of memory and half a minute, so not in every run; and many more damages of model files.
slow: programs
	$(BIN)/python -m pytest tests/slow
	GRAMIAN_FLIPS=1000000 $(BIN)/ctest --test-dir $(TREE) -R '^io_document_hostile$$' --output-on-failure --no-tests=error

# What libFuzzer finds new is kept in build/fuzz/corpus, for the next run. A finding ends it, and leaves the input in build/fuzz. The
# second program begins with the stored files of each format version, and counts what loading takes beside the file.
FUZZ_SECONDS ?= 600
# A whole model has 25 000 features of coverage. How often each of them was met, which the entropic schedule counts, takes more time
# than models do.
FUZZ_FLAGS = -entropic=0 -max_total_time=$(FUZZ_SECONDS) -timeout=20 -artifact_prefix=build/fuzz/
fuzz: $(VENV)/tools
	$(BIN)/cmake --preset fuzz && $(BIN)/cmake --build --preset fuzz -j $(JOBS) --target fuzz_document fuzz_model
	mkdir -p build/fuzz/corpus/document build/fuzz/corpus/model
	build/fuzz/tests/fuzz/fuzz_document $(FUZZ_FLAGS) -max_len=4096 -rss_limit_mb=1024 -dict=tests/fuzz/dictionary.txt \
	  build/fuzz/corpus/document tests/fuzz/corpus/document
	build/fuzz/tests/fuzz/fuzz_model $(FUZZ_FLAGS) -max_len=131072 -rss_limit_mb=2048 -malloc_limit_mb=512 -mutate_depth=2 \
	  build/fuzz/corpus/model tests/fuzz/corpus/model tests/files/1.0

# PyTorch is no dependency, so what needs it is tested where the benchmarks have it.
torch: $(BENCH_VENV)/tools $(VENV)/tools
	$(bench_install)
	$(BENCH_VENV)/bin/python -m pytest tests/torch

# python/gramian/_core/*.pyi, from the module that is installed; a test compares.
stubs: install
	$(BIN)/python tools/stubs.py

# docs/papers.md, from docs/papers.ini and the comments that begin with a citation; a test compares. It needs no environment.
papers:
	$(PYTHON) tools/papers.py

$(VENV)/lint: $(VENV)/tools
	$(BIN)/python -m pip install --quiet $(LINT_TOOLS)
	touch $@

CXX_FILES = $(shell git ls-files --cached --others --exclude-standard '*.hpp' '*.cpp')

lint: install $(VENV)/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy python/gramian
	$(BIN)/python -m pytest -q tests/typing
	$(BIN)/clang-format --dry-run --Werror $(CXX_FILES)

format: $(VENV)/lint
	$(BIN)/ruff check --fix --exit-zero .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_FILES)

# $(call lane,<name>): the C++ tests with the CMake preset of that name.
lane = $(BIN)/cmake --preset $(1) && $(BIN)/cmake --build --preset $(1) -j $(JOBS) && $(BIN)/ctest --preset $(1) -j $(JOBS)

asan: $(VENV)/tools
	$(call lane,asan)

tsan: $(VENV)/tools
	$(call lane,tsan)

no-openmp: $(VENV)/tools
	$(call lane,no-openmp)

# The builds of the hot kernels that the best processor never uses. A quick run leaves out the folders that evaluate no kernel.
ifdef QUICK
ISA_TESTS = -L "isa|kernels|gram|ovk|layers|linalg"
endif
isa: isa-v2 isa-v3

isa-v2 isa-v3: isa-%: programs
	GRAMIAN_ISA=$* $(BIN)/ctest --test-dir $(TREE) -j $(JOBS) --output-on-failure --no-tests=error $(ISA_TESTS)
	GRAMIAN_ISA=$* $(BIN)/python -m pytest -q tests/python/test_functional.py tests/python/test_conformance.py tests/golden

# What builds the engine once more each: before a release, and where other machines do it.
guards: no-openmp consume wheel

consume: install
	tools/consume.sh $(BIN)/python

wheel: $(VENV)/tools
	tools/wheel.sh $(PYTHON)

sdist: $(VENV)/tools
	tools/sdist.sh $(PYTHON)

python-versions: $(VENV)/tools
	tools/python_versions.sh

oldest:
	tools/oldest.sh $(PYTHON)

$(BENCH_VENV)/tools: bench/requirements.txt
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip install --quiet --upgrade pip
	$(BENCH_VENV)/bin/python -m pip install --quiet $(BUILD_TOOLS) -r bench/requirements.txt
	touch $@

# gramian in the environment of the peers.
define bench_install
CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(BENCH_VENV)/bin/python -m pip install --quiet --no-build-isolation --no-deps . \
  -Cbuild-dir=build/bench
endef

bench: $(BENCH_VENV)/tools $(VENV)/tools
	$(bench_install)
	$(BENCH_VENV)/bin/python -m bench $(BENCH_ARGS)

# Tables, a JSON file for each set and a picture in bench/results/large; LARGE_ARGS: names of sets and options.
ifdef QUICK
bench-large: install
	$(BIN)/python -m bench.large --quick --output build/large $(LARGE_ARGS)
else
bench-large: $(BENCH_VENV)/tools $(VENV)/tools
	$(bench_install)
	$(BENCH_VENV)/bin/python -m bench.large $(LARGE_ARGS)
endif

# Tables, a JSON file and pictures in bench/results/paper. A quick run has neither PyTorch nor much data, and its figures mean nothing.
ifdef QUICK
$(PAPERS): paper-%: install
	$(BIN)/python -m bench.paper $* --quick --output build/paper
else
$(PAPERS): paper-%: $(BENCH_VENV)/tools $(VENV)/tools
	$(bench_install)
	$(BENCH_VENV)/bin/python -m bench.paper $* $(PAPER_ARGS)
endif

# Every page is read anew: a C++ symbol that went from one page to another would be on both for a while.
docs: install
	$(BIN)/python -m pip install --quiet $(DOC_TOOLS)
	$(BIN)/python -m sphinx -E -W --keep-going -b html docs build/docs

clean:
	rm -rf build dist demo_output $(VENV) $(BENCH_VENV) third_party/eigen docs/_generated bench/results
