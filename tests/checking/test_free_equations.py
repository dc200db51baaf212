r"""Equations whose letters nobody gave a value: read, never called true or false, and given a formula once only."""

from __future__ import annotations

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING


def verdicts(*formulas: str) -> list[str]:
    text = "\n\n".join(f"$${formula}$$" for formula in formulas)
    return [e.verdict for e in check(text, name="own.md").equations]


GIVEN = [  # new names, and functions of names
    r"\mathcal{L}_{\text{reg}} = \mathcal{L}_{\text{CE}} + \lambda_{\text{wd}} \|W\|_F^2",
    r"M_h = \text{Concat}(O_1, \dots, O_h) W_O",
    r"\kappa(k, q) = \phi(k)^\top \phi(q)",
    r"W^* = \arg\min_{W} \sum_{i=1}^{k} \|W x_i - y_i\|^2",
    r"w'_{t,t'} = \begin{cases} w_{t,t'} & \text{if } |t - t'| \leq s \\ 0 & \text{otherwise} \end{cases}",
    r"\mathcal{S}_{\text{local}} = \{(i, j) : |i - j| \leq w\}",
    r"K_{\text{new}} = [K_{\text{cached}}; k_{t+1}]",
    r"\theta^* = \arg\min_\theta \mathbb{E}_{\mathcal{T} \sim p(\mathcal{T})}[f_\theta(\mathcal{T})]",
    r"G(\eta) = \log \int h(x) e^{\left< u(x), \eta \right>} dx",
    r"a^{(i)}, b^{(i)} = W_a x^{(i)}, W_b x^{(i)}",
]
CLAIMED = [  # of what is no new name
    r"\mathbb{E}[s_{ij}] = \mathbb{E}[q_i] \mathbb{E}[k_j]",
    r"a \otimes b = a b^\top",
    r"\nabla_X = \frac{1}{\sigma} \nabla_{\hat{X}}",
    r"\frac{\partial L / \partial N}{\partial L / \partial D} = \frac{D}{N}",
    r"\frac{\partial \hat{X}_i}{\partial \mu} \cdot \frac{\partial \mu}{\partial X_j} = \frac{1}{\sigma} \cdot \frac{1}{n}",
    r"\text{Var}(q \cdot k) = \text{Var}(\sum_{i=1}^{d_k} q_i k_i)",
    r"\text{softmax}(q_i^T k_j) \approx \phi(q_i)^T \phi(k_j)",
    r"\text{LayerNorm}(z; \gamma, \beta) = \gamma \frac{z - \mu_z}{\sigma_z} + \beta",
]


@pytest.mark.parametrize("formula", GIVEN)
def test_a_new_name_gets_its_formula_once(formula):
    left, _, right = formula.partition(" = ")
    assert verdicts(formula) == ["definition"]
    assert verdicts(formula, rf"{left} = 2 \cdot {right}")[1:] == ["undecidable"]  # the wrong twin is no definition


@pytest.mark.parametrize("formula", CLAIMED)
def test_a_claim_about_letters_without_a_meaning_is_not_decided(formula):
    assert verdicts(formula) == ["undecidable"]
    assert verdicts(formula.replace(" = ", " = 3 + ").replace(r"\approx", r"\approx 3 +")) == ["undecidable"]


UNREAD = [  # what has no single reading stays unread
    r"\mathbb{E}[s_{ij}] = 0", r"\sqrt{\eta_q} = 4", r"\eta_q = 0,665 \zeta_r", r"\eta_q = \zeta_r 2 3", r"\zeta_r = \eta_q + \text{(cross terms)}",
    r"\zeta = \mathbb{E}[x", r"\mathcal{S} = \mathcal{S}_a \cup",
]  # fmt: skip


@pytest.mark.parametrize("formula", UNREAD)
def test_what_has_no_single_reading_stays_unread(formula):
    assert verdicts(formula) == ["unparsed"]


def test_words_in_plain_text_are_no_formula():
    (equation,) = check("loss ≈ how surprised we are by the next word", name="own.txt").equations or [None]
    assert equation is None or equation.verdict == "unparsed"


def test_nothing_is_accepted_or_accused_and_the_reason_is_told_in_both_languages():
    text = "\n\n".join(f"$${formula}$$" for formula in (*GIVEN, *CLAIMED))
    for equation in check(text, name="own.md").equations:
        assert equation.verdict not in (*ACCEPTED, *ACCUSING)
        assert not equation.words.en.startswith("Not read")
        assert not equation.words.ja.startswith("読めない")
        assert all(note.words.ja and not note.words.ja.isascii() for note in equation.remarks)


def test_what_is_made_of_it_is_still_not_accused():
    """The formula is given here, and none is kept to judge later ones by."""
    assert verdicts(r"S = \sigma(Q \otimes K)", "A = S V", "A = V S")[-1] not in (*ACCEPTED, *ACCUSING)


def test_entries_in_boxes_are_a_row():
    text = (
        r"$$o = \boxed{2}\boxed{3}\boxed{4}$$"
        + "\n\n"
        + r"$$2 o = \boxed{4}\boxed{6}\boxed{8}$$"
        + "\n\n"
        + r"$$a = \boxed{7}$$"
    )
    assert [e.verdict for e in check(text, name="own.md").equations] == ["definition", "right", "definition"]
    wrong = text.replace(r"\boxed{6}", r"\boxed{5}")
    assert [e.verdict for e in check(wrong, name="own.md").equations] == ["definition", "last_place", "definition"]
    assert [e.text for e in check(r"$$x = \boxed{a}\boxed{b}$$", name="own.md").equations] == ["x = a b"]


def test_angles_are_brackets_and_no_relations():
    text = r"$$\frac{u^T v}{|u|\,|v|} = \cos <u, v>$$ $$p = e^{\left<y, x\right>}$$ $$0 < q, r > 1$$ $$h = 2<++>$$"
    assert [e.text.replace(" ", "") for e in check(text, name="own.md").equations] == [
        r"\frac{u^Tv}{|u||v|}=\cos⟨u,v⟩", "p=e^{⟨y,x⟩}", "0<q", "r>1", "h=2",
    ]  # fmt: skip


LATER = "# One\n\n$d_m = 512$, $h = 8$\n\n# Two\n\n$d = d_m = 768$, $h = 12$, so $d_k = d_v = d/h = 64$ and $d_f = 4d = 3072$."


def test_two_names_get_another_value_behind_another_heading_only():
    assert 768 // 12 == 64
    assert not {e.verdict for e in check(LATER, name="own.md").equations} & {*ACCUSING}
    assert {e.verdict for e in check(LATER.replace("64", "46"), name="own.md").equations} & {*ACCUSING}
    assert {e.verdict for e in check(LATER.replace("3072", "3027"), name="own.md").equations} & {*ACCUSING}
    assert "wrong" in {e.verdict for e in check(LATER.replace("# Two", "Then"), name="own.md").equations}


def test_a_small_phi_is_no_density_unless_it_stands_beside_its_integral():
    own = r"$$\text{Attention}(Q, K, V) = \phi(Q) (\phi(K)^T V)$$"
    assert [e.verdict for e in check(own, name="own.md").equations] == ["undecidable"]
    slope = r"$$\frac{\partial}{\partial x} (x \Phi(x)) = \Phi(x) + x \phi(x)$$"
    found = [check(text, name="own.md").equations[0].verdict for text in (slope, slope.replace("+ x", "- x"))]
    assert found[0] not in ACCUSING
    assert found[1] not in ACCEPTED


def test_options_of_a_directive_are_no_formula():
    text = "```{math}\n:label: two\n1 + 1 = 2\n```\n\n```{math}\n1 + 2 = 4\n```\n\n```python\n:label: x\na = 1\n```\n"
    assert [(e.text, e.verdict) for e in check(text, name="own.md").equations] == [
        ("1 + 1 = 2", "right"),
        ("1 + 2 = 4", "last_place"),
    ]


@pytest.mark.parametrize(
    ("last", "verdict"), [(r"-\frac{1}{n\sigma}", "tested"), (r"\frac{1}{n\sigma}", "undecidable")]
)
def test_a_chain_of_derivatives_is_what_its_links_are(last, verdict):
    given = (
        r"\mu = \frac{1}{n}\sum_{i=1}^n X_i",
        r"\sigma = \sqrt{\frac{1}{n}\sum_{i=1}^n (X_i - \mu)^2}",
        r"\hat{X} = \frac{X - \mu}{\sigma}",
        r"\frac{\partial \mu}{\partial X_j} = \frac{1}{n}",
        r"\frac{\partial \hat{X}_i}{\partial \mu} = -\frac{1}{\sigma}",
    )
    chain = r"\frac{\partial \hat{X}_i}{\partial \mu} \cdot \frac{\partial \mu}{\partial X_j}"
    assert verdicts(*given, f"{chain} = {last}")[-1] == verdict
