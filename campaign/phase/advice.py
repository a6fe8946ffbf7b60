"""What a player may expect before deciding which units leave a threatened sector: exact chances, in words and numbers.

For the chance to survive the sector's close combat see campaign.phase.outlooks.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from campaign.ledger.ledger import Ledger
from campaign.models import Unit
from campaign.rules.redeployment import Goal, Leaver, RedeploymentOutcome
from firefight.engine.charts.book import Book
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import Odds, sweep
from firefight.engine.rolls.result import Result
from firefight.engine.values import Json
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.close_combat import CloseCombatOutcome, close_combat
from firefight.games.combat_stalingrad.rules.marks import mark_casualty
from firefight.games.combat_stalingrad.rules.melee.bouts import Strike
from firefight.games.combat_stalingrad.rules.units import Unit as Combatant

_DIE, _D100 = DieSpec("die", 10, "d10"), DieSpec("die", 100, "d100")


@dataclass(frozen=True, slots=True)
class Chances:
    """For a unit that tries to leave: in how many of ten rolls it arrives, stays, is lost, and takes Casualties."""

    arrives: int
    stays: int
    lost: int
    hurt: int

    def __str__(self) -> str:
        shares = {"goes": self.arrives, "stays": self.stays, "lost": self.lost, "Casualties in": self.hurt}
        return ", ".join(_say_share(fate, tenths) for fate, tenths in shares.items() if tenths)


def _say_share(fate: str, tenths: int) -> str:
    """A share of ten rolls in words."""
    return f"{fate.removesuffix(' in')} for certain" if tenths == 10 else f"{fate} {10 * tenths}\N{NO-BREAK SPACE}%"


@lru_cache(maxsize=200)
def leaving_odds(book: Book, leaver: Leaver, into: Goal) -> Odds:
    """The exact distribution of one re-deployment (20.12.1)."""
    return sweep(lambda dice: leaver.roll(book, into, **dice), (_DIE,))


Terms = tuple[tuple[str, object], ...]  # the other inputs of an attack's rule, by name


@lru_cache(maxsize=500)
def strike_odds(book: Book, strength: int, resistance: int, terms: Terms) -> Odds:
    """The exact distribution of one attack in Close Combat (19.3)."""
    return sweep(lambda dice: resolve_strike(book, strength, resistance, terms, **dice), (_D100,))


def resolve_strike(book: Book, strength: int, resistance: int, terms: Terms, die: int | None = None) -> Result:
    """One attack in Close Combat, by the CCV of both (19.3)."""
    attack, defense, more = [Combatant(ccv=strength)], [Combatant(ccv=resistance)], Json(terms)
    return close_combat(charts=book, attack=attack, defense=defense, die=die, **more)


def say_odds(strike: Strike, inputs: Mapping[str, object], book: Book) -> str:
    """The odds of an attack that is rolled for: "E 38 %, C 30 %". Raises MissingChart for a blank cell."""
    if not strike.roll.needs:
        return ""
    details = strike.roll.details
    terms = tuple((name, value) for name, value in inputs.items() if name not in ("attack", "defense"))
    odds = strike_odds(book, details["attack"], details["defense"], terms)
    shares = {CloseCombatOutcome(row.outcome): round(100 * row.weight / odds.total) for row in odds.rows}
    outcomes = (CloseCombatOutcome.E, CloseCombatOutcome.C)
    parts = [f"{outcome.word} {shares[outcome]} %" for outcome in outcomes if shares.get(outcome)]
    return ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)


def count_chances(ledger: Ledger, unit: Unit, into: Goal) -> Chances:
    """What a roll does to this unit: one that Casualties kill is lost where others are only hurt."""
    odds = leaving_odds(of_match(ledger.match), Leaver.of(ledger.kind_of(unit).kind, unit.marks), into)
    weight = {RedeploymentOutcome(row.outcome): row.weight * 10 // odds.total for row in odds.rows}
    dies = mark_casualty(ledger.kind_of(unit).kind, unit.marks) is None
    goes_hurt = weight.get(RedeploymentOutcome.REDEPLOYS_CASUALTIES, 0)
    stays_hurt = weight.get(RedeploymentOutcome.REMAINS_CASUALTIES, 0)
    lost = weight.get(RedeploymentOutcome.ELIMINATED, 0) + weight.get(RedeploymentOutcome.WRECK, 0)
    return Chances(
        arrives=weight.get(RedeploymentOutcome.REDEPLOYS, 0) + (0 if dies else goes_hurt),
        stays=weight.get(RedeploymentOutcome.REMAINS, 0) + (0 if dies else stays_hurt),
        lost=lost + (goes_hurt + stays_hurt if dies else 0),
        hurt=0 if dies else goes_hurt + stays_hurt,
    )
