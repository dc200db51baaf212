"""Chains in which a name may have another value than is known: `w x = 2.6 · 3 = 7.8` behind `w ← 2.6`.

Expected: 2.6 · 3 = 7.8 and 3 · 3 = 9 are so whatever w is; 2.6 · 3 = 7.9, and 6 = 2 · 3 where w was 2, are not.
"""

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING

JUDGED = (*ACCEPTED, *ACCUSING)


def verdicts(text):
    """Those that are no definitions."""
    return [e.verdict for e in check(text, name="a.md").equations if e.verdict != "definition"]


W = "$w = 2$, $x = 3$\n\n"
OPEN = [  # what stands before, a chain behind what changes a name, and its result, once right and once wrong
    (W + "更新すると $w \\leftarrow w^2 - 1.4$。出力は ", r"w x = 2.6 \cdot 3 = ", "7.8", "7.9"),
    (W + "Now $w$ is updated. ", r"w x = 2.6 \cdot 3 = ", "7.8", "6.0"),
    ("$b = 1$, $b \\leftarrow b \\oplus 1$, ", "c = b + 3 = 2 + 3 = ", "5", "4"),
    ("`w = 2`, `x = 3`. `w += 1` so ", "w x = 3 * 3 = ", "9", "6"),
    ("$T = 1$。温度を下げて $T \\to 0.5$ とすると ", r"e^{2/T} = e^{4} \approx ", "54.6", "7.4"),
    ("$n=3$。$n \\to n+1$ とすると ", r"\frac{n(n+1)}2 = \frac{4\cdot5}2 = ", "10", "6"),
    ("$h = 8$, $d = 512$. With $d$ equal to 1024, ", "d/h = 1024/8 = ", "128", "64"),
]


@pytest.mark.parametrize(("before", "chain", "right", "wrong"), OPEN, ids=[str(k) for k in range(len(OPEN))])
def test_what_stands_behind_an_open_link_is_judged_by_itself(before, chain, right, wrong):
    *_, link, result = verdicts(f"{before}${chain}{right}$")
    assert link not in JUDGED
    assert result in ACCEPTED
    assert verdicts(f"{before}${chain}{wrong}$")[-1] in ACCUSING


def test_a_chain_without_an_open_link_is_judged_from_its_start():
    assert verdicts(W + r"$w x = 2.6 \cdot 3 = 7.8$")[0] in ACCUSING
    assert verdicts(W + r"$w x = 2 \cdot 3 = 6$")[-1] in ACCEPTED
    assert verdicts(W + r"$w x = 2 \cdot 3 = 7.8$")[-1] in ACCUSING


@pytest.mark.parametrize("claim", ["c + 1 = 6", "c + 1 = 5", "c + 1 = 7"])
def test_a_name_that_is_defined_by_such_a_chain_has_no_value(claim):
    assert verdicts(f"$b = 1$, $b \\leftarrow b \\oplus 1$, $c = b + 3 = 2 + 3 = 5$. ${claim}$")[-1] not in JUDGED
    assert verdicts(f"$b = 1$. When b is 2, $c = b + 3 = 2 + 3 = 5$. ${claim}$")[-1] not in JUDGED
