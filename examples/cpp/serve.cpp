// SPDX-License-Identifier: BSD-3-Clause
// A model is trained, saved, loaded and used by several threads, without Python.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "gramian/gramian.hpp"
#include "gramian/model_file.hpp"

namespace {

using gramian::Index;

constexpr Index samples = 400, features = 3;

/// Classes by the distance from 0, which the first two features decide.
gramian::embedding::Predictor train(const gramian::Matrix& X) {
  std::vector<Index> labels;
  for (Index i = 0; i < samples; ++i) labels.push_back(std::hypot(X(i, 0), X(i, 1)) > 1.2 ? 1 : 0);
  const gramian::embedding::Fit fit = gramian::embedding::fit({X.view(), labels.data(), 2}, nullptr, nullptr);
  const gramian::Samples training = gramian::Samples::copy_of(X.view());
  return gramian::embedding::Predictor(
      gramian::embedding::parts_of(fit.model, training, {std::string("near"), std::string("far")}));
}

gramian::Matrix probabilities(const gramian::Predictor& model, const gramian::Matrix& X) {
  gramian::Matrix out(X.rows(), model.outputs(gramian::Verb::predict_proba));
  model.apply(gramian::Verb::predict_proba, X.view(), out.view());
  return out;
}

bool same(const gramian::Matrix& A, const gramian::Matrix& B) {
  for (Index i = 0; i < A.size(); ++i) {
    if (A.data()[i] != B.data()[i]) return false;
  }
  return A.size() == B.size();
}

}  // namespace

int main() {
  gramian::Matrix X(samples, features), fresh(50, features);
  gramian::RandomStream(1).fill_normal(X.view());
  gramian::RandomStream(2).fill_normal(fresh.view());
  const gramian::embedding::Predictor trained = train(X);
  const gramian::Matrix before = probabilities(trained, fresh);

  const std::string path = (std::filesystem::temp_directory_path() / "gramian_example_serve.gramian").string();
  gramian::save_model(trained, path);
  const gramian::AnyModel loaded = gramian::load_model(path);
  const auto size = std::filesystem::file_size(path);
  std::filesystem::remove(path);

  std::vector<int> right(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < right.size(); ++t) {
    threads.emplace_back([&, t] { right[t] = same(probabilities(*loaded.predictor(), fresh), before) ? 1 : 0; });
  }
  int all = 0;
  for (std::size_t t = 0; t < right.size(); ++t) {
    threads[t].join();
    all += right[t];
  }
  std::printf("the file of a model of the family %s: %d bytes; %d of 4 threads have the bits of the model that was saved\n",
              loaded.predictor()->family(), static_cast<int>(size), all);
  return all == 4 ? 0 : 1;
}
