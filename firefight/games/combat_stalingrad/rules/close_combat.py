"""Close Combat on the Close Combat Table (19.2, 19.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Grid, Numbers
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, other, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting
from firefight.engine.text import capitalize
from firefight.engine.values import Json

from .charts import CCT_COLUMNS
from .fire import FireOutcome, Steps, aftermath, needs_hit_dice
from .morale import Cause
from .units import Becomes, Kind, Unit, mark_counter, name_units

# Steps of the odds ladder around 1-1; outside the listed columns the result is automatic (19.3.7).
LOWEST, HIGHEST = -2, 2


class Target(Labelled):
    """What is attacked in Close Combat."""

    INFANTRY = "infantry"
    AFV = "afv", "AFV"


class BetterOdds(Labelled):
    """Whether the attackers had better odds open to them than 1-4 (19.3.7, A-44)."""

    UNKNOWN = "", "—"
    NO = "no"
    YES = "yes"


class CloseCombatOutcome(Outcome):
    """Results of 19.3.3 and 19.3.7."""

    NONE = "none", "No effect"
    C = "c"
    E = "e"
    ATTACKERS_ELIMINATED = "attackers_eliminated"
    DEFENDERS_ELIMINATED = "defenders_eliminated"


def odds_step(attack: int, defense: int) -> int:
    """The ratio rounded down in the defender's favor, as steps from 1-1: 2-1 is 1, 1-3 is -2 (19.3.1, A-19).

    >>> odds_step(9, 5), odds_step(4, 9)
    (0, -2)
    """
    if attack >= defense:
        return attack // defense - 1
    return 1 - -(-defense // attack)


def odds_name(step: int) -> str:
    """The ratio's name: 0 is 1-1, 2 is 3-1, -3 is 1-4."""
    return f"{step + 1}-1" if step >= 0 else f"1-{1 - step}"


def combat_value(units: Sequence[Unit], in_sector: bool = False) -> int:
    """CCV of a group: Disrupted units and riders count half each, fractions down, never a quarter (19.2.1, A-39).

    In sector combat riders fight on foot at full value (20.6.4 step 3).
    """
    return sum(unit.ccv // 2 if unit.state.disrupted or (unit.rider and not in_sector) else unit.ccv for unit in units)


def overrun_value(units: Sequence[Unit]) -> int:
    """CCV of an AFV overrun outside buildings: the AFV count double, riders half and not double (19.2.1 step 2).

    Where no row is a vehicle, all but the riders are taken for the AFV: a total is one row.
    """
    afv = [unit for unit in units if unit.kind is Kind.VEHICLE] or [unit for unit in units if not unit.rider]
    return combat_value(units) + combat_value(afv)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackFacts:
    """One attack as it is declared. ``attack`` and ``defense``: units with their CCV; a total is one unit with it.

    ``leader``: an NCO or Officer lends the attack -5. ``overrun``: see ``overrun_value``.
    """

    attack: Sequence[Unit]
    defense: Sequence[Unit]
    hand_to_hand: bool = False
    target: Target = Target.INFANTRY
    leader: bool = False
    demo_charge: bool = False
    flamethrower: bool = False
    m_killed: bool = False
    from_cover: bool = False
    afv_in_open: bool = False
    overrun: bool = False
    in_sector: bool = False
    other_drm: int = 0


def close_combat(*, charts: Book, better_odds: bool = False, die: int | None = None, **facts: object) -> Result:
    """Resolve one Close Combat attack (19.2.1 Melee Sequence, 19.3 Close Combat Resolution).

    facts: those of ``AttackFacts``; a leader who lends -5 is not among the attack's units. better_odds: the attackers
    had better odds than 1-4 open to them, so that they are not lost by 1-4 or worse (A-44). die: natural d100. Ratios
    round down, then hand-to-hand shifts one column up, then 1-4 or worse and 4-1 or better are automatic (A-19).
    Raises BadInput for DRM that do not fit.
    """
    return _resolve(AttackFacts(**Json(facts)), charts, better_odds, die)


def _resolve(facts: AttackFacts, charts: Book, better_odds: bool, die: int | None) -> Result:
    _check(facts)
    strength = overrun_value(facts.attack) if facts.overrun else combat_value(facts.attack, facts.in_sector)
    odds = _Odds(strength, combat_value(facts.defense, facts.in_sector), shift=int(facts.hand_to_hand))
    if lost := odds.find_lost():
        result = _automatic(lost, odds, better_odds)
        return replace(result, changes=_wipe_out(result.outcome, facts), waits=True)
    modifiers = _list_drm(charts, facts)
    column = CCT_COLUMNS[odds.step - LOWEST]
    if die is None:
        message = f"{odds.attack} against {odds.defense}: column {column}. A low roll is good."
        return waiting(message, "die", modifiers=modifiers, details=odds.details, rules=_RULES)
    modified = check_face(die, 100) + total(modifiers)
    table: Grid = charts["cct"]
    outcome = CloseCombatOutcome((table.look_up(modified, column) or "none").lower())
    steps = _results(outcome, facts)
    return Result(
        headline=f"{outcome.word}: {modified} on {column} ({odds.attack} against {odds.defense}).",
        outcome=outcome,
        dice={"die": die},
        modified=modified,
        modifiers=modifiers,
        details=odds.details,
        effects=steps.effects,
        follow_ups=steps.follow_ups,
        changes=steps.changes,
        waits=True,
        provenance=sources(charts[name] for name in (*_CHARTS, *((_IN_OPEN,) if facts.afv_in_open else ()))),
        rules=_RULES,
    )


_RULES = ("19.2.1 Melee Sequence", "19.3.1 (no heading)", "19.3.3 (no heading)")
_CHARTS, _IN_OPEN = ("cct", "cct_drm"), "cct_afv_in_open"


@dataclass(frozen=True, slots=True)
class _Odds:
    """The CCV of both sides, and how many columns hand-to-hand shifts the ratio (19.2.1 step 2, 19.3.1)."""

    attack: int
    defense: int
    shift: int

    @property
    def step(self) -> int:
        """The column that is read, which only two sides with CCV have."""
        return odds_step(self.attack, self.defense) + self.shift

    def find_lost(self) -> CloseCombatOutcome | None:
        """Who is lost without a roll (19.3.7); the attacker's zero is read first (R-03)."""
        if self.attack == 0 or (self.defense and self.step < LOWEST):
            return CloseCombatOutcome.ATTACKERS_ELIMINATED
        return CloseCombatOutcome.DEFENDERS_ELIMINATED if self.defense == 0 or self.step > HIGHEST else None

    @property
    def details(self) -> dict[str, object]:
        """The same for a log."""
        values: dict[str, object] = {"attack": self.attack, "defense": self.defense}
        if not (self.attack and self.defense):
            return {**values, "column": None}
        return {**values, "odds": odds_name(self.step - self.shift), "column": odds_name(self.step)}


def _list_drm(charts: Book, facts: AttackFacts) -> tuple[Modifier, ...]:
    """What is added to the die (19.3.3, 19.3.5)."""
    drm: Numbers = charts["cct_drm"]
    in_open: Numbers = charts[_IN_OPEN]
    return without_zeroes(
        facts.leader and Modifier("NCO or Officer", drm.get("leader"), "19.3.5 NCO DRM"),
        facts.demo_charge and Modifier("Demo charge against AFV", drm.get("demo_charge"), "19.3.3"),
        facts.flamethrower and Modifier("Flamethrower", drm.get("flamethrower"), "19.3.3"),
        facts.m_killed and Modifier("M-KILLED AFV", drm.get("m_killed"), "19.3.3"),
        facts.from_cover and Modifier("From building, woods or grain", drm.get("from_cover"), "19.3.3"),
        facts.afv_in_open and Modifier("AFV in the open", in_open.get("afv_in_open"), "CCT"),
        other(facts.other_drm),
    )


def _wipe_out(outcome: Outcome | None, facts: AttackFacts) -> tuple[CounterChange, ...]:
    """The losses of a result without a roll: all of one side's units in the attack (19.3.7)."""
    lost = {
        CloseCombatOutcome.ATTACKERS_ELIMINATED: facts.attack,
        CloseCombatOutcome.DEFENDERS_ELIMINATED: facts.defense,
    }
    units = next((units for loss, units in lost.items() if outcome is loss), ())
    return tuple(change for unit in units for change in mark_counter(unit, Becomes.ELIMINATED))


def check_attack(charts: Book, opening: Result) -> None:
    """Raise MissingChart if an attack that waits for its die could need a blank cell of the table."""
    if opening.needs:
        _check_cells(charts, opening.details["column"], total(opening.modifiers))


@lru_cache(maxsize=1000)
def _check_cells(charts: Book, column: str, drm: int) -> None:
    table: Grid = charts["cct"]
    for face in range(1, 101):
        table.look_up(face + drm, column)


def _automatic(lost: CloseCombatOutcome, odds: _Odds, better_odds: bool) -> Result:
    """A result without a roll, which waits for both sides like any other (19.2.1 step 3)."""
    details, rules = odds.details, (*_RULES, _AUTOMATIC_RULE)
    ratio = f"{odds.attack} against {odds.defense} is {details['column']}: " if details["column"] else ""
    if lost is CloseCombatOutcome.ATTACKERS_ELIMINATED and better_odds:
        headline = capitalize(f"{ratio}no effect, since better odds were open to the attackers.")
        return Result(headline, CloseCombatOutcome.NONE, details=details, rules=rules)
    effects = ((_AUTOMATIC_REASON,) if ratio else ()) + (BOTH,)
    return Result(capitalize(f"{ratio}{_AUTOMATIC[lost]}"), lost, details=details, effects=effects, rules=rules)


BOTH = "Apply it when both sides have rolled."
_AUTOMATIC = {
    CloseCombatOutcome.ATTACKERS_ELIMINATED: "the attackers are eliminated without a roll.",
    CloseCombatOutcome.DEFENDERS_ELIMINATED: "the defenders are eliminated without a roll.",
}
_AUTOMATIC_RULE = "19.3.7 (no heading)"
_AUTOMATIC_REASON = "Units without better odds than 1-4 are lost; 4-1 or better always wins (19.3.7)."


_AGAINST_AFV = ("demo_charge", "m_killed", "from_cover", "afv_in_open")


def _check(facts: AttackFacts) -> None:
    problems = {}
    if not facts.attack:
        problems["attack"] = "Give the attackers' CCV, as a total or unit by unit."
    if not facts.defense:
        problems["defense"] = "Give the defenders' CCV, as a total or unit by unit."
    if facts.target is Target.INFANTRY:
        for name in _AGAINST_AFV:
            if getattr(facts, name):
                problems[name] = "This counts against an AFV only (19.3.3)."
    if facts.in_sector and facts.afv_in_open:
        problems["afv_in_open"] = "Sector combat uses no DRM for AFV in the open (20.6.4 step 3)."
    if facts.in_sector and facts.overrun:
        problems["overrun"] = "There is no overrun in sector combat (20.6.4 step 3)."
    if problems:
        raise BadInput(problems)


def _results(outcome: CloseCombatOutcome, facts: AttackFacts) -> Steps:
    """What becomes of the defenders; results count once both sides have rolled (19.2.1 step 3, R-93)."""
    if outcome is CloseCombatOutcome.NONE:
        return Steps()
    units = [unit for unit in facts.defense if unit.name or unit.id or len(facts.defense) > 1]
    if not units:
        sentence = {
            (CloseCombatOutcome.C, Target.AFV): "The AFV is M-KILLED.",
            (CloseCombatOutcome.E, Target.AFV): "The AFV is eliminated.",
            (CloseCombatOutcome.C, Target.INFANTRY): "One defender suffers Casualties.",
            (CloseCombatOutcome.E, Target.INFANTRY): "One defender is eliminated.",
        }[outcome, facts.target]
        return Steps((sentence, BOTH))
    result = FireOutcome(outcome.value)
    if needs_hit_dice(result, len(units)):
        inputs = {"result": result.value, "source": Cause.CLOSE_COMBAT.value, "units": [u.plain() for u in units]}
        return Steps((BOTH,), (FollowUp("who-is-hit", "Who is hit", inputs),))
    return aftermath(result, name_units(units), [], None, Cause.CLOSE_COMBAT) + Steps((BOTH,))


# What the rows of an attack say by themselves


def resolve_attack(
    *, charts: Book, better_odds: BetterOdds = BetterOdds.UNKNOWN, die: int | None = None, **facts: object
) -> Result:
    """Resolve an attack as players type it: unit by unit, or as totals. See ``close_combat`` for the rest.

    leader: one who stands in a row lends -5 instead of a CCV; one who is alone, Disrupted or WIA cannot (19.3.5, A-20).
    target: an AFV also where no infantry but leaders defends with vehicles (R-33). better_odds: asked for where the
    attackers would be lost without a roll, unless the rows show it (A-44). Raises BadInput for what does not fit.
    """
    typed = AttackFacts(**Json(facts))
    attack = typed.attack
    lender = _lender(attack) if typed.leader and attack else None
    aimed = _aim(typed)
    fought = replace(aimed, attack=[unit for unit in attack if unit is not lender])
    result = _resolve(fought, charts, _has_better(better_odds, aimed), die)
    if result.outcome is CloseCombatOutcome.ATTACKERS_ELIMINATED and better_odds is BetterOdds.UNKNOWN:
        raise BadInput({"better_odds": _ASK.format(result.details["attack"], result.details["defense"])})
    if lender:  # is eliminated with the others (19.3.7)
        changes = (*result.changes, *_wipe_out(result.outcome, replace(aimed, attack=[lender], defense=[])))
        return replace(result, details={**result.details, "lender": lender.name_or_kind()}, changes=changes)
    if result.needs and not typed.leader and (lenders := _able_leaders(attack)) and len(lenders) < len(attack):
        offer = (
            f"{capitalize(lenders[0].name_or_kind())} may give -5 instead of their CCV, if they are an NCO or Officer."
        )
        return replace(result, headline=f"{result.headline} {offer}")
    return result


_LEADERS = (Kind.LEADER, Kind.WOUNDED_LEADER)
_ASK = (
    "{} against {} is 1-4 or worse. Were better odds open to them here, all units of their side against the weakest "
    "enemy? Without them they are lost (19.3.7)."
)


def _able_leaders(attack: Sequence[Unit]) -> list[Unit]:
    return [unit for unit in attack if unit.kind in _LEADERS and not unit.state.disrupted]


def _lender(attack: Sequence[Unit]) -> Unit | None:
    """The leader whose -5 counts instead of a CCV; None for one who stands in no row."""
    if all(unit.kind in _LEADERS for unit in attack):
        raise BadInput({"leader": "A leader who attacks alone gives no -5: their CCV counts (19.3.5)."})
    if not any(unit.kind in _LEADERS for unit in attack):
        return None
    lenders = _able_leaders(attack)
    if not lenders:
        raise BadInput({"leader": "A Disrupted or WIA leader gives no -5 (19.3.5)."})
    return min(lenders, key=lambda unit: unit.ccv)


def _aim(facts: AttackFacts) -> AttackFacts:
    """An attack as its rows show it: if the target is an AFV, those that defend and name no vehicle are vehicles."""
    defense = facts.defense
    if not any(unit.kind is Kind.VEHICLE for unit in defense):
        vehicles = [replace(unit, kind=Kind.VEHICLE) for unit in defense]
        return replace(facts, defense=vehicles) if facts.target is Target.AFV else facts
    if all(unit.kind is Kind.VEHICLE or unit.kind in _LEADERS for unit in defense):
        return replace(facts, target=Target.AFV)
    if facts.target is Target.AFV:
        sentence = (
            "Infantry defends with the AFV, so nothing counts that is meant for AFV alone (R-33): choose Infantry."
        )
        raise BadInput({"target": sentence})
    return facts


def _has_better(answer: BetterOdds, facts: AttackFacts) -> bool:
    """Whether better odds than 1-4 were open: as answered, else as the rows show (A-44)."""
    return _shows_better(facts) if answer is BetterOdds.UNKNOWN else answer is BetterOdds.YES


def _shows_better(facts: AttackFacts) -> bool:
    """Whether all who are listed would have better odds than 1-4 against the weakest enemy (A-44).

    Leaders defend with the only other unit that there is, so that nobody attacks that alone (19.3.6).
    """
    targets = [unit for unit in facts.defense if unit.kind not in _LEADERS] or list(facts.defense)
    strength = combat_value(facts.attack, facts.in_sector)
    if len(targets) < 2 or not strength:
        return False
    weakest = min(combat_value([unit], facts.in_sector) for unit in targets)
    return not weakest or odds_step(strength, weakest) + facts.hand_to_hand >= LOWEST
