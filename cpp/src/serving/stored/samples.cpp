// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/samples.hpp"

#include <charconv>
#include <memory>
#include <utility>

#include "io/utf8.hpp"

namespace gramian::stored {
namespace {

using io::Json;
using io::JsonArray;
using io::JsonObject;

constexpr Index most_columns = Index(1) << 53;

void put_sparse(Writer& to, const SparseRows<double>& rows) {
  const Index first = rows.row_start[0], entries = rows.row_start[rows.rows] - first;
  std::vector<Index> row_start(rows.row_start, rows.row_start + rows.rows + 1);
  for (Index& start : row_start) start -= first;
  to.put("cols", rows.cols);
  to.indices("row_start", row_start);
  to.indices("columns", {rows.columns + first, rows.columns + first + entries});
  to.vector("values", {rows.values + first, rows.values + first + entries});
}

/// The arrays of a sparse matrix that a model keeps.
struct SparseArrays {
  std::vector<Index> row_start, columns;
  std::vector<double> values;
};

Samples take_sparse(Reader& from) {
  const Index cols = from.integer("cols", 1, most_columns);
  auto arrays = std::make_shared<SparseArrays>();
  arrays->values = from.vector("values");
  const auto entries = static_cast<Index>(arrays->values.size());
  arrays->columns = from.indices("columns", cols, entries);
  arrays->row_start = from.indices("row_start", entries + 1);
  if (arrays->row_start.empty() || arrays->row_start.back() != entries)
    from.refuse("row_start", "does not end at the last value");
  const SparseRows<double> rows{static_cast<Index>(arrays->row_start.size()) - 1, cols, arrays->row_start.data(),
                                arrays->columns.data(), arrays->values.data()};
  return from.checked("row_start", [&] { return Samples(rows, arrays); });
}

Json label_json(const ClassLabel& label) {
  if (const auto* text = std::get_if<std::string>(&label)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&label)) return JsonObject{{"whole", std::to_string(*whole)}};
  return std::get<double>(label);
}

ClassLabel label_of(const Json& label, const Reader& reader, const std::string& name) {
  if (label.is(Json::Kind::string)) return label.string();
  if (label.is(Json::Kind::number)) return label.number();
  const Json* digits = label.is(Json::Kind::object) && label.object().size() == 1 ? label.find("whole") : nullptr;
  if (digits == nullptr || !digits->is(Json::Kind::string))
    reader.refuse(name, "a label is a string, a number or {\"whole\": digits}");
  const std::string& text = digits->string();
  std::int64_t whole = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    reader.refuse(name, io::quoted(text) + " is no whole number of 64 bits");
  }
  return whole;
}

}  // namespace

void put_samples(Writer& writer, const std::string& name, const Samples& samples) {
  Writer to = writer.child(name);
  if (samples.form() == Samples::Form::count) {
    to.put("form", "count");
    to.put("count", samples.size());
  } else if (samples.form() == Samples::Form::dense) {
    to.put("form", "dense");
    to.matrix("rows", samples.dense());
  } else {
    to.put("form", "sparse");
    put_sparse(to, samples.sparse());
  }
}

Samples take_samples(Reader& reader, const std::string& name) {
  Reader from = reader.child(name);
  const std::string& form = from.text("form");
  if (form == "count") return Samples::counted(from.integer("count"));
  if (form == "dense") return Samples(from.matrix("rows"));
  if (form != "sparse") from.refuse("form", io::quoted(form) + " is none of count, dense, sparse");
  return take_sparse(from);
}

void put_labels(Writer& writer, const std::string& name, const std::vector<ClassLabel>& labels) {
  JsonArray list;
  for (const ClassLabel& label : labels) list.push_back(label_json(label));
  writer.put(name, std::move(list));
}

std::vector<ClassLabel> take_labels(Reader& reader, const std::string& name) {
  const Json& list = reader.value(name);
  if (!list.is(Json::Kind::array)) reader.refuse(name, "must be a list");
  std::vector<ClassLabel> labels;
  for (const Json& label : list.array()) labels.push_back(label_of(label, reader, name));
  return labels;
}

}  // namespace gramian::stored
