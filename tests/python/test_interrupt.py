# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import pytest

# A background job inherits an ignored SIGINT, so the handler is set by hand; a thread presses Ctrl-C.
START = """
import signal, sys, threading, time
import numpy as np
import gramian

signal.signal(signal.SIGINT, signal.default_int_handler)
gramian.set_num_threads({threads})
kernel = gramian.kernels.Gaussian()
X = np.random.default_rng(0).normal(size=(400_000, 32))
sent = []

def press():
    time.sleep(0.3)
    sent.append(time.time())
    print(sent[0], flush=True)
    signal.raise_signal(signal.SIGINT)

few = gramian.product(kernel, X[:50], X[:50])
threading.Thread(target=press, daemon=True).start()
"""

CATCH = """
try:
    gramian.product(kernel, X, X)
except KeyboardInterrupt:
    delay = time.time() - sent[0]
    assert delay < 0.5, delay
    assert (gramian.product(kernel, X[:50], X[:50]) == few).all()
    np.testing.assert_allclose(few, gramian.gram(kernel, X[:50]) @ X[:50], atol=1e-12)
    print("right")
"""

DIE = """
try:
    gramian.product(kernel, X, X)
finally:
    print(time.time(), flush=True)
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_the_next_call_is_right(run_python, threads):
    result = run_python(START.format(threads=threads) + CATCH)
    assert result.stdout.endswith("right\n"), result.stderr
    assert result.returncode == 0


def test_the_process_ends_by_keyboard_interrupt(run_python):
    result = run_python(START.format(threads=2) + DIE)
    sent, ended = map(float, result.stdout.split())
    assert ended - sent < 0.5
    assert result.returncode != 0
    assert result.stderr.rstrip().endswith("KeyboardInterrupt")


def test_an_error_of_the_users_own_handler_comes_through(run_python):
    result = run_python(
        START.format(threads=2)
        + """
class Stop(Exception):
    pass

def handler(number, frame):
    raise Stop("by hand")

signal.signal(signal.SIGINT, handler)
try:
    gramian.gram(kernel, X[:3000], X[:100]); gramian.product(kernel, X, X)
except Stop as stop:
    print(stop)
"""
    )
    assert result.stdout.endswith("by hand\n"), result.stderr


def test_other_threads_run_meanwhile(run_python):
    result = run_python(
        START.format(threads=1)
        + """
try:
    gramian.product(kernel, X, X)
except KeyboardInterrupt:
    print("the thread that pressed the key was not held up", sent[0] > 0)
"""
    )
    assert result.stdout.endswith("True\n"), result.stderr
