#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Everything that docs/embedding.md and README.md promise to whoever embeds gramian in C++:
#   tools/consume.sh [python] [way...]     ways: subdirectory fetch install wheel pkgconfig page readme (default: all)
# python is that of the environment that has cmake, ninja, Eigen's package and the installed wheel; default .venv/bin/python.
# The ways run what these pages say, from their own text (tools/page_programs.py), and the checks of tests/cpp/consume. The library is
# built twice, by add_subdirectory and by FetchContent; the first build is also the one that is installed.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
python=${1:-$root/.venv/bin/python}
[ $# -gt 0 ] && shift
ways=("$@")
[ ${#ways[@]} -gt 0 ] || ways=(subdirectory fetch install wheel pkgconfig page readme)

python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python")
bin=$(dirname "$python")
build=$root/build/consume
source=$root/tests/cpp/consume
prefix=$build/prefix
guide=$root/docs/embedding.md
version=$(sed -n 's/^#define GRAMIAN_VERSION "\(.*\)"$/\1/p' "$root/cpp/include/gramian/version.hpp")

fail() {
  echo "consume: $*" >&2
  exit 1
}

[ -x "$bin/cmake" ] && [ -x "$bin/ninja" ] || fail "no cmake and ninja beside $python; install the build requirements there"
eigen=$("$python" -m cmeel cmake 2>/dev/null)/include/eigen3

# Runs a command quietly; its output is shown only if it fails.
quietly() {
  local log=$build/log.txt
  "$@" >"$log" 2>&1 || { cat "$log" >&2; fail "failed: $*"; }
}

run_page() { # page, options of page_programs.py
  "$python" "$root/tools/page_programs.py" "$1" "$build/$(basename "$1" .md)" --prefix "$prefix" \
    --clone-from "file://$build/repository" "${@:2}"
}

# What the next commit would have, as a repository that can be cloned.
make_repository() {
  [ -z "${repository:-}" ] || return 0
  local git=(git "--git-dir=$build/repository" "--work-tree=$root" -c user.name=consume -c user.email=consume)
  rm -rf "$build/repository"
  quietly git init --bare -b main "$build/repository"
  quietly "${git[@]}" add -A
  quietly "${git[@]}" commit -m sources
  repository=yes
}

way_subdirectory() {
  make_repository
  run_page "$guide" --only add_subdirectory
}

way_fetch() {
  make_repository
  run_page "$guide" --only FetchContent
}

# Installed under one name and used under another: nothing in the tree may know where it was installed.
install_tree() {
  [ -z "${installed:-}" ] || return 0
  [ -d "$build/embedding/add_subdirectory/build" ] || way_subdirectory
  rm -rf "$prefix" "$prefix.first"
  quietly "$bin/cmake" --install "$build/embedding/add_subdirectory/build" --prefix "$prefix.first"
  mv "$prefix.first" "$prefix"
  installed=yes
}

consume() { # name of the way, folder of gramian's CMake package
  local options=("-Dgramian_DIR=$2" "-DGRAMIAN_REQUIRED_VERSION=$version" "-DCONSUMER_EIGEN_DIR=$eigen")
  rm -rf "$build/$1/CMakeCache.txt"
  quietly "$bin/cmake" -S "$source" -B "$build/$1" -G Ninja "-DCMAKE_MAKE_PROGRAM=$bin/ninja" "${options[@]}"
  quietly "$bin/cmake" --build "$build/$1"
  "$build/$1/consume"
}

has_pkgconfig() {
  command -v pkg-config >/dev/null || { echo "no pkg-config on this machine: not tried"; return 1; }
}

way_install() {
  install_tree
  consume install "$prefix/lib/cmake/gramian"
}

way_wheel() {
  local dir
  dir=$(cd "$build" && "$python" -c 'import gramian; print(gramian.get_cmake_dir())') ||
    fail "gramian is not installed for $python"
  consume wheel "$dir"
}

way_pkgconfig() {
  has_pkgconfig || return 0
  install_tree
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  quietly pkg-config --print-errors --exact-version="$version" gramian
  # shellcheck disable=SC2046  # the flags are words
  quietly "${CXX:-c++}" -std=c++17 -DCONSUMER_HAS_EIGEN -isystem "$eigen" $(pkg-config --cflags gramian) "$source/main.cpp" \
    -o "$build/consume_pkgconfig" $(pkg-config --libs gramian)
  env -u LD_LIBRARY_PATH "$build/consume_pkgconfig"
}

way_page() {
  has_pkgconfig || return 0
  install_tree
  run_page "$guide" --skip add_subdirectory FetchContent
}

# The machine of README.md has neither an Eigen nor an installed tree: only what its page lists.
way_readme() { run_page "$root/README.md" --prefix /nowhere --only "From C++"; }

mkdir -p "$build"
for way in "${ways[@]}"; do
  declare -F "way_$way" >/dev/null || fail "no way '$way': subdirectory fetch install wheel pkgconfig page readme"
  echo "== $way"
  "way_$way"
done
echo "consume: ${ways[*]}: all right"
