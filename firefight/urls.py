"""Addresses of the assistant and its matches."""

from django.urls import path

from .assistant import views as assist
from .chartroom import views as chartroom
from .table.views import acts, archive, beginning, charts, counters, dice, match, record, report, seats

app_name = "firefight"

# /assist/<game>/<helper>/
HELPER = "assist/<slug:game>/<slug:slug>"
# /match/<id>/
MATCH = "match/<slug:match_id>"

urlpatterns = [
    path("", seats.home, name="home"),
    path("theme/", seats.theme, name="theme"),
    path("assist/", assist.games, name="games"),
    path("assist/<slug:game>/", assist.helpers, name="helpers"),
    path("assist/<slug:game>/reference/", assist.facts, name="reference"),
    path("assist/<slug:game>/charts/", chartroom.house, name="charts"),
    path("counters/<slug:game>/<slug:side>/<slug:key>.svg", assist.counter, {"form": "svg"}, name="counter-svg"),
    path("counters/<slug:game>/<slug:side>/<slug:key>.png", assist.counter, {"form": "png"}, name="counter-png"),
    path(f"{HELPER}.json", assist.helper_json, name="helper-json"),
    path(f"{HELPER}/odds.json", assist.odds_json, name="odds-json"),
    path(f"{HELPER}/odds/", assist.odds, name="odds"),
    path(f"{HELPER}/", assist.helper, name="helper"),
    path("charts/", chartroom.shelf, name="charts-shelf"),
    path("charts/compare/", chartroom.compare, name="charts-compare"),
    path("charts/shared/<str:token>/", chartroom.open_shared, name="charts-shared"),
    path("charts/<slug:ref>.toml", chartroom.file, {"form": "toml"}, name="chart-toml"),
    path("charts/<slug:ref>.json", chartroom.file, {"form": "json"}, name="chart-json"),
    path("charts/<slug:ref>.pdf", chartroom.paper, name="chart-paper"),
    path("charts/<slug:ref>/", chartroom.book, name="chart-book"),
    path("charts/<slug:ref>/<slug:name>/", chartroom.chart, name="chart-edit"),
    path("match/new/", beginning.new_match, name="new-match"),
    path("match/new/<slug:game>/", beginning.new_match_of, name="new-match-of"),
    path("match/import/", archive.read, name="import"),
    path(f"{MATCH}/sit/", archive.take_seat, name="sit"),
    path(f"{MATCH}/", match.match_page, name="match"),
    path(f"{MATCH}/live/", match.live, name="live"),
    path(f"{MATCH}/hands/", match.hands, name="hands"),
    path(f"{MATCH}/log/", match.older, name="log"),
    path(f"{MATCH}/log.json", match.export, name="export"),
    path(f"{MATCH}/report/", report.report_page, name="report"),
    path(f"{MATCH}/report.md", report.as_markdown, name="report-markdown"),
    path(f"{MATCH}/report.pdf", report.as_pdf, name="report-pdf"),
    path(f"{MATCH}/file/", archive.file_page, name="file"),
    path(f"{MATCH}/archive.json", archive.download, name="archive"),
    path(f"{MATCH}/branch/", archive.branch, name="branch"),
    path(f"{MATCH}/delete/", archive.delete, name="delete"),
    path(f"{MATCH}/charts/", charts.of_match, name="match-charts"),
    path(f"{MATCH}/dice/", match.dice, name="dice"),
    path(f"{MATCH}/roll/<slug:slug>/", match.roll, name="roll"),
    path(f"{MATCH}/roll/<slug:slug>/odds/", match.match_odds, name="match-odds"),
    path(f"{MATCH}/due/", match.roll_due, name="due"),
    path(f"{MATCH}/advance/", acts.advance, name="advance"),
    path(f"{MATCH}/record/", record.page, name="record"),
    path(f"{MATCH}/record.json", record.as_json, name="record-json"),
    path(f"{MATCH}/counters/", counters.change, name="counters"),
    path(f"{MATCH}/counters/add/", counters.add, name="add-counters"),
    path(f"{MATCH}/counters/value/", counters.keep_value, name="keep-value"),
    path(f"{MATCH}/counters/undo/", counters.undo, name="undo-change"),
    path(f"{MATCH}/counters.json", counters.counters_json, name="counters-json"),
    path(f"{MATCH}/drop/", acts.drop, name="drop"),
    path(f"{MATCH}/note/", acts.note, name="note"),
    path(f"{MATCH}/reveal/", acts.reveal, name="reveal"),
    path(f"{MATCH}/take-back/", acts.take_back, name="take-back"),
    path(f"{MATCH}/answer/", acts.answer, name="answer"),
    path(f"{MATCH}/end/", acts.end, name="end"),
    path(f"{MATCH}/seats/", seats.seat_list, name="seats"),
    path(f"{MATCH}/seats/issue/", seats.issue, name="issue"),
    path(f"{MATCH}/seats/put-out/", seats.put_out, name="put-out"),
    path(f"{MATCH}/seats/lost/", seats.lost, name="lost"),
    path(f"{MATCH}/seats/here/", seats.here, name="here"),
    path(f"{MATCH}/pin/", seats.pin, name="pin"),
    path(f"{MATCH}/cover/", seats.cover, name="cover"),
    path(f"{MATCH}/lift/", seats.lift, name="lift"),
    path("seat/<str:token>/", seats.open_link, name="open-link"),
    path("claim/", seats.claim, name="claim"),
    path("dice/", dice.check, name="check-dice"),
]
