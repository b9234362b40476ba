# SPDX-License-Identifier: BSD-3-Clause
"""What is seen of a fit, and who may end it: the same words for all estimators that iterate."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any, NamedTuple

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian
from gramian.models._shared.progress import End, tell_of_end
from gramian.models._shared.watch import Watch
from gramian.operators import DiagonalRegularization
from gramian.optim import Iteration
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

X = np.random.default_rng(0).normal(size=(40, 3))
NUMBERS = np.sin(2 * X[:, 0]) + X[:, 1]
LABELS = (NUMBERS > 0).astype(int)
MIXED = DiagonalRegularization(Gaussian(gamma=0.1), 0.3)
KEYS = {"iteration", "value", "gradient_norm", "step", "evaluations"}
REASONS = {"tol", "max_iter", "max_time", "callback", "patience", "max_evaluations", "line_search", "not_finite"}


class Case(NamedTuple):
    """An estimator that takes several iterations."""

    estimator: Any
    y: Any = None

    def fit(self, **parameters: Any) -> Any:
        """Return a fitted copy; it need not have converged."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return clone(self.estimator).set_params(**parameters).fit(X, self.y)


PENALTIES = {"alpha": 0.01, "inner_alpha": 0.01}
CASES = {
    "KernelAutoencoder": Case(gramian.KernelAutoencoder(tol=1e-6)),
    "K2Autoencoder": Case(gramian.K2Autoencoder(tol=1e-6)),
    "EmbeddingClassifier": Case(gramian.EmbeddingClassifier(random_state=0), LABELS),
    "EmbeddingClassifier-lbfgs": Case(
        gramian.EmbeddingClassifier(learn="rademacher", solver="lbfgs", tol=1e-9, random_state=0), LABELS
    ),
    "DeepKernelRegressor": Case(gramian.DeepKernelRegressor(**PENALTIES, random_state=0), NUMBERS),
    "DeepKernelClassifier": Case(gramian.DeepKernelClassifier(**PENALTIES, random_state=0), LABELS),
    "DeepKernelInterpolator": Case(gramian.DeepKernelInterpolator(random_state=0), NUMBERS),
    "DeepKernelPCA": Case(gramian.DeepKernelPCA((3, 2), random_state=0)),
    "ParametricDeepKernelPCA": Case(
        gramian.ParametricDeepKernelPCA(n_rounds=1, max_iter=20, learning_rate=0.001, random_state=0)
    ),
    "OperatorKernelRidge": Case(gramian.OperatorKernelRidge(MIXED, alpha=1e-4, solver="cg", tol=1e-9), X**2),
    "KernelRidge": Case(
        gramian.KernelRidge(1e-8, kernel="rbf", gamma=0.01, landmarks=29, tol=1e-9, random_state=0), X**2
    ),
    "DeepKernelPCA-adam": Case(gramian.DeepKernelPCA((3, 2), solver="riemannian_adam", max_iter=50, random_state=0)),
}


@pytest.fixture(params=list(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    """Each estimator in turn."""
    return CASES[request.param]


def state(estimator: Any) -> dict[str, Any]:
    """Return what an estimator holds, and the objects themselves."""
    return {name: id(value) for name, value in vars(estimator).items()}


def test_a_fit_says_how_it_went(case):
    model = case.fit()
    assert model.stop_reason_ in REASONS
    assert isinstance(model.n_iter_, int) and isinstance(model.objective_, float)
    history = model.history_
    assert set(history) >= KEYS
    assert {column.shape for column in history.values()} == {history["iteration"].shape}
    assert history["iteration"][0] == 0 and history["iteration"][-1] == model.n_iter_ >= 4
    assert (np.diff(history["iteration"]) > 0).all() and (np.diff(history["evaluations"]) >= 0).all()
    assert not hasattr(model, "_watch")


def test_the_callback_sees_each_iteration(case):
    seen: list[Iteration] = []
    model = case.fit(callback=seen.append)
    assert all(isinstance(point, Iteration) for point in seen)
    if getattr(model, "n_init", 1) == 1:
        assert [point.number for point in seen] == model.history_["iteration"][1:].tolist()
        assert [point.value for point in seen] == model.history_["value"][1:].tolist()
    quiet = case.fit()
    assert quiet.objective_ == model.objective_ and quiet.n_iter_ == model.n_iter_


def test_true_from_the_callback_ends_the_fit(case):
    model = case.fit(callback=lambda point: point.number >= 3)
    assert (model.stop_reason_, model.n_iter_) == ("callback", 3)
    assert len(model.history_["value"]) == 4


def test_anything_but_true_from_the_callback_goes_on(case):
    quiet = case.fit(max_iter=4).n_iter_
    assert quiet == 4
    for answer in (None, False, np.False_, 1, "stop", np.ones(2)):
        assert case.fit(max_iter=4, callback=lambda point, answer=answer: answer).n_iter_ == quiet
    assert case.fit(callback=lambda point: np.True_).n_iter_ == 1


def test_a_callback_that_raises_leaves_the_estimator_as_it_was(case):
    model = case.fit(max_iter=3)

    def fail(point: Iteration) -> None:
        raise KeyError("no")

    model.set_params(callback=fail)
    before = state(model)
    with pytest.raises(KeyError, match="no"):
        model.fit(X[:30], None if case.y is None else case.y[:30])
    assert state(model) == before


def test_max_time_ends_the_fit_after_an_iteration(case):
    model = clone(case.estimator).set_params(max_time=1e-9)
    with pytest.warns(ConvergenceWarning, match=r"max_time=1e-09 seconds") as told:
        model.fit(X, case.y)
    assert len(told) == 1 and told[0].filename == __file__
    assert (model.stop_reason_, model.n_iter_) == ("max_time", 1)
    assert np.isfinite(use(model)).all()


def use(model: Any) -> Any:
    """Return features or predictions of the samples."""
    return model.transform(X) if hasattr(model, "transform") else model.predict(X)


def test_a_long_max_time_changes_nothing(case):
    limited, free = case.fit(max_time=1000), case.fit()
    assert limited.stop_reason_ == free.stop_reason_ and limited.n_iter_ == free.n_iter_
    np.testing.assert_array_equal(use(limited), use(free))


def test_max_time_is_of_the_whole_fit(case):
    # The callback takes longer than all of the time: the first iteration is the last one.
    model = case.fit(max_time=0.01, callback=lambda point: time.sleep(0.02))
    assert (model.stop_reason_, model.n_iter_) == ("max_time", 1)


@pytest.mark.parametrize(("name", "value"), [("max_time", 0), ("max_time", "1"), ("verbose", -1), ("callback", 3)])
def test_what_watches_a_fit_is_checked(case, name, value):
    with pytest.raises(
        (TypeError, ValueError), match=f"The '{name}' parameter of {type(case.estimator).__name__} must"
    ):
        clone(case.estimator).set_params(**{name: value}).fit(X, case.y)


@pytest.mark.parametrize("name", ["KernelAutoencoder", "DeepKernelRegressor", "DeepKernelPCA"])
def test_starts_after_the_time_are_not_begun(name):
    case = CASES[name]
    model = case.fit(n_init=5, max_time=1e-9, random_state=0)
    assert 1 <= len(model.init_objectives_) < 5 and model.stop_reason_ == "max_time"
    whole, free = case.fit(n_init=5, max_time=1000, random_state=0), case.fit(n_init=5, random_state=0)
    np.testing.assert_array_equal(whole.init_objectives_, free.init_objectives_)


def test_missing_starts_are_told_of():
    watch = Watch(gramian.KernelAutoencoder(max_time=2))
    with pytest.warns(ConvergenceWarning, match="KernelAutoencoder began 1 of 3 starts in max_time=2 seconds"):
        tell_of_end(watch, End("tol", 5, {}, starts=1), n_init=3)
    watch.stopped_by = "callback"
    tell_of_end(watch, End("tol", 5, {}, starts=1), n_init=3)  # which was asked for


def test_the_time_of_a_search_for_penalties_counts():
    model = gramian.DeepKernelRegressor(max_time=1e-9, cv=2, n_init=2, random_state=0)
    with pytest.warns(ConvergenceWarning, match="max_time"):
        model.fit(X, NUMBERS)
    assert model.stop_reason_ == "max_time" and np.isfinite(model.predict(X)).all()


def test_turns_of_maps_are_one_search():
    seen: list[int] = []
    model = gramian.ParametricDeepKernelPCA(n_rounds=3, max_iter=4, random_state=0)
    model.set_params(callback=lambda point: seen.append(point.number)).fit(X)
    assert seen == model.history_["iteration"][1:].tolist() == list(range(1, 13))
    assert (model.n_iter_, model.stop_reason_, len(model.objectives_)) == (12, "max_iter", 4)
    stopped = clone(model).set_params(callback=lambda point: point.number >= 6).fit(X)
    assert (stopped.n_iter_, stopped.stop_reason_, len(stopped.objectives_)) == (6, "callback", 3)
    assert stopped.objective_ == stopped.objectives_[-1]
    levels = gramian.DeepKernelPCA((2, 2), ["linear", None], callback=lambda point: True)
    ended = clone(model).set_params(callback=None, pca=levels).fit(X)
    assert (ended.n_iter_, ended.stop_reason_, ended.pca_.stop_reason_) == (0, "callback", "callback")
    assert len(ended.history_["value"]) == 1


def test_a_closed_form_has_nothing_to_iterate():
    model = gramian.DeepKernelPCA(2, kernels="linear", solver="closed_form", max_time=1e-9).fit(X)
    assert (model.stop_reason_, model.n_iter_, len(model.history_["value"])) == ("tol", 0, 1)
    ridge = gramian.OperatorKernelRidge(MIXED, solver="cholesky", max_time=1e-9).fit(X, X**2)
    assert (ridge.stop_reason_, ridge.n_iter_) == ("tol", 1)


WARM = {
    "KernelAutoencoder": {},
    "K2Autoencoder": {},
    "EmbeddingClassifier-lbfgs": {},
    "DeepKernelRegressor": {"n_init": 1},
    "DeepKernelClassifier": {"n_init": 1},
    "DeepKernelInterpolator": {"n_init": 1},
    "DeepKernelPCA": {},
}


@pytest.mark.parametrize("name", list(WARM))
def test_a_warm_start_goes_on_where_the_last_fit_ended(name):
    case = CASES[name]
    cold = case.fit(**WARM[name])
    model = case.fit(**WARM[name], max_iter=10, warm_start=True)
    before = model.objective_
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.set_params(max_iter=1000).fit(X, case.y)
    np.testing.assert_allclose(model.history_["value"][0], before, rtol=1e-6)
    assert model.objective_ < before
    ended = model.n_iter_
    model.fit(X, case.y)
    assert model.n_iter_ < min(cold.n_iter_, ended)
    assert case.fit(**WARM[name], max_iter=10).objective_ == before


@pytest.mark.parametrize("name", [name for name in WARM if not name.startswith("Embedding")])
def test_a_warm_start_needs_as_many_samples(name):
    model = CASES[name].fit(**WARM[name], max_iter=3, warm_start=True)
    with pytest.raises(ValueError, match=r"the number of samples, or the size of a layer, has changed"):
        model.fit(X[:30], None if CASES[name].y is None else CASES[name].y[:30])


def test_a_warm_start_keeps_penalties_that_were_chosen():
    model = gramian.DeepKernelRegressor(cv=2, n_init=1, warm_start=True, random_state=0).fit(X, NUMBERS)
    results, alpha = model.cv_results_, model.alpha_
    assert model.fit(X, NUMBERS).cv_results_ is results and model.alpha_ == alpha


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_classifier_continues_with_features_and_penalty():
    network = gramian.features.Network([(6, "tanh")])
    model = gramian.EmbeddingClassifier(features=network, learn="erm", max_iter=20, tol=0, random_state=0)
    first = clone(model).set_params(warm_start=True).fit(X, LABELS)
    theta, penalty, value = first.theta_, first.penalty_, first.objective_
    first.set_params(max_iter=1, learning_rate=1e-12).fit(X, LABELS)
    np.testing.assert_allclose(first.theta_, theta, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose([first.penalty_, first.objective_], [penalty, value], rtol=1e-6)


def test_maps_continue():
    model = gramian.ParametricDeepKernelPCA(n_rounds=1, max_iter=20, warm_start=True, random_state=0).fit(X)
    ended = model.objective_
    model.fit(X)
    np.testing.assert_allclose(model.objectives_[0], ended, rtol=1e-6)
    with pytest.raises(ValueError, match="needs parameters of both maps"):
        model.fit(X[:, :2])


LOUD = """
import logging, sys, warnings
import gramian, numpy as np
warnings.simplefilter("ignore")
{configure}
X = np.random.default_rng(0).normal(size=(40, 3))
gramian.KernelAutoencoder(max_iter=4, verbose=2).fit(X)
"""


def loud(run_python: Any, configure: str) -> list[str]:
    result = run_python(LOUD.format(configure=configure))
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    return result.stderr.splitlines()


def test_verbose_is_seen_without_any_configuration(run_python):
    lines = loud(run_python, "")
    assert [line.split(",")[0] for line in lines] == [
        "KernelAutoencoder: iteration 2",
        "KernelAutoencoder: iteration 4",
        "KernelAutoencoder: ended after 4 iterations by max_iter",
    ]


@pytest.mark.parametrize("logger", ["logging.getLogger('gramian')", "logging.getLogger()"])
def test_a_handler_of_the_user_gets_it_once(run_python, logger):
    handler = f"log = {logger}; log.addHandler(logging.StreamHandler(sys.stderr)); log.setLevel(logging.INFO)"
    assert len(loud(run_python, handler)) == 3


def test_a_level_of_the_user_is_respected(run_python):
    assert loud(run_python, "logging.getLogger('gramian').setLevel(logging.WARNING)") == []


def test_verbose_is_seen_where_only_other_loggers_are_configured(run_python):
    assert len(loud(run_python, "logging.basicConfig(level=logging.WARNING)")) == 3
    assert len(loud(run_python, "logging.warning('a handler at the root')")) == 4


def test_verbose_is_for_every_estimator(case, caplog):
    with caplog.at_level("INFO", logger="gramian"):
        case.fit(verbose=1, max_iter=3)
    name = type(case.estimator).__name__
    assert all(message.startswith(f"{name}: ") for message in caplog.messages)
    assert caplog.messages[-1].startswith(f"{name}: ended after 3 iterations by max_iter, objective ")


with_callbacks = pytest.mark.skipif(
    not hasattr(gramian.KernelAutoencoder, "set_callbacks"), reason="scikit-learn has callbacks from 1.9 on"
)


class Recorder:
    """A callback of scikit-learn that goes along with searches."""

    max_propagation_depth = None

    def __init__(self, stop_after: int = sys.maxsize) -> None:
        self.tasks: list[tuple[str, ...]] = []
        self.begun = self.ended = 0
        self.state: list[str] = []
        self.data: list[Any] = []
        self.stop_after = stop_after

    def setup(self, estimator, context):
        self.state.append("setup")

    def teardown(self, estimator, context):
        self.state.append("teardown")

    def on_fit_task_begin(self, estimator, context, *, X=None, y=None, metadata=None):
        self.begun += 1

    def on_fit_task_end(self, estimator, context, *, X=None, y=None, metadata=None, fitted_estimator=None):
        self.ended += 1
        self.tasks.append((context.estimator_name, context.task_name))
        self.data.append((X, y, metadata, fitted_estimator))
        iterations = sum(name == "iteration" for _, name in self.tasks)
        return context.task_name == "iteration" and iterations >= self.stop_after


@with_callbacks
def test_callbacks_of_scikit_learn_see_fit_and_iterations(case):
    recorder = Recorder()
    model = clone(case.estimator).set_callbacks(recorder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, case.y)
    name = type(model).__name__
    assert recorder.state == ["setup", "teardown"] and recorder.begun == recorder.ended
    assert recorder.tasks[-1] == (name, "fit")
    assert recorder.tasks.count((name, "iteration")) >= model.n_iter_
    given, targets, _, fitted = recorder.data[-1]
    assert given is X and targets is case.y
    np.testing.assert_array_equal(use(fitted), use(model))
    assert case.fit().objective_ == model.objective_


@with_callbacks
def test_callbacks_of_scikit_learn_end_the_fit(case):
    model = clone(case.estimator).set_callbacks(Recorder(stop_after=3)).fit(X, case.y)
    assert (model.stop_reason_, model.n_iter_) == ("callback", 3)
    assert not [name for name in vars(model) if "callback" in name and name not in ("callback", "_skl_callbacks")]


@with_callbacks
def test_callbacks_of_scikit_learn_that_raise_are_torn_down(case):
    class Failing(Recorder):
        def on_fit_task_end(self, estimator, context):
            raise KeyError("no")

    failing = Failing()
    model = clone(case.estimator).set_callbacks(failing)
    before = state(model)
    with pytest.raises(KeyError, match="no"):
        model.fit(X, case.y)
    assert failing.state == ["setup", "teardown"] and state(model) == before


@with_callbacks
def test_callbacks_of_scikit_learn_go_along_with_a_search():
    recorder = Recorder()
    search = GridSearchCV(gramian.KernelAutoencoder(max_iter=3), {"penalty": [0.01, 0.1]}, cv=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        search.set_callbacks(recorder).fit(X)
    assert recorder.state == ["setup", "teardown"] and recorder.begun == recorder.ended
    fits = 2 * 2 + 1
    assert recorder.tasks.count(("KernelAutoencoder", "fit")) == fits
    assert recorder.tasks.count(("KernelAutoencoder", "iteration")) == 3 * fits


@with_callbacks
def test_estimators_without_iterations_go_along_with_a_search():
    recorder = Recorder()
    search = GridSearchCV(gramian.ConditionalMeanEmbedding(), {"penalty": [0.01, 0.1]}, cv=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search.set_callbacks(recorder).fit(X, NUMBERS)
    assert recorder.tasks.count(("ConditionalMeanEmbedding", "fit")) == 5


@with_callbacks
def test_starts_are_tasks_of_their_own():
    recorder = Recorder()
    case = CASES["DeepKernelRegressor"]
    model = clone(case.estimator).set_params(n_init=3, max_iter=4).set_callbacks(recorder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, case.y, sample_weight=np.ones(len(X)))
    assert [name for _, name in recorder.tasks if name != "iteration"] == ["start"] * 3 + ["fit"]
    assert recorder.data[-1][2].keys() == {"sample_weight"}


@with_callbacks
def test_a_bar_shows_the_progress(run_python):
    pytest.importorskip("rich")
    result = run_python(
        "import warnings; warnings.simplefilter('ignore')\n"
        "import gramian, numpy as np\n"
        "from sklearn.callback import ProgressBar\n"
        "gramian.KernelAutoencoder(max_iter=3).set_callbacks(ProgressBar()).fit(np.eye(5))"
    )
    assert result.returncode == 0, result.stderr
    assert "KernelAutoencoder - fit" in result.stdout and "100%" in result.stdout


def test_a_scikit_learn_without_callbacks_will_do(run_python):
    result = run_python(
        "import sys, warnings; warnings.simplefilter('ignore')\n"
        "import sklearn.model_selection, sklearn.pipeline, sklearn.preprocessing, sklearn.linear_model\n"
        "sys.modules['sklearn.callback'] = None\n"
        "import gramian, numpy as np\n"
        "model = gramian.KernelAutoencoder(max_iter=5, callback=lambda point: point.number >= 3)\n"
        "print(hasattr(model, 'set_callbacks'), model.fit(np.random.rand(9, 2)).stop_reason_)"
    )
    assert result.stdout.split() == ["False", "callback"], result.stderr
