"""How a sentence gives a name its value: `let n = 100` gives it, `a larger model might use n = 100` mentions it."""

from __future__ import annotations

import re

ALONE, CLEAR, ANEW, REMINDED, DRAWN, MENTIONED = "alone", "clear", "anew", "reminded", "drawn", "mentioned"

FORMULA = re.compile(r"\$\$?[^$]{1,300}\$\$?|\\\(.{1,300}?\\\)|`[^`\n]{1,300}`", re.DOTALL)
OPENING = re.compile(r"(?:\$\$?|\\[(\[]|`)\s*\Z")
CLOSING = re.compile(r"\A\s*(?:\$\$?|\\[)\]]|`)")
ITEM_OF_A_LIST = re.compile(r"\s*(?:[-*+•・]|[0-9]{1,3}[.)]|\|)\s")
COMMAND = re.compile(r"`{3}[a-z]*|\\[A-Za-z]+|<[^<>\n]{0,200}>|&[a-z]{1,8};")
A_WORD = re.compile(r"(?<![\w\\])[^\W\d_]{2,}(?![\w(\[{]|\s*(?:[=≈^_]|\\approx))")
LABELLED = re.compile(
    r"\A[\s>*#|\-(]*(?:(?:new |next |second |新しい|次の)?(?:step|input|inputs|given|data|values?|setting|parameters?|exercise|question|problem|example|part|solution|answer|case|"
    r"入力|設定|値|データ|問題?|例題?|手順|ステップ|解答?|初期値)\s*[0-9a-z]{0,3}[\s.):：*）】]*)\Z",
    re.IGNORECASE,
)
VERB = r"(?:let|set|take|put|define|redefine|choose|pick|fix|change|reset|update|replace|assign|initiali[sz]e|give)"
ITEM = r"(?:\\?[A-Za-zα-ωΑ-Ω][\w{},\\^']{0,20}\s*=\s*(?:\\[A-Za-z]+|\[[^=;()]{1,120}\]|[^A-Za-z,;()=\[\n]|(?<![A-Za-z])[A-Za-z](?![A-Za-z])){1,80})"
ITEMS = rf"(?:{ITEM}\s*(?:,\s*and|,|and|;)\s*){{0,6}}"
GIVES = re.compile(
    rf"(?<![A-Za-z'])(?:{VERB}(?: [a-z]{{1,12}}){{0,4}}|we (?:now |then |next |again )?use|(?:\A|[.:] )\s*use|now,?(?: (?:we|have|with|is|the|that|instead|again|value|input|for|at)){{0,3}}|"
    rf"from (?:now|here) on,?(?: we have)?|(?:new|another) (?:definition|value)[a-z ]{{0,20}})[\s,:]*{ITEMS}\Z",
    re.IGNORECASE,
)
GIVES_JA = re.compile(
    r"\A[\s、,，」』）)]*(?:と(?:する(?!と)|おく(?!と)|置く(?!と)|定め|定義|します|おきます|置きます|しよう|おこう|取る|選ぶ)|"
    r"に(?:する(?!と)|します|変え|変更|置き換え|更新|直す|設定|取り替え|上げ|下げ|増や|減ら))"
)
GIVES_JA_BEFORE = re.compile(r"(?:今度は|改めて|新たに)[^。=]{0,8}\Z")
GIVES_ANEW = re.compile(
    r"(?<![A-Za-z])(?:now,? (?:let|set|define|take|consider|suppose)|(?:let|define|set)(?: us)? (?:now|instead)|redefine|instead,? (?:let|define|set|take)|"
    r"let us (?:re)?define|from (?:now|here) on)(?![A-Za-z])[^.;=]{0,30}\Z|(?:改めて|新たに|今度は|定義し直)[^。=]{0,12}\Z",
    re.IGNORECASE,
)
GIVES_ANEW_JA = re.compile(r"\A[\s、」）)]*(?:と(?:再定義|定義し直|おき直|置き直)|に(?:変え|変更|置き換え|取り替え))")
REMINDS = re.compile(
    r"(?<![A-Za-z])(?:note|notice|observe|recall|remember|remark|check|verify|see)(?: also| again)?(?: that)?[\s,:]*\Z|"
    r"(?<![A-Za-z])(?:indeed|as a check|to check|of course|clearly|obviously|as we know|as expected)(?:,? (?:we have|it holds that|that))?[\s,:]*\Z|"
    r"(?:実際に?|確かに|なお|検算(?:すると)?|もちろん|明らかに|ここで注意すると)[、：:\s]*\Z",
    re.IGNORECASE,
)
IN_TURN = re.compile(r"[,;] ?(?:and )?(?:then|next|later|finally|again)\s*\Z", re.IGNORECASE)
DRAWS = re.compile(r"\A\W*then,?(?: also)?(?: we (?:have|get|find|see))?(?: that)?[\s,:]*\Z", re.IGNORECASE)
GOES_ON = re.compile(
    r"\A[\s>*]*(?:then|so|hence|thus|therefore|it follows|this gives|we (?:get|obtain|find)|that is|よって|したがって|従って|ゆえに|すると|だから|このとき)(?![A-Za-z])",
    re.IGNORECASE,
)
OWN = re.compile(
    r"(?<![A-Za-z])(?:ours?|in fact|actually|in reality|but we|whereas we)(?![A-Za-z])[^=]*\Z|(?:我々|われわれ|私たち|本モデル|本稿|実際には?)[^=]*\Z",
    re.IGNORECASE,
)
# what is said of something else than what the document goes on with
ELSEWHERE = re.compile(
    r"(?<![A-Za-z])(?:would|might|could|may|had|were|should|if|unless|imagine|hypothetical(?:ly)?|some|students?|people|many|others?|they|papers?|original|"
    r"defaults?|typical(?:ly)?|usual(?:ly)?|common(?:ly)?|often|wrong|incorrect|unlike|compared?|contrast|appendix|edition|briefly|digression|without|"
    r"rather than|instead of|e\.g\.|never|not|cannot|tempted|mistake)(?![A-Za-z])|(?<=[a-z])'d(?![a-z])|n't(?![a-z])|もし|仮に|論文|他の|別の|通常|典型|例えば|たとえば|誤",
    re.IGNORECASE,
)


def way_of_giving(before: str, behind: str, bare: str, name: str) -> str:
    """How an equation is told by the words beside it: those of its sentence, the first also without what sets them.

    >>> way_of_giving("Let $", "$.", "Let ", "n"), way_of_giving("$", "$, $m = 3$.", "", "n")
    ('clear', 'alone')
    >>> way_of_giving("A larger model might use $", "$.", "A larger model might use ", "n")
    'mentioned'
    >>> way_of_giving("Note that $", "$.", "Note that ", "n"), way_of_giving("Now let $", "$.", "Now let ", "n")
    ('reminded', 'anew')
    """
    start = FORMULA.sub(" ", OPENING.sub("", _on_its_line(before)))
    end = FORMULA.sub(" ", CLOSING.sub("", behind))
    is_of_another = is_elsewhere(start)
    if REMINDS.search(bare):
        return REMINDED
    if not is_of_another:
        if GIVES_ANEW.search(bare) or GIVES_ANEW_JA.match(end):
            return ANEW
        if GIVES.search(bare) or GIVES_JA.match(end) or GIVES_JA_BEFORE.search(bare):
            return CLEAR
        if IN_TURN.search(bare) and _is_given_in(bare, name):
            return CLEAR
    if DRAWS.search(bare):
        return DRAWN
    if LABELLED.match(start) and not _has_words(end):
        return CLEAR
    return MENTIONED if _has_words(start) or _has_words(end) else ALONE


def goes_on(before: str) -> bool:
    """Whether a sentence goes on with what the one before it said.

    >>> goes_on("Then we have "), goes_on("Ours gives "), goes_on("So our model has ")
    (True, False, False)
    """
    return GOES_ON.match(before) is not None and not is_of_own(before)


def is_of_own(before: str) -> bool:
    """Whether it is said of what the document itself speaks of, behind what was said of something else.

    >>> is_of_own("In GPT-3, n = 100, and ours gives "), is_of_own("In GPT-3, n = 100, and ")
    (True, False)
    """
    return OWN.search(before) is not None


def is_elsewhere(before: str) -> bool:
    """Whether words that lead to a display say what follows of something else."""
    return ELSEWHERE.search(before) is not None


def _on_its_line(before: str) -> str:
    """The line, with that before it only where it goes on: its words, or a colon behind them, are not the end of a sentence."""
    earlier, newline, line = before.rpartition("\n")
    if newline and ITEM_OF_A_LIST.match(line):
        return line
    if not newline or _has_words(line):
        return before
    last = earlier.rstrip().rpartition("\n")[2]
    is_open = _has_words(FORMULA.sub(" ", last)) and (last.rstrip()[-1:] not in ":：.;" or ELSEWHERE.search(last))
    return before if is_open else line


def _is_given_in(before: str, name: str) -> bool:
    """Whether the sentence has given the name a value, and said something else since: S = [0, 2], s(S) = 1, then S = ..."""
    given = re.search(rf"(?<![\w\\]){re.escape(name.strip())}\s*=(?P<since>.*)\Z", before, re.DOTALL)
    return given is not None and any(sign in given["since"] for sign in ("=", "≈", "\\approx"))


def _has_words(text: str) -> bool:
    return A_WORD.search(COMMAND.sub(" ", text)) is not None
