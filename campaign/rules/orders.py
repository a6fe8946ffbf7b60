"""Attack or Hold: who attacks in a campaign firefight and who sets up first (20.5.4)."""

from dataclasses import replace

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, without_zeroes
from firefight.engine.rolls.result import Outcome, Result, sources, waiting
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side

from .cards import Stance


class Order(Labelled):
    """The choices of 20.5.3."""

    ATTACK = "attack"
    HOLD = "hold"


def order_of_card(stance: Stance, firefight: int) -> Order | None:
    """The order that the card gives for the first firefight, if it does (20.5.3)."""
    if firefight > 1 or stance is Stance.CHOOSES:
        return None
    return Order.ATTACK if stance is Stance.ATTACKER else Order.HOLD


def is_paid_for(order: Order, is_of_card: bool) -> bool:
    """Whether an order costs CP: an Attack does, unless the card gives it (20.5.3)."""
    return order is Order.ATTACK and not is_of_card


def against_bonus(order: Order, is_of_card: bool) -> Objection | None:
    """What speaks against the CP Bonus with this order (20.5.4)."""
    if is_paid_for(order, is_of_card):
        return None
    return Objection("The CP Bonus goes with an Attack that is paid for.", "20.5.4")


def set_up_order(attacker: Side) -> tuple[Side, Side]:
    """Who sets up first and second: the Defender, then the Attacker (20.5.4, A-25)."""
    return attacker.other, attacker


class OrdersOutcome(Outcome):
    """Results of 20.5.4 CG Firefight Setup."""

    GERMAN_ATTACKER = "german_attacker"
    RUSSIAN_ATTACKER = "russian_attacker"
    NO_FIREFIGHT = "no_firefight"


def attack_or_hold(
    *,
    charts: Book,
    german: Order,
    russian: Order,
    german_bonus: bool = False,
    russian_bonus: bool = False,
    german_die: int | None = None,
    russian_die: int | None = None,
) -> Result:
    """Compare the revealed choices (20.5.4 CG Firefight Setup).

    german_bonus and russian_bonus: the +2 bought with an Attack RG. german_die and russian_die:
    d10 each, 0 as 10, asked for when both attack; the higher total attacks, a tie makes the
    Russian the Defender. The Hold side, or the Defender, sets up first (A-25). Raises BadInput
    for a bonus without an Attack.
    """
    chosen = {Side.GERMAN: (german, german_bonus), Side.RUSSIAN: (russian, russian_bonus)}
    problems = {
        f"{side.value}_bonus": "The bonus goes with an Attack (20.5.4)."
        for side, (order, bonus) in chosen.items()
        if bonus and order is Order.HOLD
    }
    if problems:
        raise BadInput(problems)
    if german is Order.HOLD and russian is Order.HOLD:
        return Result(
            "Both hold: no firefight at this time.",
            OrdersOutcome.NO_FIREFIGHT,
            effects=("Go to the Reorganization Phase of the next firefight.",),
            rules=("20.5.4 CG Firefight Setup",),
        )
    if german is not russian:
        return _name_attacker(Side.GERMAN if german is Order.ATTACK else Side.RUSSIAN, "one side attacks")
    faces = {"german_die": german_die, "russian_die": russian_die}
    dice = {name: face for name, face in faces.items() if face is not None}
    missing = tuple(name for name in faces if name not in dice)
    if missing:
        return waiting("Both attack: one d10 each, the higher is the Attacker.", *missing)
    worth = charts["attack_bonus"].get("bonus")
    totals = {
        side: check_face(dice[f"{side.value}_die"], 10, f"{side.value}_die") + (worth if bonus else 0)
        for side, (_, bonus) in chosen.items()
    }
    attacker = Side.GERMAN if totals[Side.GERMAN] >= totals[Side.RUSSIAN] else Side.RUSSIAN
    modifiers = without_zeroes(
        Modifier("German CP Bonus", worth, "20.5.4 CG Firefight Setup") if german_bonus else None,
        Modifier("Russian CP Bonus", worth, "20.5.4 CG Firefight Setup") if russian_bonus else None,
    )
    reason = f"German {totals[Side.GERMAN]}, Russian {totals[Side.RUSSIAN]}"
    return replace(
        _name_attacker(attacker, reason + (", a tie" if len(set(totals.values())) == 1 else "")),
        dice=dice,
        modifiers=modifiers,
        provenance=sources((charts["attack_bonus"],)) if modifiers else (),
    )


def _name_attacker(attacker: Side, reason: str) -> Result:
    defender = Side.RUSSIAN if attacker is Side.GERMAN else Side.GERMAN
    return Result(
        headline=f"The {attacker.word} is the Attacker: {reason}.",
        outcome=OrdersOutcome(f"{attacker.value}_attacker"),
        details={"attacker": attacker.value, "defender": defender.value, "sets_up_first": defender.value},
        effects=(f"The {defender.word} sets up first.",),
        rules=("20.5.4 CG Firefight Setup",),
    )
