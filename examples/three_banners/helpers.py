"""What the assistant offers for Three Banners."""

from firefight.engine.rolls.cards import card_throw
from firefight.engine.rolls.dice import DieSpec, ReadAs
from firefight.kit import Helper, HelperForm, Inputs, NumberField, Pick, PlaceField, TickField, TokensField

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

    against = TokensField("Against", {counter_id: counter_id for counter_id in counters.IDS})
    unseen = TickField("Unseen")


class RallyForm(HelperForm):
    """Inputs of a rally: the id of a counter."""

    id = Pick("Counter", {counter_id: counter_id for counter_id in counters.IDS})


def cards_left(inputs: Inputs) -> tuple[DieSpec, ...]:
    """The throw that draws a card."""
    return (card_throw("Card", inputs["left"]),) if inputs["left"] else ()


def volley_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """That many d6, each for itself."""
    groups = ((1, 2, 3, 4), (5, 6))
    pool = DieSpec("faces", 6, "Dice", number=inputs["number"], read=ReadAs.EACH, alike=groups)
    return (pool,) if inputs["number"] else ()


def two_dice(name: str, label: str) -> DieSpec:
    """2d6, read as their sum."""
    return DieSpec(name, 6, label, number=2)


HELPERS = (
    Helper(
        SLUG,
        "assault",
        title="Assault",
        group="Fight",
        purpose="Two sums of two dice and the supply.",
        rules=("3.1 Assault",),
        form=AssaultForm,
        rule=rules.assault,
        outcomes=tuple(outcome.value for outcome in rules.AssaultOutcome),
        dice=(two_dice("attack_dr", "Attacker 2d6"), two_dice("defence_dr", "Defender 2d6")),
    ),
    Helper(
        SLUG,
        "scout",
        title="Scout",
        group="Fight",
        purpose="What scouts find.",
        rules=("4.1 Scouting",),
        form=ScoutForm,
        rule=rules.scout,
        outcomes=tuple(outcome.value for outcome in rules.ScoutOutcome),
        dice=(DieSpec("die", 8, "d8"),),
    ),
    Helper(
        SLUG,
        "draw",
        title="Red draws a card",
        group="Cards",
        purpose="In secret.",
        rules=("5.1 Cards",),
        form=DrawForm,
        rule=rules.draw,
        outcomes=("drawn",),
        dice=cards_left,
        is_read=False,
        dice_words="one of the cards that are left",
    ),
    Helper(
        SLUG,
        "play-card",
        title="Red plays a card",
        group="Cards",
        purpose="For everybody to see.",
        rules=("5.2 Playing a card",),
        form=PlayForm,
        rule=rules.play_card,
        outcomes=("played",),
        is_read=False,
    ),
    Helper(
        SLUG,
        "volley",
        title="Volley",
        group="Fight",
        purpose="A pool of dice.",
        rules=("6.1 Volleys",),
        form=VolleyForm,
        rule=rules.volley,
        outcomes=tuple(outcome.value for outcome in rules.VolleyOutcome),
        dice=volley_dice,
        is_read=False,
        dice_words="d6, each for itself",
    ),
    Helper(
        SLUG,
        "move",
        title="Red moves",
        group="Move",
        purpose="Whether Red may take a box.",
        rules=("7.1 Moves",),
        form=MoveForm,
        rule=rules.move,
        outcomes=tuple(outcome.value for outcome in rules.MoveOutcome),
        is_read=False,
    ),
    Helper(
        SLUG,
        "clash",
        title="Clash",
        group="Fight",
        purpose="Whom it hits.",
        rules=("8.1 Clashes",),
        form=ClashForm,
        rule=counters.clash,
        outcomes=tuple(outcome.value for outcome in counters.ClashOutcome),
        dice=(DieSpec("die", 6, "d6"),),
        is_read=False,
    ),
    Helper(
        SLUG,
        "rally",
        title="Rally",
        group="Fight",
        purpose="Whether one stands.",
        rules=("8.2 Rallies",),
        form=RallyForm,
        rule=counters.rally,
        outcomes=tuple(outcome.value for outcome in counters.RallyOutcome),
        dice=(DieSpec("die", 6, "d6"),),
        is_read=False,
    ),
)
