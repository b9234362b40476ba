# SPDX-License-Identifier: BSD-3-Clause
"""Reads the LaTeX of the kernels' formulas and evaluates it; what does not occur there is a SyntaxError."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Names = Mapping[str, Any]
Value = Callable[[Names], Any]

# As the formulas write the parameters of the registry; the angle and the points are added for each pair.
PARAMETERS = {
    r"\gamma": "gamma",
    "c_0": "coef0",
    "p": "degree",
    r"\ell": "length_scale",
    r"\alpha": "alpha",
}
FUNCTIONS = (r"\exp", r"\sin", r"\cos", r"\sqrt")
TOKEN = re.compile(r"\\,|\\[A-Za-z]+|\d+|[A-Za-z](?:_(?:\w|\{\w+\}))?|[-+/^_(){}|,]|\s+")


@dataclass(frozen=True)
class Numbers:
    """What a formula is evaluated with: float64, or as many digits as a package offers."""

    number: Callable[[Any], Any]
    functions: Any
    """With exp, sin, cos, sqrt, atan2, pi and e."""

    def norm(self, v: np.ndarray) -> Any:
        return self.functions.sqrt(np.dot(v, v))

    def angle(self, x: np.ndarray, y: np.ndarray) -> Any:
        """Between two points, without the digits that an arc cosine loses."""
        a, b = self.norm(y) * x, self.norm(x) * y
        return 2 * self.functions.atan2(self.norm(a - b), self.norm(a + b))


FLOAT64 = Numbers(float, math)


@dataclass(frozen=True)
class Formula:
    """k(x, y), and its values at points that are 0, with how these are written."""

    value: Callable[[np.ndarray, np.ndarray, Mapping[str, float]], float]
    at_zero: tuple[tuple[str, float], ...]


def read(text: str, numbers: Numbers = FLOAT64) -> Formula:
    """Read "k(x, y) = ..., \\quad u = ..., \\quad k(0, y) = 0"."""
    head, *clauses = re.split(r",\s*\\quad\s*", text)
    definitions, at_zero = {}, []
    for clause in clauses:
        name, _, right = (part.strip() for part in clause.partition("="))
        if name.startswith("k("):
            at_zero.append((name, float(right)))
        else:
            definitions[name] = parse(right, numbers)
    body = head.removeprefix("k(x, y) = ")
    if body == head:
        raise SyntaxError(f"no formula of k(x, y): {text}")
    value = (cases if r"\text" in body else parse)(body, numbers)

    def evaluate(x: np.ndarray, y: np.ndarray, parameters: Mapping[str, float]) -> float:
        names = {symbol: parameters[name] for symbol, name in PARAMETERS.items() if name in parameters}
        return value({"x": x, "y": y, r"\theta": numbers.angle(x, y), "definitions": definitions, **names})

    return Formula(evaluate, tuple(at_zero))


def cases(text: str, numbers: Numbers) -> Value:
    """1 \\text{ if } x = y, \\text{ else } 0"""
    match = re.fullmatch(r"(.+?) \\text\{ if \} x = y, \\text\{ else \} (.+)", text)
    if match is None:
        raise SyntaxError(text)
    equal, other = parse(match[1], numbers), parse(match[2], numbers)
    return lambda names: (equal if (names["x"] == names["y"]).all() else other)(names)


def parse(text: str, numbers: Numbers) -> Value:
    """The value of an expression, as a function of the names in it."""
    return _Parser(text, numbers).whole()


class _Parser:
    def __init__(self, text: str, numbers: Numbers) -> None:
        self.text, self.numbers, self.tokens, at = text, numbers, [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if match is None:
                raise SyntaxError(f"{text[at:]!r} in {text}")
            at = match.end()
            if match[0].strip() and match[0] not in (r"\,", r"\left", r"\right"):
                self.tokens.append(match[0])
        self.at = 0
        self.bars = False  # a bar ends something

    def whole(self) -> Value:
        value = self.sum()
        if self.at != len(self.tokens):
            raise SyntaxError(f"{self.tokens[self.at]!r} in {self.text}")
        return value

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise SyntaxError(f"{token!r} where {wanted!r} should be in {self.text}")
        self.at += 1
        return token

    def between(self, opening: str, closing: str) -> Value:
        self.take(opening)
        bars, self.bars = self.bars, closing == "|"
        value = self.sum()
        self.bars = bars
        self.take(closing)
        return value

    def sum(self) -> Value:
        minus = self.peek() == "-" and bool(self.take())
        value = self.product()
        if minus:
            value = _apply(lambda a: -a, value)
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            value = _apply(lambda a, b, sign=sign: a + sign * b, value, self.product())
        return value

    def starts_factor(self) -> bool:
        token = self.peek()
        return (
            bool(token)
            and (token[0].isalnum() or token[0] in "\\({" or (token == "|" and not self.bars))
            and (token != r"\rangle")
        )

    def product(self) -> Value:
        value = self.power()
        while self.peek() == "/" or self.starts_factor():
            if self.peek() == "/":
                self.take()
                value = _apply(lambda a, b: a / b, value, self.power())
            else:
                value = _apply(lambda a, b: a * b, value, self.power())
        return value

    def exponent(self) -> Value | None:
        if self.peek() != "^":
            return None
        self.take()
        return self.between("{", "}") if self.peek() == "{" else self.power()

    def power(self) -> Value:
        base, exponent = self.factor(), self.exponent()
        return base if exponent is None else _apply(lambda a, b: a**b, base, exponent)

    def factor(self) -> Value:
        token = self.peek()
        if token == "(":
            return self.between("(", ")")
        if token == "{":
            return self.between("{", "}")
        if token == "|":
            return _apply(self.numbers.norm, self.between("|", "|"))
        self.take()
        if token.isdigit():
            return lambda _: self.numbers.number(token)
        if token == r"\pi":
            return lambda _: self.numbers.functions.pi
        if token == "e":
            return lambda _: self.numbers.functions.e
        if token == r"\langle":
            left = self.sum()
            self.take(",")
            right = self.sum()
            self.take(r"\rangle")
            return _apply(lambda a, b: a @ b, left, right)
        if token == r"\frac":
            above, below = self.between("{", "}"), self.between("{", "}")
            return _apply(lambda a, b: a / b, above, below)
        if token in FUNCTIONS:
            exponent, argument = self.exponent() or (lambda _: 1), self.factor()
            function = getattr(self.numbers.functions, token[1:])
            return _apply(lambda a, b: function(a) ** b, argument, exponent)
        if token == r"\prod":
            self.take("_")
            self.take("i")
            each = self.product()
            return lambda names: math.prod(each({**names, "i": i}) for i in range(len(names["x"])))
        return _name(token)


def _name(token: str) -> Value:
    def value(names: Names) -> Any:
        if token in names:
            return names[token]
        if token in names["definitions"]:
            return names["definitions"][token](names)
        if token in ("x_i", "y_i"):
            return names[token[0]][names["i"]]
        raise SyntaxError(f"what is {token}?")

    return value


def _apply(function: Callable[..., Any], *values: Value) -> Value:
    return lambda names: function(*(value(names) for value in values))
