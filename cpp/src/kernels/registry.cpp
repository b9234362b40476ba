// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "gramian/base/error.hpp"
#include "kernels/facts.hpp"
#include "kernels/node.hpp"
#include "kernels/registry.hpp"

namespace gramian {
namespace {

struct Entry {
  KernelInfo info;
  Form form;
  double supremum;
  double (*point_scale)(const double*);
};

/// A power beyond says nothing any more, and kernels count in int.
constexpr double largest_whole = 1000000;

ParameterInfo describe(const ParameterSpec& p) {
  const bool whole = p.domain == Domain::count;
  const double upper = whole ? largest_whole : std::numeric_limits<double>::infinity();
  return {p.name, p.meaning, whole ? 1.0 : 0.0, p.domain != Domain::positive, whole, upper};
}

template <class Profile>
Entry make_entry() {
  static_assert(states_every_fact<Profile>());
  constexpr bool proportional = Profile::form == Form::distance && slope_of_value<Profile>(0) > 0.0;
  KernelInfo info{Profile::name,
                  Profile::formula,
                  {},
                  Profile::form == Form::coordinate,
                  Profile::width,
                  Profile::spectrum,
                  {Profile::smooth_at_coincidence, Profile::explicit_features, Profile::explicit_features, proportional,
                   Profile::squared_lipschitz, Profile::points},
                  {}};
  for (const ParameterSpec& p : Profile::parameters) info.parameters.push_back(describe(p));
  if constexpr (count_parameters(Profile::parameters) == 0) {
    info.samples.emplace_back();
  } else {
    for (const auto& sample : Profile::samples) info.samples.emplace_back(std::begin(sample), std::end(sample));
  }
  return {info, Profile::form, Profile::supremum, Profile::point_scale};
}

template <class... Profiles>
std::vector<Entry> entries_of(KernelList<Profiles...>) {
  return {make_entry<Profiles>()...};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = entries_of(Registry());
  return all;
}

const Entry& entry_of(const Kernel::Node& leaf) { return entries()[static_cast<std::size_t>(leaf.id)]; }

std::size_t find(const std::string& name) {
  for (std::size_t i = 0; i < entries().size(); ++i) {
    if (entries()[i].info.name == name) return i;
  }
  std::string known;
  for (const Entry& entry : entries()) known += (known.empty() ? "" : ", ") + entry.info.name;
  throw std::invalid_argument("no kernel is called '" + name + "'; there are: " + known);
}

std::string text(double x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

[[noreturn]] void refuse(const std::string& kernel, const ParameterInfo& p, double value) {
  throw std::invalid_argument(
      "kernel " + kernel + ": " + p.name + " must be " + (p.whole ? "a whole number, at least " : "finite and ") +
      (p.whole ? "" : (p.inclusive ? "at least " : "greater than ")) + text(p.lower) +
      (p.whole ? " and at most " + std::to_string(static_cast<long>(p.upper)) : "") + ", got " + text(value));
}

/// A search makes a kernel in each step, with a length scale for each feature: no text before there is something to say.
void check_value(const std::string& kernel, const ParameterInfo& p, double value) {
  const bool inside = (p.inclusive ? value >= p.lower : value > p.lower) && value <= p.upper;
  if (!(std::isfinite(value) && inside && (!p.whole || value == std::floor(value)))) refuse(kernel, p, value);
}

void check_parameters(const KernelInfo& info, const std::vector<double>& parameters) {
  const std::size_t wanted = info.parameters.size();
  require(parameters.size() == wanted,
          "kernel " + info.name + " takes " + std::to_string(wanted) + " parameters, got " + std::to_string(parameters.size()));
  for (std::size_t i = 0; i < wanted; ++i) check_value(info.name, info.parameters[i], parameters[i]);
}

}  // namespace

const std::vector<KernelInfo>& kernel_registry() {
  static const std::vector<KernelInfo> infos = [] {
    std::vector<KernelInfo> list;
    for (const Entry& entry : entries()) list.push_back(entry.info);
    return list;
  }();
  return infos;
}

Kernel::Kernel(const std::string& name, const std::vector<double>& parameters, const std::vector<double>& length_scales) {
  const std::size_t id = find(name);
  check_parameters(kernel_registry()[id], parameters);
  const ParameterInfo length_scale{"length_scale", "", 0.0, false, false, std::numeric_limits<double>::infinity()};
  for (const double scale : length_scales) check_value(name, length_scale, scale);
  Node leaf{NodeKind::leaf};
  leaf.id = static_cast<int>(id);
  leaf.parameters = parameters;
  leaf.length_scales = length_scales;
  node_ = std::make_shared<const Node>(std::move(leaf));
}

const KernelInfo& Kernel::info() const {
  require(node_->kind == NodeKind::leaf, "a sum, product or multiple of kernels, or one on images, is not in the registry");
  return entry_of(*node_).info;
}

LeafTraits leaf_traits(const Kernel::Node& leaf) {
  const Entry& entry = entry_of(leaf);
  const LeafForm form = entry.form == Form::distance ? LeafForm::distance
                        : entry.form == Form::inner  ? LeafForm::inner
                                                     : LeafForm::coordinate;
  return {form, entry.point_scale(leaf.parameters.data()), entry.supremum};
}

}  // namespace gramian
