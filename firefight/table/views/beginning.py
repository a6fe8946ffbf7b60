"""Beginning a match: the choice of a game, then one page with all that is agreed before the first roll."""

import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from firefight.assistant.lessons import list_lessons
from firefight.assistant.views import find_game
from firefight.chartroom import drafts
from firefight.chartroom.sheets import list_usable_sheets
from firefight.engine.errors import BadInput
from firefight.games import registry
from firefight.hosting.allowance import counting_visits, spend
from firefight.hosting.host_word import asking_word
from firefight.kit.game import Game
from firefight.models import Match
from firefight.table import lessons
from firefight.table.act import bounds
from firefight.table.act.refusals import Refused
from firefight.table.board import sheets
from firefight.table.consent import content_acts
from firefight.table.seats import seating, sitting_down
from firefight.web.addresses import address_of
from firefight.web.requests import CONTROLS

from .seats import BAD_PIN, is_pin, seat_maker, typed_pins


@dataclass
class Wishes:
    """What a form asks for, and what is wrong with it, by field."""

    name: str = ""
    side: str = ""
    hot_seat: bool = False
    book: str = ""
    options: dict[str, str] = field(default_factory=dict)
    pins: dict[str, str] = field(default_factory=dict)
    sheets: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


@require_http_methods(["GET", "POST"])
@asking_word
@counting_visits
def new_match(request: HttpRequest) -> HttpResponse:
    """The choice of a game, or the page of the game that is named or is the only one."""
    games = registry.games()
    is_sent = request.method == "POST"
    game = games.get((request.POST if is_sent else request.GET).get("game", ""))
    if game is None and len(games) == 1 and not is_sent:
        (game,) = games.values()
    if game:
        return begin(request, game)
    problem = "Choose the game." if is_sent else ""
    ctx = {"games": games.values(), "problem": problem, "book": request.GET.get("book", "")}
    return render(request, "firefight/choose_game.html", ctx, status=422 if problem else 200)


@require_http_methods(["GET", "POST"])
@asking_word
@counting_visits
def new_match_of(request: HttpRequest, game: str) -> HttpResponse:
    """The page on which a match of one game begins."""
    return begin(request, find_game(game))


def begin(request: HttpRequest, game: Game) -> HttpResponse:
    """Show the page, or begin the match that its form asks for."""
    if request.method == "GET":
        return draw_page(request, game, Wishes(book=request.GET.get("book", "")))
    if "lesson" in request.POST:
        return begin_lesson(request, game, request.POST["lesson"])
    wishes = read_wishes(request, game)
    if wishes.problems:
        return draw_page(request, game, wishes, status=422)
    spend(request)
    match, tokens = sitting_down.new_match(
        game,
        wishes.name or f"{game.title} {game.words.match}",
        wishes.hot_seat,
        drafts.row_of(game.slug, wishes.book),
        options=wishes.options,
    )
    sent = seat_maker(request, match, tokens, wishes.side, wishes.pins)
    if wishes.sheets:
        table = seating.at_table(request, match.pk)
        with suppress(Refused):  # nobody acts under a cover: the match's page of units then offers them
            content_acts.take_sheets(table, str(uuid.uuid4()), table.match.version, sheet_texts=wishes.sheets)
    return sent


def begin_lesson(request: HttpRequest, game: Game, slug: str) -> HttpResponse:
    """Begin an example match and go there: no form, no links; the other seat is free for anybody to join."""
    lesson = list_lessons(game.slug).get(slug)
    if lesson is None:
        raise Http404("There is no such example.")
    spend(request)
    match, tokens = sitting_down.new_match(game, f"Example: {lesson.title}", hot_seat=False, options=lesson.agreed)
    seating.claim_seat(request, tokens[lesson.side])
    lessons.set_lesson_out(seating.at_table(request, match.pk), lesson)
    return redirect(address_of("firefight:match", match.pk))


def draw_page(request: HttpRequest, game: Game, wishes: Wishes, status: int = 200) -> HttpResponse:
    """The page, filled with what was asked for."""
    seats = game.find_seats(wishes.options)
    options = [(option, wishes.options.get(option.slug, option.usual)) for option in game.all_options]
    ctx = {
        "game": game,
        "wishes": wishes,
        "sides": game.played_sides,
        "side": wishes.side if wishes.side in seats else next(iter(seats)),
        "modes_of": list_modes(game),
        "shared_modes": [mode.slug for mode in game.modes if len(mode.seats) > 1],
        "hot_seat": wishes.hot_seat,
        "options": [(option, chosen) for option, chosen in options if not option.seldom],
        "seldom": [(option, chosen) for option, chosen in options if option.seldom],
        "agreed": {option.slug: chosen for option, chosen in options},
        "unfolded": wishes.problems or any(option.seldom and chosen != option.usual for option, chosen in options),
        "books": drafts.list_usable(request, game.slug),
        "own_sheets": list_usable_sheets(request, game, ["units"]),
        "name_length": bounds.NAME_LENGTH,
        "others": len(registry.games()) > 1,
        "lessons": list(list_lessons(game.slug).values()),
    }
    return render(request, "firefight/new_match.html", ctx, status=status)


def list_modes(game: Game) -> dict[str, list[str]]:
    """In which modes each side has a player; nothing for a game with a single mode."""
    if not game.modes:
        return {}
    return {side: [mode.slug for mode in game.modes if side in mode.seats] for side in game.sides}


def read_wishes(request: HttpRequest, game: Game) -> Wishes:
    """Read the form; what it leaves out is as usual."""
    wishes = Wishes(name=" ".join(request.POST.get("name", "").split()))
    wishes.options = read_options(request, game, wishes.problems)
    seats = game.find_seats(wishes.options)
    wishes.side = next(iter(seats)) if len(seats) == 1 else request.POST.get("side", "")
    if wishes.side not in seats:
        hint = f" {join_choices(seats)} has a player in this mode." if wishes.side in game.sides else ""
        wishes.problems["side"] = f"Choose your side.{hint}"
    wishes.book = drafts.choose_version(request, game.slug, request.POST.get("book", ""))
    if not wishes.book:
        wishes.problems["book"] = "Choose a chart book from your shelf."
    wishes.sheets = choose_sheets(request, game, wishes.problems)
    if len(wishes.name) > bounds.NAME_LENGTH:
        wishes.problems["name"] = f"A name has at most {bounds.NAME_LENGTH} characters."
    elif CONTROLS.search(wishes.name):
        wishes.problems["name"] = "A name holds no control characters."
    # With one seat there is nobody to hide anything from.
    wishes.hot_seat = request.POST.get("hot_seat") == "on" and len(seats) > 1
    wishes.pins = typed_pins(request, seats) if wishes.hot_seat else {}
    if not all(map(is_pin, wishes.pins.values())):
        wishes.problems["pin"] = BAD_PIN
    return wishes


def choose_sheets(request: HttpRequest, game: Game, problems: dict[str, str]) -> dict[str, str]:
    """The sheets of units that were ticked, by their names on the shelf; slips go into ``problems``."""
    ticked = request.POST.getlist("sheets")
    usable = (
        {shelf_sheet.ref: shelf_sheet for shelf_sheet in list_usable_sheets(request, game, ["units"])} if ticked else {}
    )
    if missing := [ref for ref in ticked if ref not in usable]:
        problems["sheets"] = f"Choose units from your shelf: {len(missing)} of them are not there any more."
    chosen = {
        shelf_sheet.name[: bounds.NAME_LENGTH]: shelf_sheet.newest
        for ref, shelf_sheet in usable.items()
        if ref in ticked
    }
    try:
        sheets.check_together(Match(game=game.slug), chosen)
    except BadInput as error:
        problems["sheets"] = " ".join(error.problems.values())
    return chosen


def read_options(request: HttpRequest, game: Game, problems: dict[str, str]) -> dict[str, str]:
    """The choice for each option, the usual one where nothing was chosen; slips go into ``problems``."""
    chosen: dict[str, str] = {}
    for option in game.all_options:
        value = request.POST.get(f"option-{option.slug}", "") or option.usual
        if value in option.choices:
            chosen[option.slug] = value
        else:
            problems[option.slug] = f"{option.title}: choose {join_choices(option.choices)}."
    return chosen


def join_choices(choices: Mapping[str, str]) -> str:
    """The choices of an option, as part of a sentence."""
    *words, last_word = choices.values()
    return f"{', '.join(words)} or {last_word}" if words else last_word
