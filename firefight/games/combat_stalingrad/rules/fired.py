"""Fire markers on counters: who has fired in this turn, once or more than that (17.2.3 Contact, 23.2 MG 34; R-131).

The record keeps the ids of those who have fired, each as often as it has: what a roll notes is one more of them, so
that a correction of an earlier roll keeps the later ones.
"""

from collections.abc import Iterable

from firefight.engine.record import LONGEST_ID, KeptList, KeptText, RecordChange, put_in
from firefight.engine.rolls.result import Result
from firefight.engine.values import Values

from .artillery import Marker
from .contact import ContactOutcome
from .fire import Weapon

WORDS = ("Fire 1", "Fire 2")  # which a counter carries after one use and after more of them
FIRED_LIST = KeptList(
    name="fired", title="Fire markers", rule="17.2.3", by_hand=False, most=800, item=KeptText(longest=LONGEST_ID)
)
FIRES = ("fire", "anti-aircraft")


def note_firers(slug: str, inputs: Values, fired_ids: list[str]) -> dict[str, object]:
    """The change of the record that marks who has fired in an attack; nothing for any other roll, and for mines."""
    fires = slug in FIRES and inputs.get("weapon") != Weapon.MINES
    return add_uses(fired_ids, inputs.get("firers") or ()) if fires else {}


def note_observer(inputs: Values, result: Result, id: str, is_leader: bool, fired_ids: list[str]) -> dict[str, object]:
    """The change that marks the observer who has placed a new CFF, a leader with Fire 2 (17.2.3)."""
    has_placed = inputs.get("marker") in (Marker.NEW_CFF, Marker.BOMBARDMENT)
    if result.outcome is not ContactOutcome.CONTACT or not has_placed:
        return {}
    return add_uses(fired_ids, [id] * (len(WORDS) if is_leader else 1))


def add_uses(fired_ids: list[str], ids: Iterable[str]) -> dict[str, object]:
    """The change by which each of these has fired once more, as far as a marker can say so."""
    uses = list(fired_ids)
    for counter_id in ids:
        if uses.count(counter_id) < len(WORDS) and len(uses) < FIRED_LIST.most:
            uses.append(counter_id)
    return {FIRED_LIST.name: put_in(*fresh)} if (fresh := uses[len(fired_ids) :]) else {}


def take_all_off(fired_ids: list[str]) -> RecordChange | None:
    """The Conclusion of Turn: all Fire markers of counters come off (R-131)."""
    number = len(set(fired_ids))
    if not number:
        return None
    counters = "1 counter" if number == 1 else f"{number} counters"
    return RecordChange({FIRED_LIST.name: []}, (f"Fire markers come off {counters}.",))
