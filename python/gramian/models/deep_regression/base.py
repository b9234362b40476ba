# SPDX-License-Identifier: BSD-3-Clause
"""What concatenated regression, interpolation and classification have in common."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._parametrised import parameter_names
from gramian._random import seed_of
from gramian._scikit import ClassNamePrefixFeaturesOutMixin, MultiOutputMixin, RegressorMixin, TransformerMixin
from gramian._validation import FloatArray, aligned, check_vector, check_whole, is_sparse
from gramian.kernels import Kernel, Matern
from gramian.models._shared.landmarks import is_count
from gramian.models._shared.layers import LayerPlan, learned_kernel, trained_layers, with_kernels_of
from gramian.models._shared.precision import PreservesFloat32, preserves_dtype
from gramian.models._shared.samples import crossing
from gramian.models._shared.trained import LayeredEstimator
from gramian.models._shared.training import tell, warm_start_of
from gramian.models._shared.types import LayerKernels, RandomState
from gramian.models._shared.watch import Watch
from gramian.models._shared.weighted import first_rows, order_of_samples
from gramian.models.deep_regression.fit import (
    TRAINING,
    Choice,
    Problem,
    check_before,
    check_options,
    choose,
    tell_of_scales,
)
from gramian.models.deep_regression.kernel import DeepKernel, InnerLayer
from gramian.models.deep_regression.part import train_by_search
from gramian.models.deep_regression.plan import check_theta, plan
from gramian.models.deep_regression.samples import Given, Samples, Scaling, check_distinct, moments, no_scaling
from gramian.models.deep_regression.types import Init, InnerParameters, Solver
from gramian.models.deep_regression.validation import check_folds, landmark_rows


class BaseDeepRegression(ClassNamePrefixFeaturesOutMixin, PreservesFloat32, TransformerMixin, LayeredEstimator):
    """The layers, their training and their use. Subclasses say what the targets are."""

    _table = TRAINING
    _ridge = "alpha"
    _mode: Any = _core.deep_regression.Regression
    _takes_sparse = True

    kernels: LayerKernels
    hidden: int | Sequence[int] | None
    A: Sequence[npt.ArrayLike | None] | None
    theta: Any
    standardize: bool | None
    n_init: int
    init: Init
    init_scale: float
    refined_share: float
    solver: Solver
    inner_parameters: InnerParameters
    distance_penalty: float
    max_iter: int
    tol: float
    learning_rate: float
    random_state: RandomState
    warm_start: bool
    memory_budget: int | None

    init_stop_reasons_: list[str]
    alpha_: float
    inner_alpha_: FloatArray
    loss_: float
    layer_penalties_: FloatArray
    inner_parameters_: str
    inner_rank_: int | None
    input_shift_: FloatArray
    input_scale_: FloatArray
    output_shift_: FloatArray
    output_scale_: FloatArray
    _variables: FloatArray

    @property
    def _n_features_out(self) -> int:
        return int(self.coefficients_[-2].shape[1]) if len(self.coefficients_) > 1 else int(self.n_features_in_)

    @property
    def deep_kernel_(self) -> DeepKernel:
        """The learned kernel, [DKL] (10), (11), of points as `fit` takes them."""
        self._require_fitted()
        kernel = self.kernels_[-1]
        if not isinstance(kernel, Kernel):
            raise AttributeError("The last layer has a sum of kernels with operators, and so no kernel of its own.")
        supports = [part.toarray() if is_sparse(part) else part for part in self.supports_]
        layers = tuple(
            InnerLayer(*parts)
            for parts in zip(self.kernels_[:-1], self.operators_, self.coefficients_, supports, strict=False)
        )
        return DeepKernel(kernel, layers, self.input_shift_, self.input_scale_)

    @preserves_dtype
    def transform(self, X: npt.ArrayLike, layer: int | None = None) -> FloatArray:
        """
        Return the images of samples under the inner layers.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d)
            Samples in rows.
        layer : int, optional
            The layer, from 1, whose outputs are wanted; the last inner one if None, which is what the outer kernel
            sees.

        Returns
        -------
        ndarray of shape (q, d_layer)
            With one layer alone: the samples as it sees them.
        """
        samples = self._new_samples(X)
        inner = len(self.coefficients_) - 1
        last = inner if layer is None else check_whole(layer, "layer", "transform", inner)
        if not last and is_sparse(self.supports_[0]):
            return cast(FloatArray, self._as_seen(samples))
        return cast(FloatArray, self._predictor.images(last, crossing(samples)))

    def _as_seen(self, samples: Any) -> Any:
        """Return samples as the first layer sees them, if that is sparse."""
        rows = samples if is_sparse(samples) else type(self.supports_[0])(samples)
        return Scaling(self.input_shift_, self.input_scale_).forward(rows)

    def _run(self, verb: _core.serving.Verb, X: Any) -> FloatArray:
        return cast(FloatArray, self._predictor.apply(verb, crossing(self._new_samples(X))))

    def _compile(self) -> _core.deep_regression.Predictor:
        layers = trained_layers(self.kernels_, self.operators_, self.coefficients_, self.supports_)
        labels, meaning = self._labels_and_meaning()
        inputs = self._scaling("input", int(self.n_features_in_))
        outputs = self._scaling("output", layers[-1][1].shape[1])
        return _core.deep_regression.Predictor(layers, inputs, outputs, labels, meaning)

    def _scaling(self, side: str, columns: int) -> tuple[list[float], list[float]]:
        names = f"{side}_shift_", f"{side}_scale_"
        shift, scale = (check_vector(getattr(self, name), name, columns, self._owner).tolist() for name in names)
        return shift, scale

    def _labels_and_meaning(self) -> tuple[list[Any], _core.deep_regression.Outputs]:
        return [], _core.deep_regression.Outputs.values

    def _fit(self, samples: Samples, loss: Any, outputs: Scaling, classes: Any, given: Given | None) -> dict[str, Any]:
        """Return what is learned, by the names of the attributes; given: samples as they came, if they are merged."""
        owner = type(self).__name__
        inputs = moments(samples.X, samples.weights) if self._standardizes() else no_scaling(samples.X)
        seen = samples.scaled(inputs, outputs)
        plans = self._plans(seen.X.shape[1], seen.Y.shape[1])
        seed = self._watch.settled(seed_of(self.random_state, self._draws_for(len(plans), len(seen.Y))))
        options = {**check_options(self, seed), **self._more_options()}
        if given is not None and options["distance_penalty"] > 0:
            check_distinct(samples, owner)
        rows = landmark_rows(self, seen, seed)
        options["landmarks"] = [] if rows is None else rows.tolist()
        problem = Problem(seen, plans, loss, check_theta(self.theta, len(plans), owner), options)
        check_before(problem)
        tell_of_scales(self, problem)
        choice = self._choice(problem, lambda: check_folds(self, problem, (inputs, outputs), classes, given, seed))
        found, search = train_by_search(self, problem, choice, self._start(seen, rows, plans), rows)
        tell(self, search, found if rows is not None else None)
        plans = [one.learned(own) for one, own in zip(plans, found.kernel_parameters, strict=True)]
        supporting = np.array(found.support_rows or range(len(seen.Y)))
        order = order_of_samples(samples.place, len(seen.Y), supporting)
        return {
            "kernels_": [learned_kernel(one) for one in plans],
            "operators_": [one.terms[0][1] if len(one.terms) == 1 else None for one in plans],
            "coefficients_": [part[order] for part in found.coefficients],
            "supports_": [seen.X[supporting[order]], *(part[order] for part in found.supports)],
            "input_shift_": inputs.shift,
            "input_scale_": inputs.scale,
            "output_shift_": outputs.shift,
            "output_scale_": outputs.scale,
            **self._landmarks_of(samples, rows),
            "_variables": found.variables,
            **_facts(found, search, choice, self._watch),
        }

    def _landmarks_of(self, samples: Samples, rows: Any) -> dict[str, Any]:
        """Return which rows of X support the layers; rows: of the merged samples."""
        if "landmarks" not in parameter_names(type(self)):
            return {}
        first = first_rows(samples.place, len(samples.Y))
        return {"landmarks_": None if rows is None else np.sort(first[rows])}

    def _draws_for(self, depth: int, n: int) -> bool:
        """Tell whether a fit of `depth` layers to n samples needs random numbers: for starts, landmarks or folds."""
        joint = getattr(self, "loss", "squared") != "squared" or getattr(self, "last_layer", "auto") == "joint"
        starts = (depth > 1 or joint) and (self.n_init != 1 or self.init == "random")
        return starts or is_count(self._asked_landmarks(n)) or self._draws_folds(depth)

    def _draws_folds(self: Any, depth: int) -> bool:
        chooses = self.alpha is None or (depth > 1 and self.inner_alpha is None)
        return chooses and (self.cv is None or is_count(self.cv))

    def _choice(self: Any, problem: Problem, folds: Any) -> Choice:
        if self._continues() and self.cv_results_ is not None and (self.alpha is None or self.inner_alpha is None):
            return Choice(self.alpha_, self.inner_alpha_.tolist(), self.cv_results_)
        return choose(self, problem, folds)

    def _plans(self, features: int, outputs: int) -> list[LayerPlan]:
        plans = plan(self, features, outputs, self._outer_kernel(features))
        return with_kernels_of(plans, self.kernels_) if self._continues() else plans

    def _continues(self) -> bool:
        return bool(self.warm_start) and hasattr(self, "coefficients_")

    def _start(self, samples: Samples, rows: Any, plans: list[LayerPlan]) -> FloatArray | None:
        """Return where the last fit ended, if it is where this one begins."""
        if not self._continues() or not self._variables.size:
            return None
        supports = len(samples.Y) if rows is None else len(rows)
        warm_start_of(self.coefficients_, [(supports, one.outputs) for one in plans], "coefficients")
        return self._variables

    def _outer_kernel(self, features: int) -> Kernel:
        """Return the last one of the kernels that the engine chooses where the user has not."""
        shape = self._mode.outer_kernel(features)
        return Matern(nu=shape.nu, length_scale=shape.length_scale)

    def _more_options(self) -> dict[str, Any]:
        return {"joint": self._checked("last_layer") == "joint"}

    def _standardizes(self) -> bool:
        if self.standardize is None:
            return self.kernels is None
        return bool(self._checked("standardize"))


class BaseDeepTargets(MultiOutputMixin, RegressorMixin, BaseDeepRegression):
    """Targets that are numbers."""

    _flat: bool

    def _data(self, probe: Any, X: Any, y: Any) -> tuple[FloatArray, FloatArray]:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        points, checked = self._training_samples_of(probe, X, y=y, multi_output=True, y_numeric=True)
        targets = aligned(checked.astype(np.float64, copy=False))
        if targets.ndim == 2 and targets.shape[1] == 1 and np.ndim(y) == 1:
            targets = targets[:, 0]
        return points, targets

    def predict(self, X: npt.ArrayLike) -> FloatArray:
        """
        Return the values of the learned function.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (q, d)
            Samples in rows.

        Returns
        -------
        ndarray of shape (q,) or (q, c)
            As y was in `fit`. O(q m (d + d_1 + ...)) time for m supports.
        """
        values = self._run(_core.serving.Verb.predict, X)
        return values[:, 0] if self._flat else values


def _facts(
    found: _core.deep_regression.Fit, search: _core.deep_regression.Fit, choice: Choice, watch: Watch
) -> dict[str, Any]:
    """Return facts of the training; search: how it went, which may have been that of a part of the rows."""
    return {
        "alpha_": choice.alpha,
        "inner_alpha_": np.array(choice.inner_alpha),
        "cv_results_": choice.table,
        "objective_": found.objective,
        "loss_": found.loss,
        "squared_norms_": np.array(found.squared_norms),
        "layer_penalties_": np.array(found.penalties),
        "init_objectives_": np.array(search.restart_values),
        "init_stop_reasons_": [watch.reason(reason) for reason in search.restart_reasons],
        "stationarity_": found.stationarity,
        "history_": search.history,
        "stop_reason_": watch.reason(search.stop_reason),
        "n_iter_": search.iterations,
        "last_layer_": "joint" if found.joint else "eliminated",
        "inner_parameters_": found.parameters.name,
        "inner_rank_": found.inner_rank if found.parameters.name == "features" else None,
        "jitter_": found.jitter,
        "_merged": found.merged,
    }
