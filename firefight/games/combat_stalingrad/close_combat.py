"""Close Combat on the Close Combat Table (19.2, 19.3)."""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from firefight.engine.charts import Book
from firefight.engine.dice import check_face
from firefight.engine.errors import BadInput
from firefight.engine.modifiers import Modifier, listed, other, total
from firefight.engine.results import FollowUp, Outcome, Result, sources, waiting

from .charts import CCT_COLUMNS
from .fire import FireOutcome, aftermath, needs_hit_dice
from .units import Unit, capitalized, named

# Steps of the odds ladder around 1-1; outside the listed columns the result is automatic (19.3.7).
LOWEST, HIGHEST = -2, 2


class Target(StrEnum):
    """What is attacked in Close Combat."""

    INFANTRY = "infantry"
    AFV = "afv"


class CloseCombatOutcome(Outcome):
    """Results of 19.3.3 and 19.3.7."""

    NONE = "none"
    C = "c"
    E = "e"
    ATTACKERS_ELIMINATED = "attackers_eliminated"
    DEFENDERS_ELIMINATED = "defenders_eliminated"

    @property
    def word(self) -> str:
        """The outcome as the table prints it, or in plain words."""
        return "No effect" if self is CloseCombatOutcome.NONE else self.value.replace("_", " ").capitalize()


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


def close_combat(
    *,
    charts: Book,
    attack: Sequence[Unit],
    defense: Sequence[Unit],
    hand_to_hand: bool = False,
    target: Target = Target.INFANTRY,
    leader: bool = False,
    demo_charge: bool = False,
    flamethrower: bool = False,
    m_killed: bool = False,
    from_cover: bool = False,
    afv_in_open: bool = False,
    overrun: bool = False,
    in_sector: bool = False,
    other_drm: int = 0,
    die: int | None = None,
) -> Result:
    """Resolve one Close Combat attack (19.2.1 Melee Sequence, 19.3 Close Combat Resolution).

    attack and defense: units with their CCV (a total is one unit with that CCV). overrun: by
    AFV outside buildings, doubles the attack. leader: an NCO or Officer lends his -5 and not his
    CCV. die: natural d100. Ratios round down, then hand-to-hand shifts one column up, then 1-4 or
    worse and 4-1 or better are automatic (A-19). Raises BadInput for DRM that do not fit.
    """
    _check(attack, defense, target, demo_charge, m_killed, from_cover, afv_in_open, overrun, in_sector)
    strength = combat_value(attack, in_sector) * (2 if overrun else 1)
    resistance = combat_value(defense, in_sector)
    rules = ("19.2.1 Melee Sequence", "19.3.1 (no heading)", "19.3.3 (no heading)")
    details = {"attack": strength, "defense": resistance}
    helpless = _helpless(strength, resistance)
    if helpless:
        headline = capitalized(_AUTOMATIC[helpless])
        return Result(headline, helpless, details={**details, "column": None}, rules=(*rules, _AUTOMATIC_RULE))
    step = odds_step(strength, resistance) + (1 if hand_to_hand else 0)
    details |= {"odds": odds_name(odds_step(strength, resistance)), "column": odds_name(step)}
    if not LOWEST <= step <= HIGHEST:
        outcome = CloseCombatOutcome.ATTACKERS_ELIMINATED if step < LOWEST else CloseCombatOutcome.DEFENDERS_ELIMINATED
        headline = f"{strength} against {resistance} is {details['column']}: {_AUTOMATIC[outcome]}"
        rules = (*rules, _AUTOMATIC_RULE)
        return Result(headline, outcome, details=details, effects=(_AUTOMATIC_REASON,), rules=rules)
    table, drm, open_drm = charts["cct"], charts["cct_drm"], charts["cct_afv_in_open"]
    modifiers = listed(
        leader and Modifier("NCO or Officer", drm.get("leader"), "19.3.5 NCO DRM"),
        demo_charge and Modifier("Demo charge against AFV", drm.get("demo_charge"), "19.3.3"),
        flamethrower and Modifier("Flamethrower", drm.get("flamethrower"), "19.3.3"),
        m_killed and Modifier("M-KILLED AFV", drm.get("m_killed"), "19.3.3"),
        from_cover and Modifier("From building, woods or grain", drm.get("from_cover"), "19.3.3"),
        afv_in_open and Modifier("AFV in the open", open_drm.get("afv_in_open"), "CCT"),
        other(other_drm),
    )
    column = CCT_COLUMNS[step - LOWEST]
    if die is None:
        message = f"{strength} against {resistance}: column {column}. A low roll is good."
        return waiting(message, "die", modifiers=modifiers, details=details, rules=rules)
    modified = check_face(die, 100) + total(modifiers)
    outcome = CloseCombatOutcome((table.look_up(modified, column) or "none").lower())
    effects, follow_ups = _results(outcome, defense, target)
    return Result(
        headline=f"{outcome.word}: {modified} on {column} ({strength} against {resistance}).",
        outcome=outcome,
        dice={"die": die},
        modified=modified,
        modifiers=modifiers,
        details=details,
        effects=effects,
        follow_ups=follow_ups,
        provenance=sources((table, drm) + ((open_drm,) if afv_in_open else ())),
        rules=rules,
    )


def check_attack(charts: Book, opening: Result) -> None:
    """Raise MissingChart if an attack that waits for its die could need a blank cell of the table."""
    if opening.needs:
        _check_cells(charts, opening.details["column"], total(opening.modifiers))


@lru_cache(maxsize=1000)
def _check_cells(charts: Book, column: str, drm: int) -> None:
    for face in range(1, 101):
        charts["cct"].look_up(face + drm, column)


_AUTOMATIC = {
    CloseCombatOutcome.ATTACKERS_ELIMINATED: "the attackers are eliminated without a roll.",
    CloseCombatOutcome.DEFENDERS_ELIMINATED: "the defenders are eliminated without a roll.",
}
_AUTOMATIC_RULE = "19.3.7 (no heading)"
_AUTOMATIC_REASON = "Units without better odds than 1-4 are lost; 4-1 or better always wins (19.3.7)."


def _helpless(strength: int, resistance: int) -> CloseCombatOutcome | None:
    # The attacker's zero is read first.
    if strength == 0:
        return CloseCombatOutcome.ATTACKERS_ELIMINATED
    return CloseCombatOutcome.DEFENDERS_ELIMINATED if resistance == 0 else None


def _check(attack, defense, target, demo_charge, m_killed, from_cover, afv_in_open, overrun, in_sector) -> None:
    problems = {}
    if not attack:
        problems["attack"] = "Give the attackers' CCV, as a total or unit by unit."
    if not defense:
        problems["defense"] = "Give the defenders' CCV, as a total or unit by unit."
    if target is Target.INFANTRY:
        against_afv = {
            "demo_charge": demo_charge,
            "m_killed": m_killed,
            "from_cover": from_cover,
            "afv_in_open": afv_in_open,
        }
        problems |= {key: "This counts against an AFV only (19.3.3)." for key, used in against_afv.items() if used}
    if in_sector and afv_in_open:
        problems["afv_in_open"] = "Sector combat uses no DRM for AFV in the open (20.6.4 step 3)."
    if in_sector and overrun:
        problems["overrun"] = "There is no overrun in sector combat (20.6.4 step 3)."
    if problems:
        raise BadInput(problems)


def _results(
    outcome: CloseCombatOutcome, defense: Sequence[Unit], target: Target
) -> tuple[tuple[str, ...], tuple[FollowUp, ...]]:
    """Effects on the defenders; results count once both sides have rolled (19.2.1 step 3)."""
    if outcome is CloseCombatOutcome.NONE:
        return (), ()
    both = "Apply it when both sides have rolled."
    if target is Target.AFV:
        return (("The AFV is M-KILLED." if outcome is CloseCombatOutcome.C else "The AFV is eliminated."), both), ()
    units = [unit for unit in defense if unit.name or len(defense) > 1]
    if not units:
        word = "One defender suffers Casualties." if outcome is CloseCombatOutcome.C else "One defender is eliminated."
        return (word, both), ()
    result = FireOutcome(outcome.value)
    if needs_hit_dice(result, len(units)):
        inputs = {"result": result.value, "units": [unit.plain() for unit in units]}
        return (both,), (FollowUp("who-is-hit", "Who is hit", inputs),)
    effects, follow_ups = aftermath(result, named(units), [], None)
    return (*effects, both), follow_ups
