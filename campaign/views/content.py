"""Pages of campaigns: the browser's own, the cards, the map with a try-out of control, the rosters. All read-only."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign.ledger.content import shipped
from campaign.pictures.board import LEGEND
from campaign.presenters.holders import list_sector_rows, show_rows
from campaign.presenters.roster import describe_contents
from campaign.rules.cards import Card, Forces
from campaign.rules.sectors import (
    LETTERS,
    Control,
    Holding,
    find_isolated,
    initial_control,
    read_control,
    write_control,
)
from campaign.sheets import SHEETS
from firefight.assistant.desk import render_part
from firefight.drawing.paper import Format
from firefight.engine.text import join_numbers
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.registry import games
from firefight.table.views.home import MATCHES, find_held, find_own, show_matches


@require_GET
def cards(request: HttpRequest) -> HttpResponse:
    """The campaigns of this browser, first those that wait for it; then what campaigns are played with."""
    content, matches = shipped(), list(find_own(request).filter(campaign__isnull=False)[:MATCHES])
    deck = [
        {"card": card, "forces": [force_rows(side, card.forces[side]) for side in Side]}
        for card in content.cards.values()
    ]
    paper = {"sheets": SHEETS, "formats": list(Format)}
    own_matches = {"matches": show_matches(matches, find_held(request, matches)) if matches else []}
    ctx = {"game": games()[GAME], "deck": deck, "rosters": content.rosters.values(), **paper, **own_matches}
    return render(request, "campaign/content.html", ctx)


def force_rows(side: Side, forces: Forces) -> dict[str, object]:
    """One side's half of a card, with its at-start groups and counters by name."""
    content = shipped()
    groups = [(number, content.rosters[side].groups[identity]) for identity, number in forces.groups.items()]
    singles = [(number, content.counters[side][key].name) for key, number in forces.counters.items()]
    return {
        "side": side,
        "forces": forces,
        "groups": groups,
        "counters": singles,
        "deployment": join_numbers(forces.deployment),
    }


@require_GET
def content_map(request: HttpRequest) -> HttpResponse:
    """The sectors; ``held`` says whose each is, one letter per sector, together or one by one."""
    content = shipped()
    starts = [(card, start_of(card)) for card in content.cards.values()]
    letters = "".join(request.GET.getlist("held"))
    control_read = read_control(letters, content.sector_map)
    control = control_read or starts[0][1]
    cut_off = find_isolated(content.sector_map, control)
    rows = list_sector_rows(content.sector_map, control)
    ctx = {
        "map": content.sector_map,
        "game": games()[GAME],
        "shown_board": show_rows(content.sector_map, rows),
        "map_legend": LEGEND,
        "rows": rows,
        "letters": LETTERS.items(),
        "isolated": [f"{line.sector} ({line.side.word})" for line in cut_off.values()],
        "threatened": [number for number, holding in control.items() if holding is Holding.THREATENED],
        "starts": [(card, write_control(start)) for card, start in starts],
        "unread": bool(letters) and control_read is None,
    }
    return render_part(
        request, "campaign/content_map.html", "campaign/_sectors.html", ctx, status=400 if ctx["unread"] else 200
    )


def start_of(card: Card) -> Control:
    """Who controls what when a campaign begins."""
    deployment = {side: forces.deployment for side, forces in card.forces.items()}
    return initial_control(shipped().sector_map.neighbours, deployment)


@require_GET
def content_roster(request: HttpRequest, side: str) -> HttpResponse:
    """One side's roster and its counters."""
    if side not in set(Side):
        raise Http404("There is no such roster.")
    content = shipped()
    counters = content.counters[Side(side)]
    roster = content.rosters[Side(side)]
    ctx = {
        "game": games()[GAME],
        "roster": roster,
        "groups": [(group, describe_contents(group, counters)) for group in roster.groups.values()],
        "counters": counters.values(),
        "other": roster.side.other,
        "cards": content.cards.values(),
        "sheets": {name: SHEETS[name] for name in (f"roster-{side}",)},
        "formats": list(Format),
    }
    return render(request, "campaign/content_roster.html", ctx)
