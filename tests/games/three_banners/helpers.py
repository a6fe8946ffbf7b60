"""What the assistant offers for Three Banners."""

from firefight.engine.rolls.cards import card_throw
from firefight.engine.rolls.dice import DieSpec, ReadAs
from firefight.kit import Helper, HelperForm, NumberField, Pick, PlaceField, TickField, TokensField

from . import counters, rules

SLUG = "three-banners"


class AssaultForm(HelperForm):
    """Inputs of an assault."""

    strength = NumberField("Strength", -9, 9)
    supply = NumberField("Supply", 0, 12, initial=6)


class ScoutForm(HelperForm):
    """Inputs of a scout."""

    far = TickField("Far away")


class DrawForm(HelperForm):
    """Inputs of a draw: the cards that are left."""

    filled_from = {"left": "deck.left"}

    left = TokensField("Cards left", {card: card for card in rules.CARDS})


class PlayForm(HelperForm):
    """Inputs of playing a card."""

    card = Pick("Card", {card: card.capitalize() for card in rules.CARDS})


class VolleyForm(HelperForm):
    """Inputs of a volley."""

    number = NumberField("Dice", 0, 8, initial=3)


class MoveForm(HelperForm):
    """Inputs of a move: where to, and what is held already."""

    box = PlaceField("Box", rules.BOXES)
    held = TokensField("Held", {box: box for box in rules.BOXES.names})


class ClashForm(HelperForm):
    """Inputs of a clash: the ids of counters."""

    against = TokensField("Against", {each: each for each in counters.IDS})
    unseen = TickField("Unseen")


class RallyForm(HelperForm):
    """Inputs of a rally: the id of a counter."""

    id = Pick("Counter", {each: each for each in counters.IDS})


def cards_left(inputs):
    """The throw that draws a card."""
    return (card_throw("card", "Card", inputs["left"]),) if inputs["left"] else ()


def volley_dice(inputs):
    """So many d6, each for itself."""
    groups = ((1, 2, 3, 4), (5, 6))
    pool = DieSpec("faces", 6, "Dice", number=inputs["number"], read=ReadAs.EACH, alike=groups)
    return (pool,) if inputs["number"] else ()


def two_dice(name, label):
    """2d6, read as their sum."""
    return DieSpec(name, 6, label, number=2)


HELPERS = (
    Helper(
        SLUG,
        "assault",
        "Assault",
        "Fight",
        "Two sums of two dice and the supply.",
        ("3.1 Assault",),
        AssaultForm,
        rules.assault,
        tuple(outcome.value for outcome in rules.AssaultOutcome),
        (two_dice("attack_dr", "Attacker 2d6"), two_dice("defence_dr", "Defender 2d6")),
    ),
    Helper(
        SLUG,
        "scout",
        "Scout",
        "Fight",
        "What scouts find.",
        ("4.1 Scouting",),
        ScoutForm,
        rules.scout,
        tuple(outcome.value for outcome in rules.ScoutOutcome),
        (DieSpec("die", 8, "d8"),),
    ),
    Helper(
        SLUG,
        "draw",
        "Red draws a card",
        "Cards",
        "In secret.",
        ("5.1 Cards",),
        DrawForm,
        rules.draw,
        ("drawn",),
        cards_left,
        is_read=False,
        dice_words="one of the cards that are left",
    ),
    Helper(
        SLUG,
        "play-card",
        "Red plays a card",
        "Cards",
        "For everybody to see.",
        ("5.2 Playing a card",),
        PlayForm,
        rules.play_card,
        ("played",),
        is_read=False,
    ),
    Helper(
        SLUG,
        "volley",
        "Volley",
        "Fight",
        "A pool of dice.",
        ("6.1 Volleys",),
        VolleyForm,
        rules.volley,
        tuple(outcome.value for outcome in rules.VolleyOutcome),
        volley_dice,
        is_read=False,
        dice_words="d6, each for itself",
    ),
    Helper(
        SLUG,
        "move",
        "Red moves",
        "Move",
        "Whether Red may take a box.",
        ("7.1 Moves",),
        MoveForm,
        rules.move,
        tuple(outcome.value for outcome in rules.MoveOutcome),
        is_read=False,
    ),
    Helper(
        SLUG,
        "clash",
        "Clash",
        "Fight",
        "Whom it hits.",
        ("8.1 Clashes",),
        ClashForm,
        counters.clash,
        tuple(outcome.value for outcome in counters.ClashOutcome),
        (DieSpec("die", 6, "d6"),),
        is_read=False,
    ),
    Helper(
        SLUG,
        "rally",
        "Rally",
        "Fight",
        "Whether one stands.",
        ("8.2 Rallies",),
        RallyForm,
        counters.rally,
        tuple(outcome.value for outcome in counters.RallyOutcome),
        (DieSpec("die", 6, "d6"),),
        is_read=False,
    ),
)
