// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/build.hpp"

#include <Eigen/Core>

#include "gramian/version.hpp"
#include "isa/dispatch.hpp"

namespace gramian {
namespace {

std::string compiler() {
#if defined(__clang__)
  return std::string("clang ") + __clang_version__;
#elif defined(__GNUC__)
  return std::string("gcc ") + __VERSION__;
#elif defined(_MSC_VER)
  return "msvc " + std::to_string(_MSC_FULL_VER);
#else
  return "unknown";
#endif
}

std::string eigen() {
  return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION);
}

}  // namespace

BuildReport build_report() {
  const isa::Choice& choice = isa::choice();
  return {GRAMIAN_VERSION, choice.table->name, choice.reason, compiler(), "none: the engine's own kernels", eigen()};
}

}  // namespace gramian
