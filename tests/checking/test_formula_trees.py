r"""What is read of one side of a formula, sign by sign: every spelling, what no single reading has, and every limit."""

import pytest
from formula_trees import read, tree

from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_reading import read_formula
from symtransformer.reading import ReadingError
from symtransformer.reading.limits import DEPTH, DIGITS, TOKENS

PLAIN = [
    ("a + b", "(+a +b)"), ("- a + b", "(-a +b)"), ("+ a - b", "(+a -b)"), ("a b", "{a b}"), ("QK", "{Q K}"), ("A B C", "{A B C}"),
    ("a * b", "{a *b}"), ("a × b", "{a b}"), ("A @ B", "{A @B}"), ("a · b", "{a .b}"), ("a / b", "{a /b}"), ("a ÷ b", "{a /b}"),
    ("a / b * c", "{a /b *c}"), ("2 a", "{2 a}"), ("2 * 3", "{2 *3}"), ("a * -b", "{a *(-b)}"), ("a -b", "(+a -b)"),
    ("a / -2", "{a /(-2)}"), ("A ⊙ B ⊙ C", "{A ⊙B ⊙C}"), ("A B ⊙ C", "{{A B} ⊙C}"), ("A ∘ B", "{A ⊙B}"), ("x^2", "x^2"),
    ("x^{2}", "x^2"), ("x²", "x^2"), ("x^-1", "x^(-1)"), ("x^{-1}", "x^(-1)"), ("x^n", "x^n"), ("x^(n+1)", "x^(+(+n +1))"),
    ("X^T", "Xᵀ"), (r"X^\top", "Xᵀ"), ("Xᵀ", "Xᵀ"), ("X.T", "Xᵀ"), ("(A B)^T", "(+{A B})ᵀ"), ("e^x", "exp(x)"), ("e^{x_i}", "exp(x[i])"),
    ("e_i^x", "e[i]^x"), (r"\sqrt{d_k}", "sqrt(d_k)"), ("√d_k", "sqrt((+d_k))"), ("√(a + b)", "sqrt((+(+a +b)))"),
    (r"\sqrt 4", "sqrt((+4))"), (r"\sqrt4", "sqrt(4)"), ("√42", "sqrt((+42))"), (r"\frac{a}{b}", "(+{a /b})"),
    (r"\frac{a}{b} c", "{(+{a /b}) c}"), (r"\frac12", "(+{1 /2})"), (r"\frac{a}{b}{c}", "{(+{a /b}) c}"), ("⟨x, y⟩", "{x .y}"),
    (r"\langle x, y \rangle", "{x .y}"), ("|x|", "norm2(x)"), ("||x||", "norm2(x)"), ("‖x‖^2", "norm2(x)^2"), (r"\|x\|", "norm2(x)"),
    ("|x| |y|", "{norm2(x) norm2(y)}"), ("|x + |y||", "norm2((+x +norm2(y)))"), ("f(x)", "f(x)"), ("f(x, y)", "f(x, y)"),
    ("f (x)", "f(x)"), ("F(X)", "F(X)"), ("F (X)", "{F (+X)}"), ("F(X Y)", "{F (+{X Y})}"), ("F([X])", "{F (+(+X))}"),
    ("E[x + y]", "E((+x +y))"), ("E(x + y)", "E((+x +y))"), ("P(x)", "P(x)"), ("softmax(x)", "softmax(x)"),
    ("softmax(x, axis=1)", "softmax(x, axis=1)"), (r"\log p", "log(p)"), (r"\log p \log q", "{log(p) log(q)}"),
    (r"\sin x \cos y", "{sin(x) cos(y)}"), (r"\sin(2 x)", "sin({2 x})"), ("ln(x)", "log(x)"), (r"\ln x", "log(x)"), ("log x", "log(x)"),
    ("gamma (x - mu)", "{gamma (+(+x -mu))}"), ("gamma(x - mu)", "{gamma (+(+x -mu))}"), ("FFN_1(x)", "FFN_1(x)"),
    ("dX_1 (A + B)", "{dX_1 (+(+A +B))}"), ("dX_1(A + B)", "{dX_1 (+(+A +B))}"), ("Σ_j a_j", "Σ[j]a[j]"),
    ("Σ_j a_j b_j + c", "(+Σ[j]{a[j] b[j]} +c)"), ("Σ_j (a_j + b_j)", "Σ[j](+(+a[j] +b[j]))"), (r"\sum_{j=1}^{n} a_j", "Σ[j..n]a[j]"),
    (r"\sum_{j \neq i} a_j", "Σ[j !=i]a[j]"), (r"\sum_{j<=i} a_j", "Σ[j <=i]a[j]"), ("δ_{ij}", "δ[i,j]"),
    (r"\delta_{ij} x_j", "{δ[i,j] x[j]}"), (r"\delta_i", "delta[i]"), ("δ_ij", "δ[i,j]"), ("delta_ij", "δ[i,j]"),
    ("(S K)_{ia}", "<(+{S K})>[i,a]"), ("(S K)_ia", "<(+{S K})>[i,a]"), ("softmax(x)_i", "<softmax(x)>[i]"), ("[a]", "(+a)"),
    ("{a}", "a"), ("log_2(x)", "log_2(x)"), ("max_len x", "{max_len x}"), ("x_{max}", "x_max"), ("1.5", "1.5"), ("2e3", "2e3"),
    ("2e-3 x", "{2e-3 x}"), ("2ex", "{2 ex}"), ("2e", "{2 e}"), ("10 K", "{10 K}"), ("10Kb", "{10 Kb}"), ("a ~ b", "{a b}"),
    ("a & b", "{a b}"), (r"\\ a", "a"), (r"\mathrm{softmax}(x)", "softmax(x)"), (r"\operatorname{softmax}(x)", "softmax(x)"),
    (r"\text{Attention}(Q, K, V)", "Attention(Q, K, V)"), (r"\mathbf{W}_Q", "W_Q"), (r"\mathbf W", "W"), (r"\mathrm{1}", "Word1"),
    (r"\text{W_Q}", "W_Q"), (r"\text{W\_Q}", "W_Q"), (r"\text{a minus b}", "Word1"), (r"\text{minus}", "minus"),
    (r"\text{max}(x)", "max(x)"), ("max x", "max(x)"), ("tr(A)", "tr(A)"), (r"\frac{\partial L}{\partial Q}", "dQ"),
    (r"\frac{\partial L}{\partial q_i}", "dq[i]"), (r"\partial L / \partial W_1", "dW_1"),
    (r"\frac{\partial a_i}{\partial z_j}", "∂a[i]/∂z[j]"), ("∂L/∂S'", "dSprime"), ("x'", "xprime"), ("x''", "xprimeprime"),
    ("x'_i", "xprime[i]"), ("X^{(1)}", "X_1"), ("X^{(i)}", "X_i"), ("W^{enc}", "W_enc"), ("W^{Q}", "W_Q"), ("W^Q", "W_Q"),
    ("W^{Q}_i", "W_Q[i]"), ("W_i^Q", "W_Q[i]"), ("x^*", "x_star"), ("x^+", "x_plus"), ("x^-", "x_minus"), ("X^A", "X_A"),
    ("x^{ab}", "x_ab"), ("e^{ab}", "exp(ab)"), ("e^{abc}", "exp(abc)"), (r"W^{\text{enc}}", "W_enc"), ("W^{-}", "W_minus"),
    ("W_{enc}", "W_enc"), ("W_{Q,1}", "W_word1"), ("W_Q", "W_Q"), ("W_q", "W_q"), ("w_q", "w_q"), ("q_i", "q[i]"), ("q_{ij}", "q[i,j]"),
    ("q_{i,j}", "q[i,j]"), ("q_{ijkl}", "q_ijkl"), ("a_ij", "a[i,j]"), ("a_ik b_kj", "{a[i,k] b[k,j]}"), ("a_{21}", "a_21"),
    ("a_{2,1}", "a[2,1]"), ("x_1", "x_1"), ("x_12", "x_12"), ("V_1", "V_1"), ("d_k", "d_k"), ("d_{model}", "d_model"),
    (r"d_{\text{model}}", "d_model"), ("d_model", "d_model"), ("seq_len", "seq_len"), ("seq_len x", "{seq_len x}"),
    ("decoder_hidden_state", "Word1"), ("s_t", "s[t]"), ("h_{t-1}", "h_word1"), ("h_{t+1}", "h_word1"), ("x_{i+1}", "x_word1"),
    ("p_{y_i}", "p_word1"), ("QK^T", "{Q Kᵀ}"), ("QKV", "{Q K V}"), ("AB", "{A B}"), ("Ab", "Ab"), ("Ax", "{A x}"), ("Aq", "Aq"),
    ("aB", "{a B}"), ("ab", "ab"), ("abc", "abc"), ("Wq", "Wq"), ("WQ", "{W Q}"), ("dQ", "dQ"), ("dq", "dq"), ("dQK", "dQK"),
    ("dQKV", "dQKV"), ("dx dy", "{dx dy}"), ("dVar", "dVar"), ("dDelta", "dDelta"), ("dhat", "dhat"), ("xtilde y", "{xtilde y}"),
    ("X2", "X2"), ("XY2", "{X Y2}"), ("head1", "head1"), ("pos", "pos"), ("FFN(x)", "FFN(x)"), ("FFN x", "{F F N x}"),
    ("foo(x)", "foo(x)"), ("Wx(y)", "{W x(y)}"), ("LN_1(x)", "LN_1(x)"), ("PE(pos, 2i)", "PE(pos, {2 i})"),
    ("PE_{(pos, 2i)}", "PE(pos, {2 i})"), ("O(f(n))", "{O (+f(n))}"), ("O (n)", "{O (+n)}"), ("漆器", "Word1"), ("漆器 x", "{Word1 x}"),
    ("重み_1", "Word1_1"), ("α", "alpha"), ("α_i", "alpha[i]"), ("αβ", "{alpha beta}"), ("α x", "{alpha x}"), ("Δx", "{Delta x}"),
    ("λ_{max}", "lambda_max"), ("θ^T x", "{thetaᵀ x}"), ("ℓ", "ell"), ("β_1^t", "beta_1^t"), (r"\alpha", "alpha"),
    (r"\alpha_i", "alpha[i]"), (r"\alpha \beta", "{alpha beta}"), (r"\alpha\beta", "{alpha beta}"), (r"\Delta x", "{Delta x}"),
    (r"\Gamma", "Gamma"), (r"\Phi(x)", "Phi(x)"), (r"\varepsilon", "epsilon"), (r"\ell", "ell"), (r"\tanh'(x)", "tanhprime(x)"),
    (r"\tanh(x)", "tanh(x)"), (r"\log(x)", "log(x)"), (r"\log x^2", "log(x^2)"), (r"\log x_i", "log(x[i])"),
    (r"\max(0, x)", "max(0, x)"), (r"\exp\left(x\right)", "exp(x)"), (r"\left( a \right)", "(+a)"), (r"\left[ a \right]", "(+a)"),
    (r"\left\{ a \right\}", "a"), (r"\lVert x \rVert", "norm2(x)"), (r"\{a\}", "a"), (r"a\,b", "{a b}"), (r"a\quad b", "{a b}"),
    (r"a \cdot b", "{a .b}"), (r"a \times b", "{a b}"), (r"a \odot b", "{a ⊙b}"), (r"a \circ b", "{a ⊙b}"), (r"a \div b", "{a /b}"),
    (r"\bigl( a \bigr)", "(+a)"), (r"\sum\limits_{i} a_i", "Σ[i]a[i]"), (r"\sum_i^n a_i", "Σ[i..n]a[i]"),
    (r"\sum_{i=1}^{d_k} a_i", "Σ[i..d_k]a[i]"), (r"\sum_{i=1}^n a_i", "Σ[i..n]a[i]"), ("sum_i a_i", "Σ[i]a[i]"),
    ("sum_{i} a_i", "Σ[i]a[i]"), (r"\sum_{i<j} a_i", "Σ[i <j]a[i]"), (r"\sum_{i \leq j} a_i", "Σ[i <=j]a[i]"),
    (r"\sum_{i \geq j} a_i", "Σ[i >=j]a[i]"), (r"\sum_{i > j} a_i", "Σ[i >j]a[i]"), (r"\sum_{i ≠ j} a_i", "Σ[i !=j]a[i]"),
    (r"\sum_{i != j} a_i", "Σ[i !=j]a[i]"), ("Σ_{j=1}^{m} a_j", "Σ[j..m]a[j]"), ("Σ_j^m a_j", "Σ[j..m]a[j]"), (r"X^{\top}", "Xᵀ"),
    ("X^{T}Y", "{Xᵀ Y}"), ("X^TY", "{Xᵀ Y}"), ("X^T Y", "{Xᵀ Y}"), ("X.transpose(0, 1)", "Xᵀ"), ("X.t()", "Xᵀ"), ("X⊤", "Xᵀ"),
    ("X^Tx", "{Xᵀ x}"), ("x^Ty", "{xᵀ y}"), ("x^T y^T", "{xᵀ yᵀ}"), ("w^Tx", "{wᵀ x}"), ("w^Txy", "w^Txy"), ("w^Tmax x", "{w^Tmax x}"),
    ("2^Tx", "{2ᵀ x}"), ("a^{T}", "aᵀ"), ("x^T_i", "x^T_i"), (r"\|x\|^2", "norm2(x)^2"), ("||x|| ||y||", "{norm2(x) norm2(y)}"),
    ("|x|^2", "norm2(x)^2"), ("(|x| + 1)", "(+(+norm2(x) +1))"), ("|x| |y + |z||", "{norm2(x) norm2((+y +norm2(z)))}"),
    (r"\|x\| y", "{norm2(x) y}"), ("a |x| b", "{a norm2(x) b}"), ("|x| / |y|", "{norm2(x) /norm2(y)}"), (r"\log |x|", "log(norm2(x))"),
    ("f(|x|)", "f(norm2(x))"), ("log(|x|) |y|", "{log(norm2(x)) norm2(y)}"), ("-(a + b)", "(-(+(+a +b)))"), ("-a b", "(-{a b})"),
    ("a / (b c)", "{a /(+{b c})}"), ("a / b / c", "{a /b /c}"), ("a * 2", "{a *2}"), ("a b * 2 c", "{a b *2 c}"), ("a^{b^c}", "a^b^c"),
    ("a^(b)", "a^(+b)"), ("a^[b]", "a^(+b)"), (r"a^\frac{1}{2}", "a^(+{1 /2})"), (r"a^\sqrt{b}", "a^sqrt(b)"), ("(a)^2", "(+a)^2"),
    ("(a)^T", "(+a)ᵀ"), ("(a)_i^2", "<(+a)>[i]^2"), ("x_i^T", "x[i]ᵀ"), ("f(x)^2", "f(x)^2"), ("f(x)^T", "f(x)ᵀ"),
    ("f(x)_i^2", "<f(x)>[i]^2"), (r"\sqrt{a}^2", "sqrt(a)^2"), (r"\frac{a}{b}^2", "(+{a /b})^2"), (r"\frac a b", "(+{a /b})"),
    ("√√a", "sqrt(sqrt((+a)))"), (r"\sqrt\sqrt a", "sqrt(sqrt((+a)))"), ("⟨x, y⟩ z", "{{x .y} z}"), ("f(a=1)", "f(a=1)"),
    ("f(a=1, b)", "f(b, a=1)"), ("f(x, a=b + 1, c=2)", "f(x, a=(+b +1), c=2)"), ("f(x = 1)", "f(x=1)"), ("sigma(x)", "sigma(x)"),
    ("σ(x)", "sigma(x)"), ("σ x", "{sigma x}"), ("phi(x)", "phi(x)"), ("g(x) h(x)", "{g(x) h(x)}"), ("G(X)", "G(X)"), ("W(X)", "W(X)"),
    ("W(x)", "W(x)"), ("W[X]", "W(X)"), ("W [X]", "{W (+X)}"), ("A(B C)", "{A (+{B C})}"), ("A(B)", "A(B)"), ("A (B)", "{A (+B)}"),
    ("alpha(x)", "{alpha (+x)}"), ("eta(x)", "{eta (+x)}"), ("E [X]", "E(X)"), ("Var[X]", "Var(X)"), ("Var(X)", "Var(X)"),
    ("dX(A)", "dX(A)"), ("softmax_i", "softmax[i]"), ("softmax_i x", "{softmax[i] x}"), ("softmax_1 x", "{softmax_1 x}"),
    ("softmax + 1", "(+softmax +1)"), ("softmax", "softmax"), ("softmax(x)y", "{softmax(x) y}"), ("ln(x) ln(y)", "{log(x) log(y)}"),
    ("delta(x)", "{delta (+x)}"), ("delta_{ijk}", "delta[i,j,k]"), ("delta_{i,j}", "δ[i,j]"), ("δ_{1j}", "delta_1j"),
    ("Σ_i Σ_j a_ij", "Σ[i]Σ[j]a[i,j]"), ("Σ_i a_i Σ_j b_j", "Σ[i]{a[i] Σ[j]b[j]}"), ("Σ_i a_i / n", "Σ[i]{a[i] /n}"),
    ("a Σ_i b_i c_i", "{a Σ[i]{b[i] c[i]}}"), ("(Σ_i b_i) c", "{(+Σ[i]b[i]) c}"), ("x^Ty_i", "{xᵀ y[i]}"), ("x^T_i y", "{x^T_i y}"),
    ("LN(X)", "LN(X)"), ("ln x", "log(x)"), ("max(a, 0)", "max(a, 0)"),
]  # fmt: skip
WITH = [
    ("10K", {"known": ["K"]}, "{10 K}"),
    ("s_ij", {"latex": True}, "s[i,j]"),
    ("Ab", {"known": ["b"]}, "{A b}"),
    ("ab", {"latex": True}, "{a b}"),
    ("abc", {"latex": True}, "{a b c}"),
    ("ab", {"known": ["ab"], "latex": True}, "ab"),
    ("WX", {"known": ["WX"]}, "WX"),
    ("dQ", {"latex": True}, "dQ"),
    ("dq", {"latex": True}, "dq"),
    ("dVar", {"latex": True}, "{d V a r}"),
    ("xhat", {"latex": True}, "xhat"),
    ("dxhat", {"latex": True}, "dxhat"),
    ("pos", {"latex": True}, "pos"),
    ("eps", {"latex": True}, "eps"),
    ("FFNN", {"latex": True}, "{F F N N}"),
    ("foo(x)", {"latex": True}, "foo(x)"),
    ("fo(x)", {"latex": True}, "{f o(x)}"),
    ("Wx(y)", {"functions": ["Wx"]}, "Wx(y)"),
    ("LN(x)", {"latex": True}, "LN(x)"),
    ("A(B)", {"known": ["A"]}, "{A (+B)}"),
    ("f(x)", {"known": ["f"]}, "f(x)"),
    ("E[X]", {"known": ["E"]}, "E(X)"),
    ("P(A)", {"known": ["P"]}, "{P (+A)}"),
    ("softmax x", {"known": ["softmax"]}, "{softmax x}"),
    ("X^Tq_i", {"latex": True}, "{Xᵀ q[i]}"),
    ("tanh x", {"latex": True}, "tanh(x)"),
]
REFUSED = [
    ("a / b c", "after_slash", 7), ("a 2", "number_after", 3), ("x^{a}^{b}", "two_superscripts", 6), ("X^T^2", "two_superscripts", 4),
    (r"\sqrt42", "root", 6), ("|x", "incomplete", 3), ("softmax x", "brackets", 9), (r"\log p q", "brackets", 8),
    (r"\sin 2 x", "brackets", 8), ("Σ_j", "incomplete", 4), ("Σ a", "sum", 1), ("Σ_{j=0} a_j", "sum", 1), ("(A)_{X}", "index", 4),
    ("a +", "incomplete", 4), ("* a", "syntax", 1), ("a b)", "syntax", 4), ("(a", "incomplete", 3), ("(a]", "syntax", 3),
    ("a, b", "syntax", 2), ("a = b", "syntax", 3), ("log_2 x", "character", 4), ("1.5.2", "number", 1), ("1{,}000", "number", 1),
    ("10K", "unit", 1), ("3M x", "unit", 1), ("a ... b", "dots", 3), ("a … b", "dots", 3), (r"\dots", "dots", 1),
    ("a # b", "character", 3), ("a _ b", "character", 3), ("_i", "character", 1), (r"\foo", "command", 1), ("\\", "command", 1),
    (r"\mathbf{1}", "ones", 1), (r"\text{}", "name", 1), (r"a \text{minus} b", "name", 3), (r"a \text{ minus } b", "name", 3),
    (r"\text{max} x", "brackets", 1), ("argmax x", "brackets", 1), ("tr A", "brackets", 1), ("a over b", "name", 3),
    (r"\bm", "command", 1), (r"\sqrt[3]{x}", "root", 1), (r"\frac{\partial a b}{\partial z}", "command", 1),
    (r"\frac{\partial a}{\partial z w}", "command", 1), ("X2Y", "number_after", 2), ("X2Y3", "number_after", 2), ("O(n^2)", "big_o", 1),
    ("O(n)", "big_o", 1), ("Σ", "sum", 1), (r"\sum_{i=2}^n a_i", "sum", 1), ("sum a_i", "brackets", 1),
    (r"\sum_{i \in I} a_i", "sum", 1), ("Σ_{ij} a_ij", "sum", 1), ("- - a", "syntax", 3), ("a - - b", "syntax", 5),
    ("a + -b", "syntax", 5), ("a * +b", "syntax", 5), ("(a)_{i}_{j}", "character", 8), ("x^2_i", "character", 4),
    (r"\frac{a}", "incomplete", 9), (r"\sqrt", "incomplete", 6), ("√", "incomplete", 2), ("⟨x⟩", "syntax", 3),
    ("⟨x, y", "incomplete", 6), ("f()", "syntax", 3), ("f(x,)", "syntax", 5), ("f(x", "incomplete", 4), ("Σ_i -a_i", "syntax", 5),
    ("1/n Σ_i a_i", "after_slash", 5), ("mean x", "brackets", 6), ("norm x", "brackets", 6), ("sum x", "brackets", 1),
    ("var x", "brackets", 1), ("det A", "brackets", 1), ("diag x", "brackets", 1), ("rank A", "brackets", 1),
    ("sigmoid x", "brackets", 9), ("softmax x y", "brackets", 9), ("rowsum x", "brackets", 8), ("log p q", "brackets", 7),
    (r"\log_2 x", "character", 5), ("max_j x_j", "character", 4), ("softmax S", "brackets", 9), ("SOFTMAX S", "brackets", 1),
    ("relu x", "brackets", 6), ("ln", "incomplete", 3), ("min", "incomplete", 4),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PLAIN)
def test_a_side_is_read(text, expected):
    assert tree(read(text)) == expected


@pytest.mark.parametrize(("text", "how", "expected"), WITH)
def test_what_is_known_of_names_decides_what_a_run_of_letters_is(text, how, expected):
    assert tree(read(text, **how)) == expected


@pytest.mark.parametrize(("text", "code", "column"), REFUSED)
def test_what_has_no_single_reading_is_refused_at_its_place(text, code, column):
    with pytest.raises(ReadingError) as caught:
        read(text)
    assert (caught.value.code, caught.value.column) == (code, column)


SHOWN = [  # how a name is shown that the program spells in another way
    ("a_{21}", "a_21", "a₂₁"), ("x'", "xprime", "x'"), ("x'_i", "xprime", "x'"), ("x''_i", "xprimeprime", "x''"), ("W^{Q}_i", "W_Q", "W"),
    ("W^{enc}", "W_enc", "W^{enc}"), ("α_i", "alpha", "α"), ("漆器", "Word1", "漆器"), ("重み_1", "Word1_1", "重み_1"), ("∂L/∂S'", "dSprime", "dS'"),
    (r"\alpha", "alpha", r"\alpha"), ("x^*", "x_star", "x^*"), ("h_{t-1}", "h_word1", "h_{t-1}"), ("decoder_hidden_state", "Word1", "decoder_hidden_state"),
    ("d_{\\text{model}}", "d_model", r"d_{\text{model}}"), ("\\text{per head}", "Word1", "per head"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name", "shown"), SHOWN)
def test_a_name_is_shown_as_it_was_written(text, name, shown):
    names = Names()
    read_formula(text, names)
    assert names.shown == {name: shown}


def test_what_is_spelled_as_it_is_written_is_not_remembered():
    names = Names()
    read_formula("W_Q x_i d_k", names)
    assert names.shown == {}


NESTED = [("(", ")"), (r"\sqrt{", "}"), (r"\frac{1}{", "}"), ("f(", ")"), ("{", "}"), ("[a ", "]")]


@pytest.mark.parametrize(("opening", "closing"), NESTED)
def test_so_many_brackets_inside_each_other_are_read_and_no_more(opening, closing):
    most = DEPTH - 1  # the whole is one level, too
    read(opening * most + "x" + closing * most)
    with pytest.raises(ReadingError) as caught:
        read(opening * (most + 1) + "x" + closing * (most + 1))
    assert caught.value.code == "too_deep"


def test_brackets_one_after_the_other_are_not_inside_each_other():
    assert tree(read(" + ".join(["(x)"] * (DEPTH + 1)))).count("+x") == DEPTH + 1
    assert tree(read(" + ".join(["Σ_i x_i"] * (DEPTH + 1)))).count("Σ") == DEPTH + 1


@pytest.mark.parametrize("unit", ["Σ_i ", r"\log ", "√"])
def test_what_is_nested_without_brackets_is_limited_too(unit):
    most = DEPTH - 1  # the whole is one level, too
    read(unit * most + "x")
    with pytest.raises(ReadingError) as caught:
        read(unit * (most + 1) + "x")
    assert caught.value.code == "too_deep"
    with pytest.raises(ReadingError):
        read(unit * (TOKENS // 2) + "x")


def test_so_many_signs_are_read_and_no_more():
    assert tree(read("x " * TOKENS)).count("x") == TOKENS
    with pytest.raises(ReadingError) as caught:
        read("x " * (TOKENS + 1))
    assert caught.value.code == "too_long"


def test_so_many_digits_are_read_and_no_more():
    assert tree(read("1" * DIGITS)) == "1" * DIGITS
    with pytest.raises(ReadingError) as caught:
        read("1" * (DIGITS + 1))
    assert caught.value.code == "number"


def test_the_name_of_a_function_without_brackets_is_no_product_of_its_letters():
    with pytest.raises(ReadingError) as caught:
        read("A softmax S", latex=True)
    assert (caught.value.code, caught.value.column) == ("brackets", 3)
    assert tree(read("ReLU(S)", latex=True)) == "ReLU(S)"
    assert tree(read("Rel", latex=True)) == "{R e l}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a b)", "')' cannot stand here"), ("(a", "the formula is not complete; ')' is missing"), ("(a]", "']' cannot stand here; ')' is missing"),
        ("a / b c", "what stands below the / is not clear; use brackets, or * after it"), ("softmax x", "'softmax' is a function; write brackets around what it is of"),
        ("x^{a}^{b}", "two superscripts on one another; use brackets to say which is meant"), ("a 2", "a number after something without a sign; write * between them"),
        (r"\log p q", "how far the function goes is not clear; use brackets"), ("10K", "'K' behind a number may be a unit; write * before a letter"),
        (r"\foo", r"the command '\\foo' has no meaning in a formula"), ("a #", "'#' has no meaning in a formula"), (r"\text{!}", "'!' is no name"),
        ("tr A", "tr needs brackets: tr(...)"), ("a over b", "'over' joins what stands beside it, and is no name"), (r"\bm", r"expected a name after \bm"),
        ("(((((", "the formula is not complete"), ("log", "the formula is not complete"),
    ],
)  # fmt: skip
def test_the_reason_is_told(text, said):
    with pytest.raises(ReadingError) as caught:
        read(text)
    assert caught.value.message == said
