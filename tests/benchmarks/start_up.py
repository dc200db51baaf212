"""Start-up as a share of `import sympy`, side by side in one run: medians and best times of alternating runs.

    python tests/benchmarks/start_up.py

Prints the ratios; nothing is asserted.
"""

from __future__ import annotations

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
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times[name].append(time.perf_counter() - start)
    base, best = statistics.median(times["import sympy"]), min(times["import sympy"])
    for name, measured in times.items():
        ratio = statistics.median(measured) / base
        wanted = f"  (wanted: at most {REACHABLE[name]})" if name in REACHABLE else ""
        print(f"{name:45} {ratio:6.3f}  best {min(measured) / best:6.3f}{wanted}")


if __name__ == "__main__":
    main()
