"""Words that the rules of attacks and movement share: Groups, and kinds of attack (2.0 Glossary, 8.3 Attacks)."""

from firefight.engine.labels import Labelled

from .sides import Side, Time


class Group(Labelled):
    """Which Combat units of an Area are attacked: all Fresh or all Spent ones (8.33 Defensive Groups)."""

    FRESH = "fresh"
    SPENT = "spent"


class Kind(Labelled):
    """How an attack is made (8.31 Ranged Attacks, 15.2 German Artillery, 15.3 Russian Artillery, 17.2 Stuka Attack)."""

    INSIDE = "inside", "Inside"
    RANGED = "ranged", "Ranged"
    MIXED = "mixed", "Inside and Ranged"
    GERMAN_ARTILLERY = "german_artillery", "German artillery"
    RUSSIAN_ARTILLERY = "russian_artillery", "Russian artillery alone"
    AIR = "air", "Aircraft"

    @property
    def is_ground(self) -> bool:
        """Whether Combat units make it."""
        return self in (Kind.INSIDE, Kind.RANGED, Kind.MIXED)

    @property
    def is_inside(self) -> bool:
        """Whether some attacker is in the Area that is attacked."""
        return self in (Kind.INSIDE, Kind.MIXED)

    @property
    def is_ranged(self) -> bool:
        """Whether some attacker is next door."""
        return self in (Kind.RANGED, Kind.MIXED)

    def owner(self, attacker: Side) -> Side:
        """Whose attack it is: guns and aircraft settle it."""
        owners = {
            Kind.GERMAN_ARTILLERY: Side.GERMAN,
            Kind.AIR: Side.GERMAN,
            Kind.RUSSIAN_ARTILLERY: Side.RUSSIAN,
        }
        return owners.get(self, attacker)


def time_problems(kind: Kind, time: Time) -> dict[str, str]:
    """Why an attack of this kind is not made at this time (8.31, 17.22 Daylight)."""
    if time is Time.NIGHT and kind.is_ranged:
        return {"time": "There is no Ranged Attack at night (8.31 Ranged Attacks)."}
    if time is Time.NIGHT and kind is Kind.AIR:
        return {"time": "Aircraft attack by day only (17.22 Daylight)."}
    return {}
