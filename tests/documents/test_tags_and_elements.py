"""Tags of a page with their attributes and places, MathML between lines of Markdown, and notations mapped to the usual one."""

import pytest

from symtransformer.chosen_notation import Notation
from symtransformer.documents.collecting import Collector
from symtransformer.documents.elements import LONGEST, without_elements
from symtransformer.documents.markup import Tag, _end_of_tag, events
from symtransformer.documents.placed import Placed
from symtransformer.documents.usual_notation import as_usual


def placed(text, first=100):
    return Placed(text, range(first, first + len(text)))


@pytest.mark.parametrize(
    ("text", "end"),
    [("<a>", 2), ('<a b="c>d">', 10), ("<a b='>' c>", 10), ('<a b="c>', -1), ("<a", -1), ('<a "" >', 6), ("<a b='\">\"'>", 10)],
)  # fmt: skip
def test_where_a_tag_ends(text, end):
    assert _end_of_tag(text, 1) == end


def test_attributes_and_their_places():
    (tag,) = [event for event in events(placed("<a b=\"1\" C='2' d=3 e b=4/>")) if isinstance(event, Tag)]
    assert (tag.name, tag.origin, tag.closes, tag.empty) == ("a", 100, False, True)
    assert {name: tag.attributes[name] for name in "bce"} == {"b": "1", "c": "2", "e": ""}
    value = tag.value("b")
    assert (value.text, list(value.origins)) == ("1", [106])
    assert tag.value("e") is None


def test_what_a_script_holds_is_no_tag():
    found = list(events(placed("<script>if (a<b) x</script>y")))
    script = next(event for event in found if isinstance(event, Tag))
    assert (script.name, script.raw.text) == ("script", "if (a<b) x")
    assert [event.text for event in found if isinstance(event, Placed)][-1] == "y"


MATH = "<math><mi>x</mi><mo>=</mo><mn>1</mn></math>"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (MATH, "$x=1$"), (f"so {MATH} there", "so $x=1$ there"), (MATH + MATH, "$x=1$$x=1$"), (f"</math>{MATH}", "</math>$x=1$"), (MATH.replace("<math", '<math display="block"'), "$$x=1$$"), ("<math>x = 1", "<math>x = 1"), (f"`{MATH}`", f"`{MATH}`"), (f"`a` {MATH}", "`a` $x=1$"),
        (f"```\n{MATH}\n```", f"```\n{MATH}\n```"), (f"<!-- {MATH} -->", f"<!-- {MATH} -->"), ("x = 1", "x = 1"), (f"{MATH} `{MATH}` {MATH}", f"$x=1$ `{MATH}` $x=1$"), (MATH.upper().replace("X", "x"), "$x=1$"),
    ],
)  # fmt: skip
def test_elements_between_lines(text, wanted):
    found = Collector("a.md")
    assert without_elements(found.sources.add("a.md", text), found).text == wanted
    assert found.problems == []


def test_elements_that_cannot_be_read():
    for text in ("<math><mi>x</mo></math>", "<math></math>", "<math><mi>$</mi></math>"):
        found = Collector("a.md")
        assert without_elements(found.sources.add("a.md", f"so {text} y"), found).text == f"so {text} y"
        assert [(problem.code, problem.column) for problem in found.problems] == [("mathml", 4)]


def test_the_longest_element():
    for extra, is_read in ((0, True), (1, False)):
        text = MATH.replace("<mi>x", f"<mi>{' ' * (LONGEST - len(MATH) + extra)}x")
        found = Collector("a.md")
        assert (without_elements(found.sources.add("a.md", text), found).text == "$x=1$") is is_read


@pytest.mark.parametrize(
    ("notation", "text", "usual"),
    [
        ({"labels": "superscript", "heads": "subscript"}, "W_{i}^{Q}", "{W_{Q}^{(i)}}"), ({"labels": "superscript", "heads": "subscript"}, "W_i^Q", "W_Q^(i)"), ({"labels": "superscript"}, "W^{Q}", "W_{Q}"), ({"labels": "superscript"}, "W^{T}", "W^{T}"),
        ({"labels": "superscript"}, "W^Q", "W_Q"), ({"heads": "subscript"}, "W_{Q,2}", "{W_{Q}^{(2)}}"), ({"heads": "subscript"}, "W_{2}", "{W^{(2)}}"), ({"heads": "subscript"}, "W_2", "W^(2)"), ({"decimal": ","}, "0,5 + w_{1,2}", "0.5 + w_{1,2}"), ({"separator": ";"}, "[1; 2]", "[1, 2]"),
        ({"decimal": ","}, "0{,}5", "0.5"), ({"decimal": ","}, "[1; 2]", "[1, 2]"), ({"separator": ";"}, "0,5", "0,5"),
    ],
)  # fmt: skip
def test_notations_mapped_to_the_usual_one(notation, text, usual):
    assert as_usual(Notation(**notation)).text(text) == usual


def test_places_of_what_is_mapped():
    mapped = as_usual(Notation(decimal=",")).placed(placed("a = 0,5"))
    assert (mapped.text, list(mapped.origins)) == ("a = 0.5", list(range(100, 107)))
    assert as_usual(Notation(matrices="italic")) is None
    assert as_usual(Notation(heads="subscript"), frozenset({"W_2"})).text("W_2 + V_2") == "W_2 + V^(2)"
