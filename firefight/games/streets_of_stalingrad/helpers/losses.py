"""Helpers of what comes after a fire: losses, a P, leaders, counter-attacks."""

from collections.abc import Sequence
from functools import partial

from django import forms

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import Allowed, Counted
from firefight.engine.rolls.dice import DieSpec
from firefight.kit import HelperForm, Inputs, NumberField, Pick, ReadyAnswer, TickField, TokensField

from ..rules import advances, bombardment, counter_attack, leaders, losses, marking
from ..rules.record import COMMANDERS
from ..rules.sequence import lead_on
from ..rules.terms import RESULTS, SIDES
from . import shared
from .shared import DIE, card_helper, game_helper

GROUP = "After combat"
MOST_POINTS = 200
MOST_WAYS = 20  # to lose somebody, a button each
TURNS_DIE = DieSpec("turns_die", 10, "d10 for the turns away")


class LossesForm(HelperForm):
    seldom = ("observers", "fire", "engineers", "armor", "terrain", "who", "lost")

    result = Pick("Result", {result: "no effect" if result == "-" else result for result in RESULTS}, initial="D1")
    combat_units = NumberField("Combat units in the hex, no immobilized tanks", 0, 20)
    immobilized = NumberField("Immobilized tanks in it", 0, 6)
    observers = NumberField("Observers in it", 0, 6)
    fire = Pick.among("By", losses.Cause)
    engineers = TickField("Engineers or flame-throwers attack with their modifier")
    armor = TickField("Armour attacks, a defender has its AF underlined")
    terrain = shared.terrain("Terrain, where a Soviet tank is lost")
    who = shared.struck()
    lost = shared.lost()


class PResultForm(HelperForm):
    filled_from = {"side": ""}
    seldom = ("side", "strong_point", "who")

    terrain = shared.terrain()
    fire = Pick.among("By", losses.Cause)
    adjacent_infantry = TickField("Unpinned infantry type attacked from the next hex")
    fortification = TickField("Fortification")
    nkvd = TickField("NKVD")
    leader = TickField("Leader in the hex")
    strong_point = shared.strong_point()
    side = Pick("Whose units", {"": "—", **SIDES})
    choice = Pick("Choice of the owner", losses.P_CHOICES)
    who = shared.struck()


class BombardmentLossesForm(HelperForm):
    seldom = ("table", "terrain", "who", "lost")

    number = forms.CharField(label="Eliminated: a number, or all", max_length=3, required=False, initial="1")
    minefield = NumberField("Minefields", 0, 20)
    bridge = NumberField("Bridges", 0, 20)
    combat = NumberField("Combat units, no armour, no snipers", 0, 20)
    armored = NumberField("Armoured units", 0, 20)
    sniper = NumberField("Snipers", 0, 20)
    op = NumberField("Observers", 0, 20)
    fortification = NumberField("Fortifications", 0, 20)
    table = Pick(
        "Table",
        {"crt": bombardment.FireTable.CRT.word, "wbbt": bombardment.FireTable.WBBT.word},
        bombardment.FireTable,
    )
    terrain = shared.terrain("Terrain, where a Soviet tank is lost")
    who = shared.struck()
    lost = shared.lost()


class LeaderSurvivalForm(HelperForm):
    """Inputs of leader survival. Whose phase it is does not say whose leader it is."""

    filled_from = {"side": ""}
    ahead = ("leader",)
    seldom = ("alone", "already_wounded", "turn", "who")

    leader = Pick("Who", {"": "a leader", **COMMANDERS})
    side = shared.side("Whose leader")
    units_eliminated = NumberField("Combat units lost in his hex", 0, 12, initial=1)
    sniper = NumberField("Sniper against him: 1, Zaitsev: 2", 0, 2)
    alone = TickField("Alone through a ZOC")
    already_wounded = TickField("Wounded on this way before")
    turn = shared.turn(initial=None)
    who = shared.struck("Who it is, by name")


class CounterAttackForm(HelperForm):
    seldom = ("by", "at")

    af = NumberField("AF of the counter-attackers", 0, MOST_POINTS)
    df = NumberField("DF in the hex", 0, MOST_POINTS)
    defenders = NumberField("Combat units in the hex", 0, 20, initial=None)
    after_all = shared.after_all("Does anybody counter-attack?")
    by = shared.firing(with_sorts=True)
    at = shared.struck("Who is in the hex, by name")


class MayCounterAttackForm(HelperForm):
    """Inputs of whether a unit may counter-attack. Whose phase it is does not say whose unit it is."""

    filled_from = {"side": ""}

    side = shared.side()
    unit = Pick.among("Unit", counter_attack.CounterAttacker)
    guards_or_marine = TickField("Guards or Marines")
    with_leader = TickField("Soviet leader in its hex")
    pinned = TickField("Pinned")
    spent = TickField("Spent")
    af = NumberField("Its AF", 0, 30, initial=1)
    not_adjacent = TickField("Not next to the hex")


class AdvanceForm(HelperForm):
    filled_from = {"side": "", "hex": ""}
    seldom = ("side", "hex", "by", "goes")

    did_not_attack = TickField("It did not attack")
    not_adjacent = TickField("Not next to the hex")
    hex_held = TickField("Enemies are left in it")
    may_not_enter = TickField("It may not enter that hex, or not across that balka")
    over_stacking = TickField("Too many would stand there")
    side = shared.side("Who attacked")
    hex = shared.target_hex("The hex into which they go")
    by = shared.firing(with_sorts=True)
    goes = TokensField("Who goes, by place in that list", low=1, high=shared.MOST_FIRING, most=shared.MOST_FIRING)


def offer_losses(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Who may be lost, each way as one press, while there is something to choose."""
    return _offer_ways(() if inputs["lost"] else marking.list_ways(**inputs))


def offer_bombed(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """The same after a bombardment."""
    return _offer_ways(() if inputs["lost"] else marking.list_bombed_ways(**inputs))


def _offer_ways(ways: Sequence[marking.Way]) -> Sequence[ReadyAnswer]:
    return tuple(
        ReadyAnswer(f"Lost: {words}", {"lost": ",".join(map(str, places))}) for places, words in ways[:MOST_WAYS]
    )


def offer_groups(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Who may advance together, each group as one press, the largest first."""
    groups = () if inputs["goes"] else advances.list_groups(**inputs)
    return tuple(ReadyAnswer(words, {"goes": ",".join(map(str, places))}) for places, words in groups[:MOST_WAYS])


def offer_p_choices(book: Book, inputs: Inputs) -> Sequence[ReadyAnswer]:
    """Both ways of a P that leaves a choice, each as one press (9.88)."""
    fields = {name: value for name, value in inputs.items() if name not in ("side", "choice", "who")}
    result = losses.p_result(charts=book, **fields)
    if inputs["choice"] or result.outcome is not losses.Pinned.MAY_RETREAT:
        return ()
    return tuple(ReadyAnswer(words, {"choice": choice}) for choice, words in losses.P_CHOICES.items() if choice)


def survival_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """No die where nobody was lost."""
    return (DIE, TURNS_DIE) if inputs["units_eliminated"] or inputs["alone"] else ()


HELPERS = (
    game_helper(
        "losses",
        title="Losses",
        group=GROUP,
        purpose="How many are lost, and who goes first.",
        rules=("9.81 Combat Results", "9.82", "16.37"),
        form=LossesForm,
        rule=marking.tick_losses(losses.losses),
        outcomes=Counted,
        offers=offer_losses,
        read_by="who",
        leads=partial(lead_on, "losses"),
    ),
    game_helper(
        "p-result",
        title="After a P",
        group=GROUP,
        purpose="Pinned or spent, and who retreats.",
        rules=("9.84", "9.87 Retreat After Combat", "9.88"),
        form=PResultForm,
        rule=marking.mark_p(losses.p_result),
        outcomes=losses.Pinned,
        offers=offer_p_choices,
        settles=False,
        decided_by="side",
        leads=partial(lead_on, "p-result"),
    ),
    game_helper(
        "bombardment-losses",
        title="Losses of a bombardment",
        group=GROUP,
        purpose="Who is lost, in the order of the rules.",
        rules=("14.81", "9.82", "17.13"),
        form=BombardmentLossesForm,
        rule=marking.tick_bombed(bombardment.bombardment_losses),
        outcomes=Counted,
        settles=False,
        offers=offer_bombed,
        read_by="who",
    ),
    game_helper(
        "leader-survival",
        title="Leader survival",
        group=GROUP,
        purpose="After losses in his hex, or alone through a ZOC.",
        rules=("18.33", "18.3 Leader Casualties"),
        form=LeaderSurvivalForm,
        rule=marking.mark_fate(leaders.leader_survival, {"wounded": "wounded", "eliminated": "eliminated"}),
        outcomes=leaders.Survival,
        dice=survival_dice,
        dice_words="die, d10, and turns_die, d10, only when wounded; none where nobody was lost",
        spare_dice=(DIE.name, TURNS_DIE.name),
        decided_by="side",
        leads=partial(lead_on, "leader-survival"),
    ),
    game_helper(
        "counter-attack",
        title="Instant counter-attack",
        group=GROUP,
        purpose="Against a hex that the enemy has just taken.",
        rules=("12.6", "ICA Table"),
        form=CounterAttackForm,
        rule=marking.mark_counter_attack(counter_attack.counter_attack),
        outcomes=counter_attack.CounterAttack,
        dice=(DIE,),
        decided_by="side",
        leads=partial(lead_on, "counter-attack"),
    ),
    card_helper(
        "may-counter-attack",
        title="May it counter-attack",
        group=GROUP,
        purpose="Who takes part in an instant counter-attack.",
        rules=("12.3", "12.5"),
        form=MayCounterAttackForm,
        rule=counter_attack.may_counter_attack,
        outcomes=Allowed,
        settles=False,
    ),
    game_helper(
        "advance",
        title="Advance after combat",
        group=GROUP,
        purpose="Whether units may go into the empty hex, and who does.",
        rules=("9.85 Advance After Combat", "9.86"),
        form=AdvanceForm,
        rule=advances.advance_into,
        outcomes=Allowed,
        settles=False,
        offers=offer_groups,
        verb="Advance",
        decided_by="side",
        leads=partial(lead_on, "advance"),
    ),
)
