"""What a unit may do in a phase under its marker, after what it has done (9.10, 9.11, 14.0, 14.1, 14.2)."""

from collections.abc import Iterator
from dataclasses import dataclass

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.result import Result
from firefight.engine.text import join_words

from .data import from_text, read_lists
from .kinds import GERMAN_ALONE, UnitKind, name_class
from .phases import Action, PhaseKind, find_phase, may_in
from .terms import Marker, Side

TOWED = (12, 15)  # MP (9.101)
RANGES = {UnitKind.FLAK_88: "4 directly, 16 indirectly", UnitKind.SNIPER: "1", UnitKind.TRAIN: "1"}
DEEDS = {
    "move": "move",
    "attack": "attack",
    "bombard": "bombard",
    "spot": "spot",
    "defend": "fire in defence",
    "opportunity": "fire at movers",
    "counter_attack": "counter-attack",
    "engineer": "build",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A unit in a phase, with what it has done.

    moved_last_phase: in its side's last movement phase. used_if: it has used its AF as indirect fire in this turn.
    fired_opportunity: in the enemy's last movement phase, or in this phase. attacked_by_adjacent: by unpinned infantry.
    """

    unit: UnitKind
    side: Side
    marker: Marker
    phase: int
    mp: int | None
    moved_last_phase: bool
    used_if: bool
    fired_opportunity: bool
    attacked_by_adjacent: bool

    @property
    def is_pinned(self) -> bool:
        """Leaders never are (9.113)."""
        return self.marker is Marker.PINNED and self.unit is not UnitKind.LEADER

    @property
    def is_spent(self) -> bool:
        """Leaders never are (9.113)."""
        return self.marker is Marker.SPENT and self.unit is not UnitKind.LEADER

    def may(self, action: Action) -> bool:
        """Whether this phase is one for it."""
        return may_in(action, self.side, self.phase)


def permissions(charts: Book, situation: Situation) -> Result:
    """What a unit may do in a phase (2.25, 6.1, 9.101, 9.102, 9.112, 9.113, 14.02 to 14.13, 14.21 to 14.24, 14.94).

    Raises BadInput for a unit that the side does not have.
    """
    unit, side = situation.unit, situation.side
    missing_kinds = GERMAN_ALONE if side is Side.SOVIET else {kind for kind in UnitKind if kind.is_soviet_alone}
    if unit in missing_kinds:
        raise BadInput({"unit": f"{unit.word}: the {side.word} side has none."})
    bars = {deed: list(_BARS[deed](situation)) for deed in DEEDS}
    may = {deed: not bars[deed] for deed in DEEDS}
    allowed = join_words([words for deed, words in DEEDS.items() if may[deed]], "or") or "do nothing"
    return Result(
        f"{unit.word}, phase {situation.phase}: may {allowed}.",
        IsShown.SHOWN,
        details={
            "may": may,
            "class": _name_class(unit, situation.mp),
            "zoc": unit.has_zoc,
            "range": RANGES.get(unit, "as printed" if unit.attacks else "none"),
        },
        effects=(*_tell_bars(bars), *_tell_more(situation, may)),
        rules=("2.25", "6.1", "9.101", "9.112", "9.113", "14.02", "14.11", "14.21"),
        provenance=from_text("phases", "limits"),
    )


def _name_class(unit: UnitKind, mp: int | None) -> str:
    if unit.is_support:
        return "16 hexes, or to a unit of the command"
    if unit is UnitKind.TRAIN:
        return "train"
    if unit.never_moves:
        return "placed for a phase" if unit is UnitKind.FLOTILLA else "never moves"
    return "as its printed MP" if mp is None else name_class(mp)


def _tell_bars(bars: dict[str, list[str]]) -> list[str]:
    """Only what such a unit could otherwise do in this phase."""
    return [f"It may not {DEEDS[deed]}: {why[0]}" for deed, why in bars.items() if why and not why[0].startswith("-")]


def _tell_more(situation: Situation, may: dict[str, bool]) -> Iterator[str]:
    if may["defend"] and (situation.is_pinned or situation.is_spent):
        yield "Defensive fire at adjacent attackers only, +1 (9.113)."
    if may["opportunity"] and situation.is_spent:
        yield "Opportunity fire at +1 (9.113)."
    if may["spot"]:
        capacity = read_lists("limits")["capacity"]
        if situation.unit is UnitKind.LW_OP:
            yield "It spots for Stukas alone (14.21)."
        else:
            kind = situation.unit.value if situation.unit.value in capacity else "unit"
            yield f"It spots for {capacity[kind]} in a phase (14.24)."
    if may["opportunity"] and situation.unit is UnitKind.IF_GUN:
        yield "Only at Soviets who cross the Volga; rockets never (11.2, 14.02)."


# Each says why not; a reason that begins with a dash is not shown: no such unit ever does that, or not in this phase.


def _bar_move(situation: Situation) -> Iterator[str]:
    if situation.unit.never_moves:
        yield "-2.25"
    moving = (Action.NORMAL_MOVEMENT, Action.RESERVES_MOVEMENT, Action.EXPLOIT_MOVEMENT)
    if situation.unit is UnitKind.TRAIN:
        moving = (Action.ARMORED_TRAIN_MOVE,) * 3
    if not any(situation.may(action) for action in moving):
        yield "-4.3"
    if situation.is_pinned:
        yield "it is pinned (9.112)."
    if situation.unit.fires_indirectly and situation.fired_opportunity:
        yield "indirect fire by opportunity, or in defence before phase 10, bars the next move (14.12)."


def _bar_attack(situation: Situation) -> Iterator[str]:
    if not situation.unit.attacks:
        yield "-2.25"
    if not (
        situation.may(Action.ATTACK) or (situation.may(Action.BREAKTHROUGH_ATTACK) and _breaks_through(situation.unit))
    ):
        yield "-9.01"
    if situation.is_pinned or situation.is_spent:
        yield f"it is {situation.marker.word.lower()} (9.112, 9.113)."
    yield from _bar_fire_after_move(situation)
    if situation.unit.fires_indirectly and situation.unit is not UnitKind.FLAK_88 and situation.used_if:
        yield "its AF is used up for this turn (14.02)."


def _breaks_through(unit: UnitKind) -> bool:
    """Direct fire and mortars take part in breakthrough attacks (10.3)."""
    return unit is not UnitKind.IF_GUN and unit is not UnitKind.FLOTILLA


def _bar_fire_after_move(situation: Situation) -> Iterator[str]:
    if not situation.moved_last_phase:
        return
    if situation.unit.fires_indirectly:
        if not (situation.unit is UnitKind.IF_GUN and situation.mp == 18):
            yield "it has moved; only red MP of 18 fire in the next attack phase (14.11)."
    elif situation.unit is UnitKind.AT_GUN and (situation.mp is None or situation.mp in TOWED):
        yield "towed guns do not fire after they move (9.101)."


def _bar_bombard(situation: Situation) -> Iterator[str]:
    if not situation.unit.fires_indirectly:
        yield "-14.41"
    if not situation.may(Action.BOMBARD):
        yield "-14.42"
    if situation.is_pinned or situation.is_spent:
        yield f"it is {situation.marker.word.lower()} (14.43)."
    if situation.used_if:
        yield "its AF is used up for this turn (14.02)."
    if find_phase(situation.phase).kind.attacks:
        yield from _bar_fire_after_move(situation)


def _bar_spot(situation: Situation) -> Iterator[str]:
    if not situation.unit.spots:
        yield "-14.21"
    if find_phase(situation.phase).kind is PhaseKind.ADMIN:
        yield "-14.02"
    if situation.is_pinned and situation.unit is UnitKind.OP:
        yield "it was pinned before; if only in this Bombardment Phase, it still spots (14.94; A25)."
    elif situation.is_pinned:
        yield "it is pinned (9.112, 14.23)."
    if situation.unit in (UnitKind.OP, UnitKind.LW_OP) and situation.moved_last_phase:
        yield "it moved in the phase before (14.96)."


def _bar_defend(situation: Situation) -> Iterator[str]:
    if not situation.unit.defends:
        yield "-2.25"
    if not (
        situation.may(Action.RETREAT_BEFORE_COMBAT)
        or may_in(Action.BREAKTHROUGH_ATTACK, situation.side.other, situation.phase)
    ):
        yield "-9.51"
    if situation.unit is UnitKind.FLOTILLA and not situation.may(Action.RIVER_FLOTILLA_FIRE):
        yield "-16.55"


def _bar_opportunity(situation: Situation) -> Iterator[str]:
    if not situation.unit.defends or situation.unit is UnitKind.FLOTILLA:
        yield "-11.2"
    if situation.unit is UnitKind.IF_GUN and situation.side is Side.SOVIET:
        yield "-11.2"
    if situation.unit is UnitKind.IF_GUN and not may_in(Action.VOLGA_CROSSING, situation.side.other, situation.phase):
        yield "-14.02"
    if not (situation.may(Action.OPPORTUNITY_FIRE) or situation.may(Action.OPPORTUNITY_FIRE_AT_RETREAT)):
        yield "-11.1"
    if situation.is_pinned:
        yield "it is pinned (11.3)."
    if situation.is_spent and situation.unit.fires_indirectly and situation.unit is not UnitKind.FLAK_88:
        yield "spent guns do not use their AF (14.07)."
    if situation.attacked_by_adjacent:
        yield "unpinned infantry beside it attacks it (11.4)."
    if situation.unit in (UnitKind.MORTAR, UnitKind.IF_GUN) and situation.used_if:
        yield "its AF is used up for this turn (14.02)."
    if situation.fired_opportunity:
        yield "once a phase (11.2)."


def _bar_counter_attack(situation: Situation) -> Iterator[str]:
    if situation.unit not in (UnitKind.INFANTRY, UnitKind.ENGINEER, UnitKind.ARMORED):
        yield "-12.5"
    if not situation.may(Action.INSTANT_COUNTER_ATTACK):
        yield "-9.01"
    if situation.unit is UnitKind.ENGINEER and situation.side is Side.SOVIET:
        yield "Soviet engineers are not named (12.5; S43)."
    if situation.is_pinned or situation.is_spent:
        yield f"it is {situation.marker.word.lower()} (12.5)."


def _bar_engineer(situation: Situation) -> Iterator[str]:
    if situation.unit is not UnitKind.ENGINEER:
        yield "-17.15"
    if find_phase(situation.phase).side != situation.side.value or not find_phase(situation.phase).kind.moves:
        yield "-17.15"
    if situation.is_pinned or situation.is_spent:
        yield f"it is {situation.marker.word.lower()} (9.112, 9.113)."


_BARS = {
    "move": _bar_move,
    "attack": _bar_attack,
    "bombard": _bar_bombard,
    "spot": _bar_spot,
    "defend": _bar_defend,
    "opportunity": _bar_opportunity,
    "counter_attack": _bar_counter_attack,
    "engineer": _bar_engineer,
}
