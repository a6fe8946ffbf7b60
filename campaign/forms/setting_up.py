"""Forms of the set-up."""

from campaign.acts import setting_up
from firefight.table.forms import ActForm, Line, Number, Numbers, Tick

from .seals import HEX_LENGTH


class Place(ActForm):
    """Set units up in a sector, or keep them off the map."""

    do = "place"
    act = staticmethod(setting_up.place)
    called = {"unit": "numbers", "hex": "hex_name"}

    unit = Numbers("units")
    sector = Number("a sector", required=False)
    hidden = Tick()
    hex = Line(HEX_LENGTH)


class TakeOff(ActForm):
    """Take mines or nest markers off the map."""

    do = "take-off"
    act = staticmethod(setting_up.take_off)
    called = {"unit": "numbers"}

    unit = Numbers("units")


class Building(ActForm):
    """Name the building of a nest."""

    do = "building"
    act = staticmethod(setting_up.name_building)

    building = Line(40, wanted="Name the building, for instance by one of its hexes.")
    hexes = Number("how many hexes it has")
    number = Number("a group")


class Confirm(ActForm):
    """End the own set-up."""

    do = "confirm"
    act = staticmethod(setting_up.confirm)
