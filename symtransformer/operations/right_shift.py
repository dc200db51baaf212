"""The input of a decoder in training: the targets, moved down by one row."""

from __future__ import annotations

from sympy import S

from symtransformer.arguments import Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_equal_sizes
from symtransformer.operations.row_concatenation import RowConcatenation
from symtransformer.operations.rows import RowSlice


class RightShift(Composite):
    """RightShift(Y, s): the row s, then all rows of Y but the last; Y is n x K, s is 1 x K.

    Row i of the result is row i − 1 of Y, so the decoder is given the tokens before the one that it has to predict.

    >>> from symtransformer import dimension, matrix
    >>> n, K = dimension("n"), dimension("K")
    >>> RightShift(matrix("Y", n, K), matrix("s", 1, K)).shape
    (n, K)
    """

    __slots__ = ()
    parameters = (Parameter("rows"), Parameter("start"))
    title = Words("Right shift", "右シフト")
    explanation = Words(
        "The start token goes in front and the last row is left out. Each position then holds the token before its "
        "target, and its own target only stands in the row after it.",
        "先頭に開始トークンを置き、最後の行を除きます。各位置の入力は、その位置の正解の 1 つ前のトークンになり、"
        "正解そのものは次の行に入ります。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.1: the output embeddings are offset by one position",
        "Vaswani ほか 2017, 3.1 節：出力側の埋め込みを 1 つ後の位置へずらす",
    )
    notation = Call("RightShift")
    letter = "D"

    def definition(self) -> Stages:
        rows, start = self.args
        require_equal_sizes(lambda: "a right shift", "the number of start rows and 1", start.shape[0], S.One)
        return Stages((), RowSlice(RowConcatenation(start, rows), S.Zero, rows.shape[0]))
