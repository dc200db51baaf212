"""The pages that come with the project are what the library makes today."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.pinned
def test_output_is_current(command, tmp_path):
    code, out, err = command("build", "--lang", "en,ja", "--out", str(tmp_path))
    assert (code, err) == (0, "")
    made = {p.relative_to(tmp_path).as_posix(): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    kept = {
        p.relative_to(ROOT / "output").as_posix(): p.read_bytes() for p in (ROOT / "output").rglob("*") if p.is_file()
    }
    assert sorted(made) == sorted(kept)
    assert len(made) == len(out.splitlines()) == 4 * len(list((ROOT / "derivations").glob("*.py")))
    for name, text in made.items():
        assert kept[name] == text, f"output/{name} is not what would be written; run: symtransformer build --lang en,ja"
