"""The bouts of a round of Close Combat: who meets whom, the odds of each attack, how it is divided, the dice."""

from collections.abc import Iterable
from contextlib import suppress

from django.http import QueryDict

from campaign.acts.forms.reorganizing import Fight, name_key
from campaign.ledger.ledger import Ledger
from campaign.phase import advice, battles
from campaign.rules.combat.answers import complete_undivided, propose_answer
from campaign.rules.combat.battle import object_to_bout
from campaign.rules.combat.pairing import propose_bouts
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadDie, MissingChart
from firefight.engine.rolls.dice import read_face
from firefight.engine.values import Json
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.melee.attacks import Bout, Key
from firefight.games.combat_stalingrad.rules.melee.bouts import WAYS, Strike, attack_inputs, escorts_of, fight_bout
from firefight.games.combat_stalingrad.rules.melee.dividing import has_choice
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle, Fighter
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.table import Table

from .counters import CounterPicture, show_unit


def present_battle(table: Table, ledger: Ledger, posted: QueryDict) -> Json:
    """The round as the app proposes it, with the dice of each bout, and everybody who can still fight."""
    own_side = Side(table.side)
    battle, waiting = battles.battle_of(ledger), ledger.phase.gathered
    bouts = [propose_answer(waiting, battle)] if waiting else list(propose_bouts(battle))
    posted_bout = _read_posted(table, ledger, posted, battle)
    if posted_bout:
        bouts = [posted_bout, *(bout for bout in bouts if set(bout.keys) != set(posted_bout.keys))]
    free = [unit for unit in battle.fighters if unit.key not in battle.fought]
    return {
        "bouts": [
            _show_bout(table, ledger, bout, battle, posted if bout is posted_bout else None) | {"prefix": f"f{place}-"}
            for place, bout in enumerate(bouts)
        ],
        "round": ledger.phase.round,
        "answers": bool(waiting),
        "may_pair": not waiting and not battle.existing,
        "chooser_name": own_side.word,
        "other_name": own_side.other.word,
        "own_fighters": [_show_fighter(ledger, unit) for unit in free if unit.side is own_side],
        "other_fighters": [_show_fighter(ledger, unit) for unit in free if unit.side is not own_side],
    }


def _show_fighter(ledger: Ledger, unit: Fighter) -> tuple[str, str, CounterPicture]:
    return name_key(unit.key), _describe_fighter(unit), _draw(ledger, unit.key)


def _draw(ledger: Ledger, key: Key) -> CounterPicture:
    return show_unit(ledger, ledger.units[key[0]][key[1]])


def _read_posted(table: Table, ledger: Ledger, posted: QueryDict, battle: Battle) -> Bout | None:
    """The bout of a form that was refused or only previewed; the app divides it if the form did not."""
    form = Fight(posted)
    if posted.get("do") != Fight.do or not form.is_valid():
        return None
    bout: Bout = form.cleaned_data["bout"]
    if not _can_meet(bout, battle):
        return None
    waiting = ledger.phase.gathered
    if waiting and set(waiting.bout.keys) != set(bout.keys):
        return None
    return complete_undivided(bout, waiting, battle, Side(table.side), table.plays_all)


def _can_meet(bout: Bout, battle: Battle) -> bool:
    """Whether a bout names only units of this battle, each half from one side."""
    keys_named = {*bout.keys, *(key for pair in bout.escorts for key in pair)}
    if not (bout.attackers and bout.defenders) or keys_named - {unit.key for unit in battle.fighters}:
        return False
    return {key[0] for key in bout.attackers} == {bout.attackers[0][0]} and {key[0] for key in bout.defenders} == {
        bout.attackers[0][0].other
    }


def _show_bout(table: Table, ledger: Ledger, bout: Bout, battle: Battle, posted: QueryDict | None) -> Json:
    """``posted``: what was typed into the form of this bout, None if nothing was."""
    own_side, plays_all, charts = Side(table.side), table.plays_all, of_match(ledger.match)
    sides = [bout.attackers[0][0], bout.attackers[0][0].other]
    waits = not plays_all and not ledger.phase.gathered and has_choice(own_side.other, bout, battle)
    is_posted = posted is not None
    return {
        "attackers": [name_key(key) for key in bout.attackers],
        "defenders": [name_key(key) for key in bout.defenders],
        "drawn": [[_draw(ledger, key) for key in keys] for keys in (bout.attackers, bout.defenders)],
        "title": f"{battles.names_of(battle, bout.attackers)} against {battles.names_of(battle, bout.defenders)}",
        "attacks": [
            _show_attack(strike, bout, battle, charts) for strike in fight_bout(bout, battle, charts, {}).strikes
        ],
        "troubles": [str(objection) for objection in object_to_bout(bout, battle)] if is_posted else [],
        "sides": [_show_division(side, bout, battle) for side in sides if plays_all or side is own_side],
        **_list_circumstances(bout, battle, sides),
        "hand_to_hand": bout.hand_to_hand,
        "waits": waits,
        "dice": [] if waits else battles.specs_of(bout, battle, charts, _read_typed(posted) if posted else {}),
        "do": "fight" if is_posted else "another",
        "open": is_posted,
    }


def _list_circumstances(bout: Bout, battle: Battle, sides: Iterable[Side]) -> Json:
    """What a player may tick where vehicles take part: cover, AFV in the open, who is mounted."""
    units = battle.of(bout.keys)
    with_vehicles = {unit.side for unit in units if unit.is_vehicle}
    return {
        "covers": [(side, side.word, side in bout.from_cover) for side in sides if with_vehicles],
        "opens": [
            (side, side.word, side in bout.in_open) for side in sides if battle.existing and side in with_vehicles
        ],
        "riders": [
            (name_key(unit.key), unit.name, unit.key in bout.riders)
            for unit in units
            if battle.existing and with_vehicles and not unit.is_vehicle
        ],
    }


def _show_attack(strike: Strike, bout: Bout, battle: Battle, charts: Book) -> tuple[str, str, str, str]:
    shares = ""
    with suppress(MissingChart):
        shares = advice.say_odds(strike, attack_inputs(strike.attack, bout, battle), charts)
    attack = battles.describe_attack(strike.attack, battle)
    return strike.attack.side.word, attack, strike.roll.headline, shares


def _show_division(side: Side, bout: Bout, battle: Battle) -> Json:
    """How a side divides its attacks: for each unit the attack that it makes, for each enemy the one made on it."""
    attacks, escorts = bout.attacks_of(side), escorts_of(bout, battle)
    own_units, enemies = ([unit for unit in battle.of(bout.of_side(either))] for either in (side, side.other))
    mates = [unit for unit in own_units if unit.is_rank_and_file]
    makers, targets = [attack.by for attack in attacks], [attack.on for attack in attacks]
    return {
        "name": side.word,
        "numbers": range(1, min(len(own_units), len(enemies)) + 1),
        "own": [(name_key(u.key), _describe_fighter(u), _find_place(u.key, makers)) for u in own_units],
        "enemies": [
            (name_key(u.key), _describe_fighter(u), _find_place(u.key, targets))
            for u in enemies
            if u.key not in escorts
        ],
        "lenders": [(name_key(u.key), u.name, u.key in bout.by_value) for u in own_units if u.can_lend and mates],
        "leaders": [
            (name_key(u.key), u.name, [(name_key(m.key), m.name, escorts[u.key] == m.key) for m in mates])
            for u in own_units
            if u.key in escorts and len(mates) > 1
        ],
    }


def _find_place(key: Key, groups: list[tuple[Key, ...]]) -> int:
    """Which of several groups a unit is in, from 1; 0 for none."""
    return next((place for place, keys in enumerate(groups, 1) if key in keys), 0)


def _read_typed(posted: QueryDict) -> dict[str, int]:
    """The faces of a refused bout, as far as they can be read: they show which dice are still needed."""
    faces = {}
    for name in posted:
        if name.partition("_")[0] in WAYS:
            with suppress(BadDie):
                faces[name] = read_face(posted.get(name, ""), 10 if "_hit_" in name else 100, name)
    return faces


def _describe_fighter(unit: Fighter) -> str:
    place = f", {unit.hex}" if unit.hex else ""
    return f"{unit.name}, CCV {unit.ccv}{', M-KILLED' if unit.m_killed else ''}{place}"
