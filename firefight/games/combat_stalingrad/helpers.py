"""The forms of Combat! Stalingrad's helpers, and the list that the assistant loads."""

from collections.abc import Iterable

from django import forms

from firefight.assistant.fields import HelperForm, HexField, ModifiersField, Number, Pick, RowForm, RowsField, Tick
from firefight.assistant.registry import Game, Helper, Inputs, Typical
from firefight.engine.board.hexes import DIRECTION_NAMES
from firefight.engine.charts.book import Book, is_digits
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import Odds, sweep

from .rules import air, artillery, charts, close_combat, fire, morale, observers, turn
from .rules.units import Kind, State, Unit

SLUG = "combat-stalingrad"
MOST_UNITS = 12

# What is shown beside a chart while it is typed in.
_FIRE = Typical(
    "fire",
    "{} FF on a unit in woods",
    {"modifiers": ["woods"]},
    at=lambda column: {"ff": int(column) if is_digits(column) else 0},
    column="20",
)
_GUN = Typical("fire", "a 122 mm gun in the open", {"weapon": "caliber", "caliber": 122})
_CONTACT = Typical("contact", "by radio, danger close, low supply", {"danger_close": True, "supply": "low"})
_STRAY = Typical("accuracy", "a new CFF", {"marker": "new_cff", "aim": "K7"})
_MELEE = {"attack": 8, "defense": 4, "leader": True}
_CLOSE = Typical(
    "close-combat",
    "at {} with a leader",
    {"leader": True},
    at=lambda column: dict(zip(("attack", "defense"), column.split("-"), strict=False)),
    column="2-1",
)
_AIR = Typical("air-attack", "bombs of a Ju 87", {"hex": "K7"})

TYPICAL = {
    "fft": _FIRE,
    "fft_modifiers": _FIRE,
    "artillery_ff": _GUN,
    "fft_weapons": Typical("fire", "a flamethrower", {"weapon": "flamethrower"}),
    "contact": _CONTACT,
    "artillery_drm": _CONTACT,
    "ammunition_supply": _CONTACT,
    "accuracy": _STRAY,
    "call_off": Typical("call-off", "a plotted battery", {}),
    "morale": Typical("morale", "TQ 6, the check at +1", {"tq": 6, "modifier": 1}),
    "cct": _CLOSE,
    "cct_drm": _CLOSE,
    "cct_afv_in_open": Typical(
        "close-combat", "8 against an AFV of 4 in the open", {**_MELEE, "target": "afv", "afv_in_open": True}
    ),
    "air_support": _AIR,
    "aircraft": _AIR,
    **{
        weapon: Typical("anti-aircraft", "at 3 hexes", {"weapon": weapon, "range": 3})
        for weapon in ("dshk", "mg34", "gaz_aa")
    },
    "fo_loss": Typical("fo-loss", "a phone", {"item": "phone"}),
    "redeployment_infantry": Typical("redeployment", "infantry", {"unit": "infantry"}),
    "redeployment_vehicle": Typical("redeployment", "a vehicle", {"unit": "vehicle"}),
    "redeployment_drm": Typical("redeployment", "into a threatened sector", {"into": "threatened"}),
    **{
        f"recovery_{what}": Typical("recovery", words, {"what": what})
        for what, words in (
            ("m_killed", "an M-KILLED vehicle"),
            ("f_killed", "an F-KILLED vehicle"),
            ("wounded_leader", "a wounded leader"),
        )
    },
    "leaders": Typical("leader", "a German group", {"side": "german"}),
    "leaders_russian_six": Typical("leader", "a Russian group", {"side": "russian"}),
    "attack_bonus": Typical(
        "attack-or-hold",
        "both attack, the German with the bonus",
        {"german": "attack", "russian": "attack", "german_bonus": True},
    ),
}

GAME = Game(
    slug=SLUG,
    title="Combat! Stalingrad",
    sides={"german": "German", "russian": "Russian"},
    phases={phase.value: name for phase, name in turn.PHASES.items()},
    impulse_phase=turn.Phase.FIRE_AND_MOVEMENT.value,
    last_turn=turn.LAST_TURN,
    chart_specs=charts.SPECS,
    house_book="chartbooks/combat_stalingrad_house.toml",
    reference="reference/combat_stalingrad.toml",
    typical=TYPICAL,
)

D100 = DieSpec("die", 100, "d100")
D10 = DieSpec("die", 10, "d10")
DIRECTION = DieSpec("direction_die", 10, "Direction d10, if it strays", apart=True)

# Fields that several helpers share, under the names of the JSON contract.

KINDS = {kind: kind.word[0].upper() + kind.word[1:] for kind in Kind}
STATES = {state: state.word for state in State}
MARKERS = {marker: marker.word[0].upper() + marker.word[1:] for marker in artillery.Marker}
FIRES = {"battery": "One battery", "plotted": "Plotted battery", "bombardment": "Bombardment"}
AIRCRAFT = {plane: plane.word for plane in air.Aircraft}


def other_drm() -> Number:
    """A DRM that the players bring."""
    return Number("Other DRM", -100, 100)


def caliber(required: bool = False) -> Number:
    """The caliber of a gun or battery."""
    return Number("Caliber (mm)", 20, 420, initial=None, required=required)


def correction() -> Number:
    """How far a marker is to be moved."""
    return Number("Correction (hexes)", 0, 40)


def marker(*members: artillery.Marker) -> Pick:
    """The artillery marker, one of the given members."""
    return Pick("Marker", {m: MARKERS[m] for m in members or artillery.Marker}, artillery.Marker)


def kind_of_fire() -> Pick:
    """Battery, plotted battery or bombardment."""
    return Pick("Kind of fire", FIRES, artillery.Fire)


def over_the_rim() -> tuple[Number, Pick]:
    """Where a marker lies that left the map, seen from the hex it was aimed at (A-48)."""
    away = Number("If it left the map: hexes from there", 0, 40)
    return away, Pick("If it left the map: to the", DIRECTION_NAMES, int)


class TargetRow(RowForm):
    """A unit that may be fired at."""

    asks = "kind"

    kind = Pick("Unit", {"": "—", **KINDS}, required=True)
    name = forms.CharField(label="Name", max_length=24, required=False)
    tq = Number("TQ", 1, 10, initial=None)
    state = Pick("State", STATES, State)


class ExposedRow(TargetRow):
    """A unit in the hex of an attack, with modifiers of its own where a mission brought them (A-50)."""

    modifiers = ModifiersField("Its FFT modifiers", "fft_modifiers", widget=forms.MultipleHiddenInput)


class PlacedRow(TargetRow):
    """A unit with its place, for artillery that falls on several locations."""

    hex = HexField("Hex")
    where = forms.CharField(label="Level or place", max_length=24, required=False)
    modifiers = ModifiersField("Its FFT modifiers", "fft_modifiers")


class FighterRow(RowForm):
    """A unit in Close Combat."""

    asks = "ccv"

    ccv = Number("CCV", 0, 200, initial=None, required=True)
    name = forms.CharField(label="Name", max_length=24, required=False)
    kind = Pick("Unit", KINDS, Kind)
    state = Pick("State", STATES, State)
    rider = Tick("Rider")


def units(row_form: type[RowForm] = TargetRow, **options) -> RowsField:
    """The units of the target hex, top to bottom."""
    return RowsField("Units, top to bottom", row_form, Unit.read, most=MOST_UNITS, **options)


class MissionForm(HelperForm):
    """What a battery is to do, given once and carried to the last roll of the chain."""

    caliber = caliber()
    kind = kind_of_fire()
    smoke = Tick("Smoke shells")
    units = units(PlacedRow)


class ContactForm(MissionForm):
    """Inputs of the contact roll; the target is given here once, for all that follows."""

    field_order = ("device", "kind", "marker", "correction", "smoke")
    ahead = ("caliber", "units", "aim", "bracketed", "registered", "new_this_phase")

    device = Pick("Reached by", {"radio": "Radio", "phone": "Phone", "plotted": "Plotted fire"}, artillery.Device)
    aerial_observer = Tick("Aerial observer")
    danger_close = Tick("Danger close: friends within 6 hexes")
    supply = Pick("Ammunition supply", {"normal": "Normal", "high": "High", "low": "Low"})
    other_drm = other_drm()
    marker = marker()
    correction = correction()
    aim = HexField("Hex aimed at")
    bracketed = Tick("With or between two brackets")
    registered = Tick("Registered hex")
    new_this_phase = Tick("The CFF was placed in this phase")


class AccuracyForm(MissionForm):
    """Inputs of the accuracy roll."""

    field_order = ("marker", "kind", "correction", "aim")
    ahead = ("caliber", "smoke", "units", "danger_close", "new_this_phase")

    marker = marker()
    correction = correction()
    bracketed = Tick("With or between two brackets")
    registered = Tick("Registered hex")
    aerial_observer = Tick("Aerial observer")
    other_drm = other_drm()
    aim = HexField("Hex aimed at")
    danger_close = Tick("Danger close")
    new_this_phase = Tick("The CFF was placed in this phase")


class BracketForm(HelperForm):
    """Inputs of the bracket question."""

    aim = HexField("Hex aimed at", required=True)
    first = HexField("First bracket", required=True)
    second = HexField("Second bracket", required=True)


class ConversionForm(MissionForm):
    """Inputs of a conversion."""

    field_order = ("marker", "kind", "new_this_phase", "correction", "stray", "danger_close")
    ahead = ("caliber", "smoke", "units", "impact", "rim_hexes", "rim_direction")

    marker = marker(
        artillery.Marker.CFF,
        artillery.Marker.FFE,
        artillery.Marker.NEW_CFF,
        artillery.Marker.PLOT,
        artillery.Marker.BOMBARDMENT,
    )
    new_this_phase = Tick("The CFF was placed in this phase")
    correction = correction()
    stray = Number("Stray (hexes)", 0, 40)
    danger_close = Tick("Danger close")
    impact = HexField("Hex of the marker")
    rim_hexes, rim_direction = over_the_rim()


class FirepowerForm(HelperForm):
    """Inputs of artillery firepower."""

    caliber = caliber(required=True)
    marker = marker(artillery.Marker.FFE, artillery.Marker.CFF, artillery.Marker.PLOT)
    kind = kind_of_fire()
    distance = Number("Distance from the marker (hexes)", 0, 40)
    smoke = Tick("Smoke shells")
    danger_close = Tick("Danger close")
    fire_2 = Tick("FFE in its own hex only: Fire 2, not called again")
    impact = HexField("Hex of the marker")
    rim_hexes, rim_direction = over_the_rim()
    units = units(PlacedRow)


class OtherDrmForm(HelperForm):
    """Inputs of calling off plotted fire."""

    other_drm = other_drm()


class FireForm(HelperForm):
    """Inputs of an attack on the FFT."""

    weapon = Pick(
        "Weapon",
        {
            "firepower": "Factors (FF)",
            "caliber": "Gun, by caliber",
            "flamethrower": "Flamethrower",
            "demo_charge": "Demo charge",
            "mines": "Mines",
            "molotov": "Molotov cocktail",
        },
        fire.Weapon,
    )
    ff = Number("FF", 0, 999, initial=None)
    caliber = caliber()
    state = Pick("State of the firer", STATES, State)
    artillery = Tick("Artillery fire")
    modifiers = ModifiersField("Modifiers", "fft_modifiers")
    other_drm = other_drm()
    units = units(ExposedRow)


class HitForm(HelperForm):
    """Inputs of who is hit."""

    result = Pick(
        "Result",
        {"c": "C", "c/m": "C/M", "e": "E", "2e": "2E"},
        fire.FireOutcome,
    )
    check = Number("Then check, x of M+x", 0, 6, initial=None)
    source = Pick("Comes from", {"fft": "FFT", "close_combat": "Close Combat"}, morale.Cause)
    units = units(required=True, error_messages={"required": "Name at least one unit in the hex."})


class UnitForm(HelperForm):
    """Inputs about a single unit."""

    name = forms.CharField(label="Name", max_length=32, required=False)
    unit = Pick("Unit", KINDS, Kind)
    state = Pick("State", STATES, State)


class CasualtiesForm(UnitForm):
    """Inputs of Casualties."""

    source = Pick(
        "Comes from", {"fft": "C or C/M", "morale": "Morale Check", "close_combat": "Close Combat"}, morale.Cause
    )
    tq = Number("TQ", 1, 10, initial=None)
    then_check = Number("Then check, x of M+x", 0, 6, initial=None)


class MoraleForm(UnitForm):
    """Inputs of a Morale Check."""

    field_order = ("name", "unit", "tq", "state", "modifier", "other_drm")

    tq = Number("TQ", 1, 10, initial=None, required=True)
    modifier = Number("The x of M+x", 0, 6)
    other_drm = other_drm()


class CloseCombatForm(HelperForm):
    """Inputs of a Close Combat attack."""

    attack = RowsField(
        "Attackers: a total, or unit by unit",
        FighterRow,
        Unit.read,
        required=True,
        error_messages={"required": "Give the attackers' CCV."},
    )
    defense = RowsField(
        "Defenders: a total, or unit by unit",
        FighterRow,
        Unit.read,
        required=True,
        error_messages={"required": "Give the defenders' CCV."},
    )
    hand_to_hand = Tick("Hand-to-hand")
    target = Pick("Target", {"infantry": "Infantry", "afv": "AFV"}, close_combat.Target)
    leader = Tick("NCO or Officer gives -5 instead of his CCV")
    demo_charge = Tick("Demo charge against AFV (its CCV is 1)")
    flamethrower = Tick("Flamethrower")
    m_killed = Tick("AFV is M-KILLED")
    from_cover = Tick("From building, woods or grain")
    afv_in_open = Tick("AFV in the open")
    overrun = Tick("AFV overrun outside buildings")
    in_sector = Tick("Sector combat (20.6.4)")
    better_odds = Pick(
        "At 1-4: better odds open?",
        {"": "—", "no": "No", "yes": "Yes"},
        close_combat.BetterOdds,
    )
    other_drm = other_drm()


class AirArrivalForm(HelperForm):
    """Inputs of aircraft arrival."""

    number = Number("Arrival number", 1, 10, initial=5)
    already_in_play = Tick("Already in play")


class AirAttackForm(HelperForm):
    """Inputs of an air attack."""

    aircraft = Pick("Aircraft", AIRCRAFT, air.Aircraft)
    weapon = Pick("Weapon", {"he": "Bombs (HE)", "mg": "MG", "both": "Bombs and MG"}, air.AirWeapon)
    hex = HexField("Hex aimed at")
    units = units(PlacedRow)


class AntiAircraftForm(HelperForm):
    """Inputs of anti-aircraft fire."""

    weapon = Pick(
        "Weapon",
        {"firepower": "Factors (FF)", "gaz_aa": "GAZ-AA truck", "dshk": "DShK 38", "mg34": "MG 34, light"},
        air.AntiAircraftWeapon,
    )
    ff = Number("FF", 1, 999, initial=None)
    range = Number("Range (hexes)", 1, 40, initial=1)
    state = Pick("State of the firer", STATES, State)
    aircraft = Pick("Aircraft", AIRCRAFT, air.Aircraft)
    other_drm = other_drm()


class FoLossForm(HelperForm):
    """Inputs of an observer's loss."""

    item = Pick("Set", {"radio": "Radio", "phone": "Phone"}, observers.Item)


def fire_odds(book: Book, inputs: Inputs) -> Iterable[Odds]:
    """The bare table result, then each unit's end of the chain."""
    opening = fire.fire(charts=book, **inputs)
    attack = {name: inputs[name] for name in ("modifiers", "weapon", "artillery", "other_drm", "units")}
    readings = fire.read_attack(charts=book, **attack)
    # Of those who stand there only their own modifiers matter to the table.
    alone = {**inputs, "units": (), "modifiers": tuple(choice.key for choice in readings[0].choices)}
    table = sweep(lambda dice: fire.fire(charts=book, **alone, **dice), (D100,))
    yield table
    if opening.needs:
        column = str(opening.details["column"])
        yield from fire.fire_chain(table=table, charts=book, column=column, units=inputs["units"], readings=readings)


def hit_odds(book: Book, inputs: Inputs) -> Iterable[Odds]:
    """How many units are hit, and any one unit's chance."""
    if not inputs["units"]:
        return ()
    return fire.hit_odds(charts=book, **inputs)


def hit_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """One die per unit."""
    return fire.hit_dice(inputs["units"], inputs["result"])


def _values(outcomes) -> tuple[str, ...]:
    return tuple(outcome.value for outcome in outcomes)


def _helper(slug, title, group, purpose, rules, form, rule, outcomes, dice=(), odds=None, is_read=True) -> Helper:
    return Helper(SLUG, slug, title, group, purpose, rules, form, rule, _values(outcomes), dice, odds, is_read)


HELPERS = (
    _helper(
        "contact",
        "Contact",
        "Artillery",
        "Reach the battery by radio, phone or plot; the whole fire mission starts here.",
        ("17.3.1 Contact", "17.3.1.1 Contact DRM", "17.3.8 Danger Close"),
        ContactForm,
        artillery.contact,
        artillery.ContactOutcome,
        (D100,),
    ),
    _helper(
        "accuracy",
        "Accuracy",
        "Artillery",
        "Where a new or corrected marker really falls.",
        ("17.3.4 Accuracy", "17.3.4.1 Accuracy DRM", "17.3.4.2 Bracketing"),
        AccuracyForm,
        artillery.accuracy,
        artillery.AccuracyOutcome,
        (D100, DIRECTION),
    ),
    _helper(
        "bracket",
        "Bracket",
        "Artillery",
        "Whether a hex lies with or between two bracket markers.",
        ("17.3.4.2 Bracketing",),
        BracketForm,
        artillery.bracket,
        artillery.BracketOutcome,
    ),
    _helper(
        "conversion",
        "Conversion",
        "Artillery",
        "What a CFF or FFE becomes after contact and accuracy.",
        ("17.3.5 Converting a CFF to an FFE", "17.3.5.1 Correction Limitations"),
        ConversionForm,
        artillery.conversion,
        artillery.ConversionOutcome,
    ),
    _helper(
        "firepower",
        "Artillery firepower",
        "Artillery",
        "FF in the marker's hex and around it, and one fire roll for each location.",
        ("17.4.1 Area", "17.4.2 CFF FP", "17.4.3 FFE FP", "17.5.2 Area of Effect"),
        FirepowerForm,
        artillery.firepower,
        artillery.FirepowerOutcome,
    ),
    _helper(
        "call-off",
        "Call off plotted fire",
        "Artillery",
        "Contact by phone, then a d10.",
        ("17.4.8.1.1 Calling Off Plotted Fire",),
        OtherDrmForm,
        artillery.call_off,
        artillery.CallOffOutcome,
        (D100, DieSpec("second_die", 10, "Second d10, after contact", apart=True)),
    ),
    _helper(
        "fire",
        "Fire (FFT)",
        "Fire and morale",
        "An attack on the Firepower Factors Table, with the odds for each unit to the end of the chain.",
        ("18.1 Firepower Factors Table Results", "18.1.2 FFT Combat Results"),
        FireForm,
        fire.fire,
        fire.FireOutcome,
        (D100,),
        fire_odds,
    ),
    _helper(
        "who-is-hit",
        "Who is hit",
        "Fire and morale",
        "One die for each unit of a stack; the highest is hit.",
        ("18.1.3 (no heading)",),
        HitForm,
        fire.who_is_hit,
        fire.HitOutcome,
        hit_dice,
        hit_odds,
        is_read=False,
    ),
    _helper(
        "casualties",
        "Casualties",
        "Fire and morale",
        "What becomes of a counter.",
        ("18.1.2 FFT Combat Results", "18.1.4 (no heading)", "18.2.2 Leaders", "18.2.5 WIA Units"),
        CasualtiesForm,
        morale.casualties,
        morale.CasualtiesOutcome,
    ),
    _helper(
        "morale",
        "Morale Check",
        "Fire and morale",
        "Against TQ, and what becomes of the unit.",
        ("18.2 Morale Check Results", "18.2.1 (no heading)"),
        MoraleForm,
        morale.morale,
        morale.MoraleOutcome,
        (D10,),
    ),
    _helper(
        "close-combat",
        "Close Combat",
        "Close Combat",
        "One attack on the Close Combat Table: odds, column, result.",
        ("19.2.1 Melee Sequence", "19.3 Close Combat Resolution"),
        CloseCombatForm,
        close_combat.resolve_attack,
        close_combat.CloseCombatOutcome,
        (D100,),
    ),
    _helper(
        "air-arrival",
        "Aircraft: arrive or stay",
        "Air",
        "One d10 for the whole group.",
        ("17.6.2 Arrival and Return to Base",),
        AirArrivalForm,
        air.air_arrival,
        air.ArrivalOutcome,
        (D10,),
    ),
    _helper(
        "air-attack",
        "Air attack",
        "Air",
        "Which hex an aircraft really attacks.",
        ("17.6.5 Air Attack Routine",),
        AirAttackForm,
        air.air_attack,
        air.AirAttackOutcome,
        (D100, DieSpec("direction_die", 10, "Direction d10, if it scatters", apart=True)),
    ),
    _helper(
        "anti-aircraft",
        "Anti-aircraft fire",
        "Air",
        "Fire at an aircraft before its attack.",
        ("17.6.7 Anti-Aircraft (AA) Fire",),
        AntiAircraftForm,
        air.anti_aircraft,
        air.AntiAircraftOutcome,
        (D100, DieSpec("check_die", 10, "The aircraft's morale d10, on M and C/M")),
    ),
    _helper(
        "fo-loss",
        "Observer lost",
        "Small rolls",
        "Whether his radio or phone stays in the hex.",
        ("17.2.4 FO/Radio/Phone Loss",),
        FoLossForm,
        observers.fo_loss,
        observers.LossOutcome,
        (D10,),
    ),
)
