// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/operator_kernel.hpp"

#include <string>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "io/utf8.hpp"
#include "serving/stored/kernel.hpp"
#include "serving/stored/layer.hpp"

namespace gramian::stored {
namespace {

OperatorKernelPointer take_sum(Reader& reader, Index outputs) {
  const auto count = static_cast<std::size_t>(reader.integer("terms", 1, most_parts));
  std::vector<std::pair<double, OperatorKernelPointer>> terms;
  for (std::size_t m = 0; m < count; ++m) {
    Reader term = reader.child("terms", m);
    const double factor = term.number("factor");
    terms.emplace_back(factor, take_operator_kernel(term, outputs));
  }
  return reader.checked("terms", [&] { return sum_kernel(std::move(terms)); });
}

}  // namespace

void put_operator_kernel(Writer& writer, const OperatorKernel& kernel) {
  const OperatorForm form = kernel.form();
  if (const auto* separable = std::get_if<SeparableForm>(&form)) {
    writer.put("form", "separable");
    put_kernel(writer, "kernel", separable->k);
    put_operator(writer, "operator", separable->A);
  } else if (std::holds_alternative<PointwiseForm>(form)) {
    writer.put("form", "pointwise");
  } else if (const auto* sum = std::get_if<SumForm>(&form)) {
    writer.put("form", "sum");
    writer.put("terms", static_cast<Index>(sum->terms.size()));
    for (std::size_t m = 0; m < sum->terms.size(); ++m) {
      Writer term = writer.child("terms", m);
      term.put("factor", sum->terms[m].first);
      put_operator_kernel(term, *sum->terms[m].second);
    }
  } else {
    throw std::invalid_argument("an operator-valued kernel of a program's own can't be saved");
  }
}

OperatorKernelPointer take_operator_kernel(Reader& reader, Index outputs) {
  const std::string& form = reader.text("form");
  if (form == "separable") {
    const Kernel kernel = take_kernel(reader, "kernel");
    return separable_kernel(kernel, take_operator(reader, "operator", outputs));
  }
  if (form == "pointwise") return pointwise_kernel(outputs);
  if (form != "sum") reader.refuse("form", io::quoted(form) + " is none of separable, pointwise, sum");
  return take_sum(reader, outputs);
}

}  // namespace gramian::stored
