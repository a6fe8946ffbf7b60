"""Combat! Stalingrad's record at the table: what rolls are filled with from it, and what they write into it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from firefight.engine.board.counters import CounterFate
from firefight.engine.board.hexes import HexMap
from firefight.engine.board.places import BadPlace
from firefight.engine.charts.kinds import Choices
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import (
    Chance,
    ChangedCounter,
    DueAtStep,
    Forestalled,
    Housekeeping,
    ReadyRow,
    RecordRules,
    RowCard,
    TableState,
)
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange, change_row
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from . import air, chances, fired, flak, flights, ground, housekeeping, impact, missions, record_cards, sets, striking
from .about import find_set, hexes_of, read_flight, read_mission, read_set
from .artillery import Fire, Marker
from .contact import ContactOutcome
from .conversion import ConversionOutcome
from .counters import Counter, CounterKind
from .marks import is_unit
from .record import write_down

Inputs = Values
ADDITIONS = {
    "missions": (
        "Add a battery or bombardment",
        (
            "name",
            "kind",
            "caliber",
            "plotted",
            "device",
            "aerial",
            "set",
            "observer",
            "supply",
            "registered",
            "known_to",
            "plot",
            "plot_turn",
        ),
    ),
    "aircraft": ("Add aircraft", ("name", "aircraft", "planes", "number")),
    "sets": ("Add a radio or phone", ("name", "device", "hex")),
    "ground": (
        "Note a hex",
        ("hex", "level", "building", "rubble", "wreck", "trench", "fire", "mines", "known_to", "note"),
    ),
}


class Keeping(RecordRules):
    """What the frame asks of the record: see RecordRules."""

    cards = ("missions", "aircraft", "sets")
    lines = ("ground",)
    carded = ("mission", "flight", "set")
    about = (*carded, "place")
    filled = frozenset(
        {
            *("contact", "accuracy", "bracket", "conversion", "firepower", "fire"),
            *("air-arrival", "air-attack", "anti-aircraft", "fo-loss", "close-combat"),
        }
    )
    writers = filled - {"bracket", "close-combat"} | {"call-off", "action-check"}
    # The hex that is announced says how far the correction is, whether it lies between brackets, who is nearby (17.3).
    hinges = {
        "air-attack": ("hex", ("units",)),
        "contact": ("aim", ("correction", "bracketed", "registered", "danger_close", "new_this_phase")),
    }
    # What an impact strikes is decided when it comes down, not when somebody was named.
    # Those under fire on two levels of a hex read the die with the terrain of each.
    decided = {"firepower": ("units",), "air-attack": ("units",), "fire": ("units",)}
    struck = frozenset({"firepower", "air-attack", "contact"})
    presumed = frozenset({"anti-aircraft"})
    additions = ADDITIONS
    pips = fired.FIRED_LIST.name
    pip_words = fired.WORDS
    beside = frozenset({fired.FIRED_LIST.name, chances.TRIED_LIST.name})
    chance_steps = chances.STEPS

    def fill(self, slug: str, about: Inputs, situation: TableState) -> Json:
        """What a form is filled with; ``about``: what the roll is about, with what was given for it before."""
        filler = _FILLERS.get(slug)
        return fill_mission(slug, about, situation) | (filler(about, situation) if filler else {})

    def check(self, slug: str, inputs: Inputs, situation: TableState) -> None:
        """Raise BadInput with every reason why a roll about a mission or a group of aircraft cannot be made now."""
        reasons = [
            *against_mission(slug, inputs, situation),
            *against_flight(slug, inputs, situation),
            *against_set(slug, inputs, situation),
        ]
        if reasons:
            raise BadInput({"": " ".join(reasons)})

    def note(self, slug: str, inputs: Inputs, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
        """What a roll writes down."""
        changes = (
            note_mission(slug, inputs, result, situation),
            note_flight(slug, inputs, result, situation),
            note_ground(slug, inputs, result, situation),
            note_set(slug, inputs, result, situation),
            note_fired(slug, inputs, result, situation),
            chances.note_try(slug, inputs, result, situation),
        )
        return tuple(change for change in changes if change)

    def forestall(self, slug: str, inputs: Inputs, situation: TableState) -> Forestalled | None:
        """Anti-aircraft fire comes before the attack of aircraft (17.6.7)."""
        flight, aimed = read_flight(inputs, situation), str(inputs.get("hex") or "")
        offers = flak.offer_fire(flight, aimed, situation) if slug == "air-attack" and flight and aimed else []
        return Forestalled(f"Air attack on {aimed} by {flight.name}", tuple(offers)) if flight and offers else None

    def ask_owners(self, slug: str, inputs: Inputs, result: Result, situation: TableState) -> list[DueAtStep]:
        """What an impact does to counters that their owners alone know of (A-57)."""
        if slug == "firepower":
            return striking.strike_hidden(inputs, situation)
        if result.outcome is air.AirAttackOutcome.DEFENDER_CHOICE and inputs.get("hex"):
            return striking.offer_choice(inputs, result, situation)
        return striking.bomb_hidden(inputs, result, situation) if slug == "air-attack" and inputs.get("hex") else []

    def find_idle(self, slug: str, inputs: Inputs, follow_ups: Sequence[FollowUp], situation: TableState) -> list[int]:
        """Attacks on nobody, where all know where every unit stands (A-57)."""
        aimed_at = inputs.get({"firepower": "impact", "air-attack": "hex"}.get(slug, ""))
        visible = [piece for piece in situation.pieces if piece.counter.in_play and not piece.counter.hidden]
        units = [piece.counter for piece in visible if is_unit(piece.kind.kind)]
        if not aimed_at or not units or not all(counter.place for counter in units):
            return []
        return [
            place for place, step in enumerate(follow_ups) if step.helper == "fire" and not step.inputs.get("units")
        ]

    def follow(self, changed: Sequence[ChangedCounter], situation: TableState) -> list[DueAtStep]:
        """Whoever comes under artillery fire is attacked (17.4.5, 17.4.6); whoever falls may leave a set (17.2.4)."""
        return [*striking.strike_movers(changed, situation), *list_losses(changed, situation)]

    def list_chances(self, situation: TableState) -> list[Chance]:
        """What counters may try now: to rally, to fire at aircraft unseen, to advance."""
        return chances.find_chances(situation)

    def find_row(self, kind: Counter, number: int) -> tuple[str, Inputs] | None:
        """Aircraft are a group over the map rather than counters on it (17.6.4)."""
        return ("aircraft", {"aircraft": kind.aircraft.value, "planes": number}) if kind.aircraft else None

    def narrow(self, slug: str, about: Inputs, situation: TableState) -> dict[str, dict[str, str]]:
        """A Plot goes on one of its two written hexes, as its side says (17.4.8). Any other aim is free, aircraft's too
        (17.6.5), and AA says how far away they are. Of two brackets players choose the one that they take up (17.3.4.2,
        R-87)."""
        if field_asked := _ASKED_OF_FLIGHTS.get(slug):
            return {field_asked: {}} if about.get("flight") else {}
        mission = read_mission(about, situation) if slug in ("contact", "accuracy") else None
        if mission is None:
            return {}
        if slug == "contact":
            return {} if mission.plotted else {"aim": {}}
        if mission.plotted:
            return {"aim": {place: place for place in mission.plot}} if mission.plot else {}
        brackets = missions.offer_brackets(mission, {**about, "aim": _read_aim(about, situation)}, hexes_of(situation))
        return {"takes_up": brackets} if brackets else {}

    def find_flaws(self, field: str, row: Inputs, situation: TableState) -> list[str]:
        """Modifiers of the ground are the chart book's; what lies on the board is not a secret (R-138)."""
        modifiers: Choices = situation.book["fft_modifiers"]
        if field == "ground":
            return ground.find_flaws(row, modifiers.items)
        return missions.against_sealing(row) if field == "missions" else []

    def keep_house(self, before: Position, situation: TableState) -> Housekeeping:
        """What the step that begins takes off, and what is due in it."""
        house = housekeeping.tidy_step(before, situation)
        return replace(house, due=(*house.due, *striking.strike_stayers(before, situation)))

    def present(self, field: str, situation: TableState) -> list[RowCard]:
        """The cards of a field, as far as the situation shows them."""
        return record_cards.present_record(field, situation)

    def list_ready_rows(self, field: str, side: str) -> Sequence[ReadyRow]:
        """The batteries of the side's roster, by caliber; all Russian ones are plotted (17.4.8)."""
        calibers = missions.CALIBERS.get(side, ()) if field == "missions" else ()
        preset = self.preset_row(field, side)
        return [ReadyRow(f"{caliber} mm", {"caliber": str(caliber), **preset}) for caliber in calibers]

    def preset_row(self, field: str, side: str) -> Mapping[str, str]:
        """All Russian artillery is plotted (17.4.8)."""
        return {"plotted": "yes"} if field == "missions" and side == missions.PLOTTING else {}

    def offer_parts(self, field: str, side: str, situation: TableState) -> Mapping[str, Mapping[str, str]]:
        """Who may observe for a battery of a side, and with which of its sets (17.2.2, R-159)."""
        if field != "missions":
            return {}
        return {"observer": offer_observers(side, situation), "set": sets.offer_sets(situation.record["sets"], side)}

    def make_row(self, field: str, side: str, parts: Inputs, ids: Sequence[str]) -> tuple[str, Inputs]:
        """The id of a new row of a side, and its parts. A plot is sealed as it is written. Raises BadInput."""
        if field == "ground":
            if not parts.get("hex"):
                raise BadInput({"hex": "Give the hex."})
            level = ground.read_level(parts.get("level") or "")
            return ground.compose_id(parts["hex"], level, parts.get("known_to") or ""), parts
        if field == "missions" and parts.get("plot"):
            if reasons := missions.against_writing(parts["plot"], parts.get("plot_turn") or 0):
                raise BadInput({"plot": " ".join(reasons)})
            parts = {**parts, "plotted": True, "known_to": side}
        head = f"{side}-" + {"sets": "set", "aircraft": "flight"}.get(field, "")
        taken_numbers = [id.removeprefix(head) for id in ids if id.startswith(head)]
        number = max((int(rest) for rest in taken_numbers if rest.isdigit()), default=0) + 1
        return f"{head}{number}", {**parts, "side": side}


# What no counter says of a roll about aircraft.
_ASKED_OF_FLIGHTS = {"air-attack": "hex", "anti-aircraft": "range"}


# Close Combat


def fill_close_combat(about: Inputs, situation: TableState) -> dict[str, object]:
    """What is known of the place of a Close Combat: cover against AFV, and whether an overrun doubles there."""
    rows, filled = situation.record["ground"], dict[str, object]()
    if about.get("target") == "afv" and (place := find_place(about, situation)):
        filled["from_cover"] = ground.gives_cover(rows, *place)
    if overrun := find_overrun(about, situation):
        filled["overrun"] = not ground.is_indoors(rows, *overrun)
    return filled


def find_overrun(about: Inputs, situation: TableState) -> tuple[str, str] | None:
    """The hex and level of a Close Combat that somebody attacks from outside, friend and enemy; None for any other
    attack. Nobody but an AFV that overruns comes from there (19.1.3, 19.1.4)."""
    firers, targets = (
        [counter for counter in situation.counters if counter.id in (about.get(role) or ())]
        for role in ("firers", "targets")
    )
    sides = {firer.side for firer in firers}
    return next(((target.place, target.level) for target in targets if target.side in sides), None)


# Missions


def fill_mission(slug: str, about: Inputs, situation: TableState) -> dict[str, object]:
    """What a form of artillery is filled with from its mission."""
    mission, turn = read_mission(about, situation), situation.position.turn
    if mission is None:
        return {}
    match slug:
        case "contact":
            aim, hexes = _read_aim(about, situation), hexes_of(situation)
            units = [piece.counter for piece in situation.pieces if is_unit(piece.kind.kind)]
            inputs = missions.fill_contact(mission, aim, turn, units, hexes)
            of_set = read_set(mission, situation)
            return {**inputs, "device": of_set.device} if of_set and not mission.plotted else inputs
        case "conversion":
            return missions.fill_conversion(mission, turn)
        case "firepower":
            return missions.fill_firepower(mission, turn)
        case "bracket" if len(mission.brackets) == missions.MOST_BRACKETS:
            return dict(zip(("first", "second"), mission.brackets, strict=True))
    return {}


def _read_aim(about: Inputs, situation: TableState) -> str:
    """The hex that is announced, where it is one of the map."""
    try:
        return str(hexes_of(situation).parse(str(about.get("aim") or "")))
    except BadPlace:
        return ""


def fill_struck(about: Inputs, situation: TableState) -> dict[str, object]:
    """Whom an impact attacks: by its mission, and by what was given for it (A-57)."""
    mission_inputs = fill_mission("firepower", about, situation)
    shot = {**mission_inputs, **{name: value for name, value in about.items() if value not in (None, "", [], ())}}
    return impact.fill_units(situation.book, shot, situation.pieces)


def against_mission(slug: str, inputs: Inputs, situation: TableState) -> list[str]:
    """The objections to a roll about a mission."""
    if not inputs.get("mission") or slug not in _OF_MISSIONS:
        return []
    mission, turn = read_mission(inputs, situation), situation.position.turn
    if mission is None:
        return ["There is no such mission any more: choose it again."]
    if slug == "accuracy":
        return missions.against_aim(mission, inputs.get("aim") or "") + missions.against_taking_up(mission, inputs)
    if slug == "call-off":
        return [] if mission.plotted else [f"{mission.name} is not plotted: its FFE is lifted without a roll."]
    if slug != "contact":
        return []
    return missions.against_call(mission, turn, read_set(mission, situation), situation.counters)


_OF_MISSIONS = ("contact", "call-off", "accuracy", "conversion", "firepower")


def note_mission(slug: str, inputs: Inputs, result: Result, situation: TableState) -> RecordChange | None:
    """What a roll of artillery does to its mission, and to the set that it was called with."""
    mission, turn = read_mission(inputs, situation), situation.position.turn
    if mission is None:
        return None
    note = _note_of(slug, mission, inputs, result, turn, hexes_of(situation))
    values: Json = {"missions": change_row(mission.id, **note.parts)} if note else {}
    # The roll is open: the name of a plot stays its side's secret until it has fallen.
    is_shown = not mission.is_sealed or (note is not None and "known_to" in note.parts)
    sentences = [f"{mission.name if is_shown else 'Plotted fire'}: {note.words}."] if note else []
    of_set = read_set(mission, situation) if slug == "contact" and not mission.plotted else None
    if of_set:
        is_contact = result.outcome is ContactOutcome.CONTACT
        visible = (counter for counter in situation.counters if not counter.hidden)
        carrier = missions.find_observer(mission, visible)
        parts = sets.parts_of_use(of_set, mission.user, turn, is_contact, carrier.place if carrier else "")
        values["sets"] = change_row(of_set.id, **parts)
        sentences.append(f"{of_set.name}: used in this phase.")
    if smoke := _smoke_of_marker(slug, mission, inputs, result):
        values["ground"] = ground.lay_smoke(situation.record["ground"], [smoke], turn)
        sentences.append(f"Smoke in {smoke}.")
    return write_down(values, *sentences) if values else None


def _note_of(
    slug: str, mission: missions.Mission, inputs: Inputs, result: Result, turn: int, hexes: HexMap
) -> sets.Note | None:
    match slug:
        case "contact":
            return missions.note_contact(mission, inputs, result, turn)
        case "accuracy":
            return missions.note_accuracy(mission, inputs, result, turn, hexes)
        case "conversion":
            return missions.note_conversion(mission, inputs, result, turn)
        case "firepower":
            return missions.note_firepower(mission, inputs)
        case "call-off":
            return missions.note_call_off(mission, result, turn)
    return None


def _smoke_of_marker(slug: str, mission: missions.Mission, inputs: Inputs, result: Result) -> str:
    """The hex where a danger-close CFF has a smoke counter (17.3.8, A-42)."""
    if not inputs.get("danger_close") or mission.fire is not Fire.BATTERY:
        return ""
    if slug == "accuracy" and inputs.get("marker") == Marker.NEW_CFF:
        return str(result.details.get("hex", "")) if result.details.get("on_map", True) else ""
    if slug == "conversion" and result.outcome in (ConversionOutcome.STAYS_CFF, ConversionOutcome.NOT_ELIGIBLE):
        return mission.hex
    return ""


def offer_observers(side: str, situation: TableState) -> dict[str, str]:
    """The infantry of a side that is in play and in sight, each with its place, leaders first (R-159)."""
    pieces = [
        piece
        for piece in situation.pieces
        if piece.counter.side == side and piece.counter.in_play and not piece.counter.hidden
    ]
    infantry = [piece for piece in pieces if is_unit(piece.kind.kind) and piece.kind.kind not in _NO_OBSERVERS]
    infantry.sort(key=lambda piece: piece.kind.kind is not CounterKind.LEADER)
    return {
        piece.counter.name: ", ".join(filter(None, (piece.counter.name, piece.counter.place))) for piece in infantry
    }


_NO_OBSERVERS = (CounterKind.VEHICLE, CounterKind.AIRCRAFT)


# Who has fired


def note_fired(slug: str, inputs: Inputs, result: Result, situation: TableState) -> RecordChange | None:
    """The Fire markers that a roll puts on counters: those who fire, and an observer whose call is placed (17.2.3)."""
    fired_ids = situation.record[fired.FIRED_LIST.name]
    if slug != "contact":
        values = fired.note_firers(slug, inputs, fired_ids)
        return RecordChange(values, ()) if values else None
    mission = read_mission(inputs, situation)
    kinds = {
        piece.counter: piece.kind for piece in situation.pieces if piece.counter.in_play and not piece.counter.hidden
    }
    observer = missions.find_observer(mission, kinds) if mission else None
    if mission is None or observer is None or mission.plotted or mission.aerial:
        return None
    is_leader = kinds[observer].kind is CounterKind.LEADER
    values = fired.note_observer(inputs, result, observer.id, is_leader, fired_ids)
    words = f"{fired.WORDS[is_leader]}: {observer.name} (17.2.3)."
    return RecordChange(values, (words,)) if values else None


# Sets whose observer has fallen


def list_losses(changed: Sequence[ChangedCounter], situation: TableState) -> list[DueAtStep]:
    """The roll for the set of each observer who has been eliminated (17.2.4), once for a set."""
    rolls_due: dict[str, DueAtStep] = {}
    for before, after in changed:
        if after.counter.fate != CounterFate.ELIMINATED or before.fate:
            continue
        for mission in missions.read_missions(situation.record):
            of_set = read_set(mission, situation)
            in_sight = (counter for counter in situation.counters if counter.in_play and not counter.hidden)
            is_observer = missions.find_observer(mission, [*in_sight, before]) == before
            if not (is_observer and of_set) or of_set.lost or mission.is_sealed:
                continue
            # Nobody else is told where a hidden observer stood.
            place = {"place": before.place} if before.place and not before.hidden else {}
            inputs = {"set": of_set.id, "item": of_set.device, **place}
            roll = FollowUp("fo-loss", f"{of_set.name}: left or lost with {before.name}?", inputs)
            rolls_due[of_set.id] = DueAtStep(roll, cause=before.id)
    return list(rolls_due.values())


def against_set(slug: str, inputs: Inputs, situation: TableState) -> list[str]:
    """The objections to a roll about a set."""
    if slug != "fo-loss" or not inputs.get("set"):
        return []
    of_set = find_set(inputs, situation)
    return ["There is no such set any more."] if of_set is None else sets.against_loss(of_set)


def fill_loss(about: Inputs, situation: TableState) -> dict[str, object]:
    """Which set an observer carried (17.2.4)."""
    of_set = find_set(about, situation)
    return {"item": of_set.device} if of_set else {}


def note_set(slug: str, inputs: Inputs, result: Result, situation: TableState) -> RecordChange | None:
    """What becomes of the set of an observer who has fallen (17.2.4)."""
    of_set = find_set(inputs, situation) if slug == "fo-loss" else None
    if of_set is None:
        return None
    parts, words = sets.note_loss(result, str(inputs.get("place") or ""))
    return write_down({"sets": change_row(of_set.id, **parts)}, f"{of_set.name}: {words}.") if parts else None


# Aircraft


def fill_flak(about: Inputs, situation: TableState) -> dict[str, object]:
    """The aircraft that anti-aircraft fire is about: those over the map, if nobody says which. Raises BadInput for
    firers inside a building."""
    firers = [counter for counter in situation.counters if counter.id in (about.get("firers") or ())]
    rows = situation.record["ground"]
    reasons = [flak.say_indoors(rows, firer.name, firer.place, firer.level) for firer in firers]
    if any(reasons):
        raise BadInput({"firers": " ".join(filter(None, reasons))})
    flight = read_flight(about, situation)
    target = flight or flak.find_flight(flights.read_flights(situation.record), [firer.id for firer in firers])
    return {"flight": target.id, "aircraft": target.aircraft} if target else {}


def fill_arrival(about: Inputs, situation: TableState) -> dict[str, object]:
    """Whether a group of aircraft arrives or stays, and by which number (17.6.2)."""
    flight = read_flight(about, situation)
    return {"number": flight.number, "already_in_play": flight.here} if flight else {}


def fill_air_attack(about: Inputs, situation: TableState) -> dict[str, object]:
    """What attacks from the air, and whom it may meet (17.6.5)."""
    flight = read_flight(about, situation)
    plane = {"aircraft": flight.aircraft} if flight else {}
    return plane | impact.fill_bombed(situation.book, about, situation.pieces)


def against_flight(slug: str, inputs: Inputs, situation: TableState) -> list[str]:
    """The objections to a roll about a group of aircraft."""
    if not inputs.get("flight"):
        return []
    flight, turn = read_flight(inputs, situation), situation.position.turn
    if flight is None:
        return ["There is no such group of aircraft any more: choose it again."]
    if slug == "air-arrival":
        return flights.list_roll_objections(flight, flights.read_flights(situation.record), turn)
    if slug == "air-attack":
        return flights.list_attack_objections(flight, air.AirWeapon(inputs["weapon"]), turn)
    return []


def note_flight(slug: str, inputs: Inputs, result: Result, situation: TableState) -> RecordChange | None:
    """What a roll does to a group of aircraft."""
    flight, turn = read_flight(inputs, situation), situation.position.turn
    if flight is None:
        return None
    match slug:
        case "air-arrival":
            note = flights.note_arrival(result, turn)
        case "air-attack":
            note = flights.note_air_attack(flight, air.AirWeapon(inputs["weapon"]), turn)
        case "anti-aircraft":
            note = flights.note_fire_at(flight, result, turn)
        case _:
            return None
    return (
        write_down({"aircraft": change_row(flight.id, **note.parts)}, f"{flight.name}: {note.words}.") if note else None
    )


# Ground


def fill_ground(about: Inputs, situation: TableState) -> dict[str, object]:
    """The place of an attack and the modifiers of its ground, with smoke on the way there (17.4.7, R-151)."""
    place = find_place(about, situation)
    if place is None:
        return _fill_levels(about, situation)
    return {
        "place": "/".join(filter(None, place)),  # the rows of an attack's form do not say where they are
        "modifiers": _find_modifiers(about, *place, situation),
    }


def _find_modifiers(about: Inputs, place: str, level: str, situation: TableState) -> list[str]:
    """Those of the book's modifiers that an attack on a place has."""
    is_artillery = bool(about.get("artillery"))
    modifiers = ground.modifiers_at(situation.record["ground"], place, level, artillery=is_artillery)
    if not is_artillery and _is_through_smoke(about, place, situation):
        modifiers = [*modifiers, "smoke"]
    known_modifiers = situation.book["fft_modifiers"].items
    return [name for name in dict.fromkeys(modifiers) if name in known_modifiers]


def _fill_levels(about: Inputs, situation: TableState) -> dict[str, object]:
    """The units of an attack on several levels of a hex, each with the modifiers that not all of them have (R-158)."""
    units = [unit for unit in about.get("units") or () if isinstance(unit, Mapping)]
    places = [find_place({"units": [unit]}, situation) for unit in units]
    if len({place and place[0] for place in places}) != 1 or None in places:
        return {}
    listed = [_find_modifiers(about, *place, situation) for place in places if place]
    shared = [name for name in listed[0] if all(name in modifiers for modifiers in listed)]
    rows = [
        {**unit, "modifiers": [name for name in modifiers if name not in shared]}
        for unit, modifiers in zip(units, listed, strict=True)
    ]
    return {"modifiers": shared, "units": rows}


def _is_through_smoke(about: Inputs, aimed: str, situation: TableState) -> bool:
    """Whether the fire of any firer goes out of smoke, through it or into it, as far as all know their hexes."""
    hexes, firers = hexes_of(situation), about.get("firers") or ()
    starts = {counter.place for counter in situation.counters if counter.id in firers and counter.place}
    smoke = ground.list_smoke(situation.record["ground"])
    lines = [(hexes.parse(start), hexes.parse(aimed)) for start in starts] if aimed and smoke else []
    return any(hexes.crosses(*line, hexes.parse(place)) for line in lines for place in smoke)


def find_place(about: Inputs, situation: TableState) -> tuple[str, str] | None:
    """The hex and level that an attack is about: as given, or where all its targets are."""
    written = str(about.get("place") or "")
    hex_name, _, level = written.partition("/")
    if written:
        places = {(hex_name, level)}
    elif targets := about.get("targets"):
        places = {(counter.place, counter.level) for counter in situation.counters if counter.id in targets}
    else:
        units = about.get("units")
        places = {_place_of(unit) for unit in units} if isinstance(units, list | tuple) else set()
    if len(places) != 1:
        return None
    ((hex_name, level),) = places
    try:
        return str(hexes_of(situation).parse(hex_name)), ground.read_level(level)
    except BadPlace:
        return None


def _place_of(unit: Any) -> tuple[str, str]:
    if isinstance(unit, Mapping):
        return unit.get("hex", ""), unit.get("where", "")
    return unit.hex, unit.where


def note_ground(slug: str, inputs: Inputs, result: Result, situation: TableState) -> RecordChange | None:
    """What a roll teaches about the ground: the modifiers of an attack's place, and where smoke has fallen (17.4.7)."""
    rows, turn = situation.record["ground"], situation.position.turn
    if slug == "firepower" and inputs.get("smoke") and (hexes := result.details.get("hexes")):
        return write_down({"ground": ground.lay_smoke(rows, hexes, turn)}, f"Smoke in {join_words(hexes)}.")
    if slug != "fire" or inputs.get("weapon") == "mines" or not (place := find_place(inputs, situation)):
        return None
    modifiers: Choices = situation.book["fft_modifiers"]
    change = ground.learn_terrain(rows, *place, list(inputs.get("modifiers") or ()), modifiers.items)
    return write_down({"ground": change}) if change else None


_FILLERS: Mapping[str, Callable[[Inputs, TableState], dict[str, object]]] = {
    "fire": fill_ground,
    "firepower": fill_struck,
    "close-combat": fill_close_combat,
    "air-arrival": fill_arrival,
    "air-attack": fill_air_attack,
    "anti-aircraft": fill_flak,
    "fo-loss": fill_loss,
}
