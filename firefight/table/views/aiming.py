"""Aiming on the board: which of one's own counters are selected, what they may be aimed at, and by which rolls."""

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
    """What may be aimed on a board. ``own``: one's counters in play; ``chosen``: those that are selected; ``lit``: the
    places that these may certainly attack; ``rolls``: what they may do to others, those of the present step first."""

    own: Sequence[Piece]
    chosen: Sequence[ShownCounter]
    lit: Collection[str]
    rolls: Sequence[Helper]

    @property
    def ids(self) -> list[str]:
        return [counter.id for counter in self.chosen]

    def selects(self, ids: Sequence[str]) -> bool:
        return not set(ids).isdisjoint(self.ids)

    def list_elsewhere(self, place: str) -> list[str]:
        """The counters selected in other places: they stay selected while one looks at this one."""
        ids_there = {piece.counter.id for piece in self.own if piece.counter.place == place}
        return [id for id in self.ids if id not in ids_there]

    def list_others(self, ids: Sequence[str]) -> list[str]:
        """The counters among these that one's own may be aimed at."""
        own_ids = {piece.counter.id for piece in self.own}
        return [id for id in ids if id not in own_ids]

    def list_there(self, table: Table, place: str) -> list[ShownCounter]:
        """One's counters in a place; all are ticked if none of them is selected yet."""
        pieces_there = [piece for piece in self.own if piece.counter.place == place]
        selected_there = [piece.counter.id for piece in pieces_there if piece.counter.id in self.ids]
        return [
            present_counter(table.game, piece, not selected_there or piece.counter.id in selected_there)
            for piece in pieces_there
        ]


def find_aim(table: Table, ids: Collection[str]) -> Aim | None:
    """The aim with these counters selected; None for an observer, and in a game whose counters do nothing to others."""
    slugs = [slug for item in table.game.bar for slug in item.aims]
    if not (slugs and table.game.has_counters and table.plays) or table.match.ended:
        return None
    situation = situation_of(table.match, table.sees, with_kinds=True)
    own_pieces = [piece for piece in situation.pieces if piece.counter.side == table.side and piece.counter.in_play]
    chosen = [piece for piece in own_pieces if piece.counter.id in ids]
    find = table.game.list_targets
    step, all_helpers = table.course.step(table.match.state.position), registry.helpers(table.match.game)
    return Aim(
        own_pieces,
        [present_counter(table.game, piece, is_selected=True) for piece in chosen],
        frozenset(find(situation, chosen) if find and chosen else ()),
        sorted((all_helpers[slug] for slug in slugs), key=lambda helper: step not in helper.steps),
    )
