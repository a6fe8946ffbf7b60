"""What losses do to leaders (18.3)."""

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Bands, Numbers
from firefight.engine.errors import BadInput
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, total, without_zeroes
from firefight.engine.rolls.result import Outcome, Result, sources, waiting
from firefight.engine.text import count_of
from firefight.engine.values import Json

from .dates import TURNS, date_of, say_date
from .terms import Side

RULES = ("18.33", "18.3 Leader Casualties")
MOST_COUNTED = 4  # more losses add nothing


class Survival(Outcome):
    """Results of the Leader Survival Table."""

    NO_ROLL = "no_roll", "no roll"
    ELIMINATED = "eliminated"
    WOUNDED = "wounded"
    SURVIVES = "survives"


def leader_survival(
    *,
    charts: Book,
    side: Side,
    units_eliminated: int,
    sniper: int,
    alone: bool,
    already_wounded: bool,
    turn: int | None,
    die: int | None = None,
    turns_die: int | None = None,
) -> Result:
    """Whether a leader survives losses in his hex, or his way alone through a ZOC (18.32, 18.33).

    units_eliminated: combat units lost in his hex. sniper: 1, or 2 for Zaitsev, who fired at his hex or is next to his
    way; against Germans alone. already_wounded: a second wound on the same way eliminates him (18.32). turn: the
    present one, to say when he is back; turns_die: how many complete turns he is away (ruling A11).
    """
    if side is Side.SOVIET and sniper:
        raise BadInput({"sniper": "Snipers are Soviet: they count against German leaders alone (16.14)."})
    if not units_eliminated and not alone:
        return Result(
            "Leader survival: nobody in his hex was lost, no roll.",
            Survival.NO_ROLL,
            details={"mdr": None, "away": None, "back_on_turn": None},
            rules=RULES,
        )
    modifiers = _list_lines(charts, units_eliminated, sniper, alone)
    if die is None:
        return waiting(f"{side.word} leader: roll a d10.", "die", modifiers=modifiers, rules=RULES)
    mdr = check_face(die, 10) + total(modifiers)
    table = charts["leader_survival"]
    assert isinstance(table, Bands)
    outcome = Survival(table.look_up(mdr))
    if outcome is Survival.WOUNDED and already_wounded:
        outcome = Survival.ELIMINATED
    away = turns_die if outcome is Survival.WOUNDED else None
    back = turn + away + 1 if away and turn else None
    details: Json = {"mdr": mdr, "away": away, "back_on_turn": back}
    absence = f", away for {count_of(away, 'turn')}" if away else ""
    return Result(
        f"{side.word} leader: {outcome.word.lower()}{absence}.",
        outcome,
        dice={"die": die, **({"turns_die": away} if away else {})},
        modified=mdr,
        modifiers=modifiers,
        details=details,
        effects=tuple(_list_effects(outcome, away, back, alone)),
        rules=RULES,
        provenance=sources([table, charts["survival_modifiers"]]),
        needs=("turns_die",) if outcome is Survival.WOUNDED and turns_die is None else (),
    )


def _list_lines(charts: Book, lost: int, sniper: int, alone: bool) -> tuple[Modifier, ...]:
    chart = charts["survival_modifiers"]
    assert isinstance(chart, Numbers)
    if alone:
        loss_line = Modifier("Alone through a ZOC", chart.get("alone"), "18.32")
    else:
        words = count_of(lost, "combat unit") + " lost in his hex"
        loss_line = Modifier(words, chart.get(str(min(lost, MOST_COUNTED))), "18.33")
    return without_zeroes(loss_line, Modifier("Zaitsev" if sniper == 2 else "Sniper", -sniper, "16.14"))


def _list_effects(outcome: Survival, away: int | None, back: int | None, alone: bool) -> list[str]:
    if outcome is Survival.ELIMINATED:
        return ["Only Chuikov, Paulus and von Seydlitz are replaced, by their headquarters (18.43 to 18.47)."]
    if outcome is Survival.SURVIVES and not alone:
        return ["If nobody is left in his hex, he may go to a unit of his command (18.34)."]
    if outcome is not Survival.WOUNDED:
        return []
    effects = ["He may go on this way; a second wound eliminates him (18.32)."] if alone else []
    if away is None:
        return [*effects, "Roll again for the turns that he is away (18.33)."]
    if back is None:
        return [*effects, f"He is back after {count_of(away, 'complete turn')} (18.41)."]
    if back > TURNS:
        return [*effects, f"Away for {count_of(away, 'complete turn')}: he does not come back before the end."]
    when = f"turn {back}, {say_date(date_of(back))}"
    return [*effects, f"Back on {when}, after {count_of(away, 'complete turn')}, as players agree (18.41, ruling A11)."]
