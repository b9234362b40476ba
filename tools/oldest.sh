#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the checkout beside the oldest NumPy and scikit-learn that it supports, and runs the tests of its Python side there:
#   tools/oldest.sh [python]     of version 3.10 or 3.11: later ones have no binaries of these releases
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
python=${1:-python3}
folder=$root/build/oldest
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-${JOBS:-2}} PIP_DISABLE_PIP_VERSION_CHECK=1

"$python" -c 'import sys; sys.exit(sys.version_info >= (3, 12) and "the oldest NumPy that gramian supports needs Python 3.10 or 3.11")'
rm -rf "$folder"
"$python" -m venv "$folder"
cd "$root"
"$folder/bin/python" -m pip install --quiet --constraint tools/oldest_requirements.txt ".[test,plots]"

# Not of the releases: stubs and sources of the house, experiments and benchmarks, and how many modules NumPy itself imports.
# This NumPy warns of ragged arrays, which are then refused as any others.
"$folder/bin/python" -m pytest -q -W "ignore:Creating an ndarray from ragged" \
  --ignore tests/python/house --ignore tests/python/bench --ignore tests/python/test_house.py --ignore tests/python/test_stubs.py \
  --deselect tests/python/test_import.py::test_import_adds_few_modules tests/python
