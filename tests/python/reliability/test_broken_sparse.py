# SPDX-License-Identifier: BSD-3-Clause
"""Sparse matrices whose parts do not fit together end in an error, wherever they are passed, and never in a crash."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian import models, operators
from gramian._sparse import check_sparse
from gramian.kernels import Gaussian, Linear
from reliability.fitted import CASES, LABELS, NEW, SPARSE, K, X
from scipy import sparse

pytestmark = pytest.mark.filterwarnings("ignore")


def long_rows(A):
    A.indptr[-1] = 10**7


def few_rows(A):
    A.indptr = A.indptr[: len(A.indptr) // 2]


def falling_rows(A):
    A.indptr[2] = A.indptr[3] + 1


def negative_index(A):
    A.indices[3] = -5


def large_index(A):
    A.indices[3] = 10**6


DAMAGES = [long_rows, few_rows, falling_rows, negative_index, large_index]


def broken(damage, values=X, kind=sparse.csr_matrix):
    A = kind(values)
    damage(A)
    return A


def refusal(name="X"):
    return pytest.raises(ValueError, match=f"{name} is no valid [A-Z]+ matrix of shape .*ind")


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", SPARSE)
def test_at_fit_and_after_it(name, damage):
    case = CASES[name]
    with refusal():
        case.fit(broken(damage))
    for samples in (X, sparse.csr_matrix(X)):
        model = case.fit(samples)
        with refusal():
            case.apply(model, broken(damage, NEW))


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", sorted(set(CASES) - set(SPARSE)))
def test_estimators_of_dense_samples_refuse_it_too(name, damage):
    case = CASES[name]
    model = case.fit()
    for call in (case.fit, lambda A: case.apply(model, A)):
        with pytest.raises((TypeError, ValueError), match="valid CSR|[Ss]parse"):
            call(broken(damage))


@pytest.mark.parametrize("damage", DAMAGES)
def test_targets_candidates_and_parts(damage):
    with refusal("y"):
        gramian.DependencyRegressor(output_kernel=K).fit(X, broken(damage))
    with refusal("y"):
        gramian.ConditionalMeanEmbedding(K, K).fit(X, broken(damage))
    with refusal("candidates"):
        fitted = gramian.DependencyRegressor(output_kernel=K).fit(X, sparse.csr_matrix(X))
        fitted.predict(X, candidates=broken(damage, NEW))
    with refusal():
        gramian.KernelRidge(kernel=K).partial_fit(broken(damage), X[:, 0])
    with refusal():
        compressed = models.compress(CASES["EmbeddingClassifier"].fit(sparse.csr_matrix(X)), 5)
        compressed.predict(broken(damage, NEW))


FUNCTIONS = {
    "gram": lambda A: gramian.gram(K, A),
    "gram by name": lambda A: gramian.gram("rbf", A),
    "gram of two": lambda A: gramian.gram(K, A, sparse.csr_matrix(NEW)),
    "kernel": lambda A: K(A),
    "diagonal": lambda A: gramian.diagonal(K, A),
    "product": lambda A: gramian.product(K, A, None, X),
    "adjoint": lambda A: gramian.adjoint(K, A, Kbar=np.ones((len(X), len(X)))),
    "normal_product": lambda A: gramian.normal_product(K, A, sparse.csr_matrix(NEW), np.ones(len(NEW))),
    "normal_system": lambda A: gramian.normal_system(K, A, sparse.csr_matrix(NEW)),
    "NormalSum": lambda A: gramian.NormalSum(Linear(), sparse.csr_matrix(NEW), 0).add(A),
    "rows": lambda A: gramian.rows(A).read(0, 5),
    "operator": lambda A: operators.Separable(K, np.eye(2)).matrix(A),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name, damage):
    with refusal():
        FUNCTIONS[name](broken(damage))


def test_a_valid_matrix_of_any_format_is_taken():
    rough = X * (np.abs(X) > 0.5)
    expected = gramian.gram(K, sparse.csr_matrix(rough))
    for kind in ("csr", "csc", "bsr", "coo", "dia", "lil", "dok"):
        for container in (sparse.csr_matrix, sparse.csr_array):
            found = gramian.gram(K, container(rough).asformat(kind))
            assert found.tobytes() == expected.tobytes(), kind
    check_sparse(sparse.csr_matrix((3, 2)), "X")
    check_sparse(sparse.bsr_matrix(np.ones((4, 6)), blocksize=(2, 3)), "X")
    spare = sparse.csr_matrix(rough)  # room for more entries than there are is allowed
    spare.data, spare.indices = np.append(spare.data, 0.0), np.append(spare.indices, 10**6)
    assert gramian.gram(K, spare).tobytes() == expected.tobytes()


def changed(kind, name, value):
    A = sparse.csr_matrix(X).asformat(kind)
    setattr(A, name, value(getattr(A, name)))
    return A


def first_to(value):
    def change(values):
        values = values.copy()
        values[0] = value
        return values

    return change


OTHERS = [
    ("csc", "indptr", lambda values: values[:-1]),
    ("csc", "indices", first_to(ROWS_OUT := 10**6)),
    ("csr", "indptr", first_to(1)),
    ("csr", "indptr", first_to(-1)),
    ("csr", "indptr", lambda values: values.astype(float)),
    ("csr", "data", lambda values: values[:5]),
    ("csr", "data", lambda values: values.reshape(-1, 1)),
    ("csr", "indices", lambda values: values[:5]),
    ("bsr", "indptr", lambda values: values + 1),
    ("bsr", "indices", first_to(ROWS_OUT)),
    ("bsr", "data", lambda values: values.ravel()),
    ("bsr", "data", lambda values: np.ones((len(values), 5, 1))),
    ("coo", "row", first_to(ROWS_OUT)),
    ("coo", "col", first_to(-1)),
    ("coo", "row", lambda values: values[:4]),
    ("dia", "offsets", lambda values: values[:1]),
    ("dia", "offsets", lambda values: np.zeros_like(values)),
    ("dia", "data", lambda values: values.ravel()),
    ("lil", "rows", lambda values: values[:3]),
    ("lil", "data", first_to([1.0])),
    ("lil", "rows", first_to([0, 1, 7])),
]


@pytest.mark.parametrize(("kind", "part", "value"), OTHERS)
def test_other_formats(kind, part, value):
    with pytest.raises(ValueError, match=f"X is no valid {kind.upper()} matrix of shape"):
        gramian.gram(Gaussian(), changed(kind, part, value))


def test_keys_out_of_range():
    A = sparse.dok_matrix(X)
    A._dict[(0, 10**6)] = 1.0
    with pytest.raises(ValueError, match="X is no valid DOK matrix.*keys must be in"):
        gramian.gram(Gaussian(), A)


def test_a_fitted_estimator_is_as_before():
    model = CASES["EmbeddingClassifier"].fit(sparse.csr_matrix(X))
    before = model.embedding(NEW).tobytes()
    with refusal():
        model.fit(broken(long_rows), LABELS)
    assert model.embedding(NEW).tobytes() == before


def test_the_damage_is_named():
    with pytest.raises(ValueError, match=r"indptr ends with 10000000, and there are 108 entries of indices"):
        check_sparse(broken(long_rows), "X")
    with pytest.raises(ValueError, match=r"indptr must have 37 entries, got 18"):
        check_sparse(broken(few_rows), "X")
    with pytest.raises(ValueError, match=r"indptr\[3\] = 9 follows 10"):
        check_sparse(broken(falling_rows), "X")
    with pytest.raises(ValueError, match=r"indices must be in \[0, 2\], got -5"):
        check_sparse(broken(negative_index), "X")
