# SPDX-License-Identifier: BSD-3-Clause
"""What concatenated regression, interpolation and classification have in common."""

import math
import numbers
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    MultiOutputMixin,
    RegressorMixin,
    TransformerMixin,
    is_classifier,
)
from sklearn.model_selection import check_cv
from sklearn.utils.validation import _check_y, check_consistent_length, check_is_fitted

from gramian import _core
from gramian._validation import as_array, check_choice, check_matrix, check_real, check_whole, is_sparse, refuse_lossy
from gramian.kernels import Kernel, Matern
from gramian.linalg._spectral import _seed
from gramian.models._shared.compatibility import validate_data
from gramian.models._shared.landmarks import choose_landmarks
from gramian.models._shared.layers import FloatArray, LayerPlan, learned_kernel, trained_layer
from gramian.models._shared.training import tell
from gramian.models.deep_regression.fit import (
    Choice,
    Fold,
    Problem,
    check_before,
    check_options,
    choose,
    tell_of_scales,
    train,
)
from gramian.models.deep_regression.kernel import DeepKernel, InnerLayer
from gramian.models.deep_regression.plan import check_theta, plan
from gramian.models.deep_regression.samples import (
    Images,
    Samples,
    Scaling,
    check_distinct,
    folds,
    in_order,
    moments,
    no_scaling,
    squared_distances,
    stacked,
)
from gramian.points import check_points

_FOLDS = 5
# A fit costs n^3, and there are many of them in a choice.
_MOST_OF_A_CHOICE = 1000
_LARGEST = 2**62
_LEAST_SAMPLES = 2
_FLOAT64 = np.dtype(np.float64)


class BaseDeepRegression(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The layers, their training and their use. Subclasses say what the targets are."""

    _takes_sparse = True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse
        return tags

    def _more_tags(self) -> dict[str, Any]:  # the same before scikit-learn 1.6
        return {"X_types": ["2darray"] + ["sparse"] * self._takes_sparse}

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "coefficients_")

    @property
    def _n_features_out(self) -> int:
        return int(self.coefficients_[-2].shape[1]) if len(self.coefficients_) > 1 else int(self.n_features_in_)

    @property
    def deep_kernel_(self) -> DeepKernel:
        """The learned kernel, [DKL] (10), (11), of points as `fit` takes them."""
        check_is_fitted(self)
        kernel = self.kernels_[-1]
        if not isinstance(kernel, Kernel):
            raise AttributeError("The last layer has a sum of kernels with operators, and so no kernel of its own.")
        supports = [part.toarray() if is_sparse(part) else part for part in self.supports_]
        layers = tuple(
            InnerLayer(*parts)
            for parts in zip(self.kernels_[:-1], self.operators_, self.coefficients_, supports, strict=False)
        )
        return DeepKernel(kernel, layers, self.input_shift_, self.input_scale_)

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
        points = self._points(X)
        inner = len(self.coefficients_) - 1
        last = inner if layer is None else check_whole(layer, "layer", "transform", inner)
        return cast(FloatArray, self._apply(points, last))

    def _points(self, X: Any) -> Any:
        check_is_fitted(self)
        samples = _validated(self, X, reset=False)
        supports = self.supports_[0]
        if is_sparse(samples) and not is_sparse(supports):
            samples = samples.toarray()
        elif is_sparse(supports) and not is_sparse(samples):
            samples = type(supports)(samples)
        return Scaling(self.input_shift_, self.input_scale_).forward(samples)

    def _apply(self, X: Any, last: int) -> Any:
        for i in range(last):
            layer = trained_layer(self.kernels_[i], self.operators_[i], self.coefficients_[i], 0.0)
            spec = layer._lower(self.supports_[i].shape[1])
            points, supports = (check_points(part, "X").crossing(_FLOAT64) for part in (X, self.supports_[i]))
            X = _core.autoencoder.apply_layer(spec, points, supports, self.coefficients_[i])
        return X

    def _outputs(self, X: Any) -> FloatArray:
        values = self._apply(self._points(X), len(self.coefficients_))
        return Scaling(self.output_shift_, self.output_scale_).back(values)

    def _fit(self, samples: Samples, loss: Any, outputs: Scaling, classes: Any, given: Any) -> dict[str, Any]:
        """Return what is learned, by the names of the attributes; given: X, Y and weights as they came."""
        owner, seed = type(self).__name__, _seed(self.random_state)
        inputs = moments(samples.X, samples.weights) if self._standardizes() else no_scaling(samples.X)
        seen = samples.scaled(inputs, outputs)
        plans = self._plans(seen.X.shape[1], seen.Y.shape[1])
        options = {**check_options(self, seed), **self._more_options()}
        if given is not None and options["distance_penalty"] > 0:
            check_distinct(samples, owner)
        rows = self._landmark_rows(seen, seed)
        options["landmarks"] = [] if rows is None else rows.tolist()
        problem = Problem(seen, plans, loss, check_theta(self.theta, len(plans), owner), options)
        check_before(problem)
        tell_of_scales(self, problem)
        choice = self._choice(problem, lambda: self._folds(problem, inputs, outputs, classes, given, seed))
        found = train(self, problem, choice)
        tell(self, found, stacklevel=4, landmarks=rows is not None)
        plans = [one.learned(own) for one, own in zip(plans, found["kernel_parameters"], strict=True)]
        supporting = found["support_rows"]
        supports = seen.X[supporting] if supporting else seen.X
        return {
            "kernels_": [learned_kernel(one) for one in plans],
            "operators_": [one.terms[0][1] if len(one.terms) == 1 else None for one in plans],
            "coefficients_": found["coefficients"],
            "supports_": [supports.copy(), *found["supports"]],
            "input_shift_": inputs.shift,
            "input_scale_": inputs.scale,
            "output_shift_": outputs.shift,
            "output_scale_": outputs.scale,
            **_facts(found, choice),
        }

    def _choice(self, problem: Problem, folds: Any) -> Choice:
        return choose(self, problem, folds)

    def _plans(self, features: int, outputs: int) -> list[LayerPlan]:
        return plan(self, features, outputs, self._outer_kernel(features))

    def _outer_kernel(self, features: int) -> Kernel:
        """Return the last one of the kernels that stand in for none: wide, so that a fit begins almost linear."""
        return Matern(nu=2.5, length_scale=3 * math.sqrt(features))

    def _more_options(self) -> dict[str, Any]:
        last = check_choice(self.last_layer, "last_layer", type(self).__name__, ("auto", "joint"))
        return {"joint": last == "joint"}

    def _standardizes(self) -> bool:
        if self.standardize is None:
            return self.kernels is None
        return bool(check_choice(self.standardize, "standardize", type(self).__name__, (True, False)))

    def _images(self, image_targets: Any, n: int) -> Images:
        """Return what the images of inner layers are to be near."""
        if image_targets is None:
            return []
        if not isinstance(image_targets, dict):
            raise TypeError(f"image_targets must be a dict from layers to arrays. Got {image_targets!r} instead.")
        images: Images = []
        for layer, entry in image_targets.items():
            if not isinstance(layer, numbers.Integral) or isinstance(layer, bool) or layer < 1:
                raise ValueError(
                    f"image_targets must have inner layers, counted from 1, as keys. Got {layer!r} instead."
                )
            whole = int(layer)
            given = entry if isinstance(entry, tuple) else (entry,)
            if len(given) not in (1, 2, 3):
                raise ValueError(f"image_targets[{layer}] must be targets, with a weight and a loss if need be.")
            weight, loss = given[1] if len(given) > 1 else 1.0, given[2] if len(given) > 2 else "squared"
            matrix = check_matrix(given[0], f"image_targets[{layer}]").astype(np.float64)
            if len(matrix) != n:
                raise ValueError(f"image_targets[{layer}] has {len(matrix)} rows, X has {n}.")
            images.append(
                (whole, loss, matrix, check_real(weight, f"image_targets[{layer}][1]", "fit", inclusive=True))
            )
        return images

    def _landmark_rows(self, samples: Samples, seed: int) -> Any:
        """Return rows of the samples that count, ascending."""
        n, owner, landmarks = len(samples.Y), type(self).__name__, self.landmarks
        if isinstance(landmarks, numbers.Integral) and not isinstance(landmarks, bool):
            landmarks = min(check_whole(landmarks, "landmarks", owner, _LARGEST), n)
        elif landmarks is not None:
            choose_landmarks(landmarks, len(samples.place), _no_distances, seed, owner)
            landmarks = samples.place[as_array(landmarks, "landmarks")]
            if (landmarks < 0).any():
                raise ValueError(f"The 'landmarks' parameter of {owner} has rows whose sample_weight is 0.")
        return choose_landmarks(landmarks, n, lambda row: squared_distances(samples.X, row), seed, owner)

    def _folds(
        self, problem: Problem, inputs: Scaling, outputs: Scaling, classes: Any, given: Any, seed: int
    ) -> list[Fold]:
        """Return the folds as jobs: all of them in one, which the engine's threads share, if nobody asks for jobs."""
        owner, samples, landmarks = type(self).__name__, problem.samples, problem.options["landmarks"]
        if self.cv is None or (isinstance(self.cv, numbers.Integral) and not isinstance(self.cv, bool)):
            count = _FOLDS if self.cv is None else check_whole(self.cv, "cv", owner, _LARGEST)
            if count < 2:
                raise ValueError(f"The 'cv' parameter of {owner} must be at least 2. Got {self.cv!r} instead.")
            if len(samples.Y) < 2:
                raise ValueError(
                    f"{owner} can't choose penalties by cross-validation: all samples of sample_weight above 0 are the "
                    "same. Give alpha and mu."
                )
            if len(samples.Y) > _MOST_OF_A_CHOICE:
                drawn = np.random.default_rng(seed).permutation(len(samples.Y))[:_MOST_OF_A_CHOICE]
                samples, landmarks = samples.subset(np.sort(drawn)), []
            single = samples.Y.shape[1] == 1
            labels = None if classes is None else samples.Y[:, 0].astype(int) if single else samples.Y.argmax(axis=1)
            left_out = folds(len(samples.Y), labels, min(count, len(samples.Y)), seed)
            parts = [left_out] if self.n_jobs is None else [[rows] for rows in left_out]
            return [Fold(samples, landmarks, part) for part in parts]
        X, Y, weights, images, target = given
        splits = check_cv(self.cv, target, classifier=is_classifier(self)).split(X, target)
        return [self._split(X, Y, weights, images, inputs, outputs, split, seed) for split in splits]

    def _split(
        self,
        X: FloatArray,
        Y: FloatArray,
        weights: Any,
        images: Images,
        inputs: Scaling,
        outputs: Scaling,
        split: Any,
        seed: int,
    ) -> Fold:
        """Return the samples of a split: those to learn from first, then those that are left out."""
        parts = []
        for rows in split:
            own = [(layer, loss, targets[rows], weight) for layer, loss, targets, weight in images]
            parts.append(in_order(X[rows], Y[rows], None if weights is None else weights[rows], own))
        learn, left_out = (part.scaled(inputs, outputs) for part in parts)
        if not len(learn.Y) or not len(left_out.Y):
            raise ValueError("cv has a split without samples of sample_weight above 0 on one of its sides.")
        if isinstance(self.landmarks, numbers.Integral) or self.landmarks is None:
            rows = self._landmark_rows(learn, seed)
        else:
            place = np.full(len(Y), -1)
            place[split[0]] = learn.place
            rows = np.unique([row for row in place[as_array(self.landmarks, "landmarks")] if row >= 0])
            if not len(rows):
                raise ValueError(
                    f"The 'landmarks' parameter of {type(self).__name__}: cv has a split without any of them."
                )
        landmarks = [] if rows is None else [int(row) for row in rows]
        both = _stacked(learn, left_out)
        return Fold(both, landmarks, [list(range(len(learn.Y), len(both.Y)))])


def checked_samples(probe: Any, X: Any) -> Any:
    """Return what is fitted to, as an array or in compressed rows."""
    return _validated(probe, X, ensure_min_samples=_LEAST_SAMPLES)


def _validated(estimator: Any, X: Any, **checks: Any) -> Any:
    accept = "csr" if estimator._takes_sparse else False
    return validate_data(estimator, X, dtype=np.float64, order="C", accept_sparse=accept, **checks)


class BaseDeepTargets(MultiOutputMixin, RegressorMixin, BaseDeepRegression):  # type: ignore[misc]
    """Targets that are numbers."""

    def _data(self, probe: Any, X: Any, y: Any) -> tuple[FloatArray, FloatArray]:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        points = checked_samples(probe, X)
        refuse_lossy(y, "y")
        targets = _check_y(y, multi_output=True, y_numeric=True, estimator=self).astype(np.float64, copy=False)
        if targets.ndim == 2 and targets.shape[1] == 1 and np.ndim(y) == 1:
            targets = targets[:, 0]
        check_consistent_length(points, targets)
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
        values = self._outputs(X)
        return values[:, 0] if self._flat else values


def _stacked(first: Samples, second: Samples) -> Samples:
    weights = None
    if first.weights is not None or second.weights is not None:
        weights = np.concatenate([np.ones(len(s.Y)) if s.weights is None else s.weights for s in (first, second)])
    images = [
        (layer, loss, np.concatenate([targets, more[2]]), weight)
        for (layer, loss, targets, weight), more in zip(first.images, second.images, strict=True)
    ]
    X, Y = stacked([first.X, second.X]), np.concatenate([first.Y, second.Y])
    return Samples(X, Y, weights, images, first.place)


def _no_distances(row: int) -> Any:
    raise AssertionError("an array of rows is never drawn")


def _facts(found: dict[str, Any], choice: Choice) -> dict[str, Any]:
    return {
        "alpha_": choice.alpha,
        "mu_": np.array(choice.mu),
        "cv_results_": choice.table,
        "objective_": found["objective"],
        "loss_": found["loss"],
        "squared_norms_": np.array(found["squared_norms"]),
        "penalties_": np.array(found["penalties"]),
        "restarts_": np.array(found["restart_values"]),
        "restart_stop_reasons_": found["restart_reasons"],
        "stationarity_": found["stationarity"],
        "history_": found["history"],
        "stop_reason_": found["stop_reason"],
        "n_iter_": found["iterations"],
        "last_layer_": "joint" if found["joint"] else "eliminated",
        "inner_parameters_": "features" if found["features"] else "coefficients",
        "inner_rank_": found["inner_rank"] if found["features"] else None,
        "jitter_": found["jitter"],
        "_merged": found["merged"],
    }
