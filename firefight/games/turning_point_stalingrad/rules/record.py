"""What a match keeps besides its log: the Advantage, the aircraft, points, Russian artillery, and what owners said."""

from collections.abc import Iterable

from firefight.engine.dates import add_days
from firefight.engine.labels import Labelled
from firefight.engine.record import (
    KeptChoice,
    KeptDay,
    KeptFlag,
    KeptList,
    KeptNumber,
    KeptParts,
    KeptPlace,
    KeptText,
    KeptTold,
    Record,
)
from firefight.engine.values import Values

from .areas import AREAS, MOST_TEM, NAMES, is_zone, read_areas
from .dates import FIRST, LAST
from .sides import SIDES
from .terms import Group, Kind

MOST_POINTS = 60
MOST_NAME = 16  # characters of what players call a unit
GUNS_REST = 4  # dates: German artillery that has attacked stands at D4 (15.2, 10.6)
MOST_STEPS = 80  # of the units of an impulse
MOST_RUBBLE = 2  # 14.2
MOST_ATTACKS = 30  # that are kept; those of earlier impulses make room


class Track(Labelled):
    """What the German impulse roll of this impulse has said (6.1)."""

    OPEN = "open", "still open"
    ENDING = "ending", "awaited, the impulse is over"
    GOES_ON = "goes_on", "day or night goes on"
    FLIPS = "flips", "the marker flips when the impulse is over"


class FerryWay(Labelled):
    """Which way a unit has crossed the Volga."""

    OVER = "over", "over the Volga"
    BACK = "back", "back over the Volga"


def _words(members: Iterable[Labelled]) -> dict[str, str]:
    return {member.value: member.word for member in members}


STATES = {"ready": "ready", "silenced": "silenced", "refit": "to be refitted"}
AT_SET_UP = tuple({"area": area, "state": "ready"} for area in ("32", "65", "67", "70"))  # 5.3

AREA_VALUES = KeptTold(
    name="area_values",
    title="Areas, as players said",
    rule="3.21",
    most=len(NAMES),
    places=AREAS,
    parts=(KeptNumber(name="tem", title="TEM", rule="3.21", high=MOST_TEM, optional=True),),
    by="area",
    of_chart=lambda area, book: {"tem": tem} if (tem := read_areas(book).tem.get(area)) is not None else {},
    counts=lambda area, part, tem: isinstance(tem, int) and tem >= 1 and not is_zone(area),
)

RECORD = Record(
    fields=(
        KeptParts(
            name="advantage",
            title="Advantage",
            rule="9.1",
            fields=(
                KeptChoice(name="holder", title="holder", choices=SIDES, rule="9.1"),
                KeptChoice(name="holder_at_dawn", title="holder at Dawn", choices=SIDES, rule="9.5"),
                KeptFlag(name="used_today", title="used today", rule="9.5", otherwise="not used today"),
            ),
        ),
        KeptFlag(name="luftwaffe_used", title="Aircraft used today", rule="17.22", otherwise="Aircraft not used today"),
        KeptFlag(
            name="area70_lost", title="Area 70 has been German", rule="13.2", otherwise="Area 70 has not been German"
        ),
        KeptNumber(name="points", title="German Victory Points", rule="19.1", high=MOST_POINTS, optional=True),
        KeptList(
            name="russian_artillery",
            title="Russian artillery",
            rule="15.3",
            most=12,
            start=AT_SET_UP,
            item=KeptParts(
                fields=(
                    KeptPlace(name="area", title="Area", places=AREAS),
                    KeptChoice(name="state", title="now", choices=STATES),
                )
            ),
        ),
        KeptList(
            name="german_artillery",
            title="German artillery that has fired",
            rule="15.2",
            most=30,
            item=KeptParts(
                fields=(
                    KeptText(name="unit", title="unit", longest=MOST_NAME),
                    KeptDay(name="fresh_on", title="Fresh on", first=FIRST, last=add_days(LAST, GUNS_REST)),
                )
            ),
        ),
        KeptList(
            name="attacks",
            title="What has been attacked",
            rule="8.32",
            most=MOST_ATTACKS,
            item=KeptParts(
                fields=(
                    KeptText(name="impulse", title="impulse", longest=40),
                    KeptPlace(name="area", title="Area", places=AREAS, optional=True),
                    KeptChoice(name="group", title="Group", choices=_words(Group)),
                    KeptChoice(name="kind", title="attack", choices=_words(Kind)),
                    KeptFlag(name="overran", title="Overrun", otherwise="no Overrun"),
                    KeptPlace(name="start", title="from", places=AREAS, optional=True),
                )
            ),
        ),
        KeptList(
            name="steps",
            title="Who has moved, and what it cost",
            rule="8.2",
            most=MOST_STEPS,
            item=KeptParts(
                fields=(
                    KeptText(name="impulse", title="impulse", longest=40),
                    KeptText(name="unit", title="unit", longest=40),
                    KeptNumber(name="step", title="step", low=1, high=MOST_STEPS + 1),
                    KeptPlace(name="origin", title="from", places=AREAS),
                    KeptPlace(name="area", title="Area", places=AREAS),
                    KeptNumber(name="mf", title="MF", high=24),
                    KeptChoice(name="by", title="by ferry", choices=_words(FerryWay), optional=True),
                )
            ),
        ),
        KeptList(
            name="german_areas",
            title="Areas and Zones under German control",
            rule="7.3",
            most=len(NAMES),
            is_set=True,
            item=KeptPlace(places=AREAS),
        ),
        KeptList(
            name="rubble_levels",
            title="Rubble",
            rule="14.1",
            most=len(NAMES),
            item=KeptParts(
                fields=(
                    KeptPlace(name="area", title="Area", places=AREAS),
                    KeptNumber(name="level", title="level", high=MOST_RUBBLE),
                )
            ),
        ),
        KeptChoice(
            name="track",
            title="Impulse roll",
            rule="6.1",
            choices=_words(Track),
        ),
        AREA_VALUES,
        KeptText(name="notes", title="Notes", longest=400),
    )
)


def find_rubble(area: str, record: Values) -> int:
    """The level of Rubble in an Area, 0 for none (14.1)."""
    return max((row["level"] for row in record["rubble_levels"] if row["area"] == area), default=0)
