"""The assistant without a match: lists, one page per helper, and the same as JSON."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from secrets import randbelow
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from firefight.assistant import glossary, reminders
from firefight.assistant.layout import ShownForm
from firefight.assistant.lessons import list_lessons
from firefight.assistant.throwing import from_table
from firefight.columns import LoggedResult, Rolled, Rolls
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadDie, BadInput, RuleError
from firefight.engine.rolls.dice import DieSpec, Face, read_throw
from firefight.engine.values import Values
from firefight.games import chartbooks, gallery, registry
from firefight.kit import playing
from firefight.kit.fields.choices import TokensField
from firefight.kit.fields.counters import CounterField
from firefight.kit.fields.forms import HelperForm
from firefight.kit.fields.numbers import DateField
from firefight.kit.fields.places import HexField, PlaceField
from firefight.kit.game import Game
from firefight.kit.helper import Helper
from firefight.web.answers import refuse_address
from firefight.web.pictures import send_picture

from .desk import (
    Desk,
    Submission,
    find_helper,
    keep_result,
    prepare_desk,
    read_queue,
    read_submission,
    render_part,
)
from .shown_odds import ShownOdds

LONGEST_SEARCH, MOST_USED = 60, 4
OUT_OF_BAND = {"hx-swap-oob": "true"}
FOREVER, AN_HOUR = "public, max-age=31536000, immutable", "public, max-age=3600"


def find_game(slug: str) -> Game:
    """The game at an address, or 404."""
    if slug not in registry.games():
        raise Http404("There is no such game.")
    return registry.games()[slug]


@require_GET
def games(request: HttpRequest) -> HttpResponse:
    """All games that the app helps with, each with how many rolls and cards it has."""
    counts = {slug: len(registry.helpers(slug)) for slug in registry.games()}
    return render(request, "firefight/games.html", {"games": registry.games().values(), "counts": counts})


@require_GET
def helpers(request: HttpRequest, game: str) -> HttpResponse:
    """A game's helpers: those that this browser used last, the leading ones, all by group; or what a search finds."""
    this_game, offered = find_game(game), registry.helpers(game)
    search = request.GET.get("find", "")[:LONGEST_SEARCH]
    groups = {
        title: [helper for helper in listed if matches(helper, search)]
        for title, listed in registry.group_helpers(game).items()
    }
    ctx = {
        "game": this_game,
        "wanted": search,
        "groups": {title: listed for title, listed in groups.items() if listed},
        "leading": [offered[slug] for slug in this_game.leading] if not search else [],
        "used": [offered[slug] for slug in list_used(request, game) if slug in offered] if not search else [],
        "book": chartbooks.shipped(game),
        "first": show_first(game) if not search else None,
        "example": next(iter(list_lessons(game).values()), None),
        "has_reference": bool(reminders.read_reference(game)),
    }
    return render_part(request, "firefight/helpers.html", "firefight/_helper_list.html", ctx)


@dataclass(frozen=True)
class FirstShown:
    """A roll to try at once: the address of its form, filled in; its counters' pictures by side; its odds."""

    address: str
    words: str
    sides: list[list[str]]
    odds: ShownOdds


@cache
def show_first(slug: str) -> FirstShown | None:
    """The roll to try at once of a game, if it declares one; the same for everybody."""
    game = registry.games()[slug]
    if game.first is None:
        return None
    roll, book = game.first, chartbooks.shipped(game.slug)
    helper = find_helper(game.slug, roll.helper)
    desk = prepare_desk(Desk(helper, helper.form.from_plain(dict(roll.inputs), book=book), "", "", book.name), book)
    sides: dict[str, list[str]] = {}
    for side, key in roll.counters:
        sides.setdefault(side, []).append(gallery.picture_address(game.slug, side, key))
    query = urlencode(roll.inputs, doseq=True)
    address = f"{reverse('firefight:helper', args=[game.slug, helper.slug])}?{query}"
    return FirstShown(address, roll.words, list(sides.values()), desk.odds[-1])


def matches(helper: Helper, search: str) -> bool:
    """Whether each word of a search begins a word of a helper's title, group, purpose or rules."""
    text = f"{helper.title} {helper.group} {helper.purpose} {' '.join(helper.rules)}".casefold()
    return all(re.search(rf"(?<!\w){re.escape(word)}", text) for word in search.casefold().split())


def list_used(request: HttpRequest, game: str) -> list[str]:
    """The helpers of a game that this browser has rolled with, the last one first."""
    used = request.session.get("used", {}).get(game, [])
    return [slug for slug in used if isinstance(slug, str)]


def remember_used(request: HttpRequest, helper: Helper) -> None:
    """Put a helper first among those that this browser has used."""
    used = list_used(request, helper.game)
    if used[:1] != [helper.slug]:
        last = [helper.slug, *(slug for slug in used if slug != helper.slug)][:MOST_USED]
        request.session["used"] = {**request.session.get("used", {}), helper.game: last}


@require_GET
def facts(request: HttpRequest, game: str) -> HttpResponse:
    ctx = {"game": find_game(game), "sections": reminders.list_sections(game)}
    return render(request, "firefight/reference.html", ctx)


@require_GET
def words(request: HttpRequest, game: str) -> HttpResponse:
    """Every word of a game that is explained."""
    return render(request, "firefight/words.html", {"game": find_game(game), "words": glossary.list_words(game)})


@require_GET
def words_json(request: HttpRequest, game: str) -> HttpResponse:
    """The same for a page's script. Its address says which version it is, so that browsers may keep it."""
    find_game(game)
    caching = "public, max-age=31536000, immutable" if request.GET.get("v") else "no-cache"
    return HttpResponse(glossary.write_words(game), content_type="application/json", headers={"Cache-Control": caching})


@require_GET
def counter(request: HttpRequest, game: str, side: str, key: str, form: str) -> HttpResponse:
    """The picture of one counter. ``marks`` in the address: its state; ``book``: content other than the shipped."""
    drawer = find_game(game).gallery
    try:
        kind = gallery.find_kind(game, request.GET.get("book", ""), side, key)
    except LookupError:
        kind = None
    if drawer is None or kind is None:
        raise Http404("There is no such counter.")
    try:
        drawing = drawer.draw(kind, side, request.GET.get("marks", "").split())
    except BadInput as error:
        return refuse_address(request, str(error))
    caching = FOREVER if gallery.is_current(game, request.GET.get("v", "")) else AN_HOUR
    return send_picture(request, drawing, drawer.paints, form, caching)


@require_http_methods(["GET", "POST"])
def helper(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """One helper: the form with its odds, then the result and the next step's form."""
    helper, book = find_helper(game, slug), chartbooks.shipped(game)
    if request.method == "GET":
        return show_desk(request, open_blank_desk(helper, query_values(request, helper)))
    queue = read_queue(request.POST.get("queue", ""))
    submission = read_submission(request, helper, book)
    desk = open_desk(helper, submission.form, queue=queue)
    if submission.more or not submission.good:
        return keep_result(request, show_desk(request, desk, submission, status=200 if submission.more else 422))
    throw = from_chance if submission.source == "app" else from_table(submission.faces)
    try:
        result, rolled = playing.play_helper(helper, book, submission.form.inputs(), throw)
    except RuleError as error:
        submission.form.add_rule_error(error)
        return keep_result(request, show_desk(request, desk, submission, status=422))
    if result.needs:
        desk.halfway = result.headline
        return keep_result(request, show_desk(request, desk, submission, needs=result.needs))
    remember_used(request, helper)
    inputs = {**submission.form.carry(), **submission.form.plain_inputs()}
    logged = LoggedResult.of(helper.slug, helper.lead_on(inputs, result), submission.form.carry())
    steps = logged.to_json()["follow_ups"] + queue
    return show_desk(request, open_desk_after(helper, logged, tuple(rolled), steps, inputs))


@playing.one_by_one
def from_chance(spec: DieSpec) -> Rolled:
    """A die for a roll that belongs to no match: the system's own randomness, not recorded."""
    return Rolled.from_spec(spec, randbelow(spec.sides) + 1, "app")


def open_desk(
    helper: Helper, form: HelperForm, queue: Sequence[Any] = (), chained: bool = False, title: str = ""
) -> Desk:
    """A desk outside any match."""
    address = {"game": helper.game, "slug": helper.slug}
    hidden = {"queue": json.dumps(list(queue), separators=(",", ":")), "carry": form.carry_json()}
    if chained or form.data.get("chained"):
        hidden["chained"] = "1"
    return Desk(
        helper=helper,
        form=form,
        post_url=reverse("firefight:helper", kwargs=address),
        odds_url=reverse("firefight:odds", kwargs=address),
        book_name=chartbooks.shipped(helper.game).name,
        hidden=hidden,
        steps=list(queue),
        step_title=title,
    )


def open_blank_desk(helper: Helper, values: Values) -> Desk:
    """A fresh form, filled with what the address gives."""
    return open_desk(helper, helper.form.from_plain(values, book=chartbooks.shipped(helper.game)))


def open_desk_after(helper: Helper, result: LoggedResult, rolls: Rolls, steps: list[Any], inputs: Values) -> Desk:
    """The desk after a roll: the result on top, and the next due roll's form, or this one's with the same inputs."""
    if steps:
        step, *queue = steps
        following = find_helper(helper.game, step["helper"])
        form = following.form.from_plain(step["inputs"], book=chartbooks.shipped(helper.game), chained=True)
        desk = open_desk(following, form, queue, chained=True, title=step["title"])
    else:
        desk = open_blank_desk(helper, inputs)
    desk.result, desk.rolls = result, rolls
    return desk


def show_desk(
    request: HttpRequest,
    desk: Desk,
    submission: Submission | None = None,
    needs: tuple[str, ...] = (),
    status: int = 200,
) -> HttpResponse:
    """Draw the desk as page or fragment."""
    prepare_desk(desk, chartbooks.shipped(desk.helper.game), submission, needs)
    game = registry.games()[desk.helper.game]
    ctx = {"desk": desk, "game": game, "groups": registry.group_helpers(game.slug)}
    return render_part(request, "firefight/helper.html", "firefight/_desk.html", ctx, status)


@require_POST
def odds(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """The odds as the inputs stand: what the page asks for while they change. Nothing is kept."""
    helper, book = find_helper(game, slug), chartbooks.shipped(game)
    submission = read_submission(request, helper, book)
    submission.form.quiet = True
    return draw_odds(request, prepare_desk(Desk(helper, submission.form, "", "", book.name), book))


def draw_odds(
    request: HttpRequest, desk: Desk, renewed: Collection[str] = (), is_new: bool = False, filled_for: str = ""
) -> HttpResponse:
    """The odds of a posted form, and the sentence above its dice.

    ``renewed``: fields that counters or the record fill differently, folded ones too; ``is_new``: they were given what
    the page does not know; ``filled_for``: what the form is to send back about its hinge from now on.
    """
    form = desk.fields if renewed else ShownForm()
    laid_out = (field for field in (*form.own, *form.ahead, *form.seldom) if field.name in renewed)
    fields = [replace(field, attrs={**field.attrs, **OUT_OF_BAND}) for field in laid_out]
    ctx = {"desk": desk, "renewed": fields, "is_new": is_new, "filled_for": filled_for}
    return render(request, "firefight/_new_odds.html", ctx)


# JSON


@require_GET
def helper_json(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """Resolve a helper with the dice given, as a pure query; without parameters, describe it."""
    helper, book = find_helper(game, slug), chartbooks.shipped(game)
    if not request.GET:
        return JsonResponse(describe_helper(helper, book))
    form, errors = read_query(request, helper, book)
    faces = {} if errors else read_dice(request, helper, form, errors)
    if errors:
        return answer_problems(errors)
    try:
        result = helper.resolve(book, form.inputs(), faces)
    except RuleError as error:
        return answer_problems(error.by_field)
    if result.needs:
        return answer_problems({name: [f"{result.headline} Give {name}."] for name in result.needs})
    result = helper.lead_on({**form.carry(), **form.plain_inputs()}, result)
    return JsonResponse(LoggedResult.of(helper.slug, result, form.carry()).to_json())


@require_GET
def odds_json(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """The exact distribution, as integer weights over a common total; what may follow under "chain"."""
    helper, book = find_helper(game, slug), chartbooks.shipped(game)
    form, errors = read_query(request, helper, book)
    if errors:
        return answer_problems(errors)
    try:
        table, *chain = helper.all_odds(book, form.inputs())
    except RuleError as error:
        return answer_problems(error.by_field)
    return JsonResponse({"helper": helper.slug, **table.as_json(), "chain": [odds.as_json() for odds in chain]})


def read_query(request: HttpRequest, helper: Helper, book: Book) -> tuple[HelperForm, dict[str, list[str]]]:
    """The form of a query string and its errors by field; unknown parameters are errors too."""
    plain = query_values(request, helper)
    input_names = {name for name, field in helper.form.base_fields.items() if not isinstance(field, CounterField)}
    form = helper.form.from_plain({name: value for name, value in plain.items() if name in input_names}, book=book)
    errors = {key: [str(message) for message in messages] for key, messages in form.errors.items()}
    if errors and callable(helper.dice):
        return form, errors  # its dice are not known yet
    specs = helper.specs({} if errors else form.inputs())
    unknown = plain.keys() - input_names - {spec.name for spec in specs} - {*helper.spare_dice}
    return form, errors | {key: ["This helper has no such input."] for key in sorted(unknown)}


def query_values(request: HttpRequest, helper: Helper) -> dict[str, object]:
    """A query string as plain values: the last of each name, and all of a field that takes several."""
    multiple = {name for name, field in helper.form.base_fields.items() if hasattr(field, "chart")}
    return {key: values if key in multiple else values[-1] for key, values in request.GET.lists()}


def read_dice(request: HttpRequest, helper: Helper, form: HelperForm, errors: dict[str, list[str]]) -> dict[str, Face]:
    """The dice of a query string; slips go into ``errors``."""
    faces: dict[str, Face] = {}
    for spec in helper.specs(form.inputs()):
        if request.GET.get(spec.name):
            try:
                faces[spec.name] = read_throw(request.GET[spec.name], spec)
            except BadDie as error:
                errors[spec.name] = [str(error)]
        elif spec.is_pool and not spec.number and not spec.is_optional:
            faces[spec.name] = ()
    return faces


def answer_problems(errors: Mapping[str, Sequence[str]]) -> JsonResponse:
    """Status 400 with the messages of each field."""
    return JsonResponse({"errors": errors}, status=400)


def describe_helper(helper: Helper, book: Book) -> dict[str, object]:
    """What a helper takes and gives, for those who write scripts."""
    form = helper.form.from_plain({}, book=book)
    return {
        "helper": helper.slug,
        "title": helper.title,
        "purpose": helper.purpose,
        "rules": helper.rules,
        "fields": describe_fields(form.fields),
        "dice": describe_dice(helper, form),
        "outcomes": helper.outcomes,
    }


def describe_dice(helper: Helper, form: HelperForm) -> list[dict[str, object]] | str:
    """The throws that a helper asks for: where they depend on the inputs, its own words, or those of its defaults."""
    if helper.dice_words:
        return helper.dice_words
    if callable(helper.dice) and not form.is_valid():
        return "They depend on the inputs."
    return [spec.as_json() for spec in helper.specs(form.inputs() if callable(helper.dice) else {})]


def describe_fields(fields: Values) -> list[dict[str, object]]:
    """Inputs, except those that only a match fills."""
    return [describe_field(name, field) for name, field in fields.items() if not isinstance(field, CounterField)]


def describe_field(name: str, field: Any) -> dict[str, object]:
    """One input: its label, bounds and choices, or its columns when it is a list of rows."""
    description = {"name": name, "label": str(field.label), "required": field.required, "default": field.initial}
    if hasattr(field, "min_value"):
        description |= {"min": field.min_value, "max": field.max_value}
    if getattr(field, "max_length", None):
        description |= {"max_length": field.max_length}
    if isinstance(field, PlaceField) and not isinstance(field, HexField):
        description["places"] = field.places.kind.value
    if isinstance(field, DateField):
        description |= {"min": field.first, "max": field.last}
    if isinstance(field, TokensField):
        bounds = {"min": field.low, "max": field.high} if field.low is not None else {}
        description |= {"most": field.most, "tokens": list(field.words) or True, **bounds}
    if hasattr(field, "row_form"):
        rows = field.row_form(book=field.book).fields
        description |= {"most": field.most, "rows": describe_fields(rows)}
    elif hasattr(field, "choices"):
        description["choices"] = [value for value, _ in field.choices]
    return description
