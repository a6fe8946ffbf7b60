"""What the usual jobs of a turn cost with a thumb on a phone of 360 x 740, and with the keyboard of a laptop."""

import json

from django.urls import reverse
from playwright.sync_api import expect

from firefight.assistant.registry import games
from firefight.table import acts
from tests.firefight.players import Player

from .table import result
from .thumb import Thumb

PHONE = {"width": 360, "height": 740}


class Told(Player):
    """Whoever sets the table before the job begins, in the browser's own seat."""

    def __init__(self, page, match_id):
        super().__init__(match_id)
        for cookie in page.context.cookies():
            self.client.cookies[cookie["name"]] = cookie["value"]


def sit_down(page):
    """A German seat at a match with three Russian counters in L7 and two squads in K7."""
    match, tokens = acts.new_match(games()["combat-stalingrad"], "Jobs", hot_seat=False)
    page.goto(reverse("firefight:open-link", args=[tokens["german"]]))
    page.locator("main form button.main").click()
    expect(page.locator("#desk")).to_be_visible()
    told = Told(page, match.pk)
    told.do("counters/add/", list="German: 2 Grenadier squads\nRussian: 2 Rifle squads, Maxim M1910")
    told.do("counters/", id=["german-1", "german-2"], place="K7")
    russian = {"id": ["russian-1", "russian-2", "russian-3"], "place": "L7"}
    answer = told.do("counters/", **russian)
    if told.match.proposal:
        raise AssertionError(answer)
    told.do("record/", field="phase", value="fire_and_movement")
    return told


def open_table(page, told):
    page.goto(f"/match/{told.match_id}/")
    expect(page.locator("#table .counter").first).to_be_visible()


def place(page, name):
    return page.locator(f'#table .place[data-place*="{name}"] legend')


def bar(page, name):
    return page.locator("#rolls").get_by_role("button", name=name)


def press_resolve(thumb):
    thumb.tap(thumb.page.locator("#desk").get_by_role("button", name="Resolve", exact=True))


def throw(thumb, *faces):
    thumb.type(thumb.page.locator("#desk input.die"), *faces)
    print("typed", thumb.effort)
    press_resolve(thumb)
    print(thumb.effort)


def fire_at_three(thumb):
    """Two squads on a stack of three, C/M on the table, who is hit, all three checks."""
    page = thumb.page
    thumb.tap(place(page, "K7"))
    print(thumb.effort)
    thumb.tap(bar(page, "Fire"))
    print(thumb.effort)
    thumb.tap(place(page, "L7"))
    throw(thumb, "25")
    expect(result(page)).to_contain_text("C/M: 25")
    throw(thumb, "9", "3", "2")
    expect(page.locator("#desk form.due h2")).to_contain_text("3 due")
    throw(thumb, "9", "5", "3")
    expect(page.get_by_text("Nothing more is due")).to_be_visible()


def test_a_fire_attack_with_a_thumb(new_page):
    page = new_page(**PHONE)
    told = sit_down(page)
    open_table(page, told)
    thumb = Thumb(page)
    fire_at_three(thumb)
    print(thumb.effort)
    states = {each["id"]: each["state"] for each in json.loads(told.get("counters.json").content)}
    print(states)
