"""Impulses that are led at random, on the rehearsal's map: what a guide names its form takes. No database is needed."""

import random

import pytest

from firefight.games import chartbooks, registry
from firefight.games.turning_point_stalingrad import rehearsal
from firefight.games.turning_point_stalingrad.rules.areas import read_areas
from firefight.games.turning_point_stalingrad.rules.course import DONE, FLIP
from firefight.games.turning_point_stalingrad.rules.guiding import ImpulseGuide
from firefight.games.turning_point_stalingrad.rules.marching import find_unattacked, read_goals
from firefight.kit import Terms
from tests.soak import length, seeds

pytestmark = pytest.mark.soak
GAME = "turning-point-stalingrad"
IMPULSES, MOST_STEPS = length(60, 400), 60
GUIDE = ImpulseGuide()


def begin(seed):
    terms = Terms(registry.games()[GAME], chartbooks.shipped(GAME), {"weeks": "9"})
    return rehearsal.begin_weeks(rehearsal.POLICIES["bold"], seed, terms)


def take(chance, table, rng):
    """Do what a guide has named, as a page opens it; returns its heading, or "" for what needs the map."""
    if chance.roll == "move":
        goals = read_goals(table.fill("move", targets=chance.ids).inputs()["goals"])
        area = table.pieces[chance.ids[0]].counter.place
        is_known = read_areas(table.terms.charts).neighbours(area).are_all
        assert goals or not is_known, f"{chance.name} in {area} goes nowhere"
        roomy = [goal for goal in goals if has_room(goal, chance.ids, table)]
        if not roomy:
            return ""
        goal = rng.choice(roomy)
        result = table.roll("move", {"goal": goal}, targets=chance.ids)
        if chance.title == "Move":
            assert result.details["mf"] <= max(goals.values()), "no Area costs more than its press said"
    elif chance.roll == "attack" and chance.at:
        table.roll("attack", dict(chance.known), firers=chance.ids, targets=chance.at)
    elif chance.roll == "refit":
        table.roll("refit", dict(chance.known))
    else:
        return ""
    return chance.title


def has_room(goal, ids, table):
    """Ten to an Area, so that it can attack (7.1): its players see to that."""
    side = table.position.side
    present = [counter for counter in table.look().counters if (counter.side, counter.place) == (side, goal)]
    return len(present) + len(ids) <= 10


def lead_impulse(playing, rng, done):
    """An impulse as played by somebody who does what the guide says, and often ends it as soon as nothing is owed."""
    table, before, chosen = playing.table, playing.table.position, ""
    for _ in range(MOST_STEPS):
        playing._settle()
        if playing.is_over or (table.position.turn, table.position.impulse) != (before.turn, before.impulse):
            return
        step = GUIDE.find_step(table.look(), chosen)
        areas = [choice.slug for choice in step.choices if choice.slug]
        if areas:
            chosen = rng.choice(areas)
            continue
        is_bound = "8.34" in step.rule
        chances = [chance for chance in step.chances if not is_bound or chance.title == "Attack"]
        if not chances or (not is_bound and rng.random() < 0.15):
            break
        done.append(take(rng.choice(chances), table, rng))
    assert not find_unattacked(playing.deploy(), table.look()), "who has entered has attacked"
    end_impulse(playing, before)


def end_impulse(playing, before):
    table = playing.table
    while (table.position.turn, table.position.impulse) == (before.turn, before.impulse) and not playing.is_over:
        buttons = [button.slug for button in table.course.buttons(table.position, table.record)]
        table.press(FLIP if FLIP in buttons else DONE)
        playing._settle()


@pytest.mark.parametrize("seed", seeds(2, 12))
def test_whatever_the_guide_names_its_form_takes(seed):
    playing, rng, done = begin(seed), random.Random(seed), []
    for _ in range(IMPULSES):
        lead_impulse(playing, rng, done)
        playing._tell_control()
        if playing.is_over:
            break
    assert {"Move", "Attack", "Regroup"} <= set(done), "all of it has come up"
    assert playing.table.flaws == []
