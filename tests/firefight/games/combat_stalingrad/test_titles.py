"""Whether the title of a roll that the course or the record asked for is one that they give."""

import pytest

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import TableState
from firefight.games import registry
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.titles import TITLES
from tests.books import HOUSE

ROWS = {
    "missions": {
        "german-1": {"side": "german", "name": "Anton", "plotted": True, "plot": ["K7", "L8"], "plot_turn": 3}
    },
    "aircraft": {"german-1": {"side": "german", "name": "Ju 87", "planes": 2}},
    "sets": {"german-1": {"side": "german", "name": "Dora", "device": "phone"}},
}
PLOT, FLIGHT, STAY = {"mission": "german-1", "marker": "plot"}, {"flight": "german-1"}, {"already_in_play": True}


def judge(slug, title, inputs):
    state = TableState(Position(3, "fire_and_movement"), registry.games()[GAME].record.complete(ROWS), HOUSE)
    return TITLES[slug](title, inputs, state)


@pytest.mark.parametrize(
    ("slug", "title", "inputs", "is_one"),
    [
        ("contact", "Plot of turn 3: Anton", PLOT, True),
        ("contact", "Plot of turn 4: Anton", PLOT, False),
        ("contact", "Plot of turn 3: Berta", PLOT, False),
        ("contact", "Anton calls", PLOT, False),
        ("contact", "Plot of turn 3: Anton", {**PLOT, "marker": "cff"}, False),
        ("contact", "Plot of turn 3: Anton", {**PLOT, "mission": "german-9"}, None),  # it is not there any more
        ("air-arrival", "Ju 87: stay over the map?", STAY | FLIGHT, True),
        ("air-arrival", "Po-2: stay over the map?", STAY | FLIGHT, False),
        ("air-arrival", "Ju 87: stay over the map?", FLIGHT, False),
        ("air-arrival", "Ju 87: stay over the map?", STAY | {"flight": "german-9"}, None),
        ("end-of-firefight", "End of Firefight, turn 5", {"turn": 5}, True),
        ("end-of-firefight", "End of Firefight, turn 6", {"turn": 5}, False),
        ("fire", "Fire on 1st squad (12 FF)", {"ff": 12, "artillery": True}, True),
        ("fire", "Fire on 1st squad (12 FF)", {"ff": 12, "artillery": False}, False),
        ("fire", "Fire on 1st squad (12 FF)", {"ff": 13, "artillery": True}, False),
        ("fire", "K7: HE of Ju 87 (40 FF)", {"ff": 40, "weapon": "air", "units": [{"hex": "K7"}]}, True),
        ("fire", "K7: HE of Ju 87 (40 FF)", {"ff": 40, "weapon": "air", "place": "K7/1"}, True),
        ("fire", "K8: HE of Ju 87 (40 FF)", {"ff": 40, "weapon": "air", "units": [{"hex": "K7"}]}, False),
        ("fire", "K7: HE of Ju 87 (40 FF)", {"ff": 40, "weapon": "air"}, False),
        ("fo-loss", "Dora: left or lost with 1st squad?", {"set": "german-1"}, True),
        ("fo-loss", "Emil: left or lost with 1st squad?", {"set": "german-1"}, False),
        ("fo-loss", "Dora", {"set": "german-1"}, False),
        ("fo-loss", "Dora: left or lost with 1st squad?", {"set": "german-9"}, None),
        ("air-attack", "Air attack on K7 by Ju 87", {"hex": "K7", **FLIGHT}, True),
        ("air-attack", "Air attack on K7 by Po-2", {"hex": "K7", **FLIGHT}, False),
        ("air-attack", "Air attack on K8 by Ju 87", {"hex": "K7", **FLIGHT}, False),
        ("air-attack", "Air attack on K7 by Ju 87", {"hex": "K7"}, None),
        ("anti-aircraft", "AA fire of DShK 38 at Ju 87", FLIGHT, True),
        ("anti-aircraft", "AA fire of DShK 38 at Po-2", FLIGHT, False),
        ("anti-aircraft", "DShK 38 at Ju 87", FLIGHT, False),
    ],
)
def test_a_title_says_what_its_roll_is_about(slug, title, inputs, is_one):
    verdict = judge(slug, title, inputs)
    assert verdict is is_one, (slug, title)


@pytest.mark.parametrize(
    ("title", "better", "is_one"),
    [
        ("Close Combat: 1st squad and NCO against 2nd squad", "unknown", True),
        ("Close Combat: 1st squad against 2nd squad", "unknown", False),
        ("Close Combat: 1st squad and NCO: no better odds than 1-4", "no", True),
        ("Close Combat: 1st squad and NCO: no better odds than 1-4", "unknown", False),
    ],
)
def test_an_attack_of_close_combat_names_both_sides(title, better, is_one):
    inputs = {"attack": [{"name": "1st squad"}, {"name": "NCO"}], "defense": [{"name": "2nd squad"}]}
    assert judge("close-combat", title, inputs | {"better_odds": better}) is is_one


@pytest.mark.parametrize("slug", ["contact", "air-arrival", "fo-loss", "air-attack", "anti-aircraft"])
def test_who_does_not_know_how_it_stood_cannot_tell(slug):
    rolls = {
        "contact": ("Plot of turn 3: Anton", PLOT),
        "air-arrival": ("Ju 87: stay over the map?", STAY | FLIGHT),
        "fo-loss": ("Dora: left or lost with 1st squad?", {"set": "german-1"}),
        "air-attack": ("Air attack on K7 by Ju 87", {"hex": "K7", **FLIGHT}),
        "anti-aircraft": ("AA fire of DShK 38 at Ju 87", FLIGHT),
    }
    assert TITLES[slug](*rolls[slug], None) is None
