"""Pieces of which others see that they are there and not what they are, by the example of Masked March."""

import json
import random

import pytest

from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import text_of, words_of
from tests.firefight.table.test_archive import save, send
from tests.games.conftest import toys  # noqa: F401 - the toys stand beside the games here, too
from tests.soak import length

pytestmark = pytest.mark.django_db

PAGES = ("", "log/", "counters.json", "match.json", "pack/", "report/", "honours/", "story/", "hand/", "counters/")


def seat_sides():
    north, links = players.begin("north", game="masked-march")
    south, observer = (players.sit(links[seat], north.match_id) for seat in ("south", "observer"))
    north.do("counters/add/", list="North: 1 guard")
    south.do("counters/add/", list="South: 2 levies, 1 guard", closed="on")
    south.do("counters/", id=own(south), place="ford")
    return north, south, observer


@pytest.fixture
def sides(frozen):
    """North with an open guard, South with two levies and a guard that are closed in the ford, and an observer."""
    return frozen("closed pieces", seat_sides)


def listed(player, side="south"):
    return [piece for piece in player.get("counters.json").json() if piece["side"] == side]


def own(player, kind=""):
    """The ids of South's pieces as it knows them itself, of one kind or all."""
    return [piece["id"] for piece in listed(player) if kind in piece["counter"]]


def ids(player):
    return [piece["id"] for piece in listed(player)]


def fire_page(player, by, at, **more):
    query = "&".join([f"firers={by}", f"targets={at}", *(f"{name}={value}" for name, value in more.items())])
    return Reader(player.client).open(f"/match/{player.match_id}/roll/fire/?{query}")


def secrets(south):
    """What would give South's pieces away: their ids and their names, which have the same numbers."""
    closed = [piece for piece in listed(south) if piece.get("closed")]
    return [word for piece in closed for word in (piece["id"], piece["name"])]


def assert_nothing_told(south, *readers, pages=PAGES):
    hidden = secrets(south)
    assert hidden
    for player in readers:
        for page in pages:
            text = text_of(player.get(page))
            assert [secret for secret in hidden if secret in text] == [], page


def test_its_side_knows_a_closed_piece_and_others_that_it_is_there(sides):
    north, south, observer = sides
    assert {piece["name"].partition(" ")[0] for piece in listed(south)} == {"Levy", "Guard"}
    assert all(piece["closed"] and piece["levels"] for piece in listed(south))
    for player in (north, observer):
        assert len(listed(player)) == 3
        for piece in listed(player):
            facts = {name: value for name, value in piece.items() if name not in ("id", "side", "place", "closed")}
            assert facts == {"counter": "", "name": "Block", "level": "", "state": [], "hidden": False, "fate": ""}
            assert (piece["place"], piece["closed"]) == ("ford", True)
        assert set(ids(player)).isdisjoint(ids(south))
    assert ids(north) == ids(observer) == sorted(ids(north), key=lambda alias: int(alias.rpartition("-")[2]))
    assert_nothing_told(south, north, observer)


def test_the_page_shows_blocks_without_number_or_dots(sides):
    north, south, _ = sides
    page = Reader(north.client).open(f"/match/{north.match_id}/")
    blocks = page.find("#of-south .counter")
    assert [block.attributes.get("data-tag", "").strip() for block in blocks] == ["C", "C", "C"]
    pictures = {image.attributes["src"] for image in page.find("#of-south .counter img")}
    assert [source.partition("?")[0] for source in pictures] == ["/counters/masked-march/south/block.svg"]
    assert {image.attributes["alt"] for image in page.find("#of-south .counter img")} == {"Block, closed"}
    assert "levy" not in text_of(north.client.get(pictures.pop())).lower()
    assert "levy.svg" in text_of(south.get())


def test_others_hear_where_it_goes_and_not_what_else_befalls_it(sides):
    north, south, observer = sides
    [guard] = own(south, "guard")
    south.do("counters/", id=[guard], place="mill")
    assert "South, Block: in mill; was in ford." in north.see("log/")
    south.do("counters/", id=[guard], **{"level:dots": "1"})
    assert "South: something befalls a closed counter." in observer.see("log/")
    assert "Guard #" in south.see("log/")
    south.do("counters/undo/", number=south.last.number - 1)
    assert "South, Block: in ford again." in north.see("log/")
    assert_nothing_told(south, north, observer)


def test_who_comes_to_others_is_lost_among_them_and_who_goes_alone_is_not(sides):
    north, south, _ = sides
    [guard] = own(south, "guard")
    at_first = set(ids(north))
    south.do("counters/", id=[guard], place="mill")
    [alone] = [piece["id"] for piece in listed(north) if piece["place"] == "mill"]
    stayed = {piece["id"] for piece in listed(north) if piece["place"] == "ford"}
    assert stayed < at_first and alone not in at_first
    south.do("counters/", id=[guard], place="ford")
    assert set(ids(north)).isdisjoint({alone, *stayed})


def test_another_sides_page_shows_it_gone_at_once(sides):
    north, south, _ = sides
    reader = Reader(north.client).open(f"/match/{north.match_id}/")
    south.do("counters/", id=own(south, "guard"), place="mill")
    reader.look()
    assert "mill" in reader.words("#of-south")


def test_fire_at_a_closed_piece_tells_no_more_than_that_it_was_hit(sides):
    north, south, observer = sides
    before = {piece["id"]: piece["levels"]["dots"] for piece in listed(south)}
    target = ids(north)[0]
    page = fire_page(north, "north-1", target)
    assert_nothing_told(south, north, pages=[f"roll/fire/?firers=north-1&targets={target}"])
    page.form("#desk-form").fill(die="1").press("Resolve")
    after = {piece["id"]: piece["levels"]["dots"] for piece in listed(south)}
    assert sorted(before[key] - after[key] for key in before) == [0, 0, 1]
    roll = next(line for line in north.log if line.helper == "fire")
    assert roll.inputs["at"] == [{"kind": "", "name": "Block", "state": [], "id": target}]
    assert "Entered otherwise" not in roll.sentence
    assert "something befalls a closed counter" in north.see("log/")
    assert_nothing_told(south, north, observer)
    north.do("take-back/")
    if south.match.proposal:
        south.do("answer/", agrees="yes")
    assert {piece["id"]: piece["levels"]["dots"] for piece in listed(south)} == before


def test_a_correction_makes_it_whole_again_and_tells_nothing(sides):
    north, south, observer = sides
    fire_page(north, "north-1", ids(north)[0]).form("#desk-form").fill(die="1").press("Resolve")
    roll = next(line for line in north.log if line.helper == "fire")
    opened = Reader(north.client).open(f"/match/{north.match_id}/roll/fire/?corrects={roll.number}")
    opened.form("#desk-form").fill(die="6").press()
    assert {piece["levels"]["dots"] for piece in listed(south)} == {2, 4}
    assert_nothing_told(south, north, observer)


def test_the_last_dot_turns_it_up_as_it_goes(sides):
    north, south, _ = sides
    south.do("counters/", id=own(south), **{"level:dots": "1"})
    target = ids(north)[0]
    fire_page(north, "north-1", target).form("#desk-form").fill(die="1").press("Resolve")
    lost = [piece for piece in listed(north) if piece["fate"]]
    assert len(lost) == 1 and lost[0]["name"] != "Block"
    assert f"{lost[0]['name']} Eliminated" in north.see("log/")


def test_it_is_turned_up_by_its_side_and_closed_again(sides):
    north, south, observer = sides
    [guard] = own(south, "guard")
    south.do("counters/", id=[guard], becomes="turned_up")
    assert "turned up" in north.see("log/")
    assert [piece["counter"] for piece in listed(north)].count("guard") == 1
    south.do("counters/", id=[guard], becomes="closed")
    assert guard not in ids(north)
    for page in ("counters.json",):  # the log tells what was turned up, and closed again
        assert_nothing_told(south, north, observer, pages=(page,))
    assert "Guard" not in Reader(north.client).open(f"/match/{north.match_id}/").words("#of-south")


def test_a_roll_with_ones_own_closed_piece_asks_first_and_turns_it_up(sides):
    north, south, _ = sides
    [guard] = own(south, "guard")
    name = next(piece["name"] for piece in listed(south) if piece["id"] == guard)
    page = fire_page(south, guard, "north-1")
    page.form("#desk-form").fill(die="1").press("Resolve")
    assert f"{name} is closed: this roll shows it." in page.words()
    assert guard not in ids(north)
    page.form("#desk-form").fill(shows=True).press("Resolve")
    assert guard in ids(north)


def test_other_ids_than_those_one_is_told_are_those_of_nothing(sides):
    north, south, _ = sides
    [guard] = own(south, "guard")
    before = players.rows()
    answers = []
    for piece_id in (guard, "south-4321"):
        refused = [
            north.do("counters/", id=[piece_id], place="mill"),
            north.get(f"roll/fire/?firers=north-1&targets={piece_id}"),
            north.get(f"hand/?chosen={piece_id}"),
        ]
        answers.append([(answer.status_code, text_of(answer).replace(piece_id, "")) for answer in refused])
    statuses = [[status for status, _ in pairs] for pairs in answers]
    assert statuses[0] == statuses[1]
    assert players.rows() == before


def test_another_side_sets_no_more_than_all_can_see(sides):
    north, south, _ = sides
    target = ids(north)[0]
    refused = north.do("counters/", id=[target], **{"level:dots": "1"})
    assert refused.status_code == 422
    assert "turn it up first" in words_of(refused)
    north.do("counters/", id=[target], place="mill")
    assert "Block" in south.see() and "mill" in south.see()
    south.do("answer/", agrees="yes")
    assert [piece["place"] for piece in listed(south)].count("mill") == 1
    assert all(piece["name"] != "Block" for piece in listed(south))


def test_the_files_of_both_sides_hold_what_each_knows(sides):
    north, south, observer = sides
    assert_nothing_told(south, north, observer, pages=("archive.json",))
    again, _ = send(save(south), side="south")
    assert {piece["levels"]["dots"] for piece in listed(again)} == {2, 4}
    other, _ = send(save(north), side="north")
    assert [(piece["counter"], piece["name"]) for piece in listed(other)] == [("", "Block")] * 3
    assert ids(other) == ids(north)
    forged = save(south)
    some = next(piece_id for piece_id in forged["match"]["state"]["counters"] if piece_id.startswith("south"))
    for more, flaw in (({"alias": "south-7"}, "its alias is missing"), ({"alias": ""}, "its alias is missing")):
        file = save(south)
        file["match"]["state"]["counters"][some].update(more)
        assert flaw in words_of(send(file, side="south")[1])


def test_only_ones_own_pieces_come_closed_and_only_where_a_game_has_such(sides):
    north, _, _ = sides
    refused = north.do("counters/add/", list="South: 1 levy", closed="on")
    assert refused.status_code == 422 and "your own counters" in words_of(refused)
    bridges, _ = players.begin("north", game="two-bridges")
    refused = bridges.do("counters/add/", list="North: 1 company", closed="on")
    assert "No counter of this game is closed." in words_of(refused)
    assert "Closed:" not in bridges.see("counters/")
    page = Reader(north.client).open(f"/match/{north.match_id}/counters/")
    page.form("#gallery-add").fill(closed=True).press("One Levy more")
    assert any(piece.get("closed") for piece in listed(north, "north"))


def act_at_random(rng, north, south):
    """Something that either side may do with South's pieces."""
    if not listed(south):  # all was taken back
        south.do("counters/add/", list="South: 2 levies", closed="on")
    mine, theirs = rng.choice(listed(south)), rng.choice(listed(north))
    match rng.randrange(8):
        case 0 | 1:
            south.do("counters/", id=[mine["id"]], place=rng.choice(["ford", "mill", "reserve", ""]))
        case 2:
            south.do("counters/", id=[mine["id"]], **{"level:dots": str(rng.randrange(1, 5))})
        case 3:
            south.do("counters/", id=[mine["id"]], note="here")
        case 4:
            north.roll("fire", firers="north-1", targets=theirs["id"], by=GUARD, at=row_of(theirs), die="1")
        case 5:
            south.roll("muster", place="mill", dice="app")
        case 6:
            south.do("counters/undo/", number=rng.choice([line.number for line in south.log if line.kind == "counter"]))
        case 7:
            rng.choice([north, south]).do("take-back/")
            if south.match.proposal:
                south.do("answer/", agrees=rng.choice(["yes", "no"]))


GUARD = '[{"kind":"guard","name":"Guard #1","id":"north-1","levels":{"dots":4}}]'


def row_of(piece):
    return json.dumps([{"kind": piece["counter"], "name": piece["name"], "id": piece["id"]}])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(length(2, 30)))
def test_whatever_is_done_nothing_is_told_of_what_was_never_turned_up(sides, seed):
    north, south, observer = sides
    rng, names = random.Random(f"closed {seed}"), {}
    for _ in range(25):
        act_at_random(rng, north, south)
        names |= {piece["id"]: piece["name"] for piece in listed(south)}
        lines = [line for line in south.log if not line.secret or line.revealed_by]
        open_ids = {id for id, name in names.items() if any(name in line.sentence for line in lines)}
        hidden = [word for id, name in names.items() if id not in open_ids for word in (id, name)]
        for player in (north, observer):
            for page in ("", "counters.json", "log.json", "archive.json"):
                text = text_of(player.get(page))
                leaks = [
                    text[max(0, text.index(word) - 500) : text.index(word) + 80] for word in hidden if word in text
                ]
                assert leaks == [], page
    assert len(south.log) > 20


def test_pieces_that_are_taken_back_off_the_table_stay_closed(sides):
    north, south, observer = sides
    south.do("take-back/")  # they were moved into the ford
    if south.match.proposal:
        north.do("answer/", agrees="yes")
    added = next(line for line in south.log if line.kind == "counter" and line.side == "south")
    hidden = secrets(south)
    south.do("counters/undo/", number=added.number)
    assert {piece["fate"] for piece in listed(south)} == {"returned"}
    assert "South: " in north.see("log/") or "South, Block" in north.see("log/")
    for player in (north, observer):
        for page in PAGES:
            assert not any(word in text_of(player.get(page)) for word in hidden), page
