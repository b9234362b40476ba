// SPDX-License-Identifier: BSD-3-Clause
#include "description_mutator.hpp"

#include <cstddef>
#include <utility>

#include "gramian/kernels/kernel.hpp"
#include "io/json.hpp"

namespace fuzz {
namespace {

using gramian::Index;
using gramian::io::Json;
using gramian::io::JsonArray;
using gramian::io::JsonMember;
using gramian::io::JsonObject;

constexpr Index most_items = 64;  // of a list that grows

const std::vector<double>& special_numbers() {
  static const std::vector<double> numbers = {0.0,
                                              -0.0,
                                              1.0,
                                              -1.0,
                                              2.0,
                                              3.0,
                                              0.5,
                                              1e-300,
                                              -1e-300,
                                              1e300,
                                              -1e300,
                                              1e308,
                                              5e-324,
                                              1e-8,
                                              1e8,
                                              63.0,
                                              64.0,
                                              65.0,
                                              255.0,
                                              1024.0,
                                              65536.0,
                                              2147483647.0,
                                              1e9,
                                              1e10,
                                              1e12,
                                              1e15,
                                              2147483648.0,
                                              4294967296.0,
                                              9007199254740991.0,
                                              9007199254740992.0,
                                              1.5,
                                              -2.5};
  return numbers;
}

void collect(Json& value, std::vector<Json*>& out) {
  out.push_back(&value);
  if (value.is(Json::Kind::array)) {
    for (const Json& item : value.array()) collect(const_cast<Json&>(item), out);
  } else if (value.is(Json::Kind::object)) {
    for (const JsonMember& member : value.object()) collect(const_cast<Json&>(member.value), out);
  }
}

Json random_leaf(Dice& dice) {
  switch (dice.below(6)) {
    case 0: return Json();
    case 1: return Json(dice.chance(2));
    case 2: return Json(dice.one_of(words()));
    case 3: return Json(JsonArray{});
    case 4: return Json(JsonObject{});
    default: return Json(dice.one_of(special_numbers()));
  }
}

/// A kernel of the registry with parameters that it takes, as a rule.
Json random_kernel(Dice& dice) {
  const gramian::KernelInfo& kernel = dice.one_of(gramian::kernel_registry());
  JsonArray parameters, scales;
  for (const double value : dice.one_of(kernel.samples))
    parameters.push_back(dice.chance(8) ? dice.one_of(special_numbers()) : value);
  for (std::size_t k = dice.chance(4) ? 1 + dice.below(4) : 0; k > 0; --k) scales.push_back(0.5 + static_cast<double>(k));
  return JsonObject{{"kernel", kernel.name}, {"parameters", std::move(parameters)}, {"length_scales", std::move(scales)}};
}

Json wrapped(const Json& kernel, Dice& dice) {
  switch (dice.below(4)) {
    case 0: return JsonObject{{"sum", JsonArray{kernel, random_kernel(dice)}}};
    case 1: return JsonObject{{"product", JsonArray{kernel, kernel}}};
    case 2: return JsonObject{{"multiple", JsonArray{0.5, kernel}}};
    default:
      return dice.chance(2) ? JsonObject{{"images", kernel}}
                            : JsonObject{{"multiple", JsonArray{dice.one_of(special_numbers()), kernel}}};
  }
}

Json changed_array(const JsonArray& items, Dice& dice) {
  JsonArray out = items;
  const std::size_t at = items.empty() ? 0 : dice.below(items.size());
  if (items.empty() || dice.chance(4)) {
    out.push_back(random_leaf(dice));
  } else if (dice.chance(2)) {
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(at));
  } else if (static_cast<Index>(items.size()) < most_items) {
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(at), items[at]);
  }
  return out;
}

/// A member is gone, has another name, or is there under another name too.
Json changed_object(const JsonObject& members, Dice& dice) {
  JsonObject out = members;
  if (members.empty()) return JsonObject{{dice.one_of(words()), random_leaf(dice)}};
  const std::size_t at = dice.below(members.size());
  std::string name = dice.chance(2) ? members[dice.below(members.size())].name : dice.one_of(words());
  switch (dice.below(4)) {
    case 0: out.erase(out.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 1: out[at].name = std::move(name); break;
    case 2: out[at].value = members[dice.below(members.size())].value; break;
    default: out.push_back({std::move(name), members[at].value});
  }
  return out;
}

bool is_kernel(const Json& value) {
  for (const char* member : {"kernel", "sum", "product", "multiple", "images"}) {
    if (value.is(Json::Kind::object) && value.find(member) != nullptr) return true;
  }
  return false;
}

void change_value(Json& value, const std::vector<Json*>& all, Dice& dice) {
  const std::size_t how = dice.below(24);
  if (how == 0) {
    value = random_leaf(dice);
  } else if (how == 1) {
    const Json copy = *dice.one_of(all);
    value = copy;
  } else if (how < 16 && is_kernel(value)) {
    value = dice.chance(2) ? random_kernel(dice) : wrapped(Json(value), dice);
  } else if (value.is(Json::Kind::number)) {
    value = Json(other_number(value.number(), dice));
  } else if (value.is(Json::Kind::boolean)) {
    value = Json(!value.boolean());
  } else if (value.is(Json::Kind::string)) {
    value = Json(dice.one_of(words()));
  } else if (value.is(Json::Kind::array)) {
    value = changed_array(value.array(), dice);
  } else if (value.is(Json::Kind::object)) {
    value = changed_object(value.object(), dice);
  }
}

}  // namespace

const std::vector<std::string>& words() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> all = {"dense",
                                    "sparse",
                                    "count",
                                    "network",
                                    "random_fourier",
                                    "separable",
                                    "pointwise",
                                    "sum",
                                    "product",
                                    "multiple",
                                    "images",
                                    "identity",
                                    "diagonal",
                                    "full",
                                    "relu",
                                    "sigmoid",
                                    "tanh",
                                    "none",
                                    "nearest",
                                    "candidates",
                                    "linear",
                                    "gaussian",
                                    "sequence",
                                    "values",
                                    "logits",
                                    "probabilities",
                                    "0",
                                    "18446744073709551615",
                                    "autoencoder",
                                    "conditional_mean",
                                    "deep_pca",
                                    "deep_regression",
                                    "dependency",
                                    "embedding",
                                    "k2_autoencoder",
                                    "operator_ridge",
                                    "parametric_deep_pca"};
    for (const gramian::KernelInfo& kernel : gramian::kernel_registry()) all.push_back(kernel.name);
    return all;
  }();
  return list;
}

double other_number(double number, Dice& dice) {
  switch (dice.below(5)) {
    case 0: return number + 1.0;
    case 1: return number - 1.0;
    case 2: return number * 2.0;
    case 3: return -number;
    default: return dice.one_of(special_numbers());
  }
}

std::string changed_model(const std::string& text, Dice& dice) {
  Json value = gramian::io::parse_json(text, "model");
  std::vector<Json*> all, fine;
  collect(value, all);
  for (Json* each : all) {
    if (is_kernel(*each) || each->is(Json::Kind::number) || each->is(Json::Kind::boolean)) fine.push_back(each);
  }
  Json& chosen = *(fine.empty() || dice.chance(4) ? dice.one_of(all) : dice.one_of(fine));
  change_value(chosen, all, dice);
  return gramian::io::format_json(value);
}

std::string with_number(const std::string& text, double from, double to) {
  Json value = gramian::io::parse_json(text, "model");
  std::vector<Json*> all;
  collect(value, all);
  for (Json* each : all) {
    if (each->is(Json::Kind::number) && each->number() == from) *each = Json(to);
  }
  return gramian::io::format_json(value);
}

}  // namespace fuzz
