"""What a document says of its symbols in words: a base, a function, a vector; heeded, and never taken for the usual."""

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis.strategies import from_regex

from symtransformer import check
from symtransformer.checking.told_functions import OF_FUNCTIONS
from symtransformer.checking.told_meanings import MEANINGS, SAMPLE, may_say

ACCEPTED = {"right", "right_if_rounded", "by_convention", "proved", "tested"}


def equations(text, name="notes.md"):
    return check(text, name=name).files[0].equations


def last(text, name="notes.md"):
    return equations(text, name)[-1]


# -- meanings told in words -------------------------------------------------------------------------------------------
BASE_2 = [
    "We take log to base 2.", "Here $\\log$ is base 2.", "All logarithms are to base 2.", "Logarithms are taken in base two.", "log denotes $\\log_2$.",
    "We use base-2 logarithms throughout.", "log means the binary logarithm.", "log は底 2 とする。", "対数の底は 2 とする。", "以下では $\\log$ の底を 2 とする。",
    "log は底が２である。", "底が 2 の対数を log と書く。", "Throughout, log is the base-2 logarithm.", "Let log be to the base 2.",
]  # fmt: skip


@pytest.mark.parametrize("told", BASE_2)
def test_a_base_told_in_words_is_used(told):
    """ln 8 = 2.079 and log₂ 8 = 3."""
    natural, base_2, written = equations(f"{told}\n\n$\\log 8 = 2.079$\n\n$\\log 8 = 3$\n\n$\\ln 8 = 2.079$\n")
    assert (natural.verdict, natural.code) == ("undecidable", "told_in_words")
    assert (base_2.verdict, base_2.convention.name) == ("by_convention", "log_base_2")
    assert written.verdict == "right"


@pytest.mark.parametrize(
    "told",
    ["Here log is base 10.", "log は常用対数とする。", "We write log for the common logarithm, that is log is to base 10.", "対数の底は 10 である。"],
)  # fmt: skip
def test_base_ten_told_in_words_is_used(told):
    """ln 100 = 4.605."""
    found = equations(f"{told}\n\n$\\log 100 = 4.605$\n\n$\\log 100 = 2$\n")
    assert [e.verdict for e in found] == ["undecidable", "by_convention"]


def test_a_base_told_behind_the_line_is_heeded():
    found = equations("$\\log 100 = 4.605$\n\n$\\log 100 = 2$\n\nHere log is to base 10.\n")
    assert [e.verdict for e in found] == ["undecidable", "by_convention"]


@pytest.mark.parametrize(
    "told",
    ["All logarithms are natural.", "log is the natural logarithm.", "log は自然対数とする。", "We take log to base e.", "log is not base 2.",
     "We log every step to the base class.", "Unlike others, log is never to base 10."],
)  # fmt: skip
def test_natural_logarithms_stay_right(told):
    assert last(f"{told}\n\n$\\log 8 = 2.079$\n").verdict == "right"


def test_a_mark_goes_before_words():
    text = "Logarithms are to base 2.\n\n<!-- symtransformer: convention log=e -->\n$\\log 8 = 2.079$\n"
    assert last(text).verdict == "right"


def test_what_is_made_of_a_doubtful_logarithm_is_doubtful():
    text = (
        "$H = -\\log 0.25$\n\n$H = 1.386$\n\n$2 H = 2.773$\n\n$1 + 1 = 2$\n\nIn this text logarithms are to base 2.\n"
    )
    assert [e.verdict for e in equations(text)] == ["definition", "undecidable", "undecidable", "right"]


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("$\\sigma$ denotes tanh.", "$\\sigma(x) = 1/(1+e^{-x})$"),
        ("Let $\\sigma$ be the hyperbolic tangent.", "$\\sigma(x) = 1/(1+e^{-x})$"),
        ("σ は tanh とする。", "$\\sigma(x) = 1/(1+e^{-x})$"),
        ("$\\sigma(x) = \\tanh(x)$", "$\\sigma(x) = 1/(1+e^{-x})$"),
        ("$\\sigma = \\tanh$", "$\\sigma(x) = 1/(1+e^{-x})$"),
        ("where $\\sigma$ is the ReLU activation.", "$\\sigma(x) = \\frac{1}{1+e^{-x}}$"),
        ("Let $c$ be a vector.", "$e^{c} e^{x} = e^{c+x}$"),
        ("δ is an error.", "$\\sum_j \\delta_{ij} x_j = x_i$"),
        ("$\\delta_{ij}$ は誤差とする。", "$\\sum_j \\delta_{ij} x_j = x_i$"),
        ("Here ∘ denotes the matrix product.", "$[[1, 2]] ∘ [[3, 4]] = [[3, 8]]$"),
        ("Angles are given in degrees.", "$\\sin(30) = -0.988$"),
        ("角度は度で表す。", "$\\sin(30) = -0.988$"),
        (
            "The softmax is taken over the columns.",
            "$\\operatorname{softmax}([[1, 2], [1, 2]]) = [[0.269, 0.731], [0.269, 0.731]]$",
        ),
        ("softmax は列方向にとる。", "$\\operatorname{softmax}([[1, 2], [1, 2]]) = [[0.269, 0.731], [0.269, 0.731]]$"),
        ("The norm is the L1 norm.", "$\\|[3, 4]\\| = 5$"),
        ("Indices start at 0.", "$x = [3, 4]$, $x_1 = 3$"),
        ("添字は 0 から始まる。", "$x = [3, 4]$, $x_1 = 3$"),
        ("Let e be the error vector.", "$e^2 = 7.389$"),
        ("$\\pi$ is the policy.", "$\\pi / 2 = 1.5708$"),
        ("We use the sample variance.", "var([1, 2, 3, 4]) = 1.25"),
    ],
)
def test_a_meaning_told_in_words_is_heeded(told, line):
    assert last(f"{line}\n").verdict in ACCEPTED, "without the words it is right"
    equation = last(f"{told}\n\n{line}\n")
    assert (equation.verdict, equation.code in ("told_in_words", "own_letter")) == ("undecidable", True)


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("$\\sigma$ is the logistic function.", "$\\sigma(x) = 1/(1+e^{-x})$"),
        ("σ はシグモイド関数とする。", "$\\sigma(x) = 1/(1+e^{-x})$"),
        ("$\\sigma$ is the standard deviation.", "$\\sigma(x) = 1/(1+e^{-x})$"),
        ("Let $c$ be a constant.", "$e^{c} e^{x} = e^{c+x}$"),
        ("$c$ is the number of rows.", "$e^{c} e^{x} = e^{c+x}$"),
        ("$\\delta_{ij}$ is the Kronecker delta.", "$\\sum_j \\delta_{ij} x_j = x_i$"),
        ("$\\delta_{ij}$ はクロネッカーのデルタである。", "$\\sum_j \\delta_{ij} x_j = x_i$"),
        ("Here ∘ denotes the Hadamard product.", "$[[1, 2]] ∘ [[3, 4]] = [[3, 8]]$"),
        ("Angles are in radians.", "$\\sin(30) = -0.988$"),
        (
            "The softmax is taken over the rows, not over the columns.",
            "$\\operatorname{softmax}([[1, 2], [1, 2]]) = [[0.269, 0.731], [0.269, 0.731]]$",
        ),
        ("The norm is the Euclidean norm.", "$\\|[3, 4]\\| = 5$"),
        ("Positions start at 0.", "$x = [3, 4]$, $x_1 = 3$"),
        ("Here e is the base of the natural logarithm.", "$e^2 = 7.389$"),
        ("The variance is the population variance, not the sample variance.", "var([1, 2, 3, 4]) = 1.25"),
    ],
)
def test_the_usual_meaning_told_in_words_changes_nothing(told, line):
    assert last(f"{told}\n\n{line}\n").verdict in ACCEPTED


def test_reasons_are_told_in_both_languages():
    equation = last("σ denotes tanh.\n\n$\\sigma(x) = 1/(1+e^{-x})$\n")
    assert "sigmoid" in equation.words.en
    assert re.search("[ぁ-ん]", equation.words.ja)


# -- the same in other words ------------------------------------------------------------------------------------------
OTHER_WORDS = {
    "base 2": (
        [
            "with logs in base 2.",
            "Logs base 2.",
            "We use base-2 logs.",
            "We write log for $\\log_2$.",
            "$\\log = \\log_2$.",
            "$\\log x = \\log_2 x$.",
            "Here $\\log x := \\log_2 x$.",
            "(log to base 2)",
            "(base 2 logarithm)",
            "All logs are binary.",
            "log: base 2",
            "Entropy is measured in bits (log base 2).",
            "The base of the logarithm is 2.",
            "The base of log is two.",
            "The logarithm has base 2.",
            "Let log denote the logarithm to base 2.",
            "log denotes the logarithm with base 2.",
            "log stands for the base 2 logarithm.",
            "By log we mean the logarithm to base 2.",
            "By $\\log$ we mean $\\log_2$.",
            "log will always mean log base 2.",
            "Note: log = log2.",
            "Notation: $\\log$ is $\\log_{2}$.",
            "Logarithms have base 2 here.",
            "I use log base 2 everywhere.",
            "Base 2 is used for all logarithms.",
            "Logarithm base: 2",
            "log は 2 を底とする。",
            "log は 2 を底とする対数である。",
            "対数は底 2 で計算する。",
            "対数の底には 2 を用いる。",
            "底は 2 とする。",
            "log は log_2 を表す。",
            "log は 2 進対数。",
            "対数はすべて底 2。",
            "以下、対数は 2 を底とする。",
            "ここで log は $\\log_2$ の意味である。",
            "なお、log の底は 2 である。",
            "log の底は2とする．",
            "ただし log は底が 2 の対数とする。",
            "対数（底 2）を使う。",
            "We take logs to the base of two.",
        ],
        "$\\log 8 = 2.079$",
    ),
    "sigma": (
        [
            "σ is tanh.",
            "σ = tanh",
            "σ(x) is tanh(x)",
            "Here σ stands for the tanh function.",
            "We use σ for tanh.",
            "We write σ for the ReLU.",
            "By σ we denote the hyperbolic tangent.",
            "the activation σ (tanh)",
            "with σ the ReLU function",
            "σ は双曲線正接である。",
            "活性化関数 σ には tanh を使う。",
            "σ を tanh とする。",
            "tanh を σ と書く。",
            "ここで σ は ReLU 関数。",
            "$\\sigma$ := tanh",
            "σ: tanh",
            "σ denotes the softmax.",
            "σ represents softplus",
            "let sigma be tanh",
            "sigma denotes tanh",
            "activation function $\\sigma=\\tanh$",
            "$\\sigma(x)=\\max(0,x)$",
            "$\\sigma(z) = z$",
            "σ is the identity.",
            "σ denotes an arbitrary activation function.",
            "σ is a nonlinearity such as ReLU",
            "σ は活性化関数とする。",
            "σ is the error function.",
        ],
        "$\\sigma(-x) = 1 - \\sigma(x)$",
    ),
    "vector": (
        [
            "Let c be a vector.",
            "c is a column vector",
            "c denotes a row vector.",
            "where c is a vector of length 3",
            "Let $c$ and $d$ be vectors.",
            "Let c, d be vectors.",
            "c is a matrix.",
            "vectors c and x",
            "the vector c",
            "for any vector $c$",
            "c はベクトルとする。",
            "c を行列とする。",
            "ベクトル c",
            "Suppose c is an arbitrary vector.",
            "Let $c\\in\\mathbb{R}^3$.",
            "c is not a number but a vector.",
            "c: vector",
            "c = a vector",
        ],
        "$e^{c} e^{x} = e^{c+x}$",
    ),
    "delta": (
        [
            "δ is an error.",
            "δ denotes the gradient.",
            "Let δ be the error signal.",
            "$\\delta_{ij}$ is the error of unit j.",
            "The error $\\delta_{ij}$",
            "δ は誤差。",
            "誤差を δ とする。",
            "誤差 $\\delta_{ij}$",
            "δ is not the Kronecker delta.",
            "where $\\delta_{ij}$ denotes the error term",
            "the errors $\\delta$",
            "We call δ the error.",
        ],
        "$\\sum_j \\delta_{ij} x_j = x_i$",
    ),
}


@pytest.mark.parametrize("topic", OTHER_WORDS)
def test_a_meaning_is_heeded_in_whatever_words(topic):
    told, line = OTHER_WORDS[topic]
    assert last(f"{line}\n").verdict in ACCEPTED, "without the words it is right"
    assert [words for words in told if last(f"{words}\n\n{line}\n").verdict in ACCEPTED] == []


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("The base-2 logarithm of 8 is $\\log_2 8 = 3$.", "$\\log 8 = 2.079$"),
        ("Note that $\\log_2 8 = 3$ and that log grows slowly.", "$\\log 8 = 2.079$"),
        ("The base case of the proof is 2, and we log it.", "$\\log 8 = 2.079$"),
        ("where σ is the sigmoid and tanh is the hyperbolic tangent.", "$\\sigma(-x) = 1 - \\sigma(x)$"),
        ("Here $\\tanh(x) = 2 \\sigma(2x) - 1$.", "$\\sigma(-x) = 1 - \\sigma(x)$"),
        ("The mean μ and the deviation σ of the activations.", "$\\sigma(-x) = 1 - \\sigma(x)$"),
        ("The vector x is shifted by a constant c.", "$e^{c} e^{x} = e^{c+x}$"),
        ("c is the number of columns of the matrix X.", "$e^{c} e^{x} = e^{c+x}$"),
        ("The gradient is $p_i (\\delta_{ij} - p_j)$.", "$\\sum_j \\delta_{ij} x_j = x_i$"),
        ("行列 X の列の数を c とする。", "$e^{c} e^{x} = e^{c+x}$"),
    ],
)
def test_words_about_something_else_change_nothing(words, line):
    assert last(f"{words}\n\n{line}\n").verdict in ACCEPTED


@pytest.mark.parametrize("meaning", [SAMPLE, *MEANINGS, *OF_FUNCTIONS], ids=lambda meaning: meaning.name)
def test_no_sentence_that_says_something_is_passed_over_for_want_of_a_key(meaning):
    """What is asked first saves time; whatever a pattern finds has to pass it."""
    for pattern in meaning.said:
        passes(meaning, pattern)


SIGNS = " ,;:-–()[]{}/\\\"'!?+*&%$#@~^_|<>0129kKéあ漢Ω０、。「」（）"
NOBODYS = set("ſKİı")  # letters of no word that anybody writes


def letters_of(pattern):
    """Signs, and what the pattern itself is written with: of all of Unicode most would be thrown away again."""
    written = pattern.pattern
    return "".join(
        sorted({x for x in SIGNS + written + written.lower() + written.upper() if x.isprintable()} - NOBODYS)
    )


def passes(meaning, pattern):
    @settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
    @given(from_regex(pattern, alphabet=letters_of(pattern)))
    def on_whatever_it_finds(sentence):
        assume(sentence.isprintable() and not set(sentence) & NOBODYS)
        assert may_say(meaning, sentence.lower()), sentence

    on_whatever_it_finds()


def test_the_unbiased_estimator_is_heeded():
    told = "We use the unbiased estimator. Let x = [1, 2, 4]. "
    assert check(told + "var(x) = 1.5556").equations[-1].verdict not in ACCEPTED  # the mean of squares; asked is 2.3333
    assert check(told + "var(x) = 2.3333").equations[-1].verdict not in ("wrong", "last_place")
