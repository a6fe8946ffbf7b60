"""Where the counters of a match are kept: in its state, or as the rows of its ledger."""

import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import count

from firefight.engine.board.counters import CounterFate, CounterInPlay, Piece, id_of, list_known, show_closed
from firefight.engine.values import Json, Values
from firefight.games import registry
from firefight.kit.counters import GalleryKind
from firefight.kit.game import PageWords
from firefight.models import Match
from firefight.table.act.act import MatchAct
from firefight.table.act.ports import CounterStore

from .sheets import kinds_with_sheets
from .values import tell_kinds

ALIASES = range(10_000, 100_000)  # the numbers of ids by which others know closed counters


class StateStore:
    """The counters of a single firefight, which are part of the match's state."""

    book = ""
    areas: Sequence[str] = ()

    def __init__(self, match: Match):
        self.match = match
        self.read_from = match.state.counters
        self._counters = {counter_id: read_counter(counter_id, plain) for counter_id, plain in self.read_from.items()}
        self._by_alias = {counter.alias: counter.id for counter in self._counters.values() if counter.alias}
        self._changed: set[str] = set()
        # One request asks many times.
        self._all: list[CounterInPlay] = []
        self._known: dict[tuple[str, ...], list[CounterInPlay]] = {}

    def copied_for(self, match: Match) -> "StateStore":
        """The same counters for a copy of the match, free to be changed."""
        copied = copy(self)
        copied.match, copied._counters, copied._by_alias = match, dict(self._counters), dict(self._by_alias)
        copied._changed, copied._known = set(), dict(self._known)
        return copied

    def all(self) -> list[CounterInPlay]:
        """Every counter, also those that are gone."""
        if not self._all:
            ranks = {side: rank for rank, side in enumerate(registry.games()[self.match.game].sides)}
            self._all = sorted(
                self._counters.values(), key=lambda counter: (ranks.get(counter.side, -1), counter.number)
            )
        return self._all

    def find(self, counter_id: str) -> CounterInPlay | None:
        """A counter by its id; by an alias, what others know of it, or itself once it has been turned up."""
        counter = self.find_behind(counter_id)
        is_known = counter is None or counter_id == counter.id or not counter.closed
        return counter if counter is None or is_known else show_closed(counter, name_closed(self.match.game))

    def find_behind(self, counter_id: str) -> CounterInPlay | None:
        """A counter itself, by its id or its alias."""
        return self._counters.get(counter_id) or self._counters.get(self._by_alias.get(counter_id, ""))

    def known(self, sees: Iterable[str]) -> list[CounterInPlay]:
        """The counters that these sides know of: nothing that another one hides, none of its notes."""
        sides = tuple(sees)
        if sides not in self._known:
            self._known[sides] = list_known(self.all(), sides, name_closed(self.match.game))
        return self._known[sides]

    def kinds(self, side: str) -> Mapping[str, GalleryKind]:
        """The kinds of a side: the shipped gallery, and what owners have typed."""
        rules = registry.games()[self.match.game].counters
        return tell_kinds(self.match, side, kinds_with_sheets(rules, side, self.match.state.sheets))

    def find_flaws(self, counter: CounterInPlay) -> list[str]:
        """What is wrong with a counter: a match without a campaign knows no places but those of its map."""
        return [f"{counter.name}: there are {find_page_words(self).area}s only in a campaign."] if counter.area else []

    def put(self, counter: CounterInPlay) -> None:
        """Set a counter to this from now on."""
        before = self._counters.get(counter.id)
        if before is None and not counter.counter:
            raise ValueError(f"{counter.id} only stands for a closed counter.")
        self._keep(counter)
        if counter.closed and (before is None or _stand(before) != _stand(counter)):
            self._shuffle(counter)

    def _shuffle(self, newcomer: CounterInPlay) -> None:
        """Give the closed counters where one has come, or has been closed, other ids for those who do not know them."""
        for counter in [counter for counter in self._counters.values() if _stand(counter) == _stand(newcomer)]:
            self._keep(replace(counter, alias=self._draw_alias(counter)))

    def _draw_alias(self, counter: CounterInPlay) -> str:
        """An id that no counter has, by the match's own secret: so a test that fails fails again."""
        seed, subject = bytes.fromhex(self.match.seed), f"{self.match.version} {counter.id} {counter.alias}"
        for tries in count():
            number = int.from_bytes(hmac.digest(seed, f"alias {subject} {tries}".encode(), "sha256"))
            alias = id_of(counter.side, ALIASES[number % len(ALIASES)])
            if alias not in self._by_alias and alias not in self._counters:
                break
        return alias

    def _keep(self, counter: CounterInPlay) -> None:
        is_known = counter.id in self._counters
        if before := self._counters.get(counter.id):
            self._by_alias.pop(before.alias, "")
        self._by_alias |= {counter.alias: counter.id} if counter.alias else {}
        self._counters[counter.id] = counter
        self._changed.add(counter.id)
        self._all = [counter if listed.id == counter.id else listed for listed in self._all] if is_known else []
        self._known.clear()

    def save(self, act: MatchAct) -> None:
        """Write what was put into the match's state, which taking back restores."""
        if self._changed:
            changed = {counter_id: write_counter(self._counters[counter_id]) for counter_id in self._changed}
            self.read_from = {**act.match.state.counters, **changed}
            act.match.state = replace(act.match.state, counters=self.read_from)
            self._changed.clear()


def read_counter(counter_id: str, plain: Values) -> CounterInPlay:
    """A counter as a match's state keeps it under its id."""
    return CounterInPlay.from_json({**plain, "id": counter_id})


def write_counter(counter: CounterInPlay) -> Json:
    """A counter as a match's state keeps it under its id."""
    return {name: value for name, value in counter.to_json().items() if name != "id"}


def _stand(counter: CounterInPlay) -> tuple[bool, str, str, str, str]:
    """Where a counter stands among its side's, and whether it does so closed."""
    return counter.closed, counter.side, counter.place, counter.level, counter.area


def name_closed(game: str) -> str:
    """What a closed counter is called by those who do not know it; "" in a game without any."""
    closed_kind = registry.games()[game].counters.closed_kind
    return closed_kind.name if closed_kind else ""


def narrow_state(game: str, counters: Mapping[str, Values], sees: Collection[str]) -> dict[str, Json]:
    """The counters of a state as these sides know them: without what the others hide or have noted."""
    in_play = (read_counter(counter_id, plain) for counter_id, plain in counters.items())
    return {counter.id: write_counter(counter) for counter in list_known(in_play, sees, name_closed(game))}


def piece_of(store: CounterStore, counter: CounterInPlay) -> Piece:
    """A counter with what the gallery says about its kind."""
    if not counter.counter:
        return Piece(counter, registry.games()[store.match.game].counters.closed_kind)
    return Piece(counter, store.kinds(counter.side)[counter.counter], store.book)


def clear_if_gone(counter: CounterInPlay) -> CounterInPlay:
    """A counter that is gone stands nowhere, beside nobody, and hides nothing; what only goes back into its box unseen
    stays closed."""
    is_closed = counter.closed and counter.fate == CounterFate.RETURNED
    nowhere: Json = {"place": "", "level": "", "area": "", "beside": "", "hidden": False, "closed": is_closed}
    return replace(counter, **nowhere) if counter.fate else counter


def set_fields(counter: CounterInPlay, plain: Values) -> CounterInPlay:
    """A counter with some fields as plain values hold them."""
    return CounterInPlay.from_json({**counter.to_json(), **plain})


def find_page_words(store: CounterStore) -> PageWords:
    """What pages call things in the game of these counters."""
    return registry.games()[store.match.game].words
