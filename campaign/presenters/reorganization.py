"""The Reorganization Phase after a firefight: where it stands, and what the browser's side decides."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from django.http import QueryDict

from campaign.ledger.ledger import Ledger
from campaign.models import Unit
from campaign.phase import advice, conductor, lookups, outlooks
from campaign.phase.dice import die_of, mine_dice, upkeep_die
from campaign.rules import mines
from campaign.rules.combat.forecast import Outlook
from campaign.rules.phase import Extent, ReorganizationPhase
from campaign.rules.redeployment import goal_of
from campaign.rules.reports import IN_PLAY_ONLY, News
from campaign.rules.sectors import Holding
from campaign.rules.steps import FIGHTING, FINAL_STEPS, LEAVING, Step
from firefight.assistant import reminders
from firefight.engine.errors import BadDie, MissingChart, RuleError
from firefight.engine.rolls.dice import DieSpec, read_face
from firefight.engine.text import join_words
from firefight.engine.values import Json
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.lines import LogLine
from firefight.table.act.table import Table
from firefight.table.log import reading

from .bouts import present_battle
from .counters import show_unit
from .steps import standing_at
from .units import group_units, name_marks

RECENT = 3
NO_ODDS: Json = {"asks_odds": False, "odds": None, "lacks": "", "progress": None}


def list_recent(table: Table) -> list[LogLine]:
    """The newest lines of the log."""
    return reading.newest_lines(table.match, table.sees)[:RECENT]


def present_step(table: Table, ledger: Ledger, posted: QueryDict) -> Json:
    """The page of the present step, with the panel of what is to be decided. ``posted``: what was typed into it."""
    step, own_side = lookups.step(ledger), Side(table.side) if table.plays else None
    phase, deciders = ledger.phase, conductor.find_deciders(ledger)
    fights = step in FIGHTING
    page: Json = {
        "step": step,
        "panel": None,
        **NO_ODDS,
        "is_told_here": step is Step.AFTER_ACTION,
        "sector": phase.shown_sector,
        "phase_steps": _list_steps(step, has_fought=bool(ledger.campaign.attacker)),
        "fought_over": _list_sectors(ledger, phase),
        "waits_for": _say_who_decides(deciders, own_side),
        "proposal": _present_request(phase, own_side),
        "extents": _list_extents(phase, fights, own_side),
        "recent": list_recent(table),
        "reminders": reminders.for_step(table.match.game, "reorganization"),
    }
    if step in LEAVING or fights:
        page |= present_odds(ledger, outlooks.find_outlook(ledger), own_side)
    if own_side in deciders and own_side and not table.match.ended:
        page |= _present_decision(table, ledger, posted, own_side)
    return page


def _present_decision(table: Table, ledger: Ledger, posted: QueryDict, own: Side) -> Json:
    step = lookups.step(ledger)
    if step in FIGHTING:
        return {"panel": "campaign/_fight.html", **present_battle(table, ledger, posted)}
    panel, present = _PANELS[step]
    return {"panel": panel, **present(ledger, own, posted)}


def _list_steps(present: Step, has_fought: bool) -> list[tuple[Step, str]]:
    """The steps of the phase; where both sides held, the last alone (20.5.4)."""
    order = list(Step) if has_fought else [Step.UPKEEP]
    return [(step, standing_at(place, order.index(present))) for place, step in enumerate(order)]


def _list_sectors(ledger: Ledger, phase: ReorganizationPhase) -> list[tuple[int, str]]:
    def say_standing(sector: int) -> str:
        # Not by who stands there: the enemy may be hidden.
        is_open = ledger.control[sector] is Holding.THREATENED
        return "now" if sector == phase.sector else "next" if is_open else "done"

    return [(sector, say_standing(sector)) for sector in phase.fought_over]


def _list_extents(phase: ReorganizationPhase, fights: bool, own: Side | None) -> list[Extent]:
    """How much this side may ask the app to resolve, without what it has asked for."""
    are_open = {Extent.ROUND: fights, Extent.SECTOR: phase.sector is not None, Extent.PHASE: True}
    asked_for = {phase.requested.extent} if phase.requested and phase.requested.side is own else set()
    return [extent for extent, is_open in are_open.items() if is_open and extent not in asked_for]


def _say_who_decides(deciders: list[Side], own: Side | None) -> str:
    names = " and ".join("you" if side is own else f"the {side.word}" for side in deciders)
    return f"Waiting for {names}." if names else "Nobody has to decide."


def _present_request(phase: ReorganizationPhase, own: Side | None) -> Json | None:
    """What one side asks the app to resolve, to the sides; the other may agree."""
    request = phase.requested
    if not (request and own):
        return None
    is_own = request.side is own
    asker, answer = (
        ("You ask", f" The {own.other.word} has to agree.") if is_own else (f"The {own.other.word} asks", "")
    )
    sentence = f"{asker} to resolve the rest of the {request.extent} with the app's dice.{answer}"
    return {"sentence": sentence, "extent": request.extent, "may_agree": not is_own}


# What became of the units


def _present_report(ledger: Ledger, own: Side, posted: QueryDict) -> Json:
    units = [unit for unit in ledger.in_play(own) if ledger.sets_up(unit)]
    news = [kind for kind in News if kind is not News.SHOW and kind not in IN_PLAY_ONLY]
    return {
        "units": group_units(ledger, units),
        "news": [(kind.value, kind.word) for kind in news],
        "random_hex": ledger.random_hex,
        "doubts": list_doubts(ledger),
    }


def list_doubts(ledger: Ledger) -> list[str]:
    """Where the two reports do not fit together: a hex in two sectors, close combat with no enemy there."""
    doubts = list(_find_hexes_in_two_sectors(ledger))
    for side in Side:
        for unit in ledger.in_play(side):
            if Mark.CLOSE_COMBAT not in unit.marks or unit.sector is None:
                continue
            enemies = ledger.in_play(side.other) if unit.hex else lookups.list_fighters(ledger, side.other, unit.sector)
            if not any(Mark.CLOSE_COMBAT in enemy.marks and enemy.hex == unit.hex for enemy in enemies):
                place = f"hex {unit.hex} of sector {unit.sector}" if unit.hex else f"sector {unit.sector}"
                unit_name = f"{side.word}: {ledger.name_unit(unit)}"
                doubts.append(f"{unit_name} is in close combat in {place}, but no {side.other.word} unit is.")
    return list(dict.fromkeys(doubts))


def _find_hexes_in_two_sectors(ledger: Ledger) -> Iterator[str]:
    """Where units in sight stand in one hex, but are noted in different sectors: they would not meet."""
    by_hex: dict[str, dict[int, list[str]]] = {}
    for side in Side:
        for unit in ledger.in_play(side):
            if unit.hex and unit.sector is not None and not unit.hidden:
                by_sector = by_hex.setdefault(unit.hex.partition("/")[0], {})
                by_sector.setdefault(unit.sector, []).append(f"{side.word} {ledger.name_unit(unit)}")
    for hex_name, by_sector in by_hex.items():
        if len(by_sector) > 1:
            words = (f"{join_words(names)} in sector {sector}" for sector, names in sorted(by_sector.items()))
            yield f"Hex {hex_name} lies in one sector, but units there are noted in several: {'; '.join(words)}."


# Stay or re-deploy


def _present_leaving(ledger: Ledger, own: Side, posted: QueryDict) -> Json:
    is_final = lookups.step(ledger) in FINAL_STEPS
    leavers = [_show_leaver(ledger, unit, goals, posted) for unit, goals in lookups.list_candidates(ledger, own)]
    blast = None if is_final else _present_mines(ledger, own, posted)
    return {"leaving": leavers, "is_final": is_final, "mines": blast, "may_declare": not (blast and blast["must"])}


def _show_leaver(ledger: Ledger, unit: Unit, goals: Mapping[int, Holding], posted: QueryDict) -> Json:
    goal, die = posted.get(f"to_{unit.number}", ""), posted.get(die_of(unit.number), "")
    return {
        "unit": unit,
        "name": ledger.name_unit(unit),
        "picture": show_unit(ledger, unit),
        "marks": name_marks(unit),
        "goals": [_show_goal(ledger, unit, sector, holding, goal) for sector, holding in goals.items()],
        "typed": die,
        "hex": posted.get(f"hex_{unit.number}", ""),
        # Elsewhere no enemy can be.
        "asks_hex": any(holding is not Holding(unit.side) for holding in goals.values()),
        "needs": bool(goal) and not die,
    }


def _show_goal(ledger: Ledger, unit: Unit, sector: int, holding: Holding, goal: str) -> Json:
    into = goal_of(holding)
    return {
        "sector": sector,
        "word": holding.word,
        "odds": advice.count_chances(ledger, unit, into),
        "chosen": goal == str(sector),
    }


def _present_mines(ledger: Ledger, own: Side, posted: QueryDict) -> Json | None:
    """The form of a mine attack: which units mines have yet to attack, and the dice as far as they are known."""
    waiting = lookups.list_mined(ledger, own)
    if not waiting:
        return None
    is_posted = posted.get("do") == "mines"
    ticked = posted.getlist("unit") if is_posted else []
    factors = mines.known_factors(of_match(ledger.match))
    hexes = [unit.hex for unit, is_sure in waiting if is_sure]
    return {
        "units": [
            {
                "number": unit.number,
                "name": ledger.name_unit(unit),
                "picture": show_unit(ledger, unit),
                "place": unit.hex,
                "is_sure": is_sure,
                "ticked": str(unit.number) in ticked if is_posted else is_sure and unit.hex == hexes[0],
            }
            for unit, is_sure in waiting
        ],
        "must": bool(hexes),
        "factors": posted.get("factors", "") if is_posted else factors or "",
        "drm": posted.get("drm", "") if is_posted else "",
        "dice": _list_mine_dice(ledger, [unit for unit, _ in waiting if str(unit.number) in ticked], posted),
    }


def _list_mine_dice(ledger: Ledger, units: list[Unit], posted: QueryDict) -> list[DieSpec]:
    """The dice that the typed values ask for; to begin with, the one of the mines."""
    faces = {}
    for name in posted:
        if name == mines.DIE.name or name.startswith(("hit_", "check_")):
            with suppress(BadDie):
                faces[name] = read_face(posted.get(name, ""), mines.DIE.sides if name == mines.DIE.name else 10, name)
    with suppress(ValueError, RuleError):
        factors, drm = int(posted.get("factors", "")), int(posted.get("drm") or 0)
        return mine_dice(ledger, units, factors, drm, faces)
    return [mines.DIE]


# Changes to units


def _present_upkeep(ledger: Ledger, own: Side, posted: QueryDict) -> Json:
    due = lookups.list_damaged(ledger, own)
    return {
        "dice": [upkeep_die(ledger, unit, damage) for unit, damage in due],
        "nests": [(group, group.building) for group in lookups.list_standing_nests(ledger, own)],
    }


_PANELS: dict[Step, tuple[str, Callable[[Ledger, Side, QueryDict], Json]]] = {
    Step.AFTER_ACTION: ("campaign/_after_action.html", _present_report),
    **{step: ("campaign/_leaving.html", _present_leaving) for step in (*LEAVING, *FINAL_STEPS)},
    Step.UPKEEP: ("campaign/_upkeep.html", _present_upkeep),
}


# The odds of holding the sector


def present_outlook(table: Table, ledger: Ledger) -> Json:
    """The odds, worked on for a moment, and how far they have come."""
    try:
        progress = outlooks.work_out(ledger)
    except MissingChart as error:
        return {**NO_ODDS, "lacks": str(error)}
    own_side = Side(table.side) if table.plays else None
    return present_odds(ledger, progress.outlook if progress else None, own_side) | {"progress": progress}


def present_odds(ledger: Ledger, outlook: Outlook | None, own: Side | None) -> Json:
    """How close combat is likely to end if every unit stays: for the sector, and for each unit.

    What the dice of a round did counts when it is over: until then the odds are those of its beginning.
    """
    is_open = outlooks.position_of(ledger) is not None
    if outlook is None:
        return {**NO_ODDS, "asks_odds": is_open}
    units = [(key, share) for key, share in outlook.survives.items() if own is None or key[0] is own]
    return {
        **NO_ODDS,
        "asks_odds": is_open,
        "odds": {
            "when": f"As round {ledger.phase.round} began"
            if lookups.step(ledger) in FIGHTING
            else "If everybody stays",
            "holds": [(Side(side).word, round(100 * share)) for side, share in outlook.holds.items()],
            "units": [(ledger.name_unit(lookups.find_unit(ledger, key)), round(100 * share)) for key, share in units],
            "games": outlook.games,
            "margin": math.ceil(100 * outlook.margin),
        },
    }
