"""What a match makes of its record at the table: what rolls write down, and what the track asks for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from firefight.engine.board.places import BadPlace
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import ChangedCounter, DueAtStep, Housekeeping, RecordRules, RowCard, TableState
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange
from firefight.engine.rolls.answers import Allowed
from firefight.engine.rolls.changes import Change
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Json, Values

from .advantage import Purpose
from .areas import AREAS, WORKS
from .arriving import fill_arrivals, fill_withdrawal, list_due_at_dawn, tell_at_dawn
from .attacking import NEXT, check_attack, check_entry, find_gun, note_attack, set_gun
from .becoming import spend_acting
from .course import COURSE, DONE, FLIP, PASS
from .dates import dated
from .deployment import (
    Deployment,
    check_guns,
    count_batteries,
    fill_entry,
    find_overfull,
    list_at_dawn,
    list_candidates,
    tell_lone_guns,
)
from .ferrying import check_crossing, check_ferry, fill_crossing, fill_ferry, fill_interdiction, note_crossing
from .infiltration import check_infiltration, fill_infiltration, note_infiltration
from .marching import (
    check_move,
    check_origins,
    fill_move,
    find_unattacked,
    note_attackers,
    note_move,
    trace_start,
)
from .record import AREA_VALUES, RECORD, STATES, Track
from .rubble_in_play import FIELDS, NOTED, ask_entrances, fill_rubble, note_rubble
from .sides import Side, Time
from .supply import change_others
from .terms import Kind
from .track import ImpulseOutcome

FROM_COUNTERS = frozenset(
    {"attack", "retreat", "dawn", "interdiction", "crossing", "entry-cost", "counter-battery", "move", "infiltration"}
    | {"entry", "ferry", "withdrawal"}
)
FILLED = frozenset({"attack", "defensive-value", "infiltration", "rubble", "rubble-setup", "engineers"})
# The fields of a move that depend on where it goes.
OF_GOAL = ("rubble", "fresh_enemy", "spent_enemy", "enemy_zoc", "mf", "paid", "regroups", "artillery")
# Those of an Infiltration that depend on the Area.
OF_INFILTRATION = (
    "tem",
    "rubble",
    "by_day",
    "not_fresh",
    "not_infantry",
    "from_german_area",
    "into_zone",
    "german_fresh",
)
OPEN = {"track": Track.OPEN.value}


def _tell_at_end(before: Position, situation: TableState) -> list[str]:
    """What an impulse leaves behind: Areas with too many (7.1), guns alone (15.22), those who owe an attack (8.34).

    A German one is over as far as players go where its roll falls due (6.1).
    """
    position = situation.position
    is_over = (position.turn, position.side, position.impulse) != (before.turn, before.side, before.impulse)
    is_rolled_for = position.side == Side.GERMAN and situation.pressed in (DONE, PASS)
    if not (is_over or (is_rolled_for and situation.record["track"] == Track.OPEN)) or not situation.pieces:
        return []
    deployed = Deployment.of(situation)
    sentences = [*find_overfull(deployed), *(tell_lone_guns(deployed) if is_over else ())]
    sentences += find_unattacked(deployed, replace(situation, position=before))
    is_dawn = position.turn != before.turn and COURSE.day_of(position)[1] is Time.DAY
    date = COURSE.day_of(position)[0]
    return sentences + ([*tell_at_dawn(date, situation)] if is_dawn else [])


def fill_from_counters(slug: str, about: Values, situation: TableState) -> Json:
    """What the counters in play fill in of a form, besides those that were tapped for it."""
    deployed, area = Deployment.of(situation), _read_area(about.get("area"))
    match slug:
        case "attack" if about.get("kind") == Kind.AIR and area:
            return {"germans_present": bool(deployed.find_units(Side.GERMAN, area))}
        case "counter-battery" if area:
            near = count_batteries(deployed, area)
            return {} if near is None else {"artillery_within_two": near}
        case "retreat":
            side = Side(str(about.get("side") or Side.RUSSIAN.value))
            rows = list_candidates(deployed, side, _read_area(about.get("start")))
            return {"areas": rows} if rows else {}
        case "dawn" if not about.get("id") and not about.get("duration"):
            return {"units": list_at_dawn(deployed), "others": True}
        case "withdrawal":
            return fill_withdrawal(COURSE.day_of(situation.position)[0], situation)
        case "entry":
            return fill_arrivals(about, COURSE.day_of(situation.position)[0], situation)
        case "ferry":
            return fill_ferry(about, situation)
        case "interdiction":
            return fill_interdiction(deployed, area)
        case "crossing" if area:
            return fill_crossing(deployed, area, about.get("id"))
        case "entry-cost" if area:
            return fill_entry(deployed, Side(situation.position.side), area)
        case "move":
            return fill_move(about, _read_area(about.get("goal")), situation)
        case "infiltration":
            return fill_infiltration(about, area, situation)
    return {}


def _note_dawn(inputs: Values, result: Result, situation: TableState) -> tuple[Change, ...]:
    """Everybody whom the list does not name is in supply and loses a dot (6.41)."""
    if not inputs.get("others"):
        return ()
    return change_others(situation.counters, {row["id"] for row in inputs["units"] if row.get("id")})


def _write_record(values: Values) -> RecordChange:
    return RECORD.change(values)


# Areas


def _read_area(area: object) -> str:
    try:
        return AREAS.parse(area) if isinstance(area, str) and area else ""
    except BadPlace:
        return ""


# The track


def _flip(before: Position, situation: TableState) -> Housekeeping:
    """Night falls; or a new date begins, with all that Dawn asks for (6.4, 6.41, 9.5, 15.3, 15.34, 17.22)."""
    date, time = COURSE.day_of(before)
    changed: Json = OPEN if situation.record["track"] != Track.OPEN else {}
    if time is Time.DAY:
        return Housekeeping(changes=(_write_record(changed),) if changed else ())
    after, _ = COURSE.day_of(situation.position)
    changed = changed | _renew(date, after, situation)
    due = list_due_at_dawn(date, time, situation)
    return Housekeeping(changes=(_write_record(changed),) if changed else (), due=due)


def _renew(date: str, after: str, situation: TableState) -> dict[str, object]:
    """What a new date makes of the record."""
    record, changed = situation.record, dict[str, object]()
    old_advantage = record["advantage"]
    renewed = {"holder_at_dawn": old_advantage["holder"], "used_today": False}
    if advantage := {name: value for name, value in renewed.items() if old_advantage[name] != value}:
        changed["advantage"] = advantage
    if record["luftwaffe_used"]:
        changed["luftwaffe_used"] = False
    guns = record["russian_artillery"]
    is_new = dated("russian_artillery", date, situation.book) != dated("russian_artillery", after, situation.book)
    states = {"ready": "ready", "silenced": "refit", "refit": "refit"}
    new_guns = [{**gun, "state": "ready" if is_new else states[gun["state"]]} for gun in guns]
    return changed | ({"russian_artillery": new_guns} if new_guns != guns else {})


def _check_advantage(inputs: Values, situation: TableState) -> None:
    """Raise BadInput where a form and the record differ about the Advantage."""
    advantage = situation.record["advantage"]
    problems = {
        name: f"By the record it is {_say_record_value(name, value)}: put that right first."
        for name, value in advantage.items()
        if inputs[name] != value
    }
    if problems:
        raise BadInput(problems)


def _say_record_value(name: str, value: object) -> str:
    field = RECORD.find(f"advantage.{name}")
    return field.describe(value) if field else str(value)


def _ask_advantage(situation: TableState) -> FollowUp:
    """The use of the Advantage that a button has asked for."""
    advantage, (date, time) = situation.record["advantage"], COURSE.day_of(situation.position)
    about = {
        **advantage,
        "user": advantage["holder"],
        "purpose": Purpose.PROLONG.value,
        "date": date,
        "time": time.value,
    }
    return FollowUp("advantage", "The Advantage", about)


def _note_impulse(inputs: Values, result: Result, situation: TableState) -> tuple[Change, ...]:
    """What the German impulse roll decides, if it is the one that this impulse still needs (6.1)."""
    position, track = situation.position, situation.record["track"]
    is_here = (inputs["date"], inputs["time"], inputs["box"]) == (*COURSE.day_of(position), position.box)
    is_wanted = position.side == Side.GERMAN and track in (Track.OPEN, Track.ENDING) and not COURSE.is_fixed(position)
    if not (is_here and is_wanted):
        return ()
    # A side that has not said "Pass" before the roll does not pass.
    settled = position if track == Track.ENDING else replace(position, passes=0)
    if result.outcome is ImpulseOutcome.PROLONGED:
        return _prolong(position, settled, result.details["box"], situation)
    if result.outcome is not ImpulseOutcome.GOES_ON:
        return _settle(position, settled, Track.FLIPS)
    if inputs["rolled"] and track == Track.OPEN:  # an attack, after which the impulse may go on
        return _settle(position, settled, Track.GOES_ON)
    return (*_settle(position, COURSE.hand_on(settled), Track.OPEN), *spend_acting(situation.counters))


def _note_advantage(inputs: Values, result: Result, situation: TableState) -> tuple[Change, ...]:
    """A use passes the Advantage on; one that prolongs puts the marker back, where a flip is due (9.1, 9.3, 9.5)."""
    position, track = situation.position, situation.record["track"]
    if result.outcome is not Allowed.ALLOWED or inputs["user"] != situation.record["advantage"]["holder"]:
        return ()
    if inputs["purpose"] == Purpose.PROLONG:
        return _prolong(position, position, result.details["reset_box"], situation) if track == Track.FLIPS else ()
    is_struck = inputs["of_impulse"] and not inputs.get("again")
    voided = OPEN if is_struck and track in (Track.GOES_ON, Track.FLIPS) else {}
    return (_write_record({**_pass_on(situation), **voided}),)


def _prolong(before: Position, settled: Position, box: int, situation: TableState) -> tuple[Change, ...]:
    moved = _settle(before, COURSE.hand_on(settled, box), Track.OPEN)
    return (*moved, _write_record(_pass_on(situation)), *spend_acting(situation.counters))


def _pass_on(situation: TableState) -> Json:
    holder = Side(situation.record["advantage"]["holder"])
    return {"advantage": {"holder": holder.other.value, "used_today": True}}


def _settle(before: Position, after: Position, track: Track) -> tuple[RecordChange, ...]:
    """What the impulse roll has said, and how the place on the track changes with it."""
    old_facts, new_facts = COURSE.facts(before), COURSE.facts(after)
    moved = {name: value for name, value in new_facts.items() if old_facts[name] != value}
    heading = f"{', '.join(COURSE.headings(after))}."
    return (*((RecordChange(moved, (heading,)),) if moved else ()), _write_record({"track": track.value}))


def _note_control(inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
    """What the German controls, as players said it: it fills the next question about it. Area 70 ends the tanks for
    good (13.2)."""
    areas, record = inputs.get("german_areas") or [], situation.record
    if not areas or areas == record["german_areas"]:
        return ()
    is_lost_now = WORKS in areas and not record["area70_lost"]
    return (_write_record({"german_areas": areas, **({"area70_lost": True} if is_lost_now else {})}),)


# Attacks, moves


def _check_attack(inputs: Values, situation: TableState) -> None:
    """Raise BadInput for attackers of several Areas, for what this impulse has seen already, for guns out of reach."""
    check_origins(inputs, situation)
    traced = trace_start(inputs, situation)
    check_attack(traced, situation)
    check_guns(traced, situation)


def _note_attack(inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
    """What was attacked, and what that costs those who go on (8.32, 8.34)."""
    overran, traced = bool(result.details["overrun"]), trace_start(inputs, situation)
    return (*note_attack(traced, result, situation), *note_attackers(inputs, overran, situation))


# Guns


def _check_silenced(inputs: Values, situation: TableState) -> None:
    """Raise BadInput where nobody has said which guns have fired."""
    if not inputs.get("area"):
        raise BadInput({"area": "Which Russian artillery has fired? Give its Area, so that the record knows it."})


def _check_refit(inputs: Values, situation: TableState) -> None:
    """Raise BadInput for artillery that needs no Refit, and where the Russian does anything else besides (15.34)."""
    position, gun = situation.position, find_gun(inputs.get("area"), situation)
    if not inputs.get("area"):
        raise BadInput({"area": "Which Russian artillery is it? Give its Area."})
    if gun is None or gun["state"] != "refit":
        now = f"is {STATES[gun['state']]}" if gun else "is not there"
        raise BadInput({"area": f"By the record artillery in this Area {now}: put that right first."})
    if position.side != Side.RUSSIAN or COURSE.has_acted(position, situation.record):
        raise BadInput({"area": f"A Refit is all that the Russian does in an impulse (15.34). {NEXT}"})


def _note_refit(inputs: Values, result: Result, situation: TableState) -> tuple[Change, ...]:
    """Artillery that is ready again; that was the impulse either way (15.34)."""
    position, area = situation.position, inputs.get("area")
    ready = set_gun(area, "ready", situation) if result.details["ready"] else ()
    return (*ready, *_settle(position, COURSE.hand_on(replace(position, passes=0)), Track.OPEN))


def _note_counter_battery(inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
    """Artillery that is silenced (15.32)."""
    return set_gun(inputs.get("area"), "silenced", situation) if result.details["silenced"] else ()


NOTES: Mapping[str, Callable[[Values, Result, TableState], tuple[Change, ...]]] = {
    "dawn": _note_dawn,
    "impulse": _note_impulse,
    "advantage": _note_advantage,
    "refit": _note_refit,
    "supply": _note_control,
    "victory": _note_control,
    "retreat": _note_control,
    "counter-battery": _note_counter_battery,
    "attack": _note_attack,
    "move": note_move,
    "infiltration": note_infiltration,
    "crossing": note_crossing,
}

CHECKS: Mapping[str, Callable[[Values, TableState], None]] = {
    "attack": _check_attack,
    "entry-cost": check_entry,
    "move": check_move,
    "infiltration": check_infiltration,
    "refit": _check_refit,
    "ferry": check_ferry,
    "crossing": check_crossing,
    "advantage": _check_advantage,
    "counter-battery": _check_silenced,
}


class Keeping(RecordRules):
    """The rules of the record: see RecordRules."""

    cards: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    about: tuple[str, ...] = ("area", "start")
    surveyed: frozenset[str] = FROM_COUNTERS
    presumed: frozenset[str] = frozenset({"interdiction", "armour-replacement", "entry", "ferry"})
    filled: frozenset[str] = FILLED | FROM_COUNTERS | FIELDS.keys() | {"artillery-range", "armour-replacement"}
    writers: frozenset[str] = FILLED | NOTES.keys()
    checked: frozenset[str] = frozenset(CHECKS)
    hinges: Mapping[str, tuple[str, tuple[str, ...]]] = {
        **{slug: ("area", ("tem",)) for slug in FILLED},
        **{slug: (by, (field, *(("tem",) if slug in FILLED else ()))) for slug, (by, field) in FIELDS.items()},
        "move": ("goal", OF_GOAL),
        "infiltration": ("area", OF_INFILTRATION),
    }
    additions: Mapping[str, tuple[str, tuple[str, ...]]] = {}

    def fill(self, slug: str, about: Values, situation: TableState) -> Values:
        """The TEM of the Area that a roll is about, from the chart or as the owner has said it before (3.21); and what
        the counters in play say.

        For guns, whether they are Russian, and may fire (15.3, 15.34).
        """
        if slug == "artillery-range":
            gun = find_gun(_read_area(about.get("area")), situation)
            return {"side": Side.RUSSIAN.value, "spent": gun["state"] != "ready"} if gun else {}
        tem_values = AREA_VALUES.fill(about, situation.record, situation.book) if slug in FILLED else {}
        rubble = fill_rubble(slug, about, situation.record)
        return {**tem_values, **rubble, **(fill_from_counters(slug, about, situation) if situation.pieces else {})}

    def check(self, slug: str, inputs: Values, situation: TableState) -> None:
        """Raise BadInput with what the record has against a roll."""
        if slug in CHECKS:
            CHECKS[slug](inputs, situation)

    def note(self, slug: str, inputs: Values, result: Result, situation: TableState) -> tuple[Change, ...]:
        """What a roll writes down: see the functions below."""
        noted = NOTES[slug](inputs, result, situation) if slug in NOTES else ()
        if slug in NOTED:
            noted = (*noted, *note_rubble(slug, inputs, result, situation.record))
        return (*noted, *(AREA_VALUES.note(inputs, situation.record, situation.book) if slug in FILLED else ()))

    def follow(self, changed: Sequence[ChangedCounter], situation: TableState) -> Sequence[DueAtStep]:
        """The roll of each Mechanized unit that has come into Rubble (14.3)."""
        return [*ask_entrances(changed, situation)]

    def keep_house(self, before: Position, situation: TableState) -> Housekeeping:
        """What is done as the marker moves, or as a button waits for a roll (6.1, 6.41, 9.3)."""
        house = self._keep_track(before, situation)
        return replace(house, notes=(*house.notes, *_tell_at_end(before, situation)))

    def _keep_track(self, before: Position, situation: TableState) -> Housekeeping:
        position, track = situation.position, situation.record["track"]
        if position.turn != before.turn:
            return _flip(before, situation)
        if position == before and situation.pressed in (FLIP, PASS):  # after the last night nothing comes
            return Housekeeping(due=list_due_at_dawn(*COURSE.day_of(position), situation))
        if (position.side, position.impulse) != (before.side, before.impulse):
            return Housekeeping(changes=(_write_record(OPEN),) if track != Track.OPEN else ())
        if track == Track.FLIPS:
            return Housekeeping(due=(DueAtStep(_ask_advantage(situation)),))
        changes = () if track == Track.ENDING else (_write_record({"track": Track.ENDING.value}),)
        date, time = COURSE.day_of(position)
        impulse_roll = FollowUp(
            "impulse", "German impulse roll", {"date": date, "time": time.value, "box": position.box}
        )
        return Housekeeping(changes, (DueAtStep(impulse_roll),))

    def present(self, field: str, situation: TableState) -> list[RowCard]:
        """There are no cards."""
        return []

    def make_row(self, field: str, side: str, parts: Values, ids: Sequence[str]) -> tuple[str, Values]:
        """Rows come from rolls alone."""
        raise BadInput({field: "What the owner said about an Area is noted with a roll."})
