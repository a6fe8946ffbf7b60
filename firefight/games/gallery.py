"""The counters of a game: the shipped ones or those of other content, and where their pictures are."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlencode

from django.conf import settings

from firefight.engine.values import Json, Values
from firefight.kit.counters import GameKind
from firefight.kit.game import Game
from firefight.web.addresses import address_of

from . import registry

Kinds = Mapping[Any, Values]  # by side and key


@cache
def shipped_data(game: str) -> Json:
    """The plain values of a game's shipped counters."""
    return registry.data_of_game(game, "counters")


def find_kinds(game: str, book: str = "") -> Kinds:
    """The counters of a game: the shipped ones, or those of the content that has this digest. Raises LookupError."""
    return _CONTENT[0](game, book) if book else registry.games()[game].counters.kinds


def find_kind(game: str, book: str, side: str, key: str) -> GameKind:
    """A kind of counter, or what closed ones are to those who do not know them. Raises LookupError."""
    rules = registry.games()[game].counters
    if rules.closed_kind and key == rules.closed_kind.key:
        return rules.closed_kind
    return find_kinds(game, book)[side][key]


_CONTENT: list[Callable[[str, str], Kinds]] = []


def find_in_content(find: Callable[[str, str], Kinds]) -> None:
    """Let this find the counters of a game by the digest of their content; it raises LookupError if none has it."""
    _CONTENT[:] = [find]


def find_picture(game: Game, side: str, kind: GameKind, state: Sequence[str] = (), book: str = "") -> str:
    """Where the picture of a counter is, with those marks of a state that it may carry; "" where none is drawn.

    ``book``: the content that it belongs to, if not the shipped one.
    """
    if game.gallery is None:
        return ""
    carried = [word for word in state if word in game.counters.may_carry(kind)] if state else ()
    return picture_address(game.slug, side, kind.key, carried, book)


def picture_address(game: str, side: str, key: str, state: Iterable[str] = (), book: str = "") -> str:
    """Where the picture of a counter is. It may be kept for ever: the address changes with the app or its counters."""
    return _compose_address(game, side, key, " ".join(state), book)


@lru_cache(maxsize=4_000)
def _compose_address(game: str, side: str, key: str, marks: str, book: str) -> str:
    """The same address stands on page after page. What is blank is left out."""
    parameters = {"v": _version(game), "book": book, "marks": marks}
    query = urlencode([(name, value) for name, value in parameters.items() if value])
    return f"{address_of('firefight:counter-svg', game, side, key)}?{query}"


def is_current(game: str, version: str) -> bool:
    """Whether an address was made by this version of the app."""
    return version == _version(game)


@cache
def _version(game: str) -> str:
    data = json.dumps([settings.VERSION, shipped_data(game)], sort_keys=True)
    return hashlib.sha256(data.encode()).hexdigest()[:8]
