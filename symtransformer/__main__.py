"""`python -m symtransformer`."""

from symtransformer.cli import main

main()
