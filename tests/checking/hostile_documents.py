"""Documents that want to be more than documents, or that cost as much as a few characters can: name -> content.

Each is a small file; the expensive ones stay just below a limit, so that nothing refuses them before they are worked out.
"""

import json

PWN = "touch owned"
CALLS = (
    f"__import__('os').system('{PWN}')",
    f'eval(\'__import__("os").system("{PWN}")\')',
    "exec(\"open('owned','w').write('x')\")",
    "open('owned', 'w')",
    "().__class__.__bases__[0].__subclasses__()",
    "lambda: open('owned','w')",
    "[x for x in ().__class__.__mro__]",
    "globals()['__builtins__']",
    'S(\'__import__("os").remove("owned")\')',
    'sympify(\'open("owned","w")\')',
    "parse_expr('1+1')",
    "Symbol('x', **{})",
    "Lambda(x, open('owned','w'))(1)",
    "compile('1', 'a', 'eval')",
    "x.__class__.__init__.__globals__",
    "getattr(x, 'subs')(1)",
    "np.load('owned.npy', allow_pickle=True)",
    "np.fromfile('/etc/passwd')",
    "Q.tofile('owned')",
    "K.T.dump('owned')",
    "{{7*7}}",
    "{% import os %}{{ os.system('touch owned') }}",
    "${jndi:ldap://127.0.0.1/a}",
    "$(touch owned)",
    "`touch owned`",
    "; touch owned #",
    "| touch owned",
    "%(x)s %s %n %x",
    "{0.__class__}",
    "f'{open(1)}'",
)
NAMES = (
    "traceda", "tracedb", "traced0", "Leftside", "Rightside", "zz", "zzz", "zz0", "zza", "a0", "a1", "x0", "S", "N", "O",
    "I", "E", "Q", "C", "oo", "nan", "NaN", "zoo", "pi", "e", "i", "inf", "None", "True", "False", "lambda", "self",
    "class", "def", "import", "__init__", "__class__", "Leftsidea", "Rightsidea", "Letter", "Literal", "Softmax",
    "softmax", "exp", "log", "sqrt", "sum", "Sum", "Symbol", "Matrix", "d", "dL", "dS", "T", "K_T", "delta", "Delta",
    "gamma", "Gamma", "beta", "lambda_1", "partial", "infty", "mathrm", "frac", "text", "left", "right", "cdot", "quad",
    "W_Q_K_V", "x_1_2_3", "a" * 16, "a" * 17, "a" * 200, "a_" + "b" * 15, "a_" + "b" * 16, "_a", "a_", "__", "a__b",
    "Σ", "∑", "π", "ℏ", "ﬁ", "ﬀ", "𝐐", "𝒳", "ℝ", "Ⅳ", "①", "ǅ", "ß", "İ", "ı", "µ", "μ", "Ω", "Ω", "е", "а", "ｅ", "Ｑ",
    "漆器", "出力₁", "스코어", "نتيجة", "שלום", "अ", "क्ष", "👩‍👩‍👧", "é", "e\u0301", "q\u0332", "q\u20d7", "x'", "x''''", "x*", "x†",
)  # fmt: skip
BIDI = "\u202e\u202d\u202a\u202b\u202c\u2066\u2067\u2068\u2069\u200b\u200c\u200d\u200e\u200f\ufeff\u2060\u00ad\u2028\u2029\u0085\x00\x01\x07\x08\x0b\x0c\x1b\x7f\x9b"
ZERO = "[" + ", ".join("0" for _ in range(64)) + "]"


def rows(m, n, entry="1"):
    return "[" + ", ".join("[" + ", ".join([entry] * n) + "]" for _ in range(m)) + "]"


def bmatrix(m, n, entry="1"):
    return r"\begin{bmatrix}" + r" \\ ".join(" & ".join([entry] * n) for _ in range(m)) + r"\end{bmatrix}"


def nested(function, depth, inner):
    return f"{function}(" * depth + inner + ")" * depth


def chain(first, step, lines):
    """x1 = ..., x2 = step of x1, ..."""
    return "\n".join([f"x1 = {first}", *(f"x{k} = {step.replace('x', f'x{k - 1}')}" for k in range(2, lines + 1))])


def growing():
    """Exact values that grow from line to line."""
    found = {
        "squares.txt": "x = 3\n" + "x = x*x\n" * 60,
        "squares_named.txt": chain("3", "x*x", 60),
        "squares_root.txt": chain("√2+√3", "x*x", 40),
        "squares_matrix.txt": chain("[[1, 2], [3, 4]]", "x @ x", 50),
        "squares_third.txt": chain("[[1/3, 2/7], [3/11, 4/13]]", "x @ x", 50),
        "cubes.txt": chain("1/3", "x*x*x + 1/7", 40),
        "powers.txt": chain("9", "x^64", 20),
        "power_of_itself.txt": chain("2", "x^x", 20),
        "doubled.txt": chain("1", "x + x", 300),
        "exps.txt": chain("1", "exp(x)", 40),
        "exps_down.txt": chain("-1", "exp(-x)", 60),
        "logs.txt": chain("10^400", "log(x)", 40),
        "roots.txt": chain("2", "√(1 + x)", 60),
        "roots_of_sums.txt": chain("2", "√x + √(x + 1)", 30),
        "softmaxes.txt": chain("[1, 2, 3]", "softmax(x)", 60),
        "softmaxes_wide.txt": chain("[" + ", ".join(map(str, range(20))) + "]", "softmax(x)", 30),
        "norms.txt": chain("[1, 2, 4]", "LayerNorm(x)", 60),
        "norms_and_softmax.txt": chain("[1, 2, 4]", "LayerNorm(softmax(x) + x)", 30),
        "gelus.txt": chain("[1, 2, -1]", "GELU(x)", 40),
        "attention.txt": chain("[[1, 0], [0, 1], [1, 2]]", "softmax(x @ x.T / √2) @ x", 30),
        "fractions.txt": chain("1/7", "1/(x + 1)", 60),
        "sines.txt": chain("1", "sin(cos(x))", 40),
        "inverse.txt": chain("0.3333333333", "1/(1 - x)", 60),
    }
    shown = {}
    for name, text in found.items():
        last = text.rpartition("\n")[2].partition(" ")[0]
        shown["shown_" + name] = f"{text}\n{last} = 0.5\n{last} ≈ [0.1, 0.2, 0.7]\nprint = {last} + 1 = 2\n"
    return found | shown


def towers():
    nines = "9" * 40
    texts = [
        "9**9**9", "9^9^9", "9^{9^{9}}", "9^(9^9)", "(9^9)^9", "((9^64)^64)^64", "(((9^64)^64)^64)^64", "2^(2^(2^(2^2)))",
        "2^64", "2^65", "2^-64", "0^0", "0^-1", "(-1)^(1/2)", "(-8)^(1/3)", "10^400", "10^401", "10^-400", "1e400", "1e401",
        "1e-400", "1e999999999", "1e+400", "9.9e400 * 9.9e400", "exp(10^400)", "exp(-10^400)", "exp(exp(exp(exp(10))))",
        "log(exp(exp(100)))", "exp(710)", "exp(1e5)", "exp(1e9)", "exp(-1e9)", "exp(1e40)", "sqrt(10^400)", "√(2^64)",
        "((2^64)^64)", "e^{e^{e^{e^{e}}}}", "e^{e^{e^{e^{e^{e}}}}}", "e^{10^{400}}", "sin(10^400)", "cos(10^40)",
        "sin(exp(100))", "tanh(10^400)", "GELU(10^40)", "GELU(-10^40)", "log(10^-400)", "log(0)", "1/0", "0/0", "∞ - ∞",
        "∞/∞", "0·∞", "(1/3)^64", "√2^64", "(√2 + √3)^64", "(√2 + √3 + √5 + √7)^64", "(1 + √2)^64 - (1 + √2)^64",
        "√(√(√(√(√(√(√2))))))", "log_2(2^64)", "log_{10}(10^400)", "log_{0}(2)", "log_{1}(2)", "10!", "170!", "9999999999!",
        "100000!", "C(100000, 50000)", r"\binom{100000}{50000}", r"\sum_{i=1}^{10^9} i", r"\sum_{i=1}^{1000000} 1/i",
        r"\prod_{i=1}^{1000000} i", r"\sum_{i=1}^{4096} \sum_{j=1}^{4096} i j", r"\int_0^1 x dx", r"\lim_{x \to 0} 1/x",
        nines, f"{nines}9", f"0.{'0' * 39}1", f"{nines}*{nines}", "*".join([nines] * 90), "+".join(["1"] * 490),
        "+".join(["1"] * 1900), "+".join(f"√{k}" for k in range(2, 120)), "+".join(f"exp({k}/7)" for k in range(2, 120)),
        "*".join(f"(1+√{k})" for k in range(2, 40)), "*".join(f"(1+exp({k}))" for k in range(2, 40)),
        "+".join(f"√{10**30 + k}" for k in range(30)), "(" * 40 + "1" + ")" * 40, "(" * 41 + "1" + ")" * 41,
        "-" * 300 + "1", "-" * 900 + "1", "√" * 200 + "2", "√" * 39 + "2", "1/" * 300 + "2", "2^" * 30 + "2",
        "{" * 39 + "1" + "}" * 39, nested("softmax", 39, "[1, 2, 3]"), nested("exp", 39, "1"), nested("log", 39, "2"),
        nested("LayerNorm", 39, "[1, 2, 3]"), nested("GELU", 39, "1"), nested("√", 39, "2"), nested("sin", 39, "1"),
        nested("exp", 4, "-1"), nested("exp", 12, "-1"), nested("tanh", 39, "[1, 2]"), nested("sum", 39, "[1]"),
        "softmax(" + "[1, 2, 3]" + ")" * 39, r"\frac{1}{" * 38 + "2" + "}" * 38, r"\sqrt{1+" * 38 + "2" + "}" * 38,
        "softmax([" + ", ".join(map(str, range(400))) + "])", "softmax([1e400, 1e400])", "softmax([10^400, -10^400])",
        f"softmax({rows(18, 18, '1/7')})", f"LayerNorm({rows(18, 18, '1/7')})", "softmax([-∞, -∞, -∞])", "softmax([∞, 1])",
        "softmax([])", "[]", "[[]]", "[[1], [2, 3]]", "[[1, 2], [3]]", "[1, [2]]", "[[[1]]]", "((1, 2), (3, 4))",
        "softmax([1, 2]) softmax([3, 4])^T", "[1, 2] @ [3, 4] @ [5, 6]",
    ]  # fmt: skip
    return {f"tower_{k:03}.md": f"${text} = 1$\n" for k, text in enumerate(texts)} | {
        f"tower_{k:03}.txt": f"x = {text}\nx = 0.5\n" for k, text in enumerate(texts)
    }


def wide():
    """Near the limits of sizes and numbers."""
    long = rows(22, 22)
    return {
        "entries.txt": f"A = {rows(16, 30)}\nA @ A.T = {rows(16, 16, '30')}\n",
        "entries_wrong.txt": f"A = {rows(16, 16)}\nsoftmax(A) = {rows(16, 16, '0.07')}\n",
        "entries_latex.tex": f"$A = {bmatrix(20, 20)}$ and $A A^T = {bmatrix(20, 20, '21')}$",
        "entries_many.md": f"$${bmatrix(64, 64)} = 1$$",
        "entries_too_many.md": f"$$A = {bmatrix(64, 65)}$$",
        "product_chain.txt": f"A = {long}\n" + "B = " + " @ ".join(["A"] * 60) + "\nB = 3\n",
        "product_powers.txt": f"A = {long}\nA^64 = A\n",
        "softmax_products.txt": f"A = {rows(8, 8, '1/3')}\nsoftmax(A @ A) @ softmax(A) = {rows(8, 8, '0.125')}\n",
        "wrong_softmax.txt": "z = " + str(list(range(40))) + "\nsoftmax(z) = " + str([0.025] * 40) + "\n",
        "wrong_attention.txt": (
            f"Q = {rows(6, 4, '1/3')}\nK = {rows(6, 4, '0.7')}\nV = {rows(6, 4, '2')}\n"
            f"softmax(Q K^T / √4) V = {rows(6, 4, '1.99')}\n"
        ),
        "wrong_block.txt": (
            f"X = {rows(4, 6, '1/3')}\nW = {rows(6, 6, '0.7')}\n"
            f"LayerNorm(X + ReLU(X W) W + softmax(X X^T) X) = {rows(4, 6, '0.33')}\n"
        ),
        "chain_500.txt": "x = " + " = ".join(["1"] * 499) + "\n",
        "chain_500_wrong.txt": "x = " + " = ".join(f"{k}" for k in range(499)) + "\n",
        "chain_expressions.txt": " = ".join(f"{k}+1/{k}" for k in range(1, 300)) + "\n",
        "chain_softmax.txt": "x = [1, 2]\n" + " = ".join(["softmax(x)"] * 180) + "\n",
        "chain_wrong_softmax.txt": "x = [1, 2]\nsoftmax(x) = " + " = ".join("[0.1, 0.8]" for _ in range(150)) + "\n",
        "chain_letters.txt": " = ".join(["Q K^T"] * 300) + "\n",
        "chain_many_letters.txt": " = ".join(f"A_{k} B" for k in range(200)) + "\n",
        "relations_on_a_line.txt": "1=1, " * 700 + "\n",
        "relations_wrong.md": "$1 + 1 = 3$ " * 100 + "\n",
        "relations_softmax_wrong.md": "$softmax([1, 2]) = [0.2, 0.9]$\n\n" * 20,
        "signs.txt": "=" * 2000 + "\n" + "≈" * 2000 + "\n",
        "signs_and_numbers.txt": "1 = " * 900 + "1\n",
        "definitions.txt": "".join(f"x{k} = {k}\n" for k in range(1500)) + "x5 + x6 = 12\n",
        "formulas.txt": "".join(f"F{k} = A{k} B{k}\n" for k in range(60)) + "F5 F6 = B A\n",
        "formulas_nested.txt": "F1 = A B\n"
        + "".join(f"F{k} = F{k - 1} F{k - 1}^T\n" for k in range(2, 30))
        + "F29 = A\n",
        "formulas_softmax.txt": "F1 = softmax(A)\n"
        + "".join(f"F{k} = softmax(F{k - 1})\n" for k in range(2, 25))
        + "F24 = A\n",
        "formula_product.txt": " ".join("ABCDEFGH" * 40) + " = A\n",
        "formula_binomial.txt": "(" + ")(".join(["A + B"] * 12) + ") = A B\n",
        "formula_binomial_40.txt": "*".join(["(a + b + c)"] * 30) + " = a\n",
        "formula_powers.txt": "(a + b + c + d)^64 = a^64\n",
        "formula_power_tower.txt": "a^(b^(c^(d^(a^b)))) = 1\n",
        "formula_inverse.txt": "(A + B)^{-1} = A^{-1} + B^{-1}\n",
        "formula_gradient.txt": "y = LayerNorm(softmax(x W) W)\n∂L/∂x = ∂L/∂y W^T\n",
        "formula_gradients.txt": "S = Q K^T / √d_k\nA = softmax(S)\nZ = A V\n" + "∂L/∂Q = ∂L/∂Z V^T A K / √d_k\n" * 10,
        "formula_exponentials.txt": "exp(a) exp(b) exp(c) = exp(a + b + c + d)\n" * 10,
        "formula_sums.md": r"$$\sum_i \sum_j \sum_k \sum_l \sum_m a_{ij} b_{jk} c_{kl} d_{lm} = \sum_m \sum_i a_{im}$$",
        "formula_deltas.md": r"$$\sum_i \sum_j \delta_{ij} \delta_{jk} \delta_{kl} x_i y_j = x_k y_l$$",
        "formula_deep.md": "$$y = " + r"\mathrm{softmax}(" * 38 + "x" + ")" * 38 + "$$ $$y = x$$",
        "formula_gelu.txt": nested("GELU", 30, "x") + " = x\n",
        "formula_norms.txt": nested("LayerNorm", 20, "x") + " = LayerNorm(x)\n",
        "formula_jacobian.txt": "p = softmax(z)\n∂p_i/∂z_j = p_i (1 - p_j)\n∂p/∂z = p p^T\n∂^2 p/∂z^2 = 1\n",
        "formula_long_names.txt": " ".join(f"W_{k}abc" for k in range(200)) + " = 0\n",
        "tokens.txt": "x = " + "+1" * 499 + "\n" + "y = " + "+1" * 505 + "\n",
        "digits.txt": f"x = 0.{'3' * 40}\ny = 0.{'3' * 41}\nx*3 = 1\n1/3 = 0.{'3' * 39}\n",
        "exponents.txt": "x = 1e400\ny = 1e401\nx*x*x*x = 1e1600\n1/x = 1e-400\n",
        "spaces.txt": "x =" + " " * 3000 + "1\n",
        "table_wide.md": "|" + "a|" * 300 + "\n|" + "-|" * 300 + "\n|" + "1 + 1 = 3|" * 300 + "\n",
        "table_long.md": "| x | y |\n|---|---|\n" + "| $1 + 1$ | $= 3$ |\n" * 300,
        "table_ragged.md": "|a|b|c|\n|-|-|-|\n" + "".join("|" * k + "1 = 2\n" for k in range(60)),
        "table_html.html": "<table>" + "<tr>" + "<td>1+1=3</td>" * 60 + "</tr>" * 1 + "</table>",
    }


def latex():
    doubling = "\\newcommand{\\aa}{1+1}\n" + "".join(
        f"\\newcommand{{\\{chr(98 + k) * 2}}}{{\\{chr(97 + k) * 2}+\\{chr(97 + k) * 2}}}\n" for k in range(20)
    )
    loops = "\\newcommand{\\x}{\\y}\\newcommand{\\y}{\\x}"
    made = {
        "doubling": doubling + "$\\uu = 1$", "loop": loops + "$\\x = 1$", "self": "\\newcommand{\\x}{\\x\\x}$\\x = 1$",
        "nine_arguments": "\\newcommand{\\f}[9]{#1#2#3#4#5#6#7#8#9}$\\f{1}{2}{3}{4}{5}{6}{7}{8}{9} = 1$",
        "ten_arguments": "\\newcommand{\\f}[10]{#10}$\\f{1} = 1$", "missing": "\\newcommand{\\f}[2]{#1#2}$\\f{1$ $1+1=3$",
        "argument_bomb": "\\newcommand{\\f}[1]{#1#1#1#1}$\\f{\\f{\\f{\\f{\\f{\\f{1+}}}}}}1 = 1$",
        "operator": "\\DeclareMathOperator{\\eval}{eval}$\\eval(1) = 1$", "renew": "\\renewcommand{\\frac}[2]{#2}$\\frac{1}{2} = 2$",
        "def": "\\def\\x#1{\\x{#1}}$\\x{1} = 1$", "let": "\\let\\frac\\relax $\\frac12 = 2$", "csname": "\\csname write18\\endcsname{touch owned} $1+1=3$",
        "write": "\\immediate\\write18{touch owned}$1+1=3$", "openout": "\\newwrite\\f\\immediate\\openout\\f=owned $1+1=3$",
        "input": "\\input{/etc/passwd}$1+1=3$", "input_up": "\\input{../../../../etc/passwd}$1+1=3$", "input_pipe": "\\input{|touch owned}$1+1=3$",
        "input_self": "\\input{input_self}$1+1=3$", "input_home": "\\input{~/.bashrc}$1+1=3$", "include": "\\include{/etc/hostname}$1+1=3$",
        "input_nul": "\\input{a\x00b}$1+1=3$", "input_long": "\\input{" + "a/" * 2000 + "b}$1+1=3$", "input_many": "\\input{a}" * 3000 + "$1+1=3$",
        "verbatim": "\\begin{verbatim}$1+1=3$\\end{verbatim}", "lstlisting": "\\lstinputlisting{/etc/passwd}$1+1=3$",
        "directlua": "\\directlua{os.execute('touch owned')}$1+1=3$", "catcode": "\\catcode`\\$=12 $1+1=3$", "special": "\\special{ps: (owned) run}$1+1=3$",
        "href": "\\href{javascript:alert(1)}{$1+1=3$}", "url": "\\url{file:///etc/passwd}$1+1=3$", "loop_primitive": "\\loop\\iftrue\\repeat $1+1=3$",
        "expandafter": "\\expandafter\\expandafter\\expandafter $1+1=3$", "unclosed": "$1+1=3", "unclosed_group": "${1+1=3$", "unopened": "$1+1}=3$",
        "frac_short": "$\\frac{1} = 1$", "frac_digits": "$\\frac12 = 0.5$", "sqrt_open": "$\\sqrt[3 = 1$", "left_alone": "$\\left( 1 + 1 = 3$",
        "begin_alone": "\\begin{align} 1+1 &= 3", "end_alone": "\\end{align} $1+1=3$", "begin_odd": "\\begin{al{ign}} 1+1=3 \\end{al{ign}}",
        "sum_bounds": "$\\sum_{i=1}^{99999999999} i = 1$", "sum_no_bounds": "$\\sum = 1$", "matrix_ragged": "$\\begin{bmatrix}1&2\\\\3\\end{bmatrix} = 1$",
        "matrix_nested": "$" + "\\begin{bmatrix}" * 30 + "1" + "\\end{bmatrix}" * 30 + " = 1$", "matrix_open": "$\\begin{bmatrix}1&2 = 1$",
        "subscripts": "$x" + "_{a" * 38 + "}" * 38 + " = 1$", "superscripts": "$x" + "^{2" * 38 + "}" * 38 + " = 1$", "primes": "$x" + "'" * 900 + " = 1$",
        "underbraces": "$" + "\\underbrace{" * 30 + "1" + "}" * 30 + " = 1$", "colors": "$" + "\\color{red}" * 300 + "1 = 1$", "tags": "$$1+1=3" + "\\tag{1}" * 300 + "$$",
        "text_relations": "$\\text{" + "a = b " * 200 + "} = 1$", "char": "$\\char`\\^^00 = 1$", "hats": "$^^5e^^41 = 1$", "spacing": "$1" + "\\," * 900 + "+1 = 3$",
        "percent": "% symtransformer: let __import__('os').system('touch owned') = 1\n$1+1=3$", "marks": "% symtransformer: skip\n" * 500 + "$1+1=3$",
        "mark_let": "% symtransformer: let x = 9^{9^{9^{9}}}\n$x = 1$", "mark_lets": "".join(f"% symtransformer: let x = x*x+{k}\n" for k in range(15)) + "$x = 1$",
        "mark_convention": "% symtransformer: convention log=__import__('os')\n$\\log 100 = 2$", "mark_unknown": "% symtransformer: " + "x" * 3000 + "\n$1+1=3$",
    }  # fmt: skip
    return {f"latex_{name}.tex": text for name, text in made.items()}


def structured():
    cell = {"cell_type": "markdown", "source": ["$1 + 1 = 3$"]}
    code = {"cell_type": "code", "source": ["open('owned', 'w')\n1 + 1 == 3"], "outputs": []}
    picture = {
        "output_type": "display_data",
        "data": {"text/plain": ["1 + 1 = 3"], "text/html": "<script>open('owned')</script>"},
    }
    deep = "[" * 90 + '"1 + 1 = 3"' + "]" * 90
    return {
        "cells.ipynb": json.dumps({"nbformat": 4, "cells": [cell] * 200}),
        "code.ipynb": json.dumps({"nbformat": 4, "cells": [code, {**code, "outputs": [picture]}]}),
        "attachment.ipynb": json.dumps({"nbformat": 4, "cells": [{**cell, "attachments": {"a": {"image/png": "AAAA" * 500}}}]}),
        "no_cells.ipynb": '{"nbformat": 4}', "cells_text.ipynb": '{"nbformat": 4, "cells": "x = 1"}', "cell_null.ipynb": '{"nbformat": 4, "cells": [null, 1, [], {}]}',
        "source_number.ipynb": '{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": 5}]}', "old.ipynb": '{"nbformat": 3, "worksheets": [{"cells": []}]}',
        "source_mixed.ipynb": '{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": [1, null, {"a": 1}, "$1+1=3$"]}]}', "bom.ipynb": "\ufeff" + json.dumps({"nbformat": 4, "cells": [cell]}),
        "metadata.ipynb": json.dumps({"nbformat": 4, "metadata": {"kernelspec": {"name": "touch owned", "argv": ["sh"]}}, "cells": [cell]}),
        "duplicate.json": '{"x": 1, "x": 2, "text": "1 + 1 = 3"}', "nan.json": '{"x": NaN}', "infinity.json": '{"x": Infinity}', "huge_number.json": '{"x": ' + "9" * 5000 + "}",
        "huge_exponent.json": '{"x": 1e999999999}', "numbers.json": json.dumps({"x": [0.1] * 3000}), "matrix.json": json.dumps({"x": [[1] * 60] * 60, "text": "x = 1"}),
        "deep_text.json": deep, "deep_object.json": '{"a":' * 90 + '"1+1=3"' + "}" * 90, "keys.json": json.dumps({"__class__": 1, "__proto__": {"x": 1}, "constructor": "1+1=3"}),
        "key_code.json": json.dumps({"__import__('os').system('touch owned')": 1}), "key_long.json": json.dumps({"a" * 3000: 1}), "key_empty.json": '{"": "1 + 1 = 3"}',
        "surrogates.json": '{"x": "\\ud800 1 + 1 = 3 \\udfff"}', "nul.json": '{"x": "\\u0000 1 + 1 = 3"}', "pickle.json": '{"py/object": "os.system", "py/args": ["touch owned"]}',
        "bool.json": '{"x": true, "y": null, "z": false}', "numbers_as_text.json": '{"x": "0x10", "y": "1_000", "z": "１２"}', "trailing.json": '{"x": 1,}', "comment.json": '{"x": 1} // 1+1=3',
        "lines.json": '{"a": "1 + 1 = 3"}\n{"a": "1 + 1 = 3"}\n', "array.json": "[" + "1," * 3000 + "1]", "texts.json": json.dumps(["1 + 1 = 3"] * 300), "formula_number.json": '{"a + b": 3}',
        "script.html": "<script>fetch('file:///etc/passwd')</script><p>$1+1=3$</p>", "iframe.html": '<iframe src="file:///etc/passwd"></iframe><p>$1+1=3$</p>',
        "onerror.html": '<img src=x onerror="touch owned"><p>$1+1=3$</p>', "entity.html": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><p>&a; $1+1=3$</p>',
        "laughs.html": '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><p>&b; $1+1=3$</p>', "references.html": "<p>" + "&#x3d;" * 600 + "</p>", "reference_big.html": "<p>&#99999999999;&#x110000;&#xd800;&#0; 1+1=3</p>",
        "cdata.html": "<![CDATA[<p>1+1=3</p>]]>", "processing.html": "<?php system('touch owned'); ?><p>$1+1=3$</p>", "comment.html": "<!-- symtransformer: let x = 9**9**9 --><p>$x = 1$</p>",
        "mathml_annotation.html": '<math><semantics><mn>1</mn><annotation encoding="application/x-tex">\\input{/etc/passwd} 1+1=3</annotation></semantics></math>',
        "mathml_power.html": "<math>" + "<msup><mn>9</mn>" * 30 + "<mn>9</mn>" + "</msup>" * 30 + "<mo>=</mo><mn>1</mn></math>", "mathml_table.html": "<math><mtable>" + ("<mtr>" + "<mtd><mn>1</mn></mtd>" * 40 + "</mtr>") * 40 + "</mtable><mo>=</mo><mn>1</mn></math>",
        "mathml_empty.html": "<math><mfrac></mfrac><mo>=</mo><msup></msup></math>", "mathml_ragged.html": "<math><mfrac><mn>1</mn></mfrac><mo>=</mo><mroot><mn>1</mn></mroot></math>", "mathml_action.html": '<math><maction actiontype="statusline" xlink:href="javascript:1"><mn>1</mn></maction><mo>=</mo><mn>2</mn></math>',
        "quotations.md": "<pre>" * 60_000, "listings.tex": "\\begin{verbatim}" * 40_000, "hidden.html": "<p hidden>" * 40_000,
        "style.html": "<style>p{content:'1+1=3'}</style><p>$1+1=3$</p>", "svg.html": "<svg><foreignObject><p>$1+1=3$</p></foreignObject></svg>", "template.html": "<template><p>$1+1=3$</p></template>",
    }  # fmt: skip


def bytes_of_all_kinds():
    return {
        "nul_bytes.txt": b"1 + 1 = 3\x00\x00", "utf16.txt": "1 + 1 = 3".encode("utf-16"), "utf16_odd.txt": "1 + 1 = 3".encode("utf-16") + b"\x00",
        "utf16be.txt": b"\xfe\xff" + "1 + 1 = 3".encode("utf-16-be"), "utf32.txt": "1 + 1 = 3".encode("utf-32"), "utf7.txt": b"+ADEAKwAxAD0AMw-", "surrogate_bytes.txt": b"1 + 1 = \xed\xa0\x80 3",
        "overlong.txt": b"1 + 1 \xc0\xbd 3", "latin.txt": "café 1 + 1 = 3".encode("latin-1"), "sjis.txt": "和は 1 + 1 = 3 である".encode("shift_jis"), "eucjp.txt": "和は 1 + 1 = 3 である".encode("euc_jp"),
        "gzip.txt": b"\x1f\x8b\x08\x00" + bytes(range(256)), "png.txt": b"\x89PNG\r\n\x1a\n" + bytes(500), "pdf.tex": b"%PDF-1.7\n1 + 1 = 3", "pickled.json": b"\x80\x04cos\nsystem\n(S'touch owned'\ntR.",
        "zip.ipynb": b"PK\x03\x04" + bytes(300), "all.txt": bytes(range(256)), "all.md": bytes(range(256)) * 20, "controls.md": "".join(f"${c}1 + 1 = 3{c}$ " for c in BIDI).encode(),
        "bidi.tex": "".join(f"$1 {c}+ 1 = 3$ " for c in BIDI).encode(), "bidi.txt": "".join(f"x{c} = 1{c}\n" for c in BIDI).encode(), "marks.txt": ("q" + "\u0301" * 900 + " = 1").encode(),
        "cr.txt": b"1 + 1 = 3\r2 + 2 = 5\r\n3 + 3 = 7\n\r", "tags.txt": "".join(chr(0xE0000 + k) for k in range(128)).encode() + b" 1 + 1 = 3", "private.txt": "\ue000 = 1\n\uf8ff = 2\n\U0010ffff = 3".encode(),
        "scripts.txt": "١ + ٢ = ٤\n१ + १ = ३\n１ + １ = ３\n𝟏 + 𝟏 = 𝟑\n¹ = 1\n²² = 4\n½ = 0.6\n㍘ = 0\n".encode(), "relations.txt": "1 ＋ 1 ＝ 3\n1 ﹢ 1 ﹦ 3\n1 ⩵ 1\n1 ≠ 1\n1 ≟ 2\n1 ≝ 2\n1 ≡ 2\n1 ⇒ 2\n".encode(),
        "ansi.md": b"$\x1b]0;owned\x07 1 + 1 = 3$ \x1b[2J", "noncharacter.txt": "\ufffe \uffff = 1".encode(), "empty.txt": b"", "newline.txt": b"\n", "equals.txt": b"=", "bom.txt": b"\xef\xbb\xbf", "bom_twice.txt": b"\xef\xbb\xbf\xef\xbb\xbf1 + 1 = 3",
    }  # fmt: skip


def all_documents():
    """Every one of them, as bytes."""
    found = {}
    for k, call in enumerate(CALLS):
        found[f"call_{k:02}.txt"] = f"x = {call}\n{call} = 1\nx = {call}(1)"
        found[f"call_{k:02}.md"] = f"${call} = 1$, $1 + {call} = 2$ and `{call} = 1`"
        found[f"call_{k:02}.json"] = json.dumps({"x": call, call[:60]: "1 + 1 = 3", "text": f"{call} = 1"})
    for k, name in enumerate(NAMES):
        found[f"name_{k:03}.txt"] = f"{name} = 3\n{name} + 1 = 5\n2 {name} = 7\n{name} = [1, 2]\n{name} {name}^T = 6\n"
        found[f"name_{k:03}.md"] = f"${name} = A B$, ${name}^T = B^T A^T$, ${name} = C$, ${name}_1 = 2$"
    for group in (growing(), towers(), wide(), latex(), structured(), bytes_of_all_kinds()):
        assert not set(group) & set(found), set(group) & set(found)
        found |= group
    return {
        name: text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass") for name, text in found.items()
    }
