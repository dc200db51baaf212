"""What trees say of themselves: sizes of a whole model, shapes of values, and how far an input is from an output."""

from dataclasses import dataclass

from oracle_reading import Figure

from symtransformer import derive, evaluate, matrix
from symtransformer.errors import ShapeError
from symtransformer.models import counts_of, decoder_only, encoder_decoder
from symtransformer.models.weights import walked
from symtransformer.node import postorder
from symtransformer.operation import unfolded
from symtransformer.operations import (
    CausalMask,
    FeedForward,
    HeadConcatenation,
    Linear,
    MultiHeadAttention,
    RecurrentStep,
    Row,
    RowConcatenation,
    ScaledDotProductAttention,
)  # fmt: skip
from symtransformer.operations.recurrent import recurrent_chain


@dataclass(frozen=True)
class Sizes:
    """The sizes of a model, the same in every attention and every network of its tree."""

    layers: int
    decoder_layers: int
    d_model: int
    heads: int
    d_k: int
    d_v: int
    joined: int  # columns of the heads side by side
    W_O: list[int]
    d_ff: int
    network: list[int]  # columns before, inside and behind


def the_only(values):
    (value,) = {tuple(map(int, v)) if isinstance(v, tuple) else int(v) for v in values}
    return list(value) if isinstance(value, tuple) else value


def tree_of(config):
    return encoder_decoder(config) if config.decoder_layers else decoder_only(config)


def sizes_of(config):
    """Read off the tree that this configuration gives, not off the configuration."""
    model = tree_of(config)
    nodes, parts = list(walked(model)), postorder(unfolded(model))
    attentions = [node for node in nodes if type(node) is MultiHeadAttention]
    networks = [node for node in nodes if type(node) is FeedForward]
    found = counts_of(model)
    return Sizes(
        layers=found.encoder_layers,
        decoder_layers=found.decoder_layers,
        d_model=the_only(a.shape[1] for a in attentions),
        heads=the_only(a.argument("heads") for a in attentions),
        d_k=the_only(a.argument(f"weight_{x}").shape[1] for a in attentions for x in "QK"),
        d_v=the_only(a.argument("weight_V").shape[1] for a in attentions),
        joined=the_only(node.shape[1] for node in parts if type(node) is HeadConcatenation),
        W_O=the_only(a.argument("weight_O").shape for a in attentions),
        d_ff=the_only(f.argument("weight_1").shape[1] for f in networks),
        network=the_only((f.argument("input").shape[1], f.argument("weight_2").shape[0], f.shape[1]) for f in networks),
    )


def heads_in(model):
    """Heads in each attention of a stack."""
    return the_only(node.argument("heads") for node in walked(model) if type(node) is MultiHeadAttention)


# -- shapes ------------------------------------------------------------------------------------------------
def shape_in(derivation, name):
    """The shape of a step: its letter's, its array's where there are values, and that of the step written out."""
    assert derivation[name].letter.shape == derivation.expanded(name).shape
    return derivation.expanded(name).shape


def does_not_fit(make):
    """Whether the library refuses to build this."""
    try:
        make()
    except ShapeError:
        return True
    return False


def shape_of_value(figure):
    """The shape of the array that NumPy computes for a step, or of the value that the library took for an input."""
    evaluation, name = evaluate(figure.derivation), figure.step
    is_input = any(letter.name == name for letter in figure.derivation.inputs)
    return [int(size) for size in (evaluation[name] if is_input else evaluation.numpy(name)).shape]


def shape_of(expression, values, letter="Result"):
    """The same for an expression, or for one of its letters, after all of it has been computed."""
    own = {s.name for s in unfolded(expression)._free}
    given = {key: value for key, value in values.items() if getattr(key, "name", key) in own}
    derivation = derive({"Result": expression}, values=given)
    assert tuple(shape_of_value(Figure(derivation, "Result"))) == tuple(expression.shape)
    return shape_of_value(Figure(derivation, letter))


# -- paths ---------------------------------------------------------------------------------------------------
def length_of_path(output, start, counted):
    """The largest number of operations of this kind on a way from `start` to `output`; None where there is no way."""
    longest = {start: 0}
    for node in postorder(output):
        below = [longest[child] for child in node._children if child in longest]
        if below:
            longest[node] = max(below) + (type(node) is counted)
    return longest.get(output)


def recurrent_path(positions):
    """From the first input to the last state, less the step that reads the input in; the chain is a tree of its own."""
    rows, start = matrix("X", positions, 3), matrix("T_0", 1, 2)
    states = recurrent_chain(start, rows, matrix("U_h", 2, 2), matrix("U_x", 3, 2))
    last = states[-1]
    assert length_of_path(last, start, RecurrentStep) == len(states) == positions
    reading_in = length_of_path(last, Row(rows, positions - 1), RecurrentStep)  # what is read last is not handed on
    return length_of_path(last, Row(rows, 0), RecurrentStep) - reading_in


def attention_path(positions):
    """From the first input to the last row of the output; projections read rows in and hand nothing on."""
    letters = [matrix(f"I_{k}", 1, 3) for k in range(1, positions + 1)]
    rows = RowConcatenation(*letters)
    projected = (Linear(rows, matrix(f"W_{name}", 3, 2)) for name in "QKV")
    last = Row(ScaledDotProductAttention(*projected, mask=CausalMask(positions)), positions - 1)
    ways = {length_of_path(last, letter, ScaledDotProductAttention) for letter in letters}
    (length,) = ways
    return length
