"""Masks, positions, rows and hardmax, written once more in plain Python; sizes at which they are tried."""

from __future__ import annotations

from typing import Any

from mpmath import mp

Matrix = list[list[Any]]

HINTS: dict[str, tuple[Any, ...]] = {
    "CausalMask": (3, 5),
    "PaddingMask": (2, 5, 3),
    "PairTurn": ((3, 6), None),
    "RotaryAngles": (3, 6, None, None, None),
    "RotaryEmbedding": ((3, 6), None, None, None),
    "RowConcatenation": ((4, 3), (1, 3), (2, 3)),
    "RowPad": ((2, 4), 1, 5),
    "RowSlice": ((5, 4), 1, 3),
    "SinusoidalEncoding": (3, 5, None, None),
}
SQUARE = {("CausalMask", 1)}


def _hardmax(scores: Matrix) -> Matrix:
    # the limit itself: at 10^-60 of the temperature everything but the largest is gone
    def row(x: list[Any]) -> list[Any]:
        powers = [mp.exp((y - max(x)) * mp.mpf(10) ** 60) for y in x]
        return [p / mp.fsum(powers) for p in powers]

    return [row(x) for x in scores]


def _causal(rows: int, columns: int | None = None) -> Matrix:
    # the last query sees all keys, the one before all but one, ...
    width = rows if columns is None else columns
    hidden = [rows - 1 - i for i in range(rows)]
    return [[mp.mpf(0)] * (width - h) + [mp.ninf] * h for h in hidden]


def _padding(rows: int, columns: int, length: int) -> Matrix:
    return [[mp.mpf(0)] * length + [mp.ninf] * (columns - length)] * rows


def _sinusoidal(rows: int, columns: int, start: Any, base: Any) -> Matrix:
    def row(place: Any) -> list[Any]:
        found: list[Any] = []
        for k in range((columns + 1) // 2):
            angle = place / mp.exp(mp.log(base) * 2 * k / columns)
            found += [mp.sin(angle), mp.cos(angle)]
        return found[:columns]

    return [row(start + i) for i in range(rows)]


def _angles(rows: int, columns: int, start: Any, base: Any, pairing: str) -> Matrix:
    half = columns // 2
    speeds = [mp.exp(-mp.log(base) * k / half) for k in range(half)]
    speeds = [s for s in speeds for _ in range(2)] if pairing == "interleaved" else speeds * 2
    return [[(start + i) * s for s in speeds] for i in range(rows)]


def _turn(a: Matrix, pairing: str) -> Matrix:
    half = len(a[0]) // 2
    pairs = [(2 * k, 2 * k + 1) if pairing == "interleaved" else (k, k + half) for k in range(half)]
    result = [list(row) for row in a]
    for row, old in zip(result, a, strict=True):
        for first, second in pairs:
            row[first], row[second] = -old[second], old[first]
    return result


def _rotated(a: Matrix, start: Any, base: Any, pairing: str) -> Matrix:
    # pair by pair as a complex number times e^(iφ)
    half = len(a[0]) // 2
    angles = _angles(len(a), len(a[0]), start, base, pairing)
    result = [list(row) for row in a]
    for row, old, turns in zip(result, a, angles, strict=True):
        for k in range(half):
            first, second = (2 * k, 2 * k + 1) if pairing == "interleaved" else (k, k + half)
            number = mp.mpc(old[first], old[second]) * mp.expj(turns[first])
            row[first], row[second] = number.real, number.imag
    return result


def _row_pad(block: Matrix, start: int, rows: int) -> Matrix:
    zeros = [mp.mpf(0)] * len(block[0])
    return [zeros] * start + block + [zeros] * (rows - start - len(block))


REFERENCES = {
    "CausalMask": _causal,
    "Hardmax": _hardmax,
    "PaddingMask": _padding,
    "PairTurn": _turn,
    "RotaryAngles": _angles,
    "RotaryEmbedding": _rotated,
    "RowConcatenation": lambda *parts: [row for part in parts for row in part],
    "RowPad": _row_pad,
    "RowSlice": lambda a, start, count: a[start : start + count],
    "SinusoidalEncoding": _sinusoidal,
}
