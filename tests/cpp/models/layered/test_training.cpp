// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/training.hpp"

#include <cstdint>

#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/layers/ridge_output.hpp"
#include "support/check.hpp"
#include "support/deep_fits.hpp"

using namespace deep;

namespace {

LayeredTask single(const Data& data, bool mean) {
  LayeredTask task{Points(data.X.view()), data.Y.view()};
  task.mean = mean;
  task.loss = squared_loss();
  task.layers = {KernelLayer::scalar(hill, 1, 0.1)};
  task.thetas.resize(1);
  return task;
}

class Watch final : public Observer {
 public:
  bool observe(const Iteration&, const double*) override { return true; }
};

}  // namespace

TEST(one_layer_that_is_solved_for_is_ridge_regression) {
  const Data data = ridge_data(12);
  for (const bool mean : {false, true}) {
    const LayeredFit fit = single_layer(single(data, mean));
    RidgeOutput ridge(KernelLayer::scalar(hill, 1, 0.1), data.Y.view(), 1, {!mean});
    CHECK_EQ(fit.objective, ridge.evaluate(Points(data.X.view()), {}));
    CHECK_NEAR(fit.objective, fit.loss + 0.1 * fit.squared_norms[0], 1e-12 * fit.objective);
    CHECK(fit.result.stop_reason == StopReason::gradient);
    CHECK(fit.restart_values == std::vector<double>{fit.objective});
    CHECK(!fit.joint);
    CHECK(fit.result.history.size() == 1 && fit.result.history[0].number == 0 && fit.result.history[0].evaluations == 1);
    CHECK_EQ(fit.result.history[0].value, fit.objective);
  }
}

TEST(a_run_needs_more_where_the_last_layer_is_solved_for) {
  const std::uint64_t joint = bytes_of_run(1000, 0, 3, true, 0.0), solved = bytes_of_run(1000, 0, 3, false, 0.0),
                      few = bytes_of_run(1000, 50, 3, false, 0.0);
  CHECK_EQ(joint, std::uint64_t(8 * 8 * 3000));
  CHECK_EQ(solved - joint, std::uint64_t(8 * 2 * 1000 * 1000));
  CHECK(few < solved);
  CHECK_EQ(bytes_of_run(1000, 0, 3, true, 500.0) - joint, std::uint64_t(4000));
}

TEST(runs_share_the_machine_only_where_all_threads_have_one) {
  set_num_threads(3);
  Watch watch;
  CHECK_EQ(runs_at_once(1, 3, nullptr), 3);
  CHECK_EQ(runs_at_once(1, 2, nullptr), 1);
  CHECK_EQ(runs_at_once(1, 3, &watch), 1);
  set_memory_limit(1000);
  CHECK_EQ(runs_at_once(400, 3, nullptr), 1);
  CHECK_EQ(runs_at_once(300, 3, nullptr), 3);
  set_memory_limit(0);
  set_num_threads(0);
}

TEST_MAIN
