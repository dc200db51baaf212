"""Files that need PyTorch are not looked into where it is not installed."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("torch") else ["torch_functions.py"]
