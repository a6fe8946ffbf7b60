"""What a match makes of its record: forms are filled from it, and rolls write down what they settle."""

from collections.abc import Callable, Mapping, Sequence

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import Housekeeping, RecordRules, RowCard, TableState
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange
from firefight.engine.rolls.result import Result
from firefight.engine.values import Json, Values

from .record import RECORD
from .tables import MOST_RUBBLE, SOVIET_SPAWN, Side, SovietCard

LEADER_TICKS: Mapping[str, tuple[str, str]] = {
    "paulus": ("german", "paulus"),
    "hoth": ("german", "hoth"),
    "richthofen": ("german", "von_richthofen"),
    "linden": ("german", "linden"),
    "okh": ("german", "okh"),
    "chuikov": ("soviet", "chuikov"),
    "khrushchev": ("soviet", "khrushchev"),
    "zaytsev": ("soviet", "zaytsev"),
}
TICKS: Mapping[str, tuple[str, ...]] = {
    "call": ("paulus",),
    "capture": ("paulus",),
    "combat": ("hoth", "chuikov"),
    "advance": ("hoth",),
    "hits": ("khrushchev",),
    "german-card": ("linden", "richthofen"),
    "rubble": ("richthofen",),
    "soviet-card": ("zaytsev",),
    "soviet-die": ("chuikov",),
    "victory": ("okh",),
}


class Keeping(RecordRules):
    """The rules of the record: see RecordRules."""

    cards: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    checked: frozenset[str] = frozenset()
    filled: frozenset[str] = frozenset(TICKS)
    presumed: frozenset[str] = frozenset(TICKS)  # leaders in play matter whatever a roll is about
    writers: frozenset[str] = frozenset(
        {"call", "return-units", "spawn", "rubble", "german-card", "capture", "soviet-card"}
    )
    hinges: Mapping[str, tuple[str, tuple[str, ...]]] = {}
    additions: Mapping[str, tuple[str, tuple[str, ...]]] = {}

    def fill(self, slug: str, about: Values, situation: TableState) -> Values:
        """Which leaders are in play, how much Rubble lies, what victory is judged by."""
        leaders = situation.record["leaders"]
        filled: Json = {
            tick: True for tick in TICKS.get(slug, ()) if LEADER_TICKS[tick][1] in leaders[LEADER_TICKS[tick][0]]
        }
        if slug == "rubble":
            filled["placed"] = len(situation.record["rubble"])
        if slug == "victory":
            filled["soviet_spawn_german"] = len(SOVIET_SPAWN) - len(situation.record["controlled"])
            filled |= {} if situation.record["decks"]["soviet"] else {"deck_empty": True}
        return filled

    def check(self, slug: str, inputs: Values, situation: TableState) -> None:
        """The record bars nothing."""

    def note(self, slug: str, inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
        """What a roll writes down."""
        changed = NOTES[slug](inputs, result, situation) if slug in NOTES else {}
        if slug in ("rubble", "german-card"):
            changed = changed | _note_own_card(inputs, situation)
        return (RECORD.change(changed),) if changed else ()

    def keep_house(self, before: Position, situation: TableState) -> Housekeeping:
        """Nothing comes off between turns."""
        return Housekeeping()

    def present(self, field: str, situation: TableState) -> list[RowCard]:
        """There are no cards."""
        return []

    def make_row(self, field: str, side: str, parts: Values, ids: Sequence[str]) -> tuple[str, Values]:
        """Rows come from rolls alone."""
        raise BadInput({field: "What is kept here comes from rolls, or is set on the record's page."})


def _note_call(inputs: Values, result: Result, situation: TableState) -> Json:
    """Units picked up, and rows that have struck (Call for Reinforcements)."""
    struck = [*situation.record["removed"], *result.details["remove"]]
    return {"rows": result.details["left"], "removed": sorted(set(struck))}


def _note_return(inputs: Values, result: Result, situation: TableState) -> Json:
    """Units back on the Track."""
    return {"rows": result.details["left"]}


def _note_spawn(inputs: Values, result: Result, situation: TableState) -> Json:
    """What is left in the pools, and the cards drawn instead (Soviet Spawn Action)."""
    pools_left = {name: result.details[name] for name in ("infantry", "tanks")}
    return {"pools": {**situation.record["pools"], **pools_left}} | _draw_soviet(result.details["cards"], situation)


def _draw_soviet(cards: int, situation: TableState) -> Json:
    """Cards go from the Soviet deck into the hand, as many as there are (B38)."""
    decks: Values = situation.record["decks"]
    drawn = min(cards, decks["soviet"])
    if not drawn:
        return {}
    return {
        "decks": {**decks, "soviet": decks["soviet"] - drawn},
        "soviet_hand": situation.record["soviet_hand"] + drawn,
    }


def _note_rubble(inputs: Values, result: Result, situation: TableState) -> Json:
    """Rubble in a hex that was named (Rubble)."""
    return _lay(inputs.get("hex"), situation) if result.details["rubble"] else {}


def _lay(hex: object, situation: TableState) -> Json:
    lying = situation.record["rubble"]
    return {"rubble": [*lying, hex]} if hex and hex not in lying and len(lying) < MOST_RUBBLE else {}


def _note_capture(inputs: Values, result: Result, situation: TableState) -> Json:
    """A Spawn Hex changes hands; a Soviet capture draws a card (Capturing an Enemy Spawn Hex)."""
    controlled, hex = situation.record["controlled"], inputs.get("hex")
    if inputs.get("side") == Side.GERMAN:
        return {"controlled": [name for name in controlled if name != hex]} if hex in controlled else {}
    gained = {"controlled": [*controlled, hex]} if hex in SOVIET_SPAWN and hex not in controlled else {}
    return gained | _draw_soviet(result.details["cards"], situation)


def _note_soviet_card(inputs: Values, result: Result, situation: TableState) -> Json:
    """A card leaves the hand: a leader into play, any other to the discards; what it draws and lays with it."""
    record, card = situation.record, str(inputs.get("card"))
    changed = _draw_soviet(1, situation) if result.outcome == "card" else {}
    hand = {"soviet_hand": record["soviet_hand"], **changed}["soviet_hand"]
    changed["soviet_hand"] = max(0, hand - 1)
    leaders = record["leaders"]
    if result.outcome == "leader":
        if card not in leaders["soviet"]:
            changed["leaders"] = {**leaders, "soviet": [*leaders["soviet"], card]}
    else:
        changed["discards"] = [*record["discards"], card]
    if result.outcome == "marine":
        pools = record["pools"]
        changed["pools"] = {**pools, "marines": max(0, pools["marines"] - 1)}
    if card == SovietCard.AA:
        changed |= _lay(inputs.get("aa_hex"), situation)
    return changed


def _note_own_card(inputs: Values, situation: TableState) -> Json:
    """What the 672nd Pioneer card says, which players are asked once."""
    own_card = situation.record["own_card"]
    new_values = {
        part: inputs[field]
        for part, field in (("dice", "own_dice"), ("rubble", "own_rubble"))
        if inputs.get(field) is not None and own_card[part] is None
    }
    return {"own_card": {**own_card, **new_values}} if new_values else {}


NOTES: Mapping[str, Callable[[Values, Result, TableState], Json]] = {
    "call": _note_call,
    "return-units": _note_return,
    "spawn": _note_spawn,
    "rubble": _note_rubble,
    "capture": _note_capture,
    "soviet-card": _note_soviet_card,
}
