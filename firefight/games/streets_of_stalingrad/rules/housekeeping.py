"""What phases take off, turn and ask for as a match goes through them (4.2, 9.114, 9.115, 10.9, 14.03, 14.84, 19.4).

A match that a hand leads forward goes through every step between: nothing that would have come off stays on.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from firefight.engine.board.counters import CounterInPlay
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import DueAtStep, Housekeeping, TableState
from firefight.engine.record import RecordChange, strike_rows
from firefight.engine.rolls.result import FollowUp
from firefight.engine.values import Json, Values

from .course import COURSE, END, NEXT, PHASES, SCENARIO, choose_course
from .data import read_lists
from .dates import date_of, days_since, has_begun
from .divisions import list_asked
from .phases import find_phase
from .record import INTERDICTED, MARKERS, RECORD
from .terms import SIDES, Side
from .units import Arm
from .weather import is_by_card

IMMOBILIZED = "immobilized"  # the state of a tank that runs no more
NUMBERS = read_lists("calendar")["numbers"]
BESIDES_ZAITSEV = 8  # of the nine snipers that there are (16.11)
BOXES_FIRE = 9  # the phase in which guns that were pinned in their boxes fire again (14.54, EBBT)


@dataclass(slots=True)
class _House:
    """The record as it becomes, and what is told of it."""

    kept: Json
    told: list[str] = field(default_factory=list)

    def take_off(self, goes: Callable[[Values], bool], rule: str) -> None:
        """Take markers off their hexes."""
        gone = [each for each in self.kept["markers"] if goes(each)]
        self.kept["markers"] = [each for each in self.kept["markers"] if each not in gone]
        for word in MARKERS:
            hexes = sorted({each["hex"] for each in gone if each["marker"] == word})
            if hexes:
                self.told.append(f"Off: {word} in {', '.join(hexes)} ({rule}).")

    def clear(self, name: str, rule: str = "") -> None:
        """Empty a list."""
        if self.kept[name]:
            self.kept[name] = []
            if rule:
                self.told.append(f"{_title(name)}: none ({rule}).")

    def put(self, name: str, value: object, rule: str) -> None:
        """Let a field hold something else."""
        if self.kept[name] != value:
            self.kept[name] = value
            found = RECORD.find(name)
            self.told.append(f"{_title(name)}: {found.describe_or_blank(value) if found else value} ({rule}).")


def _title(name: str) -> str:
    found = RECORD.find(name)
    return found.title if found else name


def do_housework(before: Position, situation: TableState) -> Housekeeping:
    """What is done from one position to another, and what is due and to be remembered there."""
    now = situation.position
    house, leaves = _House(dict(situation.record)), COURSE.number_of(before)
    for turn, phase in list_steps(before, now):
        _end_phase(house, leaves)
        if phase == 1:
            _begin_turn(house, situation.options)
        _begin_phase(house, turn, phase)
        leaves = phase
    due, notes = list_due(before, situation, house.kept), list_notes(now, house.kept)
    return Housekeeping(tuple(_list_changes(situation, house)), tuple(due), tuple(notes))


def list_steps(before: Position, now: Position) -> Iterator[tuple[int, int]]:
    """The steps after the one that is left, to the one that is reached; none where a hand has gone back."""
    first, last = (each.turn * len(PHASES) + COURSE.number_of(each) - 1 for each in (before, now))
    yield from ((at // len(PHASES), at % len(PHASES) + 1) for at in range(first + 1, last + 1))


def _list_changes(situation: TableState, house: _House) -> Iterator[RecordChange]:
    was = situation.record
    values: Json = {name: value for name, value in house.kept.items() if value != was[name]}
    if "crossed" in values:
        left = values["crossed"]
        values["crossed"] = {"change": left} if left else strike_rows(*was["crossed"])
    if values:
        yield RecordChange(values, tuple(house.told))


def _begin_turn(house: _House, options: Mapping[str, str]) -> None:
    """Guns have their explosion markers again, Stukas are back, arrows are free (14.03, 15.51, 8.66)."""
    house.clear("fired", "14.03")
    house.clear("fired_directly")
    house.clear("silent")
    house.clear("opportunity")
    house.kept["stukas_used"] = 0
    if options.get("scenario", SCENARIO) == SCENARIO:
        house.kept["stukas"] = None
    house.kept["weather"] = "none"
    house.kept["barred"] = dict.fromkeys(house.kept["barred"], 0)
    house.kept["crossed"] = {}


def _begin_phase(house: _House, turn: int, phase: int) -> None:
    comes_off = find_phase(phase).removed_at_start
    house.take_off(lambda each: each["marker"] in comes_off and not each["under_attack"], "9.114")
    if phase == 10 and 0 <= days_since("snipers", date_of(turn)) < NUMBERS["extra_snipers"]:
        there = house.kept["snipers"]
        house.put("snipers", max(there, min(BESIDES_ZAITSEV, there + 1)), "16.11")
    if phase == BOXES_FIRE:
        freed = [each["unit"] for each in house.kept["fired"] if each["in_box"]]
        house.kept["fired"] = [each for each in house.kept["fired"] if not each["in_box"]]
        house.told += [f"East Bank guns fire again: {', '.join(freed)} (14.54)."] if freed else []
    if phase in (10, 14):
        rows = {arrow: {**row, "phase": 0} for arrow, row in house.kept["crossed"].items()}
        house.kept["crossed"] = rows


def _end_phase(house: _House, phase: int) -> None:
    ends = find_phase(phase)
    for marker, becomes in ends.turns_at_end:
        _turn_markers(house, marker, becomes)
    house.clear("attacked")
    house.clear("breakthroughs")
    if "interdiction" in ends.off_map_at_end:
        house.take_off(lambda each: each["marker"] == INTERDICTED, "14.84")
    house.take_off(lambda each: each["marker"] in ends.removed_at_end, "9.115")


def _turn_markers(house: _House, marker: str, becomes: str) -> None:
    """Breakthru markers turn to spent (10.9)."""
    hexes = sorted({each["hex"] for each in house.kept["markers"] if each["marker"] == marker})
    if hexes:
        rows = [{**each, "marker": becomes} if each["marker"] == marker else each for each in house.kept["markers"]]
        house.kept["markers"] = rows
        house.told.append(f"{marker.capitalize()} is {becomes} now: {', '.join(hexes)} (10.9).")


# What is due


def list_due(before: Position, situation: TableState, kept: Json) -> list[DueAtStep]:
    """The rolls that a step asks for, in their order: isolation comes before all else of phase 1 (S-55)."""
    now, date = situation.position, COURSE.date_of(situation.position)
    phase, course = COURSE.number_of(now), choose_course(situation.options)
    if situation.pressed == END or (situation.pressed == NEXT and before == now and course.is_last(now)):
        return [_ask("victory", "Victory points", {"final_date": date})]
    if phase == 1:
        return [
            *_ask_isolation(kept["isolated"], date),
            *_ask_first_rolls(situation, date),
            *_ask_divisions(situation, kept),
        ]
    if phase == 2:
        return list(_ask_card_stukas(situation, kept))
    if phase == 3:
        return list(_ask_divisions(situation, kept))
    if phase == 10 and has_begun("breakdown", date):
        return _ask_tanks(situation, date, kept["tanks"])
    return []


def _ask_tanks(situation: TableState, date: str, number: int) -> list[DueAtStep]:
    """Every Soviet tank on the map rolls (16.33): those in sight by name, the others as the record counts them."""
    told = {"event": "phase_10", "date": date, "side": Side.SOVIET.value}
    named = [
        _ask("tank", call_tank(each.name), {**told, "who": [_plain(each)]})
        for each, kind, _ in situation.pieces
        if each.in_play and not each.hidden and each.side == Side.SOVIET.value and each.place
        if kind.arm is Arm.TANK and IMMOBILIZED not in each.state
    ]
    others = _ask("tank", "Soviet tanks", {"event": "phase_10", "date": date})
    return [*named, *[others] * max(0, number - len(named))]


def call_tank(name: object) -> str:
    """What the roll of a tank in phase 10 is called."""
    return f"{name}: does it run?"


def _plain(tank: CounterInPlay) -> Json:
    """A tank as the row of a form."""
    row: Json = {"kind": tank.counter, "name": tank.name, "state": list(tank.state), "id": tank.id}
    return {**row, "sort": Arm.TANK.value}


def _ask(helper: str, title: str, inputs: Json, compulsory: str = "") -> DueAtStep:
    return DueAtStep(FollowUp(helper, title, inputs), compulsory=compulsory)


def call_isolated(name: object) -> str:
    """What the isolation roll of a unit is called."""
    return f"Isolation: {name}"


def call_nkvd(name: object) -> str:
    """What the roll of an isolated NKVD unit is called."""
    return f"NKVD: {name}"


def _ask_isolation(rows: Collection[Values], date: str) -> list[DueAtStep]:
    """Each unit without supply, whose marker changes or goes first of all (19.4)."""
    return [
        _ask("isolation", call_isolated(row["name"]), {"unit": row["name"], "date": date, **_of_row(row)}, "19.4")
        for row in rows
    ]


def _of_row(row: Values) -> Json:
    return {name: row[name] for name in ("side", "marker", "elite_or_led")}


def ask_nkvd(row: Values) -> DueAtStep:
    """An NKVD unit that stays isolated without a leader (16.85)."""
    return _ask("nkvd", call_nkvd(row["name"]), {"unit": row["name"], "event": "isolated"}, "16.85")


def _ask_first_rolls(situation: TableState, date: str) -> Iterator[DueAtStep]:
    for side in SIDES:
        if has_begun(f"{side}_ammunition", date):
            yield _ask("ammunition", "Ammunition shortage", {"side": side, "date": date}, "14.71")
    if has_begun("weather", date):
        yield _ask("weather", "Weather", {"date": date}, "15.53")
    turn = situation.position.turn
    if turn >= 2 and situation.options.get("scenario", SCENARIO) == SCENARIO:
        yield _ask("stukas", "Stukas available", {"turn": turn}, "15.52")


def _ask_card_stukas(situation: TableState, kept: Json) -> Iterator[DueAtStep]:
    """How many Stukas the card gives, where nobody has said it: before they can bombard (15.51)."""
    scenario, turn = int(situation.options.get("scenario", SCENARIO)), situation.position.turn
    if kept["stukas"] is None and is_by_card(scenario, turn):
        yield _ask("stukas", "Stukas available", {"turn": turn, "scenario": scenario, "by_card": True})


def _ask_divisions(situation: TableState, kept: Json) -> Iterator[DueAtStep]:
    """In the campaign: who has come, who has left (3.5 to 3.7); what has to go, before the phase is over (4.2)."""
    if situation.options.get("scenario", SCENARIO) == SCENARIO:
        phase, date = COURSE.number_of(situation.position), COURSE.date_of(situation.position)
        for roll, compulsory in list_asked(phase, date, kept):
            yield DueAtStep(roll, compulsory=compulsory)


# What players do themselves


def list_notes(now: Position, kept: Json) -> Iterator[str]:
    """What a day brings to mind at a step, that is not so on every day; the rest are reminders."""
    phase, date = COURSE.number_of(now), COURSE.date_of(now)
    yield from _list_dated(phase, date)
    if phase == 10:
        if now.turn >= NUMBERS["tank_repair_turn"] and now.turn % 2 == 0 and kept["repair_unit"] == "on":
            yield "One eliminated tank comes back to the tank repair unit (16.72)."
        if has_begun("breakdown", date) and not kept["tanks"]:
            yield "Roll for each Soviet tank on the map (16.33): their number in the record has them asked."


def _list_dated(phase: int, date: str) -> Iterator[str]:
    """Who comes and goes on a date: withdrawals are of phase 1, arrivals of their side's movement (21.2, 21.51)."""
    dated = {1: ("withdrawal", "leaves"), 3: ("entry", "may come")}
    name, does = dated.get(phase, ("", ""))
    for each in read_lists("calendar")[name] if name else ():
        if each["date"] == date:
            yield f"Today {does}: {each['unit']} ({each['rule']})."
