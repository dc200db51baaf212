"""Variances by enumeration: every value that a vector can take, with its probability, and no formula."""

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

Law = Mapping[tuple[Any, ...], Fraction]  # from a vector to its probability


def independent_components(law: Mapping[Any, Fraction], size: int) -> Law:
    """Vectors whose components are drawn one by one."""
    vectors: dict[tuple[Any, ...], Fraction] = {}
    for components in itertools.product(law, repeat=size):
        share = Fraction(1)
        for component in components:
            share *= law[component]
        vectors[components] = share
    return vectors


def second_moments(law: Law) -> list[list[Fraction]]:
    """E[x^T x] for a row x."""
    size = len(next(iter(law)))
    return [[sum((p * v[i] * v[j] for v, p in law.items()), Fraction(0)) for j in range(size)] for i in range(size)]


def variance_of_dot_product(queries: Law, keys: Law) -> Fraction:
    """The variance of q · k, with q and k drawn apart from each other."""
    mean = square = Fraction(0)
    for (q, p), (k, r) in itertools.product(queries.items(), keys.items()):
        dot = sum((a * b for a, b in zip(q, k, strict=True)), Fraction(0))
        mean, square = mean + p * r * dot, square + p * r * dot**2
    return square - mean**2


SIGNS = {1: Fraction(1, 2), -1: Fraction(1, 2)}
