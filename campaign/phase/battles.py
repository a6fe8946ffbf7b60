"""The close combat of a sector between ledger and rules: rows become fighters, what the dice did becomes rows.

``campaign.rules.combat`` decides, ``campaign.rules.phase`` holds how far a round has come.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from campaign.ledger.ledger import Ledger
from campaign.models import Unit
from campaign.rules.combat.answers import can_be_answered
from campaign.rules.combat.battle import find_drawn_in, met_in_hex
from campaign.rules.steps import Step
from campaign.rules.units import LEVELS
from firefight.engine.board.hexes import BadHex, Hex, HexMap
from firefight.engine.charts.book import Book
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.modifiers import total
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.close_combat import check_attack
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack, Bout, Key
from firefight.games.combat_stalingrad.rules.melee.bouts import Fought, Strike, end_round, fight_bout, strikes_of
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle, Fighter, make_fighter, marks_after_round
from firefight.games.combat_stalingrad.rules.sides import Side

from . import lookups


def battle_of(ledger: Ledger) -> Battle:
    """The battle for the sector that is fought out now. Raises ValueError if none is."""
    phase = ledger.phase
    if phase.sector is None:
        raise ValueError("No sector is fought out now.")
    hex_map = of_match(ledger.match)["map"].hexes
    return Battle(
        attacker=Side(ledger.campaign.attacker),
        fighters=_fighters(ledger, phase.sector, hex_map, set(phase.met)),
        hex_map=hex_map,
        stacking=ledger.content.sector_map.stacking,
        existing=phase.step is Step.EXISTING,
        fought=frozenset(phase.fought),
        waited=frozenset(phase.waited),
    )


def find_met_vehicles(ledger: Ledger, sector: int) -> list[Key]:
    """The vehicles of a sector in whose hex an enemy ended the firefight."""
    hex_map = of_match(ledger.match)["map"].hexes
    return sorted(met_in_hex(_fighters(ledger, sector, hex_map, set())))


def list_unmarked(ledger: Ledger) -> list[Unit]:
    """Units of the sector without a Close Combat marker, where Close Combat with an enemy is under way."""
    drawn_in = find_drawn_in(replace(battle_of(ledger), existing=True))
    return [lookups.find_unit(ledger, unit.key) for unit in drawn_in]


def _fighters(ledger: Ledger, sector: int, hex_map: HexMap, met_keys: set[Key]) -> tuple[Fighter, ...]:
    return tuple(
        _make_fighter(ledger, unit, hex_map, met_keys)
        for side in Side
        for unit in lookups.list_fighters(ledger, side, sector)
    )


def _make_fighter(ledger: Ledger, unit: Unit, hex_map: HexMap, met_keys: set[Key]) -> Fighter:
    key, place = lookups.unit_key(unit), _read_place(unit.hex, hex_map)
    beside = None if unit.beside is None else (key[0], unit.beside)
    return make_fighter(key, ledger.name_unit(unit), ledger.kind_of(unit), unit.marks, place, key in met_keys, beside)


def _read_place(text: str, hex_map: HexMap) -> tuple[Hex | None, int]:
    """The hex and the level that a row notes, such as "K7", "K7/1", "K7/cellar" or "K7/roof"."""
    name, _, level = text.partition("/")
    try:
        return (hex_map.parse(name), LEVELS[level] if level not in ("", "0") else 0) if name else (None, 0)
    except (BadHex, KeyError):
        return None, 0


def can_go_on(ledger: Ledger) -> bool:
    """Whether a bout that waits for its answer, if there is one, is legal in this phase."""
    phase = ledger.phase
    if phase.gathered is None:
        return True
    return phase.step in (Step.EXISTING, Step.BATTLE) and can_be_answered(phase.gathered, battle_of(ledger))


# Dice


_MISSES = 100


def specs_of(bout: Bout, battle: Battle, charts: Book, faces: Mapping[str, int] | None = None) -> list[DieSpec]:
    """The dice of a bout: for its attacks, as far as their odds need any, and for the hits that these faces bring."""
    typed = faces or {}
    specs: dict[str, DieSpec] = {}
    while True:
        # An attack that has not been typed counts as a miss, so that no hits come from it.
        attacks = {name: typed.get(name, _MISSES) for name, spec in specs.items() if spec.sides == 100}
        fresh = {spec.name: spec for spec in fight_bout(bout, battle, charts, attacks).needs if spec.name not in specs}
        if not fresh:
            return list(specs.values())
        specs |= fresh


def check_bout_reach(bout: Bout, battle: Battle, charts: Book) -> None:
    """Raise MissingChart if a die of the bout could need a blank cell, whatever the others show.

    Each attack reads the table by its own die; no chart is needed to see which units are hit.
    """
    for strike in strikes_of(bout, battle, charts, {}):
        check_attack(charts, strike.roll)


# In words


def names_of(battle: Battle, keys: Iterable[Key]) -> str:
    """Units of a battle in words."""
    return ", ".join(unit.name for unit in battle.of(keys))


def describe_bout(fought: Fought, battle: Battle) -> str:
    """A bout in a sentence or more: who against whom, and the result of each attack."""
    attackers, defenders = (names_of(battle, keys) for keys in (fought.bout.attackers, fought.bout.defenders))
    names = {unit.key: unit.name for unit in battle.fighters}
    effects = ", ".join(f"{names[effect.key]} {effect.fate.word}" for effect in fought.effects)
    ends = f"After the round: {effects}." if effects else "Nothing happens."
    attacks = " ".join(describe_strike(strike, fought, battle) for strike in fought.strikes)
    return f"{attackers} against {defenders}. {attacks} {ends}"


def describe_strike(strike: Strike, fought: Fought, battle: Battle) -> str:
    """One attack in a sentence. Who attacks whom is said where a side has divided its attacks."""
    own_strikes = [other for other in fought.strikes if other.attack.side is strike.attack.side]
    answer = "In return: " if strike.attack.side is not fought.bout.attackers[0][0] and strike is own_strikes[0] else ""
    everybody = {*fought.bout.of_side(strike.attack.side), *fought.bout.of_side(strike.attack.side.other)}
    is_divided = {*strike.attack.by, *(unit.key for unit in strike.struck)} != everybody
    return f"{answer}{f'{describe_attack(strike.attack, battle)}: ' if is_divided else ''}{strike.roll.headline}"


def describe_attack(attack: Attack, battle: Battle) -> str:
    """Who attacks whom, in words."""
    return f"{names_of(battle, attack.by)} on {names_of(battle, attack.on)}"


# Written down


def note_strikes(fought: Fought) -> dict[str, dict[str, int]]:
    """What the odds of each attack with a die depend on, by the die's name, and how many counters it hit.

    ``strength`` against ``resistance`` (19.3.1), the column ``shift`` of hand-to-hand, and the sum of DRM.
    """
    keys_hit = {effect.key for effect in fought.effects}
    return {
        strike.name: {
            "strength": strike.roll.details["attack"],
            "resistance": strike.roll.details["defense"],
            "shift": int(fought.bout.hand_to_hand),
            "drm": total(strike.roll.modifiers),
            "cost": sum(unit.key in keys_hit for unit in strike.struck),
        }
        for strike in fought.strikes
        if strike.roll.dice
    }


def note_bout(ledger: Ledger, battle: Battle, fought: Fought) -> Battle:
    """Note a bout in the phase; returns the battle with those who fought in it marked."""
    ledger.phase = ledger.phase.with_fought(fought.bout.keys, fought.effects)
    return battle.with_fought(fought.bout.keys)


def close_round(ledger: Ledger, battle: Battle) -> tuple[Battle, list[tuple[Unit, str]]]:
    """The round is over: what its dice did happens at the same time (19.2.1 step 3).

    ``battle``: with all units marked that fought in the round. Returns the battle before the next round, as
    ``battle_of`` would make it, and the units hit, and how.
    """
    following = end_round(battle, ledger.phase.effects)
    after = {unit.key: unit for unit in following.fighters}
    old_fighters = [old for old in battle.fighters if after.get(old.key) != old]
    changed = [(lookups.find_unit(ledger, old.key), old, after.get(old.key)) for old in old_fighters]
    ledger.phase = ledger.phase.at_next_round(sorted(following.waited))
    return following, [(unit, _hit_unit(unit, old, new)) for unit, old, new in changed]


def _hit_unit(unit: Unit, old: Fighter, new: Fighter | None) -> str:
    if new is None:
        unit.eliminate()
        return "eliminated"
    unit.marks, mark = marks_after_round(unit.marks, old, new)
    return mark.word
