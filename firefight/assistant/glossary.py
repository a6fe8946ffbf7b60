"""Words of a game, each explained in a sentence with its rule: for the page that lists them, and for a tap on one.

Pages carry none of them. Their script fetches a game's words once, as a file that browsers keep, and finds them where
they stand.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from firefight.games import registry
from firefight.web.addresses import address_of

LONGEST = 140  # characters of a sentence: four lines of a phone


@dataclass(frozen=True, slots=True)
class GameWord:
    """A word as screens print it, and what it means. ``also``: other spellings; ``rule``: the number of its rule."""

    word: str
    rule: str
    text: str
    also: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """Where it stands on the page of all words."""
        return "w-" + "".join(letter if letter.isalnum() else "-" for letter in self.word.lower())


@cache
def list_words(game: str) -> Sequence[GameWord]:
    """The words of a game by the alphabet; none where it has no file. Raises ValueError for one that comes twice."""
    return read_words(registry.data_of_game(game, "glossary").get("word", ()))


def read_words(rows: Sequence[dict[str, str | list[str]]]) -> Sequence[GameWord]:
    """Words from a file's tables, by the alphabet. Raises ValueError for a spelling that comes twice.

    >>> read_words([{"word": "TQ", "rule": "18.2", "text": "…"}, {"word": "FF", "rule": "18.1", "text": "…"}])[0].word
    'FF'
    >>> read_words([{"word": "E", "rule": "1", "text": "…"}, {"word": "F", "also": ["E"], "rule": "1", "text": "…"}])
    Traceback (most recent call last):
    ValueError: Explained twice: E.
    """
    words = [GameWord(**{**row, "also": tuple(row.get("also", ()))}) for row in rows]  # type: ignore[arg-type]
    spelled = [spelling for entry in words for spelling in (entry.word, *entry.also)]
    if twice := {spelling for spelling in spelled if spelled.count(spelling) > 1}:
        raise ValueError(f"Explained twice: {', '.join(sorted(twice))}.")
    return tuple(sorted(words, key=lambda entry: entry.word.casefold()))


@cache
def write_words(game: str) -> str:
    """What a page's script fetches, as JSON: the page of all words, and each word with what it means."""
    rows = [[entry.word, list(entry.also), entry.text, entry.rule, entry.anchor] for entry in list_words(game)]
    content = {"page": address_of("firefight:words", game), "words": rows}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


@cache
def find_words_file(game: str) -> str:
    """The address of that file, another one whenever something in it changes; "" for a game without words."""
    if not list_words(game):
        return ""
    version = hashlib.sha256(write_words(game).encode()).hexdigest()[:12]
    return f"{address_of('firefight:words-json', game)}?v={version}"
