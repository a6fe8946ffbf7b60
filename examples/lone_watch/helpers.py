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
        title="Wait for dawn",
        group="Watch",
        purpose="Whether the day breaks.",
        rules=("3.1",),
        form=DawnForm,
        rule=rules.wait_for_dawn,
        outcomes=("dark", "dawn"),
        dice=(rules.DIE,),
        is_read=False,
    ),
    Helper(
        SLUG,
        "watch",
        title="Keep watch",
        group="Watch",
        purpose="Who sees whom.",
        rules=("1.1",),
        form=WatchForm,
        rule=rules.keep_watch,
        outcomes=("seen", "missed"),
        dice=(rules.DIE,),
        is_read=False,
    ),
    Helper(
        SLUG,
        "night",
        title="The night draws",
        group="Night",
        purpose="Unseen.",
        rules=("2.1",),
        form=NightForm,
        rule=rules.night_draws,
        outcomes=("drawn",),
        dice=rules.draw_dice,
        is_read=False,
        dice_words="one of the cards that are left",
    ),
)
