"""The page of the Reorganization Phase after a firefight: where it stands, and what the browser's side decides."""

from contextlib import suppress
from typing import Any

from django.http import HttpRequest

from campaign import advice, battles, ground, sight
from campaign import reorganization as conductor
from campaign.acts import reorganizing
from campaign.acts.playing import IN_PLAY_ONLY, News
from campaign.ledger import Ledger
from campaign.models import Unit
from campaign.rules import mines
from campaign.rules.bouts import resolve
from campaign.rules.leaders import Side
from campaign.rules.pairing import proposals
from campaign.rules.stages import Stage
from campaign.rules.steps import FINAL_STEPS, Step
from campaign.rules.units import Mark
from firefight import log, reference
from firefight.chartbooks import of_match
from firefight.engine.dice import DieSpec, read_face
from firefight.engine.errors import BadDie, RuleError
from firefight.seats import Table

from .ledger import Drawn, ledger_page

RECENT = 3


@ledger_page
def reorganization(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """The step of the phase."""
    if ledger.stage is not Stage.REORGANIZATION:
        return "ledger_no_reorganization.html", {"recent": _recent(table)}
    step, own = ground.step(ledger), Side(table.side) if table.plays else None
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
        "reminders": reference.for_phase(table.match.game, "reorganization"),
    }
    if decides:
        ctx |= _SHOWN[step](request, ledger, own)
    return "ledger_reorganization.html", ctx


def _recent(table: Table) -> list[log.Line]:
    return log.page(table.match, table.sees)[:RECENT]


def _ladder(here: Step) -> list[tuple[Step, str]]:
    order = list(Step)
    place = order.index(here)
    return [(each, "done" if n < place else "now" if n == place else "next") for n, each in enumerate(order)]


def _sectors(ledger: Ledger) -> list[tuple[int, str]]:
    phase = ledger.campaign.phase
    found = []
    for sector in phase["fought_over"]:
        is_open = ground.is_contested(ledger, sector)
        found.append((sector, "now" if sector == phase["sector"] else "next" if is_open else "done"))
    return found


def _waits_for(ledger: Ledger, deciders: list[Side], own: Side | None) -> str:
    names = " and ".join("your side" if side is own else f"the {sight.name_of(side)}" for side in deciders)
    return f"Waiting for {names}." if names else "Nobody has to decide."


def _hurry(ledger: Ledger) -> str:
    asked = ledger.campaign.phase.get("hurry")
    return f"The {sight.name_of(asked['side'])} asks to resolve the rest of the {asked['how_far']}." if asked else ""


def _after_action(request: HttpRequest, ledger: Ledger, own: Side) -> dict[str, Any]:
    units = [unit for unit in ledger.in_play(own) if ledger.sets_up(unit)]
    news = [each for each in News if each is not News.SHOW and each not in IN_PLAY_ONLY]
    return {
        "units": sight.parties(ledger, units),
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
            enemies = ground.fighters(ledger, other, unit.sector)
            if not any(Mark.CLOSE_COMBAT in enemy.marks and enemy.hex == unit.hex for enemy in enemies):
                place = f"hex {unit.hex} of sector {unit.sector}" if unit.hex else f"sector {unit.sector}"
                who = f"{sight.name_of(side)}: {ledger.called(unit)}"
                found.append(f"{who} is in close combat in {place}, but no {sight.name_of(other)} unit is.")
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
                "marks": sight.marks_of(unit),
                "goals": [_goal(ledger, unit, sector, holding, wanted) for sector, holding in goals.items()],
                "typed": posted.get(name, ""),
                "hex": posted.get(f"hex_{unit.number}", ""),
                "needs": bool(wanted) and not posted.get(name),
            }
        )
    is_final = ground.step(ledger) in reorganizing.LEAVING_FINALLY
    if is_final:
        return {"leaving": rows, "is_final": True}
    return {"leaving": rows, "in_step_2": True, "mines": _mines(request, ledger, own), **_staying(ledger, own, rows)}


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


def _staying(ledger: Ledger, own: Side, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What staying comes to, if everybody stays: by unit, and for the sector."""
    expected = battles.outlook(ledger)
    if expected is None:
        return {}
    for row in rows:
        share = f"{round(100 * expected.survives[own, row['unit'].number])} %"
        row["stay"] = f"survives {'about ' if expected.games else ''}{share}"
    holds = ", ".join(f"{sight.name_of(side)} {round(100 * share)} %" for side, share in expected.holds.items())
    return {
        "advice": f"If everybody stays, the sector goes to: {holds}. {expected.told} Leaving is exact.",
    }


def _goal(ledger: Ledger, unit: Unit, sector: int, holding, wanted: str) -> dict[str, Any]:
    into = reorganizing.goal_of(holding)
    return {
        "sector": sector,
        "word": holding.word,
        "odds": advice.chances(ledger, unit, reorganizing.rolls_as(ledger, unit), into),
        "chosen": wanted == str(sector),
    }


def _upkeep(request: HttpRequest, ledger: Ledger, own: Side) -> dict[str, Any]:
    due = ground.damaged(ledger, own)
    return {
        "dice": [reorganizing.upkeep_die(ledger, unit, damage) for unit, damage in due],
        "nests": [(group, group.building) for group in ground.nests(ledger, own)],
    }


def _battle(request: HttpRequest, ledger: Ledger, own: Side) -> dict[str, Any]:
    """The round as the app proposes it, with the dice of each bout, and everybody who can still fight."""
    battle, charts = battles.battle_of(ledger), of_match(ledger.match)
    free = [unit for unit in battle.fighters if unit.key not in battle.fought]
    bouts = []
    for place, bout in enumerate(proposals(battle)):
        attack, defense = (battles.names_of(battle, keys) for keys in (bout.attackers, bout.defenders))
        at_first = resolve(bout, battle, charts, {})
        is_posted = request.POST.getlist("attacker") == [_key(key) for key in bout.attackers]
        faces = _typed(request) if is_posted else {}
        bouts.append(
            {
                "attackers": [_key(key) for key in bout.attackers],
                "defenders": [_key(key) for key in bout.defenders],
                "told": f"{attack} against {defense}",
                "odds": f"{at_first.attack.headline} In return: {at_first.defense.headline}",
                "cover": any(unit.is_vehicle for unit in battle.of(bout.keys)),
                "dice": battles.specs_of(bout, battle, charts, faces),
                "do": "fight" if is_posted else "another",
                "prefix": f"f{place}-",
            }
        )
    return {
        "bouts": bouts,
        "round": ledger.campaign.phase["round"],
        "chooser_name": sight.name_of(own),
        "other_name": sight.name_of(own.other),
        "own_fighters": [(_key(unit.key), _told(unit)) for unit in free if unit.side is own],
        "other_fighters": [(_key(unit.key), _told(unit)) for unit in free if unit.side is not own],
        "stacking": ledger.content.sector_map.stacking,
    }


def _typed(request: HttpRequest) -> dict[str, int]:
    """The faces of a refused bout, as far as they can be read: they say which dice are still wanted."""
    names = [name for name in request.POST if name.startswith(("attack", "defense"))]
    found = {}
    for name in names:
        with suppress(BadDie):
            found[name] = read_face(request.POST[name], 10 if "_hit_" in name else 100, name)
    return found


def _key(key) -> str:
    return f"{key[0]}-{key[1]}"


def _told(unit) -> str:
    place = f", {unit.hex}" if unit.hex else ""
    return f"{unit.name}, CCV {unit.ccv}{', M-KILLED' if unit.m_killed else ''}{place}"


_SHOWN = {
    Step.AFTER_ACTION: _after_action,
    Step.ATTACKER_LEAVES: _leaving,
    Step.DEFENDER_LEAVES: _leaving,
    Step.FINAL_ATTACKER: _leaving,
    Step.FINAL_DEFENDER: _leaving,
    Step.EXISTING: _battle,
    Step.BATTLE: _battle,
    Step.UPKEEP: _upkeep,
}
