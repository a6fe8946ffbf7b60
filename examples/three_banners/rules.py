"""The rules of Three Banners, as pure as those of a real game."""

from collections.abc import Sequence

from firefight.engine import record
from firefight.engine.board.places import Boxes
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.record import (
    KeptChoice,
    KeptDeck,
    KeptFlag,
    KeptHand,
    KeptList,
    KeptNumber,
    KeptParts,
    KeptPlace,
    KeptRows,
    KeptText,
    Record,
)
from firefight.engine.rolls.cards import take_card
from firefight.engine.rolls.modifiers import Modifier, total
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting
from firefight.engine.values import Json

SIDES = {"red": "Red Banner", "blue": "Blue Banner", "green": "Green Banner"}
CARDS = {"charge": 2, "rain": 1, "feint": 3}
BOXES = Boxes(("Mill", "Ford", "Chapel"))

DECK = KeptDeck(name="deck", title="Deck", cards=CARDS, known_to="red")
HAND = KeptHand(name="hand", title="Red hand", deck=DECK, known_to="red")
RECORD = Record(
    fields=(
        KeptNumber(name="supply", title="Supply", rule="2.1", high=12, start=6),
        KeptNumber(name="tide", title="Tide", low=-3, high=3, start=0),
        KeptChoice(name="weather", title="Weather", choices={"dry": "Dry", "wet": "Wet"}),
        KeptFlag(name="bridge_lost", title="Bridge lost"),
        KeptText(name="notes", title="Notes", longest=80),
        KeptParts(
            name="lead",
            title="Lead",
            fields=(
                KeptChoice(name="holder", title="holder", choices={"": "Nobody", **SIDES}),
                KeptFlag(name="used", title="used"),
            ),
        ),
        KeptList(name="held", title="Boxes held by Red", is_set=True, most=3, item=KeptPlace(places=BOXES)),
        KeptList(
            name="due",
            title="Due",
            most=5,
            item=KeptParts(
                fields=(KeptText(name="what", title="what"), KeptNumber(name="turn", title="turn", low=1, high=99))
            ),
        ),
        DECK,
        HAND,
        KeptRows(
            name="posts",
            title="Posts",
            owner="known_to",
            label="name",
            most=4,
            parts=(
                KeptChoice(name="known_to", title="known to", choices={"": "all", **SIDES}),
                KeptText(name="name", title="name"),
                KeptPlace(name="box", title="box", places=BOXES, optional=True),
                KeptNumber(name="men", title="men", high=9),
            ),
        ),
        KeptNumber(name="counted", title="Counted by the app", high=99, by_hand=False),
    )
)


class AssaultOutcome(Outcome):
    """How an assault ends."""

    REPULSED = "repulsed"
    CHECKED = "checked"
    BROKEN_THROUGH = "broken_through"


class MoveOutcome(Outcome):
    """Whether Red may go."""

    ALLOWED = "allowed"
    REFUSED = "refused"


class ScoutOutcome(Outcome):
    """What scouts find."""

    NOTHING = "nothing"
    TRACKS = "tracks"
    CAMP = "camp"


class CardOutcome(Outcome):
    """What becomes of a card."""

    DRAWN = "drawn"
    PLAYED = "played"


class VolleyOutcome(Outcome):
    """What a volley does."""

    HIT = "hit"
    MISSED = "missed"


def assault(
    charts: Book, strength: int, supply: int, attack_dr: int | None = None, defence_dr: int | None = None
) -> Result:
    """2d6 and strength against 2d6: the difference and the supply on the assault chart (3.1 Assault)."""
    modifiers = (Modifier("Strength", strength, "3.1"),)
    if attack_dr is None:
        dice = {"defence_dr": defence_dr} if defence_dr is not None else {}
        return waiting("Roll the attacker's 2d6.", "attack_dr", dice=dice, modifiers=modifiers)
    if defence_dr is None:
        dice = {"attack_dr": attack_dr}
        return waiting("Roll the defender's 2d6.", "defence_dr", dice=dice, modifiers=modifiers)
    margin = attack_dr + total(modifiers) - defence_dr
    cell = charts["assault"].look_up(margin, supply)
    outcome = AssaultOutcome(cell)
    changes: Json = {"counted": record.clamp(1)}
    if supply:
        changes["supply"] = record.add(-1)
    if outcome is AssaultOutcome.BROKEN_THROUGH:
        changes |= {"lead": {"holder": "red"}, "due": record.put_in({"what": "pursuit", "turn": 2})}
    follow_ups = (FollowUp("scout", "Scout after the assault", {"far": True}),) if margin > 0 else ()
    return Result(
        f"Assault: {outcome.word.lower()}, by {margin:+d} at supply {supply}.",
        outcome,
        dice={"attack_dr": attack_dr, "defence_dr": defence_dr},
        modified=margin,
        modifiers=modifiers,
        details={"margin": margin},
        follow_ups=follow_ups,
        rules=("3.1 Assault",),
        provenance=sources([charts["assault"]]),
        changes=(RECORD.change(changes),),
    )


def scout(charts: Book, far: bool, die: int | None = None) -> Result:
    """A d8 on the scouting chart (4.1 Scouting)."""
    modifiers = (Modifier("Far", -2, "4.1"),) if far else ()
    if die is None:
        return waiting("Roll a d8.", "die", modifiers=modifiers)
    modified = die + total(modifiers)
    outcome = ScoutOutcome(charts["scouting"].look_up(modified))
    tides = {ScoutOutcome.CAMP: {"tide": record.clamp(1)}, ScoutOutcome.NOTHING: {"tide": record.clamp(-1)}}
    changes = (RECORD.change(tides[outcome]),) if outcome in tides else ()
    return Result(
        f"Scouts find: {outcome.word.lower()}.",
        outcome,
        dice={"die": die},
        modified=modified if modifiers else None,
        modifiers=modifiers,
        rules=("4.1 Scouting",),
        provenance=sources([charts["scouting"]]),
        changes=changes,
    )


def draw(charts: Book, left: Sequence[str], card: int | None = None) -> Result:
    """A card from what is left of Red's deck, in secret (5.1 Cards)."""
    if not left:
        raise BadInput({"left": "No card is left to draw."})
    if card is None:
        return waiting("Draw a card.", "card")
    drawn, _ = take_card(left, card)
    return Result(
        f"Red draws: {drawn}.",
        CardOutcome.DRAWN,
        dice={"card": card},
        details={"card": drawn},
        follow_ups=(FollowUp("scout", "Scout before the charge", {"far": False}),) if drawn == "charge" else (),
        rules=("5.1 Cards",),
        changes=(RECORD.change(HAND.draw(drawn)),),
    )


def play_card(charts: Book, card: str) -> Result:
    """Red plays a card from its hand, for everybody to see (5.2 Playing a card)."""
    changes: Json = {**HAND.discard(card)}
    if card == "rain":
        changes["weather"] = "wet"
    return Result(
        f"Red plays: {card}.",
        CardOutcome.PLAYED,
        details={"card": card},
        rules=("5.2 Playing a card",),
        changes=(RECORD.change(changes, openly=True),),
    )


def volley(charts: Book, number: int, faces: tuple[int, ...] | None = None) -> Result:
    """A pool of d6, each for itself: fives and sixes hit (6.1 Volleys)."""
    if not number:
        return Result("No dice, no hits.", VolleyOutcome.MISSED, rules=("6.1 Volleys",))
    if faces is None:
        return waiting(f"Roll {number}d6.", "faces")
    hits = sum(face >= 5 for face in faces)
    return Result(
        f"Volley: {hits} {'hit' if hits == 1 else 'hits'}.",
        VolleyOutcome.HIT if hits else VolleyOutcome.MISSED,
        dice={"faces": faces},
        details={"hits": hits},
        rules=("6.1 Volleys",),
    )


def move(charts: Book, box: str, held: Sequence[str]) -> Result:
    """Red takes a box that it does not hold yet (7.1 Moves): a question without dice."""
    if not box:
        raise BadInput({"box": f"Name a box: {', '.join(BOXES.names)}."})
    if box in held:
        return Result(f"Red holds the {box}.", MoveOutcome.REFUSED, details={"allowed": False}, rules=("7.1 Moves",))
    changes = (RECORD.change({"held": record.put_in(box)}), RECORD.change({"posts": record.enter_row(box, men=2)}))
    details = {"allowed": True, "box": box}
    return Result(f"Red takes the {box}.", MoveOutcome.ALLOWED, details=details, rules=("7.1 Moves",), changes=changes)
