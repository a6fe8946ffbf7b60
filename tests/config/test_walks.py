"""The two walks that docs/architecture.md draws are walked: one fire attack, one purchase, from address to page."""

import re
import sys
from dataclasses import dataclass

import pytest

from campaign.rules.stages import Stage
from tests.campaign import players as campaign
from tests.config.test_imports import ROOT
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
    """A folder of an app or a module beside the folders, or the templates; "" for what is none."""
    path = path.removeprefix(f"{ROOT}/")
    if path.startswith("templates/"):
        return "templates"
    return "/".join(path.split("/")[:2]) if path.startswith(("firefight/", "campaign/")) else ""


def rooms_above(frame):
    """The rooms that wait for this call, the nearest first, each named once where calls go on within it."""
    found = []
    while frame := frame.f_back:
        room = room_of(frame.f_code.co_filename)
        if room and found[-1:] != [room]:
            found.append(room)
    return found


def walk(stops, do):
    """In which order the stops are first entered, and which calls go back into a room that waits for their caller.

    A template that reads what it was handed goes nowhere.
    """
    wanted = {(stop.module, stop.name): stop for stop in stops}
    order, returns = {}, set()

    def look(frame, event, _):
        here = room_of(frame.f_code.co_filename) if event == "call" else ""
        if here:
            order.update((wanted[place], None) for place in entered(frame) if place in wanted)
            caller, *waiting = rooms_above(frame) or [here]
            if here in waiting and caller not in (here, "templates"):
                returns.add((caller, here, frame.f_code.co_qualname))

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
