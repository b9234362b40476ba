// SPDX-License-Identifier: BSD-3-Clause
// Whole models from strangers: a file is a model or ModelFileError, loading takes no more memory than is promised, a model that
// loads has every operation that it says it has, and its own file is the same again.
#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/model_file.hpp"
#include "model_mutator.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using namespace gramian;

constexpr Index most_numbers = Index(1) << 16;  // of a question, and of its answer
constexpr Index questions = 2;
// Beside twice the file: values of a description, and tiles to try a kernel with, one for each level of its expression.
constexpr std::size_t little = 16u << 20;

std::atomic<std::size_t> taken{0}, most{0};
std::atomic<bool> counting{false};

void on_malloc(const volatile void* block, std::size_t) {
  if (!counting || block == nullptr) return;
  const std::size_t now = taken += __sanitizer_get_allocated_size(const_cast<void*>(block));
  most = std::max(most.load(), now);
}

void on_free(const volatile void* block) {
  if (!counting || block == nullptr) return;
  const std::size_t size = __sanitizer_get_allocated_size(const_cast<void*>(block));
  taken -= std::min(size, taken.load());  // what was there before is not counted
}

/// The most memory that is taken while this lives.
class Count {
 public:
  Count() {
    taken = most = 0;
    counting = true;
  }
  ~Count() { counting = false; }
  std::size_t peak() const { return most; }
};

void require_that(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

/// Two rows of numbers; sparse ones for models that would otherwise ask for a row as long as a hostile file says.
class Questions {
 public:
  Questions(Index columns, std::uint64_t seed) : columns_(columns) {
    fuzz::Dice dice(seed);
    const Index each = std::min<Index>(columns, 4);
    row_start_ = {0, each, 2 * each};
    for (Index k = 0; k < 2 * each; ++k) {
      places_.push_back(k % each * (columns / each));
      values_.push_back(number(dice));
    }
    if (columns > most_numbers) return;
    rows_ = Matrix(questions, columns);
    for (Index i = 0; i < questions; ++i) {
      for (Index j = 0; j < columns; ++j) rows_(i, j) = number(dice);
    }
  }

  bool dense() const { return !rows_.empty(); }
  Points rows() const { return rows_.view(); }
  Points sparse() const { return SparseRows<double>{questions, columns_, row_start_.data(), places_.data(), values_.data()}; }

 private:
  static double number(fuzz::Dice& dice) { return static_cast<double>(dice.below(2001)) / 500.0 - 2.0; }

  Index columns_;
  Matrix rows_;
  std::vector<Index> row_start_, places_;
  std::vector<double> values_;
};

/// Errors that a caller is promised: a model of hostile numbers may not be able to answer.
template <class F>
void allowing_errors(F&& f) {
  try {
    f();
  } catch (const std::invalid_argument&) {
  } catch (const NumericalError&) {
  } catch (const MemoryLimitError&) {
  }
}

void ask(const Predictor& model, std::uint64_t seed) {
  for (const Verb verb : {Verb::predict, Verb::predict_proba, Verb::transform, Verb::inverse_transform, Verb::scores}) {
    const Index columns = model.inputs(verb), answers = model.outputs(verb);
    require_that(columns >= 0 && answers >= 0, "a negative number of columns");
    if (columns == 0 || answers > most_numbers) continue;
    const Questions some(columns, seed);
    Matrix out(questions, answers);
    if (some.dense()) allowing_errors([&] { model.apply(verb, some.rows(), out.view()); });
    if (model.takes_sparse(verb)) allowing_errors([&] { model.apply(verb, some.sparse(), out.view()); });
  }
}

void check_file_of(const Predictor& model) {
  const std::vector<std::byte> bytes = io::format_document(document_of(model));
  const AnyModel again = load_model_from_memory(bytes.data(), bytes.size());
  require_that(io::format_document(document_of(*again.predictor())) == bytes,
               "a model is another one after it was saved and loaded");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  set_num_threads(1);
  __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::shared_ptr<const Predictor> model;
  {
    const Count count;
    try {
      model = load_model_from_memory(data, size).predictor();
    } catch (const ModelFileError&) {
      // Most inputs are no model. Any other exception ends the run.
    }
    require_that(count.peak() <= 2 * size + little, "loading takes too much memory");
  }
  if (!model) return 0;
  ask(*model, size);
  try {
    check_file_of(*model);
  } catch (const ModelFileError& error) {
    throw std::logic_error(std::string("a model that was loaded can't be loaded again: ") + error.what());
  }
  return 0;
}

namespace {

std::size_t written(const io::Document& document, std::uint8_t* data, std::size_t size, std::size_t most_bytes) {
  const std::vector<std::byte> bytes = io::format_document(document);
  if (bytes.size() > most_bytes) return size;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most_bytes, unsigned int seed) {
  fuzz::Dice dice(seed);
  io::Document document;
  if (dice.chance(64) || !fuzz::read_seed(data, size, document)) return LLVMFuzzerMutate(data, size, most_bytes);
  try {
    return written(fuzz::mutated(document, document, dice), data, size, most_bytes);
  } catch (const std::exception&) {
    return size;  // a change that no document can have, as a name twice
  }
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size, const std::uint8_t* second,
                                                 std::size_t second_size, std::uint8_t* out, std::size_t most_bytes,
                                                 unsigned int seed) {
  fuzz::Dice dice(seed);
  io::Document document, other;
  if (!fuzz::read_seed(first, first_size, document) || !fuzz::read_seed(second, second_size, other)) return 0;
  try {
    return written(fuzz::mutated(document, other, dice), out, 0, most_bytes);
  } catch (const std::exception&) {
    return 0;
  }
}
