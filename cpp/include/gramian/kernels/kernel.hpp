// SPDX-License-Identifier: BSD-3-Clause
// A kernel as a value, and the list of the kernels there are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gramian/base/export.hpp"

namespace gramian {

struct ParameterInfo {
  std::string name;
  std::string meaning;  ///< one sentence
  double lower;         ///< the parameter is finite and greater than this
};

struct KernelInfo {
  std::string name;     ///< "gaussian"
  std::string formula;  ///< LaTeX
  std::vector<ParameterInfo> parameters;
};

/// Every kernel of the engine, in the order of the registry. Bindings, conformance tests and the documentation iterate this list.
GRAMIAN_API const std::vector<KernelInfo>& kernel_registry();

/// k(x, y), immutable and cheap to copy.
class GRAMIAN_API Kernel {
 public:
  /// The kernel that the registry calls `name`, with its parameters in the registry's order.
  /// Throws std::invalid_argument for an unknown name (the message lists all), a wrong number of parameters, one out of range.
  Kernel(const std::string& name, const std::vector<double>& parameters);

  const KernelInfo& info() const;
  const std::vector<double>& parameters() const;

  struct Node;
  const Node& node() const { return *node_; }  ///< for the engine

 private:
  std::shared_ptr<const Node> node_;
};

}  // namespace gramian
