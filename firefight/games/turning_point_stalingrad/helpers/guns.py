"""Helpers of guns and aircraft: Rubble, Counter-Battery, range, the opening bombardment."""

from functools import partial

from django import forms

from firefight.engine.rolls.answers import Allowed
from firefight.kit import CounterField, HelperForm, NumberField, Pick, PlaceField, TickField

from ..rules import artillery, rubble
from ..rules.areas import AREAS
from ..rules.sides import Time
from . import lists, shared
from .lists import ATTACK_DR
from .shared import DIE, DR, game_helper


class SetUpForm(HelperForm):
    """Inputs of Rubble at set-up."""

    area = PlaceField("Area, for its TEM", AREAS)
    tem = lists.tem(low=1, initial=3)


class RubbleForm(HelperForm):
    """Inputs of a bombardment."""

    area = PlaceField("Area", AREAS)
    tem = lists.tem(initial=3)
    level = lists.rubble_level()
    source = Pick.among("Bombarded by", rubble.BombardedBy)


class EntranceForm(HelperForm):
    """Inputs of a Rubble Entrance. In a match a move or a retreat fills them."""

    seldom = ("start", "name")

    area = PlaceField("Area that is entered", AREAS)
    start = PlaceField("Area that it leaves", AREAS)
    name = forms.CharField(label="Unit", max_length=60, required=False)
    id = CounterField()
    level = lists.rubble_level(low=1)
    friendly_controlled = TickField("Friendly-controlled")
    fresh_enemy = TickField("Fresh enemies there")
    any_enemy = TickField("Enemies there")
    situation = Pick.among("Entering", rubble.Situation)


class CounterBatteryForm(HelperForm):
    """Inputs of Counter-Battery. Players, who see the board, say how many guns are near and which has fired."""

    beside = ("artillery_within_two", "area")

    artillery_within_two = NumberField("German artillery within two Areas", 0, 20)
    time = shared.time()
    area = PlaceField("Area of the Russian artillery", AREAS)


class RangeForm(HelperForm):
    """Inputs of whether guns may fire. With both Areas the map gives the distance, as far as it is known."""

    side = shared.side()
    area = PlaceField("Area of the guns", AREAS)
    target = PlaceField("Area fired at", AREAS)
    distance = NumberField("How many Areas away", 0, 20, initial=1)
    friends_in_target = TickField("Own units are in the Area fired at")
    spent = TickField("The guns are Spent or silenced")
    same_zone = TickField("Into their own Zone")
    target_zone = TickField("Into a Zone")
    alone = TickField("Russian guns fire alone")


class OpeningForm(HelperForm):
    """Inputs of the opening bombardment."""

    own_names = ("targets",)

    targets = shared.areas("Areas, one for each attack")


gun_helper = partial(game_helper, group="Guns and air")

HELPERS = (
    gun_helper(
        "rubble",
        title="Rubble by bombardment",
        purpose="Whether a bombardment makes Rubble.",
        rules=("14.2 Rubble Creation",),
        form=RubbleForm,
        rule=rubble.rubble,
        outcomes=rubble.Bombarded,
        dice=(ATTACK_DR,),
    ),
    gun_helper(
        "counter-battery",
        title="Counter-Battery",
        purpose="Whether Russian guns that were used are silenced.",
        rules=("15.32 Counter Battery Fire", "15.33 Counter Battery Units"),
        form=CounterBatteryForm,
        rule=artillery.counter_battery,
        outcomes=artillery.CounterBattery,
        dice=(DIE,),
    ),
    gun_helper(
        "artillery-range",
        title="May artillery fire",
        purpose="Whether guns reach an Area, and may fire at it.",
        rules=("15.21 Range", "15.25 Strategic Movement Zones", "15.3 Russian Artillery"),
        form=RangeForm,
        rule=artillery.artillery_range,
        outcomes=Allowed,
    ),
    gun_helper(
        "opening-bombardment",
        title="Opening bombardment",
        purpose="Whether the attacks named for the first impulse fit.",
        rules=("20.4 Opening Bombardment",),
        form=OpeningForm,
        rule=artillery.opening_bombardment,
        outcomes=Allowed,
        steps=(Time.DAY.value,),
    ),
    gun_helper(
        "rubble-setup",
        title="Rubble at set-up",
        purpose="Whether a printed marker stays.",
        rules=("5.5 Rubble Set Up",),
        form=SetUpForm,
        rule=rubble.rubble_setup,
        outcomes=rubble.SetUp,
        dice=(DIE,),
    ),
    gun_helper(
        "rubble-entrance",
        title="Rubble entrance",
        group="Movement",
        purpose="Whether a Mechanized unit gets into Rubble.",
        rules=("14.3 Rubble Entrance DR", "14.41 Failure", "14.5 Retreat"),
        form=EntranceForm,
        rule=rubble.rubble_entrance,
        outcomes=rubble.Entrance,
        dice=(DR,),
    ),
)
