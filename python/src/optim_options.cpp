// SPDX-License-Identifier: BSD-3-Clause
#include "optim_options.hpp"

#include "settings.hpp"

namespace gramian::python {

namespace {

/// What `read` takes from the dict, and nothing else may be in it.
template <class Options, class Read>
Options options_of(const py::dict& dict, const char* solver, Read read) {
  Settings settings(dict, std::string("solver '") + solver + "'");
  Options options;
  settings.read_limits(options);
  read(settings, options);
  settings.finish();
  return options;
}

template <class Options>
void read_rule(Settings& settings, Options& options) {
  settings.read("rule", options.rule,
                {{"constant", StepRule::constant},
                 {"inverse_time", StepRule::inverse_time},
                 {"inverse_root", StepRule::inverse_root},
                 {"backtracking", StepRule::backtracking}});
  settings.read("step", options.step);
  settings.read("decay", options.decay);
  settings.read("momentum", options.momentum);
}

template <class Options>
void read_search(Settings& settings, Options& options) {
  settings.read("max_evaluations", options.max_evaluations);
  settings.read("sufficient_decrease", options.sufficient_decrease);
  settings.read("curvature", options.curvature);
}

template <class Options>
void read_moments(Settings& settings, Options& options) {
  settings.read("step", options.step);
  settings.read("beta1", options.beta1);
  settings.read("beta2", options.beta2);
  settings.read("epsilon", options.epsilon);
}

}  // namespace

LbfgsOptions lbfgs_argument(const py::dict& options) {
  return options_of<LbfgsOptions>(options, "lbfgs", [](Settings& settings, LbfgsOptions& found) {
    read_search(settings, found);
    settings.read("memory", found.memory);
  });
}

BfgsOptions bfgs_argument(const py::dict& options) { return options_of<BfgsOptions>(options, "bfgs", read_search<BfgsOptions>); }

GradientDescentOptions gradient_descent_argument(const py::dict& options) {
  return options_of<GradientDescentOptions>(options, "gd", read_rule<GradientDescentOptions>);
}

SgdOptions sgd_argument(const py::dict& options) {
  return options_of<SgdOptions>(options, "sgd", [](Settings& settings, SgdOptions& found) {
    read_rule(settings, found);
    settings.read("check_every", found.check_every);
  });
}

AdamOptions adam_argument(const py::dict& options, bool estimates) {
  return options_of<AdamOptions>(options, "adam", [&](Settings& settings, AdamOptions& found) {
    read_moments(settings, found);
    if (estimates) settings.read("check_every", found.check_every);
  });
}

RiemannianLbfgsOptions riemannian_lbfgs_argument(const py::dict& options) {
  return options_of<RiemannianLbfgsOptions>(options, "lbfgs", [](Settings& settings, RiemannianLbfgsOptions& found) {
    settings.read("memory", found.memory);
    settings.read("sufficient_decrease", found.sufficient_decrease);
  });
}

RiemannianAdamOptions riemannian_adam_argument(const py::dict& options) {
  return options_of<RiemannianAdamOptions>(options, "adam", [](Settings& settings, RiemannianAdamOptions& found) {
    read_moments(settings, found);
    settings.read("anneal", found.anneal);
    settings.read("retraction", found.retraction, {{"polar", StiefelRetraction::polar}, {"qr", StiefelRetraction::qr}});
  });
}

StiefelDescentOptions stiefel_descent_argument(const py::dict& options) {
  return options_of<StiefelDescentOptions>(
      options, "gd", [](Settings& settings, StiefelDescentOptions& found) { settings.read("step", found.step); });
}

}  // namespace gramian::python
