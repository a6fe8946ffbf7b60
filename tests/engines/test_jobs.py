"""What players do most, with a thumb, in each engine."""

import pytest
from django.urls import reverse

from firefight.games.registry import games
from firefight.table.seats import sitting_down
from tests.filling import Reader
from tests.firefight import players

from .players import at_place, throw

pytestmark = pytest.mark.engines


def set_table(player):
    """A match whose German seat this browser has, with counters, a battery and a Russian elsewhere."""
    match, tokens = sitting_down.new_match(games()["combat-stalingrad"], "In every engine", hot_seat=False)
    russian = players.sit(reverse("firefight:open-link", args=[tokens["russian"]]), match.pk)
    russian.do("counters/add/", list="German: 3 Grenadier squads\nRussian: 2 Rifle squads, Maxim M1910")
    russian.do("counters/", id=["german-1", "german-2"], place="K7")
    russian.do("counters/", id=["russian-1", "russian-2", "russian-3"], place="L7")
    russian.do("record/", field="phase", value="fire_and_movement")
    player.go(reverse("firefight:open-link", args=[tokens["german"]]))
    player.tap("main form button.main")
    player.tap("main .way-back a.quiet")
    player.wait("document.querySelector('#table') !== null")
    return russian


def answer(russian, *faces):
    """The Russian types the dice of what is due to that side, elsewhere."""
    page = Reader(russian.client).open(f"/match/{russian.match_id}/")
    boxes = [box.attributes["name"] for box in page.find("#desk-form input.die")]
    page.form("#desk-form").fill(dict(zip(boxes, faces, strict=True))).press("Resolve")


def states(russian):
    return {counter["id"]: counter["state"] for counter in russian.get("counters.json").json()}


def test_a_fire_attack_a_mission_and_a_close_combat(player):
    russian = set_table(player)
    player.tap(at_place("K7"))
    player.tap("#rolls [data-roll=fire]")
    player.tap(at_place("L7"))
    throw(player, "25")
    player.see("C/M: 25 on column")
    answer(russian, 9, 3, 2)
    answer(russian, 9, 5, 3)
    player.see("Nothing more is due")
    assert states(russian)["russian-1"] == ["reduced", "disrupted"]

    russian.do("counters/", id=["russian-2", "russian-3"], place="R30")
    player.go(f"/match/{russian.match_id}/rows/missions/")
    player.type("[name=part-caliber]", "105")
    player.tap('main form[action*="/rows/"] button')
    player.tap(at_place("R30"))
    player.tap("#kept-cards form[action*=contact] button")
    throw(player, "30")
    player.see("Accuracy of the new CFF")
    throw(player, "30")
    player.see("On target")
    throw(player, "99")
    player.see("Nothing more is due")

    russian.do("counters/", id="russian-2", place="K7")
    russian.do("record/", field="phase", value="melee")
    player.go(f"/match/{russian.match_id}/")
    player.tap("#due a[href*=melee]")
    player.tap("#desk button[value=declare]")
    player.wait("document.querySelector('#desk button[value=declare]') === null")
    russian.do("melee/", place="K7", **{"told:russian": "1"})
    throw(player, "40")
    player.wait("document.querySelectorAll('#desk input.die').length === 0")
    answer(russian, 99)
    assert "reduced" in states(russian)["russian-2"]
