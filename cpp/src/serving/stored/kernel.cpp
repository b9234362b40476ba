// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/kernel.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/utf8.hpp"
#include "kernels/node.hpp"
#include "serving/stored/layer.hpp"

namespace gramian::stored {
namespace {

using io::Json;
using io::JsonArray;
using io::JsonObject;

std::string map_name(const std::string& name, Index number) { return name + ".map" + std::to_string(number); }

class KernelWriter {
 public:
  KernelWriter(Writer& writer, const std::string& name) : writer_(writer), name_(name) {}

  Json expression(const Kernel& kernel) {
    require(++kernels_ <= most_kernels, name_ + " has more than " + std::to_string(most_kernels) + " parts: it can't be saved");
    const Kernel::Node& node = kernel.node();
    switch (node.kind) {
      case NodeKind::leaf:
        return JsonObject{{"kernel", kernel.info().name},
                          {"parameters", Json::numbers(node.parameters)},
                          {"length_scales", Json::numbers(node.length_scales)}};
      case NodeKind::sum: return JsonObject{{"sum", operands(kernel)}};
      case NodeKind::product: return JsonObject{{"product", operands(kernel)}};
      case NodeKind::multiple: return JsonObject{{"multiple", JsonArray{node.factor, expression(node.children[0])}}};
      case NodeKind::images: break;
    }
    const auto* points = dynamic_cast<const CompositionMap*>(node.map.get());
    require(points != nullptr, name_ + " is on images of a map of the program's own, which can't be saved");
    Writer map = writer_.child(map_name(name_, maps_++));
    put_map(map, *points);
    return JsonObject{{"images", expression(node.children[0])}};
  }

 private:
  /// ((a b) c) as a, b, c: long sums are not nested.
  JsonArray operands(const Kernel& kernel) {
    std::vector<Kernel> reversed;
    Kernel first = kernel;
    while (first.node().kind == kernel.node().kind) {
      reversed.push_back(first.node().children[1]);
      const Kernel next = first.node().children[0];
      first = next;
    }
    JsonArray items{expression(first)};
    for (auto operand = reversed.rbegin(); operand != reversed.rend(); ++operand) items.push_back(expression(*operand));
    return items;
  }

  Writer& writer_;
  std::string name_;
  Index maps_ = 0, kernels_ = 0;
};

class KernelReader {
 public:
  KernelReader(Reader& reader, const std::string& name) : reader_(reader), name_(name) {}

  Kernel expression(const Json& value) {
    if (++kernels_ > most_kernels) refuse("has more than " + std::to_string(most_kernels) + " parts");
    if (!value.is(Json::Kind::object) || value.object().empty()) refuse("a kernel must be an object");
    if (value.find("kernel") != nullptr) return leaf(value);
    if (value.object().size() != 1) refuse("a kernel that is combined has one member");
    const std::string& form = value.object().front().name;
    const Json& content = value.object().front().value;
    if (form == "sum" || form == "product") return combined(content, form == "sum");
    if (form == "multiple") return multiple(content);
    if (form == "images") return images(content);
    refuse(io::quoted(form) + " is none of 'kernel', 'sum', 'product', 'multiple', 'images'");
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { reader_.refuse(name_, why); }

  std::vector<double> numbers(const Json& leaf, const char* member) const {
    const Json* found = leaf.find(member);
    auto values = found == nullptr ? std::nullopt : numbers_in(*found);
    if (!values) refuse(std::string(member) + " must be a list of numbers");
    return std::move(*values);
  }

  Kernel leaf(const Json& value) const {
    const Json& name = *value.find("kernel");
    if (!name.is(Json::Kind::string) || value.object().size() != 3)
      refuse("a kernel has 'kernel', 'parameters', 'length_scales'");
    const std::vector<double> parameters = numbers(value, "parameters"), length_scales = numbers(value, "length_scales");
    return reader_.checked(name_, [&] { return Kernel(name.string(), parameters, length_scales); });
  }

  Kernel combined(const Json& content, bool sum) {
    if (!content.is(Json::Kind::array) || content.array().size() < 2) refuse("a sum or a product has at least two kernels");
    Kernel result = expression(content.array().front());
    for (std::size_t k = 1; k < content.array().size(); ++k) {
      const Kernel next = expression(content.array()[k]);
      result = sum ? result + next : result * next;
    }
    return result;
  }

  Kernel multiple(const Json& content) {
    const bool pair = content.is(Json::Kind::array) && content.array().size() == 2;
    if (!pair || !content.array()[0].is(Json::Kind::number)) refuse("a multiple has a factor and a kernel");
    const Kernel kernel = expression(content.array()[1]);
    return reader_.checked(name_, [&] { return content.array()[0].number() * kernel; });
  }

  Kernel images(const Json& content) {
    Reader map = reader_.child(map_name(name_, maps_++));
    auto points = take_map(map);
    const Kernel kernel = expression(content);
    return reader_.checked(name_, [&] { return on_images(std::move(points), kernel); });
  }

  Reader& reader_;
  std::string name_;
  Index maps_ = 0, kernels_ = 0;
};

}  // namespace

void put_kernel(Writer& writer, const std::string& name, const Kernel& kernel) {
  writer.put(name, KernelWriter(writer, name).expression(kernel));
}

Kernel take_kernel(Reader& reader, const std::string& name) { return KernelReader(reader, name).expression(reader.value(name)); }

void put_kernel_if_any(Writer& writer, const std::string& name, const std::optional<Kernel>& kernel) {
  if (kernel) put_kernel(writer, name, *kernel);
}

std::optional<Kernel> take_kernel_if_any(Reader& reader, const std::string& name) {
  return reader.has(name) ? std::optional<Kernel>(take_kernel(reader, name)) : std::nullopt;
}

}  // namespace gramian::stored
