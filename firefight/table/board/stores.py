"""Where the counters of a match are kept: in its state, or as the rows of its ledger."""

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from dataclasses import replace

from firefight.assistant import registry
from firefight.engine.board.counters import CounterInPlay, Piece, list_known
from firefight.engine.values import Json, Values
from firefight.kit.counters import GalleryKind
from firefight.kit.game import PageWords
from firefight.models import Match
from firefight.table.act.act import MatchAct
from firefight.table.act.ports import CounterStore

from .sheets import kinds_with_sheets
from .values import tell_kinds


class StateStore:
    """The counters of a single firefight, which are part of the match's state."""

    book = ""

    def __init__(self, match: Match):
        self.match = match
        self.read_from = match.state.counters
        self._counters = {each: read_counter(each, plain) for each, plain in self.read_from.items()}
        self._changed: set[str] = set()
        # One request asks many times.
        self._all: list[CounterInPlay] = []
        self._known: dict[tuple[str, ...], list[CounterInPlay]] = {}

    def copied_for(self, match: Match) -> "StateStore":
        """The same counters for a copy of the match, free to be changed."""
        copied = copy(self)
        copied.match, copied._counters = match, dict(self._counters)
        copied._changed, copied._known = set(), dict(self._known)
        return copied

    def all(self) -> list[CounterInPlay]:
        """Every counter, also those that are gone."""
        if not self._all:
            ranks = {side: rank for rank, side in enumerate(registry.games()[self.match.game].sides)}
            self._all = sorted(self._counters.values(), key=lambda each: (ranks.get(each.side, -1), each.number))
        return self._all

    def find(self, counter_id: str) -> CounterInPlay | None:
        """A counter by its id."""
        return self._counters.get(counter_id)

    def known(self, sees: Iterable[str]) -> list[CounterInPlay]:
        """The counters that these sides know of: nothing of what another one hides, none of its notes."""
        seen = tuple(sees)
        if seen not in self._known:
            self._known[seen] = list_known(self.all(), seen)
        return self._known[seen]

    def kinds(self, side: str) -> Mapping[str, GalleryKind]:
        """The kinds of a side: the shipped gallery, and what owners have typed."""
        rules = registry.games()[self.match.game].counters
        return tell_kinds(self.match, side, kinds_with_sheets(rules, side, self.match.state.sheets)) if rules else {}

    def find_flaws(self, counter: CounterInPlay) -> list[str]:
        """Why a counter cannot be so: a match without a campaign knows no places but those of its map."""
        return [f"{counter.name}: there are {find_page_words(self).area}s in a campaign alone."] if counter.area else []

    def put(self, counter: CounterInPlay) -> None:
        """Let a counter be so from now on."""
        is_known = counter.id in self._counters
        self._counters[counter.id] = counter
        self._changed.add(counter.id)
        self._all = [counter if each.id == counter.id else each for each in self._all] if is_known else []
        self._known.clear()

    def save(self, act: "MatchAct") -> None:
        """Write what was put into the match's state, which taking back restores."""
        if self._changed:
            told = {each: write_counter(self._counters[each]) for each in self._changed}
            self.read_from = {**act.match.state.counters, **told}
            act.match.state = replace(act.match.state, counters=self.read_from)
            self._changed.clear()


def read_counter(counter_id: str, plain: Values) -> CounterInPlay:
    """A counter as a match's state keeps it under its id."""
    return CounterInPlay.from_json({**plain, "id": counter_id})


def write_counter(counter: CounterInPlay) -> Json:
    """A counter as a match's state keeps it under its id."""
    return {name: value for name, value in counter.to_json().items() if name != "id"}


def narrow_state(counters: Mapping[str, Values], sees: Collection[str]) -> dict[str, Json]:
    """The counters of a state as these sides know them: without what the others hide or have noted."""
    in_play = (read_counter(each, plain) for each, plain in counters.items())
    return {each.id: write_counter(each) for each in list_known(in_play, sees)}


def piece_of(store: CounterStore, counter: CounterInPlay) -> Piece:
    """A counter with what the gallery says of its kind."""
    return Piece(counter, store.kinds(counter.side)[counter.counter], store.book)


def clear_if_gone(counter: CounterInPlay) -> CounterInPlay:
    """A counter that is gone stands nowhere, beside nobody, and hides nothing."""
    return replace(counter, place="", level="", area="", beside="", hidden=False) if counter.fate else counter


def set_fields(counter: CounterInPlay, plain: Values) -> CounterInPlay:
    """A counter with some fields as plain values hold them."""
    return CounterInPlay.from_json({**counter.to_json(), **plain})


def find_page_words(store: CounterStore) -> PageWords:
    """What pages call things in the game of these counters."""
    return registry.games()[store.match.game].words
