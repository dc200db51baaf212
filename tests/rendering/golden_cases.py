"""The small derivations behind the golden pages: unequal sizes, masks, long rows, each kind of verdict."""

from dataclasses import replace
from unittest.mock import patch

from sympy import Rational, S, sqrt

from symtransformer import (
    Column,
    Comparison,
    Counts,
    Fact,
    Follow,
    Section,
    Style,
    Sweep,
    Words,
    derive,
    dimension,
    head_index,
    matrix,
    parameter,
    verify,
)
from symtransformer.operations import (
    Exponential,
    HeadConcatenation,
    Linear,
    Mask,
    ReLU,
    ScaledDotProductAttention,
    Scaling,
    Softmax,
)

oo = S.Infinity
n, d, m = dimension("n"), dimension("d"), dimension("m")
A, B = matrix("A", n, d), matrix("B", d, m)
TWO_BY_THREE = [[1, Rational(1, 3), -2], [0.25, 0, 3]]
THREE_BY_TWO = [[2, -1], [3, 0.5], [1, 1]]


def masked_attention():
    """Causal: the first query sees one key, the second two, of three keys in all."""
    Q, K, V, M = matrix("Q", n, 2), matrix("K", m, 2), matrix("V", m, 1), matrix("M", n, m)
    return verify(
        derive(
            ScaledDotProductAttention(Q, K, V, M), stages=True, title=Words("Masked attention", "マスク付きアテンション"),
            values={Q: [[1, 0], [0, -1]], K: [[1, 2], [0, 1], [-1, 1]], V: [[1], [2], [-3]], M: [[0, -oo, -oo], [0, 0, -oo]]},
            labels={n: [Words("[CLS]", "[CLS]"), Words("sleeps", "眠る")]},
            follow=Follow("Z", "row", 1),
        )
    )  # fmt: skip


def product(**options):
    return derive(A @ B, title=Words("A product", "積"), values={A: TWO_BY_THREE, B: THREE_BY_TWO}, **options)


def column_followed():
    return verify(product(follow=Follow("Y", "column", 1)))


def letters_only():
    return verify(derive(Softmax(A @ B), stages=True, title=Words("Only letters", "文字だけの式")))


def long_matrix():
    wide, tall = matrix("X", 1, 12), matrix("W", 12, 2)
    entries = [[Rational(k * k, 7), -k] for k in range(1, 13)]
    return verify(
        derive(wide @ tall, title=Words("A long row", "長い行"), values={wide: [list(range(12))], tall: entries})
    )


def unverified():
    return product()


def without_proofs():
    """The judge left with points alone, as where a formula is beyond it."""
    return patch("symtransformer.judge.have_same_formula", lambda left, right: False)


@without_proofs()
def tested():
    """A (B + C) against A B + A C: true, but not proved."""
    C = matrix("C", d, m)
    (step,) = derive({"Y": A @ B + A @ C}).steps
    return verify(
        replace(
            derive(A @ (B + C), title=Words("Tested", "検査")),
            steps=(replace(step, expression=A @ (B + C), coarse=None),),
        )
    )


def refuted():
    """2x3 times 3x2, with a planted sign."""
    good = product()
    (step,) = good.steps
    return verify(replace(good, steps=(replace(step, expression=-(A @ B)),)))


@without_proofs()
def undecidable():
    """A tower of exponentials that no number of bits reaches, multiplied out."""
    tower = Exponential(Exponential(Exponential(Exponential(Exponential(Exponential(A))))))
    C = matrix("C", d, m)
    good = derive({"Y": tower @ B + tower @ C}, names={tower: "T"}, title=Words("Undecidable", "判定不能"))
    step = good.steps[-1]
    return verify(replace(good, steps=(*good.steps[:-1], replace(step, expression=good["T"].letter @ (B + C)))))


def two_heads():
    i, X = head_index(), matrix("X", n, 2)
    weight = matrix("W", 2, 1).of_head(i)
    return verify(
        derive(
            HeadConcatenation(Linear(X, weight), i, 2), title=Words("Two heads", "2 つのヘッド"),
            values={X: [[3, 5], [0, 1], [2, 2]], "W": [[[1], [2]], [[7], [-1]]]},
        )
    )  # fmt: skip


def swept():
    t = parameter("t")
    X = matrix("S", 1, 2)
    section = Section(
        Words("A parameter", "パラメーター"), Words("{S} depends on {t}; {S:1} is its row.", "{S} は {t} で変わります。{S:1} はその行です。"),
        inputs=("S",), steps=("Y",), percent=(), values={X: [[0, t]]},
        sweep=Sweep(t, (0, 0.5, Rational(2, 3)), (Column("Y", 0, 0, percent=True), Column("Y", 0, 1))),
    )  # fmt: skip
    return verify(
        derive(Softmax(X), title=Words("A sweep", "パラメーターの表"), values={X: [[0, 1]]}, sections=[section])
    )


def with_tables():
    """Everything that a section shows beside its steps, for 2 queries, 3 keys, 2 and then 4 components."""
    Q, K, V, M = matrix("Q", n, d), matrix("K", m, d), matrix("V", m, 2), matrix("M", n, m)
    W = matrix("W_1", 2, 4)
    attended = ScaledDotProductAttention(Q, K, V, M)
    raw = Scaling(Q @ K.T, 1, sqrt(d))
    hidden = Linear(attended, W)
    tokens = {n: [Words("cat", "猫"), Words("sleeps", "眠る")], m: [Words(f"key {k}", f"キー {k}") for k in "abc"]}
    sections = [
        Section(
            Words("Given", "与えられているもの"), Words("Two queries and three keys.", "クエリは 2 つ、キーは 3 つです。"),
            inputs=("Q", "K", "V", "M", "W_1"), usable=("M",),
            facts=(
                Fact(Words("{0} + {1} = {2} boxes.", "箱は {0} + {1} = {2} 個です。"), (6, 12, 18)),
                Fact(Words("{n} queries and {m} keys make {0} scores.", "{n} 個のクエリと {m} 個のキーから {0} 個の点数ができます。"),
                     (n * m,)),
            ),
            tables=(
                Counts(
                    Words("Parameters by part", "部分ごとのパラメーター数"), (Words("part", "部分"), Words("number", "個数")),
                    ((Words("attention", "アテンション"), 4 * 512**2), (Words("head", "ヘッド"), 512 * 64)), total=Words("in all", "合計"),
                ),
            ),
        ),
        Section(Words("Weights", "係数"), steps=("R", "S", "A"), heat=("R", "A"), usable=("S",)),
        Section(Words("Activation", "活性化"), steps=("Z", "H", "F"), kept=("F",)),
        Section(
            Words("Without the mask", "マスクがない場合"), values={M: [[0] * 3] * 2},
            compare=tuple(
                Comparison(name, Words("with the mask", "マスクあり"), Words("without", "マスクなし")) for name in ("S", "A", "Z")
            ),
        ),
    ]  # fmt: skip
    return verify(
        derive(
            {"F": ReLU(hidden)}, names={raw: "R", Mask(raw, M): "S", attended: "Z", hidden: "H"}, labels=tokens,
            title=Words("Maps, tables, comparisons", "図・表・比較"), sections=sections, follow=Follow("Z", "row", 1),
            values={
                Q: [[1, 2], [Rational(1, 3), -1]], K: [[1, 0], [2, 1], [-1, 3]], V: [[1, 0.5], [0, 3], [-2, 1]],
                M: [[0, -oo, -oo], [0, 0, -oo]], W: [[1, -1, 0, 2], [-2, 0.5, 3, 1]],
            },
        )
    )  # fmt: skip


def wide():
    """3x11 times 11x12: too wide for one line of text."""
    left, right = matrix("A", 3, 11), matrix("B", 11, 12)
    entries = [[Rational(i * j - 5, 7) for j in range(11)] for i in range(3)]
    others = [[Rational(i - j, 10) for j in range(12)] for i in range(11)]
    return verify(
        derive(left @ right, title=Words("Wide matrices", "幅の広い行列"), values={left: entries, right: others})
    )


HOSTILE = (
    r"\input{secret}",
    "$x$ & 100%_#~^",
    "{Q}",
    "a\u202eb\x07\x1b[31m\nc\u200b\u3000d",
    "<script>alert(1)</script>",
    r"[3em] \\ \end{document}",
)


def hostile():
    X, W = matrix("X", len(HOSTILE), 1), matrix("W", 1, 2)
    labels = {len(HOSTILE): [Words(text, text + "、日本語") for text in HOSTILE]}
    title = Words(r"\input{secret} {Q} %", "{W_Q}\n\\bad\u202e")
    section = Section(
        Words(r"$\alpha$ \bad", r"\悪い見出し"), Words(r"\write18{rm} {W} {a_b_c} {} {1} 50%", r"\write18 {W} {X:2:1}"),
        inputs=("X", "W"), steps=("Y",), percent=("Y",),
    )  # fmt: skip
    values = {X: [[k] for k in range(len(HOSTILE))], W: [[0.5, -1]]}
    return verify(
        derive(X @ W, title=title, values=values, labels=labels, sections=[section], follow=Follow("Y", "row", 0))
    )


CASES = {
    "masked_attention.ja.typ": (masked_attention, "typ", "ja", "steps"),
    "with_tables.problem.typ": (with_tables, "typ", "en", "problem"),
    "hostile.ja.typ": (hostile, "typ", "ja", "steps"),
    "masked_attention.txt": (masked_attention, "txt", "en", "entries"),
    "masked_attention.ja.tex": (masked_attention, "tex", "ja", "steps"),
    "masked_attention.results.txt": (masked_attention, "txt", "en", "results"),
    "column_followed.tex": (column_followed, "tex", "en", "entries"),
    "column_followed.ja.txt": (column_followed, "txt", "ja", "entries"),
    "letters_only.txt": (letters_only, "txt", "en", "steps"),
    "long_matrix.tex": (long_matrix, "tex", "en", "steps"),
    "long_matrix.txt": (long_matrix, "txt", "en", "entries"),
    "unverified.ja.txt": (unverified, "txt", "ja", "steps"),
    "unverified.tex": (unverified, "tex", "en", "results"),
    "tested.txt": (tested, "txt", "en", "steps"),
    "refuted.txt": (refuted, "txt", "en", "steps"),
    "refuted.ja.tex": (refuted, "tex", "ja", "steps"),
    "undecidable.txt": (undecidable, "txt", "en", "steps"),
    "two_heads.txt": (two_heads, "txt", "en", "entries"),
    "swept.ja.txt": (swept, "txt", "ja", "steps"),
    "with_tables.txt": (with_tables, "txt", "en", "steps"),
    "with_tables.ja.tex": (with_tables, "tex", "ja", "steps"),
    "with_tables.rounded_steps.txt": (with_tables, "txt", "en", "steps", {"style": Style(round_steps=2)}),
    "with_tables.significant.ja.txt": (
        with_tables,
        "txt",
        "ja",
        "entries",
        {"style": Style(significant=3), "only": ("A",)},
    ),
    "with_tables.problem.tex": (with_tables, "tex", "en", "problem"),
    "with_tables.problem.ja.txt": (with_tables, "txt", "ja", "problem"),
    "with_tables.one_row.txt": (with_tables, "txt", "en", "entries", {"only": ("S", "A"), "row": 1}),
    "masked_attention.md": (masked_attention, "md", "en", "entries"),
    "masked_attention.ja.github.md": (masked_attention, "md-github", "ja", "steps"),
    "swept.ja.jupyter.md": (swept, "md-jupyter", "ja", "steps"),
    "with_tables.ja.md": (with_tables, "md", "ja", "steps"),
    "with_tables.problem.github.md": (with_tables, "md-github", "en", "problem"),
    "refuted.md": (refuted, "md", "en", "steps"),
    "hostile.md": (hostile, "md", "en", "steps"),
    "hostile.ja.jupyter.md": (hostile, "md-jupyter", "ja", "steps"),
    "wide.txt": (wide, "txt", "en", "steps"),
    "hostile.txt": (hostile, "txt", "en", "steps"),
    "hostile.ja.tex": (hostile, "tex", "ja", "steps"),
}
DERIVATIONS = {build.__name__: build for build, *_ in CASES.values()}
