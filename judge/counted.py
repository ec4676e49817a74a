"""A number and what it counts, in the grammar of people: `1 byte`, `2 bytes`, `1 index`."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """`1 case`, `0 cases`; of several words (`more line`) the last one takes the plural."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Of the nouns that this project counts: `bytes`, `indices`, `batches`."""
    if noun.endswith("index"):
        return noun.removesuffix("index") + "indices"
    return noun + ("es" if noun.endswith(("ch", "s", "x")) else "s")
