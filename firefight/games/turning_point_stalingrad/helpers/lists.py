"""Lists of units in forms: attackers, defenders, Areas to retreat into; and what forms about an attack share."""

from django import forms
from django.core.exceptions import ValidationError

from firefight.engine.rolls.dice import DieSpec
from firefight.kit import CounterField, Notation, NumberField, Pick, RowForm, RowsField, Shared, TickField

from ..rules.casualties import MOST_UNITS
from ..rules.defence import DateReading
from ..rules.retreat import Candidate
from ..rules.terms import Group, Kind
from ..rules.units import INDEPENDENT, Attacker, Defender, NamedUnit, read_factor

ATTACK_DR = DieSpec("attack_dr", 6, "Attacker 2d6", number=2)
DEFENCE_DR = DieSpec("defence_dr", 6, "Defender 2d6", number=2)
COUNTER_DIE = DieSpec("counter_die", 6, "Counter-Battery d6", is_optional=True)


class FactorField(Shared, forms.CharField):
    """An Attack Factor as its counter prints it: a number, or "*"."""

    def __init__(self) -> None:
        attrs = {"autocomplete": "off", "size": 3}
        super().__init__(label="Attack Factor", max_length=4, required=True, widget=forms.TextInput(attrs=attrs))

    def clean(self, value: object) -> str:
        text: str = super().clean(value)
        try:
            read_factor(text)
        except ValueError as error:
            raise ValidationError(str(error)) from None
        return text


def isolation_marker() -> NumberField:
    """A unit's Isolation marker."""
    return NumberField("Isolation marker", 0, 2)


def _name() -> forms.CharField:
    """What players call a unit; a match fills it from its counter."""
    return forms.CharField(label="Name", max_length=60, required=False, widget=forms.HiddenInput())


class AttackerRow(RowForm):
    """A unit that attacks."""

    asks = "af"
    notation = Notation(
        r"-?\d|\*",
        {"a": {"armour": True}, "e": {"engineer": True}, "i": {"iso": 1}},
        "parent",
        "Attack Factors, such as 6a44*/295 (a armour, e Engineer, i isolated, / parent)",
    )

    af = FactorField()
    parent = forms.CharField(label="Parent", max_length=12, required=False, initial=INDEPENDENT)
    iso = isolation_marker()
    armour = TickField("Armour")
    engineer = TickField("Engineer")
    ranged = TickField("Ranged, beside others inside")
    name = _name()
    id = CounterField()


class DefenderRow(RowForm):
    """A unit of the Group that is attacked."""

    asks = "df"
    notation = Notation(
        r"\d",
        {"a": {"armour": True}, "f": {"aa": True}, "i": {"iso": 1}},
        "",
        "Defense Factors, such as 3a22 (a armour, f AA, i isolated)",
    )

    df = NumberField("Defense Factor", 0, 12, initial=None, required=True)
    armour = TickField("Armour")
    aa = TickField("AA")
    iso = isolation_marker()
    name = _name()
    id = CounterField()


class NamedRow(RowForm):
    """A unit by its name."""

    asks = "name"

    name = forms.CharField(label="Unit", max_length=60, required=True)
    id = CounterField()


class AreaRow(RowForm):
    """An adjacent Area."""

    asks = "area"

    area = forms.CharField(label="Area", max_length=3, required=True)
    friendly = TickField("Friendly-controlled")
    enemy_units = NumberField("Enemy Combat units", 0, 40)
    friends = NumberField("Friendly Combat units", 0, 40)
    enemy_neighbours = NumberField("Enemy-controlled neighbours", 0, 20)


def attackers() -> RowsField:
    """The units that attack."""
    return RowsField("Attackers", AttackerRow, Attacker.read, most=MOST_UNITS)


def defenders(label: str = "Defenders") -> RowsField:
    """The Group that is attacked."""
    return RowsField(label, DefenderRow, Defender.read, most=MOST_UNITS)


def units_by_name(label: str) -> RowsField:
    """Counters by name, for rolls that do not need their values."""
    return RowsField(label, NamedRow, NamedUnit.read, most=MOST_UNITS)


def neighbours() -> RowsField:
    """Where a Group might go."""
    return RowsField("Adjacent Areas", AreaRow, Candidate.read, most=12)


def kind() -> Pick:
    """How an attack is made."""
    return Pick.among("Attack", Kind)


def group(label: str = "Group") -> Pick:
    """Fresh or Spent."""
    return Pick.among(label, Group)


def artillery() -> NumberField:
    """The factor of Russian artillery in support."""
    return NumberField("Russian artillery in support, its factor if not that of the date", 0, 3)


def tem(low: int = 0, initial: int = 0) -> NumberField:
    """The TEM of an Area."""
    return NumberField("TEM", low, 4, initial=initial)


def rubble_level(low: int = 0) -> NumberField:
    """The Rubble level of an Area."""
    return NumberField("Rubble level", low, 2, initial=low)


def dated_reading() -> Pick:
    """Whether the dated line of the Russian DV is a separate bonus."""
    return Pick.among("Russian DV from 27 September", DateReading)
