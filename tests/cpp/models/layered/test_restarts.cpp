// SPDX-License-Identifier: BSD-3-Clause
// What is said of the best start: what it has left behind, without another evaluation, is what a new one finds.
#include "models/layered/restarts.hpp"

#include <atomic>
#include <memory>

#include "gramian/base/parallel.hpp"
#include "gramian/models/deep_regression.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"

using namespace gramian;
using namespace autoencoder_data;

namespace {

const Kernel wide("gaussian", {0.5}), narrow("gaussian", {1.5});

/// One fit that has ended, and one that begins there and goes nowhere.
void check_same(const char* name, const LayeredFit& ended, const LayeredFit& begun) {
  bool same = ended.objective == begun.objective && ended.loss == begun.loss && ended.stationarity == begun.stationarity &&
              ended.squared_norms == begun.squared_norms && ended.multipliers == begun.multipliers;
  for (std::size_t l = 0; l < ended.outputs.size(); ++l) {
    same = same && largest_difference(ended.outputs[l].view(), begun.outputs[l].view()) == 0.0;
  }
  for (std::size_t l = 0; l < ended.model.coefficients.size(); ++l) {
    same = same && largest_difference(ended.model.coefficients[l].view(), begun.model.coefficients[l].view()) == 0.0;
  }
  check::that(same, std::string(name) + ": not what an evaluation at its end finds", __FILE__, __LINE__);
  CHECK(ended.stationarity > 0.0);
}

void check_autoencoder(const char* name, const autoencoder::Options& options, autoencoder::Options at_once) {
  const auto X = samples("moons", 30);
  const std::vector<LayerPlan> layers = layers_with({wide, narrow}, {2, 2}, {1e-3, 1e-3});
  const autoencoder::Fit ended = autoencoder::fit(Points(X.view), X.view, layers, options);
  at_once.landmarks = options.landmarks;
  check_same(name, ended, autoencoder::fit(Points(X.view), X.view, layers, at_once, ended.result.x));
}

/// The squared loss, but for its name, with a count of its calls.
class Counting final : public Loss {
 public:
  double evaluate(MatrixView<const double> target, MatrixView<const double> output, MatrixView<double> bar) const override {
    ++calls;
    return squared_->evaluate(target, output, bar);
  }
  mutable std::atomic<Index> calls{0};

 private:
  std::unique_ptr<Loss> squared_ = squared_loss();
};

}  // namespace

TEST(layers_are_described_where_the_search_has_ended) {
  for (const bool joint : {false, true}) {
    autoencoder::Options options = options_of(joint, limits_of(12));
    check_autoencoder("lbfgs", options, options_of(joint, limits_of(0)));
    options.landmarks = {1, 4, 9, 16, 25, 29};
    check_autoencoder("landmarks", options, options_of(joint, limits_of(0)));
    options.landmarks.clear();
    options.restarts = 3;
    check_autoencoder("restarts", options, options_of(joint, limits_of(0)));
    // The best point is not the last one.
    check_autoencoder("adam", options_of<AdamOptions>(joint, {40, 1e-6, 1e-9, 0.3}), options_of(joint, limits_of(0)));
  }
  autoencoder::Options options;
  options.training = autoencoder::EliminatedTraining{limits_of(5).solver<autoencoder::AlternatingOptions>()};
  check_autoencoder("alternating", options, options_of(false, limits_of(0)));
  options.training = autoencoder::JointTraining{limits_of(60).solver<SgdOptions>(), nullptr, 7};
  check_autoencoder("batches", options, options_of(true, limits_of(0)));
}

TEST(deep_regressions_are_described_where_the_search_has_ended) {
  const auto X = samples("moons", 30), Y = samples("circles", 30);
  const std::vector<LayerPlan> layers = layers_with({wide, narrow}, {2, 2}, {0.1, 0.05});
  const std::vector<std::shared_ptr<const Loss>> losses = {squared_loss(), huber_loss(0.3), epsilon_insensitive_loss(0.1)};
  for (const auto& loss : losses) {
    for (const deep_regression::InnerParameters parameters :
         {deep_regression::InnerParameters::features, deep_regression::InnerParameters::coefficients}) {
      deep_regression::Options options;
      options.mode = deep_regression::Regression{loss};
      options.parameters = parameters;
      options.solver = limits_of(14).solver<LbfgsOptions>();
      const deep_regression::Fit ended = deep_regression::fit(Points(X.view), Y.view, layers, options);
      options.restarts = 1;
      options.solver = limits_of(0).solver<LbfgsOptions>();
      check_same("deep", ended, deep_regression::fit(Points(X.view), Y.view, layers, options, ended.result.x));
    }
  }
}

TEST(starts_that_are_begun_after_the_time_is_over_are_not_begun) {
  const auto X = samples("moons", 30);
  autoencoder::Options options = options_of(false, limits_of(30));
  options.restarts = 5;
  const std::vector<LayerPlan> layers = open_layers({2, 2}, 1e-3);
  const autoencoder::Fit free = autoencoder::fit(Points(X.view), X.view, layers, options);
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    TimeLimit over(0.0), enough(1e6);
    const autoencoder::Fit cut = autoencoder::fit(Points(X.view), X.view, layers, options, {}, &over);
    CHECK(!cut.restart_values.empty() && cut.restart_values.size() <= std::size_t(threads));
    for (const StopReason reason : cut.restart_reasons) CHECK(reason == StopReason::observer);
    CHECK_EQ(cut.result.iterations, 1);
    const autoencoder::Fit whole = autoencoder::fit(Points(X.view), X.view, layers, options, {}, &enough);
    CHECK(whole.restart_values == free.restart_values);
    CHECK(whole.result.x == free.result.x);
  }
  set_num_threads(0);
}

TEST(nothing_is_evaluated_for_the_description) {
  const auto X = samples("moons", 30);
  const auto loss = std::make_shared<Counting>();
  autoencoder::Options options;
  options.training = autoencoder::JointTraining{limits_of(9).solver<LbfgsOptions>(), loss};
  const autoencoder::Fit fit = autoencoder::fit(Points(X.view), X.view, open_layers({2, 2}, 1e-3), options);
  CHECK_EQ(loss->calls, fit.result.evaluations);
}

TEST_MAIN
