"""Units as the rules of chapters 17 to 19 see them: what a counter is, how it feels, where it stands."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from firefight.engine.board.counters import CounterChange
from firefight.engine.labels import Labelled
from firefight.engine.values import Json, Values


class Kind(Labelled):
    """What a counter is, as far as Casualties and morale care."""

    SQUAD = "squad", "squad"
    HALF_SQUAD = "half_squad", "half-squad"
    LEADER = "leader", "leader"
    WOUNDED_LEADER = "wounded_leader", "wounded leader"
    SW_TEAM = "sw_team", "SW team"
    CREW = "crew", "crew"
    VEHICLE = "vehicle", "vehicle"


class State(Labelled):
    """The markers of 18.2: a unit is in exactly one of these states."""

    GOOD_ORDER = "good_order", "Good Order"
    PINNED = "pinned", "Pinned Down"
    DISRUPTED = "disrupted"
    WIA = "wia", "WIA"

    @property
    def disrupted(self) -> bool:
        """Disrupted, or WIA, which counts as Disrupted (18.2.5 WIA Units)."""
        return self in (State.DISRUPTED, State.WIA)


def call_level(where: str) -> str:
    """A level as players call it: 1 is level 1, rooftop is rooftop."""
    return f"level {where}" if where.isdigit() else where


@dataclass(frozen=True, slots=True)
class Unit:
    """One counter in a hex. ``tq`` is its Troop Quality, ``ccv`` its Close Combat Value.

    ``id``: which counter in play it is, "" where the app knows none.
    ``hex`` and ``where`` (level, building …) say where it stands, ``modifiers`` names the FFT
    modifiers that its place and movement give it, ``rider`` marks one mounted on a vehicle.
    """

    kind: Kind = Kind.SQUAD
    name: str = ""
    tq: int | None = None
    state: State = State.GOOD_ORDER
    hex: str = ""
    where: str = ""
    modifiers: tuple[str, ...] = ()
    ccv: int = 0
    rider: bool = False
    id: str = ""

    @classmethod
    def read(cls, plain: Values) -> "Unit":
        """Build a unit from plain values, as a follow-up or a log entry holds them."""
        return cls(
            kind=Kind(plain.get("kind", "squad")),
            name=plain.get("name", ""),
            tq=plain.get("tq"),
            state=State(plain.get("state", "good_order")),
            hex=plain.get("hex", ""),
            where=plain.get("where", ""),
            modifiers=tuple(plain.get("modifiers", ())),
            ccv=plain.get("ccv", 0),
            rider=plain.get("rider", False),
            id=plain.get("id", ""),
        )

    def plain(self) -> Json:
        """The values that differ from a fresh squad's, ready for JSON."""
        values = {name: value for name, fresh in _FRESH.items() if (value := getattr(self, name)) != fresh}
        if "modifiers" in values:
            values["modifiers"] = list(values["modifiers"])
        return {"kind": self.kind.value, **values}

    def __str__(self) -> str:
        quality = (f"TQ {self.tq}" if self.tq else "", f"CCV {self.ccv}" if self.ccv else "")
        state = "" if self.state is State.GOOD_ORDER else self.state.word
        place = " ".join(filter(None, (self.hex, self.where)))
        cover = ", ".join(modifier.replace("_", " ") for modifier in self.modifiers)
        facts = (self.kind.word, *quality, state, "rider" if self.rider else "", place, cover)
        return f"{self.name}: " * bool(self.name) + ", ".join(filter(None, facts))

    def name_or_kind(self, number: int = 0) -> str:
        """What to call it in a sentence: its name, or its kind and place in the stack."""
        return self.name or f"{self.kind.word}{f' {number}' if number else ''}"


_FRESH = asdict(Unit())


def name_units(units: Iterable[Unit]) -> list[tuple[str, Unit]]:
    """The units of a stack, top to bottom, each with a name of its own."""
    stack = list(units)
    names = [unit.name_or_kind(number if len(stack) > 1 else 0) for number, unit in enumerate(stack, 1)]
    by_name: dict[str, Unit] = {}
    for number, (name, unit) in enumerate(zip(names, stack, strict=True), 1):
        unique = f"{name} ({number})" if names.count(name) > 1 else name
        while unique in by_name:
            unique = f"{unique} ({number})"
        by_name[unique] = unit
    return list(by_name.items())


def common_modifiers(units: Iterable[Unit]) -> list[str]:
    """The FFT modifiers that all of the units have, in the order of the first."""
    stack = list(units)
    return [key for key in stack[0].modifiers if all(key in unit.modifiers for unit in stack)] if stack else []


def unit_inputs(name: str, unit: Unit) -> dict[str, object]:
    """The inputs that casualties and morale ask of a single unit; a vehicle has none of the states of 18.2 (A-49)."""
    state = State.GOOD_ORDER if unit.kind is Kind.VEHICLE else unit.state
    inputs = {"unit": unit.kind.value, "state": state.value, "name": name}
    more = {"tq": unit.tq, "id": unit.id or None}
    return inputs | {key: value for key, value in more.items() if value is not None}


class Becomes(Labelled):
    """What a roll does to a counter. A unit that is flipped sheds its markers (18.1.4), except where the word says so.

    A squad that is WIA keeps that when a Morale Check brings it Casualties (18.2.5, A-16).
    """

    GOOD_ORDER = "good_order", "Good Order"
    PINNED = "pinned", "Pinned Down"
    DISRUPTED = "disrupted"
    WIA = "wia", "WIA"
    SUPPRESSED = "suppressed"
    REDUCED = "reduced", "reduced, in Good Order"
    REDUCED_WIA = "reduced_wia", "reduced, still WIA"
    WOUNDED = "wounded", "wounded, in Good Order"
    M_KILLED = "m_killed", "M-KILLED"
    F_KILLED = "f_killed", "F-KILLED"
    ELIMINATED = "eliminated", "eliminated"


def mark_counter(unit: Unit, word: Becomes | None) -> tuple[CounterChange, ...]:
    """What becomes of a unit, as a change of its counter: none where it stays as it was, or has no counter in play."""
    return (CounterChange(unit.id, word.value),) if word and unit.id else ()


def find_fate(before: Unit, after: Unit | None) -> Becomes | None:
    """What happened to a unit between two states; None where nothing did. ``after``: None when it is eliminated."""
    if after is None:
        return Becomes.ELIMINATED
    if after.kind is before.kind:
        return None if after.state is before.state else Becomes(after.state.value)
    if after.kind is Kind.WOUNDED_LEADER:
        return Becomes.WOUNDED
    return Becomes.REDUCED_WIA if after.state is State.WIA else Becomes.REDUCED
