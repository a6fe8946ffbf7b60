"""Pages of a campaign being played. Each shows the ledger as the browser knows it, and takes the acts posted to it."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from campaign.acts import buying
from campaign.acts.orders import told
from campaign.acts.playing import BATTERIES, News
from campaign.ledger.ledger import Ledger, load
from campaign.models import Campaign, Group
from campaign.pictures import schematic
from campaign.presenters import display
from campaign.rules import victory
from campaign.rules.leaders import Side
from campaign.rules.rosters import Group as RosterGroup
from campaign.rules.rosters import GroupType
from campaign.rules.stages import Stage
from campaign.rules.units import FIXED_KINDS
from firefight.engine.rolls.dice import DieSpec
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN
from firefight.models import LogEntry
from firefight.table import consent, devices, log
from firefight.table.acts import Done, Incomplete, Refused
from firefight.table.seats import Table
from firefight.table.views.match import (
    OTHER_SIDE,
    has_changed_hands,
    is_current,
    is_for_other_side,
    number_in,
    page_anew,
    sitting,
)

from .acts import D10, TIE_DICE, JustLooking, Post, act, leader_dice
from .content import contents_of
from .pictures import of_group, of_piles

RECENT = 6

Drawn = tuple[str, dict[str, Any]]


def ledger_page(view: Callable[..., Drawn]) -> Callable[..., HttpResponse]:
    """A page of the ledger. ``view`` gives its template and what is special to it.

    A posted act is done and the browser sent back to the same page; one that is refused changes nothing, and
    the page says why above what was typed.
    """

    @require_http_methods(["GET", "POST"])
    @sitting
    def page(request: HttpRequest, table: Table, **parts: Any) -> HttpResponse:
        if parts.get("side", Side.GERMAN) not in set(Side):  # before anything is done
            raise Http404("There is no such roster.")
        ledger = known_ledger(table)
        problem: Refused | Incomplete | None = None
        if request.method == "POST":
            try:
                if is_for_other_side(request, table):
                    raise Refused(OTHER_SIDE)
                done = act(Post(request, table, ledger))
            except (Refused, Incomplete) as error:
                problem = error
                table.match.refresh_from_db()
                ledger = known_ledger(table)
            else:
                return redirect(address_after(request, done))
        template, more = view(request, table, ledger, **parts)
        status = 200 if problem is None else getattr(problem, "status", 422)
        return render(request, template, {**_frame(request, table, ledger, problem), **more}, status=status)

    return page


def address_after(request: HttpRequest, done: Done) -> str:
    """The same page, told which line of the log to show as done."""
    query = request.GET.copy()
    query.pop("done", None)
    if done.entries:
        query["done"] = str(done.entries[0].number)
    return request.path + (f"?{query.urlencode()}" if query else "")


def done_lines(request: HttpRequest, table: Table) -> list[log.LogLine]:
    """The line that the page was sent back with, if it is the browser's own and stands."""
    number = number_in(request, "done")
    if request.method == "POST" or number is None or not table.plays:
        return []
    entries = LogEntry.objects.filter(match=table.match, number=number, side=table.side, voided_by=None)
    return log.visible(entries, table.sees)


def known_ledger(table: Table) -> Ledger:
    """The campaign of a match as far as the browser may know it. Raises Http404."""
    try:
        return load(table.match).known(table.sees)
    except Campaign.DoesNotExist:
        raise Http404("This match has no campaign.") from None


def _troubles(problem: Refused | Incomplete | None) -> list[str]:
    if problem is None or isinstance(problem, JustLooking):
        return []
    return list(dict.fromkeys(getattr(problem, "reasons", [str(problem)])))


def _frame(request: HttpRequest, table: Table, ledger: Ledger, problem: Refused | Incomplete | None) -> dict[str, Any]:
    """What every page of the ledger shows."""
    match = table.match
    needs = problem.result.needs if isinstance(problem, Incomplete) else ()
    return {
        "table": table,
        "match": match,
        "game": table.game,
        "ledger": ledger,
        "campaign": ledger.campaign,
        "card": ledger.card,
        "stage": ledger.stage,
        "time": ledger.time,
        "steps": display.steps(ledger),
        "sides": [
            {
                "side": side,
                "name": display.name_of(side),
                "balance": ledger.balance(side),
                "task": display.left_to_do(ledger, side),
            }
            for side in Side
        ],
        "own": Side(table.side) if table.plays else None,
        "acts_here": table.plays and not match.ended,
        "version": match.version,
        "last_number": match.last_number,
        "pending": consent.describe_pending(table),
        "troubles": _troubles(problem),
        "waits_for_dice": bool(needs),
        "needs": needs,
        "more_dice": problem.result.details.get("dice", []) if isinstance(problem, Incomplete) else [],
        "done": done_lines(request, table),
        "posted": request.POST if problem else {},
        "ticked": request.POST.getlist("unit") if problem else [],
    }


@ledger_page
def overview(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """Where the campaign stands and what is to be done now; CP lines, the newest log."""
    lines = [line for side in Side for line in ledger.lines[side].values()]
    recent = log.newest_lines(table.match, table.sees)[:RECENT]
    of_stage = _STAGES[ledger.stage](table, ledger) if ledger.stage in _STAGES else {}
    verdicts = victory.checks(ledger.card.verdicts, ledger.content.sector_map, ledger.control)
    return "campaign/overview.html", {"recent": recent, "cp_lines": lines, "verdicts": verdicts, **of_stage}


def _orders(table: Table, ledger: Ledger) -> dict[str, Any]:
    if not table.plays:
        return {}
    side = Side(table.side)
    attack = ledger.attack_group(side)
    return {
        "fixed_order": ledger.fixed_order(side),
        "own_orders": ledger.orders_of(side),
        "attack": attack,
        "attack_left": attack.boxes[ledger.campaign.card] - ledger.bought(side)[attack.id] if attack else 0,
        "both_sealed": len(ledger.campaign.ready) == len(Side),
    }


def _setup(table: Table, ledger: Ledger) -> dict[str, Any]:
    side = ledger.setting_up
    return {"bill": ledger.bill(side) if side == table.side else None}


def _reinforcements(table: Table, ledger: Ledger) -> dict[str, Any]:
    forces = ledger.forces(Side(table.side)) if table.plays else None
    return {"forces": forces, "dice": [buying.reinforcement_die(forces.die_sides)] if forces else []}


_STAGES = {
    Stage.REINFORCEMENTS: _reinforcements,
    Stage.PURCHASES: _orders,
    Stage.PRIORITY: lambda table, ledger: {"dice": TIE_DICE},
    Stage.SETUP: _setup,
}


@ledger_page
def roster(request: HttpRequest, table: Table, ledger: Ledger, side: str) -> Drawn:
    """A side's roster with its boxes, one group to buy, and the groups that it has."""
    shown = Side(side)
    buys = side == table.side and ledger.stage is Stage.PURCHASES and side not in ledger.campaign.ready
    rows = display.roster_rows(ledger, shown, buys)
    chosen = next((row for row in rows if row.group.id == request.GET.get("group")), None)
    counters = ledger.content.counters[shown]
    short = chosen.offer.short if chosen and chosen.offer else {}
    return "campaign/roster.html", {
        "side": shown,
        "other": next(each for each in Side if each is not shown),
        "rows": rows,
        "buys": buys,
        "chosen": chosen,
        "contents": contents_of(chosen.group, counters) if chosen else [],
        "drawn": of_group(ledger, shown, chosen.group) if chosen else [],
        "short": [f"{number} × {counters[key].name}" for key, number in short.items()],
        "dice": _dice_of(chosen.group, shown) if chosen else [],
        "held": display.held_groups(ledger, shown),
        "roster": ledger.roster(shown),
    }


def _dice_of(group: RosterGroup, side: Side) -> list[DieSpec]:
    """The dice that a purchase asks for."""
    return [*buying.mix_dice(group), *(leader_dice(side) if group.leader else ())]


@ledger_page
def sector_map(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """The map with units; a sector opened; in set-up, what each sector costs for the units chosen."""
    sector_map = ledger.content.sector_map
    own = Side(table.side) if table.plays and not table.match.ended else None
    sector = number_in(request, "sector")
    sector = sector if sector in sector_map.neighbours else None
    placing = _placing(request, ledger, own)
    asked = f"for={placing['key']}&" if placing else ""
    spots = display.spots(ledger, sector, f"?{asked}sector=", placing and placing["costs"])
    cut_off = [spot for spot in spots if spot.line and spot.line.is_isolated]
    return "campaign/map.html", {
        "map": sector_map,
        "picture": schematic.page_map(sector_map.drawing, spots),
        "spots": spots,
        "isolated": [f"{spot.number} ({display.name_of(spot.line.side)})" for spot in cut_off],
        "threatened": [spot.number for spot in spots if spot.holding.label == "Both"],
        "chosen": next((spot for spot in spots if spot.chosen), None),
        "here": _here(ledger, sector),
        "placing": placing,
        "closed": sector if placing and sector and not placing["costs"][sector].is_open else None,
        "waiting": _waiting(ledger, own),
        "letters": display.letters(ledger),
        "bill": ledger.bill(own) if own and ledger.setting_up is own else None,
    }


def _here(ledger: Ledger, sector: int | None) -> list[dict[str, Any]]:
    """Who stands in the chosen sector, drawn as well; without one, who is off the map."""
    found = []
    for side in Side:
        units = [u for u in ledger.in_play(side) if u.sector == sector and ledger.sets_up(u)]
        drawn = of_piles(ledger, display.piles(ledger, units)) if sector else []
        parties = display.parties(ledger, units)
        found.append({"name": display.name_of(side), "side": side, "parties": parties, "drawn": drawn})
    return found


def _waiting(ledger: Ledger, own: Side | None) -> list[display.Party]:
    """What the side whose set-up it is can place, if the browser plays it."""
    if own is None or ledger.setting_up is not own:
        return []
    return display.parties(ledger, [unit for unit in ledger.in_play(own) if ledger.sets_up(unit)])


def _placing(request: HttpRequest, ledger: Ledger, own: Side | None) -> dict[str, Any] | None:
    """The units that "for" names, a group's number or 0 for single counters, with what each sector costs them."""
    wanted = number_in(request, "for")
    party = next((party for party in _waiting(ledger, own) if party.key == wanted), None)
    if party is None:
        return None
    first = party.units[0]
    costs = ledger.places(first)
    together = len({unit.sector for unit in party.units}) == 1
    return {
        "key": wanted,
        "party": party,
        "whole": ledger.is_new(first),
        "now": first.sector if together else None,
        "origin": display.origin_word(ledger.mover(first).origin),
        "costs": costs,
        "choices": [(place, display.told_cost(place)) for place in costs.values() if place.is_open],
        "hidden": all(unit.hidden for unit in party.units),
        "may_be_taken_off": any(unit.home and ledger.counter(unit).kind in FIXED_KINDS for unit in party.units),
        "is_nest": party.group is not None and ledger.listed(party.group).type is GroupType.NEST,
    }


@ledger_page
def firefight(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """The record of the firefight: turns, batteries, aircraft, nests, and what becomes of units."""
    own = Side(table.side) if table.plays else None
    turn = table.match.state.turn
    end = ledger.card.end_numbers
    units = [unit for unit in ledger.in_play(own) if ledger.sets_up(unit)] if own else []
    return "campaign/firefight.html", {
        "is_on": ledger.stage is Stage.FIREFIGHT,
        "turn": turn,
        "turns": [
            (number, "the last" if number == LAST_TURN else f"ends above {end[number]}" if number in end else "")
            for number in range(1, LAST_TURN + 1)
        ],
        "end_number": end.get(turn) if turn < LAST_TURN else None,
        "dice": [D10],
        "random_hex": ledger.random_hex,
        "batteries": _groups_of(ledger, *BATTERIES),
        "aircraft": _groups_of(ledger, GroupType.AIRCRAFT),
        "nests": _groups_of(ledger, GroupType.NEST),
        "news": [(news.value, news.word) for news in News],
        "units": display.parties(ledger, units),
    }


def _groups_of(ledger: Ledger, *types: GroupType) -> list[dict[str, Any]]:
    return [
        {
            "group": group,
            "side": side,
            "title": display.title_of(ledger, group),
            "standing": display.standing_of(group),
            "in_play": group.standing == Group.Standing.IN_PLAY,
            "listed": ledger.listed(group),
            "units": len(ledger.units_of(group)),
            "must_roll": group.mark == Group.Sign.HERE and group.since < ledger.match.state.turn,
            "used": [told for unit in ledger.units_of(group) if (told := display.marks_of(unit))],
        }
        for side in Side
        for group in ledger.groups[side].values()
        if ledger.listed(group).type in types and group.standing != Group.Standing.REFUNDED
    ]


@ledger_page
def sealed(request: HttpRequest, table: Table, ledger: Ledger) -> Drawn:
    """What the own side has under seal: orders, plots, off-map observers, hidden units."""
    own = Side(table.side) if table.plays else None
    hidden = [unit for unit in ledger.in_play(own) if unit.hidden] if own else []
    plotted = [
        (group, display.title_of(ledger, group))
        for group in (ledger.groups[own].values() if own else ())
        if ledger.listed(group).plotted and group.standing == Group.Standing.IN_PLAY
    ]
    orders = ledger.orders_of(own) if own else None
    others = [side for side in Side if side is not own]
    return "campaign/sealed.html", {
        "before_play": ledger.stage in (Stage.PURCHASES, Stage.PRIORITY, Stage.SETUP),
        "is_on": ledger.stage is Stage.FIREFIGHT,
        "orders": orders and told(orders.data, orders.data["price"]),
        "seals": [(seal, display.told_seal(seal)) for seal in display.sealed_rows(ledger, own)] if own else [],
        "opened": [(side, display.told_seal(seal)) for side in others for seal in display.sealed_rows(ledger, side)],
        "plotted": plotted,
        "hidden": display.parties(ledger, hidden),
        "hexrow": None if own is None else "A" if own is Side.GERMAN else "Y",
        "turns": range(1, LAST_TURN + 1),
    }


@require_GET
def live(request: HttpRequest, match_id: str) -> HttpResponse:
    """Whether the campaign has moved on since a page was drawn: nothing, or word that it has. One query."""
    glance = devices.glance(request, match_id)
    if has_changed_hands(request, glance):
        return page_anew()
    if is_current(request, glance):
        return HttpResponse(status=204)
    response = HttpResponse()
    response["HX-Trigger"] = "volga:news"
    return response
