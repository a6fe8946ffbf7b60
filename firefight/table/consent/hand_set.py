"""What counters would be that players set by hand, and everything that speaks against it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from firefight.engine.board.counters import CounterInPlay, set_level
from firefight.engine.errors import BadInput
from firefight.games.chartbooks import of_match
from firefight.kit.counters import UNKNOWN_PIECE, CounterRules, befall
from firefight.models import LogEntry
from firefight.table.act.act import MatchAct
from firefight.table.act.ports import CounterStore
from firefight.table.board import counters, stores
from firefight.table.board.record_rules import situation_of

Kind = LogEntry.Kind


@dataclass(frozen=True, slots=True)
class HandSet:
    """What is set on counters by hand; None leaves a field as it is. ``becomes``: what happens to each, by the rules.

    ``drawn``: the state that the sheet showed, so that what has happened to a counter since stays; without it ``state``
    is set as it is. ``levels``: some of its numbers, by name. ``place`` may name a level, too. ``fate``: "" brings a
    counter back into play.
    """

    becomes: str = ""
    state: tuple[str, ...] | None = None
    drawn: tuple[str, ...] | None = None
    levels: Mapping[str, int] | None = None
    place: str | None = None
    level: str | None = None
    area: str | None = None
    hidden: bool | None = None
    fate: str | None = None
    beside: str | None = None
    note: str | None = None


def preview_hand_set(
    act: MatchAct, chosen: Iterable[CounterInPlay], values: HandSet
) -> tuple[dict[str, CounterInPlay], list[str]]:
    """What the counters would be, and everything that speaks against it."""
    store, flaws = counters.store_of(act.match), []
    new_by_id: dict[str, CounterInPlay] = {}
    # Whoever sets their state, too, knows how they are.
    is_only_moved = (values.place or values.area) and values.state in (None, values.drawn)
    situation = situation_of(act.match, ()) if is_only_moved else None
    for counter in chosen:
        setting = _Setting(act, store, counter)
        setting.take(values)
        after = counter if setting.flaws else stores.clear_if_gone(setting.after)
        if situation and (after.place, after.area) != (counter.place, counter.area):
            after = setting.rules.arrive(after, setting.kind, situation)
        flaws += setting.flaws or (store.find_flaws(after) if after != counter else [])
        new_by_id[counter.id] = after
    return new_by_id, flaws


class _Setting:
    """One counter as it is being set by hand: what it is ``after`` what was taken so far, and the ``flaws`` of that."""

    def __init__(self, act: MatchAct, store: CounterStore, counter: CounterInPlay):
        self.act, self.store, self.counter, self.after = act, store, counter, counter
        self.rules, self.kind = counters.rules_of(act.match), stores.piece_of(store, counter).kind
        self.flaws: list[str] = []

    def take(self, values: HandSet) -> None:
        """Take all of it, as far as it can be."""
        if not self.counter.counter and not _says_what_all_see(values):
            self._object(f": {UNKNOWN_PIECE}")
            return
        self._check_secrets(values)
        if values.state is not None:
            self._take_state(values.state, values.drawn)
        for name, number in (values.levels or {}).items():
            with self._noting_flaws():
                bounded = self.rules.bound_levels(self.kind)
                self.after = set_level(self.after, bounded, self.rules.levels, name, number)
        if values.place is not None:
            with self._noting_flaws():
                self._take_place(values.place)
        for name in ("level", "area", "hidden", "note", "fate", "beside"):
            value = getattr(values, name)
            self.after = self.after if value is None else replace(self.after, **{name: value})
        if values.beside:
            self._check_company(values.beside)
        if values.becomes and not self.flaws:
            self._befall(values.becomes)

    def _object(self, words: str) -> None:
        self.flaws.append(f"{self.counter.name}{words}")

    @contextmanager
    def _noting_flaws(self) -> Iterator[None]:
        try:
            yield
        except BadInput as error:
            self.flaws += error.problems.values()

    def _check_secrets(self, values: HandSet) -> None:
        if values.hidden and not self.rules.hideable:
            self._object(": nothing is hidden in this game.")
        if values.note and self.counter.side != self.act.side:
            self._object(": a note is for its own side. Write into the log what all may read.")

    def _take_state(self, state: tuple[str, ...], drawn: tuple[str, ...] | None) -> None:
        rules = self.rules
        if odd := [rules.states.get(word, word) for word in state if word not in rules.may_carry(self.kind)]:
            self._object(f" cannot be {', '.join(odd)[:80]}.")
        for why in _find_exclusive(rules, state):
            self._object(f": {why}.")
        self.after = replace(self.after, state=_change_state(self.counter.state, state, drawn))

    def _take_place(self, text: str) -> None:
        """The place that somebody typed, which may name a level, too. Raises BadInput."""
        pool = self.act.table.game.words.read_pool(text)
        place, level = (pool, "") if pool else self.rules.read_place(of_match(self.act.match), text)
        self.after = replace(self.after, place=place, level=level, area=self._find_area(place))

    def _find_area(self, place: str) -> str:
        """The area of a counter that goes to a place: that of the counters there, as far as this browser knows of them.

        Where nobody stands there, or they do not agree, nobody knows: it stays in the area where it was.
        """
        counter = self.counter
        if not self.store.areas or not place or place == counter.place:
            return counter.area
        in_place = (other for other in self.store.known(self.act.table.sees) if other.place == place and other.in_play)
        areas = {other.area for other in in_place if other.area}
        return areas.pop() if len(areas) == 1 else counter.area

    def _check_company(self, beside: str) -> None:
        """Object where the counter cannot ride on another one or be led by it."""
        counter, mate = self.counter, counters.list_reachable(self.act.match, self.act.table.sees).get(beside)
        if mate is None or mate.side != counter.side or mate.fate:
            self._object(": rides on a counter of its own side that is in play, or is led by one.")
        elif counter.id in (mate.id, mate.beside):
            self._object(f" and {mate.name} cannot each ride on the other.")

    def _befall(self, word: str) -> None:
        """Let happen to the counter what the rules call by this word."""
        if word not in self.rules.words:
            self.flaws.append(f"Nothing is called “{word[:20]}” here.")
            return
        with self._noting_flaws():
            self.after = befall(self.rules, self.after, self.kind, word)


def _says_what_all_see(values: HandSet) -> bool:
    """Whether no more is set than where a counter is, whether it is gone, and that it is turned up."""
    visible = HandSet(values.becomes, place=values.place, level=values.level, area=values.area, fate=values.fate)
    return values == visible


def _find_exclusive(rules: CounterRules, state: Sequence[str]) -> Iterator[str]:
    """The words of which a state may hold only one, where it is set to more."""
    for words in rules.exclusive:
        exclusive = [rules.states[word] for word in state if word in words]
        if len(exclusive) > 1:
            yield f"only one of {', '.join(exclusive)}"


def _change_state(current: tuple[str, ...], chosen: tuple[str, ...], drawn: tuple[str, ...] | None) -> tuple[str, ...]:
    """The chosen state, except for what has come or gone since the sheet was drawn, of which it does not know."""
    drawn = current if drawn is None else drawn
    words_set = [word for word in chosen if word in current or word not in drawn]
    return tuple(dict.fromkeys([*words_set, *(word for word in current if word not in drawn)]))
