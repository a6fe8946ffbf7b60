"""Words that the rules share: sides, what lies in a hex, and what the table calls its results."""

from firefight.engine.labels import Labelled

SLUG = "streets-of-stalingrad"
CAMPAIGN = 3  # the scenario of all 67 turns (2.31)
SCENARIOS = 8
LEVELS = ("soviet_marginal", "german_marginal", "german_decisive")  # each begins at a number of points (3.3)
NOBODY = "nobody"  # fires or strikes back, after all
NO_EFFECT = "-"
RESULTS = ("DE", "D3", "D2", "D1", "D1P", "P", NO_EFFECT)  # the gravest first


class Side(Labelled):
    """The two sides."""

    GERMAN = "german", "German"
    SOVIET = "soviet", "Soviet"

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.SOVIET if self is Side.GERMAN else Side.GERMAN


class Marker(Labelled):
    """What lies on a unit after a P, an attack or a breakthrough (9.111, 9.113)."""

    NONE = "", "none"
    PINNED = "pinned"
    SPENT = "spent"


SIDES = {side.value: side.word for side in Side}


class Terrain(Labelled):
    """What lies in a hex, as the Terrain Effects Chart tells it apart (7.1, 7.2, 9.84, 9.883)."""

    CLEAR = "clear"
    TARTAR_WALL = "tartar_wall", "Tartar Wall"
    RAILROAD = "railroad"
    ROAD = "road"
    HILL_TOP = "hill_top", "Hill top"
    SLOPE = "slope"
    CEMETERY = "cemetery"
    BALKA = "balka"
    CLIFF = "cliff"
    FOREST = "forest"
    SUBURB = "suburb"
    VILLAGE = "village"
    CITY = "city"
    INDUSTRIAL = "industrial"
    FORTIFIED = "fortified"
    STRONG_POINT = "strong_point", "Strong point"
    VOLGA = "volga", "Volga River"

    @property
    def is_built_up(self) -> bool:
        """City and industrial or fortified hexes, in which a P makes units spent (9.84)."""
        return self in (Terrain.CITY, Terrain.INDUSTRIAL, Terrain.FORTIFIED)

    @property
    def is_clear(self) -> bool:
        """Whether it counts as a clear hex: only what 7.1 names; the Volga does for fire alone (11.4)."""
        return self in _CLEAR

    @property
    def is_cover(self) -> bool:
        """Where units under a P may stay if one of them is lost (9.88, 9.883)."""
        return self in (Terrain.BALKA, Terrain.CLIFF, Terrain.FOREST, Terrain.SUBURB, Terrain.VILLAGE)


_CLEAR = (
    *(Terrain.CLEAR, Terrain.TARTAR_WALL, Terrain.RAILROAD, Terrain.ROAD),
    *(Terrain.HILL_TOP, Terrain.SLOPE, Terrain.CEMETERY),
)
