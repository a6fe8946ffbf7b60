"""What is said about a pasted line that names no counter."""

import pytest

from firefight.engine.board.pasting import read_list

NAMES = {
    "red": {"rifle": "Rifle squad", "leader": "Leader", "tank": "T-34"},
    "blue": {
        "grenadier": "Grenadier squad",
        "leader": "Leader",
        "panzer": "Panzer IV",
        "c": "StuG III C",
        "f": "StuG III F",
    },
}
SIDES = {"red": "Red", "blue": "Blue"}


@pytest.mark.parametrize(
    ("side", "typed", "words"),
    [
        ("red", "Rifel squad", "“Rifel squad”: The Red has no such counter. Is it “Rifle squad”?"),
        ("red", "2 Rifel squads", "“2 Rifel squads”: The Red has no such counter. Is it “Rifle squad”?"),
        ("red", "1000 x T-43", "“1000 x T-43”: The Red has no such counter. Is it “T-34”?"),
        ("red", "Panzer VI", "“Panzer VI”: The Red has no such counter."),  # the other side's is no help
        ("", "Grenadeir squad", "“Grenadeir squad”: There is no such counter. Is it “Grenadier squad”?"),
        ("red", "2 T34", "“2 T34”: The Red has no such counter. Is it “T-34”?"),
        ("blue", "Stug", "“Stug”: The Blue has no such counter. Is it “StuG III C” or “StuG III F”?"),
        (
            "red",
            "Rifel squad\r\n",
            "“Rifel squad”: The Red has no such counter. Is it “Rifle squad”?",
        ),  # as a browser ends a line
        ("", "Zeppelin", "“Zeppelin”: There is no such counter."),
        ("", "Leader", "“Leader”: Red and Blue have that. Write the side before it, as in “Red: Leader”."),
        ("red", "200 T-34", "“200 T-34”: give a number from 1 to "),
    ],
)
def test_what_is_no_counter_is_said_with_whose_it_is_not_and_what_comes_close(side, typed, words):
    units, (problem,) = read_list(typed, NAMES, SIDES, side)
    assert not units
    assert problem.startswith(words)
    assert "Is it" in words or "Is it" not in problem
