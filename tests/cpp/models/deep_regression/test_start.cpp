// SPDX-License-Identifier: BSD-3-Clause
// Where deep regressions begin.
#include "models/deep_regression/start.hpp"

#include <cmath>
#include <vector>

#include "models/layered/training.hpp"
#include "support/check.hpp"
#include "support/deep_fits.hpp"

using namespace deep;

namespace {

struct Begun {
  Data data = ridge_data(25);
  deep_regression::Options options;
  std::vector<LayerPlan> plans;
  deep_regression::DistinctSamples samples;
  LayeredTask task;
  LayeredShare share;

  Begun(std::vector<LayerPlan> layers, bool identity)
      : options(made(identity)),
        plans(std::move(layers)),
        samples(Points(data.X.view()), data.Y.view(), plans, options),
        task(
            deep_regression::make_task(samples, plans, options, deep_regression::decided_layers(samples, plans, options), false)),
        share(task, 1) {}

  static deep_regression::Options made(bool identity) {
    deep_regression::Options options;
    options.start_at_identity = identity;
    return options;
  }
  std::vector<double> start(Index number) { return deep_regression::Starts(task, options, nullptr).make(number, share.layers); }
  /// The images of the first layer.
  Matrix images(const std::vector<double>& x) {
    share.layers.forward(x.data());
    return Matrix::copy_of(share.layers.output(1));
  }
};

}  // namespace

TEST(the_first_start_is_the_identity) {
  Begun begun({layer(hill, 2, 1.0), layer(hill, 1, 1.0)}, true);
  const Matrix images = begun.images(begun.start(0));
  // As close as a rough ridge regression comes.
  CHECK(sum_of_squares(images.view(), begun.data.X.view()) <
        1e-2 * sum_of_squares(begun.data.X.view(), Matrix::filled(25, 2, 0.0).view()));
}

TEST(all_other_starts_are_draws) {
  Begun begun({layer(hill, 2, 1.0), layer(hill, 1, 1.0)}, true);
  const std::vector<double> identity = begun.start(0), first = begun.start(1), second = begun.start(2);
  CHECK(first != identity);
  CHECK(first != second);
  CHECK(begun.start(1) == first);
  Begun drawn({layer(hill, 2, 1.0), layer(hill, 1, 1.0)}, false);
  CHECK(drawn.start(0) != identity);
}

TEST(open_layers_get_gaussians_of_the_median_distance) {
  Begun begun({LayerPlan{{}, 2, 1.0}, layer(hill, 1, 1.0)}, true);
  const Kernel& kernel = begun.task.layers[0].terms[0].kernel;
  CHECK(kernel.parameters().size() == 1);
  CHECK(kernel.parameters()[0] > 0.1 && kernel.parameters()[0] < 10.0);
}

TEST(images_that_overflow_are_no_start) {
  Begun begun({layer(hill, 2, 1.0), layer(hill, 2, 1.0), layer(hill, 1, 1.0)}, false);
  begun.options.init_scale = 1e308;
  CHECK(!deep_regression::Starts(begun.task, begun.options, nullptr).try_make(0, begun.share.layers));
}

TEST_MAIN
