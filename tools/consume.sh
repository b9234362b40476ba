#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds and runs tests/cpp/consume against gramian in each way that an embedder can have it:
#   tools/consume.sh [python] [way...]     ways: install subdirectory wheel pkgconfig (default: all)
# python is that of the environment that has cmake, ninja, Eigen's package and the installed wheel; default .venv/bin/python.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
python=${1:-$root/.venv/bin/python}
[ $# -gt 0 ] && shift
ways=("$@")
[ ${#ways[@]} -gt 0 ] || ways=(install subdirectory wheel pkgconfig)

python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python")
bin=$(dirname "$python")
build=$root/build/consume
source=$root/tests/cpp/consume
prefix=$build/prefix
version=$(sed -n 's/^#define GRAMIAN_VERSION "\(.*\)"$/\1/p' "$root/cpp/include/gramian/version.hpp")

fail() {
  echo "consume: $*" >&2
  exit 1
}

[ -x "$bin/cmake" ] || fail "no cmake beside $python; install the build requirements there"
generator=()
[ -x "$bin/ninja" ] && generator=(-G Ninja "-DCMAKE_MAKE_PROGRAM=$bin/ninja")

# The embedder's own Eigen; without one the program leaves out gramian/eigen.hpp and says so.
eigen=$root/third_party/eigen
if [ ! -f "$eigen/Eigen/Core" ]; then
  eigen=$("$python" -c 'import importlib.metadata as m
print(m.distribution("cmeel-eigen").locate_file("cmeel.prefix/include/eigen3"))' 2>/dev/null || true)
fi

# Runs a command quietly; its output is shown only if it fails.
quietly() {
  local log=$build/log.txt
  "$@" >"$log" 2>&1 || { cat "$log" >&2; fail "failed: $*"; }
}

cmake_build() { # folder, source, cmake options
  local folder=$1 from=$2
  shift 2
  quietly "$bin/cmake" -S "$from" -B "$folder" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release "-DPython_EXECUTABLE=$python" "$@"
  quietly "$bin/cmake" --build "$folder" --parallel 2
}

consume() { # name of the way, cmake options
  local name=$1
  shift
  rm -rf "$build/$name/CMakeCache.txt"
  cmake_build "$build/$name" "$source" "-DCONSUMER_EIGEN_DIR=$eigen" "$@"
  "$build/$name/consume"
}

# Installed under one name and used under another: nothing in the tree may know where it was installed.
install_tree() {
  [ -z "${installed:-}" ] || return 0
  cmake_build "$build/library" "$root" -DGRAMIAN_PYTHON=OFF -DGRAMIAN_TESTS=OFF -DGRAMIAN_EXAMPLES=OFF -DCMAKE_INSTALL_LIBDIR=lib
  rm -rf "$prefix" "$prefix.first"
  quietly "$bin/cmake" --install "$build/library" --prefix "$prefix.first"
  mv "$prefix.first" "$prefix"
  installed=yes
}

way_install() {
  install_tree
  consume install "-Dgramian_DIR=$prefix/lib/cmake/gramian" "-DGRAMIAN_REQUIRED_VERSION=$version"
}

way_subdirectory() { consume subdirectory "-DGRAMIAN_SOURCE_DIR=$root"; }

way_wheel() {
  local dir
  dir=$(cd "$build" && "$python" -c 'import gramian; print(gramian.get_cmake_dir())') ||
    fail "gramian is not installed for $python"
  consume wheel "-Dgramian_DIR=$dir" "-DGRAMIAN_REQUIRED_VERSION=$version"
}

way_pkgconfig() {
  if ! command -v pkg-config >/dev/null; then
    echo "no pkg-config on this machine: not tried"
    return 0
  fi
  install_tree
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  quietly pkg-config --print-errors --exact-version="$version" gramian
  local libdir with_eigen=()
  libdir=$(pkg-config --variable=libdir gramian)
  [ -z "$eigen" ] || with_eigen=(-DCONSUMER_HAS_EIGEN -isystem "$eigen")
  # shellcheck disable=SC2046  # the flags are words
  quietly "${CXX:-c++}" -std=c++17 -O2 "${with_eigen[@]}" $(pkg-config --cflags gramian) "$source/main.cpp" \
    -o "$build/consume_pkgconfig" $(pkg-config --libs gramian) "-Wl,-rpath,$libdir"
  "$build/consume_pkgconfig"
}

mkdir -p "$build"
for way in "${ways[@]}"; do
  declare -F "way_$way" >/dev/null || fail "no way '$way': install subdirectory wheel pkgconfig"
  echo "== $way"
  "way_$way"
done
echo "consume: ${ways[*]}: all right"
