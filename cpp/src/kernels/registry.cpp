// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "gramian/base/error.hpp"
#include "kernels/node.hpp"
#include "kernels/profiles.hpp"

namespace gramian {
namespace {

struct Entry {
  KernelInfo info;
  double (*point_scale)(const double*);
  double (*at_coincidence)(const double*);
};

template <class Profile>
Entry make_entry() {
  KernelInfo info{Profile::name, Profile::formula, {}};
  for (const ParameterSpec& p : Profile::parameters) info.parameters.push_back({p.name, p.meaning, p.lower});
  return {info, Profile::point_scale, Profile::at_coincidence};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
#define GRAMIAN_KERNEL(Name) make_entry<Name>(),
#include "kernels/registry.inc"
#undef GRAMIAN_KERNEL
  };
  return all;
}

const Entry& entry_of(const Kernel& kernel) { return entries()[static_cast<std::size_t>(kernel.node().id)]; }

std::size_t find(const std::string& name) {
  std::string known;
  for (std::size_t i = 0; i < entries().size(); ++i) {
    if (entries()[i].info.name == name) return i;
    known += (i == 0 ? "" : ", ") + entries()[i].info.name;
  }
  throw std::invalid_argument("no kernel is called '" + name + "'; there are: " + known);
}

void check_parameters(const KernelInfo& info, const std::vector<double>& parameters) {
  const std::size_t wanted = info.parameters.size();
  require(parameters.size() == wanted,
          "kernel " + info.name + " takes " + std::to_string(wanted) + " parameters, got " + std::to_string(parameters.size()));
  for (std::size_t i = 0; i < wanted; ++i) {
    const ParameterInfo& p = info.parameters[i];
    require(std::isfinite(parameters[i]) && parameters[i] > p.lower,
            "kernel " + info.name + ": " + p.name + " must be finite and greater than " + std::to_string(p.lower) + ", got " +
                std::to_string(parameters[i]));
  }
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

Kernel::Kernel(const std::string& name, const std::vector<double>& parameters) {
  const std::size_t id = find(name);
  const KernelInfo& info = kernel_registry()[id];
  check_parameters(info, parameters);
  node_ = std::make_shared<const Node>(Node{static_cast<isa::KernelId>(id), &info, parameters});
}

const KernelInfo& Kernel::info() const { return *node_->info; }
const std::vector<double>& Kernel::parameters() const { return node_->parameters; }

double point_scale(const Kernel& kernel) { return entry_of(kernel).point_scale(kernel.parameters().data()); }
double value_at_coincidence(const Kernel& kernel) { return entry_of(kernel).at_coincidence(kernel.parameters().data()); }

}  // namespace gramian
