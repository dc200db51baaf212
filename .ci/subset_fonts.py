"""The Japanese fonts of PDF pages, cut down to the characters that Japanese text needs.

    python .ci/subset_fonts.py FOLDER_OF_PACKAGES symtransformer/rendering/fonts

FOLDER_OF_PACKAGES holds `package/` of each npm package named below, unpacked as NAME/package.
It needs fonttools; the same files come out on every run, and their SHA-256 sums are printed.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

SOURCES = {
    "BIZUDMincho-Regular.ttf": "biz-udmincho/package/400Regular/BIZUDMincho_400Regular.ttf",
    "BIZUDGothic-Bold.ttf": "biz-udgothic/package/700Bold/BIZUDGothic_700Bold.ttf",
}
EXTENSIONS = (0x87, 0xED, 0xEE, 0xFA, 0xFB, 0xFC)  # rows of code page 932 beyond JIS X 0208: names such as 髙 and 﨑


def jis_x_0208(last_row: int = 84) -> set[str]:
    """The characters of its rows 1 to `last_row`; the kanji of level 1 end in row 47."""
    codes = (bytes([row + 0xA0, cell + 0xA0]) for row in range(1, last_row + 1) for cell in range(1, 95))
    return {code.decode("euc_jp", "ignore") for code in codes} - {""}


def extensions() -> set[str]:
    codes = (bytes([first, second]) for first in EXTENSIONS for second in range(0x40, 0xFD))
    return {c for code in codes if len(c := code.decode("cp932", "ignore")) == 1}


def reduced(source: Path, characters: set[str], target: Path) -> None:
    options = subset.Options(hinting=False, layout_features=[], notdef_outline=True, name_IDs=["*"])
    font = TTFont(source, recalcTimestamp=False)
    worker = subset.Subsetter(options)
    worker.populate(unicodes=[ord(c) for c in characters])
    worker.subset(font)
    font.save(target)


def main() -> None:
    packages, folder = Path(sys.argv[1]), Path(sys.argv[2])
    ascii_signs = {chr(code) for code in range(0x20, 0x7F)}
    wanted = {
        "BIZUDMincho-Regular.ttf": jis_x_0208() | extensions() | ascii_signs,
        "BIZUDGothic-Bold.ttf": jis_x_0208(47) | ascii_signs,
    }
    for name, source in SOURCES.items():
        reduced(packages / source, wanted[name], folder / name)
        content = (folder / name).read_bytes()
        print(f"{name}: {len(content)} bytes, {len(wanted[name])} characters, {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
