# SPDX-License-Identifier: BSD-3-Clause
"""What autoencoders on vectors and on feature spaces have in common."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._scikit import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from gramian._validation import FLOAT64, FloatArray, IntArray, check_matrix, check_vector
from gramian.models._shared.duration import fewer_supports, layer_operations, tell_of_duration
from gramian.models._shared.landmarks import IndexArray, choose_landmarks, is_count, merged_rows
from gramian.models._shared.layers import (
    LayerPlan,
    check_code_layer,
    check_hidden,
    learned_kernel,
    plan_layers,
    with_kernels_of,
)
from gramian.models._shared.precision import PreservesFloat32
from gramian.models._shared.search_part import FINISHING, searched_rows
from gramian.models._shared.trained import LayeredEstimator
from gramian.models._shared.training import tell, warm_start_of
from gramian.models._shared.types import (
    ForEachLayer,
    Landmarks,
    LayerKernels,
    RandomState,
)
from gramian.models._shared.weighted import Distinct
from gramian.models.autoencoder.collapse import tell_of_collapse
from gramian.models.autoencoder.defaults import choose_penalty, default_kernel, is_left_open
from gramian.models.autoencoder.fit import LAYERS, is_squared, part_of_options, train, training_options
from gramian.models.autoencoder.types import Init, Solver

_EVALUATIONS = 200
"""Of a training that nothing stops before it has converged, as a rule."""


class BaseAutoencoder(ClassNamePrefixFeaturesOutMixin, PreservesFloat32, TransformerMixin, LayeredEstimator):
    """The layers, their training, and their use. Subclasses say what the first layer sees and what is reconstructed."""

    _ridge = "penalty"
    _older: ClassVar[dict[str, Any]] = {"cv_results_": None}

    hidden: int | Sequence[int]
    kernels: LayerKernels
    penalty: ForEachLayer | Literal["auto"]
    A: Sequence[npt.ArrayLike | None] | None
    solver: Solver
    landmarks: Landmarks
    n_init: int
    init: Init
    max_iter: int
    tol: float
    learning_rate: float
    inner_steps: int
    code_layer: int | None
    random_state: RandomState
    warm_start: bool
    memory_budget: int | None

    penalties_: FloatArray
    cv_results_: dict[str, Any] | None
    embedding_: FloatArray
    code_layer_: int
    landmarks_: IntArray | None
    distortion_: float
    _generalization_terms: dict[str, float] | None

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def _plans(self, outputs: int) -> list[LayerPlan]:
        owner = type(self).__name__
        sizes = [*check_hidden(self.hidden, owner), outputs]
        penalty = LAYERS.penalty if is_left_open(self.penalty, self._owner) else self.penalty
        plans = plan_layers(owner, self.kernels, self.A, penalty, sizes, default_kernel)
        check_code_layer(self.code_layer, sizes[:-1], owner)
        return with_kernels_of(plans, self.kernels_) if self._continues() else plans

    def _with_penalties(
        self, plans: list[LayerPlan], points: Any, targets: FloatArray, options: dict[str, Any], loss: Any
    ) -> tuple[list[LayerPlan], dict[str, Any] | None]:
        """Return the layers with the penalties that the parameter leaves open, and `cv_results_`."""
        if not is_left_open(self.penalty, self._owner):
            return plans, None
        if options.get("max_norm"):
            return [plan._replace(penalty=0.0) for plan in plans], None
        if self._continues():
            penalties = check_vector(self.penalties_, "penalties_", len(plans), "the layers")
            return [plan._replace(penalty=float(own)) for plan, own in zip(plans, penalties, strict=True)], None
        # Rows of a factor of a Gram matrix are points with these inner products.
        rows = points if isinstance(points, np.ndarray) else targets
        chosen = choose_penalty(self, rows, targets, plans, options, loss)
        return [plan._replace(penalty=chosen.penalty) for plan in plans], chosen.results

    def _draws(self) -> bool:
        batches = getattr(self, "batch_size", None) is not None
        return self.n_init != 1 or self.init == "random" or is_count(self.landmarks) or batches

    def _takes_landmarks(self) -> bool:
        """Alternating solvers, and a last layer in closed form that has an operator or several kernels, take none."""
        if isinstance(self.solver, str) and self.solver == "alternating":
            return False
        joint = getattr(self, "last_layer", "eliminated") == "joint"
        last_A, last = (
            part[-1] if isinstance(part, list | tuple) and part else None for part in (self.A, self.kernels)
        )
        return joint or (last_A is None and not isinstance(last, list | tuple))

    def _continues(self) -> bool:
        return bool(self.warm_start) and hasattr(self, "coefficients_")

    def _train(
        self,
        points: Any,
        dimension: int | None,
        targets: FloatArray,
        samples: Distinct,
        landmarks: IndexArray | None,
        seed: int,
        loss: Any,
        more: dict[str, Any],
    ) -> dict[str, Any]:
        """Return what is learned, by the names of the attributes; supports_ lacks the rows of the input.

        points, targets, landmarks: of the distinct samples.
        """
        n, outputs = targets.shape
        plans = self._plans(outputs)
        weights = [] if samples.weights is None else samples.weights.tolist()
        options = {**training_options(self, landmarks, seed), "weights": weights, **more}
        rows = n if landmarks is None else len(landmarks)
        shapes = [(rows, plan.outputs) for plan in plans]
        start = self._warm_start(samples, landmarks, shapes)
        plans, tried = self._with_penalties(plans, points, targets, options, loss)
        dimensions = [dimension, *[plan.outputs for plan in plans[:-1]]]
        widths = [own.outputs for own in plans]
        part = None if more.get("batch_size") else searched_rows(self, landmarks, n, seed)
        seen = n if part is None or start is not None else len(part)
        self._tell_of_duration(n, seen, landmarks, [dimension or outputs, *widths])
        search = None
        if part is not None and start is None:
            few = part_of_options(options, part)
            search = train(self, points[part], targets[part], plans, dimensions, few, loss, None)
            plans = [plan.learned(own) for plan, own in zip(plans, search.kernel_parameters, strict=True)]
            start = np.concatenate([own.ravel() for own in search.coefficients])
            options = {**options, "restarts": 1, "max_iterations": min(FINISHING, options["max_iterations"])}
        found = train(self, points, targets, plans, dimensions, options, loss, start)
        search = search or found
        tell(self, search, found if landmarks is not None else None)
        plans = [plan.learned(own) for plan, own in zip(plans, found.kernel_parameters, strict=True)]
        if is_squared(loss) and self._watch.reason(found.stop_reason) != "max_time":
            tell_of_collapse(self._owner, found.loss, targets, weights)
        rows = samples.rows if landmarks is None else samples.rows[landmarks]
        order = np.argsort(rows)
        return {
            **self._learned(plans, found, search),
            "coefficients_": [part[order] for part in found.coefficients],
            "supports_": [part[order] for part in found.supports],
            "landmarks_": None if landmarks is None else rows[order],
            "cv_results_": tried,
            "_generalization_terms": _bound_terms(found, targets, samples.total),
        }

    def _tell_of_duration(self, n: int, searched: int, landmarks: IndexArray | None, widths: list[int]) -> None:
        """Warn of a long training; searched: rows that the search sees; widths: of the input and the layers."""
        m = None if landmarks is None else len(landmarks)
        evaluations = min(self._checked("max_iter"), _EVALUATIONS) * self._checked("n_init")
        work = evaluations * layer_operations(searched, m or searched, widths, solved=True)
        tell_of_duration(self, n, work, fewer_supports(self, m is None))

    def _warm_start(
        self, samples: Distinct, landmarks: IndexArray | None, shapes: Sequence[tuple[int, ...]]
    ) -> FloatArray | None:
        """Return the coefficients of the last fit, which are in the order of X."""
        if not self._continues():
            return None
        rank = np.argsort(np.argsort(samples.rows if landmarks is None else samples.rows[landmarks]))
        parts = [part[rank] if len(part) == len(rank) else part for part in self.coefficients_]
        return warm_start_of(parts, shapes, "coefficients")

    def _landmarks_among(self, samples: Distinct, points: Any, asked: Any, seed: int) -> IndexArray | None:
        """
        Return which of the distinct samples support the layers.

        points: what the binding takes for these; asked: of `_asked_landmarks`.
        """
        if asked is None or is_count(asked):
            return choose_landmarks(asked, len(samples.rows), points, seed, self._owner)
        return merged_rows(asked, samples.place, self._owner)

    def _learned(self, plans: list[LayerPlan], found: _core.layered.Fit, search: _core.layered.Fit) -> dict[str, Any]:
        """Return what is learned; search: how the training went, which may have been that of a part of the rows."""
        code_layer = check_code_layer(self.code_layer, [plan.outputs for plan in plans[:-1]], type(self).__name__)
        return {
            "kernels_": [learned_kernel(plan) for plan in plans],
            "operators_": [plan.terms[0][1] if len(plan.terms) == 1 else None for plan in plans],
            "penalties_": np.array([plan.penalty for plan in plans]),
            "embedding_": found.outputs[code_layer - 1],
            "code_layer_": code_layer,
            "objective_": found.objective,
            "distortion_": found.loss,
            "squared_norms_": np.array(found.squared_norms),
            "stationarity_": found.stationarity,
            "history_": search.history,
            "stop_reason_": self._watch.reason(search.stop_reason),
            "n_iter_": search.iterations,
            "init_objectives_": np.array(search.restart_values),
            "jitter_": found.jitter,
            "multipliers_": np.array(found.multipliers) if found.multipliers else None,
            "last_layer_": "joint" if found.joint else "eliminated",
        }

    def _check_codes(self, codes: Any) -> FloatArray:
        self._require_fitted()
        matrix = check_matrix(codes, "codes").astype(FLOAT64, copy=False)
        if matrix.shape[1] != self._n_features_out:
            raise ValueError(
                f"codes has {matrix.shape[1]} features, but {type(self).__name__} makes codes of "
                f"{self._n_features_out} features."
            )
        return matrix

    def generalization_terms(self) -> dict[str, float]:
        r"""
        Return what the bound [KAE] Thm. 5 is made of, for two layers.

        The excess risk is below :math:`C_0 L M s t \sqrt{K p / n} + 24 M^2 \sqrt{\ln(2/\delta) / 2n}` with probability
        :math:`1 - \delta`. These are terms to compare fits by and not a promise: the constant :math:`C_0` is unknown,
        and s, t and M are those of the training samples.

        Returns
        -------
        dict
            ``s`` and ``t``, the norms of the two functions; ``K``, the supremum of tr K_1(x, x) / p; ``L_squared``,
            infinite unless the second kernel is Gaussian or linear; ``M``, the largest norm of a sample; ``p`` and
            ``n``, the sum of the weights of the samples.

        Raises
        ------
        ValueError
            If there are more than two layers.
        """
        self._require_fitted()
        if self._generalization_terms is None:
            raise ValueError("The bound of [KAE] Thm. 5 is for two layers: len(hidden) must be 1.")
        return dict(self._generalization_terms)


def embedding_of_all(samples: Distinct, codes: FloatArray, encode: Callable[[IntArray], FloatArray]) -> FloatArray:
    """Return the codes of all samples that came; encode: makes those of the rows of weight 0."""
    absent = np.flatnonzero(samples.place < 0)
    if samples.as_they_came:
        return codes
    all_of_them = codes[samples.place]
    if absent.size:
        all_of_them[absent] = encode(absent)
    return all_of_them


def _bound_terms(found: _core.layered.Fit, targets: FloatArray, total: float) -> dict[str, float] | None:
    if len(found.coefficients) != 2:
        return None
    terms = _core.autoencoder.generalization_terms(found, targets)
    return {**{name: getattr(terms, name) for name in ("s", "t", "K", "L_squared", "M", "p")}, "n": total}
