"""Forms of the record of a firefight."""

from campaign.acts import playing
from campaign.rules.reports import News
from firefight.games.combat_stalingrad.rules.air import AirWeapon
from firefight.table.forms import ActForm, Line, Number, Numbers, OneOf, Tick

from .dice import DiceForm
from .seals import HEX_LENGTH


class EndTurn(DiceForm):
    """End the turn; ``leaves`` a Close Combat open."""

    do = "end-turn"
    act = staticmethod(playing.end_turn)

    leaves = Tick()


class Report(ActForm):
    """Tell what became of units."""

    do = "report"
    act = staticmethod(playing.report)
    called = {"unit": "numbers", "hex": "hex_name"}

    news = OneOf(News)
    unit = Numbers("units")
    sector = Number("a sector", required=False)
    hex = Line(HEX_LENGTH)


class RandomMarker(ActForm):
    """Note the hex of the Random marker."""

    do = "random-marker"
    act = staticmethod(playing.move_random_marker)
    called = {"hex": "hex_name"}

    hex = Line(HEX_LENGTH)


class EndNest(ActForm):
    """A Fanatic Resistance Nest ends."""

    do = "end-nest"
    act = staticmethod(playing.end_nest)

    number = Number("a nest")


class Battery(ActForm):
    """Tell what became of a battery."""

    do = "battery"
    act = staticmethod(playing.battery)

    number = Number("a battery")
    news = OneOf(playing.BatteryNews)


class Aircraft(DiceForm):
    """Roll for aircraft to arrive or to stay."""

    do = "aircraft"
    act = staticmethod(playing.aircraft)

    number = Number("a group")


class AirAttack(ActForm):
    """One aircraft attacks."""

    do = "air-attack"
    act = staticmethod(playing.air_attack)

    number = Number("a group")
    weapon = OneOf(AirWeapon)


class Down(ActForm):
    """One aircraft is lost."""

    do = "down"
    act = staticmethod(playing.down_aircraft)

    number = Number("a group")
    by = Line(20)
