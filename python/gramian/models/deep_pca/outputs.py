# SPDX-License-Identifier: BSD-3-Clause
"""Names of the features of all levels, or of one."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from gramian.models._shared.compatibility import output_container


class LevelOutputs(ClassNamePrefixFeaturesOutMixin):  # type: ignore[misc]
    """For estimators that have `_levels`, the fitted `DeepKernelPCA` whose features they give."""

    def get_feature_names_out(self, input_features: Any = None, level: int | None = None) -> npt.NDArray[np.object_]:
        """
        Return the names of what `transform` gives.

        Parameters
        ----------
        input_features : ignored
            There for pipelines.
        level : int, optional
            Those of one level alone: ``model.transform(X)[model.get_feature_names_out(level=2)]`` is its part of a
            data frame.

        Returns
        -------
        ndarray of str
        """
        names = cast(npt.NDArray[np.object_], super().get_feature_names_out(input_features))
        if level is None:
            return names
        levels = self._levels()
        ends = np.cumsum([0] + [features.shape[1] for features in levels.hidden_features_])
        chosen = levels._check_level(level)
        return names[ends[chosen - 1] : ends[chosen]]

    def _levels(self) -> Any:
        raise NotImplementedError

    def _check_output(self, level: int | None) -> None:
        """Refuse one level where scikit-learn would put the names of all of them on it."""
        container = output_container(self)
        if level is not None and container != "default":
            raise ValueError(
                f"transform of {type(self).__name__} gives {container} output for all levels alone. Leave level out, "
                f"and take the columns get_feature_names_out(level={level}); or set_output(transform='default')."
            )
