"""The cards of missions, sets, aircraft and known hexes beside the table, with the rolls that they offer."""

from dataclasses import replace

from firefight.engine.charts.kinds import Choices
from firefight.engine.course.keeping import CardRoll, CardSetting, RowCard, TableState
from firefight.engine.record import change_row

from . import air, flights, ground, missions, sets
from .about import hexes_of, place_set, read_set


def _present_missions(situation: TableState) -> list[RowCard]:
    listed = missions.read_missions(situation.record)
    titles = missions.call_apart(listed)
    return [_mission_card(mission, titles[mission.id], situation) for mission in listed]


def _mission_card(mission: missions.Mission, title: str, situation: TableState) -> RowCard:
    turn, of_set = situation.position.turn, read_set(mission, situation)
    is_over = mission.lost or (mission.plotted and mission.used and not mission.marker)
    return RowCard(
        field="missions",
        id=mission.id,
        title=title,
        side=mission.side,
        lines=missions.describe_mission(mission, of_set),
        warnings=tuple(missions.against_call(mission, turn, of_set, situation.counters)),
        rolls=() if mission.lost else tuple(_mission_rolls(mission, turn)),
        settings=_mission_settings(mission),
        known_to=mission.known_to,
        is_over=is_over,
        place=mission.hex if mission.marker else "",
        sign=missions.sign_of(mission),
    )


def _mission_rolls(mission: missions.Mission, turn: int) -> list[CardRoll]:
    about, aim = {"mission": mission.id}, {"aim": "Hex aimed at"}
    again = [CardRoll("firepower", "Attack whoever is there", about)] if mission.marker else []
    if mission.plotted:
        call_off = [] if mission.used and not mission.marker else [CardRoll("call-off", "Call off", about)]
        contact = [] if mission.used else [CardRoll("contact", "Contact", about)]
        return [*contact, *again, *call_off]
    if not mission.marker:
        return [CardRoll("contact", "Contact", about, aim)]
    if not missions.can_be_corrected(mission):
        return again
    correction = CardRoll("contact", "Correct fire", about, {"aim": f"To hex, {missions.correction_words(mission)}"})
    in_place = CardRoll("contact", f"Convert in {mission.hex}", {**about, "aim": mission.hex})
    return [correction, *([] if missions.is_new_cff(mission, turn) else [in_place]), *again]


def _mission_settings(mission: missions.Mission) -> tuple[CardSetting, ...]:
    if not mission.marker or mission.plotted:
        return ()
    return (CardSetting("Lift", {"missions": change_row(mission.id, **missions.OFF_MAP)}),)


def _present_sets(situation: TableState) -> list[RowCard]:
    turn, hexes = situation.position.turn, hexes_of(situation)
    cards = []
    for id, row in situation.record["sets"].items():
        of_set = sets.Set.read(id, row)
        place = place_set(of_set, situation)
        of_set = replace(of_set, hex=place)
        kind = "" if of_set.name.casefold() == of_set.device else of_set.device
        lines = (kind, place, "used in this phase" if of_set.used == turn else "", "lost" * of_set.lost)
        warnings = tuple(filter(None, (sets.warn_of_phone(of_set, hexes),)))
        card_lines = tuple(filter(None, lines))
        cards.append(
            RowCard(
                field="sets",
                id=id,
                title=of_set.name,
                side=of_set.side,
                lines=card_lines,
                warnings=warnings,
                is_over=of_set.lost,
                place=place,
                sign=("", of_set.device),
            )
        )
    return cards


def _present_aircraft(situation: TableState) -> list[RowCard]:
    turn = situation.position.turn
    return [
        RowCard(
            field="aircraft",
            id=flight.id,
            title=flight.name,
            side=flight.side,
            lines=flights.describe_flight(flight, turn),
            rolls=() if flight.left else tuple(_flight_rolls(flight)),
            is_over=flight.left,
            sign=(f"{flight.planes} ×", air.Aircraft(flight.aircraft).word),
        )
        for flight in flights.read_flights(situation.record)
    ]


def _flight_rolls(flight: flights.Flight) -> list[CardRoll]:
    about = {"flight": flight.id}
    rolls = [CardRoll("air-arrival", "Stays?" if flight.here else "Arrives?", about)]
    if flight.here:
        rolls.append(CardRoll("air-attack", "Attack", about, {"hex": "Hex aimed at"}))
        rolls.append(CardRoll("anti-aircraft", "Fire at it", about, is_enemys=True))
    return rolls


def _present_ground(situation: TableState) -> list[RowCard]:
    listed: Choices = situation.book["fft_modifiers"]
    names = {key: item.name for key, item in listed.items.items()}
    known_ground = [ground.Ground.read(id, row) for id, row in situation.record["ground"].items()]
    return [
        RowCard(
            field="ground",
            id=terrain.id,
            title=terrain.place or terrain.id,
            lines=ground.describe_ground(terrain, names),
            around=ground.describe_around(terrain),
            known_to=terrain.known_to,
            place=terrain.place,
        )
        for terrain in sorted(
            known_ground, key=lambda terrain: (terrain.hex[:1], len(terrain.hex), terrain.place, terrain.known_to)
        )
    ]


_PRESENTERS = {
    "missions": _present_missions,
    "sets": _present_sets,
    "aircraft": _present_aircraft,
    "ground": _present_ground,
}


def present_record(field: str, situation: TableState) -> list[RowCard]:
    """The cards of a field, as far as the situation shows them; none for a field without cards."""
    return _PRESENTERS[field](situation) if field in _PRESENTERS else []
