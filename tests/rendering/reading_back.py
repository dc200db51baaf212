"""A reader of printed index formulas, text or LaTeX, that knows nothing of the printer: it computes what a person would.

Letters count from 1. A product ends a fraction: `a / b c` could be read in two ways and is refused, as are `a^b^c`
and a number behind a number.
"""

from __future__ import annotations

import re

import mpmath

FUNCTIONS = {
    "exp": mpmath.exp, "sqrt": mpmath.sqrt, "tanh": mpmath.tanh, "log": mpmath.log, "Abs": abs, "Max": max,
    "floor": mpmath.floor, "Mod": lambda a, b: a % b,
}  # fmt: skip
WORDS = {
    "delta": "δ", "times": " × ", "cdot": " × ", "bmod": " mod ", "lfloor": " floor(", "rfloor": ")",
    "tanh": " tanh", "log": " log", "max": " Max",
}  # fmt: skip
TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|\.\.|d_k|[A-Za-zδΣ]+(?:_[A-Za-z0-9]+(?:,[A-Za-z0-9]+)*)?|_|.)")


class Unclear(AssertionError):
    """What is printed can be read in two ways."""


class Reader:
    """Reads one side of a line; `shapes` are the sizes of the matrices by the letter of their entries."""

    def __init__(self, text, shapes):
        self.tokens, self.at, self.shapes = TOKEN.findall(text.strip()), 0, shapes

    def whole(self):
        tree = self.sum()
        assert self.at == len(self.tokens), self.tokens[self.at :]
        return tree

    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.next()
        assert wanted in (None, token), (wanted, self.tokens[self.at :])
        self.at += 1
        return token

    def sum(self):
        minus = self.next() == "-" and self.take()
        terms = [("-", self.product()) if minus else self.product()]
        while self.next() in ("+", "-"):
            terms.append(self.product() if self.take() == "+" else ("-", self.product()))
        return ("+", *terms)

    def product(self):
        tree, divided, number_before = self.power(), False, self.tokens[self.at - 1][0].isdigit()
        while (token := self.next()) not in ("", "+", "-", ")", ",", ".."):
            if token in ("/", "×", "*", "mod"):
                if divided or (token == "mod" and tree[0] in ("×", "*")):
                    raise Unclear(token)
                self.take()
                tree, divided = (token, tree, self.power()), token in ("/", "mod")
            else:
                if divided or (number_before and token[0].isdigit()):
                    raise Unclear(self.tokens)
                tree = ("×", tree, self.power())
            number_before = self.tokens[self.at - 1][0].isdigit()
        return tree

    def power(self):
        base = self.part()
        if self.next() != "^":
            return base
        self.take()
        tree = ("^", base, self.part())
        if self.next() == "^":
            raise Unclear("a power of a power")
        return tree

    def part(self):
        token = self.take()
        if token == "(":
            tree = self.sum()
            self.take(")")
            return tree
        if token[0].isdigit():
            return ("number", token)
        if token.startswith("Σ"):
            return self.total(token)
        assert token[0].isalpha(), token
        if token in FUNCTIONS:
            return ("call", token, *self.places())
        base, _, low = token.partition("_")
        if low and base not in (*self.shapes, "δ"):
            return ("name", token)
        if low:
            return ("entry", base, *map(_place, low.split(",") if "," in low else low))
        if self.next() == "_":
            self.take()
            return ("entry", base, *self.places())
        return ("name", token)

    def places(self):
        self.take("(")
        found = [self.sum()]
        while self.next() == ",":
            self.take()
            found.append(self.sum())
        self.take(")")
        return found

    def total(self, token):
        if token != "Σ":
            letter = token.partition("_")[2]
            body = self.product()
            (size,) = self.sizes(body, letter)
            return ("Σ", letter, ("number", "1"), ("name", size), body)
        self.take("_")
        self.take("(")
        letter = self.take()
        self.take("=")
        first = self.sum()
        self.take("..")
        last = self.sum()
        self.take(")")
        return ("Σ", letter, first, last, self.product())

    def sizes(self, tree, letter):
        """How long the rows and columns are in which the letter stands by itself."""
        if tree[0] == "entry" and tree[1] in self.shapes:
            pairs = zip(tree[2:], self.shapes[tree[1]], strict=True)
            return {size for place, size in pairs if place in (("name", letter), ("+", ("name", letter)))}
        return set().union(*(self.sizes(part, letter) for part in tree[1:] if isinstance(part, tuple)), set())


def _place(text):
    return ("number" if text.isdigit() else "name", text)


def plain(latex):
    """LaTeX in the notation of the text form, with brackets around whatever stands in braces."""
    text = latex.replace(r"\dfrac", r"\frac").replace(r"\left|", r"\operatorname{Abs}(").replace(r"\right|", ")")
    text, shown = re.sub(r"\\(left|right|!|,)(?![a-z])", "", text), ""
    while text:
        if text.startswith(r"\frac"):
            above, text = _group(text[5:])
            below, text = _group(text)
            shown += f"(({plain(above)})/({plain(below)}))"
        elif root := re.match(r"\\sqrt\[(\d+)\]", text):
            inner, text = _group(text[root.end() :])
            shown += f" (({plain(inner)})^(1/{root[1]}))"
        elif text.startswith(r"\sqrt"):
            inner, text = _group(text[5:])
            shown += f" sqrt({plain(inner)})"
        elif text.startswith(r"\operatorname"):
            name, text = _group(text[13:])
            shown += f" {name}"
        elif text.startswith(r"\sum_"):
            low, text = _group(text[5:])
            high, text = _group(text[1:])
            shown += f"Σ_({plain(low)}..{plain(high)})"
        elif text.startswith("_{"):
            low, text = _group(text[1:])
            shown += f"_{low} " if re.fullmatch(r"[A-Za-z0-9,]+", low) else f"_({plain(low)})"
        elif text.startswith("e^{") and not shown[-1:].isalpha():
            inner, text = _group(text[2:])
            shown += f" exp({plain(inner)})"
        elif text.startswith("{"):
            inner, text = _group(text)
            shown += f"({plain(inner)})"
        elif text.startswith("\\"):
            word = re.match(r"\\([a-z]+) ?", text)
            text = text[word.end() :]
            if word[1] in FUNCTIONS and text.startswith("^{"):  # tanh^2 x is (tanh x)^2
                power, text = _group(text[1:])
                inner, text = _group(text)
                shown += f" ({word[1]}({plain(inner)}))^({plain(power)})"
                continue
            shown += WORDS[word[1]]
        else:
            shown, text = shown + text[0], text[1:]
    return shown


def _group(text):
    assert text[0] == "{", text
    depth = 0
    for k, c in enumerate(text):
        depth += (c == "{") - (c == "}")
        if depth == 0:
            return text[1:k], text[k + 1 :]
    raise AssertionError(text)


def computed(tree, names, entry):
    """The number that is meant; `names` gives sizes and letters, `entry` the entries, counted from 1."""
    kind, *parts = tree
    if kind == "number":
        return mpmath.mpf(parts[0])
    if kind == "name":
        return mpmath.mpf(names[parts[0]])
    if kind == "Σ":
        letter, first, last, body = parts
        span = range(*(int(computed(x, names, entry)) + k for x, k in ((first, 0), (last, 1))))
        return mpmath.fsum(computed(body, {**names, letter: k}, entry) for k in span)
    values = [computed(x, names, entry) for x in parts if isinstance(x, tuple)]
    if kind == "entry":
        if parts[0] == "δ":
            return mpmath.mpf(values[0] == values[1])
        return entry(parts[0], *map(int, values))
    if kind == "call":
        return FUNCTIONS[parts[0]](*values)
    if kind == "+":
        return mpmath.fsum(values)
    if kind == "-":
        return -values[0]
    first, second = values
    return {
        "×": lambda: first * second, "*": lambda: first * second, "/": lambda: first / second,
        "^": lambda: mpmath.power(first, second), "mod": lambda: first % second,
    }[kind]()  # fmt: skip
