// SPDX-License-Identifier: BSD-3-Clause
// The objective by itself: what a fit minimises, and no memory is taken for it from the second evaluation on.
#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/models/deep_regression.hpp"
#include "support/check.hpp"
#include "support/deep_fits.hpp"

namespace {
std::atomic<long> allocations{0};
}

// Where the executable's own definitions count for the library too.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTED
void* operator new(std::size_t size) {
  ++allocations;
  if (void* pointer = std::malloc(size == 0 ? 1 : size)) return pointer;
  throw std::bad_alloc();
}
void operator delete(void* pointer) noexcept { std::free(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { std::free(pointer); }
extern "C" __attribute__((visibility("default"))) int posix_memalign(void** pointer, std::size_t alignment, std::size_t size) {
  ++allocations;
  *pointer = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  return *pointer == nullptr ? 12 : 0;
}
#endif

using namespace deep;

namespace {

struct Setting {
  Index n;
  bool interpolate;
  deep_regression::InnerParameters parameters;
};
const std::vector<Setting> settings = {{40, true, deep_regression::InnerParameters::coefficients},
                                       {40, false, deep_regression::InnerParameters::features},
                                       {300, true, deep_regression::InnerParameters::features},
                                       {300, false, deep_regression::InnerParameters::coefficients}};

deep_regression::Options options_of(const Setting& setting) {
  deep_regression::Options options;
  if (setting.interpolate) options.mode = deep_regression::Interpolation();
  options.parameters = setting.parameters;
  options.restarts = 1;
  stop_at(options, 5);
  return options;
}

std::vector<LayerPlan> layers_of(const Setting& setting) {
  return {layer(line, 2, 0.1), layer(setting.interpolate ? tent : hill, 1, 0.05)};
}

/// How often memory is taken by evaluations behind the first one.
long taken(Objective& objective) {
  std::vector<double> x(static_cast<std::size_t>(objective.size())), gradient(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.3 * RandomStream(5).normal(i);
  objective.evaluate(x.data(), gradient.data());
  const long before = allocations.load();
  double sum = 0.0;
  for (int evaluation = 0; evaluation < 3; ++evaluation) {
    x[0] += 0.01;
    sum += objective.evaluate(x.data(), gradient.data());
  }
  const long after = allocations.load();  // a check makes a text
  CHECK(std::isfinite(sum));
  return after - before;
}

}  // namespace

TEST(it_is_what_a_fit_minimises) {
  for (const Setting& setting : settings) {
    const Data data = ridge_data(setting.n);
    const deep_regression::Options options = options_of(setting);
    const auto fit = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers_of(setting), options);
    const auto objective = deep_regression::objective(Points(data.X.view()), data.Y.view(), layers_of(setting), options);
    CHECK_EQ(objective->size(), static_cast<Index>(fit.result.x.size()));
    std::vector<double> gradient(fit.result.x.size());
    CHECK_EQ(objective->evaluate(fit.result.x.data(), gradient.data()), fit.objective);
    double largest = 0.0;
    for (const double entry : gradient) largest = std::fmax(largest, std::fabs(entry));
    CHECK_EQ(largest, fit.result.history.back().gradient_norm);
  }
}

TEST(one_layer_leaves_nothing_to_search) {
  const Data data = ridge_data(10);
  CHECK_THROWS(std::invalid_argument, deep_regression::objective(Points(data.X.view()), data.Y.view(), {layer(hill, 1, 0.1)}));
}

TEST(an_evaluation_takes_no_memory) {
  set_num_threads(1);
  for (const Setting& setting : settings) {
    const Data data = ridge_data(setting.n);
    CHECK_EQ(taken(*deep_regression::objective(Points(data.X.view()), data.Y.view(), layers_of(setting), options_of(setting))),
             0);
  }
  set_num_threads(0);
#ifdef COUNTED
  const long before = allocations.load();
  const Buffer<double> seen(10);
  const long after = allocations.load();
  CHECK_EQ(after, before + 1);  // the counter sees the library's arrays
#endif
}

TEST(nor_does_it_with_whatever_is_added) {
  set_num_threads(1);
  const std::shared_ptr<const Loss> squared = squared_loss(), huber = huber_loss(0.3);
  const std::vector<LayerPlan> two = {layer(line, 2, 0.1), layer(hill, 1, 0.05)};
  const std::vector<LayerPlan> three = {layer(line, 2, 0.1), layer(hill, 2, 0.1), layer(hill, 1, 0.05)};
  for (const Index n : {40, 300}) {
    const Data data = ridge_data(n);
    const Points X(data.X.view());
    deep_regression::Options options;
    CHECK_EQ(taken(*deep_regression::objective(X, data.Y.view(), three, options)), 0);
    options.distance_penalty = 1e-3;
    CHECK_EQ(taken(*deep_regression::objective(X, data.Y.view(), two, options)), 0);
    options.image_losses = {{1, squared, data.X.view(), 0.5}, {2, huber, data.X.view(), 0.5}};
    CHECK_EQ(taken(*deep_regression::objective(X, data.Y.view(), three, options)), 0);
    options.image_losses.pop_back();
    regression(options).sample_weight.assign(static_cast<std::size_t>(n), 1.5);
    CHECK_EQ(taken(*deep_regression::objective(X, data.Y.view(), two, options)), 0);
    regression(options).joint = true;
    CHECK_EQ(taken(*deep_regression::objective(X, data.Y.view(), two, options)), 0);
    regression(options).loss = huber;
    CHECK_EQ(taken(*deep_regression::objective(X, data.Y.view(), three, options)), 0);
  }
  set_num_threads(0);
}

TEST_MAIN
