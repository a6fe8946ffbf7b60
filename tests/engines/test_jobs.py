"""What players do most, with a thumb, in each engine."""

import pytest
from django.urls import reverse

from firefight.assistant.registry import games
from firefight.table import acts

pytestmark = pytest.mark.engines


def sit_down(player):
    """A match of which this browser has the German seat."""
    match, tokens = acts.new_match(games()["combat-stalingrad"], "In every engine", hot_seat=False)
    player.go(reverse("firefight:open-link", args=[tokens["german"]]))
    player.tap("main form button.main")
    player.wait("document.querySelector('#desk') !== null")
    return match


def test_a_fire_attack(player):
    match = sit_down(player)
    player.go(reverse("firefight:roll", args=[match.pk, "fire"]))
    player.type("input[name=ff]", "8")
    player.type("input[name=die]", "50")
    player.tap(".dice button[value=table]")
    player.see("№ 2")
    assert match.log.get(helper="fire").rolls[0].face == 50
