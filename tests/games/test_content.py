"""Sheets of a game's content: pasted before it begins, checked, agreed, played on, taken back; by a toy."""

import pytest

from examples.fox_hunt.board import BOARD
from examples.fox_hunt.sheets import CONTENT, build_wood, find_flaws_of_wood
from firefight.engine.board.board import digest_board
from firefight.games import registry
from firefight.table.act import bounds
from firefight.table.board import content
from tests.filling import Reader
from tests.firefight import players

pytestmark = pytest.mark.django_db
GAME, HOUSE = "fox-hunt", CONTENT.write_house()["places"]
OWN = HOUSE.replace("A3\twood\tx", "A3\twood").replace("A1\tfield", "A1\tfield\tx")


@pytest.fixture
def hounds(frozen):
    """A match in which nothing is done yet."""
    return frozen("hounds", lambda: players.begin("hounds", game=GAME)[0])


def page(player, query=""):
    return Reader(player.client).open(f"/match/{player.match_id}/content/{query}")


def page_of_match(player):
    return Reader(player.client).open(f"/match/{player.match_id}/")


def use(player, text, press="Use it"):
    reader = page(player)
    reader.form("#content").fill(places=text).press(press)
    return reader


def test_a_hunt_is_played_on_another_wood(hounds):
    assert "Played on our own invention, not on what is in your box" in page(hounds).words()
    assert use(hounds, OWN).status == 200
    assert hounds.match.state.content == {"places": OWN}
    hounds.do("step/")
    animals = hounds.match.state.record["hunt"]["animals"]
    assert sorted(animals) == ["A1", "B2", "C3"] and sorted(animals.values()) == ["fox", "rabbit", "rabbit"]
    assert hounds.get(f"board/{digest_board(BOARD)}.svg").status_code == 404
    drawn = digest_board(CONTENT.read({"places": OWN}).content)
    assert drawn in hounds.get("").content.decode() and hounds.get(f"board/{drawn}.svg").status_code == 200


@pytest.mark.parametrize(
    "old, new, reason",
    [
        ("A3\twood\tx", "A3\twood", "There are three lairs (1.1), not 2."),
        ("A3\twood\tx", "A3\tsea\tx", "Places: Row 3 (A3), ground: should be one of field, wood, brook."),
        ("A3\twood\tx", "A3\t\tx", "Places: Row 3 (A3), ground: has to be there."),
        ("A3\twood\tx", "A2\twood\tx", "Places: Row 3: there is another A2 on this sheet."),
        ("A3\twood\tx", "A9\twood\tx", "Places: A1 to D3 have a row each; look at A9, A3."),
        ("name\tground\tlair", "name\tground\tden", "Places: “den” is not a column here."),
    ],
)
@pytest.mark.parametrize("press", ["Check", "Use it"])
def test_what_is_wrong_is_said_and_nothing_is_kept(hounds, press, old, new, reason):
    assert old in HOUSE
    reader = use(hounds, HOUSE.replace(old, new), press)
    assert reader.status == 422 and reason in reader.words("#trouble")
    assert reader.find("#content-places")[0].text() == HOUSE.replace(old, new)
    assert hounds.match.state.content == {}


def test_no_more_is_kept_than_a_match_may_hold(hounds):
    answer = hounds.do("content/", places="x" * (bounds.LONGEST_CONTENT + 1))
    assert answer.status_code == 422 and "at most 20,000 characters" in players.words_of(answer)


def test_it_is_taken_back_and_no_longer_changed_once_the_hunt_is_on(hounds):
    use(hounds, OWN)
    hounds.do("take-back/")
    assert hounds.match.state.content == {}
    hounds.do("step/")
    answer = hounds.do("content/", places=OWN)
    assert answer.status_code == 403 and "The game has begun" in players.words_of(answer)
    assert not page(hounds).find("#content-places") and hounds.match.state.content == {}


def test_an_observer_reads_it_and_changes_nothing(hounds):
    use(hounds, OWN)
    hounds.match.seats.filter(side="observer")
    stranger = players.Player()
    stranger.match_id = hounds.match_id
    assert stranger.do("content/", house="on").status_code == 403
    assert hounds.match.state.content == {"places": OWN}


def test_a_branch_from_before_the_first_act_is_played_on_the_owners_sheets(hounds):
    use(hounds, OWN)
    hounds.do("step/")
    chapters = list(hounds.match.snapshots.order_by("number").values_list("label", "number"))
    assert [label for label, _ in chapters] == ["The beginning", content.ON_OWNERS]
    for (_, number), sheets in zip(chapters, ({}, {"places": OWN}), strict=True):
        sent = hounds.do("branch/", number=str(number))
        branched = players.Player(sent["Location"].split("/")[2])
        branched.client = hounds.client
        assert branched.match.state.content == sheets
        branched.do("step/")
        assert ("A1" in branched.match.state.record["hunt"]["animals"]) == bool(sheets)
    hounds.do("take-back/")
    hounds.do("take-back/")
    assert hounds.match.state.content == {} and hounds.match.snapshots.count() == 1


@pytest.mark.parametrize(
    "game, side, titles",
    [
        ("fox-hunt", "hounds", ["The wood: the house's"]),
        ("streets-of-stalingrad", "german", ["Charts", "Units: 0 sheets"]),
        ("inferno-on-the-volga", "german", ["Charts", "Map, blocks and cards: the house's"]),
        ("combat-stalingrad", "german", ["Charts"]),
    ],
)
def test_one_list_leads_to_all_that_owners_may_say_of_their_box(game, side, titles):
    player = players.begin(side, game=game, **{"option-board": "app"})[0]
    menu = page_of_match(player)
    menu_links = menu.find("#menu a")  # the charts are led to at the menu's head already
    links = [link for link in menu_links if link.text().strip() in titles]
    assert [link.text().strip() for link in links] == titles
    for link in links:
        reader = Reader(player.client).open(link.attributes["href"])
        other_titles = {button.text().strip() for button in reader.find("p.actions a.button.second")} & {*titles}
        assert other_titles == {*titles} - {link.text().strip()}


def test_every_game_with_content_has_sound_house_sheets():
    rules = [game.content for game in registry.games().values() if game.content]
    assert CONTENT in rules
    for game_content in rules:
        read = game_content.read(game_content.write_house())
        assert (read.problems, read.texts) == ((), game_content.write_house())
    assert find_flaws_of_wood(build_wood(CONTENT.house)) == []
