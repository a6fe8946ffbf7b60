"""Helpers of an attack: both values, the attack, its payment, retreats, dots, Engineers."""

from collections.abc import Sequence
from functools import partial

from django import forms

from firefight.engine.charts.book import Book
from firefight.engine.errors import RuleError
from firefight.engine.rolls.answers import Counted, IsShown
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.text import capitalize
from firefight.kit import (
    CounterField,
    DateField,
    HelperForm,
    Inputs,
    NumberField,
    Pick,
    PlaceField,
    ReadyAnswer,
    TickField,
    TokensField,
)

from ..rules import attack, attack_values, casualties, choices, defence, disruption, engineers, offence, retreat
from ..rules.areas import AREAS, name_area
from ..rules.dates import FIRST, LAST
from ..rules.record import MOST_NAME
from ..rules.sides import Side
from ..rules.terms import Kind
from . import lists, shared
from .lists import ATTACK_DR, COUNTER_DIE, DEFENCE_DR
from .shared import game_helper


class OffenceForm(HelperForm):
    """Inputs of an Offensive Value."""

    seldom = ("lead", "date", "time", "artillery", "suspend_parents", "day_factor", "night_factor")

    side = shared.side()
    kind = lists.kind()
    attackers = lists.attackers()
    lead = NumberField("Leader, by place in the list", 1, 10, initial=1)
    date = shared.date()
    time = shared.time()
    artillery = lists.artillery()
    suspend_parents = TickField("64th Army enters: parents cost nothing")
    day_factor = NumberField("German artillery, its factor by day", 0, 20, initial=None)
    night_factor = NumberField("German artillery, its factor at night", 0, 20, initial=None)


class DefenceForm(HelperForm):
    """Inputs of a Defensive Value. ``side`` is the defender, so it is not filled with the side whose impulse it is."""

    filled_from = {"side": ""}
    seldom = ("rubble", "date", "time", "artillery", "attackers_afv", "engineers", "reading")

    side = shared.side("Defender", Side.RUSSIAN)
    kind = lists.kind()
    defenders = lists.defenders()
    tem = lists.tem()
    area = PlaceField("Area, for its TEM", AREAS)
    rubble = lists.rubble_level()
    date = shared.date()
    time = shared.time()
    artillery = lists.artillery()
    attackers_afv = TickField("Attackers have AFV")
    engineers = NumberField("Engineers that work against the TEM", 0, 10)
    reading = lists.dated_reading()


class AttackForm(HelperForm):
    """Inputs of an attack: both lists, or two totals."""

    filled_from = {"attacker": "side"}
    seldom = (
        *("attacker", "ov", "dv", "defending_units", "lead", "zone", "germans_present", "box", "battery", "start"),
        *("counter_units", "rubble", "date", "time", "artillery", "attackers_afv", "engineers", "suspend_parents"),
        "reading",
    )

    attacker = shared.side("Attacker")
    kind = lists.kind()
    group = lists.group("Group that is attacked")
    attackers = lists.attackers()
    defenders = lists.defenders()
    tem = lists.tem()
    area = PlaceField("Area that is attacked", AREAS)
    start = PlaceField("Area from which they attack, if another", AREAS)
    entered = TickField("The attackers have entered the Area in this impulse")
    rubble = lists.rubble_level()
    guns = PlaceField("Russian artillery that takes part, its Area", AREAS)
    artillery = lists.artillery()
    battery = forms.CharField(label="German artillery that attacks, its name", max_length=MOST_NAME, required=False)
    counter_units = NumberField("German Counter-Battery units, aircraft by day among them", 0, 20, initial=None)
    ov = NumberField("OV, if it is known", attack_values.LEAST, attack_values.MOST, initial=None)
    dv = NumberField("DV, if it is known", attack_values.LEAST, attack_values.MOST, initial=None)
    defending_units = NumberField("Units of the Group, if they are not listed", 1, 10, initial=1)
    lead = NumberField("Leader, by place in the list", 1, 10, initial=1)
    zone = TickField("In a Zone")
    germans_present = TickField("Germans in the Area that aircraft attack")
    attackers_afv = TickField("Attackers have AFV")
    engineers = NumberField("Engineers that work against the TEM", 0, 10)
    suspend_parents = TickField("64th Army enters: parents cost nothing")
    date = shared.date()
    time = shared.time()
    reading = lists.dated_reading()
    track = shared.TrackField()
    box = shared.track_box()


class PaymentForm(HelperForm):
    """Inputs of a payment."""

    filled_from = {"side": ""}
    seldom = ("attacker_pick", "area", "side", "forfeit", "units")

    group = lists.group()
    factors = TokensField("Defense Factors of the Group", low=-9, high=40, most=casualties.MOST_UNITS)
    units = lists.defenders("Units of the Group")
    required = NumberField("Casualty Points", 0, 60)
    attacker_pick = NumberField("The attacker's choice among the strongest, by place", 0, 10)
    actions = TokensField(
        "What each unit does", {action: action.word for action in choices.Action}, most=casualties.MOST_UNITS
    )
    area = PlaceField("Area", AREAS)
    side = shared.side("Whose Group", Side.RUSSIAN)
    forfeit = TickField("From guns, aircraft or a Mistaken Attack: the rest is forfeit")


class RetreatForm(HelperForm):
    """Inputs of a retreat. The map gives the neighbours of the Area that they leave, as far as a chart knows them."""

    filled_from = {"side": ""}
    seldom = ("goal", "who")

    side = shared.side("Who retreats", Side.RUSSIAN)
    start = PlaceField("Area that is left", AREAS)
    units = NumberField("Units that retreat together", 1, casualties.MOST_UNITS, initial=None)
    german_areas = shared.areas("What the German controls, if your chart has the map")
    areas = lists.neighbours()
    goal = PlaceField("Area into which they go, where there are several", AREAS)
    who = lists.units_by_name("Who retreats, by name")


class ContestedForm(HelperForm):
    """Inputs of a retreat into a Contested Area."""

    seldom = ("name", "goal")

    friendly_controlled = TickField("Friendly-controlled")
    enemy_units = NumberField("Enemy Combat units there", 0, 10, initial=1)
    goal = PlaceField("That Area", AREAS)
    name = forms.CharField(label="Unit", max_length=60, required=False)
    id = CounterField()


class DisruptionForm(HelperForm):
    """Inputs of a disruption. Without a date it does not say when the unit is Fresh again."""

    event = Pick.among("Event", disruption.Event)
    ranged = TickField("By Ranged Attack")
    current = NumberField("Dots that it has", 0, 4)
    date = DateField("Date", FIRST, LAST)


class EngineersForm(HelperForm):
    """Inputs of Engineers."""

    tem = lists.tem(initial=3)
    area = PlaceField("Area, for its TEM", AREAS)
    engineers = NumberField("Fresh Engineers that attack", 0, 10, initial=1)
    engineer_leads = TickField("An Engineer leads")
    other_infantry = NumberField("Other infantry that attacks", 0, 10)
    already_in_area = TickField("In the Area already")
    zone = TickField("A Zone")


def attack_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """Two rolls; and a die where Russian guns may be silenced."""
    is_supported = inputs["kind"].is_ground and bool(inputs["artillery"] or inputs["guns"])
    guns = is_supported or inputs["kind"] is Kind.RUSSIAN_ARTILLERY
    counters = (COUNTER_DIE,) if guns and inputs["counter_units"] is not None else ()
    return (ATTACK_DR, DEFENCE_DR, *counters)


def retreat_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """Two dice into a friendly-controlled Area, else one."""
    if inputs["friendly_controlled"]:
        return (DieSpec("roll", 6, "2d6", number=2),)
    return (DieSpec("roll", 6, "d6"),)


def payment_offers(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Each cheapest way to pay, as one press; ways that differ only in which of two equal units pays count once."""
    if inputs["actions"] or not inputs["required"]:
        return ()
    group, required, units = (inputs[name] for name in ("group", "required", "units"))
    factors = casualties.find_factors(inputs["factors"], units)
    labels = [unit.label for unit in units] or factors
    try:
        owed = min(required, casualties.find_capacity(book, group, len(factors))) if inputs["forfeit"] else required
        ways = casualties.list_ways(book, casualties.make_out_bill(group, factors, owed, inputs["attacker_pick"]))
    except RuleError:
        return ()
    return tuple(
        ReadyAnswer(capitalize(choices.describe_payment(labels, way)), {"actions": ",".join(way)})
        for way in ways[: casualties.MOST_CHOICES]
    )


def retreat_offers(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Each Area into which a Group may retreat, as one press, where it has a choice."""
    names = ("areas", "start", "side", "german_areas")
    if inputs["goal"] or not inputs["who"]:
        return ()
    try:
        goals = retreat.find_goals(retreat.find_candidates(book, *(inputs[name] for name in names)))[1]
    except RuleError:
        return ()
    return tuple(ReadyAnswer(f"Into {name_area(goal.area)}", {"goal": goal.area}) for goal in goals)


attack_helper = partial(game_helper, group="Attack")

HELPERS = (
    attack_helper(
        "attack",
        title="Attack",
        purpose="Both lists of units, or two totals: the odds, then losses, dots, Rubble and what else the dice do.",
        rules=("8.35 Attack Resolution", "8.353 Resolution", "8.36 Overrun", "8.37 Rout"),
        form=AttackForm,
        rule=attack.attack,
        outcomes=attack_values.AttackOutcome,
        dice=attack_dice,
        odds=attack_values.attack_odds,
        dice_words="attack_dr and defence_dr, 2d6 each; counter_die, d6, where Russian guns may be silenced",
        spare_dice=(COUNTER_DIE.name,),
    ),
    attack_helper(
        "payment",
        title="Casualty Points",
        purpose="All cheapest ways to pay, and whether a chosen one is legal.",
        rules=("8.354 Casualty Points", "8.3541 Loss Fulfillment"),
        form=PaymentForm,
        rule=casualties.payment,
        outcomes=casualties.Payment,
        offers=payment_offers,
        settles=False,
        decided_by="side",
        verb="Pay",
    ),
    attack_helper(
        "retreat",
        title="Where to retreat",
        purpose="The Area that a beaten Group has to go to.",
        rules=("8.355 Retreats", "8.3551 Retreat Priority"),
        form=RetreatForm,
        rule=retreat.retreat,
        outcomes=retreat.Goal,
        offers=retreat_offers,
        settles=False,
        decided_by="side",
    ),
    attack_helper(
        "contested-retreat",
        title="Retreat into a Contested Area",
        purpose="Whether a unit survives it.",
        rules=("8.3552 Contested Retreats",),
        form=ContestedForm,
        rule=retreat.contested_retreat,
        outcomes=retreat.Arrival,
        dice=retreat_dice,
        together=True,
        dice_words="roll: 2d6 into a friendly-controlled Area, else d6",
    ),
    attack_helper(
        "offensive-value",
        title="Offensive value",
        purpose="An OV, term by term.",
        rules=("8.35 Attack Resolution", "15.23 Attack Resolution", "17.6 Tactical Air Support"),
        form=OffenceForm,
        rule=offence.offensive_value,
        outcomes=Counted,
        suggests=True,
    ),
    attack_helper(
        "defensive-value",
        title="Defensive value",
        purpose="A DV, term by term.",
        rules=("8.35 Attack Resolution", "14.7 TEM", "16.4 DV"),
        form=DefenceForm,
        rule=defence.defensive_value,
        outcomes=defence.Value,
        suggests=True,
    ),
    attack_helper(
        "engineers",
        title="Engineers and TEM",
        purpose="What Engineers leave of an Area's TEM.",
        rules=("14.8 Engineers",),
        form=EngineersForm,
        rule=engineers.engineers,
        outcomes=IsShown,
    ),
    attack_helper(
        "disruption",
        title="Disruption",
        purpose="How many dots, and when the unit is Fresh again.",
        rules=(
            "10.2 Duration Status",
            "10.3 Movement Disruption",
            "10.4 Attacker Disruption",
            "10.5 Defense Disruption",
        ),
        form=DisruptionForm,
        rule=disruption.disruption,
        outcomes=disruption.Dots,
    ),
)
