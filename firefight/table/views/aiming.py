"""Aiming on the board: who of one's own is selected there, whom they may be aimed at, and by which rolls."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from firefight.engine.board.counters import Piece
from firefight.games import registry
from firefight.kit.helper import Helper
from firefight.table.act.table import Table
from firefight.table.board.record_rules import situation_of
from firefight.table.board.shown_counters import ShownCounter, present_counter


@dataclass(frozen=True, slots=True)
class Aim:
    """What may be aimed on a board. ``own``: one's counters in play; ``chosen``: those of them that are selected;
    ``lit``: the places that these may attack for certain; ``rolls``: what they may do to others, those of the present
    step first."""

    own: Sequence[Piece]
    chosen: Sequence[ShownCounter]
    lit: Collection[str]
    rolls: Sequence[Helper]

    @property
    def ids(self) -> list[str]:
        """The counters that are selected."""
        return [each.id for each in self.chosen]

    def selects(self, ids: Sequence[str]) -> bool:
        """Whether some of these counters are selected."""
        return not set(ids).isdisjoint(self.ids)

    def list_elsewhere(self, place: str) -> list[str]:
        """Who is selected in other places: they stay so while one looks at this one."""
        there = {each.counter.id for each in self.own if each.counter.place == place}
        return [id for id in self.ids if id not in there]

    def list_others(self, ids: Sequence[str]) -> list[str]:
        """Those of some counters at whom one's own may be aimed."""
        own = {each.counter.id for each in self.own}
        return [id for id in ids if id not in own]

    def list_there(self, table: Table, place: str) -> list[ShownCounter]:
        """One's counters in a place; all are ticked where none of them is selected yet."""
        there = [each for each in self.own if each.counter.place == place]
        some = [each.counter.id for each in there if each.counter.id in self.ids]
        return [present_counter(table.game, each, not some or each.counter.id in some) for each in there]


def find_aim(table: Table, ids: Collection[str]) -> Aim | None:
    """Who is selected of these; None for whoever only looks on, and in a game whose counters do nothing to others."""
    slugs = [slug for item in table.game.bar for slug in item.aims]
    if not (slugs and table.game.counters and table.plays) or table.match.ended:
        return None
    situation = situation_of(table.match, table.sees, with_kinds=True)
    own = [each for each in situation.pieces if each.counter.side == table.side and each.counter.in_play]
    chosen = [each for each in own if each.counter.id in ids]
    find = table.game.list_targets
    step, known = table.course.step(table.match.state.position), registry.helpers(table.match.game)
    return Aim(
        own,
        [present_counter(table.game, each, is_selected=True) for each in chosen],
        frozenset(find(situation, chosen) if find and chosen else ()),
        sorted((known[slug] for slug in slugs), key=lambda helper: step not in helper.steps),
    )
