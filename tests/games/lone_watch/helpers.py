"""What the assistant offers for Lone Watch."""

from firefight.kit import Helper, HelperForm, NumberField, Pick, TokensField

from . import rules

SLUG = "lone-watch"


class WatchForm(HelperForm):
    """Inputs of a watch."""

    fear = NumberField("Fear", 0, 6)
    season = Pick("Season", rules.OPTIONS[0].choices)


class NightForm(HelperForm):
    """Inputs of the night: what is left of its deck, which the watch does not see."""

    filled_from = {"left": "deck.left"}

    left = TokensField("Cards left", {card: card for card in rules.CARDS})


class DawnForm(HelperForm):
    """Inputs of a dawn: the turn."""

    turn = NumberField("Turn", 1, 12, initial=1)


HELPERS = (
    Helper(
        SLUG,
        "dawn",
        "Wait for dawn",
        "Watch",
        "Whether the day breaks.",
        ("3.1",),
        DawnForm,
        rules.wait_for_dawn,
        ("dark", "dawn"),
        (rules.DIE,),
        is_read=False,
    ),
    Helper(
        SLUG,
        "watch",
        "Keep watch",
        "Watch",
        "Who sees whom.",
        ("1.1",),
        WatchForm,
        rules.keep_watch,
        ("seen", "missed"),
        (rules.DIE,),
        is_read=False,
    ),
    Helper(
        SLUG,
        "night",
        "The night draws",
        "Night",
        "Unseen.",
        ("2.1",),
        NightForm,
        rules.night_draws,
        ("drawn",),
        rules.draw_dice,
        is_read=False,
        dice_words="one of the cards that are left",
    ),
)
