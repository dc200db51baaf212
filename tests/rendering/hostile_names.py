"""Names that somebody could give to a token: markup, links, mathematics, commands and signs that are not seen."""

SEEDS = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "</td></tr></table>", "<!-- a", "-->", "--!>", "<!--", "<?php",
    "<a href='javascript:alert(1)'>x</a>", "<b>", "</p>", "<span onclick=x>", "<![CDATA[x]]>", "<svg/onload=alert(1)>", "< b", "<3",
    "[x](javascript:alert(1))", "[x](http://example.com)", "![x](http://example.com/x.png)", "[x][y]", "[x]: http://example.com", "[[x]]",
    "[^1]", "[^1]: x", "[ ]", "[x]", "- [ ] a", "<http://example.com>", "<me@example.com>", "http://example.com", "https://a.b/c?d=e&f",
    "www.example.com", "me@example.com", "mailto:me@example.com", "xmpp:a@b.c", "@somebody", "#12", "GH-12", "a/b#3", ":smile:", ":+1:",
    "`code`", "``", "`", "```", "~~~", "```math", "`x`y`", "*a*", "**a**", "***", "_a_", "__a__", "a_b_c", "~~a~~", "~a~", "==a==",
    "%%a%%", "^a^", "++a++", "::a::", "# a", "## a ##", "> a", "- a", "+ a", "* a", "1. a", "1) a", "123456789. a", "---", "===", "***",
    "___", "| a | b |", "a|b", "|---|", "\\|", "a\\", "\\\\", "\\*a\\*", "\\", "\\(x\\)", "\\[x\\]", "\\\\(x\\\\)", "$x$", "$$x$$", "$5 and $6",
    "$", "$`x`$", "\\$", "\\begin{align}", "\\end{aligned}", "\\begin{matrix}a\\\\b\\end{matrix}", "\\write18{rm}", "\\input{secret}", "\\text{a",
    "\\colon", "\\tag{1}", "\\url{x}", "\\href{javascript:x}{y}", "\\def\\a{b}", "\\unknown", "{", "}", "{}", "}{", "{a", "a}", "{x}", "{Q}", "{0}",
    "{math}`x`", "{.class}", "{{x}}", "{% x %}", "&amp;", "&lt;b&gt;", "&#60;", "&#x3c;", "&nbsp;", "& b", "&copy", "100%", "50 % off", "a%b",
    "% a", "+++", ":::note", "(a)=", "a & b", "a # b", "x^2", "^", "~", "a~b", "~~~", "x_1", "_", "\"a\"", "'a'", "''", "--", "a--b", "...", "!", "!a",
    "?", "a=b", "a ≈ b", "1 = 2", "= 3", "≈ 4", "a \u2212 b", "√2", "ε", "δ", "∂", "Σ", "∞", "×", "·", "⊙", "⊘", "≤", "≥", "[CLS]", "[SEP]", "<s>",
    "</s>", "<|endoftext|>", "##ing", "▁the", "Ġthe", "Ċ", "猫", "私は、", "「眠る」", "（注）", "日本語 と English", "１２", "ｱｲｳ", "é", "ß",
    "Привет", "안녕", "مرحبا", "😀", "👩\u200d👩\u200d👧", "e\u0301", "a\u202eb", "\u2066a\u2069", "a\u200bb", "\ufeffa", "a\x07b", "\x1b[31mred", "a\nb", "a\r\nb", "a\tb",
    "a\u3000b", "a\xa0b", "\ue000a\ue001", "⟦0⟧", "a ≠ b", "\u0301", "$\u0301", "e\u0301", "NaN", "None", "true", "a" * 80, "*" * 30, "[" * 30, "(" * 30, "$" * 9, "`" * 9, "\\" * 9,
)  # fmt: skip
NAMES = tuple(dict.fromkeys(name for name in SEEDS))
