"""The close combat of a sector between ledger and rules: rows become fighters, bouts become acts, effects rows.

``campaign.rules.battle`` decides; here its state is kept in ``Campaign.phase``: who has fought in this round, and
what the dice did, which counts when the round is over.
"""

from collections import Counter as Tally
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from time import monotonic

from firefight.chartbooks import of_match
from firefight.engine.charts import Book
from firefight.engine.dice import DieSpec
from firefight.engine.hexes import BadHex, HexMap
from firefight.games.combat_stalingrad.close_combat import check_attack, close_combat
from firefight.games.combat_stalingrad.units import Kind

from . import ground
from .ledger import Ledger
from .models import Unit
from .rules.battle import is_over, met_in_hex
from .rules.bouts import Effect, Fate, Fought, attack_inputs, end_round, resolve
from .rules.counters import CounterKind
from .rules.fighters import Battle, Bout, Fighter, Key, Role, Weapon
from .rules.leaders import Side
from .rules.pairing import proposals
from .rules.steps import Step
from .rules.units import Mark, flipped

_KINDS = {
    CounterKind.SQUAD: Kind.SQUAD,
    CounterKind.LEADER: Kind.LEADER,
    CounterKind.SW_TEAM: Kind.SW_TEAM,
    CounterKind.GUN: Kind.CREW,
    CounterKind.VEHICLE: Kind.VEHICLE,
}


def battle_of(ledger: Ledger) -> Battle:
    """The battle for the sector that the phase stands at."""
    phase = ledger.campaign.phase
    return Battle(
        attacker=Side(ledger.campaign.attacker),
        fighters=_fighters(ledger, phase["sector"], {(Side(side), number) for side, number in phase["met"]}),
        hex_map=of_match(ledger.match)["map"].hexes,
        stacking=ledger.content.sector_map.stacking,
        existing=ground.step(ledger) is Step.EXISTING,
        fought=frozenset((Side(side), number) for side, number in phase["fought"]),
    )


def met(ledger: Ledger, sector: int) -> list[list]:
    """The vehicles in whose hex an enemy ended the firefight, as the phase keeps them."""
    return sorted([side.value, number] for side, number in met_in_hex(_fighters(ledger, sector, set())))


def _fighters(ledger: Ledger, sector: int, met_keys: set[Key]) -> tuple[Fighter, ...]:
    hex_map = of_match(ledger.match)["map"].hexes
    return tuple(
        fighter(ledger, unit, hex_map, (side, unit.number) in met_keys)
        for side in Side
        for unit in ground.fighters(ledger, side, sector)
    )


def fighter(ledger: Ledger, unit: Unit, hex_map: HexMap, is_met: bool) -> Fighter:
    """A unit as close combat sees it. A counter whose CCV nobody knows fights with 0."""
    counter = ledger.counter(unit)
    kind = _KINDS[counter.kind]
    ccv, half = counter.ccv or 0, None
    if kind is Kind.SQUAD:
        half = counter.half_ccv or 1
        if Mark.REDUCED in unit.marks:
            kind, ccv, half = Kind.HALF_SQUAD, half, None
    elif kind is Kind.LEADER and Mark.WOUNDED in unit.marks:
        kind = Kind.WOUNDED_LEADER
    return Fighter(
        key=(Side(unit.side), unit.number),
        name=ledger.called(unit),
        kind=kind,
        ccv=ccv,
        half_ccv=half,
        hex=_hex(unit.hex, hex_map),
        role=Role(counter.key) if counter.kind is CounterKind.LEADER else Role.NONE,
        weapon=Weapon(counter.key) if counter.key in set(Weapon) else Weapon.NONE,
        disrupted=bool({Mark.DISRUPTED, Mark.WIA} & set(unit.marks)),
        m_killed=Mark.M_KILLED in unit.marks,
        in_cc=Mark.CLOSE_COMBAT in unit.marks,
        enemy_in_hex=is_met,
    )


def _hex(text: str, hex_map: HexMap):
    try:
        return hex_map.parse(text) if text else None
    except BadHex:
        return None


# Bouts


_MISSES = 100
# The dice of both attacks, each with the other.
_WAYS = {"attack": "defense", "defense": "attack"}


def specs_of(bout: Bout, battle: Battle, charts: Book, faces: Mapping[str, int] | None = None) -> list[DieSpec]:
    """The dice of a bout: of both attacks, as far as its odds need any, and of the hits that these faces bring."""
    typed = faces or {}
    found: dict[str, DieSpec] = {}
    while True:
        # An attack that has not been typed is taken to miss, so that no hits come from it.
        attacks = {name: typed.get(name, _MISSES) for name in found if name in _WAYS}
        fresh = {spec.name: spec for spec in resolve(bout, battle, charts, attacks).needs if spec.name not in found}
        if not fresh:
            return list(found.values())
        found |= fresh


def check_reach(bout: Bout, battle: Battle, charts: Book) -> None:
    """Raise MissingChart if a die of the bout could need a blank cell, whatever the others show.

    Each attack reads the table by its own die; who is hit is read off no chart.
    """
    for side in Side:
        check_attack(charts, close_combat(charts=charts, **attack_inputs(bout, battle, side)))


def names_of(battle: Battle, keys: Iterable[Key]) -> str:
    """Units of a battle in words."""
    return ", ".join(unit.name for unit in battle.of(keys))


def told(fought: Fought, battle: Battle) -> str:
    """A bout in a sentence: who against whom, what both attacks came to."""
    attackers, defenders = (names_of(battle, keys) for keys in (fought.bout.attackers, fought.bout.defenders))
    names = {unit.key: unit.name for unit in battle.fighters}
    effects = ", ".join(f"{names[effect.key]} {effect.fate.word}" for effect in fought.effects)
    ends = f"After the round: {effects}." if effects else "Nothing happens."
    return f"{attackers} against {defenders}. {fought.attack.headline} In return: {fought.defense.headline} {ends}"


def keep(ledger: Ledger, battle: Battle, fought: Fought) -> Battle:
    """Note a bout in the phase; returns the battle with those who fought in it marked."""
    phase = ledger.campaign.phase
    done = [*phase["fought"], *(_plain(key) for key in fought.bout.keys)]
    effects = [*phase["effects"], *([*_plain(effect.key), effect.fate.value] for effect in fought.effects)]
    ledger.campaign.phase = {**phase, "fought": done, "effects": effects}
    return replace(battle, fought=battle.fought | set(fought.bout.keys))


def _plain(key: Key) -> list:
    return [key[0].value, key[1]]


def close_round(ledger: Ledger) -> list[tuple[Unit, str]]:
    """The round is over: what its dice did happens at once (19.2.1 step 3). Returns the units hit, and how."""
    phase = ledger.campaign.phase
    battle = battle_of(ledger)
    effects = [Effect((Side(side), number), Fate(fate)) for side, number, fate in phase["effects"]]
    after = {unit.key: unit for unit in end_round(battle, effects).fighters}
    changed = []
    for old in battle.fighters:
        unit = ledger.units[old.key[0]][old.key[1]]
        new = after.get(old.key)
        if new == old:
            continue
        changed.append((unit, _apply(unit, old, new)))
    ledger.campaign.phase = {**phase, "fought": [], "effects": [], "round": phase["round"] + 1}
    return changed


def _apply(unit: Unit, old: Fighter, new: Fighter | None) -> str:
    if new is None:
        unit.fate, unit.sector, unit.home, unit.hex, unit.hidden = Unit.Fate.ELIMINATED, None, None, "", False
        return "eliminated"
    mark = next(
        mark
        for mark, is_so in (
            (Mark.M_KILLED, new.m_killed and not old.m_killed),
            (Mark.REDUCED, new.kind is Kind.HALF_SQUAD),
            (Mark.WOUNDED, new.kind is Kind.WOUNDED_LEADER),
        )
        if is_so
    )
    unit.marks = [*unit.marks, mark.value] if mark is Mark.M_KILLED else flipped(unit.marks, mark)
    return mark.word


# What to expect


@dataclass(frozen=True, slots=True)
class Outlook:
    """The chances of a sector's close combat if everybody in it stays: by unit, and of each side to hold it.

    ``games`` battles were fought with dice of a fixed seed, none if the shares are exact; ``margin``: how far off a
    share may be, in 95 of 100.
    """

    survives: dict[Key, float]
    holds: dict[Side, float]
    games: int

    @property
    def margin(self) -> float:
        """Half of the interval around a share near one half, the widest one."""
        return 0.98 / self.games**0.5 if self.games else 0

    @property
    def told(self) -> str:
        """How these shares were found, and how sure they are."""
        if not self.games:
            return "Staying is exact."
        off = round(100 * self.margin)
        return (
            f"Staying is simulated, {self.games} battles with the app's pairings; a share may be off by {off} points."
        )


MOST_ROUNDS = 400


def outlook(ledger: Ledger, seconds: float = 0.6, most_games: int = 1000) -> Outlook | None:
    """What comes of the sector's close combat as the app would pair it. None if it is settled.

    One unit against one is worked out exactly; more is simulated, within so many seconds.
    """
    start = replace(battle_of(ledger), existing=False, fought=frozenset())
    if is_over(start):
        return None
    charts = of_match(ledger.match)
    if len(start.fighters) == 2:
        return _outlook(start, _ends(start, charts), 0)
    random = Random(f"{ledger.match.pk} {ledger.campaign.phase['sector']}")
    deadline = monotonic() + seconds
    ends: Tally[frozenset[Key]] = Tally()
    while (games := ends.total()) < most_games and (not games or monotonic() < deadline):
        ends[frozenset(unit.key for unit in _fight_to_the_end(start, charts, random))] += 1
    return _outlook(start, {end: number / games for end, number in ends.items()}, games)


def _outlook(start: Battle, ends: Mapping[frozenset[Key], float], games: int) -> Outlook:
    """The shares of the ends, each by who is left in it, as those of units and of sides that are left alone."""
    return Outlook(
        {unit.key: sum(share for end, share in ends.items() if unit.key in end) for unit in start.fighters},
        {side: sum(share for end, share in ends.items() if {key[0] for key in end} == {side}) for side in Side},
        games,
    )


def _ends(battle: Battle, charts: Book) -> dict[frozenset[Key], float]:
    """Who is left of one unit against one, and how likely: units only ever get worse, or a round changes nothing."""
    everybody = frozenset(unit.key for unit in battle.fighters)
    if is_over(battle):
        return {everybody: 1}
    (bout,) = proposals(battle)
    ends: Tally[frozenset[Key]] = Tally()
    unchanged = 0.0
    for (one, share), (two, other) in product(*(_fates(bout, battle, charts, way).items() for way in _WAYS)):
        following = end_round(battle, (*one, *two))
        if following == battle:
            unchanged += share * other
        else:
            for end, portion in _ends(following, charts).items():
                ends[end] += share * other * portion
    return {end: share / (1 - unchanged) for end, share in ends.items()} or {everybody: 1}


def _fates(bout: Bout, battle: Battle, charts: Book, way: str) -> dict[tuple[Effect, ...], float]:
    """What the die of one attack does to its single enemy, and how likely."""
    (struck,) = bout.defenders if way == "attack" else bout.attackers
    found: Tally[tuple[Effect, ...]] = Tally()
    for face in range(1, 101):
        effects = resolve(bout, battle, charts, {way: face, _WAYS[way]: _MISSES}).effects
        found[tuple(effect for effect in effects if effect.key == struck)] += 1
    return {effects: number / 100 for effects, number in found.items()}


def _fight_to_the_end(battle: Battle, charts: Book, random: Random) -> Iterable[Fighter]:
    for _ in range(MOST_ROUNDS):
        if is_over(battle):
            break
        effects: list[Effect] = []
        for bout in proposals(battle):
            faces: dict[str, int] = {}
            while (fought := resolve(bout, battle, charts, faces)).needs:
                faces |= {spec.name: random.randint(1, spec.sides) for spec in fought.needs}
            effects += fought.effects
        battle = end_round(battle, effects)
    return battle.fighters
