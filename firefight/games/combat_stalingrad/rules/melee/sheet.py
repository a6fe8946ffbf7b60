"""The sheet on which both sides declare their Close Combat attacks, and what a declaration comes to (19.2.1)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from firefight.engine.board.counters import CounterChange, Piece, id_of
from firefight.engine.course.course import Position
from firefight.engine.course.joint import Declared, JointField, JointPlace, JointRoll, JointSheet, JointSide
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange
from firefight.engine.text import join_words
from firefight.engine.values import Json

from .. import ground
from ..marks import Mark
from ..record import write_down
from ..sides import Side
from ..turn import TurnPhase
from .attacks import Attack, Bout, Key
from .bouts import escorts_of
from .fighters import Fighter
from .table import (
    MELEE_ROWS,
    Declaration,
    Melee,
    check_declaration,
    find_locations,
    follow_up,
    list_rolls,
    put_together,
    tell_odds,
)
from .taking_part import on_their_own

Sent = Mapping[str, str]
BY_VALUE, COVER, IN_OPEN, HAND_TO_HAND = "value", "cover", "open", "hand_to_hand"
_NOTHING: Mapping[str, object] = {side.value: [] for side in Side}  # is declared by either side
_MOST = 9  # attacks that a form divides a side into


@dataclass(frozen=True, slots=True)
class _Declarations:
    """What has been declared in a location in this turn."""

    by_side: Mapping[Side, Declaration]
    first: Side | None
    hand_to_hand: bool

    @property
    def is_over(self) -> bool:
        """Whether both sides have declared."""
        return len(self.by_side) == len(Side)


class MeleeRules:
    """What the frame asks of Close Combat (firefight/kit/joint.py, JointRules)."""

    title = "Close Combat"
    opening = "The side with the Initiative declares first or second, as it likes (19.2.1)."

    def is_time(self, position: Position) -> bool:
        """Whether it is offered now: in the Melee Phase."""
        return position.phase == TurnPhase.MELEE

    def passes(self, before: Position, after: Position | None) -> bool:
        """Whether the Melee Phase is left behind, or passed by, between two positions."""
        phases = [phase.value for phase in TurnPhase]
        melee_index, before_index = phases.index(TurnPhase.MELEE), phases.index(before.phase)
        if before_index > melee_index:
            return False
        return after is None or (after.turn, phases.index(after.phase)) > (before.turn, melee_index)

    def find(self, situation: TableState, pieces: Sequence[Piece]) -> tuple[JointPlace, ...]:
        """The places where somebody has still to declare in this turn."""
        return tuple(
            JointPlace(place, _title(place), _say_waiting(so_far), tuple(piece.counter.id for piece in units))
            for place, units in find_locations(pieces).items()
            if not (so_far := _read_so_far(situation, place, None)).is_over
        )

    def lay_out(
        self, situation: TableState, pieces: Sequence[Piece], place: str, sides: Sequence[str], sent: Sent
    ) -> JointSheet:
        """The sheet of a place for those who may declare for these sides, with what they have chosen so far.

        Raises BadInput where there is no Close Combat, LackingValues for CCV that nobody knows.
        """
        melee = _melee_at(situation, pieces, place)
        so_far = _read_so_far(situation, place, melee)
        mine = [Side(side) for side in sides]
        is_covered = _gives_cover(situation, place)
        chosen = {side: _read_sent(melee, side, sent, is_covered) for side in mine if side not in so_far.by_side}
        bout = put_together(melee, {**so_far.by_side, **chosen}, _is_hand_to_hand(so_far, sent))

        def lay_side(side: Side) -> JointSide:
            is_known = side in so_far.by_side or side in chosen
            rolls = tuple(
                JointRoll(
                    roll.title,
                    tell_odds(situation.book, roll),
                    tuple(id_of(key[0].value, key[1]) for key in (*roll.attack.by, *roll.attack.on)),
                )
                for roll in (list_rolls(melee, bout, [side]) if is_known else ())
            )
            if is_known and not rolls:
                rolls = (JointRoll(_say_idle(side, bout), ""),)
            is_open = side in chosen and (bool(so_far.by_side) or so_far.first in (None, *mine))
            fields = tuple(_fields(melee, side, chosen[side])) if is_open else ()
            return JointSide(side.value, side.word, rolls, fields, side in so_far.by_side, is_open)

        order = sorted(Side, key=lambda side: side not in mine)
        notes = [_say_waiting(so_far)] if so_far.by_side or so_far.first else [self.opening]
        common = [] if so_far.by_side else [JointField(HAND_TO_HAND, "Hand-to-hand", sent.get(HAND_TO_HAND, ""))]
        common += [field for side, declared in chosen.items() for field in _afv_fields(melee, side, declared)]
        return JointSheet(
            JointPlace(place, _title(place)),
            tuple(lay_side(side) for side in order),
            tuple(common) if chosen else (),
            tuple(notes),
            may_wait=len(mine) == 1 and not so_far.by_side and so_far.first is None,
        )

    def declare(
        self, situation: TableState, pieces: Sequence[Piece], place: str, sides: Sequence[str], sent: Sent
    ) -> Declared:
        """These sides divide their attacks; once both have, the rolls of both are due. Raises BadInput."""
        melee = _melee_at(situation, pieces, place)
        so_far = _read_so_far(situation, place, melee)
        is_covered, waiting = _gives_cover(situation, place), [Side(side) for side in sides]
        fresh = {side: _read_sent(melee, side, sent, is_covered) for side in waiting if side not in so_far.by_side}
        if not fresh:
            raise BadInput({"place": f"{_title(place)}: your side has declared its attacks."})
        if so_far.first and not so_far.by_side and so_far.first not in fresh:
            raise BadInput({"place": f"{_title(place)}: the {so_far.first.word} declares first here (19.2.1)."})
        is_close = _is_hand_to_hand(so_far, sent)
        everybody = {**so_far.by_side, **fresh}
        check_declaration(melee, everybody)
        bout = put_together(melee, everybody, is_close)
        sentences = [_say_declared(melee, place, side, declaration) for side, declaration in fresh.items()]
        parts: Json = {
            "turn": situation.position.turn,
            "first": (so_far.first or next(iter(everybody))).value,
            "hand_to_hand": is_close,
            **_NOTHING,  # a row of an earlier turn may still hold what the other side declared then
            **{side.value: declaration.write() for side, declaration in everybody.items()},
        }
        due, changes = [], []
        if len(everybody) == len(Side):
            due = [follow_up(roll) for roll in list_rolls(melee, bout, everybody)]
            changes = [
                CounterChange(piece.counter.id, Mark.CLOSE_COMBAT.value)
                for piece in melee.pieces.values()
                if Mark.CLOSE_COMBAT not in piece.counter.state
            ]
        ids = tuple(id_of(*key) for key in melee.pieces)
        return Declared(_write_melee(situation, place, parts, sentences), tuple(due), tuple(changes), ids)

    def wait(self, situation: TableState, pieces: Sequence[Piece], place: str, side: str) -> Declared:
        """The side with the Initiative has its enemy declare first. Raises BadInput."""
        melee = _melee_at(situation, pieces, place)
        so_far = _read_so_far(situation, place, melee)
        if so_far.by_side or so_far.first:
            raise BadInput({"place": f"{_title(place)}: who declares first has been settled."})
        enemy = Side(side).other
        sentence = f"{_title(place)}: the {Side(side).word} has the Initiative and declares second (19.2.1)."
        parts = {"turn": situation.position.turn, "first": enemy.value, "hand_to_hand": False, **_NOTHING}
        return Declared(_write_melee(situation, place, parts, [sentence]))


def _title(place: str) -> str:
    return f"Close Combat in {place}"


def _melee_at(situation: TableState, pieces: Sequence[Piece], place: str) -> Melee:
    units = find_locations(pieces).get(place)
    if units is None:
        raise BadInput({"place": "There are no units of both sides in that place."})
    return Melee.of(situation.book, units)


def _read_so_far(situation: TableState, place: str, melee: Melee | None) -> _Declarations:
    """What the record says about a location; what was declared in an earlier turn is over."""
    row = MELEE_ROWS.complete(situation.record["melees"].get(place, {}))
    if row["turn"] != situation.position.turn:
        return _Declarations({}, None, False)
    present = melee.pieces if melee else ()
    by_side = {side: Declaration.read(row[side.value], present) for side in Side if row[side.value]}
    return _Declarations(by_side, Side(row["first"]) if row["first"] else None, row["hand_to_hand"])


def _write_melee(
    situation: TableState, place: str, parts: Mapping[str, object], sentences: Iterable[str]
) -> RecordChange:
    """What is written down about a location; rows of earlier turns go."""
    rows = situation.record["melees"]
    old = [id for id, row in rows.items() if id != place and row.get("turn") != situation.position.turn]
    change: Json = {"change" if place in rows else "add": {place: dict(parts)}}
    return write_down({"melees": {**change, **({"strike": old} if old else {})}}, *sentences)


def _say_waiting(so_far: _Declarations) -> str:
    if so_far.is_over:
        return "Both sides have declared: the rolls are due."
    if so_far.by_side:
        [side] = so_far.by_side
        return f"The {side.word} has declared; the {side.other.word} declares second."
    return f"The {so_far.first.word} declares first." if so_far.first else ""


def _say_declared(melee: Melee, place: str, side: Side, declared: Declaration) -> str:
    attacks = [f"{melee.names(attack.by)} against {melee.names(attack.on)}" for attack in declared.attacks]
    words = f"{side.word} in {place}: {'; '.join(attacks) or 'no attack'}."
    if declared.by_value:
        words += f" With their CCV: {melee.names(sorted(declared.by_value))}."
    for leader, mate in declared.escorts:
        words += f" {melee.names([leader])} defends with {melee.names([mate])}."
    return words


def _say_idle(side: Side, bout: Bout) -> str:
    """Why a side makes no roll: it attacks nobody, or those it attacks are lost without one (19.3.7)."""
    return "No roll: the enemy is lost without one (19.3.7)" if bout.attacks_of(side) else "No attack"


def _is_hand_to_hand(so_far: _Declarations, sent: Sent) -> bool:
    return so_far.hand_to_hand if so_far.by_side else bool(sent.get(HAND_TO_HAND))


# The form of one side


def _fields(melee: Melee, side: Side, declared: Declaration) -> Iterator[JointField]:
    """What a side may choose: who is in which attack, and its leaders' part."""
    units, targets = melee.battle.of_side(side), _targets(melee, side)
    if len(targets) > 1:
        yield from _division_fields(melee, units, targets, declared)
    if any(not unit.is_leader for unit in units):
        for unit in units:
            if unit.can_lend:
                label = f"{unit.name} fights with their CCV, for no −5"
                yield JointField(_name(BY_VALUE, unit.key), label, "on" if unit.key in declared.by_value else "")
    mates = {id_of(*unit.key): unit.name for unit in units if unit.is_rank_and_file}
    if len(mates) > 1:
        escorts = {**escorts_of(melee.bout, melee.battle), **dict(declared.escorts)}
        leaders = [unit for unit in units if unit.is_leader]
        for unit in leaders:
            value = id_of(*escorts[unit.key])
            yield JointField(_name("with", unit.key), f"{unit.name} defends with", value, mates)


def _division_fields(
    melee: Melee, units: Sequence[Fighter], targets: Sequence[Key], declared: Declaration
) -> Iterator[JointField]:
    """Who is in which attack, and on whom each is made."""
    numbers = {str(number): f"attack {number}" for number in range(1, min(len(units), len(targets), _MOST) + 1)}
    attack_of = {
        key: str(number) for number, attack in enumerate(declared.attacks, 1) for key in (*attack.by, *attack.on)
    }
    for unit in units:
        yield JointField(_name("by", unit.key), unit.name, attack_of.get(unit.key, ""), {"": "no attack", **numbers})
    for key in targets:
        label = f"on {melee.names([key])}"
        yield JointField(_name("on", key), label, attack_of.get(key, ""), {"": "spared", **numbers})


def _afv_fields(melee: Melee, side: Side, declared: Declaration) -> Iterator[JointField]:
    """Where the AFV are that a side attacks, and whence it attacks them (19.3.3)."""
    if any(unit.is_vehicle for unit in melee.battle.of_side(side.other)):
        cover = f"{side.word}: from building, woods or grain"
        yield JointField(f"{COVER}:{side}", cover, "on" if declared.from_cover else "")
        yield JointField(f"{IN_OPEN}:{side}", f"{side.other.word} AFV in the open", "on" if declared.in_open else "")


def _targets(melee: Melee, side: Side) -> list[Key]:
    """The enemies that a side can attack by themselves (19.3.6)."""
    return [unit.key for unit in on_their_own(melee.battle) if unit.side is side.other]


def _name(prefix: str, key: Key) -> str:
    return f"{prefix}:{id_of(*key)}"


def _gives_cover(situation: TableState, place: str) -> bool:
    hex_name, _, level = place.partition("/")
    return ground.gives_cover(situation.record["ground"], hex_name, level)


def _read_sent(melee: Melee, side: Side, sent: Sent, is_covered: bool) -> Declaration:
    """What a side's form says; as the app would divide where it says nothing. Raises BadInput for an unknown unit.

    ``is_covered``: whether the place is known to give cover, which a form that was sent may deny.
    """
    units, declared = melee.battle.of_side(side), Declaration.propose(melee, side)
    is_divided = any(_name("by", unit.key) in sent for unit in units)
    if is_divided:
        declared = replace(declared, attacks=_read_attacks(melee, side, sent))
    if is_divided or f"told:{side}" in sent:
        by_value = frozenset(unit.key for unit in units if sent.get(_name(BY_VALUE, unit.key)))
        declared = replace(declared, by_value=by_value)
    escorts, in_open = tuple(_read_escorts(units, sent)), bool(sent.get(f"{IN_OPEN}:{side}"))
    from_cover = bool(sent.get(f"{COVER}:{side}")) if f"told:{side}" in sent else is_covered
    return replace(declared, escorts=escorts, from_cover=from_cover, in_open=in_open)


def _read_attacks(melee: Melee, side: Side, sent: Sent) -> tuple[Attack, ...]:
    """Who is in which attack. Raises BadInput for somebody who stands alone in one."""
    attackers = {unit.key: sent.get(_name("by", unit.key)) for unit in melee.battle.of_side(side)}
    defenders = {key: sent.get(_name("on", key)) for key in _targets(melee, side)}
    numbers = sorted({number for number in (*attackers.values(), *defenders.values()) if number})
    groups = [
        tuple(tuple(key for key, at in keys.items() if at == number) for keys in (attackers, defenders))
        for number in numbers
    ]
    if lone := [join_words([melee.names(keys) for keys in pair if keys]) for pair in groups if not all(pair)]:
        raise BadInput({"by": f"An attack has attackers and defenders: {'; '.join(lone)} stand alone."})
    return tuple(Attack(*pair) for pair in groups)


def _read_escorts(units: Iterable[Fighter], sent: Sent) -> Iterator[tuple[Key, Key]]:
    """Each leader with those it defends with."""
    mates = {id_of(*unit.key): unit.key for unit in units if unit.is_rank_and_file}
    for leader in (unit for unit in units if unit.is_leader):
        if mate := sent.get(_name("with", leader.key)):
            if mate not in mates:
                words = f"{leader.name} defends with infantry of their side here, not a leader (19.3.6)."
                raise BadInput({"with": words})
            yield leader.key, mates[mate]


def clear_marks(pieces: Iterable[Piece]) -> tuple[CounterChange, ...]:
    """The marks of Close Combats that are over: one side is left in the place, or nobody (19.1.7).

    Where nobody has noted a unit's hex, nobody knows who else is there: it keeps its mark.
    """
    pieces = tuple(pieces)
    fighting_ids = {piece.counter.id for units in find_locations(pieces).values() for piece in units}
    return tuple(
        CounterChange(counter.id, f"no_{Mark.CLOSE_COMBAT}")
        for counter in (piece.counter for piece in pieces)
        if Mark.CLOSE_COMBAT in counter.state and counter.place and not counter.hidden
        if counter.id not in fighting_ids
    )
