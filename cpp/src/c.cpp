// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/c.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/model_file.hpp"
#include "gramian/serving/predictor.hpp"
#include "gramian/version.hpp"

struct gramian_model {
  explicit gramian_model(const gramian::AnyModel& loaded);

  std::shared_ptr<const gramian::Predictor> predictor;
  std::vector<std::string> labels;
};

namespace {

using gramian::Index;
using gramian::Verb;

constexpr std::size_t most_text = 1024;
// A fixed size: to say that memory is short takes none.
thread_local char last_error[most_text] = "";

gramian_status failed(gramian_status status, const char* message) {
  const std::size_t size = std::min(std::strlen(message), most_text - 1);
  std::memcpy(last_error, message, size);
  last_error[size] = '\0';
  return status;
}

/// Runs f, which returns a status; no exception leaves it.
template <class F>
gramian_status guarded(F&& f) noexcept {
  try {
    return f();
  } catch (const gramian::ModelFileError& error) {
    return failed(GRAMIAN_BAD_FILE, error.what());
  } catch (const gramian::FileError& error) {
    return failed(GRAMIAN_SYSTEM_ERROR, error.what());
  } catch (const std::invalid_argument& error) {
    return failed(GRAMIAN_INVALID_ARGUMENT, error.what());
  } catch (const gramian::MemoryLimitError& error) {
    return failed(GRAMIAN_OUT_OF_MEMORY, error.what());
  } catch (const std::bad_alloc&) {
    return failed(GRAMIAN_OUT_OF_MEMORY, "out of memory");
  } catch (const gramian::NumericalError& error) {
    return failed(GRAMIAN_NUMERICAL_ERROR, error.what());
  } catch (const std::exception& error) {
    return failed(GRAMIAN_INTERNAL_ERROR, error.what());
  } catch (...) {
    return failed(GRAMIAN_INTERNAL_ERROR, "unknown error");
  }
}

gramian_status null_argument() { return failed(GRAMIAN_INVALID_ARGUMENT, "a pointer is null"); }

std::string text_of(const gramian::ClassLabel& label) {
  if (const auto* text = std::get_if<std::string>(&label)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&label)) return std::to_string(*whole);
  return std::to_string(std::get<double>(label));
}

Verb verb_of(gramian_verb verb) {
  switch (verb) {
    case GRAMIAN_PREDICT: return Verb::predict;
    case GRAMIAN_PREDICT_PROBA: return Verb::predict_proba;
    case GRAMIAN_TRANSFORM: return Verb::transform;
    case GRAMIAN_INVERSE_TRANSFORM: return Verb::inverse_transform;
    case GRAMIAN_SCORES: return Verb::scores;
  }
  throw std::invalid_argument("there is no such verb");
}

template <class Load>
gramian_status load(gramian_model** model, Load load) {
  if (model == nullptr) return null_argument();
  *model = nullptr;
  return guarded([&] {
    *model = new gramian_model(load());
    return GRAMIAN_OK;
  });
}

gramian_status apply(const gramian_model& model, Verb verb, const double* X, Index rows, Index columns, double* out) {
  if (!model.predictor->has(verb)) return failed(GRAMIAN_NO_SUCH_VERB, gramian::name_of(verb));
  if (rows < 0 || columns < 0) return failed(GRAMIAN_INVALID_ARGUMENT, "rows and columns must be at least 0");
  if (rows == 0) return GRAMIAN_OK;
  if (X == nullptr || out == nullptr) return null_argument();
  const gramian::MatrixView<const double> points(X, rows, columns);
  model.predictor->apply(verb, gramian::Points(points), {out, rows, model.predictor->outputs(verb)});
  return GRAMIAN_OK;
}

/// inputs() or outputs(); 0 where there is nothing to ask.
template <class Count>
std::int64_t count_of(const gramian_model* model, Count count) {
  std::int64_t found = 0;
  if (model == nullptr) return found;
  guarded([&] {
    found = count(*model->predictor);
    return GRAMIAN_OK;
  });
  return found;
}

}  // namespace

gramian_model::gramian_model(const gramian::AnyModel& loaded) : predictor(loaded.predictor()) {
  for (const gramian::ClassLabel& label : predictor->classes()) labels.push_back(text_of(label));
}

extern "C" {

const char* gramian_version(void) { return GRAMIAN_VERSION; }
const char* gramian_last_error(void) { return last_error; }

gramian_status gramian_load(const char* path, gramian_model** model) {
  if (path == nullptr) return null_argument();
  return load(model, [&] { return gramian::load_model(path); });
}

gramian_status gramian_load_memory(const void* bytes, size_t size, gramian_model** model) {
  if (bytes == nullptr) return null_argument();
  return load(model, [&] { return gramian::load_model_from_memory(bytes, size); });
}

void gramian_free(gramian_model* model) { delete model; }

gramian_status gramian_describe(const gramian_model* model, gramian_description* description) {
  if (model == nullptr || description == nullptr) return null_argument();
  return guarded([&] {
    const gramian_description facts = {sizeof(gramian_description), model->predictor->family(),
                                       static_cast<std::int64_t>(model->labels.size())};
    // A program may know fewer fields, or more, than this library.
    const std::size_t known = std::min(description->struct_size, sizeof facts);
    gramian::require(known >= offsetof(gramian_description, classes), "struct_size must be sizeof(gramian_description)");
    const std::size_t size = description->struct_size;
    std::memcpy(description, &facts, known);
    description->struct_size = size;
    return GRAMIAN_OK;
  });
}

const char* gramian_class_label(const gramian_model* model, int64_t number) {
  if (model == nullptr || number < 0 || number >= static_cast<std::int64_t>(model->labels.size())) return nullptr;
  return model->labels[static_cast<std::size_t>(number)].c_str();
}

int64_t gramian_inputs(const gramian_model* model, gramian_verb verb) {
  return count_of(model, [&](const gramian::Predictor& predictor) { return predictor.inputs(verb_of(verb)); });
}

int64_t gramian_outputs(const gramian_model* model, gramian_verb verb) {
  return count_of(model, [&](const gramian::Predictor& predictor) { return predictor.outputs(verb_of(verb)); });
}

gramian_status gramian_apply(const gramian_model* model, gramian_verb verb, const double* X, int64_t rows, int64_t columns,
                             double* out) {
  if (model == nullptr) return null_argument();
  return guarded([&] { return apply(*model, verb_of(verb), X, rows, columns, out); });
}

gramian_status gramian_predict(const gramian_model* model, const double* X, int64_t rows, int64_t columns, double* out) {
  return gramian_apply(model, GRAMIAN_PREDICT, X, rows, columns, out);
}

gramian_status gramian_predict_proba(const gramian_model* model, const double* X, int64_t rows, int64_t columns, double* out) {
  return gramian_apply(model, GRAMIAN_PREDICT_PROBA, X, rows, columns, out);
}

gramian_status gramian_transform(const gramian_model* model, const double* X, int64_t rows, int64_t columns, double* out) {
  return gramian_apply(model, GRAMIAN_TRANSFORM, X, rows, columns, out);
}

gramian_status gramian_inverse_transform(const gramian_model* model, const double* X, int64_t rows, int64_t columns,
                                         double* out) {
  return gramian_apply(model, GRAMIAN_INVERSE_TRANSFORM, X, rows, columns, out);
}

gramian_status gramian_scores(const gramian_model* model, const double* X, int64_t rows, int64_t columns, double* out) {
  return gramian_apply(model, GRAMIAN_SCORES, X, rows, columns, out);
}

void gramian_set_num_threads(int threads) {
  guarded([&] {
    gramian::set_num_threads(threads);
    return GRAMIAN_OK;
  });
}

}  // extern "C"
