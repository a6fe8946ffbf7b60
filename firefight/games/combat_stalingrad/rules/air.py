"""Air support and anti-aircraft fire (17.6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from firefight.engine.board.hexes import DIRECTION_NAMES, Hex, HexMap
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Bands, Chart, Grid, Numbers
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, other, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting

from .artillery import landing, place_name
from .fire import FireOutcome, Weapon
from .units import State, Unit, call_level, common_modifiers, name_units


class ArrivalOutcome(Outcome):
    """Results of 17.6.2 Arrival and Return to Base."""

    ARRIVES = "arrives"
    STAYS = "stays"
    LEAVES = "leaves"
    NOT_YET = "not_yet"


def air_arrival(*, charts: Book, number: int, already_in_play: bool = False, die: int | None = None) -> Result:
    """See whether a group of aircraft arrives, or stays (17.6.2 Arrival and Return to Base).

    number: 1 to 10, from the card or roster. die: d10, 0 as 10. One roll for the whole group. An attack is an impulse
    of its own, at any time later in the phase: nothing asks for it here.
    """
    if die is None:
        return waiting(f"{number} or less is needed.", "die")
    succeeds = check_face(die, 10) <= number
    outcome = {
        (False, True): ArrivalOutcome.ARRIVES,
        (False, False): ArrivalOutcome.NOT_YET,
        (True, True): ArrivalOutcome.STAYS,
        (True, False): ArrivalOutcome.LEAVES,
    }[already_in_play, succeeds]
    effects = {
        ArrivalOutcome.ARRIVES: ("All aircraft of the group are in play.",),
        ArrivalOutcome.STAYS: ("The whole group stays in play.",),
        ArrivalOutcome.LEAVES: ("The whole group leaves for good; another group may roll from next turn on.",),
        ArrivalOutcome.NOT_YET: ("Try again with an impulse of a later turn.",),
    }[outcome]
    return Result(
        headline=f"{outcome.word}: {die} against {number}.",
        outcome=outcome,
        dice={"die": die},
        modified=die,
        details={"number": number},
        effects=effects,
        rules=("17.6.2 Arrival and Return to Base",),
    )


class Aircraft(Labelled):
    """The two aircraft of the game (17.6.1)."""

    JU87 = "ju87", "Ju 87"
    PO2 = "po2", "Po-2"


class AirWeapon(Labelled):
    """What an aircraft attacks with (17.6.3)."""

    HE = "he", "bombs (HE)"
    MG = "mg", "MG"
    BOTH = "both", "bombs and MG"


class AirAttackOutcome(Outcome):
    """Results of 17.6.5 Air Attack Routine."""

    ON_TARGET = "on_target"
    SCATTER = "scatter"
    DEFENDER_CHOICE = "defender_choice"


_AIR_RULES = ("17.6.5 Air Attack Routine",)


def air_attack(
    *,
    charts: Book,
    aircraft: Aircraft = Aircraft.JU87,
    weapon: AirWeapon = AirWeapon.HE,
    hex: str = "",
    units: Sequence[Unit] = (),
    die: int | None = None,
    direction_die: int | None = None,
) -> Result:
    """Find the hex that an aircraft really attacks (17.6.5 Air Attack Routine).

    die: natural d100, no modifiers. direction_die: d10, asked for when the attack scatters. hex:
    the hex aimed at, if it should be followed. units: those who may be attacked, for the fire rolls: of them, all in
    the bombed hex are. One that names no hex stands in the hex aimed at.
    """
    hexes: HexMap = charts["map"].hexes
    aimed = hexes.parse(hex) if hex else None
    table: Bands = charts["air_support"]
    if die is None:
        return waiting("Air Support Attacks: no modifiers, a low roll is good.", "die")
    word, _, range_text = table.look_up(check_face(die, table.sides)).partition(" ")
    outcome, hexes_away = AirAttackOutcome(word), int(range_text or 0)
    label = _air_label(outcome, hexes_away)
    dice = {"die": die}
    used: list[Chart] = [table, charts["aircraft"]]
    details: dict[str, object] = {"range": hexes_away}
    place, bombed = (str(aimed) if aimed else "the hex aimed at"), aimed
    if outcome is AirAttackOutcome.SCATTER:
        compass: Bands = charts["direction"]
        word = "again" if direction_die is None else compass.look_up(check_face(direction_die, 10, "direction_die"))
        if direction_die is None or word == "again":
            question = _ask_direction(hexes_away, direction_die)
            return replace(question, outcome=outcome, label=label, dice=dice, modified=die, details=details)
        final = hexes.step(aimed, int(word), hexes_away) if aimed else None
        place = place_name(final, hexes) if final else f"{hexes_away} away to the {DIRECTION_NAMES[int(word)]}"
        dice |= {"direction_die": direction_die}
        details |= {"direction": int(word), **landing(final, hexes)}
        used += [compass, charts["map"]] if final else [compass]
        bombed = final
    elif outcome is AirAttackOutcome.DEFENDER_CHOICE:
        place = f"a hex within {hexes_away} that the side under attack picks"
        bombed = None
    elif aimed:
        details["hex"] = str(aimed)
    struck = _units_bombed(units, aimed, bombed, outcome)
    return Result(
        headline=f"{label}: the attack falls on {place}.",
        outcome=outcome,
        label=label,
        dice=dice,
        modified=die,
        details=details,
        effects=(*_air_effects(outcome, aircraft), *_list_spared(units, struck, aimed, outcome)),
        follow_ups=air_fire(charts, aircraft, weapon, struck) if details.get("on_map", True) else (),
        rules=_AIR_RULES,
        provenance=sources(used),
    )


def _ask_direction(hexes_away: int, direction_die: int | None) -> Result:
    """An attack that scatters waits for its direction, again where the die has shown none."""
    again = "" if direction_die is None else f" {direction_die} gives no direction: roll again."
    return waiting(f"It scatters {hexes_away}.{again}", "direction_die", rules=_AIR_RULES)


def _air_label(outcome: AirAttackOutcome, hexes_away: int) -> str:
    return {
        AirAttackOutcome.ON_TARGET: "On target",
        AirAttackOutcome.SCATTER: f"Scatters {hexes_away}",
        AirAttackOutcome.DEFENDER_CHOICE: f"Defender Choice within {hexes_away}",
    }[outcome]


def _units_bombed(
    units: Sequence[Unit], aimed: Hex | None, bombed: Hex | None, outcome: AirAttackOutcome
) -> tuple[Unit, ...]:
    """The units in the hex where the attack falls; where no hexes are followed, all that an attack on target meets.

    Nobody in a cellar is among them (17.6.4, R-139).
    """
    exposed = tuple(unit for unit in units if not is_in_cellar(unit))
    if outcome is AirAttackOutcome.ON_TARGET and aimed is None:
        return exposed
    return tuple(unit for unit in exposed if bombed and (unit.hex.upper() or str(aimed)) == str(bombed))


def is_in_cellar(unit: Unit) -> bool:
    """Whether a unit is in an interior location for certain: every cellar is one (17.2.8)."""
    return "cellar" in unit.where.lower()


def find_scatter(charts: Book) -> int:
    """How far from the hex aimed at an attack may fall by its scatter (17.6.5)."""
    table: Bands = charts["air_support"]
    words = {table.look_up(face) for face in range(1, table.sides + 1)}
    ranges = [word.partition(" ")[2] for word in words if word.startswith(AirAttackOutcome.SCATTER.value)]
    return max((int(text) for text in ranges if text), default=0)


def _list_spared(
    units: Sequence[Unit], struck: Sequence[Unit], aimed: Hex | None, outcome: AirAttackOutcome
) -> tuple[str, ...]:
    """Those in the hex aimed at that the attack does not meet."""
    if outcome is AirAttackOutcome.DEFENDER_CHOICE:
        return ()
    aimed_at = [(name, unit) for name, unit in name_units(units) if unit.hex.upper() in ("", str(aimed or ""))]
    spared = [
        f"{name} (in a cellar, 17.6.4)" if is_in_cellar(unit) else name
        for name, unit in aimed_at
        if not any(unit is target for target in struck)
    ]
    return (f"Not attacked: {', '.join(spared)}.",) if spared else ()


def _air_effects(outcome: AirAttackOutcome, aircraft: Aircraft) -> tuple[str, ...]:
    """What holds for a mistaken attack. The ban on flags binds the Russian, who picks when the Ju 87 errs (17.6.6)."""
    if outcome is not AirAttackOutcome.DEFENDER_CHOICE:
        return ()
    rubble = "With no target in range a scatter places the bombs, for rubble only."
    if aircraft is not Aircraft.JU87:
        return (rubble,)
    return ("The Russian may not pick a hex with a German AFV that shows recognition flags (17.6.6).", rubble)


def air_fire(charts: Book, aircraft: Aircraft, weapon: AirWeapon, units: Sequence[Unit]) -> tuple[FollowUp, ...]:
    """The attacks with each weapon on each place where units are (17.6.5)."""
    planes: Numbers = charts["aircraft"]
    loads = [load for load in ("he", "mg") if weapon in (AirWeapon.BOTH, AirWeapon(load))]
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(unit.where, []).append(unit)
    rolls = []
    for load in loads:
        ff = planes.get(f"{aircraft.value}_{load}")
        for place, group in (groups or {"": []}).items():
            modifiers = common_modifiers(group)
            inputs = {"weapon": Weapon.AIR.value, "ff": ff, "modifiers": modifiers}
            inputs["units"] = [unit.plain() for unit in group]
            title = f"{load.upper()} of the {aircraft.word}{f' on {call_level(place)}' if place else ''} ({ff} FF)"
            rolls.append(FollowUp("fire", title, inputs))
    return tuple(rolls)


class AntiAircraftWeapon(Labelled):
    """Weapons that may fire at aircraft (17.6.7), or any number of factors."""

    FIREPOWER = "firepower", "factors (FF)"
    GAZ_AA = "gaz_aa", "GAZ-AA truck"
    DSHK = "dshk", "DShK 38"
    MG34 = "mg34", "MG 34, light"


class AntiAircraftOutcome(Outcome):
    """What becomes of the aircraft (17.6.7)."""

    NO_EFFECT = "no_effect"
    ABORTS = "aborts", "Aborts before attacking"
    DESTROYED_BEFORE = "destroyed_before", "Destroyed before attacking"
    DESTROYED_AFTER = "destroyed_after", "Destroyed after attacking"


def anti_aircraft(
    *,
    charts: Book,
    weapon: AntiAircraftWeapon = AntiAircraftWeapon.FIREPOWER,
    ff: int | None = None,
    range: int = 1,
    state: State = State.GOOD_ORDER,
    aircraft: Aircraft = Aircraft.JU87,
    other_drm: int = 0,
    die: int | None = None,
    check_die: int | None = None,
) -> Result:
    """Fire at an aircraft before its attack, on the FFT (17.6.7 Anti-Aircraft Fire).

    ff: firepower factors, for weapon "firepower"; the named weapons take theirs from the book by
    range (hexes). state: of the firer; Pinned Down halves FF, fractions down (18.2.3). die: natural d100.
    check_die: d10, asked for on M, M+x and C/M; the aircraft checks against its TQ without any DRM, and dies of a
    C/M only if it passes, since it goes home before its attack otherwise (A-14). Raises BadInput when the firepower
    is unknown or out of range, or the firer may not fire.
    """
    table: Grid = charts["fft"]
    if state.disrupted:
        raise BadInput({"state": "A Disrupted or WIA unit does not fire (18.2.4)."})
    factors, used = _aa_firepower(charts, weapon, ff, range)
    factors = factors // 2 if state is State.PINNED else factors
    details: dict[str, object] = {"ff": factors, "column": None}
    if factors < 1:
        outcome = AntiAircraftOutcome.NO_EFFECT
        return Result(
            "No firepower left: no attack.", outcome, details=details, effects=_AA_EFFECTS[outcome], rules=_AA_RULES
        )
    column = table.floor_column(factors)
    modifiers = without_zeroes(other(other_drm))
    if die is None:
        return waiting(f"{factors} FF on column {column}: a low roll is good.", "die", modifiers=modifiers)
    modified = check_face(die, table.sides) + total(modifiers)
    result = FireOutcome((table.look_up(modified, column) or "none").lower())
    details |= {"column": int(column), "result": result.value}
    burst = _Burst(result=result, die=die, modified=modified, modifiers=modifiers, details=details, used=(table, *used))
    if result.check is None and result is not FireOutcome.C_M:
        return burst.tell(f"{result.word}: {burst.outcome.word.lower()}.", burst.outcome)
    return _check_crew(charts, burst, aircraft, check_die)


def _check_crew(charts: Book, burst: "_Burst", aircraft: Aircraft, check_die: int | None) -> Result:
    """The aircraft's morale check, which decides whether it flies on."""
    planes: Numbers = charts["aircraft"]
    tq, word = planes.get(f"{aircraft.value}_tq"), burst.result.word
    if check_die is None:
        return waiting(
            f"{word}: the aircraft checks morale against TQ {tq}.",
            "check_die",
            dice={"die": burst.die},
            modified=burst.modified,
            modifiers=burst.modifiers,
            details=burst.details,
            rules=_AA_RULES,
        )
    outcome = burst.outcome if check_face(check_die, 10, "check_die") <= tq else AntiAircraftOutcome.ABORTS
    headline = f"{word}, morale {check_die} against TQ {tq}: {outcome.word.lower()}."
    return burst.tell(headline, outcome, check_die=check_die, tq=tq, planes=planes)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Burst:
    """What the table says about fire at an aircraft. ``used``: the charts, the table first."""

    result: FireOutcome
    die: int
    modified: int
    modifiers: tuple[Modifier, ...]
    details: Mapping[str, object]
    used: tuple[Chart, ...]

    @property
    def outcome(self) -> AntiAircraftOutcome:
        """What becomes of the aircraft, unless it checks morale and fails."""
        if self.result in (FireOutcome.E, FireOutcome.E_2):
            return AntiAircraftOutcome.DESTROYED_BEFORE
        is_hit = self.result in (FireOutcome.C, FireOutcome.C_M)
        return AntiAircraftOutcome.DESTROYED_AFTER if is_hit else AntiAircraftOutcome.NO_EFFECT

    def tell(
        self,
        headline: str,
        outcome: AntiAircraftOutcome,
        check_die: int | None = None,
        tq: int | None = None,
        planes: Chart | None = None,
    ) -> Result:
        """The result; with the die of a morale check, the TQ and the chart that it was read off."""
        checked = {} if check_die is None else {"check_die": check_die}
        table, *used = self.used
        return Result(
            headline=headline,
            outcome=outcome,
            dice={"die": self.die, **checked},
            modified=self.modified,
            modifiers=self.modifiers,
            details={**self.details, **({"tq": tq} if checked else {})},
            effects=_AA_EFFECTS[outcome],
            calls_off=outcome in _CALLED_OFF,
            rules=_AA_RULES,
            provenance=sources((table, *([planes] if planes else []), *used)),
        )


_AA_RULES = ("17.6.7 Anti-Aircraft (AA) Fire",)
_CALLED_OFF = (AntiAircraftOutcome.ABORTS, AntiAircraftOutcome.DESTROYED_BEFORE)


def _aa_firepower(
    charts: Book, weapon: AntiAircraftWeapon, ff: int | None, distance: int
) -> tuple[int, tuple[Bands, ...]]:
    if weapon is AntiAircraftWeapon.FIREPOWER:
        if ff is None:
            raise BadInput({"ff": "Give the firepower factors, or choose a weapon."})
        return ff, ()
    by_range: Bands = charts[weapon.value]
    if distance > by_range.sides:
        raise BadInput({"range": f"{by_range.title}: reaches {by_range.sides} hexes."})
    return int(by_range.look_up(distance)), (by_range,)


_AA_EFFECTS = {
    AntiAircraftOutcome.NO_EFFECT: ("Go on with the air attack.",),
    AntiAircraftOutcome.ABORTS: ("It leaves play before its attack; no Victory Points.",),
    AntiAircraftOutcome.DESTROYED_BEFORE: ("Remove it; it makes no attack.",),
    AntiAircraftOutcome.DESTROYED_AFTER: ("It makes its attack in this phase, then remove it.",),
}
