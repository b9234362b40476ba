# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import tracemalloc

import gramian
import numpy as np
import pytest
from gramian import _core
from gramian._validation import check_matrix
from gramian.kernels import Gaussian

KERNEL = Gaussian(gamma=0.3)
GOOD = np.arange(6.0).reshape(3, 2)
SPEC = ("gaussian", (1.0,), ())


def layouts(A: np.ndarray, tmp_path) -> dict[str, np.ndarray]:
    """The numbers of A in every layout the engine reads in place."""
    wide = np.zeros((2 * len(A), 3 * A.shape[1]), A.dtype)
    wide[::2, ::3] = A
    read_only = A.copy()
    read_only.flags.writeable = False
    mapped = np.memmap(tmp_path / f"points-{A.dtype}", dtype=A.dtype, mode="w+", shape=A.shape)
    mapped[:] = A
    return {
        "C": A,
        "F": np.asfortranarray(A),
        "strided": wide[::2, ::3],
        "reversed": np.ascontiguousarray(A[::-1, ::-1])[::-1, ::-1],
        "read-only": read_only,
        "memmap": mapped,
    }


def converted(A: np.ndarray) -> dict[str, np.ndarray]:
    """The numbers of A in layouts that have to be copied first."""
    records = np.zeros(len(A), dtype=[("pad", "u1"), ("row", A.dtype, A.shape[1])])
    records["row"] = A
    return {"byte-swapped": A.astype(A.dtype.newbyteorder()), "unaligned": records["row"]}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_every_layout_gives_the_same_bits(rng, tmp_path, dtype):
    A = rng.normal(size=(37, 6)).astype(dtype)
    K, product = gramian.gram(KERNEL, A, A[:9]), gramian.product(KERNEL, A, A)
    for name, B in {**layouts(A, tmp_path), **converted(A)}.items():
        before = B.tobytes()
        np.testing.assert_array_equal(gramian.gram(KERNEL, B, B[:9]), K, err_msg=name)
        np.testing.assert_array_equal(gramian.product(KERNEL, B, B), product, err_msg=name)
        assert B.tobytes() == before, name


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_views_are_not_copied(rng, tmp_path, dtype):
    for name, B in layouts(rng.normal(size=(37, 6)).astype(dtype), tmp_path).items():
        checked = check_matrix(B, "X")
        assert np.shares_memory(checked, B) and checked.strides == B.strides, name


def test_no_copy_on_the_way_to_the_engine(rng):
    base = rng.normal(size=(200_000, 8))
    v = np.ones(3)
    for X in (base, np.asfortranarray(base), base[::2]):
        tracemalloc.start()
        result = gramian.product(KERNEL, X, v, X[:3])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert result.shape == (len(X),)
        assert peak < X.nbytes / 20  # buffers of NumPy's own for a strided sum take 128 KiB


def test_zero_strides_are_read():
    X = np.broadcast_to(np.array([1.0, 2.0]), (5, 2))
    np.testing.assert_array_equal(gramian.gram(KERNEL, X), np.ones((5, 5)))


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.int32, np.float16, np.longdouble])
def test_other_numbers_become_float64(dtype):
    A = GOOD.astype(dtype)
    K = gramian.gram(KERNEL, A)
    assert K.dtype == np.float64
    np.testing.assert_array_equal(K, gramian.gram(KERNEL, A.astype(np.float64)))
    np.testing.assert_array_equal(gramian.gram(KERNEL, A.tolist()), K)


BAD = {
    "nan": ([[np.nan, 1.0]], ValueError, "Input {} contains NaN"),
    "inf": ([[1.0], [-np.inf]], ValueError, "Input {} contains infinity or a value too large"),
    "both infinities": ([[np.inf], [-np.inf]], ValueError, "Input {} contains infinity"),
    "long double": (np.array([[np.longdouble("1e400")]]), ValueError, "Input {} contains infinity"),
    "scalar": (3.0, ValueError, "Expected 2D array {}, got scalar array instead"),
    "cube": (np.zeros((2, 2, 2)), ValueError, "Found array {} with dim 3"),
    "no rows": (np.zeros((0, 2)), ValueError, r"Found array {} with 0 sample\(s\)"),
    "no columns": (np.zeros((2, 0)), ValueError, r"Found array {} with 0 feature\(s\)"),
    # NumPy before 1.24 makes a vector of lists of it.
    "ragged": (
        [[1.0], [1.0, 2.0]],
        (ValueError, TypeError),
        "{0} cannot be converted|Expected 2D array {0}|{0} must hold real numbers, got dtype object",
    ),
    "complex": (np.ones((2, 2), complex), ValueError, "Complex data not supported: {}"),
    "strings": ([["1", "2"]], TypeError, "{} must hold real numbers, got dtype <U1"),
    "bytes": (np.array([[b"1"]]), TypeError, "{} must hold real numbers"),
    "none": ([[1.0, None]], TypeError, "{} must hold real numbers, got dtype object"),
    "object": (np.ones((2, 2), object), TypeError, r"{}\.astype\(float\)"),
    "dates": (np.zeros((2, 2), "M8[s]"), TypeError, "{} must hold real numbers, got dtype datetime64"),
    "durations": (np.zeros((2, 2), "m8[s]"), TypeError, "{} must hold real numbers, got dtype timedelta64"),
    "records": (np.zeros((2, 2), [("a", "f8")]), TypeError, "{} must hold real numbers"),
    "masked": (np.ma.masked_array(np.ones((2, 2)), [[0, 1], [0, 0]]), TypeError, "{} is a masked array"),
    "matrix": (np.ones((2, 2)).view(np.matrix), TypeError, "np.matrix is not supported for {}"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_name(case):
    value, error, message = BAD[case]
    with pytest.raises(error, match=message.format("X")):
        gramian.gram(KERNEL, value)
    with pytest.raises(error, match=message.format("X")):
        gramian.product(KERNEL, value, GOOD)
    with pytest.raises(error, match=message.format("Y")):
        gramian.gram(KERNEL, GOOD, value)
    with pytest.raises(error, match=message.format("V")):
        gramian.product(KERNEL, GOOD, value)
    with pytest.raises(error, match=message.format("X")):
        KERNEL(value)


def test_a_single_row_is_asked_to_be_reshaped():
    with pytest.raises(ValueError, match=r"Expected 2D array X, got 1D .*X\.reshape\(-1, 1\).*X\.reshape\(1, -1\)"):
        gramian.gram(KERNEL, [1.0, 2.0])
    with pytest.raises(ValueError, match="Expected 2D array Y, got 1D"):
        gramian.gram(KERNEL, GOOD, [1.0, 2.0])


def test_large_finite_numbers_are_not_taken_for_infinity():
    for dtype in (np.float64, np.float32):
        X = np.full((4, 2), np.finfo(dtype).max, dtype)
        assert check_matrix(X, "X") is X


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (GOOD.tolist(), "X must be a numpy.ndarray"),
        (GOOD.astype(int), "X must have dtype float64 or float32"),
        (GOOD.astype(">f8"), "X must have dtype float64 or float32 in native byte order"),
        (GOOD[0], "X must have 2 dimensions, got 1"),
        (converted(GOOD)["unaligned"], "X must be aligned"),
    ],
)
def test_the_binding_converts_nothing(value, message):
    with pytest.raises(TypeError, match=message):
        _core.gram.gram(SPEC, value)
    with pytest.raises(TypeError, match=message):
        _core.gram.diagonal(SPEC, value)
    with pytest.raises(TypeError, match=message.replace("X", "Y")):
        _core.gram.gram(SPEC, GOOD, value)
    with pytest.raises(TypeError, match=message.replace("X", "V")):
        _core.gram.product(SPEC, GOOD, value)
    with pytest.raises(TypeError, match=message.replace("X", "P")):
        _core.gram.adjoint(SPEC, GOOD, value, GOOD, None, True)
    with pytest.raises(TypeError, match=message.replace("X", "Kbar")):
        _core.gram.adjoint(SPEC, GOOD, value, None, None, True)
    with pytest.raises(TypeError, match=message.replace("X", "Xdot")):
        _core.gram.hessian_vector(SPEC, GOOD, value, GOOD, GOOD, GOOD, GOOD, None, None)


def test_the_binding_refuses_mixed_widths_and_unknown_kernels():
    with pytest.raises(TypeError, match="V must have the dtype of the points"):
        _core.gram.product(SPEC, GOOD, GOOD.astype(np.float32))
    with pytest.raises(ValueError, match="gaussian"):
        _core.gram.gram(("no such kernel", (), ()), GOOD)
    with pytest.raises(ValueError, match="gamma"):
        _core.gram.gram(("gaussian", (-1.0,), ()), GOOD)


@pytest.mark.parametrize(
    "spec",
    [
        (),
        ("gaussian",),
        ("gaussian", (1.0,)),
        ("gaussian", [1.0], ()),
        ("gaussian", (1.0,), None),
        ("gaussian", ("1",), ()),
        (3, (1.0,), ()),
        ("sum", SPEC, None),
        ("product", SPEC, "gaussian"),
        ("multiple", "2", SPEC),
        ("multiple", SPEC, 2.0),
    ],
)
def test_the_binding_refuses_what_is_no_kernel(spec):
    with pytest.raises(TypeError):
        _core.gram.gram(spec, GOOD)


def test_a_kernel_that_is_nested_too_deep_is_an_error_and_no_crash():
    spec = SPEC
    for _ in range(100_000):
        spec = ("sum", spec, SPEC)
    with pytest.raises(RecursionError):
        _core.gram.gram(spec, GOOD)


START, COLUMNS, VALUES = np.array([0, 1, 2]), np.array([0, 1]), np.array([1.0, 2.0])


@pytest.mark.parametrize(
    ("sparse", "error", "message"),
    [
        (("sparse", START, COLUMNS, VALUES), TypeError, "X must be a numpy.ndarray"),
        (("sparse", START.astype(np.int32), COLUMNS, VALUES, 2), TypeError, "X.row_start"),
        (("sparse", START, COLUMNS.tolist(), VALUES, 2), TypeError, "X.columns"),
        (("sparse", START, COLUMNS, VALUES.astype(int), 2), TypeError, "X.values"),
        (("sparse", START[:0], COLUMNS, VALUES, 2), ValueError, "fewer than 0"),
        (("sparse", START, COLUMNS[:1], VALUES, 2), ValueError, "1 column indices for 2 values"),
        (("sparse", START + 1, COLUMNS, VALUES, 2), ValueError, "beyond its values"),
        (("sparse", START - 1, COLUMNS, VALUES, 2), ValueError, "must begin at 0 or above"),
        (("sparse", np.array([0, 2, 1]), COLUMNS, VALUES, 2), ValueError, "must not decrease: it does at row 1"),
        (("sparse", START, COLUMNS + 1, VALUES, 2), ValueError, "row 1 of X has column 2: it must be in 0 .. 1"),
        (("sparse", START, COLUMNS - 1, VALUES, 2), ValueError, "row 0 of X has column -1"),
        (("sparse", START, COLUMNS, VALUES * np.inf, 2), ValueError, "not finite"),
    ],
)
def test_the_binding_checks_sparse_points(sparse, error, message):
    with pytest.raises(error, match=message):
        _core.gram.gram(SPEC, sparse)
    assert _core.gram.gram(SPEC, ("sparse", START, COLUMNS, VALUES, 2)).shape == (2, 2)


def test_the_binding_checks_inner_products():
    K, ones = np.eye(2), np.ones((2, 1))
    for squares in ((ones, ones[:1]), (ones[:1], ones), (ones.T, ones)):
        with pytest.raises(ValueError, match="must be a column"):
            _core.gram.gram(SPEC, ("inner", K, *squares))
    with pytest.raises(TypeError, match="x_squares must be a numpy.ndarray"):
        _core.gram.gram(SPEC, ("inner", K, None, ones))
    with pytest.raises(TypeError, match="no second set"):
        _core.gram.gram(SPEC, ("inner", K, None, None), GOOD)
    with pytest.raises(ValueError, match="square"):
        _core.gram.gram(SPEC, ("inner", np.ones((2, 3)), None, None))
    with pytest.raises(TypeError, match="float64"):
        _core.gram.adjoint(SPEC, ("inner", K.astype(np.float32), None, None), K, K, None, True)
    with pytest.raises(ValueError, match="one set"):
        _core.gram.adjoint(SPEC, ("inner", K, ones, ones), K, K, None, True)


def test_settings_are_checked():
    for bad in (True, 1.5, "2"):
        with pytest.raises(TypeError, match="threads must be an integer"):
            gramian.set_num_threads(bad)
        with pytest.raises(TypeError, match="limit must be an integer"):
            gramian.set_memory_limit(bad)
    for bad in (0, -1, 2**64):
        with pytest.raises(ValueError, match=f"Got {bad} instead"):
            gramian.set_num_threads(bad)
        with pytest.raises(ValueError, match=f"Got {bad} instead"):
            gramian.set_memory_limit(bad)
    gramian.set_num_threads(np.int64(3))
    assert _core.base.thread_report().threads == 3
