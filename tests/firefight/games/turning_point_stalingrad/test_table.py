"""A match of Turning Point: Stalingrad by two browsers over HTTP, its track against one that is kept by hand."""

import json
import random

import pytest

from firefight.table import replay
from tests import pages, soak
from tests.firefight import players
from tests.firefight.players import text_of
from tests.oracles.turning_point import Keeper

pytestmark = [pytest.mark.django_db]
SLUG = "turning-point-stalingrad"


@pytest.fixture
def table():
    """A browser for each side."""
    german, links = players.begin("german", game=SLUG)
    return {"german": german, "russian": players.sit(links["russian"], german.match_id)}


def stand(player):
    return player.get("record.json").json()


def buttons(player):
    return pages.values_of_each(text_of(player.get()), "[name=button]", "value")


def due(player, slug):
    """The roll that is due, by its step's id."""
    return next((step for step in player.match.state.queue if step.helper == slug), None)


class Walk:
    """Two browsers and a track kept by hand, side by side."""

    def __init__(self, table, rng):
        self.table, self.rng, self.keeper = table, rng, Keeper()
        self.acts = 0

    @property
    def mover(self):
        """Who has the impulse."""
        return self.table[self.keeper.side]

    def act(self, make):
        """Do something; now and then take it back at once, which puts everything back, and do it again."""
        before = self.mover.match.state
        make()
        self.acts += 1
        if self.rng.random() < 0.2:
            self.mover.do("take-back/")
            assert self.mover.match.state == before
            make()

    def press(self, button):
        player = self.mover
        self.act(lambda: player.do("advance/", button=button))

    def roll(self, slug, step="", **fields):
        player = self.mover
        asked = {"step": step, "chained": "on"} if step else {}
        self.act(lambda: player.roll(slug, dice="table", **asked, **fields))

    def check(self):
        found = stand(self.mover)
        assert found["place"] == self.keeper.place
        held = found["record"]["advantage"]
        keeper = self.keeper
        assert list(held.values()) == [keeper.owner, keeper.owner_at_dawn, keeper.used]

    def german_impulse(self, prolongs):
        """A German impulse after the first day: with a roll of its own, as most are that only move."""
        dr = self.rng.randint(1, 6) + self.rng.randint(1, 6)
        self.press("impulse")
        step = due(self.mover, "impulse")
        self.roll("impulse", step.id, date=step.inputs["date"], time=step.inputs["time"], box=step.inputs["box"], dr=dr)
        if dr > self.keeper.box:
            self.keeper.german(dr)
            return
        found = buttons(self.mover)
        assert ("prolong" in found) is self.keeper.may_prolong()
        if prolongs and self.keeper.may_prolong():
            self.press("prolong")
            step = due(self.mover, "advantage")
            self.roll(
                "advantage", step.id, **{name: value for name, value in step.inputs.items() if value is not False}
            )
            self.keeper.german(dr, prolong=True)
        else:
            self.press("turn")
            self.keeper.german(dr)


def test_forms_are_filled_from_place_and_record_and_not_with_what_only_has_the_same_name(table):
    german = table["german"]
    german.do("record/", field="box", value="5")
    page = german.get("roll/impulse/")
    assert pages.values_of_each(text_of(page), "[name=box]", "value") == ["5"]
    assert pages.values_of_each(text_of(page), "[name=track]", "value") == ["open"]
    assert not pages.find(text_of(page), "[name=advantage][checked]")
    assert not any(pages.values_of_each(text_of(german.get("roll/victory/")), "[name=points]", "value"))
    chosen = pages.values_of_each(text_of(german.get("roll/defensive-value/")), "[name=side] [selected]", "value")
    assert chosen == ["russian"]


def test_the_tem_of_an_area_is_asked_once_and_kept_as_the_owners(table):
    german = table["german"]
    german.roll("rubble", area="66", tem="4", attack_dr="8", dice="table")
    assert stand(german)["record"]["area_values"] == {"66": {"tem": 4}}
    page = text_of(german.get("roll/rubble/", area="66"))
    assert pages.values_of_each(page, "[name=tem]", "value") == ["4"]
    page = text_of(german.get("roll/rubble/", area="30"))
    assert pages.values_of_each(page, "[name=tem]", "value") == ["3"], "as the chart has it"
    german.do("take-back/")
    assert stand(german)["record"]["area_values"] == {}


def test_aircraft_attack_once_a_day(table):
    german = table["german"]
    german.roll("attack", kind="air", ov="8", dv="7", attack_dr="7", defence_dr="5", dice="table")
    assert stand(german)["record"]["luftwaffe_used"] is True
    german.roll("luftwaffe", used_today="on", dice="table")
    assert german.last.result.outcome == "refused"


def test_two_browsers_walk_from_13_september_to_the_end_of_the_first_week(table):
    rng = random.Random(f"week {soak.SEED}")
    walk, seen = Walk(table, rng), []
    while walk.keeper.is_fixed:
        walk.check()
        seen.append(walk.keeper.side)
        walk.press(buttons(walk.mover)[-1])
        (walk.keeper.german if walk.keeper.side == "german" else walk.keeper.russian)()
    assert (seen.count("german"), seen.count("russian")) == (12, 11)
    owners = set()
    while not walk.keeper.weeks_counted:
        walk.check()
        owners.add(walk.keeper.owner)
        if walk.keeper.side == "russian":
            walk.press("impulse")
            walk.keeper.russian()
            continue
        date = walk.keeper.date
        walk.german_impulse(prolongs=walk.keeper.date.day in (14, 16))
        if walk.keeper.date != date and not walk.keeper.weeks_counted:
            walk.mover.do("drop/", step="all")
    walk.check()
    assert owners == {"german", "russian"}, "the Advantage has changed hands"
    step = due(walk.mover, "victory")
    assert step and step.inputs == {"date": "1942-09-19"}, "the week's end asks for points"
    walk.mover.roll("victory", step=step.id, chained="on", date="1942-09-19", points="6", dice="table")
    assert walk.mover.last.result.outcome == "continue"
    assert stand(walk.mover)["record"]["points"] == 6
    exported = json.loads(text_of(walk.mover.get("log.json")))
    assert replay.examine(exported)["problems"] == []
