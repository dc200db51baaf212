"""Which part of a line among prose is an equation: where its sides begin and end, and what is none."""

import pytest

from symtransformer.documents.lines import formula_spans
from symtransformer.documents.signs import signs_of

SPANS = {
    "names in Japanese, and units": [
        ("交差損失合計値平均分散誤 = 3", ["交差損失合計値平均分散誤 = 3"]), ("交差損失合計値平均分散誤差 = 3", []), ("5 トークン × 4 = 20", ["5 トークン × 4 = 20"]), ("8 台 × 57 時間 = 456", ["8 台 × 57 時間 = 456"]), ("8 台 = 8", ["8 台 = 8"]), ("8 個 = 8", ["8 個 = 8"]), ("5 cm × 4 cm = 20", ["5 cm × 4 cm = 20"]), ("the 5 cm × 4 cm = 20", ["5 cm × 4 cm = 20"]), ("so 5 cm + 4 cm = 9", ["5 cm + 4 cm = 9"]), ("5cm × 4cm = 20", ["5cm × 4cm = 20"]), ("5個×4個 = 20", ["5個×4個 = 20"]),
    ],
    "colons": [
        ("1/2 : 3/4 = 2/3", ["1/2 : 3/4 = 2/3"]), ("so 1/2 : 3/4 = 2/3", ["1/2 : 3/4 = 2/3"]), ("1/2:3/4 = 2/3", ["1/2:3/4 = 2/3"]), ("Step 3 : 3/4 = 0.75", ["3/4 = 0.75"]), ("3 : 4 = 0.75", ["3 : 4 = 0.75"]), ("4:2 = 2", ["4:2 = 2"]), ("4 : 2 = 2", ["4 : 2 = 2"]), ("Step 4: 2 = 2", ["2 = 2"]), ("手順4：2 = 2", ["2 = 2"]), ("手順4:2 = 2", ["2 = 2"]), ("ratio 6 : 3 = 2", ["6 : 3 = 2"]), ("(1/2 : 3/4) = 2/3", []),
    ],
    "words that compute": [
        ("half of 8 = 4", ["half of 8 = 4"]), ("3 plus 4 = 7", ["3 plus 4 = 7"]), ("a + 3 plus 4 = 7", ["a + 3 plus 4 = 7"]), ("three plus 4 = 7", ["three plus 4 = 7"]), ("x plus 4 = 7", ["x plus 4 = 7"]),
    ],
    "words before a number alone": [
        ("the total is 7 = 7", ["7 = 7"]), ("result 5 = 5", ["result 5 = 5"]), ("結果 5 = 5", ["5 = 5"]), ("結果5 = 5", ["結果5 = 5"]), ("結果は5 = 5", ["5 = 5"]), ("5人が3 = 3", ["3 = 3"]), ("20% of 50 = 10", ["20% of 50 = 10"]), ("the 20% of 50 = 10%", ["20% of 50 = 10%"]), ("one two 3 = 3", ["one two 3 = 3"]), ("8 and 3 = 3", ["8 and 3 = 3"]), ("so and 3 = 3", ["3 = 3"]), ("よって 3 = 3", ["3 = 3"]), ("よって3 = 3", ["3 = 3"]),
    ],
    "several numbers": [
        ("1, 2, 3 = x", ["1, 2, 3 = x"]), ("step 1, 2, 3 = x", ["2, 3 = x"]), ("so 1,2,3 = x", ["1,2,3 = x"]), ("1 , 2 , 3 = x", ["1 , 2 , 3 = x"]),
    ],
    "a minus behind an operator": [
        ("x is -3 = -3", ["-3 = -3"]), ("x × -3 = 5", ["x × -3 = 5"]), ("2 × -3 = -6", ["2 × -3 = -6"]), ("2 × -x y = -6", ["2 × -x y = -6"]), ("so 2 × - 3 = -6", ["2 × - 3 = -6"]), ("2 × 4 × -3 = -24", ["2 × 4 × -3 = -24"]), ("loss 2 × -3 = -6", ["2 × -3 = -6"]), ("(2) × -3 = -6", ["(2) × -3 = -6"]), ("-2 × -3 = 6", ["-2 × -3 = 6"]), ("- 2 × -3 = 6", ["2 × -3 = 6"]), ("x - 2 × -3 = 6", ["x - 2 × -3 = 6"]), ("損失は2 × -3 = -6", ["2 × -3 = -6"]), ("2 × 合計 × -3 = 6", ["2 × 合計 × -3 = 6"]),
    ],
    "numbers in brackets": [
        ("(2) 3 = 3", ["3 = 3"]), ("2 + (2) 3 = 8", ["2 + (2) 3 = 8"]), ("(2)² 3 = 12", ["(2)² 3 = 12"]), ("(2)(3) = 6", ["(2)(3) = 6"]), ("g(2) = 4", ["g(2) = 4"]), (") (2) x = 2", ["x = 2"]),
    ],
    "letters and articles": [
        ("A B = C", ["A B = C"]), ("A x = 3", ["x = 3"]), ("a x = 3", ["x = 3"]), ("I x = 3", ["x = 3"]), ("the A B = C", ["A B = C"]), ("the A Bᵀ = C", ["A Bᵀ = C"]), ("the a B = C", ["B = C"]), ("A = 3", ["A = 3"]),
    ],
    "counted things": [
        ("row 2 x = 4", ["x = 4"]), ("in row 2 x = 4", ["x = 4"]), ("the 2 x = 4", ["2 x = 4"]),
    ],
    "Japanese before a sign": [
        ("合計 損失 = 3", ["損失 = 3"]), ("損失合計 = 3", ["損失合計 = 3"]), ("値の合計 = 3", ["値の合計 = 3"]), ("3合計 = 3", ["3合計 = 3"]), ("x合計 = 3", ["x合計 = 3"]), ("また合計 = 3", ["合計 = 3"]), ("合計また = 3", ["合計また = 3"]), ("よって損失は合計 = 3", ["合計 = 3"]),
    ],
    "brackets behind a number": [
        ("x = 2 × 3", ["x = 2 × 3"]), ("x = 2 (3 + 4)", ["x = 2"]), ("x = 128 (16 × 8) units", ["x = 128"]), ("x = 128（16 × 8）", ["x = 128"]), ("x = 2 (50%)", ["x = 2"]), ("x = f(50%)", ["x = f(50%)"]), ("x = 2 (3)", ["x = 2"]), ("x = f(3)", ["x = f(3)"]), ("x = 2（3）", ["x = 2"]), ("x = 2 (a + b)", ["x = 2 (a + b)"]), ("x = a (3 + 4)", ["x = a (3 + 4)"]),
    ],
    "groups of digits": [
        ("x = 4,096", ["x = 4,096"]), ("x = 4,09", ["x = 4,09"]), ("x = 4,0961", ["x = 4,0961"]), ("x = 4,096.5 is", ["x = 4,096.5"]), ("x = 4 ,096", ["x = 4 ,096"]), ("x = 1,048,576", ["x = 1,048,576"]),
    ],
    "multipliers": [
        ("x = 3 million", ["x = 3 million"]), ("x = 3 million points", ["x = 3"]), ("x = 3 percent", ["x = 3 percent"]), ("x = 25 percent points", ["x = 25"]), ("x = 25 percent of points", ["x = 25 percent"]), ("x = 25 percentage", ["x = 25"]), ("x = 3百万円", ["x = 3百万"]), ("x = 3万", ["x = 3万"]), ("x = 3 万", ["x = 3 万"]), ("x = 3万人 points", ["x = 3"]), ("x = 3人", ["x = 3"]),
    ],
    "ordinals, and d before a word": [
        ("x = 1番", []), ("x = 1行目", []), ("x = 3個目です", []), ("x = 2 + 1番", ["x = 2"]), ("x = d出力", ["x = d出力"]), ("x = d出力です", ["x = d出力"]), ("x = 2 d出力", ["x = 2 d出力"]), ("x = 2d出力", ["x = 2d"]), ("x = dの", ["x = d"]), ("x = d", ["x = d"]), ("x = 2 × d出力 + 3", ["x = 2 × d出力 + 3"]),
    ],
    "signs and bars": [
        ("x = -3", ["x = -3"]), ("x = --3", ["x = --3"]), ("x = |3|", ["x = |3|"]), ("x = ‖a‖ + 2", ["x = ‖a‖ + 2"]), ("x = |a| b", ["x = |a| b"]), ("x = |a| the", ["x = |a|"]), ("x = a | b", ["x = a | b"]),
    ],
    "what is open at its end": [
        ("x = 2 +", ["x = 2 +"]), ("x = 2 + the", ["x = 2 + the"]), ("x = 2 + 3 the", ["x = 2 + 3"]),
    ],
    "words on the right": [
        ("x = 合計 + 2", ["x = 合計 + 2"]), ("x = 合計値平均値分散値一二三四五六七", []), ("x = 2 × 合計です", ["x = 2 × 合計"]), ("x = 2 合計", ["x = 2"]), ("x = loss", []), ("x = 2 loss", ["x = 2"]), ("x = 2 loss + 3", ["x = 2 loss + 3"]), ("x = 2 loss mean + 3", ["x = 2 loss mean + 3"]), ("x = 2 loss and + 3", ["x = 2 loss and + 3"]), ("x = loss mean + 3", ["x = loss mean + 3"]), ("x = loss mean score + 3", ["x = loss mean score + 3"]), ("x = 2 + loss mean", ["x = 2 + loss mean"]), ("x = 2 + loss mean = 3", ["x = 2 + loss mean = 3"]),
    ],
    "words that join": [
        ("x = 2 and -2 + 3 = 1", ["x = 2", "-2 + 3 = 1"]), ("x = 2 は -2 + 3", ["x = 2"]), ("x = 128次元/ヘッド", ["x = 128"]), ("x = 128/ヘッド", ["x = 128/ヘッド"]), ("x = 128次元 / 4", ["x = 128"]),
    ],
    "words that operate": [
        ("x = 2 plus 3", ["x = 2 plus 3"]), ("x = 2 plus a", ["x = 2"]), ("x = 2 plus", ["x = 2"]), ("x = (2) plus 3", ["x = (2) plus 3"]), ("x = a plus 3", ["x = a"]), ("x = 2 plus 3 times 4 is", ["x = 2 plus 3 times 4"]), ("x = 2 (loss of text) + 3", ["x = 2 (loss of text) + 3"]), ("x = 2 (loss of text)+ the", ["x = 2"]),
    ],
    "numbers in a row": [
        ("x = 1, 2, 3", ["x = 1, 2, 3"]), ("x = 1, 2, 3.", ["x = 1, 2, 3"]), ("x = 1、2", ["x = 1、2"]), ("x = 1, 2 = 3", ["x = 1", "2 = 3"]), ("x = 1,2 = 3", ["x = 1,2 = 3"]), ("x = 1, -2", ["x = 1, -2"]), ("x = 1, a", ["x = 1"]), ("x = 1, 2; 3", ["x = 1, 2"]),
    ],
    "what may stand behind an operand": [
        ("x = 2 3", ["x = 2 3"]), ("x = 2 a word", ["x = 2"]), ("x = 2 a", ["x = 2 a"]), ("x = a 3 tokens", ["x = a"]),
    ],
    "nothing is cut in the middle": [
        ("x = 2ab c", ["x = 2ab"]), ("x = 2(a) b", ["x = 2(a) b"]), ("x = 2(合) b", ["x = 2"]), ("x = 2(50%) b", ["x = 2"]), ("x = 2/a b", ["x = 2/a b"]), ("x = 2-fold", ["x = 2-fold"]), ("x = 2^", ["x = 2^"]), ("x = 2² + 3² is", ["x = 2² + 3²"]),
    ],
    "brackets on the right": [
        ("x = [1, 2] is", ["x = [1, 2]"]), ("x = [1, 2][0] is", ["x = [1, 2][0]"]), ("x = (see below)", []), ("x = (see below) + 2", []), ("x = \\frac{1}{2} is", ["x = \\frac{1}{2}"]), ("x = \\alpha \\beta is", ["x = \\alpha \\beta"]),
    ],
    "what is no side": [
        ("x =", []), ("x = y = 3", ["x = y = 3"]), ("x = the", []), ("x = the + 2", ["x = the + 2"]), ("the = word", []), ("the = 3", ["the = 3"]),
    ],
    "ends of sentences": [
        ("x = 5!", ["x = 5!"]), ("x = 5%", ["x = 5%"]), ("x = 0.5. y = 2", ["x = 0.5", "y = 2"]), ("x = 1. 5", ["x = 1"]), ("x ≈ 3; y = 2", ["x ≈ 3", "y = 2"]), ("x = 2 → y = 3", ["x = 2", "y = 3"]),
    ],
    "brackets of prose": [
        ("(x = 2)", ["x = 2"]), ("(x = 2) and (y = 3)", ["x = 2", "y = 3"]), ("f(x = 2)", []), ("f(2 + x = 5)", []), ("GPU(80 / 2 = 40)", ["80 / 2 = 40"]), ("GPU(80 / a = 40)", []), ("2(3 + 4 = 7)", []), ("((x = 2))", ["x = 2"]), ("see (x = 2, y = 3) there", ["x = 2", "y = 3"]), ("{x = 2}", []), ("g(2 + 3 == 5)", []), ("\\text{f}(2 + 3 = 5)", []),
    ],
    "variants and prices": [
        ("the Q-K=V model is", []), ("the Q-K=V", ["Q-K=V"]), ("Q-K=V", ["Q-K=V"]), ("Q-5=V is it", ["Q-5=V"]), ("$5 = 5", []), ("€5 = 5", []), ("5€ = 5", []),
    ],
    "brackets that were forgotten": [
        ("2 × (3 + 4 = 14", []), ("2 × ( 3 + 4 = 14", []), ("the (3 + 4 = 7", ["3 + 4 = 7"]), ("2 × [3 + 4 = 14", []), ("(3 + 4 = 7", ["3 + 4 = 7"]),
    ],
    "what is cut off": [
        ("2 ✕ 5 = 10", []), ("a ✕ 5 = 10", []), ("the ✕ 5 = 5", []), ("2 ✕✕ 5 = 10", []), ("∫ 2 + 3 = 5", []), ("2. 5 = 5", ["5 = 5"]), ("2 . 5 = 10", []), ("q . k = 5", []), (".5 = 5", []), ("+ .5 = 5", []), (". 5 = 5", ["5 = 5"]), ("end. 5 = 5", ["5 = 5"]),
    ],
    "marks before a side": [
        ("2) × 3 = 6", []), ("\"a\" × 3 = 6", ["\"a\" × 3 = 6"]), ("2 ∝ 3 = 3", []), ("2 ↑ 3 = 8", []), ("x: + 2 = 2", ["+ 2 = 2"]), ("x + 2 = 2", ["x + 2 = 2"]), ("; + 2 = 2", ["+ 2 = 2"]),
    ],
    "words alone": [
        ("平均0 = 1行目", []), ("x = 行目1", []), ("2 = 平均0", []), ("2 + 3 = loss", ["2 + 3 = loss"]), ("loss + x = mean", []), ("loss = mean", []), ("loss = mean + 3", ["loss = mean + 3"]), ("loss = x_1", ["loss = x_1"]), ("x_1 = loss", []), ("loss = √2", ["loss = √2"]), ("x = Query", []), ("Q = K", ["Q = K"]), ("loss = Q", []), ("= 16人", []), ("= x", []), ("= loss", []), ("x = {", []), ("x = \\{a\\}", ["x = \\{a\\}"]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("theme", SPANS)
def test_spans_of_lines(theme):
    for line, wanted in SPANS[theme]:
        assert [line[span.start : span.end] for span in formula_spans(signs_of(line), False)] == wanted, line


@pytest.mark.parametrize(
    ("line", "continues"), [("= 5", True), ("= 16", True), ("= 2 + 3", True), ("  = 5", True), ("= x", False), ("= loss", False), ("= 16人", False), ("x = 5", False), ("x = 2, = 3", False)]
)  # fmt: skip
def test_a_line_that_goes_on_with_the_line_before(line, continues):
    spans = formula_spans(signs_of(line), True)
    assert [span.continues for span in spans if span.continues] == [True] * continues
