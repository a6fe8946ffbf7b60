"""The record page of a game that declares no record: where the match stands, in the words of its game."""

from tests import pages
from tests.firefight.players import text_of


def choices_of(player, name):
    return pages.words_of_each(text_of(player.get("record/")), f"#{name} option")


def test_phases_and_sides_are_called_by_their_names(table):
    assert choices_of(table.german, "phase")[0] == "Command Phase"
    assert choices_of(table.german, "impulse") == ["German", "Russian"]
    table.german.do("record/", field="impulse", value="russian")
    assert "Russian" in table.german.last.sentence and "russian" not in table.german.last.sentence
    assert table.german.match.state.position.side == "russian"
