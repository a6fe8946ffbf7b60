"""Defensive and opportunity fire: every line of 9.72, and who may not fire at all (9.53, 9.601, 9.113)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.modifiers import Modifier
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.text import join_words
from firefight.engine.values import Json

from .crt import CombatOutcome, has_p
from .fire import Fire, Shot, take_aim
from .losses import Cause
from .terms import NO_EFFECT, NOBODY, Terrain

DRMS = "9.72 DRMs of defensive and opportunity fire"
RULES = (DRMS, "9.81 Combat Results")


class FireKind(Labelled):
    """When units fire without attacking."""

    DEFENSIVE = "defensive", "Defensive fire"
    OPPORTUNITY = "opportunity", "Opportunity fire"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefensiveFire(Fire):
    """What else decides it. ``terrain`` is that of the hex fired at, of the attackers or of the movers.

    ``bystanders``: nobody attacks those who fire. ``pavlov``, ``waiver``: as agreed (rulings A07, A08).
    """

    kind: FireKind = FireKind.DEFENSIVE
    spent: bool = False
    pinned: bool = False
    bystanders: bool = False
    soviet_target_on_volga: bool = False
    target_only_river_flotilla: bool = False
    leader_with_firers: bool = False
    pavlov_house_firers: bool = False
    sniper: int = 0
    target_on_minefield: bool = False
    pavlov: str = "everywhere"
    waiver: str = "fire"

    @property
    def is_waived(self) -> bool:
        """Whether 9.93 spares Soviets the line on armour."""
        is_covered = self.kind is FireKind.DEFENSIVE or self.waiver == "opportunity"
        return self.is_molotov and is_covered


def defensive_fire(*, charts: Book, die: int | None = None, after_all: str = "", **fields: Any) -> Result:
    """Resolve defensive or opportunity fire (9.72, 11.1). ``fields``: those of DefensiveFire.

    after_all: NOBODY, though it was said that somebody fires. Raises BadInput for pinned opportunity fire, for pinned
    or spent units that defend at a range (9.113), and for units that nobody attacks at an attacker who is not in a
    clear hex (9.601).
    """
    fire = DefensiveFire(**fields)
    title = f"{fire.firer.word} {fire.kind.word.lower()}"
    if after_all == NOBODY:
        details: Json = {"column": "", "result": NO_EFFECT, "eliminated": 0, "marker": None, "lost": 0}
        return Result(f"{title}: nobody fires.", CombatOutcome.NO_EFFECT, details=details, rules=("9.12",))
    _check(fire)
    aim = take_aim(charts, fire, list_fire_lines(fire), title=title, rules=RULES, shift=fire.close_assault)
    if die is None:
        return aim.wait()
    shot = aim.throw(die)
    return shot.tell({"lost": shot.lost}, _list_effects(fire, shot), _follow(fire, shot))


def _check(fire: DefensiveFire) -> None:
    if fire.kind is FireKind.OPPORTUNITY and fire.pinned:
        raise BadInput({"pinned": "Pinned units have no opportunity fire (9.112, 11.3)."})
    if fire.kind is FireKind.DEFENSIVE and (fire.pinned or fire.spent) and fire.not_adjacent:
        raise BadInput({"not_adjacent": "Pinned and spent units fire defensively at adjacent attackers alone (9.53)."})
    if fire.kind is FireKind.DEFENSIVE and fire.bystanders and (reason := bar_bystanders(fire.terrain)):
        raise BadInput({"terrain": reason})


def bar_bystanders(terrain: Terrain, names: Sequence[str] = ()) -> str:
    """Why units that nobody attacks do not fire at attackers in such a hex, "" where they may (9.601, ruling S-87)."""
    if terrain.is_clear:
        return ""
    if names:
        return (
            f"{join_words(names)}: not attacked, so they fire into clear hexes alone, not into {terrain.word} (9.601)."
        )
    return f"Units that are not attacked fire at attackers in clear hexes alone, not in {terrain.word} (9.601)."


def list_fire_lines(fire: DefensiveFire) -> Iterable[Modifier]:
    """Every line of 9.72, in its order; those of 0 among them. Terrain counts for nothing here."""
    yield from fire.list_firers()
    yield from fire.list_armour(is_waived=fire.is_waived)
    yield Modifier("Spent or pinned units fire", int(fire.spent or fire.pinned), "9.113")
    yield from _limit_pavlov(fire, fire.list_leader())
    on_river = fire.soviet_target_on_volga and not fire.target_only_river_flotilla
    yield Modifier("Soviet target on a Volga hex", -int(on_river), "11.5")
    yield from _limit_pavlov(fire, _list_own_leader(fire))
    yield Modifier(
        "Zaitsev with those who fire" if fire.sniper == 2 else "Sniper with those who fire", -fire.sniper, "16.13"
    )
    yield Modifier("Target on an enemy minefield", -int(fire.target_on_minefield), "17.23")
    yield from fire.list_other()


def _list_own_leader(fire: DefensiveFire) -> Iterable[Modifier]:
    if fire.pavlov_house_firers:
        yield Modifier("Pavlov in his house with those who fire", -2, "18.18 Pavlov")
    else:
        yield Modifier("Leader with those who fire", -int(fire.leader_with_firers), "9.72")


def _limit_pavlov(fire: DefensiveFire, lines: Iterable[Modifier]) -> Iterable[Modifier]:
    """Pavlov counts 1 where his 2 was agreed to be for attacks alone (ruling A07)."""
    for line in lines:
        is_limited = fire.pavlov == "attacks" and abs(line.value) == 2
        yield Modifier(line.name, line.value // 2, line.rule) if is_limited else line


def _list_effects(fire: DefensiveFire, shot: Shot) -> Iterable[str]:
    if fire.kind is FireKind.OPPORTUNITY and has_p(shot.result):
        yield "A unit pinned as it moves pins all others in the hex (11.11)."
    if fire.is_waived and fire.target_armored and not fire.underlined_af:
        yield "From 26 September Soviets need no underlined AF next to armour in such a hex (9.93)."


def _follow(fire: DefensiveFire, shot: Shot) -> Iterable[FollowUp]:
    cause = Cause(fire.kind.value)
    for step in shot.follow_losses(fire.leader_in_target or fire.pavlov_house_target, fire.sniper):
        is_losses = step.helper == "losses"
        yield FollowUp(step.helper, step.title, {**step.inputs, "fire": cause.value}) if is_losses else step
