# SPDX-License-Identifier: BSD-3-Clause
"""Structured outputs by operator-valued kernels, [KDE]."""

from types import SimpleNamespace
from typing import Any, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_consistent_length

from gramian import _core
from gramian._validation import FloatArray, IntArray, check_whole, is_sparse
from gramian.kernels import Linear
from gramian.kernels.choice import decided_kernel
from gramian.models._shared.counted import weighted_width, without_zeros
from gramian.models._shared.estimator import Estimator
from gramian.models._shared.landmarks import is_automatic
from gramian.models._shared.parameters import literal
from gramian.models._shared.parts import new_points, row_count
from gramian.models._shared.samples import check_inputs, check_kernel
from gramian.models._shared.types import RandomState, SampleKernel
from gramian.models._shared.watch import watched
from gramian.models._shared.weighted import check_sample_weight
from gramian.models._shared.words import advised
from gramian.models.dependency.compiled import predictor
from gramian.models.dependency.fit import PARAMETERS, SWITCH, fit_dependency, fit_operator
from gramian.models.dependency.outputs import (
    Outputs,
    candidates_of,
    check_candidates,
    check_outputs,
    check_samples,
    chosen,
    losses,
    points_of,
    with_weights,
)
from gramian.models.dependency.preimages import check_preimage, chooses, preimages
from gramian.models.dependency.tags import RegressorOfNumbers
from gramian.models.dependency.types import Operator, Pivoting, Preimage, Rank
from gramian.operators import OperatorKernel

_DEFAULTS = _core.dependency.Options()
_RANK = _core.gram.IncompleteCholeskyOptions()

ModelT = TypeVar("ModelT", bound="DependencyRegressor")


class DependencyRegressor(RegressorOfNumbers, Estimator):
    r"""
    Structured outputs: regression into the feature space of an output kernel, and the way back, [KDE].

    It learns g with :math:`\sum_i \|g(x_i) - \Phi(y_i)\|^2 + \lambda \|g\|^2` smallest, [KDE] (1), for the
    operator-valued kernel :math:`k(x, x')\,C`, and predicts the y that is nearest to it: the one with the smallest
    :math:`l(y, y) - 2 \langle g(x), \Phi(y) \rangle`, [KDE] (4) and (8). Exact fits take O(n^3) time and O(n^2)
    memory; with `rank` O(n (m1^2 + m2^2) + m1^3 + m2^3) and O(n (m1 + m2)).

    Parameters
    ----------
    kernel : Kernel, str or callable, default=None
        k, of inputs: an object, a name, or a function of two samples or two sets of them; X may be a list of
        anything for a function. None is ``"rbf"``, a Gaussian with gamma from the median of the squared
        distances between samples. With ``"precomputed"`` X is the Gram matrix of the training samples in `fit`, and
        that of new samples (rows) with them (columns) elsewhere.
    output_kernel : Kernel, str or callable, default=None
        l, of outputs. None is the linear one. With ``"precomputed"`` y is the Gram matrix of the training outputs, and
        predictions are row indices of these, or of candidates.
    operator : {"conditional", "covariance", "identity"} or OperatorKernel, default="conditional"
        C: the conditional covariance of outputs given inputs, [KDE] (7); their covariance, (6); or the identity, as in
        Cortes et al. 2005. One of `gramian.operators` acts on vectors, and has a kernel of its own: `kernel` must be
        None. Outputs are vectors themselves if they are dense and their kernel linear; of all others it is
        `gramian.operators.span_coordinates` of their Gram matrix, in O(n^3).
    penalty : float, default=1e-2
        :math:`\lambda`, above 0, beside a mean: it is multiplied by n for every operator, [KDE] (8). Cortes et al. have
        :math:`n \lambda` as one number.
    epsilon : float, default=1e-2
        The regularization of the conditional covariance, above 0; it is multiplied by n. The smaller it is, the more of
        the outputs counts as explained by the inputs, and is left out of C.
    n_output_components : int, optional
        Replace outputs by their projections on so many leading kernel principal components: with the identity this is
        Weston et al. 2003. Not with `rank`.
    center_components : bool, default=False
        Take components around the mean of the outputs.
    rank : "auto", int, float, pair of these, or None, default="auto"
        Replace the Gram matrices of inputs and outputs by incomplete Cholesky factors, of so many columns, or of as
        many as leave this part of the trace, if it is a float below 1. Exact if None. Kernels of gramian are then
        evaluated only where factors need them; functions are evaluated for all pairs. ``"auto"`` is None up to 4000
        samples, if an exact fit has room in memory, and beyond that :math:`10 \sqrt n` columns, at most 1000. Where a
        kernel is a function or precomputed, or outputs are projected on components, it is None.
    pivoting : {"random", "greedy", "gain"}, default="random"
        How pivots of these are chosen, as in `gramian.incomplete_cholesky`.
    penalties : sequence of float, optional
        Choose the penalty among these; `penalty` is not read then. All of them cost little more than one.
    validation : "loo" or float, default="loo"
        What `penalties` are compared by: the squared error in the feature space of samples left out one by one, or of
        this fraction of the samples, held out together; the fit is then one of all samples.
    preimage : {"nearest", "candidates", "linear", "gaussian", "sequence"} or function, default="nearest"
        The way back: the nearest training output; the nearest of `candidates`; the weighted sum of outputs, for the
        linear output kernel; a fixed point, for a Gaussian one on dense vectors; for y of strings, bytes, lists or
        tuples of symbols the best symbol of each position, in features with a block for each position, [KDE] Sec. 6.2.
        A function takes the weights of outputs, of shape (q, s), and these outputs, and returns predictions.
    candidates : outputs as y, optional
        The outputs that ``preimage="candidates"`` chooses from; other ways back take none.
    random_state : int, numpy Generator, RandomState or None, default=None
        Of random pivots, and of the samples that are held out.

    Attributes
    ----------
    kernel_, output_kernel_ : Kernel, "precomputed" or function
        The kernels, with what the median rule chose; ``kernel_`` is None for one of `gramian.operators`.
    operator_ : str or OperatorKernel
        C as it was given.
    penalty_ : float
        The penalty that was used.
    cv_results_ : dict of ndarray, or None
        With `penalties`, as in scikit-learn's ``GridSearchCV``: ``params``, ``param_penalty``, and scores, which are
        minus the mean squared error in the feature space, with their ranks. ``validation="loo"`` has no splits, and
        NaN for ``std_test_score``; with output components its errors lack what the components leave out, which is the
        same for all.
    coefficients_ : ndarray of shape (s2, s1)
        C in :math:`g(x) = \sum_j (C k_x)_j \Phi(y_j)`; with ranks what stands between the factors; for one of
        `gramian.operators` :math:`\Psi` of [KDE] (3), n x q.
    span_ : ndarray of shape (n, r), or None
        With one of `gramian.operators`, where outputs are no vectors themselves: the weights of training outputs that
        make the axes of their span.
    input_supports_, output_supports_ : ndarray, or None
        The training samples that predictions need, with ranks; None for all of them.
    input_factor_, output_factor_ : ndarray, or None
        The rows of these in the factors.
    input_residual_, output_residual_ : float
        The parts of the traces that the factors miss; 0 without ranks.
    components_, mean_ : ndarray, or None
        Coefficients of the components, and the coordinates of the mean.
    X_fit_ : samples, or None
        The training inputs that predictions need; None for a precomputed Gram matrix.
    Y_fit_ : samples, or None
        The training outputs.
    output_squares_, output_cross_ : ndarray, or None
        Of training outputs that are known by their Gram matrix: its diagonal, and its columns of the supports.
    symbols_, features_ : list and ndarray, or None
        For ``preimage="sequence"``: the symbols that occur, and the training outputs as features.
    n_features_in_ : int
        The number of features of X; with a precomputed Gram matrix the number of training samples.
    feature_names_in_ : ndarray of shape (d,)
        Their names, if X had any.

    Notes
    -----
    To scikit-learn it is a regressor where outputs are numbers: for all kernels of gramian on outputs except for
    `Delta`, of labels, `Tanimoto`, of sets, and what is made of these; not for sequences, objects and Gram matrices.

    Examples
    --------
    >>> import gramian
    >>> words = ["kernel", "kernels", "graph", "graphs", "string", "strings"]
    >>> upper = [word.upper() for word in words]
    >>> def pairs(a, b):
    ...     return float(len({a[i : i + 2] for i in range(len(a))} & {b[i : i + 2] for i in range(len(b))}))
    >>> model = gramian.DependencyRegressor(pairs, preimage="sequence", penalty=1e-6).fit(words, upper)
    >>> model.predict(["graphs", "kernel"])
    ['GRAPHS', 'KERNEL']
    """

    _table = PARAMETERS
    _ridge = "penalty"
    _input_kernel = "kernel"
    _any_targets = True
    _switch = SWITCH

    kernel: SampleKernel | None
    output_kernel: SampleKernel | None
    operator: Operator
    penalty: float
    epsilon: float
    n_output_components: int | None
    center_components: bool
    rank: Rank
    pivoting: Pivoting
    penalties: npt.ArrayLike | None
    validation: Literal["loo"] | float
    preimage: Preimage
    candidates: Any
    random_state: RandomState

    kernel_: Any
    output_kernel_: Any
    operator_: Any
    penalty_: float
    cv_results_: dict[str, Any] | None
    coefficients_: FloatArray
    span_: FloatArray | None
    input_supports_: IntArray | None
    output_supports_: IntArray | None
    input_factor_: FloatArray | None
    output_factor_: FloatArray | None
    input_residual_: float
    output_residual_: float
    components_: FloatArray | None
    mean_: FloatArray | None
    X_fit_: Any
    Y_fit_: Any
    output_squares_: FloatArray | None
    output_cross_: FloatArray | None
    symbols_: list[Any] | None
    features_: Any

    def __init__(
        self,
        kernel: SampleKernel | None = None,
        output_kernel: SampleKernel | None = None,
        *,
        operator: Operator = "conditional",
        penalty: float = _DEFAULTS.lambda_,
        epsilon: float = _core.dependency.Conditional().epsilon,
        n_output_components: int | None = None,
        center_components: bool = _DEFAULTS.centred,
        rank: Rank = "auto",
        pivoting: Pivoting = literal(_RANK.pivoting.name),
        penalties: npt.ArrayLike | None = None,
        validation: Literal["loo"] | float = "loo",
        preimage: Preimage = "nearest",
        candidates: Any = None,
        random_state: RandomState = None,
    ) -> None:
        self._keep(locals())

    def _advice_on_memory(self, what: str, advice: str) -> str:
        if isinstance(self.operator, OperatorKernel):
            return "use fewer samples"
        if is_automatic(self.rank) and (self._precomputed or self._has_function):
            return "use rank, or fewer samples"
        return f"use {'rank' if self.rank is None else 'a lower rank'}, or fewer samples"

    @watched
    @advised
    def fit(self: ModelT, X: Any, y: Any = None, sample_weight: Any = None) -> ModelT:
        """
        Learn g.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), Gram matrix of shape (n, n), or sequence of n objects
            Inputs, at least two.
        y : array-like or sparse matrix of shape (n, q) or (n,), Gram matrix of shape (n, n), or sequence of n objects
            Outputs.
        sample_weight : array-like of shape (n,), optional
            Numbers of at least 0. A weight of 2 is a sample that is there twice; samples of weight 0 are left out.
            Weighted fits store both Gram matrices, with `rank` too.

        Returns
        -------
        DependencyRegressor
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is of the wrong kind, shape or range; a Gram matrix that is not square, not
            symmetric or not positive semidefinite.
        MemoryError
            If the Gram matrices would not fit; raised before any work. Use `rank`.
        """
        owner, probe = type(self).__name__, self._probe()
        asked, output_kernel = self._kernels(owner)
        check_preimage(self.preimage, output_kernel, owner)
        samples = check_inputs(probe, asked, X, ensure_min_samples=self._least_samples)
        outputs = check_outputs(output_kernel, self.preimage, y)
        output_kernel = decided_kernel(output_kernel, outputs.points)
        check_consistent_length(samples, outputs.points if outputs.gram is None else outputs.gram)
        weights, samples, outputs = self._that_count(sample_weight, samples, outputs)
        if isinstance(self.operator, OperatorKernel):
            learned = fit_operator(self, output_kernel, samples, outputs, weights)
        else:
            kernel = weighted_width(asked, samples, weights)
            learned = fit_dependency(self, kernel, output_kernel, samples, outputs, weights)
        check_candidates(self.preimage, self.candidates, SimpleNamespace(**learned))
        return self._become(probe, learned)

    def _that_count(self, sample_weight: Any, samples: Any, outputs: Outputs) -> tuple[Any, Any, Outputs]:
        """Return weights above 0, or None for 1 each, with their samples and outputs."""
        weights = check_sample_weight(sample_weight, samples)
        if weights is None or weights.all():
            weights, _ = without_zeros(weights)
            return weights, samples, outputs
        if self._precomputed or outputs.samples is None:
            raise ValueError("With a precomputed kernel sample_weight must be above 0: leave these samples out.")
        return with_weights(weights, samples, outputs)

    def predict(
        self, X: Any, candidates: Any = None, k: int | None = None, *, diag: Any = None, lengths: Any = None
    ) -> Any:
        """
        Return the outputs of new inputs.

        Parameters
        ----------
        X : samples as in `fit`, or Gram matrix of shape (q, n)
            New inputs.
        candidates : outputs as in `fit`, or Gram matrix of shape (c, n), optional
            Where to look, in place of what `preimage` says.
        k : int, optional
            Return the best k candidates, the best first.
        diag : array-like of shape (c,), optional
            With a precomputed output kernel, the kernel of each candidate with itself. Without it these are taken to be
            those of the training outputs, if these are all the same.
        lengths : array-like of shape (q,), optional
            For ``preimage="sequence"``: how long each sequence is. Any length if None.

        Returns
        -------
        outputs
            One for each row of X, in the shape of y: an array, or a list where y is no array; for ``"precomputed"`` the
            rows of candidates, or of the training outputs. With `k` there is one more axis, or a list of k outputs for
            each row where outputs are no dense array.
        """
        self._require_fitted()
        if candidates is None and not chooses(self.preimage):
            if k is not None or diag is not None:
                raise ValueError(
                    f"k and diag are about candidates, and preimage={self.preimage!r} has none: pass some."
                )
            return preimages(self, self._inputs(X), lengths)
        if lengths is not None:
            raise ValueError("lengths are for preimage='sequence' without candidates.")
        among, samples = candidates_of(self, candidates, diag)
        return chosen(samples, self._best(X, among, k))

    def nearest(
        self, X: Any, candidates: Any = None, k: int | None = None, *, diag: Any = None
    ) -> npt.NDArray[np.int64]:
        """
        Return the rows of the best candidates. Scores are formed block by block, never all.

        Parameters
        ----------
        X, candidates, k, diag
            As in `predict`. Candidates are the training outputs if None.

        Returns
        -------
        ndarray of shape (q,), or (q, k)
            The best first, of equals the smaller row.
        """
        self._require_fitted()
        among, _ = candidates_of(self, candidates, diag)
        return self._best(X, among, k)

    def scores(self, X: Any, candidates: Any = None, *, diag: Any = None) -> FloatArray:
        r"""
        Return :math:`2 \langle g(x), \Phi(y) \rangle - l(y, y)` of all candidates: the best one has the largest score.

        It is [KDE] (4) with its sign turned: minus the squared distance of :math:`\Phi(y)` from g(x), up to a term that
        depends on x only. With output components :math:`\Phi(y)` is projected on them.

        Parameters
        ----------
        X, candidates, diag
            As in `predict`. Candidates are the training outputs if None.

        Returns
        -------
        ndarray of shape (q, c)
        """
        self._require_fitted()
        among, _ = candidates_of(self, candidates, diag)
        return self._engine.scores(self._inputs(X), among)

    def weights(self, X: Any) -> FloatArray:
        r"""
        Return w(x) with :math:`g(x) = \sum_j w_j(x) \Phi(y_j)`, over training outputs: those that support the model.

        For one of `gramian.operators` on outputs that are vectors it is the vector g(x) itself.

        Parameters
        ----------
        X : samples as in `predict`
            New inputs.

        Returns
        -------
        ndarray of shape (q, s)
        """
        self._require_fitted()
        return self._engine.weights(self._inputs(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None, *, diag: Any = None, lengths: Any = None) -> float:
        r"""
        Return :math:`R^2` where outputs are numbers, as scikit-learn's regressors do, and minus `loss` elsewhere.

        Parameters
        ----------
        X, y, sample_weight, diag, lengths
            As in `loss`.

        Returns
        -------
        float
            The larger the better.
        """
        if not self._of_numbers:
            return -self.loss(X, y, sample_weight, diag=diag, lengths=lengths)
        predicted = self.predict(X, lengths=lengths)
        truth = check_samples(self, y, "y")
        check_consistent_length(truth, predicted)
        points_of(self, truth, "y")
        truth, predicted = (part.toarray() if is_sparse(part) else part for part in (truth, predicted))
        return float(r2_score(truth, predicted, sample_weight=check_sample_weight(sample_weight, truth)))

    def loss(self, X: Any, y: Any, sample_weight: Any = None, *, diag: Any = None, lengths: Any = None) -> float:
        r"""
        Return the mean of :math:`\|\Phi(y) - \Phi(\hat y)\|^2`, the loss of the output kernel.

        It is the squared error for the linear kernel, and the RBF loss of [KDE] Sec. 6.1 for a Gaussian.

        Parameters
        ----------
        X : samples as in `predict`
            New inputs.
        y : outputs as in `fit`, or Gram matrix of shape (q, n)
            Their outputs.
        sample_weight : array-like of shape (q,), optional
            Weights of the mean: at least 0, and not all of them 0.
        diag : array-like of shape (q,), optional
            That of y, as in `predict`.
        lengths : array-like of shape (q,), optional
            As in `predict`.

        Returns
        -------
        float
        """
        self._require_fitted()
        if isinstance(self.output_kernel_, str) and self.preimage != "nearest":
            raise ValueError(
                "With output_kernel='precomputed' the loss is known of training outputs alone: use preimage='nearest'."
            )
        found = losses(self, y, self.predict(X, lengths=lengths), diag)
        return float(np.average(found, weights=check_sample_weight(sample_weight, found)))

    def _kernels(self, owner: str) -> tuple[Any, Any]:
        if isinstance(self.operator, OperatorKernel) and self.kernel is not None:
            raise ValueError(f"operator={self.operator!r} has a kernel of its own: kernel must be None.")
        kernel = check_kernel(self.kernel, "kernel", owner)
        return kernel, check_kernel(self.output_kernel, "output_kernel", owner, Linear())

    @property
    def _engine(self) -> _core.dependency.Predictor:
        return cast("_core.dependency.Predictor", self._predictor)

    def _compile(self) -> _core.dependency.Predictor:
        return predictor(self)

    def _inputs(self, X: Any) -> Any:
        return new_points(self.kernel_, check_inputs(self, self.kernel_, X, reset=False), self.X_fit_)

    def _best(self, X: Any, among: Any, k: int | None) -> npt.NDArray[np.int64]:
        engine = self._engine
        known = engine.outputs(_core.serving.Verb.scores) if among is None else row_count(among)
        count = 1 if k is None else check_whole(k, "k", f"{type(self).__name__}.predict", known)
        rows = engine.nearest(self._inputs(X), among, count)
        return rows[:, 0] if k is None else rows
