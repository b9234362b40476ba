# SPDX-License-Identifier: BSD-3-Clause
"""Conditional mean embeddings of anything with a kernel."""

from typing import Any, ClassVar, Literal, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_consistent_length

from gramian import _core
from gramian._scikit import MultiOutputMixin, RegressorMixin, available_if
from gramian._validation import LARGEST_SIZE, AnyArray, FloatArray, check_columns, check_rows, check_whole
from gramian.functional import product
from gramian.kernels import Kernel
from gramian.models._shared.counted import roots_of, times_rows, weighted_width
from gramian.models._shared.estimator import Estimator
from gramian.models._shared.landmarks import IndexArray
from gramian.models._shared.parameters import OneOf, Real
from gramian.models._shared.parts import column, new_points, numbers, training_side
from gramian.models._shared.samples import (
    check_inputs,
    check_kernel,
    rows_of,
)
from gramian.models._shared.search import refuse_grids
from gramian.models._shared.types import Landmarks, RandomState, SampleKernel
from gramian.models._shared.watch import watched
from gramian.models._shared.weighted import check_sample_weight
from gramian.models._shared.words import advised
from gramian.models.conditional_mean.distribution import ConditionalDistribution
from gramian.models.conditional_mean.duration import tell_of_embedding
from gramian.models.conditional_mean.exact import check_training, learn_on_all
from gramian.models.conditional_mean.landmarks import SWITCH, are_vectors, chosen_rows, learn
from gramian.models.conditional_mean.outputs import Outputs, both, of_labels
from gramian.models.conditional_mean.selection import Selection, check_learn, select, select_on_landmarks
from gramian.models.conditional_mean.sums import added, check_part, first_sums, known, solved, takes_parts
from gramian.points import SourcePoints

_DEFAULTS, _GRID = _core.conditional_mean.Options(), _core.conditional_mean.Grid()

ModelT = TypeVar("ModelT", bound="ConditionalMeanEmbedding")


class ConditionalMeanEmbedding(ConditionalDistribution, MultiOutputMixin, RegressorMixin, Estimator):
    r"""
    The distribution of outputs given an input, embedded in the space of an output kernel.

    :math:`\mu(x) = \sum_i \beta_i(x) \, l(y_i, \cdot)` with :math:`\beta(x) = (K + n \lambda I)^{-1} k(X, x)`,
    [MCE] (1). Weights of the training outputs are all that is learned, so what can be asked for is open: expectations
    of any function, distances between conditionals, samples. A fit takes O(n^3 / 3) time and O(n^2) memory; in the
    span of m landmarks z, :math:`\beta(x) = K_{nm} (K_{mn} K_{nm} + n \lambda K_{mm})^{-1} k(Z, x)`, O(n m^2) time and
    O(n d + m^2) memory.

    Parameters
    ----------
    kernel : Kernel, str or callable, default=None
        Of the inputs: an object, a name, or a function of two samples or two sets of them. None is
        ``"rbf"``, a Gaussian with gamma from the median of the squared distances between samples. With
        ``"precomputed"``, X is the Gram matrix in `fit`, and inner products of new samples (rows) with training
        samples (columns) elsewhere.
    output_kernel : Kernel, str or callable, default=None
        The same of the outputs. With ``Delta()`` outputs may be labels of any type.
    penalty : float, default=1e-3
        :math:`\lambda`, above 0; it is multiplied by n.
    landmarks : "auto", int, array-like of row indices or None, default="auto"
        ``"auto"`` is None up to 10000 samples, if an exact fit has room in memory, and beyond that :math:`10 \sqrt n`
        rows, at most 3000.
        An int is the number of rows of X that are drawn; None is all rows. Landmarks need inputs and outputs that are
        vectors or labels, and kernels of gramian.kernels; ``"auto"`` takes all rows of others.
    learn : {None, "cv", "loo"}, default=None
        ``"cv"`` chooses penalty and a factor of the input kernel's widths by cross-validation, with the loss
        :math:`\|l(y, \cdot) - \mu(x)\|^2` of Grünewälder et al., [MCE] Sec. 2.2. Scikit-learn's searches take the
        squared error of `predict` instead. With landmarks the output is projected on the span of their outputs.
        ``"loo"`` leaves out each sample in turn, in closed form.
    penalties : array-like of float, optional
        To choose from; 1e-6 .. 1 if None. One eigendecomposition for each fold serves all of them.
    length_scale_factors : array-like of float, optional
        To choose from; 1/4 .. 4 if None, and 1 for a kernel without widths.
    cv : int or splitter, default=5
        The number of folds, which are drawn from `random_state`, or what scikit-learn takes for ``cv``.
    regularised : bool, default=False
        Whether :math:`\lambda \|U\|^2` is added to the loss of ``learn="cv"``, as Song et al. do.
    random_state : int, numpy Generator, RandomState or None, default=None
        Of the folds, and of landmarks that are drawn.

    Attributes
    ----------
    kernel_, output_kernel_
        The kernels, with the widths that were chosen.
    penalty_ : float
        The penalty that was chosen.
    cv_results_ : dict of ndarray, or None
        Of a search, as in scikit-learn's ``GridSearchCV``: ``params``, ``param_penalty``, ``param_kernel``, and scores,
        which are minus the loss of held-out samples, of each split of ``"cv"``, their mean (weighted with the samples
        in the split), deviation and rank. After ``set_params(learn=None, **cv_results_["params"][i])`` a fit
        tries only candidate i.
    factor_ : ndarray of shape (n, n)
        The Cholesky factor of :math:`K + n \lambda I`; with `sample_weight` that of :math:`S K S + n \lambda I`, S the
        roots of the weights, whose mean is 1; of landmarks of shape (m, m), that of :math:`K_{mn} S^2 K_{nm} + n
        \lambda K_{mm}`.
    dual_coef_ : ndarray of shape (n, p) or (m, p), or None
        What `predict` multiplies kernel values with, if outputs are dense numbers.
    X_fit_
        The inputs of these kernel values: the training inputs, or the landmarks; None for a Gram matrix.
    Y_fit_
        The outputs that weights are for: the training outputs; None for a Gram matrix. Where samples are not kept, by
        `partial_fit` or as X is a source of rows, the outputs of the landmarks, on the span of which the embedding is
        projected.
    landmarks_ : ndarray of shape (m,), or None
        The rows of X that are landmarks, in the order of the factor. Landmarks that are sums of others, up to rounding,
        are left out.
    output_gram_ : ndarray of shape (n, n), or None
        The Gram matrix of the outputs, if the output kernel is none of gramian.kernels.
    classes_ : ndarray, or None
        Labels that are no numbers, sorted.
    jitter_ : float
        What had to be added to the diagonal; 0 as a rule.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> import gramian
    >>> x = np.linspace(0, 1, 50)[:, None]
    >>> model = gramian.ConditionalMeanEmbedding(penalty=1e-4).fit(x, np.sin(3 * x[:, 0]))
    >>> float(model.expectation(lambda y: y**2, [[0.5]])[0].round(2))
    0.99
    """

    _table = {"penalty": Real(), "regularised": OneOf((True, False))}
    _input_kernel = "kernel"
    _of_this_process = frozenset({"_sum"})
    _switch = SWITCH
    _older: ClassVar = {"landmarks": None, "landmarks_": None, "_samples": None, "_mixing": None}

    kernel: SampleKernel | None
    output_kernel: SampleKernel | None
    penalty: float
    landmarks: Landmarks
    learn: Literal["cv", "loo"] | None
    penalties: npt.ArrayLike | None
    length_scale_factors: npt.ArrayLike | None
    cv: Any
    regularised: bool
    random_state: RandomState

    kernel_: Any
    output_kernel_: Any
    penalty_: float
    cv_results_: dict[str, Any] | None
    factor_: FloatArray
    dual_coef_: FloatArray | None
    X_fit_: Any
    Y_fit_: Any
    output_gram_: FloatArray | None
    classes_: AnyArray | None
    landmarks_: IndexArray | None
    jitter_: float
    _roots: FloatArray | None
    """Of the weights, which are brought to the mean 1."""
    _samples: Any
    """The training inputs, if X_fit_ are landmarks of samples that are kept."""
    _mixing: FloatArray | None
    """What makes weights of the outputs of landmarks, if samples are not kept."""
    _sum: Any
    """The sums of all calls of `partial_fit`; None after `fit`, False if a file has left them out."""

    def __init__(
        self,
        kernel: SampleKernel | None = None,
        output_kernel: SampleKernel | None = None,
        *,
        penalty: float = _DEFAULTS.lambda_,
        landmarks: Landmarks = "auto",
        learn: Literal["cv", "loo"] | None = None,
        penalties: npt.ArrayLike | None = None,
        length_scale_factors: npt.ArrayLike | None = None,
        cv: Any = _GRID.folds,
        regularised: bool = _GRID.regularised,
        random_state: RandomState = None,
    ) -> None:
        self._keep(locals())

    def _advice_on_memory(self, what: str, advice: str) -> str:
        own = self._precomputed or self._has_function
        return "use fewer samples" if own else super()._advice_on_memory(what, advice)

    @watched
    @advised
    def fit(self: ModelT, X: Any, y: Any, sample_weight: Any = None) -> ModelT:
        """
        Embed the conditional distributions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), Gram matrix of shape (n, n), or sequence of n objects
            Inputs, at least two.
        y : array-like or sparse matrix of shape (n,) or (n, p), Gram matrix, or sequence of n objects
            Outputs.
        sample_weight : array-like of shape (n,), optional
            Numbers of at least 0. A weight of 2 is a sample that is there twice. Samples of weight 0 are left out,
            unless one of the kernels is precomputed.

        Returns
        -------
        ConditionalMeanEmbedding
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; the message names it.
        gramian.NumericalError
            If :math:`K + n \\lambda I` can't be factorized.
        """
        owner, probe = type(self).__name__, self._probe()
        asked, asked_output, penalty = self._check_parameters()
        if y is None:
            raise ValueError(f"{owner} requires y to be passed, but the target y is None.")
        samples, outputs = check_training(self, probe, asked, asked_output, X, y)
        if isinstance(samples, SourcePoints):
            weights = check_sample_weight(sample_weight, outputs.samples)
            state = first_sums(self, asked, samples, outputs, weights)
            return self._become(probe, {**solved(state, penalty), "_sum": None})
        weights = check_sample_weight(sample_weight, samples)
        kernel = weighted_width(asked, samples, weights)
        rows = chosen_rows(self, are_vectors(kernel, outputs), outputs.size, weights)
        tell_of_embedding(self, kernel, outputs, None if rows is None else len(rows))
        if self.learn is None:
            found = Selection(kernel, penalty)
        elif rows is None:
            found = select(self, kernel, samples, outputs, roots_of(weights))
        else:
            found = select_on_landmarks(self, kernel, samples, outputs, rows, weights)
        if rows is None:
            learned = learn_on_all(self, found, samples, outputs, weights)
        else:
            learned = learn(found, samples, outputs, rows, weights)
        facts = {"output_kernel_": outputs.kernel, "classes_": outputs.classes, "_sum": None}
        return self._become(probe, {**found.attributes(), "output_gram_": outputs.gram, **facts, **learned})

    @available_if(takes_parts)
    @watched
    @advised
    def partial_fit(self: ModelT, X: Any, y: Any, sample_weight: Any = None) -> ModelT:
        """
        Add samples to an embedding in the span of the landmarks that the first call has chosen among its own.

        Samples are not kept: the embedding is projected on the span of the landmarks' outputs, which `Y_fit_` are then,
        and expectations are over these; `predict` is of all outputs. A first call after `fit` begins anew. Takes O(n
        m^2 + m^3) time. A file that `save` writes can't be added to; a pickle can.

        Sums of squared kernel values have half the digits: with a kernel so smooth that landmarks are nearly sums of
        each other, and a small penalty, some of them are left out.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), or source of rows
            Inputs, of the form of the first call's.
        y : array-like of shape (n,) or (n, p)
            Outputs.
        sample_weight : array-like of shape (n,), optional
            Numbers of at least 0; a weight of 1 means the same in all calls.

        Returns
        -------
        ConditionalMeanEmbedding
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; the message names it.
        """
        probe = self._probe()
        asked, asked_output, penalty = self._check_parameters()
        begun = vars(self).get("_sum")
        samples, outputs = check_part(self, probe, (asked, asked_output), X, y)
        weights = check_sample_weight(sample_weight, outputs.samples)
        if begun is None:
            state = first_sums(self, asked, samples, outputs, weights)
        else:
            state = added(known(self, samples, outputs.samples), samples, outputs.samples, weights)
        return self._become(probe, {**solved(state, penalty), "_sum": state})

    def weights(self, X: Any, simplex: bool = False) -> FloatArray:
        r"""
        Return :math:`\beta(x)`: what each training output counts in an expectation given x.

        They may be negative, and add up to 1 only where there are many data. Takes O(n^2) time for each sample, and O(n
        m) with m landmarks.

        Parameters
        ----------
        X : as in `fit`
            New inputs; with a precomputed kernel their inner products with the training inputs.
        simplex : bool, default=False
            Whether to return the nearest weights of at least 0 that add up to 1 instead: those of a distribution, on
            which `quantile`, `interval`, `density`, `cdf` and ``predict(return_std=True)`` stand.

        Returns
        -------
        ndarray of shape (q, n)
        """
        found = self._mean.weights(self._inputs(X))
        return self._as_distributions(found) if simplex else found

    def expectation(self, g: Any, X: Any) -> FloatArray:
        r"""
        Return :math:`\sum_i \beta_i(x) g(y_i)`, which estimates the expectation of g(Y) given x, [MCE] (2).

        Parameters
        ----------
        g : callable or array-like of shape (n,) or (n, r)
            One function or r of them: called once with all training outputs (`Y_fit_`), or its values there.
        X : as in `weights`
            New inputs.

        Returns
        -------
        ndarray of shape (q,) or (q, r)
        """
        inputs = self._inputs(X)
        if callable(g):
            if self.Y_fit_ is None:
                raise ValueError(
                    "With output_kernel='precomputed' there are no outputs to call g with: pass its values."
                )
            g = g(self.Y_fit_)
        values, is_vector = check_columns(g, "g")
        check_rows(values, "g", self._outputs.size, "Y_fit_")
        found = self._mean.expectation(inputs, values.astype(np.float64, copy=False))
        return found[:, 0] if is_vector else found

    @overload
    def predict(self, X: Any, return_std: Literal[False] = ...) -> FloatArray: ...
    @overload
    def predict(self, X: Any, return_std: Literal[True]) -> tuple[FloatArray, FloatArray]: ...
    def predict(self, X: Any, return_std: bool = False) -> FloatArray | tuple[FloatArray, FloatArray]:
        """
        Return the expected outputs: kernel ridge regression.

        Parameters
        ----------
        X : as in `weights`
            New inputs.
        return_std : bool, default=False
            Whether to return the standard deviation of the outputs given x too, noise included.

        Returns
        -------
        mean : ndarray of shape (q,) or (q, p)
        std : ndarray of the same shape
            Only if `return_std`; of ``weights(X, simplex=True)``, so that it is a number of at least 0.

        Raises
        ------
        ValueError
            If the outputs are no numbers.
        """
        inputs = self._inputs(X)
        if not self._outputs.numeric:
            raise ValueError("The outputs have no mean, as they are no numbers: use expectation, sample or weights.")
        mean = self._mean.apply(_core.serving.Verb.predict, inputs)
        mean = mean[:, 0] if self.Y_fit_.ndim == 1 else mean
        return (mean, self._deviations(X)) if return_std else mean

    def evaluate(self, X: Any, y: Any) -> FloatArray:
        r"""
        Return the embeddings as functions, :math:`\mu(x)(y) = \sum_i \beta_i(x) \, l(y_i, y)`.

        With ``output_kernel=Delta()`` and y the classes this is what a multiclass conditional embedding decides by,
        [MCE] (5), Lemma 8.

        Parameters
        ----------
        X : as in `weights`
            New inputs.
        y : outputs as in `fit`, or array-like of shape (c, n)
            c of them; with a precomputed output kernel their inner products with the training outputs.

        Returns
        -------
        ndarray of shape (q, c)
        """
        inputs, outputs = self._inputs(X), self._outputs
        return self._mean.evaluate(inputs, outputs.fresh(outputs.check_fresh(y, "y")))

    def loss(self, X: Any, y: Any) -> float:
        r"""
        Return the mean of :math:`\|l(y, \cdot) - \mu(x)\|^2` over new pairs: what `learn` minimises.

        Parameters
        ----------
        X : as in `weights`
            New inputs.
        y : outputs as in `fit`
            As many of them. Not with a precomputed output kernel.

        Returns
        -------
        float
        """
        inputs, outputs = self._inputs(X), self._outputs
        if outputs.samples is None:
            raise ValueError("With output_kernel='precomputed' the squared norms of new outputs are unknown.")
        fresh = outputs.check_fresh(y, "y")
        check_consistent_length(X, fresh)
        return float(self._mean.losses(inputs, outputs.fresh(fresh), outputs.squares(fresh)).mean())

    def distance(self, Xa: Any, Xb: Any, other: "ConditionalMeanEmbedding | None" = None) -> FloatArray:
        r"""
        Return :math:`\|\mu(x_a) - \mu(x_b)\|^2`, the squared maximum mean discrepancy between two conditionals.

        Parameters
        ----------
        Xa, Xb : as in `weights`
            New inputs in pairs: as many in both, or one in one of them.
        other : ConditionalMeanEmbedding, optional
            The fitted embedding that Xb is for, with the same output kernel; this one if None.

        Returns
        -------
        ndarray of shape (q,)
        """
        left = self._inputs(Xa)
        if other is None:
            return self._mean.distances(left, self._inputs(Xb))[:, 0]
        right = other._inputs(Xb)
        return self._mean.distances_to(left, other._mean, right, both(self._outputs, other._outputs))[:, 0]

    def sample(
        self, X: Any, n_samples: int = 1, candidates: Any = None, return_indices: bool = False
    ) -> npt.NDArray[Any] | list[Any]:
        r"""
        Return outputs that stand for the distribution given x, by herding, [CWS].

        One after the other is chosen so that the mean of :math:`l(y, \cdot)` over the chosen ones comes as close as it
        can to :math:`\mu(x) / \sum_i \beta_i(x)`: expectations over them err by O(1 / sqrt(n_samples)), and by O(1 /
        n_samples) at best. Nothing is drawn at random.

        Parameters
        ----------
        X : as in `weights`
            New inputs.
        n_samples : int, default=1
            How many outputs for each of them; an output may be chosen again.
        candidates : outputs as in `fit`, optional
            To choose from; the training outputs if None.
        return_indices : bool, default=False
            Whether to return rows of the candidates instead. With a precomputed output kernel it is what is returned.

        Returns
        -------
        ndarray of shape (q, n_samples) or (q, n_samples, p), or list
            A list of sparse matrices if outputs are these, of lists for objects.
        """
        inputs, outputs, pool = self._inputs(X), self._outputs, None
        count = check_whole(n_samples, "n_samples", "sample", LARGEST_SIZE)
        if candidates is None:
            pool = outputs.samples
            rows = self._mean.sample(inputs, count, None, None)
        else:
            if outputs.samples is None:
                raise ValueError("With output_kernel='precomputed' candidates are the training outputs: leave it None.")
            pool = outputs.check_fresh(candidates, "candidates")
            rows = self._mean.sample(inputs, count, outputs.fresh(pool), outputs.own_gram(pool))
        if return_indices or pool is None:
            return cast("npt.NDArray[Any]", rows)
        if isinstance(pool, np.ndarray):
            return cast("npt.NDArray[Any]", pool[rows])
        return [rows_of(pool, some) for some in rows]

    def _classes_and_coefficients(self) -> tuple[npt.NDArray[Any], FloatArray]:
        """Return the labels, sorted, and the weights of their embeddings: a classifier that `compress` takes."""
        if not of_labels(self.output_kernel_) or np.ndim(self.Y_fit_) != 1:
            raise TypeError(
                "A ConditionalMeanEmbedding can be compressed if it is one of labels: output_kernel=Delta()."
            )
        classes = np.unique(self.Y_fit_)
        one_hot = (self.Y_fit_[:, None] == classes).astype(np.float64)
        return classes, self._dual(one_hot)

    def _dual(self, values: FloatArray) -> FloatArray:
        """Return what kernel values to X_fit_ are multiplied with in expectations of functions with these values."""
        roots, right = self._roots, times_rows(values, self._roots)
        if self.landmarks_ is None:
            return times_rows(_core.conditional_mean.coefficients(self.factor_, right), roots)
        if self._mixing is None:
            right = product(self.kernel_, self.X_fit_, times_rows(right, roots), self._samples)
        else:
            right = np.ascontiguousarray(self._mixing.T @ values)
        return _core.conditional_mean.coefficients(self.factor_, right)

    @property
    def _weights(self) -> FloatArray | None:
        """The weights of the samples in X_fit_, with the mean 1."""
        return None if self._roots is None or self.landmarks_ is not None else np.square(self._roots)

    def _check_parameters(self) -> tuple[Any, Any, float]:
        """Return the kernels and the penalty, after checking the parameters."""
        owner = type(self).__name__
        asked, asked_output = (check_kernel(getattr(self, name), name, owner) for name in ("kernel", "output_kernel"))
        penalty = self._checked("penalty")
        check_learn(self.learn, owner)
        if self.learn is None:
            refuse_grids(self, ("penalties", "length_scale_factors"))
        return asked, asked_output, penalty

    @property
    def _outputs(self) -> Outputs:
        return Outputs(self.output_kernel_, self.Y_fit_, self.classes_, self.output_gram_)

    @property
    def _mean(self) -> _core.conditional_mean.Predictor:
        return cast("_core.conditional_mean.Predictor", self._predictor)

    def _inputs(self, X: Any) -> Any:
        """Return what the engine takes for new inputs: points, or kernel values to the training inputs."""
        self._require_fitted()
        return new_points(self.kernel_, check_inputs(self, self.kernel_, X, reset=False), self.X_fit_)

    def _compile(self) -> _core.conditional_mean.Predictor:
        outputs, factor = self._outputs, numbers(self.factor_, "factor_")
        kernel, inputs = training_side(self.kernel_, self.X_fit_, len(self.factor_))
        samples = None if self._samples is None else training_side(self.kernel_, self._samples, 0)[1]
        known = isinstance(outputs.kernel, Kernel)
        spec, points = training_side(outputs.kernel, outputs.points(outputs.samples), 0) if known else (None, None)
        return _core.conditional_mean.Predictor(
            kernel=kernel,
            inputs=inputs,
            factor=factor,
            samples=samples,
            mixing=numbers(self._mixing, "_mixing"),
            roots=column(self._roots, "_roots"),
            coefficients=numbers(self.dual_coef_, "dual_coef_"),
            output_kernel=spec,
            outputs=points,
            output_gram=None if known else numbers(outputs.gram, "output_gram_"),
            labels=[] if self.classes_ is None else np.asarray(self.classes_).tolist(),
        )
