// SPDX-License-Identifier: BSD-3-Clause
// A model through the bytes of a file and back.
#pragma once

#include <vector>

#include "gramian/model_file.hpp"
#include "support/check.hpp"
#include "support/message.hpp"
#include "support/model_files.hpp"
#include "support/stored_parts.hpp"

namespace support {

inline std::vector<double> answer(const gramian::Predictor& model, gramian::Verb verb, const gramian::Points& X) {
  std::vector<double> out(static_cast<std::size_t>(X.size() * model.outputs(verb)));
  model.apply(verb, X, {out.data(), X.size(), model.outputs(verb)});
  return out;
}

/// Whether the model of the bytes has the type and says what the model says, bit by bit; its own file is the same again.
template <class Model>
void check_stored(const Model& model, const gramian::Points& X, const std::vector<gramian::Verb>& verbs) {
  const std::string bytes = bytes_of(gramian::document_of(model));
  const gramian::AnyModel any = gramian::load_model_from_memory(bytes.data(), bytes.size());
  const Model& loaded = any.as<Model>();
  for (const gramian::Verb verb : verbs) {
    CHECK(model.has(verb));
    CHECK(answer(loaded, verb, X) == answer(model, verb, X));
  }
  CHECK(loaded.classes() == model.classes());
  CHECK(bytes_of(gramian::document_of(loaded)) == bytes);
}

/// What loading says of the model's file with a piece of its description replaced; nothing if it is loaded.
inline std::string message_of_model(const gramian::Predictor& model, const std::string& from, const std::string& to) {
  const gramian::io::Document document = gramian::document_of(model);
  const gramian::io::Document changed = with_model(document, replaced(*document.find_text("model"), from, to));
  return check::message_of<gramian::ModelFileError>([&] { gramian::model_of(changed); });
}

}  // namespace support
