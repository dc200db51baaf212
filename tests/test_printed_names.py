"""What a gradient and a checked claim print: each name is defined above its use, and no two things look alike."""

import re

import pytest

import symtransformer.operations
from symtransformer.chosen_notation import USUAL
from symtransformer.claims import verify
from symtransformer.cli.claims import as_text
from symtransformer.cli.derivations import known_derivations, load
from symtransformer.cli.gradient import in_sections
from symtransformer.cli.gradient_text import text_lines
from symtransformer.dialects import LATEX, TEXT
from symtransformer.gradients import differentiate
from symtransformer.judge import verify as judged
from symtransformer.operation import REGISTRY
from symtransformer.reading import read_expression
from symtransformer.reading.operation_letters import arguments_of, as_expression, missing_arguments
from symtransformer.rendering.compose import require_names_apart
from symtransformer.symbols import Letter, matrix
from symtransformer.usual_names import derive_named
from symtransformer.writing import written

assert symtransformer.operations
GIVEN = {"columns": "6", "rows": "6", "start": "1", "heads": "h", "groups": "h"}
SHAPES = {"ColumnPad": "A: n 3\n", "RowPad": "A: 3 m\n"}
EXPRESSIONS = [
    "softmax(Q K^T / sqrt(d_k)) V", "CrossEntropy(X W + b, Y)", "P = X W_1\nCrossEntropy(P W_2, Y)", "softmax(S W)",
    "softmax(softmax(X W) U)", "softmax(P_2 W) P", "CrossEntropy(softmax(P W) U, Y)", "LayerNorm(LayerNorm(X_2) W)",
    "LayerNorm(R + SwiGLU(R, W_1, W_2, W_3), gamma, beta)", "LayerNorm(X sigma_2)", "RMSNorm(L) L", "Z = softmax(A) B\nZ C",
    "CrossEntropy(L, P) + CrossEntropy(L, Q)",
]  # fmt: skip
NAME = re.compile(r"(?<![\w.])((?:[a-z]+\d*\.)?[A-Za-z]\w*)(?:\^\(\w+\))?(?![\w([])")
SIZE = re.compile(r"[nmhrpvi]|d_\w+|d|m_q|n_\w+|tau|epsilon|eta|start|T|theta|r|i")
CONSTANTS = {"of", "pi", "interleaved", "ones", "inf", "oo", "sqrt"}


def operations():
    for name, operation in sorted(REGISTRY.items()):
        given = {
            a.key: GIVEN.get(a.key, "2") if a.parameter.kind == "size" else "tau"
            for a in missing_arguments(operation, {})
        }
        matrices = [a.key for a in arguments_of(operation) if a.is_matrix]
        yield SHAPES.get(name, "") + as_expression(operation, given, matrices)


def gradient_of(text):
    forward = derive_named(read_expression(text).names)
    return differentiate(forward) if forward.inputs else None


def undefined(lines, known):
    """The names on right sides that no line above has on its left side."""
    known, found = set(known), []
    for line in lines:
        left, equals, right = line.partition(" = ")
        if equals:
            names = NAME.findall(re.sub(r"\^T\b|[a-z]\w*\^\w+_\([^()]*\)", "", right))  # a row, as dk^new_(n + 1)
            own = {"where", *re.findall(r"where (\w+) = ", right)}
            of_rows = re.compile(r"[a-z](_\w)?|of" if ".." in right else "(?!)")  # q_i, and the indices themselves
            own |= {x for x in names if re.fullmatch(r"[a-z]_\d", x) and x[0].upper() in known}  # row 3 of A
            found += [x for x in names if x not in known | own and not of_rows.fullmatch(x)]
            known.add(re.sub(r"\^\(\w+\)$", "", left.strip()))
    return found


def look(text):
    """What remains of a printed name for a hasty eye."""
    return re.sub(r"\\math\w+|\\[,;:!]|[\s{}_^()]", "", text)


def look_alike(letters):
    """Pairs of different letters that print the same, or differ in nothing but an index set higher or lower."""
    pairs = []
    for dialect in (TEXT, LATEX):
        seen = {}
        for letter in letters:
            other = seen.setdefault(look(written(letter, dialect)), letter)
            pairs += [(str(other), str(letter))] if other is not letter else []
    return pairs


def letters_of(derivation):
    return list(dict.fromkeys([*derivation.inputs, *(step.letter for step in derivation.steps)]))


@pytest.fixture(scope="module")
def gradients():
    made = {text: gradient_of(text) for text in [*operations(), *EXPRESSIONS]}
    assert len(made) > 70
    return {text: gradient for text, gradient in made.items() if gradient is not None}


def test_gradients_print_names_that_are_defined_and_look_different(gradients):
    for text, gradient in gradients.items():
        derivation = gradient.derivation
        letters = letters_of(derivation)
        assert look_alike(letters) == [], text
        require_names_apart(derivation)
        sizes = {str(s) for step in derivation.steps for s in step.definition._symbols if not isinstance(s, Letter)}
        given = {x.name for x in gradient.forward.inputs} | sizes | CONSTANTS
        if isinstance(gradient.cotangent, Letter):
            given.add(gradient.cotangent.name)
        printed = [f"{step.letter} = {step.expression}" for step in derivation.steps]
        assert undefined(printed, given) == [], text


def test_a_variant_of_a_name_is_one_of_its_kind(gradients):
    """Y and Y_2 are no names of two different operations, unless somebody chose both."""
    for text, gradient in gradients.items():
        inputs = {x.name for x in gradient.forward.inputs}
        kinds = {step.name: type(step.definition).__name__ for step in gradient.derivation.steps}
        for name, kind in kinds.items():
            base = re.sub(r"_?\d+$", "", name)
            if base != name and not base.startswith("d") and base[0].isupper():
                assert base not in inputs, (text, name)
                assert kinds.get(base, kind) == kind or base in "JTZ", (text, name)  # all losses


def test_normalizations_are_numbered_as_their_sums_are():
    text = next(t for t in operations() if t.startswith("EncoderLayer"))
    steps = {step.name: str(step.expression) for step in gradient_of(text).derivation.steps}
    for k in "12":
        assert steps[f"L_{k}"] == f"norm(R_{k}, 0.00001)"
        assert steps[f"sigma_{k}"] == f"std(R_{k}, 0.00001)"


def test_what_is_printed_on_the_terminal_says_what_comes_in():
    gradient = gradient_of("softmax(Q K^T / sqrt(d_k)) V")
    for language, said in (("en", "dZ stands for the gradient of a loss"), ("ja", "dZ は損失の Z に関する勾配")):
        verified = judged(in_sections(gradient, "results", USUAL))
        page = "\n".join(text_lines(gradient, verified, language, "results", USUAL))
        assert page.index(said) < page.index("dA = dZ V^T")


@pytest.mark.parametrize(
    ("claim", "of"),
    [
        ("dX = (P - Y) W^T / n", "CrossEntropy(X W, Y)"),
        ("dK = dS^T Q / sqrt(d_k)", "softmax(Q K^T / sqrt(d_k)) V"),
        ("dQ = 0", "softmax(Q K^T / sqrt(d_k)) V"),
        ("rowsum(A) = 1", "softmax(Q K^T / sqrt(d_k)) V"),
        ("∂a_ij/∂s_il = a_ij (δ_jl - a_il)", "softmax(Q K^T / sqrt(d_k)) V"),
        ("dF = dT", "LayerNorm(X + ReLU(X W))"),
    ],
)
def test_an_answer_about_a_claim_defines_its_names(claim, of):
    result = verify(claim, of=of)
    for language, where in (("en", "where: "), ("ja", "ここで：")):
        lines = [line.strip() for line in as_text(result, language)]
        assert [f"{where}{step}" for step in result.steps] == [line for line in lines if line.startswith(where)]
    given = {*read_expression(of).letters, *CONSTANTS, "n", "m", "d", "d_k", "d_model", "d_1", "L", "Σ_ij", "G"}
    assert undefined(result.steps, given) == []
    defined = {step.partition(" = ")[0] for step in result.steps}
    for shown in (result.derived, result.claimed):
        left, equals, right = shown.partition(" = ")
        own = {left} if equals else set()
        used = {
            name.removesuffix("_ij").removesuffix("_jl").removesuffix("_il") for name in NAME.findall(right or left)
        }
        assert {name for name in used if name not in given | defined | own and name not in ("T", "ij", "il")} <= {"δ"}


@pytest.mark.parametrize("name", known_derivations())
def test_names_of_a_worked_derivation_look_different(name):
    assert look_alike(letters_of(load(name)[1])) == []


def test_the_scans_see_planted_faults():
    assert undefined(["dT = P2 W", "P = softmax(T)"], {"T", "W"}) == ["P2"]
    gradient = gradient_of("softmax(P_2 W) P")
    twin = matrix("P2", *gradient.derivation.steps[0].letter.shape)
    assert look_alike([*letters_of(gradient.derivation), twin]) == [("P_2", "P2"), ("P_2", "P2")]
