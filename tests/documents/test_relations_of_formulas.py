"""The relations of a formula in LaTeX: chain, place, sides, what stands in the row before, and the condition beside it."""

import pytest

from symtransformer.documents import read_document, split


def relations(text):
    return [
        f"{r.chain} {r.line}:{r.column} {' '.join(r.left.text.split())} {r.sign} {' '.join(r.right.text.split())}"
        + " above" * r.above
        + f" if {r.condition}" * bool(r.condition)
        for r in split(read_document(text.encode(), "a.md"))[0]
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("$a = 3 \\text{ GB}$", ["1 1:4 a = 3"]),
        ("$a = 3 \\text{ thousand}$", ["1 1:4 a = 3 \\text{ thousand}"]),
        ("$a = 3~\\text{million}$", ["1 1:4 a = 3~\\text{million}"]),
        ("$3 \\text{ GB} = 3 \\text{ GB}$", ["1 1:15 3 = 3"]),
        ("$3 \\text{ GB} = 3000 \\text{ MB}$", ["1 1:15 3 \\text{ GB} = 3000 \\text{ MB}"]),
        ("$3\\text{GB} = 3 \\text{ MB} = 5$", ["1 1:13 3\\text{GB} = 3 \\text{ MB}", "1 1:28 3 \\text{ MB} = 5"]),
        ("$a = \\text{ about } 3$", ["1 1:4 a = 3"]),
        ("$a = 3 \\text{ dozen}$", ["1 1:4 a = 3 \\text{ dozen}"]),
        ("$a = 2 \\text{ plus } 3$", ["1 1:4 a = 2 \\text{ plus } 3"]),
        ("$a = \\text{twice } b$", ["1 1:4 a = \\text{twice } b"]),
        ("$a = 3 \\text{ (see below)}$", ["1 1:4 a = 3"]),
        ("$a = 3 \\text{ for all tokens}$", ["1 1:4 a = 3"]),
        ("$a = 3 \\text{です}$", ["1 1:4 a = 3"]),
        ("$a = \\text{loss} + 2$", ["1 1:4 a = \\text{loss} + 2"]),
        ("$a = 2 \\text{loss}$", ["1 1:4 a = 2 \\text{loss}"]),
        ("$a = \\text{loss}(2)$", ["1 1:4 a = \\text{loss}(2)"]),
        ("$a = \\text{the loss}(2)$", ["1 1:4 a = \\text{the loss}(2)"]),
        ("$\\text{loss: } a = 2$", ["1 1:18 a = 2"]),
        ("$\\text{loss. } 2 a = 2$", ["1 1:20 2 a = 2"]),
        ("$a = 3 \\text{ 万}$", ["1 1:4 a = 3 \\text{ 万}"]),
        ("$a = x_{\\text{the best}}$", ["1 1:4 a = x_{\\text{the best}}"]),
        ("$\\text{and } a = 3$", ["1 1:16 a = 3"]),
        ("$\\text{ AND } a = 3$", ["1 1:17 a = 3"]),
        ("$\\mathrm{where} a = 3$", ["1 1:19 a = 3"]),
        ("$\\text{so}$", []),
        ("$a = 128\\times$", ["1 1:4 a = 128"]),
        ("$a = 128×$", ["1 1:4 a = 128"]),
        ("$a = x\\times$", ["1 1:4 a = x\\times"]),
        ("$a = 0.66...$", ["1 1:4 a = 0.66..."]),
        ("$a = 0.66....$", ["1 1:4 a = 0.66..."]),
        ("$a = 0.66... .$", ["1 1:4 a = 0.66..."]),
        ("$a = ...$", ["1 1:4 a = "]),
        ("$a = 1, ..., 3$", ["1 1:4 a = 1, ..., 3"]),
        ("$a = 3.$", ["1 1:4 a = 3"]),
        ("$a = 3\\,.$", ["1 1:4 a = 3"]),
        ("$(a = 1) \\Rightarrow (b = 2)$", ["1 1:5 a = 1", "2 1:25 b = 2"]),
        ("$(a = 1) \\Rightarrow b = 2$", ["1 1:5 a = 1", "2 1:24 b = 2"]),
        ("$(a = 1) = (b = 2)$", ["1 1:5 a = 1", "2 1:15 b = 2", "3 1:10 (a = 1) = (b = 2)"]),
        ("$((a = 1)) \\to c$", ["1 1:6 a = 1"]),
        ("$a = 1 \\to b = 2 \\to c$", ["1 1:4 a = 1", "2 1:14 b = 2"]),
        ("$a < 1 = b$", ["1 1:4 a < 1", "2 1:8 1 = b"]),
        ("$a = 1 < b = 2$", ["1 1:4 a = 1", "2 1:8 1 < b", "3 1:12 b = 2"]),
        ("$a < b$", ["1 1:4 a < b"]),
        ("$a \\le b \\le c$", ["1 1:4 a ≤ b", "2 1:10 b ≤ c"]),
        ("$a \\to b$", []),
        ("$= b$", ["1 1:2  = b"]),
        ("$a =$", []),
        ("$a = = b$", ["1 1:4 a = ", "1 1:6  = b"]),
        ("$w_1: a = 2$", ["1 1:9 a = 2"]),
        ("$1 : a = 2$", ["1 1:8 1 : a = 2"]),
        ("$a : b : c = 2$", ["1 1:12 a : b : c = 2"]),
        ("$\\frac{1}{2} : 3 = 2$", ["1 1:18 \\frac{1}{2} : 3 = 2"]),
        ("$a = 1 : 2$", ["1 1:4 a = 1 : 2"]),
        ("$: a = 2$", ["1 1:6 a = 2"]),
        ("$a: = 2$", ["1 1:5 a = 2"]),
        ("$(a: b = 2)$", ["1 1:8 b = 2"]),
        ("$a = b, i = j$", ["1 1:4 a = b if i = j", "2 1:11 i = j if i = j"]),
        ("$$a = b \\quad i = j$$", ["1 1:5 a = b if i = j", "2 1:17 i = j if i = j"]),
        ("$$a_{ij} = 2 \\quad (i \\ne j)$$", ["1 1:10 a_{ij} = 2 if i \\ne j", "2 1:23 i ≠ j if i \\ne j"]),
        ("$a = 1,024 + 2$", ["1 1:4 a = 1,024 + 2"]),
        ("$a = 1,024,000 + 2,048$", ["1 1:4 a = 1,024,000 + 2048"]),
        ("$$\\begin{aligned} a &= 1 \\\\ &+ 2 \\\\ &= 3 \\end{aligned}$$", ["1 1:22 a = 1 + 2", "1 1:38 1 + 2 = 3 above"]),
        ("$$\\begin{aligned} a &= 1 \\\\ &- 2 \\\\ &= 3 \\end{aligned}$$", ["1 1:22 a = 1 - 2", "1 1:38 1 - 2 = 3 above"]),
        ("$$\\begin{aligned} a &= 1 \\\\ - 2 &= 3 \\end{aligned}$$", ["1 1:22 a = 1", "2 1:34 - 2 = 3"]),
        ("$$\\begin{gathered} a = 1 \\\\ - 2 = 3 \\end{gathered}$$", ["1 1:22 a = 1 - 2", "1 1:33 1 - 2 = 3"]),
        ("$$\\begin{gathered} a = 1 + \\\\ 2 = 3 \\end{gathered}$$", ["1 1:22 a = 1 + 2", "1 1:33 1 + 2 = 3"]),
        ("$$\\begin{gathered} a = 1 \\times \\\\ 2 = 3 \\end{gathered}$$", ["1 1:22 a = 1 \\times 2", "1 1:38 1 \\times 2 = 3"]),
        ("$$\\begin{gathered} a = \\\\ 2 \\\\ b = 3 \\end{gathered}$$", ["1 1:22 a = 2", "2 1:34 b = 3"]),
        ("$$\\begin{gathered} a \\\\ = 2 \\\\ = 3 \\end{gathered}$$", ["1 1:25 a = 2 above", "1 1:32 2 = 3 above"]),
        ("$$\\begin{multline} a = 2 \\\\ b = 3 \\end{multline}$$", ["1 1:22 a = 2 b", "1 1:31 2 b = 3"]),
        ("$$\\begin{aligned} a &= 1, & b &= 2 \\\\ c &= 3, & d &= 4 \\end{aligned}$$", ["1 1:22 a = 1", "2 1:32 b = 2", "3 1:42 c = 3", "4 1:52 d = 4"]),
        ("$$\\begin{aligned} a &= 1, b = 2 \\\\ &= 3 \\end{aligned}$$", ["1 1:22 a = 1", "2 1:29 b = 2", "1 1:37 1 = 3 above"]),
        ("$$\\begin{aligned} a &= 1 \\\\ b \\\\ &= 3 \\end{aligned}$$", ["1 1:22 a = 1", "2 1:35 b = 3 above"]),
        ("$$a = 1$$ $$= 2$$", ["1 1:5 a = 1", "1 1:13 1 = 2 above"]),
        ("$$a$$ $$= 2$$", ["1 1:9 a = 2 above"]),
        ("$$i = j$$ $$a = 2$$", ["1 1:5 i = j if i = j", "2 1:15 a = 2 if i = j"]),
        ("$$\\begin{aligned} a &= 1 \\\\ & \\vdots \\\\ &= 3 \\end{aligned}$$", ["1 1:22 a = 1", "1 1:42 1 = 3 above"]),
        ("$$\\begin{aligned} a &= 1 \\\\ & \\text{so} \\\\ &= 3 \\end{aligned}$$", ["1 1:22 a = 1", "1 1:45 1 = 3 above"]),
        ("$$\\begin{aligned} &a \\\\ &= 2 \\\\ &= 3 \\end{aligned}$$", ["1 1:26 a = 2 above", "1 1:34 2 = 3 above"]),
        ("$$\\begin{aligned} & f(x) + 1 \\\\ &= 2 \\end{aligned}$$", ["1 1:34 f(x) + 1 = 2 above"]),
        ("$$\\begin{aligned} a &= 1 \\\\ c, b \\\\ &= 3 \\end{aligned}$$", ["1 1:22 a = 1", "2 1:38 c, b = 3 above"]),
        ("$$\\begin{aligned} a &= 1 \\\\ b \\\\ c &= 3 \\end{aligned}$$", ["1 1:22 a = 1", "2 1:37 c = 3"]),
        ("$$\\begin{aligned} a &= 1 \\\\ \\\\ &= 3 \\end{aligned}$$", ["1 1:22 a = 1", "1 1:33 1 = 3 above"]),
    ],
)  # fmt: skip
def test_relations_of_a_formula(text, wanted):
    assert relations(text) == wanted
