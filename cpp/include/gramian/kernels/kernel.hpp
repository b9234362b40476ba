// SPDX-License-Identifier: BSD-3-Clause
// Kernels as values, and the registry of kernels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/kernels/traits.hpp"

namespace gramian {

/// A parameter of a kernel: its name, its meaning and its range.
struct ParameterInfo {
  std::string name;
  std::string meaning;  ///< one sentence
  double lower;         ///< the parameter is finite and greater than this ...
  bool inclusive;       ///< ... or equal to it, if this is set
  bool whole;           ///< and a whole number, if this is set
  double upper;         ///< it is at most this: infinity but for whole numbers
};

/// A kernel of the registry.
struct KernelInfo {
  std::string name;     ///< "gaussian"
  std::string formula;  ///< LaTeX
  std::vector<ParameterInfo> parameters;
  bool needs_coordinates;  ///< a product over coordinates: it can't be evaluated from inner products alone
  KernelWidth width;
  KernelSpectrum spectrum;
  KernelTraits traits;                       ///< at length 1
  std::vector<std::vector<double>> samples;  ///< values of all parameters, to try the kernel with; at least one list
};

/// Every kernel of the engine, in the order of the registry. Bindings, conformance tests and the documentation iterate this list.
GRAMIAN_API const std::vector<KernelInfo>& kernel_registry();

class PointMap;

/// k(x, y), immutable and cheap to copy: a kernel of the registry, a sum, a product or a multiple of kernels, or one on images of
/// points (point_map.hpp).
class GRAMIAN_API Kernel {
 public:
  /// The kernel that the registry calls `name`, with its parameters in the registry's order. With length_scales, one for each
  /// feature, it is k(x / length_scales, y / length_scales): automatic relevance determination. Throws std::invalid_argument for
  /// an unknown name (the message has the list), a wrong number of parameters, or one out of range.
  Kernel(const std::string& name, const std::vector<double>& parameters, const std::vector<double>& length_scales = {});

  /// The registry's entry. Throws std::invalid_argument for a sum, product or multiple.
  const KernelInfo& info() const;

  /// All parameters, depth first: of a kernel its own and then its length scales, of a multiple the factor and then the rest.
  std::vector<double> parameters() const;

  /// The same expression with other parameters, in that order. Throws std::invalid_argument for a wrong number of them, or one
  /// out of range.
  Kernel with_parameters(const std::vector<double>& values) const;

  /// For each of the parameters, whether its logarithm can be learned: it is greater than 0, and not a whole number by its
  /// meaning.
  std::vector<bool> learnable_parameters() const;

  KernelTraits traits() const;

  /// sup k(x, x) over all x: infinity if there is none.
  double supremum() const;

  /// Whether it needs the points themselves, and not just their inner products.
  bool needs_coordinates() const;

  struct Node;
  const Node& node() const { return *node_; }  ///< for the engine

 private:
  friend GRAMIAN_API Kernel operator+(const Kernel& a, const Kernel& b);
  friend GRAMIAN_API Kernel operator*(const Kernel& a, const Kernel& b);
  friend GRAMIAN_API Kernel operator*(double factor, const Kernel& kernel);
  friend GRAMIAN_API Kernel on_images(std::shared_ptr<const PointMap> map, const Kernel& kernel);
  explicit Kernel(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  std::shared_ptr<const Node> node_;
};

/// The sum and the product of kernels are kernels; so is a multiple by a factor that is finite and greater than 0.
GRAMIAN_API Kernel operator+(const Kernel& a, const Kernel& b);
GRAMIAN_API Kernel operator*(const Kernel& a, const Kernel& b);
GRAMIAN_API Kernel operator*(double factor, const Kernel& kernel);

}  // namespace gramian
