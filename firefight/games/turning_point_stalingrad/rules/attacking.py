"""What a match knows of an impulse's attacks: which have been made, which may still be, what they write down.

8.32 Maximum Attack, 15.2 German Artillery, 15.3 Russian Artillery, 17.2 Stuka Attack, 20.4 Opening Bombardment.
"""

from collections.abc import Sequence

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import TableState
from firefight.engine.dates import add_days, day_words
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange, push, put_in, strike
from firefight.engine.rolls.result import Result
from firefight.engine.values import Values

from .areas import is_zone, name_area
from .attack_values import AttackOutcome
from .course import COURSE
from .dates import dated
from .record import GUNS_REST, RECORD
from .sides import Side
from .terms import Group, Kind

LONE = (Kind.GERMAN_ARTILLERY, Kind.AIR)  # each is a whole impulse (15.2, 17.2)
NEXT = "If the next impulse has begun, press “Impulse done” first."


def find_owner(inputs: Values) -> Side:
    """Whose attack it is."""
    return Kind(inputs["kind"]).owner(Side(inputs["attacker"]))


def list_attacks(situation: TableState) -> list[Values]:
    """The attacks that this impulse has seen."""
    impulse = COURSE.name_impulse(situation.position)
    return [attack for attack in situation.record["attacks"] if attack["impulse"] == impulse]


def is_opening(position: Position) -> bool:
    """Whether it is the first impulse of 13 September (20.4 Opening Bombardment)."""
    return position == COURSE.begin()


# What may be attacked


def check_attack(inputs: Values, situation: TableState) -> None:
    """Raise BadInput with every reason why the record does not allow such an attack now."""
    problems = {**_find_wrong_guns(inputs, situation), **_find_wrong_side(inputs)}
    if Kind(inputs["kind"]) is Kind.AIR and situation.record["luftwaffe_used"]:
        problems["kind"] = "The aircraft have attacked on this date (17.22)."
    if find_owner(inputs) == situation.position.side:
        problems = {**_find_repeated(inputs, situation), **_find_elsewhere(inputs, situation), **problems}
    if problems:
        raise BadInput(problems)


def check_entry(inputs: Values, situation: TableState) -> None:
    """Raise BadInput for an Area that this impulse has attacked: nobody enters it any more (8.12)."""
    area = inputs.get("area")
    if area and any(attack["area"] == area for attack in list_attacks(situation)):
        closed = f"{name_area(area)} has been attacked in this impulse: nobody enters it any more (8.12). {NEXT}"
        raise BadInput({"area": closed})


def _find_wrong_side(inputs: Values) -> dict[str, str]:
    """Russian guns alone, where the German is said to attack; the rule itself refuses the opposite."""
    is_said = find_owner(inputs) is Side.GERMAN or inputs["attacker"] == Side.RUSSIAN
    return {} if is_said else {"attacker": "Russian artillery alone is a Russian attack (15.3): say so."}


def _find_wrong_guns(inputs: Values, situation: TableState) -> dict[str, str]:
    """Guns that cannot fire now, and more of them than fire together (15.2, 15.3, 15.34)."""
    problems: dict[str, str] = {}
    kind, guns, unit = Kind(inputs["kind"]), inputs.get("guns"), inputs.get("battery")
    most = dated("russian_artillery", inputs["date"], situation.book)
    if inputs["artillery"] > most:
        problems["artillery"] = f"One Russian artillery unit takes part at most: it counts {most} on this date (15.3)."
    if guns and (kind.is_ground or kind is Kind.RUSSIAN_ARTILLERY):
        gun = next((gun for gun in situation.record["russian_artillery"] if gun["area"] == guns), None)
        if gun and gun["state"] != "ready":
            problems["guns"] = f"The artillery in {name_area(guns)} is silenced until it is refitted (15.32, 15.34)."
    tired = find_tired(unit, inputs["date"], situation) if kind is Kind.GERMAN_ARTILLERY else None
    if tired:
        problems["battery"] = f"{unit} has fired; it is Fresh again on {day_words(tired['fresh_on'])} (15.2)."
    return problems


def find_tired(unit: str | None, date: str, situation: TableState) -> Values | None:
    """The line of the record about a German artillery unit that has not yet rested."""
    listed = situation.record["german_artillery"]
    return next((row for row in listed if unit and row["unit"] == unit and date < row["fresh_on"]), None)


def _find_repeated(inputs: Values, situation: TableState) -> dict[str, str]:
    """What this impulse does not allow a second time, or together with what it has seen (8.32, 15.2, 17.2, 20.4)."""
    earlier, kind, area = list_attacks(situation), Kind(inputs["kind"]), inputs.get("area") or None
    same_area = [attack for attack in earlier if area and attack["area"] == area]
    if is_opening(situation.position) and kind in LONE:
        refusal = f"{name_area(area)} has been bombarded in the opening (20.4)." if area else ""
        return {"area": refusal} if same_area else {}
    if any(attack["group"] == inputs["group"] for attack in same_area):
        group = Group(inputs["group"]).word
        return {
            "group": f"The {group} Group of {name_area(str(area))} has been attacked in this impulse (8.32). {NEXT}"
        }
    return {"kind": refusal} if (refusal := _why_apart(earlier, kind, area)) else {}


def _find_elsewhere(inputs: Values, situation: TableState) -> dict[str, str]:
    """Attackers from another Area than those before them: an impulse is about the units of one Area (8.1, 8.3)."""
    start, starts = inputs.get("start"), [attack["start"] for attack in list_attacks(situation) if attack["start"]]
    if not start or inputs.get("entered") or Kind(inputs["kind"]) in LONE or not starts or start in starts:
        return {}
    return {"start": f"This impulse is about the units of {name_area(starts[0])} (8.1). {NEXT}"}


def _why_apart(earlier: Sequence[Values], kind: Kind, area: str | None) -> str:
    """Why an attack does not go together with those before it: guns and aircraft attack alone (15.2, 17.2)."""
    kinds = {Kind(attack["kind"]) for attack in earlier}
    if not kinds or not ({kind} | kinds) & set(LONE):
        return ""
    if kinds != {kind} or kind is Kind.AIR:
        lone = next(candidate for candidate in (kind, *kinds) if candidate in LONE)
        return f"{lone.word} alone makes an impulse: nothing else attacks in it (15.2, 17.2). {NEXT}"
    elsewhere = area is not None and any(attack["area"] not in (None, area) for attack in earlier)
    return f"German artillery attacks one Area in an impulse (15.2). {NEXT}" if elsewhere else ""


# What it writes down


def note_attack(inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
    """What an attack writes down: what was attacked, which artillery rests now, which is silenced."""
    changes = []
    if find_owner(inputs) == situation.position.side:
        changes.append(_note_target(inputs, result, situation))
    if Kind(inputs["kind"]) is Kind.GERMAN_ARTILLERY and inputs.get("battery"):
        changes.append(_note_rest(inputs, situation))
    if result.details.get("silenced"):
        changes += set_gun(inputs.get("guns"), "silenced", situation)
    return tuple(changes)


def _note_target(inputs: Values, result: Result, situation: TableState) -> RecordChange:
    """What was attacked; and that those who had overrun take the dots of the last attack (8.12, 8.36)."""
    overran = result.outcome is AttackOutcome.OVERRUN
    has_start = Kind(inputs["kind"]).is_ground and not inputs.get("entered")
    attack = {
        "impulse": COURSE.name_impulse(situation.position),
        "area": inputs.get("area") or None,
        "group": inputs["group"],
        "kind": inputs["kind"],
        "overran": overran,
        "start": (has_start and inputs.get("start")) or None,
    }
    again = not overran and Kind(inputs["kind"]).is_ground and any(row["overran"] for row in list_attacks(situation))
    dots = f"D{result.details['inside'] or result.details['ranged']}"
    effects = (f"Who had overrun in this impulse and attacked again stands at {dots} (8.12, 8.36).",) if again else ()
    return RecordChange({"attacks": push(attack)}, effects)


def _note_rest(inputs: Values, situation: TableState) -> RecordChange:
    """German artillery that has fired stands at D4 (15.2, 10.6)."""
    unit, fresh_on = inputs["battery"], add_days(inputs["date"], GUNS_REST)
    old = [row for row in situation.record["german_artillery"] if row["unit"] == unit]
    change = {**strike(*old), **put_in({"unit": unit, "fresh_on": fresh_on})}
    return RecordChange({"german_artillery": change}, (f"{unit} may fire again on {day_words(fresh_on)}.",))


def find_gun(area: str | None, situation: TableState) -> Values | None:
    """The Russian artillery of an Area."""
    return next((gun for gun in situation.record["russian_artillery"] if gun["area"] == area), None)


def set_gun(area: str | None, state: str, situation: TableState) -> tuple[RecordChange, ...]:
    """The Russian artillery of an Area becomes ready, silenced or due for refit; one that the record lacks is added."""
    gun = find_gun(area, situation)
    if not area or is_zone(area) or (gun and gun["state"] == state):
        return ()
    change = (
        put_in({"area": area, "state": state}) if gun is None else {**strike(gun), **put_in({**gun, "state": state})}
    )
    return (RECORD.change({"russian_artillery": change}),)
