"""The pages that come with the project are what the library makes today."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.many
@pytest.mark.pinned
def test_output_is_current(command, tmp_path, monkeypatch):
    """Without names everything is built, and without a folder it goes to output/."""
    monkeypatch.chdir(tmp_path)
    code, out, err = command("build", "--lang", "en,ja")
    assert (code, err) == (0, "")
    assert {p.name for p in tmp_path.iterdir()} == {"output"}
    folder = tmp_path / "output"
    made = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    kept = {
        p.relative_to(ROOT / "output").as_posix(): p.read_bytes()
        for p in (ROOT / "output").rglob("*")
        if p.is_file() and p.suffix != ".pdf"  # made by the README's first command, and not kept
    }
    assert sorted(made) == sorted(kept)
    assert len(made) == len(out.splitlines()) == 6 * len(list((ROOT / "derivations").glob("*.py"))) + 2
    assert {"en/glossary.github.md", "ja/glossary.github.md"} <= set(made)
    assert sum(map(len, made.values())) < 12_000_000  # a clone stays small
    for name, text in made.items():
        assert kept[name] == text, f"output/{name} is not what would be written; run: symtransformer build --lang en,ja"


LETTER_ALONE = re.compile(r"(?<![\w'’.-])(?:[b-zB-HJ-Z]|d[A-Z])(?![\w'’-])")


def in_words(page):
    """The words of a page for a code host, without its mathematics and what stands in signs of code or in quotation marks."""
    return re.sub(r"(?s)<!--.*?-->|^```.*?^```|\$`.*?`\$|`[^`]*`|「[^」]*」|“[^”]*”", "", page, flags=re.MULTILINE)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_letters_of_formulas_are_set_as_such_among_words(language):
    """Every letter in a sentence stands in braces in its derivation: else it is printed like a word."""
    pages = [p for p in (ROOT / "output" / language).glob("*.github.md") if not p.name.startswith("glossary")]
    assert len(pages) == len(list((ROOT / "derivations").glob("*.py")))
    for page in pages:
        found = LETTER_ALONE.findall(in_words(page.read_text(encoding="utf-8")))
        assert found == [], f"{page.name}: write {{{found[0]}}}"
    assert LETTER_ALONE.findall(in_words("Of $`Z`$ each with probability p, dA, see “c”, don't")) == ["p", "dA"]
