"""Files that say how an author writes: what they give, and the line at which they are refused."""

import pytest

from symtransformer.reading.documents import ValuesError
from symtransformer.reading.notation_file import read_notation


def test_what_a_file_says_is_the_notation():
    found = read_notation('labels = "superscript"\ndecimal = ","\n[names]\nS = "Score"\n')
    assert (found.labels, found.decimal, found.names) == ("superscript", ",", {"S": "Score"})
    assert read_notation('{"heads": "subscript"}').heads == "subscript"
    assert read_notation("").names == {}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('lables = "superscript"', 1, "there is no key 'lables'; did you mean labels?"),
        ('\nlabels = "above"', 2, "labels: expected subscript or superscript, got 'above'"),
        ('brackets = "square"\ndecimal = ";"', 2, "decimal: expected . or ,, got ';'"),
        ('decimal = ","\nseparator = ","', 2, "decimal and separator are both a comma"),
        ('[names]\nS = "Score"\nR = "Score"', None, "names: S and R would both be named Score"),
        ('[names]\nQ = "B"\nS = "a b"\nK = "C"', 3, "names: S: expected a name of letters and digits"),
        ('[names]\n"S T" = "a"', 2, "names: 'S T' is no name of a letter"),
        ("heads = 2", 1, "heads: expected a text in quotes"),
        ('heads = ""', 1, "heads: expected a text in quotes"),
        ('names = "S"', 1, "names: expected a table"),
        ("[heads]\na = 1", None, "heads: expected a text in quotes"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(text, line, message):
    with pytest.raises(ValuesError) as refused:
        read_notation(text, "mine.toml")
    assert message in str(refused.value)
    assert str(refused.value).startswith("mine.toml" if line is None else f"mine.toml, line {line}:"), refused.value
