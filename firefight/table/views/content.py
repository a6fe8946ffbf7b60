"""The content of a match: the page on which an owner pastes what the box contains, and the sheets to start from."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from firefight.chartroom.sheets import find_newest, shelve_text
from firefight.chartroom.shelf import Full
from firefight.chartroom.views.books import draw_shelf
from firefight.engine.errors import BadInput
from firefight.engine.values import Json
from firefight.hosting.allowance import counting_visits
from firefight.kit.content import ContentRules
from firefight.table.act import bounds
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.board import content
from firefight.table.consent import content_acts, matters
from firefight.table.forms import read_head
from firefight.table.presenters import describe_table
from firefight.web.addresses import address_of
from firefight.web.answers import send_file

from .home import find_own_of_game
from .seated import seated

FROM_HOUSE, FROM_BEGUN, FROM_SHELF = "house", "begun", "shelf"


@require_http_methods(["GET", "POST"])
@counting_visits
@seated
def content_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The sheets of a match: checked, used, copied out again."""
    rules, match = _rules_of(table), table.match
    elsewhere = find_content_elsewhere(request, table)
    status, reasons, is_sound = 200, [], False
    if "shelve" in request.POST and match.state.content:
        return _shelve(request, table, rules)
    if request.method == "POST":
        texts = _read_sent(request, rules, elsewhere)
        try:
            if "check" in request.POST:
                content.check_content(table.game, _cut(texts))
                is_sound = True
            else:
                content_acts.lay_content(table, *read_head(request.POST), texts)
                return redirect(address_of("firefight:content", match.pk))
        except BadInput as error:
            status, reasons = 422, list(error.problems.values())
        except Refused as refused:
            status, reasons = refused.status, refused.reasons
    else:
        texts = _find_start(request, table, rules)
    ctx: Json = {
        **describe_table(table),
        "pending": matters.describe_pending(table),
        "content": rules,
        "sheets": [(sheet, texts.get(sheet.slug, "")[: bounds.LONGEST_CONTENT]) for sheet in rules.sheets],
        "reasons": reasons,
        "is_sound": is_sound,
        "elsewhere": elsewhere,
        "is_on_shelf": bool(_find_on_shelf(request, table, rules)),
        "is_under_way": content.is_under_way(match),
        "most": bounds.LONGEST_CONTENT,
    }
    return render(request, "firefight/content.html", ctx, status=status)


@require_GET
@seated
def content_text(request: HttpRequest, table: Table, slug: str) -> HttpResponse:
    """A sheet as text: the one that the match is played on, or the house's, for editing."""
    rules = _rules_of(table)
    text = (table.match.state.content or rules.write_house()).get(slug)
    if text is None:
        raise Http404("There is no such sheet.")
    return send_file(text + "\n", "text/plain; charset=utf-8", f"{table.game.slug}-{slug}.txt", is_kept=True)


def _find_on_shelf(request: HttpRequest, table: Table, rules: ContentRules) -> dict[str, str]:
    """The newest version of each sheet that this browser has on its shelf."""
    return find_newest(request, table.game, [sheet.slug for sheet in rules.sheets]) if table.plays else {}


def _shelve(request: HttpRequest, table: Table, rules: ContentRules) -> HttpResponse:
    """Put the sheets that the match is played on on this browser's shelf."""
    try:
        for sheet in rules.sheets:
            shelve_text(request, table.game, sheet, sheet.title, table.match.state.content[sheet.slug])
    except Full as error:
        return draw_shelf(request, [str(error)], 422)
    return redirect(f"{reverse('firefight:shelf')}#{table.game.slug}")


def _find_start(request: HttpRequest, table: Table, rules: ContentRules) -> Mapping[str, str]:
    """What the sheets contain at first: what the match has, unless something else was asked for."""
    source, texts = request.GET.get("from"), table.match.state.content
    if source == FROM_SHELF:
        return {**texts, **_find_on_shelf(request, table, rules)}
    if source == FROM_BEGUN:
        return rules.write_begun()
    return rules.write_house() if source == FROM_HOUSE else texts


def _rules_of(table: Table) -> ContentRules:
    rules = content.find_rules(table.game, table.match.state)
    if rules is None:
        raise Http404(content.NO_CONTENT)
    return rules


@dataclass(frozen=True, slots=True)
class ContentElsewhere:
    """An owner's sheets that another match of this browser is played on."""

    match_id: str
    match_name: str
    texts: Mapping[str, str]


def find_content_elsewhere(request: HttpRequest, table: Table) -> ContentElsewhere | None:
    """The sheets of the last match played with others than this one's; None where this one cannot take them over."""
    if content.is_under_way(table.match):
        return None
    for match in find_own_of_game(request, table):
        if match.state.content and match.state.content != table.match.state.content:
            return ContentElsewhere(match.pk, match.name, match.state.content)
    return None


def _read_sent(request: HttpRequest, rules: ContentRules, elsewhere: ContentElsewhere | None) -> Mapping[str, str]:
    """The sheets that were sent; another match's where those are taken over, none for the house's."""
    if "house" in request.POST:
        return {}
    if "take" in request.POST:
        return elsewhere.texts if elsewhere and request.POST["take"] == elsewhere.match_id else {}
    return {sheet.slug: request.POST.get(sheet.slug, "") for sheet in rules.sheets}


def _cut(texts: Mapping[str, str]) -> dict[str, str]:
    return {slug: text[: bounds.LONGEST_CONTENT + 1] for slug, text in texts.items()}
