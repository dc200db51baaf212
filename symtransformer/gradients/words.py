"""What a step of a gradient says: where its letter is used, by which rules its gradient comes about, what is assumed."""

from __future__ import annotations

from symtransformer.derivation import Derivative
from symtransformer.gradients.letters import key_of
from symtransformer.gradients.parts import Part
from symtransformer.node import postorder
from symtransformer.notation import Words
from symtransformer.operation import Operation, Primitive, unfolded
from symtransformer.operations.heads import HeadSum
from symtransformer.symbols import Letter

RULES_IN_FULL = 2  # of a longer chain only the names are told


def title_of(part: Part) -> Words:
    """Gradient with respect to Q, or the title of the operation that names the part."""
    if part.by is None:
        return part.expression.title  # type: ignore[attr-defined,no-any-return]
    letter = key_of(part.by)
    return Words(f"Gradient with respect to {{{letter}}}", f"{{{letter}}} に関する勾配")


def explanation_of(part: Part, claim: Derivative | None) -> Words:
    """Which steps use the letter, the rules of their operations, and what was done with the result."""
    if claim is None:
        return part.expression.explanation  # type: ignore[attr-defined,no-any-return]
    told = [_where(claim), *_how(claim)]
    if any(isinstance(node, HeadSum) for node in postorder(part.expression)):
        told.append(Words("The contributions of all heads are added up.", "全ヘッドから来る勾配を足し合わせます。"))
    told += [assumption(letter) for letter in part.assumed]
    if part.rules:
        names = [rule.name for rule in part.rules]
        told.append(
            Words(
                f"Rewritten by: {'; '.join(name.en for name in names)}.",
                f"式の整理に使った規則：{'、'.join(name.ja for name in names)}。",
            )
        )
    return Words(" ".join(words.en for words in told), "".join(words.ja for words in told))


def assumption(letter: Letter) -> Words:
    """That the rows of a letter add up to 1."""
    return Words(
        f"Every row of {{{letter.name}}} is assumed to add up to 1.",
        f"{{{letter.name}}} のどの行も合計が 1 だと仮定しています。",
    )


def _where(claim: Derivative) -> Words:
    used, own = [f"{{{step.name}}}" for step, _, _ in claim.uses], f"{{{key_of(claim.letter)}}}"
    if len(used) == 1:
        return Words(f"{own} is used in {used[0]}.", f"{own} は {used[0]} の計算で使われています。")
    return Words(
        f"{own} is used in {', '.join(used[:-1])} and {used[-1]}, and what comes from each use is added up.",
        f"{own} は {'、'.join(used)} の計算で使われているので、それぞれから来る勾配を足し合わせます。",
    )


def _how(claim: Derivative) -> list[Words]:
    """The rules of the operations between the letter and the steps that use it, the outermost first."""
    found: dict[type[Operation], dict[Words, None]] = {}
    for _, definition, _ in claim.uses:
        for node in reversed(list(postorder(unfolded(definition)))):
            for k, argument in enumerate(node._children):
                if isinstance(node, Primitive) and claim.letter in argument._free:
                    words = node.gradient_words
                    found.setdefault(type(node), {}).setdefault(words if isinstance(words, Words) else words[k])
    if len(found) <= RULES_IN_FULL:
        return [words for told in found.values() for words in told]
    titles = [operation.title for operation in found]
    return [
        Words(
            f"Rules of differentiation used: {'; '.join(_within(title.en) for title in titles)}.",
            f"使った微分の規則：{'、'.join(title.ja for title in titles)}。",
        )
    ]


def _within(title: str) -> str:
    """The title inside of a sentence: Scaling becomes scaling, ReLU and GELU stay."""
    return title[0].lower() + title[1:] if title.partition(" ")[0][1:].islower() or title[1] == " " else title
