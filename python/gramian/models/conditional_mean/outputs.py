# SPDX-License-Identifier: BSD-3-Clause
"""The outputs of a conditional mean embedding: vectors, labels, rows of a Gram matrix, or objects."""

from typing import Any, NamedTuple, TypeGuard, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FLOAT64, FloatArray, is_sparse, refuse_mask
from gramian.kernels import Kernel
from gramian.kernels.choice import KernelChoice, decided_kernel, is_function
from gramian.models._shared.samples import (
    SideKernel,
    alike,
    as_points,
    check_inner_products,
    check_objects,
    check_vectors,
    count_of,
    function_values,
    source,
    squared_norms,
)
from gramian.points import check_points

_NUMBERS = "fiub"


class Outputs(NamedTuple):
    """Training outputs, and the kernel that sees them."""

    kernel: SideKernel
    samples: Any
    """As they were given; None if there is only a Gram matrix."""
    classes: npt.NDArray[Any] | None
    """Labels that are no numbers, sorted."""
    gram: FloatArray | None
    """Where the engine does not evaluate the kernel."""

    @property
    def size(self) -> int:
        """The number of training outputs."""
        return len(cast(FloatArray, self.gram)) if self.samples is None else count_of(self.samples)

    @property
    def numeric(self) -> bool:
        """Whether outputs are numbers or vectors, which have a mean."""
        return isinstance(self.kernel, Kernel) and self.classes is None

    def points(self, samples: Any) -> Any:
        """Return outputs as points of a kernel: labels by the numbers of their classes."""
        if self.classes is None:
            return as_points(samples)
        known = np.concatenate([self.classes, np.setdiff1d(samples, self.classes)])
        order = np.argsort(known)
        return order[np.searchsorted(known, samples, sorter=order)].astype(FLOAT64)[:, None]

    def fresh(self, fresh: Any) -> Any:
        """Return what the engine takes for other outputs: points, or kernel values to the training outputs."""
        if isinstance(self.kernel, Kernel):
            return check_points(alike(as_points(self.samples), self.points(fresh)), "y").crossing(FLOAT64)
        return fresh if isinstance(self.kernel, str) else function_values(cast(Any, self.kernel), fresh, self.samples)

    def own_gram(self, fresh: Any) -> FloatArray | None:
        """Return the Gram matrix of other outputs where the engine does not evaluate the kernel."""
        return function_values(cast(Any, self.kernel), fresh) if is_function(self.kernel) else None

    def squares(self, fresh: Any) -> FloatArray | None:
        """Return the kernel of each of some outputs with itself, where the engine does not evaluate it."""
        return None if self.gram is None else squared_norms(cast(Any, self.kernel), fresh)[:, None]

    def check_fresh(self, y: Any, name: str) -> Any:
        """Return other outputs of the same kind, or their inner products with training outputs if there are none."""
        if self.samples is None:
            checked = np.ascontiguousarray(check_vectors(y, name), dtype=FLOAT64)
            if checked.ndim != 2 or checked.shape[1] != self.size:
                raise ValueError(
                    f"{name} must have a column of inner products for each of the {self.size} training outputs. "
                    f"Got shape {checked.shape} instead."
                )
            return checked
        if not isinstance(self.kernel, Kernel):
            return check_objects(y, name)
        if self.classes is not None:
            return _check_labels(y, name)
        checked, before = check_vectors(y, name), as_points(self.samples)
        if as_points(checked).shape[1] != before.shape[1]:
            raise ValueError(
                f"{name} has {as_points(checked).shape[1]} columns, but the training outputs have {before.shape[1]}."
            )
        return checked if checked.ndim == 1 else alike(before, checked)


def of_labels(kernel: Any) -> TypeGuard[Kernel]:
    """Tell whether a kernel only compares outputs, whatever they are."""
    return isinstance(kernel, Kernel) and kernel._traits.points == _core.kernels.PointKind.labels


def check_outputs(kernel: KernelChoice, y: Any) -> Outputs:
    """Return the training outputs, after checking that the kernel can see them."""
    if isinstance(kernel, str):
        return Outputs(kernel, None, None, check_inner_products(y, "y").copy())
    if is_function(kernel):
        objects = check_objects(y, "y")
        function = cast(SideKernel, kernel)
        return Outputs(function, objects, None, source(function, objects))
    if of_labels(kernel) and _are_labels(y):
        labels = _check_labels(y, "y")
        return Outputs(kernel, labels.copy(), np.unique(labels), None)
    samples = check_vectors(y, "y", ", or 'delta', which tells labels apart").copy()
    return Outputs(decided_kernel(kernel, as_points(samples)), samples, None, None)


def both(left: Outputs, right: Outputs) -> Any:
    """Return what the binding takes for the training outputs of two embeddings, one after the other."""
    if left.kernel != right.kernel:
        raise ValueError(
            f"Embeddings with different output kernels can't be compared: {left.kernel!r} and {right.kernel!r}. Pass "
            f"one of them as output_kernel to both."
        )
    if left.samples is None or right.samples is None:
        raise ValueError(
            "With output_kernel='precomputed' the inner products between the outputs of two embeddings are unknown."
        )
    second = right.samples if isinstance(left.kernel, Kernel) else list(right.samples)
    if not isinstance(left.kernel, Kernel):
        return source(left.kernel, [*left.samples, *second])
    if left.classes is not None or right.classes is not None:
        return source(left.kernel, left.points(np.concatenate([left.samples, second])))
    first, second = as_points(left.samples), alike(as_points(left.samples), as_points(second))
    if first.shape[1] != second.shape[1]:
        raise ValueError(f"Outputs of the embeddings have {first.shape[1]} and {second.shape[1]} columns.")
    return source(left.kernel, _stack(first, second))


def _stack(first: Any, second: Any) -> Any:
    if is_sparse(first):
        from scipy.sparse import vstack

        return vstack([first, second], format="csr")
    return np.concatenate([first, second])


def _are_labels(y: Any) -> bool:
    return not is_sparse(y) and np.asarray(y).dtype.kind not in _NUMBERS


def _check_labels(y: Any, name: str) -> npt.NDArray[Any]:
    refuse_mask(y, name)
    labels = np.asarray(y)
    if labels.ndim != 1 or not len(labels):
        raise ValueError(f"{name} must have a label for each sample. Got shape {labels.shape} instead.")
    return labels
