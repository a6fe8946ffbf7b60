"""The page of the Reorganization Phase after a firefight: where it stands, and what the browser's side decides."""

import math
from contextlib import suppress
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign.acts import reorganizing
from campaign.acts.playing import IN_PLAY_ONLY, News
from campaign.ledger.ledger import Ledger
from campaign.models import Unit
from campaign.phase import advice, battles, conductor, outlooks, positions
from campaign.presenters import display
from campaign.rules import mines
from campaign.rules.battle import objections
from campaign.rules.bouts import WAYS, Strike, attack_inputs, escorts_of, resolve
from campaign.rules.fighters import Battle, Bout, Key
from campaign.rules.forecast import Outlook
from campaign.rules.leaders import Side
from campaign.rules.pairing import has_choice, proposals
from campaign.rules.stages import Stage
from campaign.rules.steps import FINAL_STEPS, Step
from campaign.rules.units import Mark
from firefight.assistant import reminders
from firefight.assistant.chartbooks import of_match
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadDie, MissingChart, RuleError
from firefight.engine.rolls.dice import DieSpec, read_face
from firefight.table import log
from firefight.table.acts import BadField
from firefight.table.seats import Table
from firefight.table.views.match import sitting

from .acts import Post, name_key, read_bout
from .ledger import Drawn, known_ledger, ledger_page

RECENT = 3


@ledger_page
def reorganization(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """The step of the phase."""
    if ledger.stage is not Stage.REORGANIZATION:
        return "campaign/no_reorganization.html", {"recent": _recent(table)}
    step, own = positions.step(ledger), Side(table.side) if table.plays else None
    deciders = conductor.deciders(ledger)
    decides = own in deciders and not table.match.ended
    ctx = {
        "step": step,
        "sector": ledger.campaign.phase["sector"],
        "survivors_of": ledger.campaign.phase.get("survivors_of") if step in FINAL_STEPS else None,
        "phase_steps": _ladder(step),
        "fought_over": _sectors(ledger),
        "waits_for": _waits_for(ledger, deciders, own),
        "decides": decides,
        "hurry": _hurry(ledger),
        "recent": _recent(table),
        "reminders": reminders.for_phase(table.match.game, "reorganization"),
    }
    if step in reorganizing.LEAVING or step in reorganizing.FIGHTING:
        ctx |= _odds(ledger, outlooks.find(ledger), own)
    if decides and step in reorganizing.FIGHTING:
        ctx |= _battle(Post(request, table, ledger), own)
    elif decides:
        ctx |= _SHOWN[step](request, ledger, own)
    return "campaign/reorganization.html", ctx


def _recent(table: Table) -> list[log.LogLine]:
    return log.newest_lines(table.match, table.sees)[:RECENT]


def _ladder(here: Step) -> list[tuple[Step, str]]:
    order = list(Step)
    place = order.index(here)
    return [(each, "done" if n < place else "now" if n == place else "next") for n, each in enumerate(order)]


def _sectors(ledger: Ledger) -> list[tuple[int, str]]:
    phase = ledger.campaign.phase
    found = []
    for sector in phase["fought_over"]:
        is_open = positions.is_contested(ledger, sector)
        found.append((sector, "now" if sector == phase["sector"] else "next" if is_open else "done"))
    return found


def _waits_for(ledger: Ledger, deciders: list[Side], own: Side | None) -> str:
    names = " and ".join("your side" if side is own else f"the {display.name_of(side)}" for side in deciders)
    return f"Waiting for {names}." if names else "Nobody has to decide."


def _hurry(ledger: Ledger) -> str:
    asked = ledger.campaign.phase.get("hurry")
    return f"The {display.name_of(asked['side'])} asks to resolve the rest of the {asked['how_far']}." if asked else ""


def _after_action(request: HttpRequest, ledger: Ledger, own: Side) -> dict[str, Any]:
    units = [unit for unit in ledger.in_play(own) if ledger.sets_up(unit)]
    news = [each for each in News if each is not News.SHOW and each not in IN_PLAY_ONLY]
    return {
        "units": display.parties(ledger, units),
        "news": [(each.value, each.word) for each in news],
        "random_hex": ledger.random_hex,
        "doubts": doubts(ledger),
    }


def doubts(ledger: Ledger) -> list[str]:
    """What both sides have told does not fit together: close combat with nobody there, as far as is known."""
    found = []
    for side in Side:
        (other,) = (each for each in Side if each is not side)
        for unit in ledger.in_play(side):
            if Mark.CLOSE_COMBAT not in unit.marks or unit.sector is None:
                continue
            enemies = positions.fighters(ledger, other, unit.sector)
            if not any(Mark.CLOSE_COMBAT in enemy.marks and enemy.hex == unit.hex for enemy in enemies):
                place = f"hex {unit.hex} of sector {unit.sector}" if unit.hex else f"sector {unit.sector}"
                who = f"{display.name_of(side)}: {ledger.called(unit)}"
                found.append(f"{who} is in close combat in {place}, but no {display.name_of(other)} unit is.")
    return list(dict.fromkeys(found))


def _leaving(request: HttpRequest, ledger: Ledger, own: Side) -> dict[str, Any]:
    posted = request.POST
    rows = []
    for unit, goals in reorganizing.candidates(ledger, own):
        name = reorganizing.die_of(unit.number)
        wanted = posted.get(f"to_{unit.number}", "")
        rows.append(
            {
                "unit": unit,
                "name": ledger.called(unit),
                "marks": display.marks_of(unit),
                "goals": [_goal(ledger, unit, sector, holding, wanted) for sector, holding in goals.items()],
                "typed": posted.get(name, ""),
                "hex": posted.get(f"hex_{unit.number}", ""),
                "needs": bool(wanted) and not posted.get(name),
            }
        )
    is_final = positions.step(ledger) in reorganizing.LEAVING_FINALLY
    if is_final:
        return {"leaving": rows, "is_final": True}
    return {"leaving": rows, "in_step_2": True, "mines": _mines(request, ledger, own)}


def _mines(request: HttpRequest, ledger: Ledger, own: Side) -> dict[str, Any] | None:
    """The form of a mine attack: whom the mines have yet to attack, and the dice as far as they are known."""
    waiting = reorganizing.mined(ledger, own)
    if not waiting:
        return None
    is_posted = request.POST.get("do") == "mines"
    ticked = request.POST.getlist("unit") if is_posted else []
    known = mines.known_factors(of_match(ledger.match))
    hexes = [unit.hex for unit, is_sure in waiting if is_sure]
    return {
        "units": [
            {
                "number": unit.number,
                "name": ledger.called(unit),
                "place": unit.hex,
                "is_sure": is_sure,
                "ticked": str(unit.number) in ticked if is_posted else is_sure and unit.hex == hexes[0],
            }
            for unit, is_sure in waiting
        ],
        "must": bool(hexes),
        "factors": request.POST.get("factors", "") if is_posted else known or "",
        "drm": request.POST.get("drm", "") if is_posted else "",
        "dice": _mine_dice(request, ledger, [unit for unit, _ in waiting if str(unit.number) in ticked]),
    }


def _mine_dice(request: HttpRequest, ledger: Ledger, units: list[Unit]) -> list[DieSpec]:
    """Those that what was typed asks for; to begin with the one of the mines."""
    faces = {}
    for name, text in request.POST.items():
        if name == mines.DIE.name or name.startswith(("hit_", "check_")):
            with suppress(BadDie):
                faces[name] = read_face(text, mines.DIE.sides if name == mines.DIE.name else 10, name)
    with suppress(ValueError, RuleError):
        factors, drm = int(request.POST.get("factors", "")), int(request.POST.get("drm") or 0)
        return reorganizing.mine_dice(ledger, units, factors, drm, faces)
    return [mines.DIE]


def _odds(ledger: Ledger, outlook: Outlook | None, own: Side | None) -> dict[str, Any]:
    """What close combat comes to, if everybody stays: for the sector, and for each unit."""
    is_open = outlooks.position_of(ledger) is not None
    if outlook is None:
        return {"asks_odds": is_open}
    units = [(key, share) for key, share in outlook.survives.items() if own is None or key[0] is own]
    return {
        "asks_odds": is_open,
        "odds": {
            "holds": [(display.name_of(side), round(100 * share)) for side, share in outlook.holds.items()],
            "units": [(_name(ledger, key), round(100 * share)) for key, share in units],
            "games": outlook.games,
            "margin": math.ceil(100 * outlook.margin),
        },
    }


def _name(ledger: Ledger, key: Key) -> str:
    return ledger.called(ledger.units[key[0]][key[1]])


@require_GET
@sitting
def outlook(request: HttpRequest, table: Table) -> HttpResponse:
    """The odds of holding the sector: worked on for a moment, and asked for again until they are there."""
    ledger = known_ledger(table)
    ctx: dict[str, Any] = {"match": table.match, "alone": not request.htmx}
    if ledger.stage is Stage.REORGANIZATION:
        try:
            progress = outlooks.work_out(ledger)
        except MissingChart as error:
            ctx["lacks"] = str(error)
        else:
            own = Side(table.side) if table.plays else None
            ctx |= _odds(ledger, progress.outlook if progress else None, own) | {"progress": progress}
    return render(request, "campaign/_outlook.html" if request.htmx else "campaign/outlook.html", ctx)


def _goal(ledger: Ledger, unit: Unit, sector: int, holding, wanted: str) -> dict[str, Any]:
    into = reorganizing.goal_of(holding)
    return {
        "sector": sector,
        "word": holding.word,
        "odds": advice.chances(ledger, unit, reorganizing.rolls_as(ledger, unit), into),
        "chosen": wanted == str(sector),
    }


def _upkeep(request: HttpRequest, ledger: Ledger, own: Side) -> dict[str, Any]:
    due = positions.damaged(ledger, own)
    return {
        "dice": [reorganizing.upkeep_die(ledger, unit, damage) for unit, damage in due],
        "nests": [(group, group.building) for group in positions.nests(ledger, own)],
    }


def _battle(post: Post, own: Side) -> dict[str, Any]:
    """The round as the app proposes it, with the dice of each bout, and everybody who can still fight."""
    ledger, plays_all = post.ledger, post.table.plays_all
    battle, charts = battles.battle_of(ledger), of_match(ledger.match)
    waiting = battles.gathered(ledger)
    bouts = [reorganizing.propose_answer(waiting, battle)] if waiting else list(proposals(battle))
    posted = _posted_bout(post, battle)
    if posted:
        same = [place for place, bout in enumerate(bouts) if set(bout.keys) == set(posted.keys)]
        bouts = [posted, *(bout for place, bout in enumerate(bouts) if place not in same)]
    free = [unit for unit in battle.fighters if unit.key not in battle.fought]
    return {
        "bouts": [_shown_bout(post, bout, battle, charts, place, bout is posted) for place, bout in enumerate(bouts)],
        "round": ledger.campaign.phase["round"],
        "answers": bool(waiting),
        "is_existing": battle.existing,
        "decides_alone": plays_all,
        "chooser_name": display.name_of(own),
        "other_name": display.name_of(own.other),
        "own_fighters": [(name_key(unit.key), _told(unit)) for unit in free if unit.side is own],
        "other_fighters": [(name_key(unit.key), _told(unit)) for unit in free if unit.side is not own],
        "stacking": ledger.content.sector_map.stacking,
    }


def _posted_bout(post: Post, battle: Battle) -> Bout | None:
    """The bout of a form that was refused, or only looked at; as the app divides it, if the form did not."""
    if post.request.POST.get("do") != "fight":
        return None
    with suppress(BadField):
        bout = read_bout(post)
        known = {unit.key for unit in battle.fighters}
        named = {*bout.keys, *(key for pair in bout.escorts for key in pair)}
        if not (bout.attackers and bout.defenders) or named - known or len({key[0] for key in bout.attackers}) > 1:
            return None
        if {key[0] for key in bout.defenders} != {bout.attackers[0][0].other}:
            return None
        waiting = battles.gathered(post.ledger)
        if waiting and set(waiting[1].keys) != set(bout.keys):
            return None
        return reorganizing.complete(bout, waiting, battle, Side(post.table.side), post.table.plays_all)
    return None


def _shown_bout(post: Post, bout: Bout, battle: Battle, charts: Book, place: int, is_posted: bool) -> dict[str, Any]:
    own, plays_all = Side(post.table.side), post.table.plays_all
    fought = resolve(bout, battle, charts, {})
    sides = [bout.attackers[0][0], bout.attackers[0][0].other]
    units = battle.of(bout.keys)
    has_vehicle = any(unit.is_vehicle for unit in units)
    waits = not plays_all and not battles.gathered(post.ledger) and has_choice(own.other, bout, battle)
    return {
        "attackers": [name_key(key) for key in bout.attackers],
        "defenders": [name_key(key) for key in bout.defenders],
        "told": f"{battles.names_of(battle, bout.attackers)} against {battles.names_of(battle, bout.defenders)}",
        "attacks": [
            (
                display.name_of(strike.attack.side),
                battles.describe_attack(strike.attack, battle),
                strike.roll.headline,
                _say_odds(strike, bout, battle, charts),
            )
            for strike in fought.strikes
        ],
        "troubles": [f"{each.message} ({each.rule})" for each in objections(bout, battle)] if is_posted else [],
        "sides": [_shown_side(side, bout, battle) for side in sides if plays_all or side is own],
        "covers": [(side, display.name_of(side), side in bout.from_cover) for side in sides if has_vehicle],
        "opens": [
            (side, display.name_of(side), side in bout.in_open)
            for side in sides
            if battle.existing and any(unit.is_vehicle and unit.side is side for unit in units)
        ],
        "riders": [
            (name_key(unit.key), unit.name, unit.key in bout.riders)
            for unit in units
            if battle.existing and has_vehicle and not unit.is_vehicle
        ],
        "hand_to_hand": bout.hand_to_hand,
        "waits": waits,
        "dice": [] if waits else battles.specs_of(bout, battle, charts, _typed(post.request) if is_posted else {}),
        "do": "fight" if is_posted else "another",
        "open": is_posted,
        "prefix": f"f{place}-",
    }


def _say_odds(strike: Strike, bout: Bout, battle: Battle, charts: Book) -> str:
    with suppress(MissingChart):
        return advice.say_odds(strike, attack_inputs(strike.attack, bout, battle), charts)
    return ""


def _shown_side(side: Side, bout: Bout, battle: Battle) -> dict[str, Any]:
    """How a side divides its attacks: of each unit the attack that it makes, of each enemy the one made on it."""
    attacks, escorts = bout.attacks_of(side), escorts_of(bout, battle)
    own, enemies = ([unit for unit in battle.of(bout.of_side(each))] for each in (side, side.other))
    mates = [unit for unit in own if unit.is_rank_and_file]
    return {
        "name": display.name_of(side),
        "numbers": range(1, min(len(own), len(enemies)) + 1),
        "own": [(name_key(u.key), _told(u), _place(u.key, [attack.by for attack in attacks])) for u in own],
        "enemies": [
            (name_key(u.key), _told(u), _place(u.key, [attack.on for attack in attacks]))
            for u in enemies
            if u.key not in escorts
        ],
        "lenders": [(name_key(u.key), u.name, u.key in bout.by_value) for u in own if u.can_lend and mates],
        "leaders": [
            (name_key(u.key), u.name, [(name_key(m.key), m.name, escorts[u.key] == m.key) for m in mates])
            for u in own
            if u.key in escorts and len(mates) > 1
        ],
    }


def _place(key: Key, groups: list[tuple[Key, ...]]) -> int:
    """Which of several groups a unit is in, from 1; 0 for none."""
    return next((place for place, keys in enumerate(groups, 1) if key in keys), 0)


def _typed(request: HttpRequest) -> dict[str, int]:
    """The faces of a refused bout, as far as they can be read: they say which dice are still wanted."""
    names = [name for name in request.POST if name.partition("_")[0] in WAYS]
    found = {}
    for name in names:
        with suppress(BadDie):
            found[name] = read_face(request.POST[name], 10 if "_hit_" in name else 100, name)
    return found


def _told(unit) -> str:
    place = f", {unit.hex}" if unit.hex else ""
    return f"{unit.name}, CCV {unit.ccv}{', M-KILLED' if unit.m_killed else ''}{place}"


_SHOWN = {
    Step.AFTER_ACTION: _after_action,
    Step.ATTACKER_LEAVES: _leaving,
    Step.DEFENDER_LEAVES: _leaving,
    Step.FINAL_ATTACKER: _leaving,
    Step.FINAL_DEFENDER: _leaving,
    Step.UPKEEP: _upkeep,
}
