// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "gramian/base/error.hpp"
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

template <class Profile>
Entry make_entry() {
  KernelInfo info{Profile::name, Profile::formula, {}, Profile::form == Form::coordinate};
  for (const ParameterSpec& p : Profile::parameters) {
    const bool whole = p.domain == Domain::count;
    info.parameters.push_back({p.name, p.meaning, whole ? 1.0 : 0.0, p.domain != Domain::positive, whole});
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

/// A power beyond says nothing any more, and kernels count in int.
constexpr int largest_whole = 1000000;

[[noreturn]] void refuse(const std::string& kernel, const ParameterInfo& p, double value) {
  throw std::invalid_argument("kernel " + kernel + ": " + p.name + " must be " +
                              (p.whole ? "a whole number, at least " : "finite and ") +
                              (p.whole ? "" : (p.inclusive ? "at least " : "greater than ")) + text(p.lower) +
                              (p.whole ? " and at most " + std::to_string(largest_whole) : "") + ", got " + text(value));
}

/// A search makes a kernel in each step, with a length scale for each feature: no text before there is something to say.
void check_value(const std::string& kernel, const ParameterInfo& p, double value) {
  const bool above = p.inclusive ? value >= p.lower : value > p.lower;
  const bool whole = value == std::floor(value) && value <= largest_whole;
  if (!(std::isfinite(value) && above && (!p.whole || whole))) refuse(kernel, p, value);
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
  const ParameterInfo length_scale{"length_scale", "", 0.0, false, false};
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
