"""The close combat of a sector between ledger and rules: rows become fighters, bouts become acts, effects rows.

``campaign.rules.combat`` decides; here its state is kept in ``Campaign.phase``: who has fought in this round, who
waited through the last one, what the dice did, which counts when the round is over, and a bout that one side has
gathered and the other still has to answer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from campaign.ledger.ledger import Ledger
from campaign.models import Unit
from campaign.rules.attacks import Attack, Bout, Effect, Fate, Key
from campaign.rules.combat.battle import met_in_hex, objections, present
from campaign.rules.combat.bouts import Fought, Strike, end_round, resolve, strikes_of
from campaign.rules.combat.fighters import Battle, Fighter, Role, Weapon
from campaign.rules.combat.pairing import divide, with_bound
from campaign.rules.counters import CounterKind
from campaign.rules.sides import Side
from campaign.rules.steps import Step
from campaign.rules.units import Mark, flipped
from firefight.assistant.chartbooks import of_match
from firefight.engine.board.hexes import BadHex, Hex, HexMap
from firefight.engine.charts.book import Book
from firefight.engine.rolls.dice import DieSpec
from firefight.games.combat_stalingrad.rules.close_combat import check_attack
from firefight.games.combat_stalingrad.rules.units import Kind

from . import positions

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
        existing=positions.step(ledger) is Step.EXISTING,
        fought=_keys(phase["fought"]),
        waited=_keys(phase.get("waited", ())),
    )


def met(ledger: Ledger, sector: int) -> list[list]:
    """The vehicles in whose hex an enemy ended the firefight, as the phase keeps them."""
    return sorted([side.value, number] for side, number in met_in_hex(_fighters(ledger, sector, set())))


def unmarked(ledger: Ledger) -> list[Unit]:
    """Units of the sector without a Close Combat marker, where Close Combat with an enemy is under way."""
    there = present(replace(battle_of(ledger), existing=True))
    sides = {unit.location: {mate.side for mate in there if mate.location == unit.location} for unit in there}
    drawn_in = [unit for unit in there if not unit.in_cc and len(sides[unit.location]) > 1]
    return [ledger.units[unit.side][unit.key[1]] for unit in drawn_in]


def _fighters(ledger: Ledger, sector: int, met_keys: set[Key]) -> tuple[Fighter, ...]:
    hex_map = of_match(ledger.match)["map"].hexes
    return tuple(
        fighter(ledger, unit, hex_map, (side, unit.number) in met_keys)
        for side in Side
        for unit in positions.fighters(ledger, side, sector)
    )


def fighter(ledger: Ledger, unit: Unit, hex_map: HexMap, is_met: bool) -> Fighter:
    """A unit as close combat sees it. A counter whose CCV nobody knows fights with 0."""
    counter, marks = ledger.counter(unit), frozenset(unit.marks)
    kind, values = _kind_now(counter.kind, marks), (counter.ccv or 0, counter.half_ccv or 1)
    key, place = (Side(unit.side), unit.number), _read_place(unit.hex, hex_map)
    return _fighter(key, ledger.called(unit), kind, counter.key, values, marks, place, is_met)


def _kind_now(kind: CounterKind, marks: frozenset[str]) -> Kind:
    if kind is CounterKind.SQUAD and Mark.REDUCED in marks:
        return Kind.HALF_SQUAD
    return Kind.WOUNDED_LEADER if kind is CounterKind.LEADER and Mark.WOUNDED in marks else _KINDS[kind]


@lru_cache(maxsize=2_000)
def _fighter(
    key: Key, name: str, kind: Kind, counter: str, values: tuple[int, int], marks: frozenset[str],
    place: tuple[Hex | None, int], is_met: bool,
) -> Fighter:  # fmt: skip
    """The same for the same values: a battle is drawn up anew for each question, and most of it has not changed."""
    ccv, half = values
    return Fighter(
        key=key,
        name=name,
        kind=kind,
        ccv=half if kind is Kind.HALF_SQUAD else ccv,
        half_ccv=half if kind is Kind.SQUAD else None,
        hex=place[0],
        role=Role(counter) if kind in (Kind.LEADER, Kind.WOUNDED_LEADER) else Role.NONE,
        weapon=Weapon(counter) if counter in set(Weapon) else Weapon.NONE,
        disrupted=not marks.isdisjoint((Mark.DISRUPTED, Mark.WIA)),
        m_killed=Mark.M_KILLED in marks,
        in_cc=Mark.CLOSE_COMBAT in marks,
        enemy_in_hex=is_met,
        level=place[1],
    )


def _read_place(text: str, hex_map: HexMap) -> tuple[Hex | None, int]:
    """The hex and the level that a row notes, such as "K7" or "K7/1"."""
    name, _, level = text.partition("/")
    try:
        return (hex_map.parse(name), int(level or 0)) if name else (None, 0)
    except (BadHex, ValueError):
        return None, 0


# Bouts


_MISSES = 100


def specs_of(bout: Bout, battle: Battle, charts: Book, faces: Mapping[str, int] | None = None) -> list[DieSpec]:
    """The dice of a bout: of its attacks, as far as their odds need any, and of the hits that these faces bring."""
    typed = faces or {}
    found: dict[str, DieSpec] = {}
    while True:
        # An attack that has not been typed is taken to miss, so that no hits come from it.
        attacks = {name: typed.get(name, _MISSES) for name, spec in found.items() if spec.sides == 100}
        fresh = {spec.name: spec for spec in resolve(bout, battle, charts, attacks).needs if spec.name not in found}
        if not fresh:
            return list(found.values())
        found |= fresh


def check_reach(bout: Bout, battle: Battle, charts: Book) -> None:
    """Raise MissingChart if a die of the bout could need a blank cell, whatever the others show.

    Each attack reads the table by its own die; who is hit is read off no chart.
    """
    for strike in strikes_of(bout, battle, charts, {}):
        check_attack(charts, strike.roll)


def names_of(battle: Battle, keys: Iterable[Key]) -> str:
    """Units of a battle in words."""
    return ", ".join(unit.name for unit in battle.of(keys))


def describe_bout(fought: Fought, battle: Battle) -> str:
    """A bout in a sentence or more: who against whom, what each attack came to."""
    attackers, defenders = (names_of(battle, keys) for keys in (fought.bout.attackers, fought.bout.defenders))
    names = {unit.key: unit.name for unit in battle.fighters}
    effects = ", ".join(f"{names[effect.key]} {effect.fate.word}" for effect in fought.effects)
    ends = f"After the round: {effects}." if effects else "Nothing happens."
    attacks = " ".join(describe_strike(strike, fought, battle) for strike in fought.strikes)
    return f"{attackers} against {defenders}. {attacks} {ends}"


def describe_strike(strike: Strike, fought: Fought, battle: Battle) -> str:
    """One attack in a sentence. Who attacks whom is said where a side has divided its attacks."""
    own = [other for other in fought.strikes if other.attack.side is strike.attack.side]
    answer = "In return: " if strike.attack.side is not fought.bout.attackers[0][0] and strike is own[0] else ""
    everybody = {*fought.bout.of_side(strike.attack.side), *fought.bout.of_side(strike.attack.side.other)}
    is_divided = {*strike.attack.by, *(unit.key for unit in strike.struck)} != everybody
    return f"{answer}{f'{describe_attack(strike.attack, battle)}: ' if is_divided else ''}{strike.roll.headline}"


def describe_attack(attack: Attack, battle: Battle) -> str:
    """Who attacks whom, in words."""
    return f"{names_of(battle, attack.by)} on {names_of(battle, attack.on)}"


def keep(ledger: Ledger, battle: Battle, fought: Fought) -> Battle:
    """Note a bout in the phase; returns the battle with those who fought in it marked."""
    phase = ledger.campaign.phase
    done = [*phase["fought"], *(_plain(key) for key in fought.bout.keys)]
    effects = [*phase["effects"], *([*_plain(effect.key), effect.fate.value] for effect in fought.effects)]
    ledger.campaign.phase = {**phase, "fought": done, "effects": effects, "gathered": None}
    return replace(battle, fought=battle.fought | set(fought.bout.keys))


def _plain(key: Key) -> list:
    return [key[0].value, key[1]]


def _keys(rows: Iterable[Iterable]) -> frozenset[Key]:
    return frozenset(_key(row) for row in rows)


def _key(row: Iterable) -> Key:
    side, number = row
    return Side(side), number


# A bout that waits for the other side's attacks


def gather(ledger: Ledger, bout: Bout, side: Side) -> None:
    """Note a bout with one side's attacks; the other side divides its own next (19.2.1, A-44)."""
    ledger.campaign.phase = {**ledger.campaign.phase, "gathered": {"side": side.value, **_plain_bout(bout)}}


def gathered(ledger: Ledger) -> tuple[Side, Bout] | None:
    """The bout that waits for an answer and the side that gathered it, if there is one."""
    plain = ledger.campaign.phase.get("gathered")
    return (Side(plain["side"]), _read_bout(plain)) if plain else None


def can_go_on(ledger: Ledger) -> bool:
    """Whether a bout that waits for its answer, if there is one, is legal in this phase."""
    plain = ledger.campaign.phase.get("gathered")
    if not plain:
        return True
    if positions.step(ledger) not in (Step.EXISTING, Step.BATTLE) or not all(all(pair) for pair in plain["attacks"]):
        return False
    battle, (side, bout) = battle_of(ledger), (Side(plain["side"]), _read_bout(plain))
    named = {*bout.keys, *(key for attack in bout.attacks or () for key in (*attack.by, *attack.on))}
    if named - {unit.key for unit in battle.fighters} or not (bout.attackers and bout.defenders):
        return False
    answered = with_bound(divide(bout, battle, (side.other,)), side, battle)
    return not objections(answered, battle) and all(attack.side is side for attack in bout.attacks or ())


def _plain_bout(bout: Bout) -> dict[str, Any]:
    return {
        "attackers": [_plain(key) for key in bout.attackers],
        "defenders": [_plain(key) for key in bout.defenders],
        "attacks": [[[_plain(k) for k in keys] for keys in (attack.by, attack.on)] for attack in bout.attacks or ()],
        "hand_to_hand": bout.hand_to_hand,
        "from_cover": sorted(bout.from_cover),
        "in_open": sorted(bout.in_open),
        "by_value": sorted(_plain(key) for key in bout.by_value),
        "riders": sorted(_plain(key) for key in bout.riders),
        "escorts": [[_plain(key) for key in pair] for pair in bout.escorts],
    }


def _read_bout(plain: Mapping[str, Any]) -> Bout:
    attackers, defenders = (tuple(_key(row) for row in plain[name]) for name in ("attackers", "defenders"))
    return Bout(
        attackers,
        defenders,
        tuple(Attack(*(tuple(_key(row) for row in rows) for rows in pair)) for pair in plain["attacks"]),
        hand_to_hand=plain["hand_to_hand"],
        from_cover=frozenset(map(Side, plain["from_cover"])),
        in_open=frozenset(map(Side, plain["in_open"])),
        by_value=_keys(plain["by_value"]),
        riders=_keys(plain["riders"]),
        escorts=tuple((_key(leader), _key(escort)) for leader, escort in plain["escorts"]),
    )


# The end of a round


def close_round(ledger: Ledger, battle: Battle) -> list[tuple[Unit, str]]:
    """The round is over: what its dice did happens at once (19.2.1 step 3). Returns the units hit, and how.

    ``battle``: with all marked who fought in the round.
    """
    phase = ledger.campaign.phase
    effects = [Effect((Side(side), number), Fate(fate)) for side, number, fate in phase["effects"]]
    following = end_round(battle, effects)
    after = {unit.key: unit for unit in following.fighters}
    changed = []
    for old in battle.fighters:
        unit = ledger.units[old.key[0]][old.key[1]]
        new = after.get(old.key)
        if new == old:
            continue
        changed.append((unit, _apply(unit, old, new)))
    waited = sorted(_plain(key) for key in following.waited) if not battle.existing else []
    fresh = {"fought": [], "effects": [], "waited": waited, "round": phase["round"] + 1, "gathered": None}
    ledger.campaign.phase = {**phase, **fresh}
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
