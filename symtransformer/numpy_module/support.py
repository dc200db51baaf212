"""What every written module needs beside its formulas: arrays of one type and of the right shapes, and the check.

The functions below are taken into the module as they stand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

STEP = 1e-5
TOLERANCE = 1e-6  # of the largest slope; rounding alone gives some 1e-10
PLACES_AT_MOST = 50


def as_floats(*arrays: Any) -> Any:
    """The arrays as floating-point numbers of one type; whole numbers are taken as doubles."""
    arrays = tuple(np.asarray(array) for array in arrays)
    kind = np.result_type(*(array.dtype if array.dtype.kind == "f" else np.float64 for array in arrays))
    return tuple(array.astype(kind, copy=False) for array in arrays)


def require_shapes(**shapes: Any) -> None:
    """Each array has these sizes on its last axes."""
    for name, (array, *sizes) in shapes.items():
        if array.ndim < len(sizes) or array.shape[array.ndim - len(sizes) :] != tuple(sizes):
            wanted = ", ".join(["...", *map(str, sizes)])
            raise ValueError(f"{name}: expected an array of shape ({wanted}), got {array.shape}")


def defined(array: Any, masked: bool = False) -> Any:
    """The array, if every entry is a finite number; with a mask also −∞."""
    if not np.all(np.isfinite(array) | (np.isneginf(array) & masked)):
        raise ValueError("an entry is undefined, infinite or too large for its type (nan or inf)")
    return array


def of_shape(gradient: Any, argument: Any) -> Any:
    """The gradient with the axes of its argument: added up over those along which the argument was repeated."""
    gradient = np.sum(gradient, axis=tuple(range(gradient.ndim - argument.ndim)))
    repeated = tuple(k for k in range(gradient.ndim) if argument.shape[k] == 1 != gradient.shape[k])
    total = np.sum(gradient, axis=repeated, keepdims=True)
    return defined(np.broadcast_to(total, argument.shape).astype(argument.dtype))


def check(forward: Any, gradient: Any, shapes: Any, sizes: Any, given: Any = (), numbers: Any = ()) -> int:
    """Compare every gradient with central differences, without and with batch axes; 0 where they agree."""
    rng = np.random.default_rng(0)
    worst, most = np.float64(0), TOLERANCE
    names = list(shapes(*range(2, 2 + len(sizes))))
    for first, second in (((), ()), ((2,), (2,)), ((), (2, 1))):  # batch axes of every other argument
        arguments, keywords = draw(forward, shapes, sizes, given, numbers, (first, second), rng)
        try:
            worst = np.maximum(worst, largest_error(forward, gradient, arguments, keywords, names, rng))
        except ValueError as error:
            print(f"no gradient where the expression has a value: {error}")
            return 1
    print(f"largest error against central differences: {worst:.1e} (at most {most:.0e})")
    return 0 if worst <= most else 1


def draw(forward: Any, shapes: Any, sizes: Any, given: Any, numbers: Any, batches: Any, rng: Any) -> Any:
    """Random arguments of unlike sizes for which the expression has a value; positive ones if it needs them."""
    refusal = ""
    for spread, turned in ((1, False), (1, True), (2, False), (2, True)):
        chosen = [2 + spread * k for k in range(len(sizes))]
        of_size = dict(zip(sizes, reversed(chosen) if turned else chosen, strict=True))
        keywords = {name: of_size[name] for name in given} | {name: 0.3 + 0.1 * k for k, name in enumerate(numbers)}
        wanted = [(*batches[k % 2], *shape) for k, shape in enumerate(shapes(*of_size.values()).values())]
        for positive in (False, True):
            arguments = [rng.uniform(0.5, 1.5, shape) if positive else rng.normal(size=shape) for shape in wanted]
            try:
                forward(*arguments, **keywords)
            except ValueError as error:
                refusal = str(error)
                continue
            return arguments, keywords
    raise ValueError(f"no arguments were found for which the expression has a value: {refusal}")


def largest_error(forward: Any, gradient: Any, arguments: Any, keywords: Any, names: Any, rng: Any) -> Any:
    """The largest difference between a gradient and central differences.

    It is a share of the largest slope by that argument, or of a hundredth of the largest of all: a slope that
    is 0 in theory is never 0 in doubles.
    """
    value = forward(*arguments, **keywords)
    cotangent = np.where(np.isfinite(value), rng.normal(size=value.shape), 0.0)
    found = gradient(*arguments, cotangent, **keywords)
    errors, slopes = [np.float64(0)], [np.float64(1e-3)]
    for position, name in enumerate(names):
        if name in found:
            places = rng.permutation(arguments[position].size)[:PLACES_AT_MOST]
            expected = differences(forward, arguments, keywords, cotangent, position, places)
            errors.append(np.max(np.abs(found[name].reshape(-1)[places] - expected)))
            slopes.append(np.max(np.abs(expected)))
    return np.max(np.array(errors) / np.maximum(slopes, np.max(slopes) / 100))


def differences(forward: Any, arguments: Any, keywords: Any, cotangent: Any, position: int, places: Any) -> Any:
    """Central differences (of fourth order) of the sum of cotangent * forward(...), by some entries of one argument."""
    slopes = []
    for place in places:
        slope = np.float64(0)
        for steps, weight in ((1, 8), (-1, -8), (2, -1), (-2, 1)):
            moved = [np.array(argument) for argument in arguments]
            moved[position].flat[place] += steps * STEP
            value = forward(*moved, **keywords)
            slope += weight * np.sum(cotangent * np.where(np.isfinite(value), value, 0.0))
        slopes.append(slope / (12 * STEP))
    return np.array(slopes)
