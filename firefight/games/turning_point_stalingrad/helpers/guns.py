"""Helpers of guns and aircraft: Rubble, Counter-Battery, range, the opening bombardment."""

from firefight.kit import HelperForm, NumberField, Pick, PlaceField, TickField

from ..rules import artillery, rubble
from ..rules.areas import AREAS
from ..rules.results import Allowed
from ..rules.sides import Time
from . import lists, shared
from .lists import ATTACK_DR
from .shared import DIE, DR, game_helper

GROUP = "Guns and air"


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
    """Inputs of a Rubble Entrance."""

    level = lists.rubble_level(low=1)
    friendly_controlled = TickField("Friendly-controlled")
    fresh_enemy = TickField("Fresh enemies there")
    any_enemy = TickField("Enemies there")
    situation = Pick.among("Entering", rubble.Situation)


class CounterBatteryForm(HelperForm):
    """Inputs of Counter-Battery. How many guns are near, and which has fired, the players say who see the board."""

    beside = ("artillery_within_two", "area")

    artillery_within_two = NumberField("German artillery within two Areas", 0, 20)
    time = shared.time()
    area = PlaceField("Area of the Russian artillery", AREAS)


class RangeForm(HelperForm):
    """Inputs of whether guns may fire. With both Areas the map tells the distance, as far as it is known."""

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

    targets = shared.areas("Areas, one for each attack")


HELPERS = (
    game_helper(
        "rubble",
        "Rubble by bombardment",
        GROUP,
        "Whether a bombardment makes Rubble.",
        ("14.2 Rubble Creation",),
        RubbleForm,
        rubble.rubble,
        rubble.Bombarded,
        (ATTACK_DR,),
    ),
    game_helper(
        "counter-battery",
        "Counter-Battery",
        GROUP,
        "Whether Russian guns that were used are silenced.",
        ("15.32 Counter Battery Fire", "15.33 Counter Battery Units"),
        CounterBatteryForm,
        artillery.counter_battery,
        artillery.CounterBattery,
        (DIE,),
    ),
    game_helper(
        "artillery-range",
        "May artillery fire",
        GROUP,
        "Whether guns reach an Area, and may fire at it.",
        ("15.21 Range", "15.25 Strategic Movement Zones", "15.3 Russian Artillery"),
        RangeForm,
        artillery.artillery_range,
        Allowed,
    ),
    game_helper(
        "opening-bombardment",
        "Opening bombardment",
        GROUP,
        "Whether the attacks named for the first impulse fit.",
        ("20.4 Opening Bombardment",),
        OpeningForm,
        artillery.opening_bombardment,
        Allowed,
        steps=(Time.DAY.value,),
    ),
    game_helper(
        "rubble-setup",
        "Rubble at set-up",
        GROUP,
        "Whether a printed marker stays.",
        ("5.5 Rubble Set Up",),
        SetUpForm,
        rubble.rubble_setup,
        rubble.SetUp,
        (DIE,),
    ),
    game_helper(
        "rubble-entrance",
        "Rubble entrance",
        "Movement",
        "Whether a Mechanized unit gets into Rubble.",
        ("14.3 Rubble Entrance DR", "14.41 Failure", "14.5 Retreat"),
        EntranceForm,
        rubble.rubble_entrance,
        rubble.Entrance,
        (DR,),
    ),
)
