"""Start-up as a share of `import sympy`, side by side in one run: medians of alternating runs, and least processor time.

    python tests/benchmarks/start_up.py

Modules are compiled once and kept, as they are where a package is installed. Prints the ratios; nothing is asserted.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

ROUNDS = 15
COMMANDS = {
    "import sympy": [sys.executable, "-c", "import sympy"],
    "symtransformer --help": [sys.executable, "-m", "symtransformer", "--help"],
    "symtransformer list": [sys.executable, "-m", "symtransformer", "list"],
    "symtransformer show explainer_chapter_4": [sys.executable, "-m", "symtransformer", "show", "explainer_chapter_4"],
    "symtransformer gradient of attention": [
        sys.executable, "-m", "symtransformer", "gradient", "softmax(Q K^T / sqrt(d_k)) V", "--wrt", "Q,K,V",
    ],
}  # fmt: skip
REACHABLE = {
    "symtransformer --help": 0.2,
    "symtransformer show explainer_chapter_4": 3.0,
    "symtransformer gradient of attention": 2.0,
}


def main() -> None:
    waited: dict[str, list[float]] = {name: [] for name in COMMANDS}
    worked: dict[str, list[float]] = {name: [] for name in COMMANDS}
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for round_ in range(ROUNDS + 1):
        for name, command in COMMANDS.items():
            start, before = time.perf_counter(), os.times()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=kept)
            if round_:  # the first compiles
                waited[name].append(time.perf_counter() - start)
                after = os.times()
                worked[name].append(sum(after[2:4]) - sum(before[2:4]))
    base, work = statistics.median(waited["import sympy"]), min(worked["import sympy"])
    for name, measured in waited.items():
        ratio = statistics.median(measured) / base
        wanted = f"  (wanted: at most {REACHABLE[name]})" if name in REACHABLE else ""
        print(f"{name:45} {ratio:6.3f}  of the processor {min(worked[name]) / work:6.3f}{wanted}")


if __name__ == "__main__":
    main()
