"""Values files: numbers exact as written, every wrong thing with its line."""

import json
import re
import time

import pytest
from sympy import Integer, Rational, oo, sqrt

from symtransformer.notation import Words
from symtransformer.reading import ValuesError, read_values
from symtransformer.reading.line_index import json_lines, toml_lines

TOML = '''# a file
expression = """
S = Q K^T
softmax(S) V   # with a = sign and a [bracket]
"""
title = { en = "Attention", ja = "アテンション" }
lang = "ja"

[sizes]
d_k = 2
[values]
Q = [
  [1, 0.50],   # a comment with ] and "
  ["-inf", "1/3"],
]
v = [1e-3, "sqrt(2)/2"]
activation = "GELU"
rate = 0.1
enc1.W_Q = [[[1]], [[2]]]
[values.enc2]
W_Q = [[-7]]
[labels]
n = ["cat", { en = "sleeps", ja = "眠る" }]
[options]
digits = 3
zeros = "trim"
'''


def test_everything_in_a_file_is_read():
    read = read_values(TOML, "a.toml")
    assert read.expression == "S = Q K^T\nsoftmax(S) V   # with a = sign and a [bracket]\n"
    assert {name: entry.value for name, entry in read.values.items()} == {
        "Q": [[Integer(1), Rational(1, 2)], [-oo, Rational(1, 3)]],
        "v": [Rational(1, 1000), sqrt(2) / 2],
        "activation": "GELU",
        "rate": Rational(1, 10),
        "enc1.W_Q": [[[Integer(1)]], [[Integer(2)]]],
        "enc2.W_Q": [[Integer(-7)]],
    }
    assert {name: entry.levels for name, entry in read.values.items()} == {
        "Q": 2, "v": 1, "activation": -1, "rate": 0, "enc1.W_Q": 3, "enc2.W_Q": 2,
    }  # fmt: skip
    assert read.sizes["d_k"].value == 2
    assert read.title == Words("Attention", "アテンション")
    assert read.labels == {"n": (Words("cat", "cat"), Words("sleeps", "眠る"))}
    assert (read.language, read.options) == ("ja", {"digits": "3", "zeros": "trim"})


def test_every_key_has_its_line():
    found = toml_lines(TOML)
    for path, line in found.items():
        assert path[-1].split(".")[-1] in TOML.splitlines()[line - 1], path
    assert found[("values", "Q")] == 12
    assert found[("values", "enc1", "W_Q")] == 19
    assert found[("values", "enc2", "W_Q")] == 21
    assert len(found) == 18


def test_json_says_the_same():
    tree = {
        "expression": "softmax(Q)", "title": {"en": "A \"b\": [", "ja": "あ"},
        "values": {"Q": [[1, 0.5], ["-oo", "1/3"]], "enc1": {"W": [[2]]}}, "options": {"digits": 3},
    }  # fmt: skip
    text = json.dumps(tree, indent=1)
    read = read_values(text.replace("0.5", "0.50"), "a.json")
    assert read.values["Q"].value == [[1, Rational(1, 2)], [-oo, Rational(1, 3)]]
    assert read.values["enc1.W"].value == [[2]]
    lines = json_lines(text)
    assert {path[-1] in text.splitlines()[line - 1] for path, line in lines.items()} == {True}
    assert lines[("values", "enc1", "W")] == read.values["enc1.W"].line


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("expresion = 'A'", 1, "there is no key 'expresion'; did you mean expression?"),
        ("\nA = 1", 2, "there is no key 'A'; known are: operation, expression"),
        ("expression = 'A B'\n[options]\ndigit = 3", 3, "there is no option 'digit'; did you mean digits?"),
        ("expression = 3", 1, "expression: expected a text"), ("values = 3", 1, "values: expected a table, as in [values]"),
        ("x = [1\ny = 2", 2, "column 1: Unclosed array"), ("x = 1\nx = 2\ny = 3", 2, "Cannot overwrite a value"),
        ("[values]\n\nA = [[1, 2], [3]]", 3, "A: row 1 has 2 entries, row 2 has 1"),
        ("[values]\nA = []", 2, "A: expected rows of numbers, as in [[1, 0], [0.5, 1]]"),
        ("[values]\nA = [[]]", 2, "A: expected rows of numbers"),
        ("[values]\nA = [[1], 2]", 2, "A: expected a list of numbers, got '2'"),
        ("[values]\nA = [[[[1]]]]", 2, "A: expected rows of numbers"),
        ("[values]\nA = [[nan]]", 2, "A: 'nan' is no number"), ("[values]\nA = [[true]]", 2, "A: expected a number, got 'True'"),
        ("[values]\nA = [[2020-01-01]]", 2, "A: expected a number"), ("[values]\nA = [['x']]", 2, "A: 'x' is no number"),
        ("[values]\nA = [['1/0']]", 2, "a division by 0"), ("[values]\nA = [['1,5']]", 2, "cannot stand here"),
        ("[values]\nA = [[\"__import__('os')\"]]", 2, "A: an index belongs to a name"),
        ("[values]\nA = [[" + "1" * 41 + "]]", 2, "a number of more than 40 digits"),
        ("[values]\nA = [[0." + "1" * 40 + "]]", 2, "a number of more than 40 digits"),
        ("[values]\nA = [[1e401]]", 2, "a power of ten beyond 10^400"),
        ("[values]\nA = [[" + ",".join(["1"] * 4097) + "]]", 2, "A: more than 4096 entries"),
        ("[values]\n'A b' = 1", 2, "'A b' is no name of a letter"), ("[values.Enc]\nA = 1", 2, "'Enc.A' is no name of a letter"),
        ("[sizes]\nn = [2]", 2, "n: expected a number"),
        ("[labels]\nn = 'cat'", 2, "labels of n: expected a list of texts"), ("[labels]\nn = [1]", 2, "labels: expected text, got int"),
        ('[labels]\nn = ["a\\u202eb"]', 2, "the character U+202E is not seen, or changes the direction"),
        ('[labels]\nn = ["a\\u200bb"]', 2, "U+200B"), ('[labels]\nn = ["a\\nb"]', 2, "U+000A"), ('[labels]\nn = ["{Q}"]', 2, "'{' has a meaning"),
        ('[labels]\nn = [""]', 2, "an empty text"), ('[labels]\nn = ["' + "x" * 121 + '"]', 2, "a text of 121 characters; at most 120"),
        ('title = { en = "x" }', 1, "title: expected a text, or both languages as { en = ..., ja = ... }"),
        ('{"values": {"A": NaN}}', None, "NaN is no number of JSON"), ('{"values": {"A": 1, "A": 2}}', 1, "the key 'A' is given twice"),
        ('{"values":\n {"A": [[1, 2],\n [3]]}}', 2, "A: row 1 has 2 entries, row 2 has 1"), ('{"values": 1', 1, "column 13"),
        ("[options]\nonly = ['S']", 2, "only: expected a text or a number"),
        ("x = " + "[" * 5000, None, "brackets are nested too deeply"), ('{"a":' * 5000, None, "nested too deeply"),
    ],
)  # fmt: skip
def test_a_wrong_thing_is_refused_with_its_line(text, line, message):
    with pytest.raises(ValuesError, match=re.escape(message)) as caught:
        read_values(text, "mine.toml")
    assert caught.value.line == line
    assert str(caught.value).startswith(f"mine.toml, line {line}: " if line else "mine.toml: ")
    assert "\n" not in str(caught.value)


def test_limits_hold_at_n():
    many = ",".join(["1"] * 4096)
    assert len(read_values(f"[values]\nA = [[{many}]]").values["A"].value[0]) == 4096
    assert read_values("[values]\nA = [[" + "1" * 40 + "]]").values["A"].value == [[int("1" * 40)]]
    assert read_values(f'[labels]\nn = ["{"x" * 120}"]').labels["n"][0].en == "x" * 120
    comment = "#" * (2_000_000 - len("title = 'a'\n"))
    assert read_values("title = 'a'\n" + comment).title == Words("a", "a")
    with pytest.raises(ValuesError, match="more than 2000000 bytes"):
        read_values("title = 'a'\n" + comment + "#")


def test_a_label_is_composed():
    assert read_values('[labels]\nn = ["カ\\u3099"]').labels["n"][0].en == "ガ"


def test_many_keys_take_seconds_and_not_minutes():
    many = ", ".join(f'"a{k}": 1' for k in range(20_000))
    start = time.process_time()
    assert len(read_values(f'{{"values": {{{many}}}}}').values) == 20_000
    assert len(read_values("[values]\n" + "".join(f"a{k} = 1\n" for k in range(20_000))).values) == 20_000
    assert time.process_time() - start < 20
