"""What phases take off, turn and ask for as a match goes through them (4.2, 9.114, 9.115, 10.9, 14.03, 14.84, 19.4).

A match that is moved forward by hand goes through every step between: nothing that would have come off stays on.
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
BESIDES_ZAITSEV = 8  # of the nine snipers (16.11)
BOXES_FIRE = 9  # the phase in which guns that were pinned in their boxes fire again (14.54, EBBT)


@dataclass(slots=True)
class _House:
    """The record as it changes, and what the log says about it."""

    record: Json
    messages: list[str] = field(default_factory=list)

    def take_off(self, goes: Callable[[Values], bool], rule: str) -> None:
        """Take markers off their hexes."""
        removed = [row for row in self.record["markers"] if goes(row)]
        self.record["markers"] = [row for row in self.record["markers"] if row not in removed]
        for word in MARKERS:
            hexes = sorted({row["hex"] for row in removed if row["marker"] == word})
            if hexes:
                self.messages.append(f"Off: {word} in {', '.join(hexes)} ({rule}).")

    def clear(self, name: str, rule: str = "") -> None:
        """Empty a list."""
        if self.record[name]:
            self.record[name] = []
            if rule:
                self.messages.append(f"{_title(name)}: none ({rule}).")

    def add_sniper(self) -> None:
        """Another sniper comes, unless there are as many as there can be (16.11)."""
        if self.record["snipers"] < BESIDES_ZAITSEV:
            self.record["snipers"] += 1
            self.messages.append(f"{_title('snipers')}: {self.record['snipers']} (16.11).")


def _title(name: str) -> str:
    kept_field = RECORD.find(name)
    return kept_field.title if kept_field else name


def do_housework(before: Position, situation: TableState) -> Housekeeping:
    """What is done from one position to another, and what is due and to be remembered there."""
    position = situation.position
    house, leaves = _House(dict(situation.record)), COURSE.number_of(before)
    for turn, phase in list_steps(before, position):
        _end_phase(house, leaves)
        if phase == 1:
            _begin_turn(house, situation.options)
        _begin_phase(house, turn, phase)
        leaves = phase
    due, notes = list_due(before, situation, house.record), list_notes(position, house.record)
    return Housekeeping(tuple(_list_changes(situation, house)), tuple(due), tuple(notes))


def list_steps(before: Position, after: Position) -> Iterator[tuple[int, int]]:
    """The steps after the one that is left, to the one that is reached; none where the match was moved back."""
    start, end = (position.turn * len(PHASES) + COURSE.number_of(position) - 1 for position in (before, after))
    yield from ((step // len(PHASES), step % len(PHASES) + 1) for step in range(start + 1, end + 1))


def _list_changes(situation: TableState, house: _House) -> Iterator[RecordChange]:
    old_record = situation.record
    values: Json = {name: value for name, value in house.record.items() if value != old_record[name]}
    if "crossed" in values:
        crossed = values["crossed"]
        values["crossed"] = {"change": crossed} if crossed else strike_rows(*old_record["crossed"])
    if values:
        yield RecordChange(values, tuple(house.messages))


def _begin_turn(house: _House, options: Mapping[str, str]) -> None:
    """Guns get their explosion markers back, Stukas are back, arrows are free (14.03, 15.51, 8.66)."""
    house.clear("fired", "14.03")
    house.clear("fired_directly")
    house.clear("silent")
    house.clear("opportunity")
    house.record["stukas_used"] = 0
    if options.get("scenario", SCENARIO) == SCENARIO:
        house.record["stukas"] = None
    house.record["weather"] = "none"
    house.record["barred"] = dict.fromkeys(house.record["barred"], 0)
    house.record["crossed"] = {}


def _begin_phase(house: _House, turn: int, phase: int) -> None:
    comes_off = find_phase(phase).removed_at_start
    house.take_off(lambda row: row["marker"] in comes_off and not row["under_attack"], "9.114")
    if phase == 10 and 0 <= days_since("snipers", date_of(turn)) < NUMBERS["extra_snipers"]:
        house.add_sniper()
    if phase == BOXES_FIRE:
        freed = [row["unit"] for row in house.record["fired"] if row["in_box"]]
        house.record["fired"] = [row for row in house.record["fired"] if not row["in_box"]]
        house.messages += [f"East Bank guns fire again: {', '.join(freed)} (14.54)."] if freed else []
    if phase in (10, 14):
        rows = {arrow: {**row, "phase": 0} for arrow, row in house.record["crossed"].items()}
        house.record["crossed"] = rows


def _end_phase(house: _House, phase: int) -> None:
    ends = find_phase(phase)
    for marker, becomes in ends.turns_at_end:
        _turn_markers(house, marker, becomes)
    house.clear("attacked")
    house.clear("breakthroughs")
    if "interdiction" in ends.off_map_at_end:
        house.take_off(lambda row: row["marker"] == INTERDICTED, "14.84")
    house.take_off(lambda row: row["marker"] in ends.removed_at_end, "9.115")


def _turn_markers(house: _House, marker: str, becomes: str) -> None:
    """Breakthru markers turn to spent (10.9)."""
    hexes = sorted({row["hex"] for row in house.record["markers"] if row["marker"] == marker})
    if hexes:
        rows = [{**row, "marker": becomes} if row["marker"] == marker else row for row in house.record["markers"]]
        house.record["markers"] = rows
        house.messages.append(f"{marker.capitalize()} is {becomes} now: {', '.join(hexes)} (10.9).")


# What is due


def list_due(before: Position, situation: TableState, record: Json) -> list[DueAtStep]:
    """The rolls that a step asks for, in their order: isolation comes before all else of phase 1 (S-55)."""
    position, date = situation.position, COURSE.date_of(situation.position)
    phase, course = COURSE.number_of(position), choose_course(situation.options)
    if situation.pressed == END or (situation.pressed == NEXT and before == position and course.is_last(position)):
        return [_ask("victory", "Victory points", {"final_date": date, "is_last": True})]
    if phase == 1:
        return [
            *_ask_isolation(record["isolated"], date),
            *_ask_first_rolls(situation, date),
            *_ask_divisions(situation, record),
        ]
    if phase == 2:
        return list(_ask_card_stukas(situation, record))
    if phase == 3:
        return list(_ask_divisions(situation, record))
    if phase == 10 and has_begun("breakdown", date):
        return _ask_tanks(situation, date, record["tanks"])
    return []


def _ask_tanks(situation: TableState, date: str, number: int) -> list[DueAtStep]:
    """Every Soviet tank on the map rolls (16.33): those in sight by name, the others as the record counts them."""
    inputs = {"event": "phase_10", "date": date, "side": Side.SOVIET.value}
    in_sight = [
        _ask("tank", call_tank(tank.name), {**inputs, "who": [_plain(tank)]})
        for tank, kind, _ in situation.pieces
        if tank.in_play and not tank.hidden and tank.side == Side.SOVIET.value and tank.place
        if kind.arm is Arm.TANK and IMMOBILIZED not in tank.state
    ]
    places = range(len(in_sight) + 1, number + 1)
    return [*in_sight, *(_ask("tank", call_tank(f"{UNNAMED} {place}"), inputs) for place in places)]


UNNAMED = "Soviet tank"  # with its number, where no counter in sight is meant


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
    """Each unit without supply: its marker changes or goes before all else (19.4)."""
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


def _ask_card_stukas(situation: TableState, record: Json) -> Iterator[DueAtStep]:
    """How many Stukas the card gives, where nobody has said it: before they can bombard (15.51)."""
    scenario, turn = int(situation.options.get("scenario", SCENARIO)), situation.position.turn
    if record["stukas"] is None and is_by_card(scenario, turn):
        yield _ask("stukas", "Stukas available", {"turn": turn, "scenario": scenario, "by_card": True})


def _ask_divisions(situation: TableState, record: Json) -> Iterator[DueAtStep]:
    """In the campaign: which divisions have come or left (3.5 to 3.7); one that has to go goes in this phase (4.2)."""
    if situation.options.get("scenario", SCENARIO) == SCENARIO:
        phase, date = COURSE.number_of(situation.position), COURSE.date_of(situation.position)
        for roll, compulsory in list_asked(phase, date, record):
            yield DueAtStep(roll, compulsory=compulsory)


# What players do themselves


def list_notes(position: Position, record: Json) -> Iterator[str]:
    """What a step calls to mind on some days only; the rest are reminders."""
    phase, date = COURSE.number_of(position), COURSE.date_of(position)
    yield from _list_dated(phase, date)
    if phase == 10:
        if position.turn >= NUMBERS["tank_repair_turn"] and position.turn % 2 == 0 and record["repair_unit"] == "on":
            yield "One eliminated tank comes back to the tank repair unit (16.72)."
        if has_begun("breakdown", date) and not record["tanks"]:
            yield "Roll for each Soviet tank on the map (16.33): their number in the record has them asked."


def _list_dated(phase: int, date: str) -> Iterator[str]:
    """Who comes and goes on a date: withdrawals in phase 1, arrivals in their side's movement (21.2, 21.51)."""
    dated_lists = {1: ("withdrawal", "leaves"), 3: ("entry", "may come")}
    name, verb = dated_lists.get(phase, ("", ""))
    for row in read_lists("calendar")[name] if name else ():
        if row["date"] == date:
            yield f"Today {verb}: {row['unit']} ({row['rule']})."
