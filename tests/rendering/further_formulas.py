"""The pages on training, two layers and alternatives, computed anew from their printed inputs; nothing of the library is used."""

from itertools import product

import numpy as np
from mpmath import diff, exp, log, mpf, sqrt
from page_reading import chains, value
from plain_layers import layer


# -- what is given, as printed ---------------------------------------------------------------------------------
def given(text):
    """The printed inputs by name: chains with one right side."""
    found = {}
    for chain in chains(text):
        if len(chain.rights) == 1 and not chain.label:
            found.setdefault(chain.left, [[mpf(str(x)) for x in row] for row in value(chain.terms[0])])
    return found


def as_arrays(inputs):
    return {name: np.array([[float(x) for x in row] for row in rows]) for name, rows in inputs.items()}


def product_of(a, b):
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


def transposed(a):
    return [list(column) for column in zip(*a, strict=True)]


def softmax(rows):
    return [[exp(x) / sum(map(exp, row)) for x in row] for row in rows]


def cross_entropies(logits, targets):
    return [-sum(t * log(p) for t, p in zip(*pair, strict=True)) for pair in zip(targets, softmax(logits), strict=True)]


# -- the pages, computed apart ---------------------------------------------------------------------------------
ETA = TAU = mpf(1) / 2


def mean_loss(g, weight):
    losses = cross_entropies(product_of(g["X_b"], weight), g["Y_b"])
    return sum(losses) / len(losses)


def slope(g, i, j):
    """The gradient by differences: the loss as a function of one weight."""

    def loss(x):
        return mean_loss(g, [[x if (a, b) == (i, j) else w for b, w in enumerate(r)] for a, r in enumerate(g["W"])])

    return diff(loss, g["W"][i][j])


def descended(g, eta):
    slopes = [[slope(g, i, j) for j in range(3)] for i in range(2)]
    stepped = [[w - eta * s for w, s in zip(*pair, strict=True)] for pair in zip(g["W"], slopes, strict=True)]
    promised = mean_loss(g, g["W"]) - eta * sum(s**2 for row in slopes for s in row)
    return slopes, stepped, mean_loss(g, stepped), promised


def smoothed(target, epsilon):
    right = target.index(1)
    everyone = [epsilon / 4 + (1 - epsilon) * (j == right) for j in range(4)]
    others = [(1 - epsilon) if j == right else epsilon / 3 for j in range(4)]
    return everyone, others


def contrast(g, tau):
    (query,) = g["q"]
    cosines = [
        sum(a * b for a, b in zip(query, row, strict=True)) / sqrt(sum(a * a for a in query) * sum(b * b for b in row))
        for row in g["A"]
    ]
    warm = [[c / tau for c in cosines]]
    losses = [cross_entropies(warm, g[name])[0] for name in ("Y_near", "Y_far")]
    return cosines, softmax(warm)[0], *losses


def standardized(row):
    eps = mpf(10) ** -5
    mean = sum(row) / len(row)
    return [(x - mean) / sqrt(sum((y - mean) ** 2 for y in row) / len(row) + eps) for x in row]


def training(text):
    g, rate, epsilon = given(text), mpf(1) / 5, mpf(1) / 10
    (row,) = g["X"]
    marks = list(product((1, 0), repeat=3))
    kept = [[x * m for x, m in zip(row, mask, strict=True)] for mask in marks]
    chances = [rate ** mask.count(0) * (1 - rate) ** mask.count(1) for mask in marks]
    start = standardized(g["h"][0])
    logits = product_of([start], g["W_vocab"])
    slopes, stepped, after, promised = descended(g, ETA)
    everyone, others = smoothed(g["Y_S"][0], epsilon)
    cosines, shares, near, far = contrast(g, TAU)
    squares = [w**2 for r in g["W_vocab"] for w in r]
    return {
        "Y_D": [[x * m / (1 - rate) for x, m in zip(row, g["D"][0], strict=True)]],
        "B": kept,
        "Y_all": [[x / (1 - rate) for x in line] for line in kept],
        "E": [row],
        "E_B": product_of([chances], kept),
        "sigma": [[sqrt(sum(squares) / len(squares))]],
        "N_h": [start],
        "N_0": [start],
        "L_0": logits,
        "P_0": softmax(logits),
        "J_0": [cross_entropies(logits, g["Y"])],
        "J_even": [[log(5)]],
        "T_all": [everyone],
        "T_others": [others],
        "J_S": [cross_entropies(g["S"], g["Y_S"])],
        "J_all": [cross_entropies(g["S"], [everyone])],
        "J_others": [cross_entropies(g["S"], [others])],
        "L_b": product_of(g["X_b"], g["W"]),
        "G": slopes,
        "J_b": [[mean_loss(g, g["W"])]],
        "W_new": stepped,
        "J_new": [[after]],
        "F": [[promised]],
        "C": [cosines],
        "P_tau": [shares],
        "J_near": [[near]],
        "J_far": [[far]],
    }


def two_layers(text):
    g = as_arrays(given(text))
    results, rows = {}, g["X"]
    for k in (1, 2):
        weights = {name: g[f"enc{k}.{name}"] for name in ("W_Q", "W_K", "W_V", "W_O", "W_1", "W_2")}
        query, key = rows @ weights["W_Q"], rows @ weights["W_K"]
        scores = query @ key.T / np.sqrt(2)
        shares = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
        head = shares @ rows @ weights["W_V"]
        results |= {f"enc{k}.Q": query, f"enc{k}.S": scores, f"enc{k}.A": shares, f"enc{k}.Z": head}
        rows = layer(rows, {n: w[None] if n in ("W_Q", "W_K", "W_V") else w for n, w in weights.items()})
        results[f"enc{k}.H"] = rows
    return results


def alternatives(text):
    g = as_arrays(given(text))
    scores = [[np.tanh(q @ g["W_a"] + k @ g["U_a"]) @ g["v_a"][:, 0] for k in g["K"]] for q in g["Q"]]
    shares = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    states = [g["T_0"]]
    for row in g["X"]:
        states.append(np.tanh(states[-1] @ g["U_h"] + row @ g["U_x"]))
    close = np.exp(g["X"][-1:] @ g["X"].T / np.sqrt(2))
    h, eps = g["h"], 1e-5

    def norm(x):
        return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + eps)

    return {
        "S": np.array(scores),
        "A": shares,
        "Z": shares @ g["V"],
        **{f"T_{k}": state for k, state in enumerate(states) if k},
        "A_X": close / close.sum(),
        "Z_X": close / close.sum() @ g["X"],
        "E_all": np.ones((5, 5)),
        "E_c": np.tril(np.ones((5, 5))),
        "E_p": np.outer(np.ones(5), [1, 1, 1, 0, 0]),
        "E_cp": np.tril(np.ones((5, 5))) * [1, 1, 1, 0, 0],
        "N_h": norm(h),
        "G_h": h / np.sqrt((h**2).mean(1, keepdims=True) + eps),
        "H_post": norm(h + h @ g["W"]),
        "H_pre": h + norm(h) @ g["W"],
    }


COMPUTED = {"training": training, "two_layers": two_layers, "alternatives": alternatives}
