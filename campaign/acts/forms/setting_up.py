"""Forms of the set-up that name a building."""

from campaign.acts import setting_up
from campaign.rules.nests import list_hexes
from firefight.engine.values import Json
from firefight.table.forms import ActForm, Line, Number, NumberList, Tick

from .declaring import HEX_LENGTH


class Hexes(Number):
    """How many hexes a building has, as a number or hex by hex: "2", "K7 K8"."""

    def to_python(self, value: str | None) -> int | None:
        """The number."""
        listed = list_hexes(value or "")
        return len(listed) if listed else super().to_python(value)


MOST_OF_BUILDING = 40  # characters


class NamesBuilding(ActForm):
    """What forms that name a building have in common: one whose hexes are named needs no other name."""

    def clean(self) -> Json:
        """The hexes by name; without another name they are the building's."""
        cleaned = super().clean() or self.cleaned_data
        cleaned["hex_names"] = list_hexes(self.data.get("hexes", ""))
        if not cleaned.get("building") and "building" not in self.errors:
            cleaned["building"] = " ".join(cleaned["hex_names"])[:MOST_OF_BUILDING]
        return cleaned


class Place(NamesBuilding):
    """Set units up in a sector, or keep them off the map; a nest with its building."""

    do = "place"
    act = staticmethod(setting_up.place)
    called = {"unit": "numbers", "hex": "hex_name"}

    unit = NumberList("units")
    sector = Number("a sector", required=False)
    hidden = Tick()
    hex = Line(HEX_LENGTH)
    building = Line(MOST_OF_BUILDING)
    hexes = Hexes("how many hexes the building has", required=False)

    def arguments(self) -> dict[str, object]:
        """A blank number of hexes is 0."""
        arguments = super().arguments()
        return {**arguments, "hexes": arguments["hexes"] or 0}


class Building(NamesBuilding):
    """Give the building of a nest another name."""

    do = "building"
    act = staticmethod(setting_up.name_building)

    building = Line(MOST_OF_BUILDING)
    hexes = Hexes("how many hexes it has")
    number = Number("a group")

    def clean(self) -> Json:
        """The name is required: it is what the form is for."""
        cleaned = super().clean()
        if not cleaned.get("building") and "building" not in self.errors:
            self.add_error("building", "Name the building, for instance by one of its hexes.")
        return cleaned
