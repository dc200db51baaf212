"""What a sentence says of an equation in it: that it does not hold, that it is asked, or on which condition it holds.

Words decide nothing about what is right. Where they take a claim back, nobody is accused of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from symtransformer.documents.giving import ALONE, MENTIONED, goes_on, is_elsewhere, is_of_own, way_of_giving
from symtransformer.documents.hundredths import hundredths_told
from symtransformer.documents.other_arithmetic import OF_DIGITS, OTHER_ARITHMETIC
from symtransformer.documents.records import Document, Relation

SETTING = re.compile(
    r"<[^<>\r\n]{0,200}>|\\(?:text[a-z]*|emph|mathrm|mathbf|mbox|left|right|displaystyle|[,;:!(){}\[\] ])|[$*_`\"“”{}~]|\\n|&nbsp;"
)
COMPARING = (
    r"(?:[<>≤≥≠≪≫≦≧∈]|!=|\\(?:not\s*=|neq?|leq?|geq?|leqslant|geqslant|lt|gt|ll|gg|in|to|rightarrow)(?![A-Za-z])|→|->)"
)
NAME = r"(?:\\?[A-Za-z]{1,12}(?:_\w{1,9})?|[α-ωΑ-Ω](?:_\w{1,9})?)"

OPEN_END = re.compile(
    r"(?:[,:：、，]|(?<![A-Za-z])(?:that|to|is|are|and|or|if|for|when|write|then|think))\s*\Z", re.IGNORECASE
)

UNIT_BEHIND = re.compile(
    r"[\s\\,;~*_(]{0,8}(?:in )?(?:min(?:ute)?s?|h|hrs?|hours?|s|secs?|seconds?|days?|weeks?|months?|years?|[kKMGTP]i?B|[KMGT]i|"
    r"(?:kilo|mega|giga|tera|kibi|mebi|gibi)?(?:bytes?|bits?)|k|k tokens|bn|bp|[µμunm]s|[kcmµμnu]?m|[kmµμ]?g|dozens?|[kKMGTP]?FLOPS?|\\?%|％)(?![A-Za-z])|"
    r"\s*(?:分|時間|秒|日|週|か月|年|キロ|メガ|ギガ|ミリ|マイクロ|ダース|メートル|[百千万億兆]|バイト|ビット)"
)

# -- denials ---------------------------------------------------------------------------------------------------------
NOT_SO = (
    r"(?:wrong|false|incorrect|untrue|invalid|mistaken|erroneous|absurd|impossible|nonsense|contradictory|"
    r"(?:a |an |the )?(?:common |typical |frequent |classic |usual )?(?:mistake|contradiction|misconception|fallacy)|an error|"
    r"a lie|not (?:true|right|correct|valid|the case|so|possible)|never (?:true|right|correct))(?![A-Za-z]| (?:that|to|how|if)(?![a-z]))"
)
REFUSED = (
    r"(?:(?:does|do|did|can|could|will|would)(?: not|n't|not) (?:hold|work|apply|follow|be (?:true|right|correct))|"
    r"(?:can(?: not|not|'t)|must not) be|fails|(?:is|are|was|were)n't (?:true|right|correct|valid|the case)|never holds)(?![A-Za-z]| that(?![a-z]))"
)
LY = r"(?:[a-z]{2,12}ly |also |just |still |thus |therefore |then |quite |of course )?"
DENIED_BEHIND = re.compile(
    rf"[\s,:;)\]—–\-←#/|→!]*(?:\(\s*)?(?:(?:which|that|this|it) )?(?:(?:is|are|was|were|would be|will be|would have been|must be|seems|looks) )?{LY}"
    rf"(?:{NOT_SO}|{REFUSED})|\s*[\s(,—–\-←#]*[✗✘❌🚫]|\s*[(,—–\-←]?\s*×\s*(?:\)|\Z)",
    re.IGNORECASE,
)
DENIED_NEXT = re.compile(
    rf"[\s.!。)]*(?:(?:this|that|it|she|he|the (?:last|above|equation|result|value))(?: (?:line|equation|result|value|claim|step))? (?:is|was) {LY}{NOT_SO}|"
    rf"(?:this|that|it) {REFUSED}|(?:wrong|false|incorrect)[.!])",
    re.IGNORECASE,
)
SAYING = r"(?:say|write|think|believe|claim|conclude|assume|compute|calculate|use|take|set|put|state|suppose|expect|get|read|have|obtain)"
PEOPLE = r"(?:one|you|we|people|students?|beginners?|readers?|some|many|they|someone|i)"
DENYING = re.compile(
    rf"(?<![a-z])(?:(?:wrong|false|incorrect|not true|not right|not correct|untrue|not the case|a mistake|an error|a fallacy|a misconception|tempting|absurd|mistaken) (?:that|to {SAYING})|"
    rf"{PEOPLE} (?:might|may|could|would|often|sometimes)(?: \w{{1,12}}ly)?(?: have)? (?:thinks?|thought|believed?|imagined?|guess(?:ed)?|expect(?:ed)?)|"
    rf"tempted to {SAYING}|wrongly|mistakenly|incorrectly|erroneously|falsely|naively|by contradiction|for contradiction|as though|as if|"
    rf"(?:common|typical|frequent|classic|usual|popular) (?:mistakes?|errors?|pitfalls?|misconceptions?)|mistakes? (?:is|are|would be|was|here|to|like|such as)|misconception|pitfall|fallacy|"
    rf"(?:do not|don't|never|must not|should not|shouldn't|cannot|can't|can not) {SAYING}|"
    rf"(?:does|do|did|would|will|can|could|need)(?: not|n't) (?:(?:hold|follow|mean|imply|show|result) (?:that|in)|(?:give|yield|make|become|mean|imply)\s*\Z)|(?:is|are)(?: not|n't) (?:true|right|correct|the case) that|"
    rf"contrary to|if (?:it|this|that) were (?:true|so))(?![a-z])(?P<between>[^;]{{0,120}})\Z",
    re.IGNORECASE,
)
TURNING = re.compile(
    r"(?<![A-Za-z])(?:but|since|because|so|therefore|hence|thus|whereas|while|instead|actually|reality|fact|correct|right|really|indeed|rather|however|as)(?![A-Za-z])|[=≈]\s*[^\s,;]{1,40},",
    re.IGNORECASE,
)
LABEL = re.compile(
    r"(?:\A|[\s(>.\-|])(?:(?:wrong|incorrect|false|bad)(?: \w{1,12})?|(?:common |typical )?mistake|pitfall)\s*[:：]\s*\Z|"
    r"(?:\A|[\s(（【「|])(?:誤|NG)\s*[)）】」]?\s*[:：]?\s*\Z|[✗✘❌🚫]\s*[:：]?\s*\Z|(?:\A|\n)\s*[-|]?\s*×\s*[:：]?\s*\Z",
    re.IGNORECASE,
)
# what is warned of is judged, and no fault of the document: and not 2 + 2 = 5
WARNED_BEFORE = re.compile(r"(?<![a-z])(?:not|never|rather than|instead of|unlike)\s+\Z", re.IGNORECASE)
WARNED_BEHIND = re.compile(
    r"[\s、，」』）)]*(?:と(?:いう|する|した|書く|考える|計算する)(?:誤り|間違い|ミス)|としては(?:いけ|なら)|と(?:書|計算)(?:いて|して)は(?:いけ|なら))"
)
STRUCK = re.compile(r"(?:\\(?:x|b)?cancel|\\sout|\\st|<(?:s|del|strike)>|~~)\s*\{?\s*(?:\$|\\[(\[])?\s*\Z")
JA_BEHIND = re.compile(
    r"[\s、，」』）)]*(?:(?:という|と(?:する|した|書く|考える|計算する|なる)|になるという)(?:の|こと|もの|式|計算|答え|結果|主張)(?=[はがも]))?\s*"
    r"(?:ではな[いくさ]|でない|でなく|じゃない|ではありません|とはな(?:らない|りません)|にはな(?:らない|りません)|にならない|とならない|"
    r"とは(?:限らない|言えない|いえない)|(?:は|が|も|って)?\s*(?:誤り|誤答|間違い|間違って|間違え|まちがい|不正解|偽|嘘|誤解|勘違い)(?!な|はな|ではな|でな|じゃな|に?気)|"
    r"(?:は|が|も)\s*(?:正しくな|正しくありま|成り立たな|成り立ちま|成立しな|不成立|おかしい|ありえな|あり得な|NG|ダメ|だめ|違う)|"
    r"としない(?:こと|よう|で)|と(?:間違え|混同)|(?:だ|である)?と(?:思って|信じて|考えて)いた|(?:だ|である)?と(?:つい)?(?:思|考え|勘違い|誤解|錯覚)[^。、]{0,6}(?:かもしれ|がち|やす|そうにな|たくな|てしま)|"
    r"と(?:勘違い|誤解|錯覚)|是错|(?:是)?(?:错误|不对|不正确|不成立))"
)
JA_BEFORE = re.compile(
    r"(?:誤って|誤り|間違って|間違い|誤答|誤解|勘違い|不正解|誤った(?:例|計算|式|答え)|悪い例|NG例?|よくあるミス|落とし穴|错误|误以为|误认为)(?!な|はな|ではな|でな|じゃな)"
    r"(?P<between>[^。\n]{0,14})\Z"
)
JA_TURNING = re.compile(r"正し|正解|実際|しかし|ので|から|だが|が、|直")

# -- questions, conditions ----------------------------------------------------------------------------------------------
ASKED = re.compile(r"[^?？。.!]{0,60}(?:[?？]|(?:でしょう|だろう|です|ます)か[。\s]|か。)")
WHETHER = re.compile(
    r"(?<![A-Za-z])(?:whether|prove or disprove|true or false|right or wrong)[\s:：]*\Z|(?:正しいか|真か偽か|正誤)[^。]{0,12}[:：]\s*\Z",
    re.IGNORECASE,
)
WHY = re.compile(r"(?<![A-Za-z])(?:why|how)(?![A-Za-z])|なぜ|どうして|何故", re.IGNORECASE)
IF = re.compile(
    r"(?<![A-Za-z])(?:if|unless|in case|assuming(?: that)?|provided(?: that)?)(?![A-Za-z])[^=<>≈]{0,40}\Z|(?:もし|仮に)[^=<>≈。]{0,20}\Z",
    re.IGNORECASE,
)
FOR = re.compile(r"(?<![A-Za-z])(?:for|when|whenever|with|at|once|taking)(?![A-Za-z])[^=<>≈]{0,30}\Z", re.IGNORECASE)
SUPPOSING = re.compile(
    r"(?<![A-Za-z])(?:if|suppose|assume|assuming|imagine|pretend)(?: that)?[ ,]*\Z|(?:もし|仮に)[\s、]*\Z",
    re.IGNORECASE,
)
# if we had 1 + 1 = 3, then; if the model had been certain, p = 0.99, the loss would be
SUPPOSED_OF = re.compile(
    r"(?<![A-Za-z])if [^.,;=<>≈]{1,40}(?<![A-Za-z])(?:had|were|was|said|wrote|claimed|believed|thought|assumed|pretended)(?: that)?\s*\Z|"
    r"(?<![A-Za-z])if [^.,;=<>≈]{1,40}(?<![A-Za-z])(?P<aside>had|were|was)(?![A-Za-z])[^.,;=<>≈]{1,40},\s*\Z",
    re.IGNORECASE,
)
ASIDE = re.compile(
    r"\s*,\s*(?:then|the|we|it|its|this|that|these|those|our|you|your|one|they|there|a|an|i)(?![A-Za-z])", re.IGNORECASE
)
# if 2 + 2 were 5, i.e. 2 + 2 = 5: what is contrary to fact, and what a condition says once more in other words
COUNTERFACTUAL = re.compile(
    r"(?<![A-Za-z])(?:if|suppose|imagine|pretend|assume)(?![A-Za-z])[^.,;]{0,60}[0-9][^.,;]{0,30}(?<![A-Za-z])(?:were|had been|equall?ed)(?![A-Za-z])"
    r"[^.,;]{0,30}[0-9](?P<between>[^.;]{0,120})\Z|"
    r"(?:もし|仮に)[^。、]{0,40}[0-9][^。、]{0,10}[がは][^。、]{0,10}[0-9][^。、]{0,10}(?:だった|であった|だとし|になる|なら)(?P<ja>[^。]{0,60})\Z",
    re.IGNORECASE | re.DOTALL,
)
SAID_AGAIN = re.compile(
    r"(?<![A-Za-z])(?:if|suppose|assume|assuming|imagine|pretend)(?![A-Za-z])(?P<between>[^;]{0,120}?)(?<![A-Za-z])"
    r"(?:i\.e\.|that is(?: to say)?|namely|in other words|in symbols|meaning(?: that)?|equivalently)[\s,:]*\Z|"
    r"(?:もし|仮に)(?P<ja>[^。]{0,60}?)(?:すなわち|つまり|言い換えると|換言すれば)[\s、]*\Z",
    re.IGNORECASE | re.DOTALL,
)
MAY_SUPPOSE = re.compile(r"(?:if|suppos|assum|imagin|pretend)|もし|仮に", re.IGNORECASE)
BACK_TO_FACTS = re.compile(
    r"(?<![A-Za-z])(?:then|but|in fact|actually|in reality|whereas|however|really|since|because|instead)(?![A-Za-z])|実際|しかし|だが|ところが",
    re.IGNORECASE,
)
GIVEN_BEHIND = re.compile(rf"(?P<name>{NAME})\s*=\s*(?P<value>[-−]?[0-9]+(?:\.[0-9]+)?)(?![0-9.]*[A-Za-z_^])")
JA_IF = re.compile(r"[\s、」]*(?:なら|だったら|であれば|とすれば|だとすれば|だとすると)")
JA_FOR = re.compile(r"[\s、」]*(?:の(?:とき|時|場合)|において|に対し)")
CONDITION_WORD = r"(?:if|when|whenever|unless|for|provided|assuming|in case|as long as|as|in the limit|given|once|while|only if|iff|where|with|in which|suppose|let|set|take)"
CLAUSE_BEFORE = re.compile(
    rf"(?<![A-Za-z]){CONDITION_WORD}(?![A-Za-z])(?P<clause>.{{1,160}})\Z", re.IGNORECASE | re.DOTALL
)
CLAUSE_BEHIND = re.compile(
    rf"[\s,，(（]{{0,8}}(?:\\q?quad)?[\s,(]{{0,8}}{CONDITION_WORD}(?![A-Za-z])(?P<clause>.{{1,120}})",
    re.IGNORECASE | re.DOTALL,
)
JA_CLAUSE = re.compile(
    r"(?P<clause>[^。]{1,80}?)(?:の(?:とき|時|場合)|なら|であれば|において|に対し|に限り|とすると|とすれば)"
)
BARE = re.compile(rf"(?:[,，(（\s]|\\q?quad){{0,12}}(?P<clause>{NAME}\s*{COMPARING}[^,.。()（）]{{1,40}})")
COPULA = r"(?:is|are|was|were|be|to|becomes|equals|→)"
STATE = r"(?:[-−]?[0-9]|\\?infty|∞|(?:a |an )?(?:positive|negative|zero|non-?zero|even|odd|large|small|near|close|greater|less|at least|at most|between|equal)(?![a-z]))"
JA_STATE = r"(?:[-−]?[0-9]|∞|正|負|非負|偶数|奇数|以上|大き|小さ|等し|ゼロ)"
COMPARED = re.compile(
    rf"(?P<a>{NAME})\s*(?:{COMPARING}|\s{COPULA} (?:not )?{STATE}|[がはを]\s?{JA_STATE})|{COMPARING}\s*(?P<b>{NAME})|"
    rf"(?:positive|negative|non-?zero|non-?negative|even|odd|large|small)\s(?P<c>{NAME})(?![A-Za-z])"
)


SPACE = r"(?:\\(?:mathbb|mathbf|mathds)\s*\{?\s*R\s*\}?|\\R(?![A-Za-z])|ℝ)"
IN_A_SPACE = re.compile(  # X ∈ ℝⁿˣᵈ gives a size and no condition, as x ∈ ℝ₊ does
    rf"(?:∈|\\in(?![A-Za-z]))\s*{SPACE}\s*(?:\^\s*(?:\{{(?:[^{{}}+>≥]|\{{[^{{}}]*\}})*\}}|[A-Za-z0-9]))?(?!\s*[_^+>])"
)
SAYS = re.compile(r"[A-Za-z]\.?[A-Za-z]|[^\x00-\x7f]|[<?~]")  # without it there are formulas of single letters only


@dataclass(frozen=True)
class Saying:
    """`takes_back`: denied, warned of, asked, or of another arithmetic; `supposes`: if, for or nothing; `conditions`: names it is restricted by."""

    takes_back: str = ""
    supposes: str = ""
    conditions: frozenset[str] = frozenset()
    sentence: int = -1  # where it begins
    given: tuple[tuple[str, str], ...] = ()  # for which values it is said: 2x = 8 if x = 4
    of_digits: bool = False  # the other arithmetic has other digits, or sums
    has_unit: bool = False  # one follows: $7200 = 2$ hours
    hundredths: str = ""  # what the number at the end counts: percent, points, perhaps points
    gives: str = ALONE  # how it gives a name a value: on its own line, by clear words, or in passing
    goes_on: bool = False  # with what the sentence before said
    clause: int = -1  # where the lines begin that run on to it, unless it is said of the document's own


def said_of(document: Document, chain: list[Relation], heading: str = "") -> Saying:
    """What the sentence around a chain says of it."""
    origins = [o for o in (*chain[0].left.origins, *chain[-1].right.origins) if o >= 0]
    if not origins:
        return Saying()
    first, last = min(origins), max(origins)
    raw_before, raw_behind = document.sources.sentence(first, last)
    before, behind = _plain(_running_on(raw_before)), _plain(_running_off(raw_behind))
    beyond = _plain(_running_off(document.sources.beyond(last, 200)))
    begins = document.sources.beginning(first, raw_before)
    if SAYS.search(f"{raw_before} {raw_behind} {beyond} {heading}") is None:
        gives = MENTIONED if is_elsewhere(document.sources.leading(first)) else ALONE
        return Saying(conditions=conditions(before, behind), sentence=begins, gives=gives)
    is_struck = STRUCK.search(raw_before) is not None
    takes_back = "denied" if is_struck or is_denied(before, behind, beyond) or LABEL.search(heading + ":") else ""
    takes_back = takes_back or ("warned" if WARNED_BEFORE.search(before) or WARNED_BEHIND.match(behind) else "")
    takes_back = takes_back or ("asked" if is_asked(before, beyond) else "")
    takes_back = takes_back or ("other_arithmetic" if OTHER_ARITHMETIC.search(f"{before} | {behind}") else "")
    takes_back = takes_back or ("supposed" if is_supposed(before, behind) else "")
    name_alone = len(chain) == 1 or chain[0].sign in ("=", ":=")
    supposes = _supposes(before, behind) if name_alone else ""
    of_digits = OF_DIGITS.search(f"{before} | {behind}") is not None
    counts = hundredths_told(before, behind)
    has_unit = UNIT_BEHIND.match(behind) is not None
    gives = way_of_giving(raw_before, _running_off(raw_behind), before, chain[0].left.text)
    is_aside = gives == ALONE and (takes_back == "asked" or is_elsewhere(document.sources.leading(first)))
    gives = MENTIONED if is_aside else ALONE if chain[0].sign == ":=" else gives
    clause = -1 if is_of_own(before) else begins + len(raw_before) - len(_running_on(raw_before))
    told = conditions(before, behind), begins, _given(behind), of_digits, has_unit, counts
    return Saying(takes_back, supposes, *told, gives, goes_on(before), clause)


def is_denied(before: str, behind: str, beyond: str = "") -> bool:
    """Whether words directly beside an equation say that it does not hold.

    >>> is_denied("It is wrong that ", ""), is_denied("", " is wrong"), is_denied("", "ではない"), is_denied("誤り: ", "")
    (True, True, True, True)
    >>> is_denied("It is wrong to divide by 3, since ", ""), is_denied("", ", not surprisingly"), is_denied("", "で間違いない")
    (False, False, False)
    """
    if DENIED_BEHIND.match(behind) or JA_BEHIND.match(behind) or LABEL.search(before):
        return True
    if not behind.strip(" .,。、)」") and DENIED_NEXT.match(beyond):
        return True
    found, japanese = DENYING.search(before), JA_BEFORE.search(before)
    if found is not None and not TURNING.search(found["between"]):
        return True
    return japanese is not None and not JA_TURNING.search(japanese["between"])


def is_supposed(before: str, behind: str) -> bool:
    """Whether it is a condition, or said of what is not so.

    >>> is_supposed("If ", ", then"), is_supposed("If 2+2 were 5, i.e. ", ", then"), is_supposed("", " なら")
    (True, True, True)
    >>> is_supposed("If 2+2 were 5, we would err; in fact ", ""), is_supposed("If a were omitted, we would have ", "")
    (False, False)
    >>> is_supposed("If we had ", ", then"), is_supposed("If the model had been sure, ", ", the loss would be less")
    (True, True)
    """
    if SUPPOSING.search(before) or JA_IF.match(behind):
        return True
    found = SUPPOSED_OF.search(before)
    if found is not None and (not found["aside"] or ASIDE.match(behind)):
        return True
    for pattern in (COUNTERFACTUAL, SAID_AGAIN) if MAY_SUPPOSE.search(before) else ():
        found = pattern.search(before)
        if found is not None:
            between = found["between"] or found["ja"] or ""
            turns = BACK_TO_FACTS.search(between.replace("then", "") if pattern is COUNTERFACTUAL else between)
            if turns is None:
                return True
    return False


def is_asked(before: str, behind: str) -> bool:
    """`Is 2 + 2 = 5?`; what `why` asks is taken to be so.

    >>> is_asked("Is ", "? No."), is_asked("Why is ", "?"), is_asked("", "でしょうか。"), is_asked("", ". What now?")
    (True, False, True, False)
    """
    if WHETHER.search(before):
        return True
    return ASKED.match(behind) is not None and WHY.search(before) is None


def conditions(before: str, behind: str) -> frozenset[str]:
    """The names of which a clause says that they are more than, less than, or something else.

    >>> sorted(conditions("for x > 0, ", "")), sorted(conditions("", " if n is even")), sorted(conditions("for the x ", ""))
    (['x'], ['n'], [])
    """
    clauses = [found["clause"] for found in (CLAUSE_BEFORE.search(before), CLAUSE_BEHIND.match(behind)) if found]
    clauses += [found["clause"] for found in (JA_CLAUSE.match(before), BARE.match(behind)) if found]
    clauses = [IN_A_SPACE.sub(" ", clause) for clause in clauses]
    names = [name for clause in clauses for found in COMPARED.finditer(clause) for name in found.groups() if name]
    return frozenset(name.lstrip("\\") for name in names)


def _given(behind: str) -> tuple[tuple[str, str], ...]:
    """The values for which alone an equation is said.

    >>> _given(" if x = 4"), _given(". Now x = 4")
    ((('x', '4'),), ())
    """
    clause = CLAUSE_BEHIND.match(behind)
    found = GIVEN_BEHIND.findall(clause["clause"]) if clause else []
    return tuple((name.lstrip("\\"), value.replace("−", "-")) for name, value in found)


def _supposes(before: str, behind: str) -> str:
    if IF.search(before) or JA_IF.match(behind):
        return "if"
    return "for" if FOR.search(before) or JA_FOR.match(behind) else ""


def _running_on(before: str) -> str:
    """The line, with those before it that it goes on with: it begins with a small letter, or they end openly."""
    lines = before.splitlines() if not before.endswith(("\n", "\r")) else [*before.splitlines(), ""]
    found = lines.pop() if lines else ""
    while lines:
        bare = SETTING.sub("", found).strip(" \t>")
        goes_on = not bare or bare[0].islower() or OPEN_END.search(SETTING.sub("", lines[-1])) is not None
        if not goes_on:
            break
        found = f"{lines.pop()}\n{found}"
    return found


def _running_off(behind: str) -> str:
    """To the end of the line, and further while the next begins with a small letter or goes on in kana."""
    lines = behind.splitlines()
    found = lines[0] if lines else ""
    for line in lines[1:]:
        bare = SETTING.sub("", line).strip(" \t>")
        begins = bare[:1]
        if not (begins.islower() or "\u3041" <= begins <= "\u3096"):
            break
        found = f"{found} {line}"
    return found


def _plain(text: str) -> str:
    """Without what sets it, so that words stand beside each other as they are read."""
    return re.sub(r"[ \t\r\n]+", " ", SETTING.sub(" ", text).replace("’", "'"))
