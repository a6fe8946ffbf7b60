"""The walks that docs/architecture.md draws are walked, from address to page, and the whole way of each is measured."""

import re
import sys
from dataclasses import dataclass
from unittest import mock

import pytest

from campaign.rules.stages import Stage
from tests.campaign import players as campaign
from tests.config.test_imports import ROOT
from tests.filling import Reader
from tests.firefight import players as firefight
from tests.reading import trial

pytestmark = pytest.mark.django_db

ROW = re.compile(r"^\| (\d+) \| `(\S+)` \| (.+) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Stop:
    """One row of a walk: its module, and the function or class in it that the row names first."""

    module: str
    name: str


def drawn(heading):
    """The stops of a walk as the page draws them."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    part = page.partition(f"### {heading}\n")[2].partition("\n#")[0]
    return [Stop(module, (re.findall(r"`(\w+)`", words) or [""])[0]) for _, module, words in ROW.findall(part)]


def entered(frame):
    """The places by which a call can be known: where its function stands, and whose method it is."""
    path = frame.f_code.co_filename.removeprefix(f"{ROOT}/")
    if path.startswith("templates/"):
        return [(path, "")]
    owner = type(frame.f_locals.get("self"))
    names = {frame.f_code.co_name, frame.f_code.co_qualname.partition(".")[0]}
    return [*((path, name) for name in names), (f"{owner.__module__.replace('.', '/')}.py", owner.__name__)]


def room_of(path):
    """A folder of an app or a module beside the folders, or the templates; "" for anything else."""
    path = path.removeprefix(f"{ROOT}/")
    if path.startswith("templates/"):
        return "templates"
    return "/".join(path.split("/")[:2]) if path.startswith(("firefight/", "campaign/")) else ""


def rooms_above(frame):
    """The rooms that wait for this call, the nearest first, each named once where calls go on within it."""
    rooms = []
    while frame := frame.f_back:
        room = room_of(frame.f_code.co_filename)
        if room and rooms[-1:] != [room]:
            rooms.append(room)
    return rooms


def walk(stops, do):
    """In which order the stops are first entered, and which calls go back into a room that waits for their caller.

    A template that reads what it was handed goes nowhere.
    """
    stops_at = {(stop.module, stop.name): stop for stop in stops}
    order, returns = {}, set()

    def look(frame, event, _):
        room = room_of(frame.f_code.co_filename) if event == "call" else ""
        if room:
            order.update((stops_at[place], None) for place in entered(frame) if place in stops_at)
            caller, *waiting = rooms_above(frame) or [room]
            if room in waiting and caller not in (room, "templates"):
                returns.add((caller, room, frame.f_code.co_qualname))

    sys.setprofile(look)
    try:
        do()
    finally:
        sys.setprofile(None)
    return list(order), returns


def in_code(stops):
    """The stops that can be seen on the way: addresses are read long before."""
    return [stop for stop in stops if not stop.module.endswith("urls.py")]


def test_a_fire_attack_walks_as_it_is_drawn_and_nobody_calls_back(frozen):
    german, stops = frozen("table", firefight.seated).german, drawn("A fire attack")
    fields = {**firefight.SAMPLES["fire"], "dice": "table"}
    german.roll("fire", htmx=True, **fields)  # what is read at the first time, such as the games, is no part of it
    order, returns = walk(stops, lambda: german.roll("fire", htmx=True, **fields))
    assert order == in_code(stops)
    assert len({room_of(stop.module) for stop in stops}) <= 8
    assert returns == set()


def test_a_purchase_walks_as_it_is_drawn(frozen):
    german = frozen(f"volga, {Stage.PURCHASES}", lambda: campaign.play_to(campaign.seated(), Stage.PURCHASES)).german
    stops, at = drawn("A purchase"), "roster/german/?group=I1"
    fields = german.form("buy", at).filled(dice="table", die=10)
    with trial():
        german.post(at, fields, follow=True)
    order, _ = walk(stops, lambda: german.post(at, fields, follow=True))
    assert order == in_code(stops)
    assert len({room_of(stop.module) for stop in stops}) <= 9


# The whole way


@dataclass(frozen=True)
class Way:
    """All that an act enters, from the request to the page: modules, rooms, and calls back into a module that waits."""

    modules: set[str]
    rooms: set[str]
    back: list[tuple[str, str, str]]  # caller, module, function: one for each call


def app_module(frame):
    """The module of either app whose code a frame runs, as a path; "" for any other."""
    path = frame.f_code.co_filename.removeprefix(f"{ROOT}/")
    return path if path.startswith(("firefight/", "campaign/")) else ""


def folder_of(module):
    """The room of a module: a folder of an app. What lies beside the folders, such as models.py, is ground to all."""
    app, folder, *inside = module.split("/")
    return f"{app}/{folder}" if inside else ""


def is_inline(frame):
    """Whether a frame is a part of the function around it, handed on unasked: a generator, a comprehension."""
    return frame.f_code.co_name in ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")


def measure(do):
    """The whole way of what ``do`` does."""
    way = Way(set(), set(), [])

    def look(frame, event, _):
        callee = app_module(frame) if event == "call" else ""
        if not callee:
            return
        way.modules.add(callee)
        way.rooms.update(filter(None, [folder_of(callee)]))
        caller, waiting, above = "", set(), frame
        while above := above.f_back:
            module = app_module(above)
            caller = caller or module
            waiting.add(module)
        if caller != callee and callee in waiting and not is_inline(frame):
            way.back.append((caller, callee, frame.f_code.co_qualname))

    sys.setprofile(look)
    try:
        do()
    finally:
        sys.setprofile(None)
    return way


def assert_within(way, rooms, back):
    """Bounds that only fall. Modules have none: what comes apart into two makes no way longer."""
    print(f"{len(way.modules)} modules, {len(way.rooms)} rooms, {len(way.back)} calls back")
    assert len(way.rooms) <= rooms, sorted(way.rooms)
    assert len(way.back) <= back, way.back


def fill_fire(reader):
    """The form of a fire attack with counters, filled, on a page that is open."""
    reader.form("#table").fill(chosen=["german-1", "russian-1"])
    reader.press("Fire")
    return reader.form("#desk-form").fill(range=3, die=25)


def test_a_call_back_is_seen():
    def ask():
        return list(map(str, (Named() for _ in range(2))))

    class Named:
        def __str__(self):
            return call_back()

    def call_back():
        return "here"

    # The frames of a test stand in no app: let those of this one be two modules that wait for each other.
    names = {"ask": "firefight/a/x.py", "__str__": "campaign/b/y.py", "call_back": "firefight/a/x.py"}
    with mock.patch(f"{__name__}.app_module", lambda frame: names.get(frame.f_code.co_name, "")):
        way = measure(ask)
    assert way.rooms == {"firefight/a", "campaign/b"}
    assert [(caller, callee) for caller, callee, _ in way.back] == [("campaign/b/y.py", "firefight/a/x.py")] * 2


def test_the_whole_way_of_a_fire_attack_with_counters_and_of_its_correction():
    table = firefight.seated()
    for side, counters in {"german": "2 Grenadier squads, NCO", "russian": "2 Rifle squads, NCO"}.items():
        assert getattr(table, side).do("counters/add/", side=side, list=counters).status_code == 302
    page = f"/match/{table.german.match_id}/"
    reader = Reader(table.german.client, script=True)
    fill_fire(reader.open(page)).press("Resolve")  # what is read at the first time is no part of it
    form = fill_fire(reader.open(page))
    assert_within(measure(lambda: form.press("Resolve")), rooms=6, back=2)
    corrected = [line.number for line in table.german.log if line.helper == "fire"][-1]
    form = reader.open(f"{page}roll/fire/?corrects={corrected}").form("#desk-form").fill(die=26)
    assert_within(measure(lambda: form.press("Resolve")), rooms=6, back=2)


def test_the_whole_way_of_a_purchase(frozen):
    german = frozen(f"volga, {Stage.PURCHASES}", lambda: campaign.play_to(campaign.seated(), Stage.PURCHASES)).german
    at = "roster/german/?group=I1"
    fields = german.form("buy", at).filled(dice="table", die=10)
    with trial():
        german.post(at, fields, follow=True)
    assert_within(measure(lambda: german.post(at, fields, follow=True)), rooms=10, back=4)
