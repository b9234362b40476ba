# SPDX-License-Identifier: BSD-3-Clause
"""Results of transformers in float32 where samples are: scikit-learn calls it preserving the dtype."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

MethodT = TypeVar("MethodT", bound=Callable[..., Any])

_PRESERVED = ["float64", "float32"]


class PreservesFloat32:
    """What stands before scikit-learn's TransformerMixin, so that the tags say that float32 is preserved."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.transformer_tags.preserves_dtype = _PRESERVED
        return tags

    def _more_tags(self) -> dict[str, Any]:  # the same before scikit-learn 1.6
        return {"preserves_dtype": _PRESERVED}


def preserves_dtype(method: MethodT) -> MethodT:
    """Decorate a method whose result is computed in float64, and rounded once if its first argument is float32."""
    first = list(inspect.signature(method).parameters)[1]

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        found = method(self, *args, **kwargs)
        return found.astype(np.float32) if _is_float32(args[0] if args else kwargs.get(first)) else found

    return cast(MethodT, call)


def _is_float32(samples: Any) -> bool:
    """Tell whether an array, a sparse matrix or all columns of a data frame are float32."""
    if hasattr(samples, "dtype"):
        return bool(samples.dtype == np.float32)
    kinds = {str(kind).lower() for kind in getattr(samples, "dtypes", ())}
    return kinds == {"float32"}
