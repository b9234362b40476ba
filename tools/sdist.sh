#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Packs a source distribution, and builds and installs a wheel of it as one has to where there is no network:
#   tools/sdist.sh [python]
# Packing needs the Python index; the result is in dist/, the wheel, not yet fit for other machines, in build/wheel-raw.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
python=${1:-python3}
tools=$root/build/sdist-env
try=$root/build/sdist-try
raw=$root/build/wheel-raw
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-${JOBS:-2}} PIP_DISABLE_PIP_VERSION_CHECK=1

say() { echo "sdist: $*"; }

# Packing puts Eigen's headers under third_party/eigen. If they were not there before they go again: builds of this checkout that
# find them there would start anew.
pack() {
  [ -e "$root/third_party/eigen" ] || trap 'rm -rf "$root/third_party/eigen"' EXIT
  rm -rf "$tools"
  "$python" -m venv "$tools"
  "$tools/bin/python" -m pip install --quiet build
  mkdir -p "$root/dist"
  rm -f "$root"/dist/gramian-*.tar.gz
  (cd "$root" && "$tools/bin/python" -m build --sdist --outdir dist .)
}

# Runs a command without network: in a namespace of its own where that is allowed.
offline() {
  if unshare -rn true 2>/dev/null; then
    unshare -rn "$@"
  else
    say "no network namespaces here: pip alone is kept from the network"
    "$@"
  fi
}

# The environment that an offline builder has: build tools and run-time dependencies, but no package of Eigen.
install_offline() {
  rm -rf "$try" "$raw"
  "$python" -m venv "$try"
  "$try/bin/python" -m pip install --quiet scikit-build-core pybind11 cmake ninja numpy scikit-learn
  if "$try/bin/python" -m pip show --quiet cmeel-eigen 2>/dev/null; then
    say "the environment has a package of Eigen" >&2
    return 1
  fi
  (cd / && PATH="$try/bin:$PATH" PIP_NO_INDEX=1 offline \
    "$try/bin/python" -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir "$raw" "$1")
  (cd / && "$try/bin/python" -m pip install --quiet --no-index --no-deps "$raw"/gramian-*.whl)
}

pack
sdists=("$root"/dist/gramian-*.tar.gz)
say "$("$python" "$root/tools/package_contents.py" "${sdists[0]}")"
install_offline "${sdists[0]}"
(cd / && "$try/bin/python" "$root/tools/wheel_smoke.py")
