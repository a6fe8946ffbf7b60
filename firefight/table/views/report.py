"""The after-action report: page, Markdown, PDF."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_POST

from firefight.drawing import charts, svg
from firefight.drawing.board import PAINTS
from firefight.drawing.paper import Format
from firefight.models import Match
from firefight.table.act.ports import ledger_of
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.presenters import describe_table
from firefight.table.story import report, report_paper
from firefight.table.story.honours import present_honours
from firefight.table.story.report import BadPart, Story
from firefight.table.story.sharing import find_story, share_story, withdraw_story
from firefight.web.answers import refuse_address, refuse_post, send_file
from firefight.web.pictures import send_picture
from firefight.web.requests import number_in, zone_of

from .access import refuse_seat, sitting

_ROOM = 60_000  # bytes of lines on one page


StoryView = Callable[[HttpRequest, Table, Story], HttpResponse]


def of_story(most: int | None = report.MOST_AT_ONCE) -> Callable[[StoryView], Callable[..., HttpResponse]]:
    """Give the view the stretch of the log that the address names, as this browser may know it.

    ``most``: lines of a stretch; None for a view that a separate process answers (config/lane.py).
    """

    def guard(view: StoryView) -> Callable[..., HttpResponse]:
        @require_GET
        @cache_control(private=True, no_store=True)
        @sitting
        def guarded(request: HttpRequest, table: Table) -> HttpResponse:
            try:
                return view(request, table, _read_stretch(request, table.match, table.sees, most))
            except BadPart as error:
                return refuse_address(request, str(error))

        return guarded

    return guard


def is_told_by_days(request: HttpRequest, match: Match) -> bool:
    """Whether the request is for all of a match that is too long to be told at once."""
    return match.last_number > report.MOST_AT_ONCE and not (request.GET.get("from") or request.GET.get("to"))


def present_story(match: Match, story: Story) -> dict[str, object]:
    """What every page of a story shows."""
    sections, following = report.first_chapters(story, _ROOM)
    drawn, board = story.draw_map(), story.draw_board()
    return {
        "map": drawn and mark_safe(svg.draw_figure(drawn[0], "sector-map map")),
        "board": board and mark_safe(svg.draw_painted(board, PAINTS)),
        "map_patterns": drawn and mark_safe(svg.defs(drawn[1])),
        "charts": [mark_safe(svg.draw_figure(charts.draw_chart(chart), "graph")) for chart in story.charts],
        "patterns": mark_safe(svg.defs(charts.PAINTS)),
        "match": match,
        "game": story.game,
        "story": story,
        "sections": sections,
        "following": following,
        "dice": [(series, report.describe_series(series.tally)) for series in story.dice],
        "caveat": report.CAVEAT,
        "how_turning": story.how_turning,
        "tell_point": report.tell_point,
    }


@require_GET
@cache_control(private=True, no_store=True)
@sitting
def report_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The story with its dice; for a match of weeks the list of its days, each a story of its own."""
    if not is_told_by_days(request, table.match):
        try:
            return _tell(request, table, _read_stretch(request, table.match, table.sees))
        except BadPart as error:
            return refuse_address(request, str(error))
    ctx = {
        **describe_table(table),
        "stretches": report.list_stretches(table.match),
        "chapters": report.read_chapters(table.match),
        "story_link": _take_link(request, table.match),
    }
    return render(request, "firefight/report_days.html", ctx)


@of_story(None)
def whole_page(request: HttpRequest, table: Table, story: Story) -> HttpResponse:
    """All of the story, however long it is."""
    return _tell(request, table, story)


def _tell(request: HttpRequest, table: Table, story: Story) -> HttpResponse:
    ctx = {
        **describe_table(table),
        **present_story(table.match, story),
        "photo_base": reverse("firefight:photos", args=[table.match.pk]),
        "maps": ledger_of(table.match).map_addresses(table.match),
        "chapters": report.read_chapters(table.match),
        "formats": list(Format),
        "parts": report.divide_for_paper(story),
        "story_link": _take_link(request, table.match),
    }
    return render(request, "firefight/report.html", ctx)


def _take_link(request: HttpRequest, match: Match) -> str:
    """The link to the story, if it was just made: it is shown once."""
    link: str = request.session.pop("story_link", {}).get(match.pk, "")
    return link


# Shared


@require_POST
@sitting
def share(request: HttpRequest, table: Table) -> HttpResponse:
    """Make the link with which anybody can read the story, or withdraw it."""
    if not table.plays:
        return refuse_seat(request, "Observers watch; players share the story.")
    if request.POST.get("do") == "withdraw":
        withdraw_story(table.match)
    else:
        try:
            token = share_story(table.match)
        except Refused as error:
            return refuse_post(request, str(error), status=error.status)
        link = request.build_absolute_uri(reverse("firefight:shared-story", args=[token]))
        request.session["story_link"] = {table.match.pk: link}
    return redirect(f"{reverse('firefight:report', args=[table.match.pk])}#share")


def of_shared(view: Callable[[HttpRequest, str, Match], HttpResponse]) -> Callable[..., HttpResponse]:
    """Give the view the match whose story a link opens. Nobody keeps or indexes the answer."""

    @require_GET
    @cache_control(private=True, no_store=True)
    def guarded(request: HttpRequest, token: str) -> HttpResponse:
        match = find_story(token)
        if match is None:
            raise Http404("That link opens no story: it was withdrawn, or never was.")
        try:
            response = view(request, token, match)
        except BadPart as error:
            response = refuse_address(request, str(error))
        response["X-Robots-Tag"] = "noindex"
        response["Referrer-Policy"] = "no-referrer"
        return response

    return guarded


@of_shared
def shared_page(request: HttpRequest, token: str, match: Match) -> HttpResponse:
    """The story for anybody with the link, as observers may know it; for a match of weeks the list of its days."""
    if is_told_by_days(request, match):
        ctx = {"match": match, "stretches": report.list_stretches(match)}
        return render(request, "firefight/shared_days.html", ctx)
    return _tell_shared(request, token, _read_stretch(request, match, ()))


@of_shared
def shared_whole(request: HttpRequest, token: str, match: Match) -> HttpResponse:
    """All of the story, however long it is."""
    return _tell_shared(request, token, _read_stretch(request, match, (), None))


def _tell_shared(request: HttpRequest, token: str, story: Story) -> HttpResponse:
    address = reverse("firefight:shared-story", args=[token])
    mapped = ledger_of(story.match).map_addresses(story.match)
    pictures = {line: f"{address}maps/{line}.svg" for line in mapped}
    ctx = {
        **present_story(story.match, story),
        "address": address,
        "is_printed": story.last - story.first < report.MOST_AT_ONCE and len(report.divide_for_paper(story)) == 1,
        "photo_base": f"{address}photos/",
        "maps": {line: (picture, picture) for line, picture in pictures.items()},
    }
    return render(request, "firefight/shared.html", ctx)


@of_shared
def shared_pdf(request: HttpRequest, token: str, match: Match) -> HttpResponse:
    """The same on paper."""
    story = _read_stretch(request, match, ())
    if len(report.divide_for_paper(story)) > 1:
        raise BadPart("That is too long for one PDF.")
    paper = report_paper.draw_report(story, story.match.name, Format.A4, timezone.now(), zone_of(request))
    return HttpResponse(paper.bytes(), content_type="application/pdf")


@require_GET
@cache_control(private=True, no_store=True)
def shared_map(request: HttpRequest, token: str, line: int) -> HttpResponse:
    """The map as it was when the chapter that starts with a line began."""
    match = find_story(token)
    drawn = ledger_of(match).draw_map_of(match, (), line) if match else None
    if drawn is None:
        raise Http404("That link opens no map.")
    drawing, paints = drawn
    return send_picture(request, drawing, paints, "svg", "no-store")


@require_GET
@cache_control(private=True, no_store=True)
@sitting
def honours_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The roll of honour."""
    return render(request, "firefight/honours.html", {**describe_table(table), "sides": present_honours(table)})


@of_story(None)
def as_markdown(request: HttpRequest, table: Table, story: Story) -> HttpResponse:
    """The story as a Markdown file."""
    return _file(
        table, "\n".join(report.write_markdown(story, zone_of(request))) + "\n", "text/markdown; charset=utf-8", "md"
    )


@of_story()
def as_pdf(request: HttpRequest, table: Table, story: Story) -> HttpResponse:
    """The story on paper, in the size that the address names."""
    size = request.GET.get("paper", Format.A4)
    if size not in set(Format):
        raise BadPart(f"Paper is one of {', '.join(Format)}.")
    if len(parts := report.divide_for_paper(story)) > 1:
        ways = ", ".join(f"{first} to {last}" for first, last in parts)
        raise BadPart(f"That is too long for one PDF. Print it in {len(parts)} parts: lines {ways}.")
    knows = f"{table.game.call_side(table.side)} side knows" if table.plays else "every side may know"
    subject = f"{table.match.name} · as {knows} it"
    paper = report_paper.draw_report(story, subject, Format(size), timezone.now(), zone_of(request))
    return _file(table, paper.bytes(), "application/pdf", "pdf")


def _read_stretch(
    request: HttpRequest, match: Match, sees: tuple[str, ...], most: int | None = report.MOST_AT_ONCE
) -> Story:
    """The stretch of the log that the address names, ``most`` lines at most. Raises BadPart."""
    first, last = (number_in(request, name) for name in ("from", "to"))
    if any(request.GET.get(name) and number is None for name, number in (("from", first), ("to", last))):
        raise BadPart("A report goes from one line of the log to another: give their numbers.")
    lines = (match.last_number if last is None else last) - (1 if first is None else first) + 1
    if most and lines > most:
        raise BadPart(f"That is too long to be told at once: {most:,} lines at most. Choose fewer days of it.")
    return report.read_story(match, sees, first, last)


def _file(table: Table, content: str | bytes, kind: str, ending: str) -> HttpResponse:
    return send_file(content, kind, f"volga-{table.match.pk}-report.{ending}")
