"""The glossary as a neutral document: every operation, letter, rule, convention and verdict, explained in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator

from symtransformer import __version__
from symtransformer.checking.conventions import CONVENTIONS
from symtransformer.errors import SymtransformerError
from symtransformer.notation import Words
from symtransformer.operation import REGISTRY, Composite, Operation
from symtransformer.reading import read_expression
from symtransformer.reading.operation_letters import as_expression, signature
from symtransformer.rendering.check_report.sentences import catalogue
from symtransformer.rendering.document import Block, Chain, Document, Equations, Formula, Heading, Paragraph
from symtransformer.rules import RULES
from symtransformer.rules.calculus import CALCULUS
from symtransformer.rules.sums import SUMS
from symtransformer.unfolding import derive

TITLE = Words("Glossary", "用語集")
GIVEN = {"temperature": "tau", "epsilon": "epsilon", "rate": "eta"}  # numbers that an operation cannot do without
PARTS = (
    (
        Words("Letters", "文字"),
        Words(
            "What the letters stand for on the pages, where nothing else is said; rows are positions.",
            "ページで特に断りのないときの文字の意味です。行は位置を表します。",
        ),
    ),
    (
        Words("Operations", "演算"),
        Words(
            "Each operation as it is written in an expression, what it does, what it consists of, and where it is "
            "defined; arguments in square brackets may be left out.",
            "式の中での書き方、その働き、それを作る演算、出典を示します。角括弧の中の引数は省略できます。",
        ),
    ),
    (
        Words("Rules", "規則"),
        Words(
            "By these rules gradients are brought into the form in which they are shown.",
            "勾配の式は、これらの規則で見やすい形に直しています。",
        ),
    ),
    (
        Words("Conventions", "約束（定義）の違い"),
        Words(
            "A calculation that is right under one of these is not called wrong; the convention is named.",
            "定義にはいくつかの約束があります。次のどれかによれば正しい計算は、誤りとはせず、どの約束によるかを示します。",
        ),
    ),
    (
        Words("Verdicts", "判定"),
        Words("What is said of an equation.", "等式についての判定の意味です。"),
    ),
)
LETTERS = (
    ("X", Words("the input, a row for each token", "入力。トークンごとに 1 行")),
    ("W_Q, W_K, W_V, W_O", Words("weights of a head, learned in training", "ヘッドの重み。学習で決まる")),
    ("Q, K, V", Words("queries, keys, values", "クエリ、キー、バリュー")),
    ("M", Words("a mask: 0 where a key may be used, −∞ where it may not", "マスク。使えるキーは 0、使えないキーは −∞")),
    ("S", Words("scores, after the division by the root of {d_k}", "点数（{d_k} の平方根で割った後）")),
    ("A", Words("attention weights, each row adding up to 1", "アテンションの重み。どの行も合計は 1")),
    ("Z", Words("output of a head: values averaged by the weights", "ヘッドの出力。重みを付けたバリューの平均")),
    ("n, m", Words("number of queries, number of keys", "クエリの数、キーの数")),
    (
        "d_k, d_v, d_model",
        Words("components of a key, of a value, of a row of {X}", "キー・バリュー・{X} の 1 行の成分の数"),
    ),
    ("h", Words("number of heads", "ヘッドの数")),
    ("dZ", Words("gradient of the loss by {Z}, entry by entry", "損失を {Z} の各成分で偏微分して並べた勾配")),
)
VERDICTS = (  # their names are those of the reports
    ("proved", Words("It holds for all sizes and values.", "どのサイズ・どの値でも成り立ちます。")),
    (
        "tested",
        Words(
            "It held wherever it was tried, and was not proved.",
            "試したところではすべて成り立ちましたが、証明はしていません。",
        ),
    ),
    (
        "refuted",
        Words("It does not hold; the numbers that show it are given.", "成り立ちません。それを示す数値を添えます。"),
    ),
    (
        "undecidable",
        Words("Neither could be shown; the reason is given.", "正しいとも誤りとも示せません。理由を添えます。"),
    ),
    (
        "shapes",
        Words("The rows and columns of two matrices do not fit together.", "行列どうしの行数や列数が合いません。"),
    ),
    ("right", Words("The value is right to the digits shown.", "示された桁まで正しい値です。")),
    (
        "right_if_rounded",
        Words(
            "It follows from numbers that were rounded before they were used.",
            "途中で丸めた数から計算すると、その値になります。",
        ),
    ),
    (
        "by_convention",
        Words("It is right under a convention that is named.", "ほかの約束によれば正しい値で、その約束を示します。"),
    ),
    (
        "follows",
        Words(
            "It is right for what an earlier, wrong line gave.",
            "前にある誤った行の値から計算すれば、その値になります。",
        ),
    ),
    ("last_place", Words("Only the last digit shown is off, by one.", "示された最後の桁だけが 1 違います。")),
    ("wrong", Words("None of these explains the value.", "どの説明も当てはまらない値です。")),
    (
        "unparsed",
        Words(
            "It has no single reading, so nothing is said of it.", "読み方が 1 つに決まらないので、何も判定しません。"
        ),
    ),
    ("definition", Words("It says what a name stands for.", "名前が何を表すかを決めている式です。")),
    ("skipped", Words("A comment asks to leave it out.", "コメントの指示により、検査の対象から外しています。")),
    (
        "idle",
        Words("A comment asks for something that no equation needs.", "コメントの指示が、どの等式にも当たりません。"),
    ),
)


def glossary() -> Document:
    """Title, an introduction to each part, and an entry for each term."""
    blocks: list[Block] = [Heading(TITLE, 1)]
    for (title, text), entries in zip(PARTS, (_letters, _operations, _rules, _conventions, _verdicts), strict=True):
        blocks += [Heading(title, 2), Paragraph(text), *entries()]
    return Document(TITLE, tuple(blocks), (f"symtransformer {__version__}", "command: symtransformer glossary"))


def _letters() -> Iterator[Block]:
    for letters, words in LETTERS:
        shown = ", ".join(f"{{{letter}}}" for letter in letters.split(", "))
        yield Paragraph(Words(f"{shown}: {words.en}", f"{shown}：{words.ja}"))


def _operations() -> Iterator[Block]:
    for name in sorted(REGISTRY):
        operation = REGISTRY[name]
        yield Heading(operation.title, 3)
        written, source = signature(operation), operation.source
        yield Paragraph(Words(f"{written}; source: {source.en}", f"{written}　出典：{source.ja}"))
        yield Paragraph(operation.explanation)
        if chains := tuple(_definition(operation)):
            yield Equations(chains)


def _definition(operation: type[Operation]) -> Iterator[Chain]:
    """The steps of a composite in its usual letters; nothing where it needs numbers that are not given."""
    if not issubclass(operation, Composite):
        return
    try:
        expression = read_expression(as_expression(operation, GIVEN)).expression
    except SymtransformerError:
        return
    for step in derive(expression).steps:
        yield Chain(Formula(step.letter), (("=", Formula(step.expression)),))


def _rules() -> Iterator[Block]:
    for rule in (*RULES, *CALCULUS, *SUMS):
        yield Heading(rule.name, 3)
        yield Paragraph(Words(_plain(rule.statement), _plain(rule.statement)))
        yield Paragraph(rule.explanation)


def _conventions() -> Iterator[Block]:
    yield from (Paragraph(convention.words) for convention in CONVENTIONS)


def _verdicts() -> Iterator[Block]:
    for key, words in VERDICTS:
        name = catalogue()[f"verdict_{key}"]
        yield Paragraph(Words(f"{name['en']}: {words.en}", f"{name['ja']}：{words.ja}"))


def _plain(statement: str) -> str:
    return statement.replace("{", "").replace("}", "")
