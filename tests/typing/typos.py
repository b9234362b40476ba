# SPDX-License-Identifier: BSD-3-Clause
"""Six mistakes of a user. mypy and pyright find an error in each line that says so, and in no other."""

from __future__ import annotations

import gramian
import numpy as np
import numpy.typing as npt

X: npt.NDArray[np.float64] = np.random.default_rng(0).normal(size=(60, 3))

gramian.KernelAutoencoder(solver="lbgfs")  # error: a wrong option
gramian.DeepKernelRegressor(n_restarts=3)  # error: a wrong name of a parameter
gramian.EmbeddingClassifier(0.5)  # error: a number in place of a kernel
model = gramian.KernelAutoencoder().fit(X)
print(model.objectives_)  # error: a wrong attribute
print(model.transfrom(X))  # error: a misspelt method
codes: npt.NDArray[np.float32] = model.transform(X)  # error: a result of another type
print(codes, model.objective_, model.transform(X))
