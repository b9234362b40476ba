#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the checkout with each Python that gramian supports and that is on this machine, and runs all Python tests with it:
#   tools/python_versions.sh [version...]     versions: 3.10 3.11 3.12 3.13 3.14 (default: all)
# Interpreters are looked for on PATH and among those of pyenv. One line for each version; the output of a failure is shown.
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
versions=("$@")
[ ${#versions[@]} -gt 0 ] || versions=(3.10 3.11 3.12 3.13 3.14)
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-${JOBS:-2}} PIP_DISABLE_PIP_VERSION_CHECK=1

# Prints the first interpreter that runs and is of the version: a shim on PATH may be there and not run.
find_python() {
  local candidate
  for candidate in "$(type -P "python$1")" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/"python$1"; do
    if [ -x "$candidate" ] && [ "$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = "$1" ]; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

test_version() { # version, interpreter
  local folder=$root/build/py$1
  rm -rf "$folder"
  "$2" -m venv "$folder" &&
    "$folder/bin/python" -m pip install --quiet --upgrade pip &&
    (cd "$root" && "$folder/bin/python" -m pip install --quiet ".[test,plots]" && "$folder/bin/python" -m pytest -q)
}

failed=0
mkdir -p "$root/build"
for version in "${versions[@]}"; do
  if ! python=$(find_python "$version"); then
    echo "Python $version: not found"
    continue
  fi
  log=$root/build/py$version.txt
  SECONDS=0
  if test_version "$version" "$python" >"$log" 2>&1; then
    echo "Python $version: ok, $(tail -n 1 "$log"), $SECONDS s in all"
  else
    failed=1
    cat "$log"
    echo "Python $version: FAILED, $SECONDS s"
  fi
done
exit $failed
