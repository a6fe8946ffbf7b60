"""Addresses of the assistant and its matches."""

from django.urls import include, path

from .assistant import views as assist
from .chartroom import views as chartroom
from .table.views import (
    acts,
    archive,
    beginning,
    charts,
    counters,
    dice,
    hand,
    match,
    melee,
    record,
    report,
    rows,
    seats,
)

app_name = "firefight"

_assist = [
    path("", assist.games, name="games"),
    path("<slug:game>/", assist.helpers, name="helpers"),
    path("<slug:game>/reference/", assist.facts, name="reference"),
    path("<slug:game>/charts/", chartroom.house, name="charts"),
    path("<slug:game>/<slug:slug>.json", assist.helper_json, name="helper-json"),
    path("<slug:game>/<slug:slug>/odds.json", assist.odds_json, name="odds-json"),
    path("<slug:game>/<slug:slug>/odds/", assist.odds, name="odds"),
    path("<slug:game>/<slug:slug>/", assist.helper, name="helper"),
]

_charts = [
    path("", chartroom.shelf, name="charts-shelf"),
    path("compare/", chartroom.compare, name="charts-compare"),
    path("shared/<str:token>/", chartroom.open_shared, name="charts-shared"),
    path("<slug:ref>.toml", chartroom.file, {"form": "toml"}, name="chart-toml"),
    path("<slug:ref>.json", chartroom.file, {"form": "json"}, name="chart-json"),
    path("<slug:ref>.pdf", chartroom.paper, name="chart-paper"),
    path("<slug:ref>/", chartroom.book, name="chart-book"),
    path("<slug:ref>/<slug:name>/", chartroom.chart, name="chart-edit"),
]

# The first are asked for most.
_match = [
    path("sit/", archive.take_seat, name="sit"),
    path("", match.match_page, name="match"),
    path("live/", match.live, name="live"),
    path("hands/", match.hands, name="hands"),
    path("log/", match.older, name="log"),
    path("log.json", match.export, name="export"),
    path("report/", report.report_page, name="report"),
    path("report.md", report.as_markdown, name="report-markdown"),
    path("report.pdf", report.as_pdf, name="report-pdf"),
    path("file/", archive.file_page, name="file"),
    path("archive.json", archive.download, name="archive"),
    path("branch/", archive.branch, name="branch"),
    path("delete/", archive.delete, name="delete"),
    path("charts/", charts.of_match, name="match-charts"),
    path("dice/", match.dice, name="dice"),
    path("roll/<slug:slug>/", match.roll, name="roll"),
    path("roll/<slug:slug>/odds/", match.match_odds, name="match-odds"),
    path("due/", match.roll_due, name="due"),
    path("proposed/", counters.settle_proposed, name="proposed"),
    path("option/", counters.choose_option, name="option"),
    path("advance/", acts.advance, name="advance"),
    path("record/", record.page, name="record"),
    path("record.json", record.as_json, name="record-json"),
    path("rows/", rows.change, name="rows"),
    path("rows/<slug:field>/", rows.add_page, name="add-row"),
    path("rows/<slug:field>/<path:row>/", rows.row_page, name="record-row"),
    path("missions.json", rows.rows_json, {"field": "missions"}, name="missions-json"),
    path("aircraft.json", rows.rows_json, {"field": "aircraft"}, name="aircraft-json"),
    path("sets.json", rows.rows_json, {"field": "sets"}, name="sets-json"),
    path("ground.json", rows.rows_json, {"field": "ground"}, name="ground-json"),
    path("counters/", counters.counters_page, name="counters"),
    path("melee/", melee.sheet, name="melee"),
    path("hand/", hand.by_hand, name="hand"),
    path("table/", match.places, name="table"),
    path("counters/add/", counters.add, name="add-counters"),
    path("counters/value/", counters.keep_value, name="keep-value"),
    path("counters/undo/", counters.undo, name="undo-change"),
    path("counters.json", counters.counters_json, name="counters-json"),
    path("drop/", acts.drop, name="drop"),
    path("note/", acts.note, name="note"),
    path("reveal/", acts.reveal, name="reveal"),
    path("take-back/", acts.take_back, name="take-back"),
    path("answer/", acts.answer, name="answer"),
    path("end/", acts.end, name="end"),
    path("seats/", seats.seat_list, name="seats"),
    path("seats/issue/", seats.issue, name="issue"),
    path("seats/put-out/", seats.put_out, name="put-out"),
    path("seats/lost/", seats.lost, name="lost"),
    path("seats/here/", seats.here, name="here"),
    path("pin/", seats.pin, name="pin"),
    path("cover/", seats.cover, name="cover"),
    path("lift/", seats.lift, name="lift"),
]

urlpatterns = [
    path("", seats.home, name="home"),
    path("theme/", seats.theme, name="theme"),
    path("assist/", include(_assist)),
    path("charts/", include(_charts)),
    path("counters/<slug:game>/<slug:side>/<slug:key>.svg", assist.counter, {"form": "svg"}, name="counter-svg"),
    path("counters/<slug:game>/<slug:side>/<slug:key>.png", assist.counter, {"form": "png"}, name="counter-png"),
    path("match/new/", beginning.new_match, name="new-match"),
    path("match/new/<slug:game>/", beginning.new_match_of, name="new-match-of"),
    path("match/import/", archive.read, name="import"),
    path("match/<slug:match_id>/", include(_match)),
    path("seat/<str:token>/", seats.open_link, name="open-link"),
    path("claim/", seats.claim, name="claim"),
    path("dice/", dice.check, name="check-dice"),
]
