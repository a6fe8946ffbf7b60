"""What a match keeps besides its log: the Advantage, the aircraft, points, Russian artillery, and what owners said."""

from firefight.engine.labels import Labelled
from firefight.engine.record import (
    KeptChoice,
    KeptFlag,
    KeptList,
    KeptNumber,
    KeptParts,
    KeptPlace,
    KeptRows,
    KeptText,
    Record,
)

from .areas import AREAS, MOST_TEM, NAMES
from .sides import SIDES

MOST_POINTS = 60


class Track(Labelled):
    """What the German impulse roll of this impulse has said (6.1)."""

    OPEN = "open", "still open"
    ENDING = "ending", "awaited, the impulse is over"
    GOES_ON = "goes_on", "day or night goes on"
    FLIPS = "flips", "the marker flips when the impulse is over"


STATES = {"ready": "ready", "silenced": "silenced", "refit": "to be refitted"}
AT_SET_UP = tuple({"area": area, "state": "ready"} for area in ("32", "65", "67", "70"))  # 5.3

RECORD = Record(
    fields=(
        KeptParts(
            name="advantage",
            title="Advantage",
            rule="9.1",
            fields=(
                KeptChoice(name="holder", title="holder", choices=SIDES, rule="9.1"),
                KeptChoice(name="holder_at_dawn", title="holder at Dawn", choices=SIDES, rule="9.5"),
                KeptFlag(name="used_today", title="used today", rule="9.5"),
            ),
        ),
        KeptFlag(name="luftwaffe_used", title="Aircraft used today", rule="17.22"),
        KeptFlag(name="area70_lost", title="Area 70 has been German", rule="13.2"),
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
            name="german_areas",
            title="Areas and Zones under German control",
            rule="7.3",
            most=len(NAMES),
            is_set=True,
            item=KeptPlace(places=AREAS),
        ),
        KeptChoice(
            name="track",
            title="Impulse roll",
            rule="6.1",
            choices={each.value: each.word for each in Track},
        ),
        KeptRows(
            name="area_values",
            title="What the owner said of Areas",
            rule="3.21",
            most=len(NAMES),
            places=AREAS,
            parts=(KeptNumber(name="tem", title="TEM", rule="3.21", high=MOST_TEM, optional=True),),
        ),
        KeptText(name="notes", title="Notes", longest=400),
    )
)
