"""Completion in a shell: of commands and options by click, of names of derivations and operations here."""

from __future__ import annotations

from typing import Any

import click

from symtransformer.cli.derivations import known_derivations

COMPLETE = "_SYMTRANSFORMER_COMPLETE"  # the variable by which a shell asks
SHELLS = ("bash", "zsh", "fish")


def names_of_derivations(context: Any, parameter: Any, incomplete: str) -> list[str]:
    """The worked derivations that begin so."""
    return [name for name in known_derivations() if name.startswith(incomplete)]


def names_of_operations(context: Any, parameter: Any, incomplete: str) -> list[str]:
    """The operations that begin so."""
    import symtransformer.operations
    from symtransformer.operation import REGISTRY

    assert symtransformer.operations
    return sorted(name for name in REGISTRY if name.casefold().startswith(incomplete.casefold()))


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def completion_command(shell: str) -> None:
    """Print the script by which SHELL completes commands, options and names.

    \b
    eval "$(symtransformer completion bash)"            in ~/.bashrc
    eval "$(symtransformer completion zsh)"             in ~/.zshrc
    symtransformer completion fish | source             in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    from symtransformer.cli.commands import cli

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, "symtransformer", COMPLETE).source())
