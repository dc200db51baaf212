"""What the geometry and the article print stands on their worked pages, at the digits printed there."""

from functools import cache

import pytest
from oracle_reading import decimal_text
from oracle_tables import article, geometry, geometry_numbers
from test_worked_proofs import derivation_of

from symtransformer import Style, render, verify

# id: the left side whose line shows it
GEOMETRY = {
    "geo.softmax4": "E", "geo.softmax.small": "P", "geo.d.norms": "beta", "geo.d.cos": "C", "geo.d.weights": "A",
    "geo.d.jac_small": "J", "geo.d.causal_uniform5": "Z",
}  # fmt: skip
ARTICLE = {
    "art.exp": "U", "art.expsum": "c", "art.softmax": "A", "art.relu": "R", "art.gelu": "G", "art.d.out12": "Z",
    "art.d.gelu_tanh": "H", "art.d.gelu_deriv": "D", "art.d.tau_ratio_bounds": "K_b",
}  # fmt: skip
PLACES = 4
WRONG = ("10^38", "more than the number of atoms", "rows of W_1 are", "columns of W_2 are")


@cache
def verified(name):
    return verify(derivation_of(name))


@cache
def page(name, language="en", detail="steps", places=PLACES):
    return render(verified(name), "txt", language, detail=detail, style=Style(places=places, zeros="trim"))


def last_term(name, left, places):
    """What stands behind the last sign of the line of one letter, with its continuation lines."""
    lines = page(name, places=places).splitlines()
    start = next(k for k, line in enumerate(lines) if line[2:].startswith((f"{left} = ", f"{left} ≈ ")))
    end = next(k for k in range(start, len(lines)) if not lines[k].strip())
    whole = " ".join(line.strip() for line in lines[start:end]).removesuffix("  (operands are rounded)")
    return whole.replace(" = ", " ≈ ").rpartition(" ≈ ")[2]


@pytest.mark.parametrize(
    ("name", "table", "claim", "left"),
    [("geometry", geometry.TABLE, *pair) for pair in GEOMETRY.items()]
    + [("attention_article", article.TABLE, *pair) for pair in ARTICLE.items()],
)
def test_figures_stand_on_the_page(name, table, claim, left):
    item = table.document.item(claim)
    places = int(item.get("shown_digits", PLACES))
    shown = [text.strip("[] ") for text in last_term(name, left, places).split(",")]
    expected = table.values.get(claim)
    if expected is None:
        numbers = item["independently_computed"]
        assert [float(text) for text in shown] == pytest.approx([float(x) for x in numbers], abs=0.6 * 10.0**-places)
    elif "expected" in item:
        assert shown == [decimal_text(x) for x in (item["expected"] if len(shown) > 1 else [item["expected"]])]
    else:
        texts = [s.text for s in expected.shown(Style(places=places, zeros="trim"), False)]
        assert shown == texts[: len(shown)]


def test_the_terms_of_the_dot_products_are_worked_out():
    lines = page("geometry", detail="entries")
    for claim, score in (("makieshi", "0.53"), ("hakobi", "0.66"), ("suzuribako", "0.4")):
        terms = geometry_numbers.DOCUMENT.item(f"geo.terms.{claim}")["expected"]
        assert f"= {' + '.join(decimal_text(x) for x in terms)} = {score}" in " ".join(lines.split())


def test_saturated_weights_and_counts_stand_in_tables():
    text = " ".join(page("geometry", places=1).split())
    assert "1 100 50 40 1 0 0 0 0 0" in text  # w = 1: scores, weights, slopes
    text = " ".join(page("geometry").split())
    for row in (
        "5 25 15 10",
        "8 64 36 28",
        "512 262,144 131,328 130,816",
        "512 4.4194 2.2097 1.7678 0.8473 0.093 0.0598",
    ):
        assert row in text


def test_the_article_gives_a_pair_of_rows_that_fits_and_equal_scores():
    text = " ".join(page("attention_article").split())
    assert "1 0.32 0.29 0.23 0.16 0.1 0.7 0.26 0.03 0 " in text
    assert "0 -6.7812 3 -6.7812 10 -6.7812" in text
    assert "1 1.0559 0.1 0.1331" in text
    assert f"{2**128:,}" in text
    assert "16 1921 2048 1920 2047" in text


@pytest.mark.parametrize("name", ["geometry", "attention_article"])
def test_every_step_is_proved_and_nothing_wrong_is_repeated(name):
    assert {v.kind for v in verify(derivation_of(name)).verdicts.values()} == {"proved"}
    assert not any(claim in page(name) for claim in WRONG)
    assert "!!" not in page(name)
    assert "!!" not in page(name, "ja")
