"""The numbers of chapter 6 of the explainer: masked self-attention, Add & Norm, cross-attention, Add & Norm."""

from oracle_reading import Document, Figure, long, of
from sympy import Rational, oo, sqrt

from oracle_tables.chapter_5_numbers import stages_of
from symtransformer import derive, matrix
from symtransformer.operations import (
    AddNorm,
    CausalMask,
    CrossAttention,
    DecoderLayer,
    Exponential,
    Hadamard,
    Linear,
    Mask,
    Ones,
    Row,
    RowSum,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
)  # fmt: skip
from symtransformer.symbols import Literal

HALF = Rational(1, 2)
DOCUMENT = Document("explainer-ch6")
GIVEN = DOCUMENT.inputs
START, CAT, TOPIC = 0, 1, 2  # 開始, 猫, は
THE, CAT_EN, SLEEPS, STOP = 0, 1, 2, 3

X, H = matrix("X", 3, 2), matrix("H_enc", 4, 2)
W_Q, W_K, W_V, W_O = (matrix(name, 2, 2) for name in ("W_Q", "W_K", "W_V", "W_O"))
U_Q, U_K, U_V = (matrix(name, 2, 2) for name in ("U_Q", "U_K", "U_V"))
VALUES = {
    X: GIVEN["X"], H: GIVEN["H_enc"], W_O: GIVEN["W_O"],
    W_Q: GIVEN["W_Q_self"], W_K: GIVEN["W_K_self"], W_V: GIVEN["W_V_self"],
    U_Q: GIVEN["W_Q_cross"], U_K: GIVEN["W_K_cross"], U_V: GIVEN["W_V_cross"],
}  # fmt: skip

# the first half: masked self-attention
Q, K, V = Linear(X, W_Q), Linear(X, W_K), Linear(X, W_V)
DOTS = Q @ K.T
SCALED = DOTS / sqrt(2)
MASKED = Mask(SCALED, CausalMask(3))
WEIGHTS = Softmax(MASKED)
SELF = ScaledDotProductAttention(Q, K, V, CausalMask(3))
OUT = Linear(SELF, W_O)
SUM_1, S_DEC = X + OUT, AddNorm(X, OUT)
MEAN_1, DIFF_1, _, _, ROOT_1 = stages_of(SUM_1)
OPEN = SingleHead(X, W_Q, W_K, W_V)  # the same without the mask

# the second half: cross-attention
Q_C, K_C, V_C = Linear(S_DEC, U_Q), Linear(H, U_K), Linear(H, U_V)
DOTS_C = Q_C @ K_C.T
SCALED_C = DOTS_C / sqrt(2)
WEIGHTS_C = Softmax(SCALED_C)
CROSS = CrossAttention(S_DEC, H, U_Q, U_K, U_V)
SUM_2 = S_DEC + Linear(CROSS, W_O)
NORM_2 = AddNorm(S_DEC, Linear(CROSS, W_O))
LAYER = derive(  # as one tree; there are no numbers for its feed-forward network
    DecoderLayer(
        X, H, W_Q, W_K, W_V, W_O, U_Q, U_K, U_V, W_O, matrix("W_1", 2, 5), matrix("W_2", 5, 2), mask=CausalMask(3)
    ),
    values=VALUES,
)
ALLOWED = Exponential(CausalMask(3))  # 1 where a position may be used, 0 where it is hidden


def number(expression, *place):
    return of(expression, VALUES, *place)


def weighted_value(position):
    """One term of the sum of the values: coefficient times value."""
    return number(Row(Row(WEIGHTS_C, CAT).T, position) @ Row(V_C, position), 0)


NUMBERS = {
    "ch6.X": Figure(LAYER, "X"),
    "ch6.Q": number(Q),
    "ch6.K": number(K),
    "ch6.V": number(V),
    "ch6.q.cat": number(Q, CAT),
    "ch6.k.cat": number(K, CAT),
    "ch6.v.cat": number(V, CAT),
    "ch6.dot.cat": number(DOTS, CAT),
    "ch6.scaled.cat": number(SCALED, CAT),
    "ch6.masked.cat": number(MASKED, CAT),
    "ch6.softmax.cat.pct": number(WEIGHTS, CAT),
    "ch6.dot.cat.future": number(DOTS, CAT, TOPIC),
    "ch6.exp.cat": number(Exponential(MASKED), CAT),
    "ch6.expsum.cat": number(RowSum(Exponential(MASKED)), CAT, 0),
    "ch6.softmax.cat": number(WEIGHTS, CAT),
    "ch6.exp0": number(Exponential(0 * Ones(1, 1)), 0, 0),
    "ch6.exp_minus_inf": number(Exponential(Literal([[-oo]])), 0, 0),
    "ch6.z.cat.c1": number(SELF, CAT, 0),
    "ch6.z.cat.c2": number(SELF, CAT, 1),
    "ch6.z.cat": number(SELF, CAT),
    "ch6.allowed": number(ALLOWED),
    "ch6.A": number(WEIGHTS),
    "ch6.A.rowsums": number(RowSum(WEIGHTS)),
    "ch6.nomask.coef": number(Softmax(SCALED), CAT),
    "ch6.nomask.z": number(OPEN, CAT),
    "ch6.add1.cat": number(SUM_1, CAT),
    "ch6.mean1.cat": number(MEAN_1, CAT, 0),
    "ch6.diff1.cat": number(DIFF_1, CAT),
    "ch6.std1.cat": number(ROOT_1, CAT, 0),
    "ch6.s_dec.cat": number(S_DEC, CAT),
    "ch6.q_cross.cat": number(Q_C, CAT),
    "ch6.H_enc": Figure(LAYER, "H_enc"),
    "ch6.K_enc": number(K_C),
    "ch6.V_enc": number(V_C),
    "ch6.kv.cat_en": [number(K_C, CAT_EN), number(V_C, CAT_EN)],
    "ch6.kv.sleeps_en": [number(K_C, SLEEPS), number(V_C, SLEEPS)],
    "ch6.cross.dot.cat": number(DOTS_C, CAT),
    "ch6.cross.scaled.cat": number(SCALED_C, CAT),
    "ch6.cross.pct.cat": number(WEIGHTS_C, CAT),
    "ch6.cross.exp.cat": number(Exponential(SCALED_C), CAT),
    "ch6.cross.expsum.cat": number(RowSum(Exponential(SCALED_C)), CAT, 0),
    "ch6.cross.coef.cat_en": number(WEIGHTS_C, CAT, CAT_EN),
    "ch6.cross.coef.other": number(WEIGHTS_C, CAT, THE),
    "ch6.cross.wv.the": weighted_value(THE),
    "ch6.cross.wv.cat": weighted_value(CAT_EN),
    "ch6.cross.wv.sleeps": weighted_value(SLEEPS),
    "ch6.cross.wv.dot": weighted_value(STOP),
    "ch6.cross.z.cat": number(CROSS, CAT),
    "ch6.cross.Q": number(Q_C),
    "ch6.cross.K": number(K_C),
    "ch6.cross.V": number(V_C),
    "ch6.cross.A": number(WEIGHTS_C),
    "ch6.cross.Z": number(CROSS),
    "ch6.add2.cat": number(SUM_2, CAT),
    "ch6.norm2.cat": number(NORM_2, CAT),
    "ch6.cross.zero_score": number(DOTS_C, CAT, THE),
    "ch6.d.S_self": number(DOTS),
    "ch6.d.scaled_self": number(SCALED),
    "ch6.d.Z_self": number(SELF),
    "ch6.d.add1": number(SUM_1),
    "ch6.d.mean1": number(MEAN_1),
    "ch6.d.std1": number(ROOT_1),
    "ch6.d.s_dec": number(S_DEC),
    "ch6.d.Q_cross": number(Q_C),
    "ch6.d.S_cross": number(DOTS_C),
    "ch6.d.scaled_cross": number(SCALED_C),
    "ch6.d.add2": number(SUM_2),
    "ch6.d.norm2": number(NORM_2),
    "ch6.d.zero_instead_of_mask": number(Softmax(Hadamard(SCALED, ALLOWED)), CAT),
    "ch6.d.nomask.A": number(Softmax(SCALED)),
    "ch6.d.nomask.Z": number(OPEN),
    "ch6.d.u": number(S_DEC, CAT, 1),
}

TOO_LONG = {  # the exponential of a normalized score: its written-out form is refused
    "ch6.cross.pct.cat", "ch6.cross.coef.cat_en", "ch6.cross.coef.other", "ch6.cross.wv.the", "ch6.cross.wv.cat", "ch6.cross.wv.sleeps", "ch6.cross.wv.dot", "ch6.cross.z.cat", "ch6.cross.A", "ch6.cross.Z", "ch6.add2.cat", "ch6.norm2.cat", "ch6.d.add2", "ch6.d.norm2",
}  # fmt: skip
NUMBERS = {name: long(figure) if name in TOO_LONG else figure for name, figure in NUMBERS.items()}
