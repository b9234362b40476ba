# SPDX-License-Identifier: BSD-3-Clause
"""One call of the engine's dependency estimation: its options from those of the estimator, and what it learns."""

import numbers
from typing import Any, cast

import numpy as np
import sklearn.base

from gramian import _core
from gramian._random import seed_of
from gramian._validation import FloatArray, check_choice, check_real, check_reals, check_whole, is_sparse, refused
from gramian.functional import gram
from gramian.kernels import Kernel
from gramian.models._shared.duration import OF_EIGENVECTORS, tell_of_duration
from gramian.models._shared.landmarks import Switch, is_automatic
from gramian.models._shared.parameters import OneOf, Real, Table
from gramian.models._shared.samples import SideKernel, count_of, kept, source
from gramian.models._shared.search import search_results
from gramian.models._shared.words import ridge_called
from gramian.models.dependency.operator_ridge import solve_ridge
from gramian.models.dependency.outputs import Outputs
from gramian.operators import span_coordinates

_OPERATORS: dict[str, Any] = {
    "conditional": _core.dependency.Conditional,
    "covariance": _core.dependency.Covariance,
    "identity": _core.dependency.Identity,
}

SWITCH = Switch(most_exact=4000, per_root=10, most=1000, stored=12)
"""When rank="auto" leaves the exact fit."""

PARAMETERS: Table = {
    "operator": OneOf(tuple(_OPERATORS)),
    "penalty": Real(),
    "epsilon": Real(),
    "center_components": OneOf((False, True)),
    "pivoting": OneOf(tuple(_core.gram.Pivoting.__members__)),
}
"""The parameters of dependency estimation."""


_LEARNED = (
    "coefficients",
    "input_factor",
    "output_factor",
    "components",
    "mean",
    "input_residual",
    "output_residual",
)


def dependency_options(estimator: Any, n: int, weights: FloatArray | None, rank: Any) -> _core.dependency.Options:
    """Return the engine's options, after checking the parameters' kinds; rank: the parameter, or what it stands for."""
    owner = type(estimator).__name__
    kind = _OPERATORS[estimator._checked("operator")]
    options: dict[str, Any] = {"lambda_": estimator._checked("penalty")}
    grid = [] if estimator.penalties is None else check_reals(estimator.penalties, "penalties", owner)
    options["lambdas"] = list(grid)
    centred = estimator._checked("center_components")
    own = {"epsilon": estimator._checked("epsilon")} if kind is _core.dependency.Conditional else {}
    options["output_operator"] = kind(**own)
    if estimator.n_output_components is not None:
        options["components"] = check_whole(estimator.n_output_components, "n_output_components", owner, n)
        options["centred"] = centred
    elif centred:
        raise ValueError(f"center_components=True of {owner} is about n_output_components, which is None.")
    if rank is not None:
        if estimator.n_output_components is not None:
            raise ValueError(
                f"The 'rank' and 'n_output_components' parameters of {owner} exclude each other: a low rank has few "
                f"components already. Leave one of them None."
            )
        options["ranks"] = _ranks(estimator, rank, n, owner)
    fraction = check_fraction(estimator.validation, owner)
    if options["lambdas"] and fraction is not None:
        options["held_out"] = _held_out(estimator, fraction, n)
    if weights is not None:
        _check_weighted(estimator)
        options["weights"] = weights.tolist()
    return _core.dependency.Options(**options)


def fit_dependency(
    estimator: Any,
    kernel: SideKernel,
    output_kernel: SideKernel,
    X: Any,
    outputs: Outputs,
    weights: FloatArray | None = None,
) -> dict[str, Any]:
    """Return what is learned, by the names of the attributes."""
    n = count_of(X)
    options = dependency_options(estimator, n, weights, _asked_rank(estimator, kernel, n, outputs))
    _tell_of_duration(estimator, n, options)
    training = source(kernel, X)
    Y = source(output_kernel, outputs.points) if outputs.gram is None else outputs.gram
    with ridge_called("penalty"):
        found = _core.dependency.fit(training, Y, options)
    learned = {f"{name}_": getattr(found, name) for name in _LEARNED}
    rows, columns = (side if len(side) else None for side in (found.input_supports, found.output_supports))
    L = outputs.gram
    return {
        **learned,
        **_outputs_learned(output_kernel, outputs),
        "kernel_": kernel,
        "operator_": estimator.operator,
        "penalty_": found.lambda_,
        "cv_results_": _search_results(estimator, options, found.criteria) if options.lambdas else None,
        "input_supports_": rows,
        "output_supports_": columns,
        "X_fit_": None if isinstance(kernel, str) else kept(X, rows),
        "output_cross_": L if L is None or columns is None else np.ascontiguousarray(L[:, columns]),
        "span_": None,
    }


def _tell_of_duration(estimator: Any, n: int, options: _core.dependency.Options) -> None:
    """Warn of long decompositions: those of an exact fit, as low ranks take no time to speak of."""
    if options.ranks is None and isinstance(estimator.operator, str):
        few = "use rank='auto'" if estimator.rank is None else "use fewer samples"
        tell_of_duration(estimator, n, OF_EIGENVECTORS * float(n) ** 3, few)


def _check_weighted(estimator: Any) -> None:
    """Refuse what has no weighted form in the engine."""
    owner = type(estimator).__name__
    if estimator.center_components:
        raise ValueError(f"{owner} takes no sample_weight with center_components=True: repeat samples.")
    if estimator.penalties is not None and estimator.validation != "loo":
        raise ValueError(f"{owner} with penalties and sample_weight needs validation='loo'.")


def _search_results(estimator: Any, options: _core.dependency.Options, criteria: FloatArray) -> dict[str, Any]:
    grid = {"penalty": estimator.penalties}
    if options.held_out:
        return search_results(grid, criteria[:, None])
    return search_results(grid, None, means=criteria)  # leaving one out has no splits with scores of their own


def fit_operator(
    estimator: Any, output_kernel: Any, X: Any, outputs: Outputs, weights: FloatArray | None = None
) -> dict[str, Any]:
    """Return what is learned with one of gramian.operators."""
    owner = type(estimator).__name__
    for name in ("penalties", "rank", "n_output_components"):
        given = getattr(estimator, name)
        if given is not None and not (name == "rank" and is_automatic(given)):
            raise ValueError(f"{name} must be None with one of gramian.operators. Got {given!r} instead.")
    # These mean nothing here, and are still no place for a mistake.
    estimator._checked("epsilon")
    check_fraction(estimator.validation, owner)
    estimator._checked("pivoting")
    check_choice(estimator.center_components, "center_components", owner, (False,))
    penalty = estimator._checked("penalty")
    count = count_of(X) if weights is None else float(weights.sum())
    options = _core.operators.RidgeOptions(lambda_=count * penalty, weights=[] if weights is None else weights.tolist())
    targets, span = _vectors(output_kernel, outputs)
    found = solve_ridge(estimator, estimator.operator, X, targets, options)
    return {
        **{f"{name}_": None for name in (*_LEARNED, "cv_results", "input_supports", "output_supports")},
        **_outputs_learned(output_kernel, outputs),
        "kernel_": None,
        "operator_": sklearn.base.clone(found["operator_"]),
        "penalty_": penalty,
        "coefficients_": found["dual_coef_"],
        "input_residual_": 0.0,
        "output_residual_": 0.0,
        "X_fit_": X.copy(),
        "output_cross_": outputs.gram,
        "span_": span,
    }


def _vectors(kernel: SideKernel, outputs: Outputs) -> tuple[FloatArray, FloatArray | None]:
    """Return outputs as vectors, and for those of a span the weights of outputs that its axes are."""
    if isinstance(kernel, Kernel) and kernel._traits.inner_product and not is_sparse(outputs.points):
        return outputs.points.astype(np.float64, copy=False), None
    L = outputs.gram
    if L is None:
        L = gram(cast(Kernel, kernel), outputs.points).astype(np.float64, copy=False)
    R = span_coordinates(L)
    if not R.shape[1]:
        raise ValueError("y is zero in the feature space: there is nothing to learn.")
    return R, np.ascontiguousarray(R / np.square(R).sum(axis=0))


def _outputs_learned(kernel: SideKernel, outputs: Outputs) -> dict[str, Any]:
    return {
        "output_kernel_": kernel,
        "Y_fit_": outputs.samples,
        "symbols_": outputs.alphabet,
        "features_": None if outputs.alphabet is None else outputs.points,
        "output_squares_": None if outputs.gram is None else np.diagonal(outputs.gram).copy(),
    }


def check_fraction(validation: Any, owner: str) -> float | None:
    """Return the part of the samples that is held out, or None for leave-one-out."""
    if isinstance(validation, str) and validation == "loo":
        return None
    if isinstance(validation, numbers.Real) and not isinstance(validation, bool) and 0 < float(validation) < 1:
        return float(validation)
    raise ValueError(
        f"The 'validation' parameter of {owner} must be 'loo' or a fraction between 0 and 1. Got {validation!r} "
        f"instead."
    )


def _held_out(estimator: Any, fraction: float, n: int) -> list[int]:
    held = max(1, round(fraction * n))
    if n - held < 1:
        raise ValueError(f"A fraction of {fraction:g} held out of {n} samples leaves none to learn from.")
    order = np.random.default_rng(seed_of(estimator.random_state)).permutation(n)
    return [int(row) for row in np.sort(order[:held])]


def _asked_rank(estimator: Any, kernel: SideKernel, n: int, outputs: Outputs) -> Any:
    """Return the rank of the parameter, the one that "auto" stands for, or None for an exact fit."""
    rank = estimator.rank
    if not is_automatic(rank):
        if isinstance(rank, str):
            raise refused("rank", type(estimator).__name__, "'auto', None, one rank, or two of them", rank)
        return rank
    if not isinstance(kernel, Kernel) or outputs.gram is not None or estimator.n_output_components is not None:
        return None
    return SWITCH.landmarks_of(n)


def _ranks(estimator: Any, rank: Any, n: int, owner: str) -> _core.dependency.Ranks:
    pair = tuple(rank) if isinstance(rank, tuple | list) else (rank, rank)
    if len(pair) != 2:
        raise ValueError(f"The 'rank' parameter of {owner} must be one rank, or two of them. Got {rank!r} instead.")
    pivoting = _core.gram.Pivoting[estimator._checked("pivoting")]
    seed = seed_of(estimator.random_state, estimator.pivoting != "greedy")
    sides = []
    for wanted in pair:
        limit: dict[str, Any] = {}
        if isinstance(wanted, float | np.floating):
            tolerance = check_real(wanted, "rank", owner)
            if not tolerance < 1:
                raise ValueError(
                    f"The 'rank' parameter of {owner} must be a whole number of columns, or the part of the trace that "
                    f"may be left, below 1. Got {rank!r} instead."
                )
            limit["tolerance"] = tolerance
        elif wanted is not None:
            # A set that is smaller than the rank, as a part of the samples may be, has the rank of its size.
            limit["max_rank"] = min(check_whole(wanted, "rank", owner, 2**62), n)
        sides.append(_core.gram.IncompleteCholeskyOptions(pivoting=pivoting, seed=seed, **limit))
    return _core.dependency.Ranks(inputs=sides[0], outputs=sides[1])
