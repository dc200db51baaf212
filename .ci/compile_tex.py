"""Compile every .tex below a folder with LuaLaTeX, twice, and refuse what a reader would stumble over.

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

COMMAND = ["lualatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode"]
REFUSED = [
    (re.compile(r"^! .*", re.M), "error"),
    (re.compile(r"Missing character: .*"), "missing glyph"),
    (re.compile(r".*(?:Reference|Citation) `.*' .*undefined.*"), "undefined reference"),
    (re.compile(r"There were undefined references.*"), "undefined reference"),
]
OVERFULL = re.compile(r"Overfull \\[hv]box \(([0-9.]+)pt too (?:wide|high)\).*")


def faults_in(log: str) -> list[str]:
    """What the log of a run says that no page may have."""
    log = re.sub(r"(?<=.{79})\n", "", log)  # TeX breaks its lines at 79 columns
    faults = [f"{kind}: {found[0].strip()}" for pattern, kind in REFUSED for found in pattern.finditer(log)]
    faults += [f"overfull box: {found[0]}" for found in OVERFULL.finditer(log) if float(found[1]) > 1]
    return faults


def compile_one(source: Path, folder: Path) -> list[str]:
    """The faults of one page, compiled in a folder of its own."""
    folder.mkdir(parents=True)
    shutil.copy(source, folder / source.name)
    environment = {**os.environ, "openin_any": "p", "openout_any": "p", "max_print_line": "10000"}
    for _ in range(2):
        run = subprocess.run(
            [*COMMAND, source.name], cwd=folder, env=environment, capture_output=True, timeout=300, check=False
        )
    log = (folder / source.with_suffix(".log").name).read_text(encoding="utf-8", errors="replace")
    faults = faults_in(log)
    if run.returncode and not faults:
        faults.append(f"lualatex ended with {run.returncode}")
    return faults


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
