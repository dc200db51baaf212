"""Compile every .tex below a folder with LuaLaTeX, twice, and refuse what a reader would stumble over.

A fragment is read into an article, a two-column article and slides, by pdfLaTeX too where it holds no Japanese; macros
are read and each letter of theirs is printed.

    python .ci/compile_tex.py FOLDER WORK_FOLDER

An error, an undefined reference, a missing glyph, an overfull box over 1 pt, a font that is not
embedded: each fails. Shell escape is off, and TeX may only read and write below its own folder.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

OPTIONS = ["-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode"]
PACKAGES = r"\usepackage{amsmath,amssymb,booktabs,graphicx,xcolor,colortbl,tikz}"
JAPANESE = r"""\PassOptionsToPackage{no-math}{fontspec}
\usepackage[english]{babel}
\babelprovide[import,main,onchar=ids fonts]{japanese}
\babelfont[japanese]{rm}[BoldFont=IPAexGothic]{IPAexMincho}
\babelfont[japanese]{sf}[BoldFont=IPAexGothic]{IPAexGothic}"""
HOSTS = {
    "article": (r"\documentclass{article}", r"\begin{document}", r"\end{document}"),
    "twocolumn": (r"\documentclass[twocolumn]{article}", r"\begin{document}", r"\end{document}"),
    "slides": (
        r"\documentclass{beamer}", r"\begin{document}\begin{frame}[allowframebreaks=0.8]{A}", r"\end{frame}\end{document}",
    ),
}  # fmt: skip
HIGH_ON_SLIDES = 6  # points; beamer breaks frames by guesswork
REFUSED = [
    (re.compile(r"^! .*", re.M), "error"),
    (re.compile(r"Missing character: .*"), "missing glyph"),
    (re.compile(r".*(?:Reference|Citation) `.*' .*undefined.*"), "undefined reference"),
    (re.compile(r"There were undefined references.*"), "undefined reference"),
    (re.compile(r".*Label `.*' multiply defined.*"), "label defined twice"),
]
NOT_WESTERN = re.compile("[\u3000-\u9fff]")
OVERFULL = re.compile(r"Overfull \\[hv]box \(([0-9.]+)pt too (?:wide|high)\).*")


def faults_in(log: str) -> list[str]:
    """What the log of a run says that no page may have."""
    log = re.sub(r"(?<=.{79})\n", "", log)  # TeX breaks its lines at 79 columns
    faults = [f"{kind}: {found[0].strip()}" for pattern, kind in REFUSED for found in pattern.finditer(log)]
    faults += [f"overfull box: {found[0]}" for found in OVERFULL.finditer(log) if float(found[1]) > 1]
    return faults


def documents_of(source: Path) -> list[tuple[str, str, str]]:
    """Name, engine and text of the documents by which a file is tried."""
    text = source.read_text(encoding="utf-8")
    if source.name.endswith(".macros.tex"):
        letters = re.findall(r"^\\symset\{letter/([^}]*)\}", text, re.M)
        shown = "\n".join(rf"\symletter{{{letter}}}" for letter in letters)
        return [("article", "lualatex", _hosted("article", PACKAGES, f"\\input{{{source.name}}}\n{shown}"))]
    if not source.name.endswith(".fragment.tex"):
        return [("", "lualatex", text)]
    western = NOT_WESTERN.search(text) is None
    packages = PACKAGES if western else f"{PACKAGES}\n{JAPANESE}"
    read = f"Before.\n\\input{{{source.name}}}\nBehind."
    return [
        (host, engine, _hosted(host, packages, read))
        for host in HOSTS
        for engine in ("lualatex", "pdflatex")
        if western or engine == "lualatex"
    ]


def _hosted(host: str, packages: str, text: str) -> str:
    head, begin, end = HOSTS[host]
    return f"{head}\n{packages}\n{begin}\n{text}\n{end}\n"


def compile_one(source: Path, folder: Path) -> list[str]:
    """The faults of one file, compiled in a folder of its own, in every document that it is for."""
    faults = []
    for host, engine, text in documents_of(source):
        place = folder / f"{host}-{engine}" if host else folder
        place.mkdir(parents=True)
        if host:
            shutil.copy(source, place / source.name)
        name = "document.tex" if host else source.name
        (place / name).write_text(text, encoding="utf-8")
        found = _faults(engine, place, name)
        if host == "slides":
            found = [fault for fault in found if not _is_a_little_too_high(fault)]
        faults += [f"{host} by {engine}: {fault}" if host else fault for fault in found]
    return faults


def _is_a_little_too_high(fault: str) -> bool:
    found = re.search(r"vbox \(([0-9.]+)pt too high", fault)
    return found is not None and float(found[1]) < HIGH_ON_SLIDES


def _faults(engine: str, folder: Path, name: str) -> list[str]:
    environment = {**os.environ, "openin_any": "p", "openout_any": "p", "max_print_line": "10000"}
    for _ in range(2):
        run = subprocess.run(
            [engine, *OPTIONS, name], cwd=folder, env=environment, capture_output=True, timeout=300, check=False
        )
    log = (folder / name).with_suffix(".log").read_text(encoding="utf-8", errors="replace")
    faults = faults_in(log)
    if run.returncode and not faults:
        faults.append(f"{engine} ended with {run.returncode}")
    return faults or _not_embedded((folder / name).with_suffix(".pdf"))


def _not_embedded(pdf: Path) -> list[str]:
    """The fonts that are not in the file; nothing where poppler is not installed."""
    if shutil.which("pdffonts") is None:
        return []
    listed = subprocess.run(["pdffonts", pdf], capture_output=True, text=True, check=True).stdout.splitlines()
    column = listed[0].index("emb")
    return [f"font not embedded: {line.split()[0]}" for line in listed[2:] if not line[column:].startswith("yes")]


def main() -> int:
    sources = sorted(Path(sys.argv[1]).rglob("*.tex"))
    work = Path(sys.argv[2])
    bad = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the work is done by lualatex, a process of its own
        found = pool.map(lambda source: compile_one(source, work / source.parent.name / source.stem), sources)
        for source, faults in zip(sources, found, strict=True):
            print(f"{source}: {'; '.join(faults) if faults else 'clean'}")
            bad += bool(faults)
    if not sources:
        print(f"no .tex below {sys.argv[1]}")
        return 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
