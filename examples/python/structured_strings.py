# SPDX-License-Identifier: BSD-3-Clause
"""Spelling to sound: strings from strings, with a kernel written in Python.

    python examples/python/structured_strings.py

Words are made up, some of their letters are mistyped, and how a letter sounds depends on its neighbours. The output is
read symbol by symbol, [KDE] Sec. 6.2, with as many symbols as the word has letters.
"""

from __future__ import annotations

import gramian
import numpy as np

SYLLABLES = ["ca", "ce", "ci", "co", "ga", "ge", "gi", "go", "sa", "se", "si", "la", "le", "lo", "ta", "ti", "na", "ne"]
VOWELS = "aeio"
WINDOWS = (1, 2, 3)


def sound(word):
    """C and g are soft before e and i, s between vowels; an e at the end is silent."""
    out = []
    for place, letter in enumerate(word):
        before, after = word[place - 1 : place], word[place + 1 : place + 2]
        if letter in "cg" and after in ("e", "i"):
            letter = {"c": "s", "g": "j"}[letter]
        elif letter == "s" and before and before in VOWELS and after and after in VOWELS:
            letter = "z"
        elif letter == "e" and not after:
            letter = "-"
        out.append(letter)
    return "".join(out)


def draw(count, rng):
    """Different words of two to four syllables."""
    words = set()
    while len(words) < count:
        words.add("".join(rng.choice(SYLLABLES, size=rng.integers(2, 5))))
    return list(rng.permutation(sorted(words)))


def mistyped(word, rng):
    """The word with each letter replaced by another one with a probability of a tenth."""
    letters = sorted(set("".join(SYLLABLES)))
    return "".join(str(rng.choice(letters)) if rng.random() < 0.1 else letter for letter in word)


def alike(a, b):
    """Letters that two words share, place by place, with none, one or two neighbours: an inner product."""
    a, b = f"^{a}$", f"^{b}$"
    return float(
        sum(
            a[place : place + size] == b[place : place + size]
            for size in WINDOWS
            for place in range(min(len(a), len(b)) - 1)
        )
    )


def right(predicted, truth):
    """Parts of symbols and of whole words that are right."""
    symbols = sum(len(word) for word in truth)
    hits = sum(a == b for p, t in zip(predicted, truth, strict=True) for a, b in zip(p, t, strict=False))
    return hits / symbols, float(np.mean([p == t for p, t in zip(predicted, truth, strict=True)]))


def rows(training=150, fresh=100):
    """One row for each method: its name, and the parts of symbols and of words that are right."""
    rng = np.random.default_rng(0)
    words = draw(training + fresh, rng)
    sounds, typed = [sound(word) for word in words], [mistyped(word, rng) for word in words]
    known, new = slice(training), slice(training, None)
    methods = {
        "one of the training outputs": {"preimage": "nearest", "output_kernel": alike},
        "identity": {"preimage": "sequence", "operator": "identity"},
        "covariance": {"preimage": "sequence", "operator": "covariance"},
        "conditional covariance": {"preimage": "sequence", "operator": "conditional", "epsilon": 0.1},
    }
    for name, options in methods.items():
        model = gramian.DependencyRegressor(alike, penalties=np.logspace(-4, 2, 7), **options).fit(
            typed[known], sounds[known]
        )
        lengths = [len(word) for word in typed[new]] if model.preimage == "sequence" else None
        predicted = model.predict(typed[new], lengths=lengths)
        symbols, whole = right(predicted, sounds[new])
        yield {
            "method": name,
            "symbols": symbols,
            "words": whole,
            "some": list(zip(typed[new], predicted, strict=True))[:3],
        }


def main():
    print("| C | symbols that are right | words that are right | some |")
    print("|---|---|---|---|")
    for row in rows():
        some = ", ".join(f"{word} {read}" for word, read in row["some"])
        print(f"| {row['method']} | {row['symbols']:.1%} | {row['words']:.1%} | {some} |")


if __name__ == "__main__":
    main()
