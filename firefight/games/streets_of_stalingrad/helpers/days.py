"""Helpers of the turn: what a date or a phase says, what is rolled in phase 1, isolation, victory."""

from collections.abc import Sequence
from functools import partial

from django import forms

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import Counted, IsShown
from firefight.engine.rolls.dice import DieSpec
from firefight.kit import DateField, HelperForm, Inputs, NumberField, Pick, ReadyAnswer, TickField, TokensField

from ..rules import ammunition, calendar, divisions, hexes, isolation, phases, silence, victory, volga, weather
from ..rules.dates import FIRST, LAST
from ..rules.sequence import lead_on
from ..rules.terms import CAMPAIGN, SCENARIOS
from . import shared

GROUP = "Days and phases"
STUKA_DIE = DieSpec("stuka_die", 10, "d10 for the Stukas")
WEATHER_DIE = DieSpec("weather_die", 10, "d10 for the weather", is_optional=True)


def scenario() -> NumberField:
    """Which scenario is played."""
    return NumberField("Scenario (1 to 8)", 1, SCENARIOS, initial=CAMPAIGN)


class PhaseForm(HelperForm):
    phase = NumberField("Phase", 1, 15, initial=1)
    side = shared.side("Who asks")
    action = Pick.among("What for", phases.Action)


class CalendarForm(HelperForm):
    date = shared.date()
    turn = shared.turn(None)


class AmmunitionForm(HelperForm):
    seldom = ("multiplier",)

    side = shared.side()
    date = shared.date()
    saved = NumberField("AF saved", 0, 9999)
    multiplier = NumberField("The die is multiplied by (blank: the chart)", 10, 50, initial=None)


class WeatherForm(HelperForm):
    date = shared.date()


class StukasForm(HelperForm):
    seldom = ("scenario", "fair_weather", "by_card")

    turn = shared.turn(2)
    bad_weather = TickField("Bad weather")
    fair_weather = TickField("Fair weather: its roll is made")
    scenario = scenario()
    by_card = TickField("By the card")


def list_stuka_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """The weather is rolled from 21 October on (15.53)."""
    if inputs["bad_weather"]:
        return ()
    is_rolled_too = weather.rolls_weather(inputs["turn"]) and not inputs["fair_weather"]
    stuka_dice = () if weather.is_by_card(inputs["scenario"], inputs["turn"]) else (STUKA_DIE,)
    return (*stuka_dice, *((WEATHER_DIE,) if is_rolled_too else ()))


class FlotillaReturnForm(HelperForm):
    turn = shared.turn()


class IsolationForm(HelperForm):
    beside = ("supplied",)
    seldom = ("cut_off_on",)

    side = shared.side()
    marker = NumberField("Out-of-supply marker before", 0, 9)
    supplied = TickField("It is in supply")
    elite_or_led = TickField("Guards, Marines, or with a leader or commissar")
    date = shared.date()
    cut_off_on = DateField("Cut off on", FIRST, LAST)


class DivisionForm(HelperForm):
    which = Pick.among("Division", divisions.Formation)
    date = shared.date()
    choice = Pick("Today", {"": "—", divisions.YES: "It does", divisions.NO: "Not today"})


class SavingForm(HelperForm):
    """Inputs of AF that is saved. Each side saves its own."""

    side = shared.side()
    points = NumberField("AF on the map that did not fire this turn", 1, 9999, initial=None, required=True)


class SilentGunsForm(HelperForm):
    """Inputs of guns that have no ammunition. Each side names its own."""

    seldom = ("at",)

    side = shared.side()
    gun_names = TokensField("Guns that may not fire, by name", most=20)
    af = NumberField("AF of these guns", 1, 500, initial=None, required=True)
    barred = NumberField("AF that may not fire and is not named yet", 0, 500)
    at = shared.struck("Those guns, by name")


class ScheduleForm(HelperForm):
    filled_from = {"date": ""}

    unit = forms.CharField(label="Unit, as the card has it", max_length=40, required=False)
    side = shared.side()
    what = Pick.among("On that day it", divisions.Dated)
    date = shared.date()


def offer_answers(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Each answer as one press; none where one is given."""
    answers = {} if inputs["choice"] else divisions.list_answers(inputs["which"], inputs["date"])
    return tuple(ReadyAnswer(words, {"choice": choice}) for choice, words in answers.items())


class VictoryForm(HelperForm):
    beside = ("hexes", "with_level")
    kept_open = ("hexes",)
    seldom = ("occupied", "is_last")
    filled_from = {"hexes": "points_hexes", "final_date": "date"}

    hexes = TokensField("Victory hexes that the Germans hold", {name: name for name in hexes.list_victory_hexes()})
    campaign = TickField("The campaign, scenario 3")
    divisions_unused = TokensField(
        "Divisions that never came (100, 305, 79, 14Pz)",
        {division.value: division.word for division in victory.Division},
    )
    div29_out = DateField("The 29th Motorized left on", FIRST, LAST)
    div29_artillery_out = DateField("Its artillery regiment left on", FIRST, LAST)
    final_date = DateField("Last day", FIRST, LAST, LAST)
    scenario = scenario()
    with_level = TickField("Say the level too")
    occupied = Pick.among("A hex is held", victory.Occupied)
    is_last = TickField("The game ends with this count")


HELPERS = (
    shared.look_up(
        "phase",
        title="Phases",
        group=GROUP,
        purpose="What happens in a phase, and what may be done in it.",
        rules=("4.3",),
        form=PhaseForm,
        rule=phases.phase,
        outcomes=phases.PhaseOutcome,
    ),
    shared.look_up(
        "calendar",
        title="Dates",
        group=GROUP,
        purpose="What a date begins, brings and takes away.",
        rules=("2.31", "3.6", "14.71", "16.11", "19.1"),
        form=CalendarForm,
        rule=calendar.calendar,
        outcomes=IsShown,
        steps=("1", "10"),
    ),
    shared.game_helper(
        "isolation",
        title="Isolation",
        group=GROUP,
        purpose="The marker of a unit without supply, and when the unit is lost.",
        rules=("19.1", "19.4"),
        form=IsolationForm,
        rule=isolation.isolation,
        outcomes=isolation.Isolation,
        steps=("1",),
    ),
    shared.game_helper(
        "ammunition",
        title="Ammunition shortage",
        group=GROUP,
        purpose="How much AF of indirect fire is barred this turn.",
        rules=("14.71", "14.72", "14.75"),
        form=AmmunitionForm,
        rule=ammunition.ammunition,
        outcomes=ammunition.Ammunition,
        dice=(shared.DIE,),
        steps=("1",),
    ),
    shared.game_helper(
        "weather",
        title="Weather",
        group=GROUP,
        purpose="Whether Stukas stay on the ground, from 21 October on.",
        rules=("15.53 Bad Weather",),
        form=WeatherForm,
        rule=weather.weather,
        outcomes=weather.Weather,
        dice=(shared.DIE,),
        steps=("1",),
    ),
    shared.game_helper(
        "stukas",
        title="Stukas available",
        group=GROUP,
        purpose="How many fly this turn.",
        rules=("15.52", "15.53 Bad Weather"),
        form=StukasForm,
        rule=weather.stukas,
        outcomes=weather.Stukas,
        dice=list_stuka_dice,
        spare_dice=("stuka_die", "weather_die"),
        steps=("1",),
    ),
    shared.game_helper(
        "silent-guns",
        title="Guns without ammunition",
        group=GROUP,
        purpose="Which guns do not fire this turn; who is exempt.",
        rules=("14.72", "14.73", "14.74"),
        form=SilentGunsForm,
        rule=silence.silence_guns,
        outcomes=Counted,
        steps=("1",),
        settles=False,
        decided_by="side",
    ),
    shared.game_helper(
        "save-ammunition",
        title="Save ammunition",
        group=GROUP,
        purpose="AF that did not fire, for a later shortage.",
        rules=("14.75",),
        form=SavingForm,
        rule=divisions.save_ammunition,
        outcomes=divisions.Saving,
        steps=("15",),
        verb="Save",
    ),
    shared.game_helper(
        "division",
        title="Divisions of the campaign",
        group=GROUP,
        purpose="Which has come, and when the 29th Motorized has left.",
        rules=("3.5", "3.6", "3.7", "21.54"),
        form=DivisionForm,
        rule=divisions.division,
        outcomes=divisions.Arrival,
        steps=("1", "3"),
        offers=offer_answers,
        settles=False,
        decided_by="side",
        verb="Say",
    ),
    shared.game_helper(
        "schedule",
        title="Dates of your cards",
        group=GROUP,
        purpose="Who leaves or comes on which day: entered once, it comes up on its day.",
        rules=("21.2", "21.51"),
        form=ScheduleForm,
        rule=divisions.schedule,
        outcomes=IsShown,
        steps=("1",),
        verb="Keep",
    ),
    shared.game_helper(
        "flotilla-return",
        title="Flotilla returns",
        group=GROUP,
        purpose="When a flotilla unit that was lost is back.",
        rules=("16.57",),
        form=FlotillaReturnForm,
        rule=volga.flotilla_return,
        outcomes=volga.FlotillaReturn,
        dice=(shared.DIE,),
        decided_by="side",
        leads=partial(lead_on, "flotilla-return"),
    ),
    shared.game_helper(
        "victory",
        title="Victory points",
        group=GROUP,
        purpose="What the Germans have, and the level it comes to.",
        rules=("3.2", "3.4", "3.6", "3.7"),
        form=VictoryForm,
        rule=victory.victory,
        outcomes=Counted,
    ),
)
