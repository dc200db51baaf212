"""Formulas planted in prose of two languages come back whole, in order, at their places."""

from hypothesis import given, seed, settings
from hypothesis import strategies as st

from symtransformer.documents import read_document, relations

OPERANDS = st.one_of(
    st.integers(0, 999).map(str),
    st.decimals(0, 99, places=3).map(str),
    st.sampled_from(["x", "W_Q", "K^T", "√d_k", "q_1", "[1, 2]", "[[1, 0], [0.5, 1]]", "softmax(S)", "exp(-0.5)", "(a + b)", "V₁", "θ"]),
)  # fmt: skip
SIDES = st.lists(OPERANDS, min_size=1, max_size=4).flatmap(
    lambda operands: st.lists(
        st.sampled_from([" + ", " - ", " × ", "×", " · ", " ÷ ", " @ ", " ⊙ ", "/"]),
        min_size=len(operands) - 1, max_size=len(operands) - 1,
    ).map(lambda signs: "".join(o + s for o, s in zip(operands, [*signs, ""], strict=True)))
)  # fmt: skip
CHAINS = st.lists(SIDES, min_size=2, max_size=4).flatmap(
    lambda sides: st.lists(
        st.sampled_from([" = ", "=", " ≈ ", " ＝ "]), min_size=len(sides) - 1, max_size=len(sides) - 1
    ).map(lambda signs: (sides, signs))
)
BEFORE = ["The score is ", "so that ", "and hence ", "Here ", "where ", "係数は", "「猫」の点数は", "したがって、", "左：", "- ", "", "（", "結果 "]  # fmt: skip
AFTER = [".\n", ", ", "; ", "。", "、", "です。", "となる。\n", " holds.\n", " <- 注意\n", " のとき、", "）。", "\n\n"]


@seed(2_314)
@settings(max_examples=400, deadline=None, database=None)
@given(st.lists(st.tuples(st.sampled_from(BEFORE), CHAINS, st.sampled_from(AFTER)), min_size=1, max_size=5))
def test_planted_formulas_are_found_whole(planted):
    text, wanted = "", []
    for marked, (sides, signs), after in planted:
        before = "" if marked == "- " and text and not text.endswith("\n") else marked
        text += before
        text = text if before != "" or text.endswith("\n") or not text else text + "また、"
        for left, sign, right in zip(sides, signs, sides[1:], strict=False):
            text += left
            column = len(text) - (text.rfind("\n") + 1) + len(sign) - len(sign.lstrip()) + 1
            wanted.append((left, {"＝": "="}.get(sign.strip(), sign.strip()), right, text.count("\n") + 1, column))
            text += sign
        text += sides[-1] + after
    document = read_document(text.encode(), "a.txt")
    found = [(r.left.text, r.sign, r.right.text, r.line, r.column) for r in relations(document)]
    assert found == wanted
    assert document.problems == ()
