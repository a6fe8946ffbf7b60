"""Chart books: read the shipped file, store versions, hand the parsed book to whoever rolls."""

import hashlib
import json
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from firefight.engine.charts.book import Book, read_book
from firefight.engine.charts.kinds import Problem
from firefight.engine.values import Json, Values
from firefight.models import ChartBook, Match

from . import registry


class BadBook(ValueError):
    """A book that must not be used; ``problems`` lists everything that is wrong with it."""

    def __init__(self, problems: list[Problem]):
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def digest(data: Values) -> str:
    """The same for two books with the same values."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def store(game: str, data: Values, shipped: bool = False) -> ChartBook:
    """Validate a book and store it as a version of its own; an identical one is stored once.

    Raises BadBook with every problem. Blank cells are allowed.
    """
    if data.get("game") != game:
        raise BadBook([Problem("game", "", f"should be {game}")])
    # A stored book was validated when it was stored.
    if not shipped and (row := ChartBook.objects.filter(pk=digest(data)).defer("data").first()):
        return row
    book, problems = read_book(data, registry.games()[game].chart_specs)
    if problems:
        raise BadBook(problems)
    fields = {"game": game, "name": book.name, "data": data, "shipped": shipped}
    return ChartBook.objects.get_or_create(digest=digest(data), defaults=fields)[0]


@cache
def shipped_data(game: str) -> Json:
    """The plain values of a game's shipped book."""
    return registry.data_of_game(game, "chartbook") or {"game": game, "name": "No charts", "charts": {}}


@cache
def shipped(game: str) -> Book:
    """A game's shipped book, for rolls outside any match."""
    book, problems = read_book(shipped_data(game), registry.games()[game].chart_specs)
    if problems:
        raise BadBook(problems)
    return book


def read_stored(data: Mapping[str, object], game: str) -> Book:
    """A book out of plain values that were validated before."""
    return read_book(data, registry.games()[game].chart_specs)[0]


@cache
def shipped_digest(game: str) -> str:
    """The digest that the stored version of the shipped book is known by."""
    return digest(shipped_data(game))


def shipped_row(game: str) -> ChartBook:
    """The stored version of the shipped book, stored on first use."""
    row = ChartBook.objects.filter(digest=shipped_digest(game)).defer("data").first()
    return row or store(game, shipped_data(game), shipped=True)


def of_match(match: Match) -> Book:
    """The book that a match has pinned."""
    return of_version(match.book_id, match.game)


def of_version(book_digest: str, game: str) -> Book:
    """A stored version. Parsed once per process, since it never changes; the shipped one needs no reading."""
    return shipped(game) if book_digest == shipped_digest(game) else _parsed(book_digest, game)


def data_of(digests: Collection[str]) -> dict[str, dict[str, object]]:
    """The plain values of these versions, as far as they are stored here. One query."""
    return dict(ChartBook.objects.filter(pk__in=digests).order_by("pk").values_list("pk", "data"))


@lru_cache(maxsize=64)
def _parsed(book_digest: str, game: str) -> Book:
    data = ChartBook.objects.values_list("data", flat=True).get(pk=book_digest)
    book = read_stored(data, game)
    return replace(book, name=title(game, book_digest, book.name))


def title(game: str, book_digest: str, name: str) -> str:
    """What a stored version is called: every book but the shipped one with the beginning of its digest.

    A book names itself, and may take the shipped one's name or one that looks like it.
    """
    return name if book_digest == shipped_digest(game) else f"{name} · {book_digest[:8]}"


def own_name(game: str, name: str) -> str:
    """What a book on somebody's shelf is called: its name, marked if the shipped book has that name too."""
    plain, shipped_plain = (
        "".join(unicodedata.normalize("NFKC", text).casefold().split()) for text in (name, shipped(game).name)
    )
    return f"{name} (not the shipped ones)" if plain == shipped_plain else name
