"""Units off an owner's own counters: pasted, checked by row and column, agreed, carried along, copied out again."""

import pytest

from firefight.games import registry
from firefight.kit import SimpleKind
from firefight.kit.sheets import SheetRead
from firefight.models import Match
from firefight.table.act import bounds
from firefight.table.board import sheets
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.table.test_archive import save, send

pytestmark = pytest.mark.django_db

GAME, GUARD = "three-banners", "Grey Guard"
TEXT = f"name\tside\tcount\n{GUARD}\tred\t2\nOld Pikes\tblue"
PASTED = f"Side; how many; Name\nRed Banner;2;{GUARD}\nblue;;Old Pikes"


def begin(hot_seat=True):
    red, links = players.begin("red", hot_seat=hot_seat, game=GAME)
    return (
        red if hot_seat else (red, players.sit(links["blue"], red.match_id), players.sit(links["green"], red.match_id))
    )


def page(player, sheet=""):
    query = f"?sheet={sheet}" if sheet else ""
    return Reader(player.client).open(f"/match/{player.match_id}/counters/sheets/{query}")


def lay(player, text, title="Guards", press="Keep the sheet"):
    reader = page(player)
    reader.form("#sheet").fill(title=title, text=text).press(press)
    return reader


def held(reader):
    return reader.find("#sheet-text")[0].text()


def test_a_pasted_sheet_is_kept_and_copied_out_as_it_is_kept():
    red = begin()
    assert lay(red, PASTED).status == 200
    assert red.match.state.sheets == {"Guards": TEXT}
    assert held(page(red, "Guards")) == TEXT
    other = begin()
    lay(other, held(page(red, "Guards")))
    assert other.match.state.sheets == red.match.state.sheets
    assert red.last.sentence == "Units, Guards: 2 kinds."


def test_its_units_stand_in_the_gallery_and_come_into_play_like_others():
    red = begin()
    lay(red, PASTED)
    reader = Reader(red.client).open(f"/match/{red.match_id}/counters/?side=red")
    assert GUARD in reader.words(".counter-kinds") and "Old Pikes" not in reader.words(".counter-kinds")
    reader.press("counter=own_greyguard")
    red.do("counters/add/", list=f"Red Banner: {GUARD}\nBlue Banner: Old Pikes")
    assert [counter["name"] for counter in red.get("counters.json").json()] == [
        f"{GUARD} #1",
        f"{GUARD} #2",
        "Old Pikes",
    ]


@pytest.mark.parametrize(
    "text, reason",
    [
        ("Grey Guard\tyellow\t2", "Row 1, side: should be one of Red Banner, Blue Banner, Green Banner."),
        ("Grey Guard\tred\tmany", "Row 1, count: "),
        ("Old Pikes\tblue\nGrey Guard\t\t2", "Row 2, side: has to be there."),
        ("Grey Guard\tred\nGrey guard\tred", "Row 2: there is another Grey guard on this sheet."),
        (
            "name\tside\tcolour\nGrey Guard\tred\tgrey",
            "“colour” is not a column here. The columns are:",
        ),
        ("a\tb\tc\td", "There are 3 columns here: name, side, count."),
    ],
)
def test_what_is_wrong_is_said_by_row_and_column_and_nothing_is_kept(text, reason):
    red = begin()
    reader = lay(red, text)
    assert reader.status == 422
    assert reason in reader.words("#trouble")
    assert held(reader) == text
    assert red.match.state.sheets == {} and red.match.state.proposed == ()


@pytest.mark.parametrize(
    "side, key, reason",
    [
        ("yellow", "own_grey_guard", "Grey Guard: “yellow” is not a side of this game: write red, blue or green."),
        (
            "red",
            "company",
            "Grey Guard: the box has this counter of the Red Banner already: take its row out, or rename it.",
        ),
        ("red", "own_grey_guard", None),
    ],
)
def test_a_unit_of_no_side_and_one_of_the_box_are_told_apart(side, key, reason):
    read = SheetRead(kinds={side: {key: SimpleKind(key, "Grey Guard", 1)}})
    assert list(sheets._find_odd_kinds(registry.games()["three-banners"], read)) == ([reason] if reason else [])


def test_a_unit_stands_on_one_sheet():
    red = begin()
    lay(red, PASTED)
    assert f"{GUARD} stands on the sheet Guards, too." in lay(red, f"{GUARD}\tred", "More").words("#trouble")


def test_sheets_are_bounded(monkeypatch):
    red = begin()
    answer = red.do("counters/sheets/", title="Guards", text="x" * (bounds.LONGEST_SHEET + 1))
    assert answer.status_code == 422 and "at most 8,000 characters" in players.words_of(answer)
    monkeypatch.setattr(bounds, "MOST_SHEETS", 1)
    lay(red, PASTED)
    assert "at most 1 sheets" in lay(red, "Reds\tred", "More").words("#trouble")
    monkeypatch.setattr(bounds, "LARGEST_SHEETS", 20)
    assert "at most 20 characters" in lay(red, f"{PASTED}\ngreen;;Greens").words("#trouble")


def test_every_other_side_agrees_and_it_is_taken_back():
    red, blue, green = begin(hot_seat=False)
    lay(red, PASTED)
    assert red.match.state.sheets == {}
    table = Reader(blue.client).open(f"/match/{blue.match_id}/")
    assert "Red Banner asks for the units Guards: 2 kinds." in table.words()
    blue.do("answer/", agrees="yes")
    assert red.match.state.sheets == {}
    green.do("answer/", agrees="yes")
    assert red.match.state.sheets == {"Guards": TEXT}


def test_it_is_taken_back_like_any_act():
    red = begin()
    lay(red, PASTED)
    red.do("take-back/")
    assert red.match.state.sheets == {}


def test_a_row_that_is_in_the_match_stays_and_others_go():
    red = begin()
    lay(red, PASTED)
    red.do("counters/add/", list=f"Red Banner: {GUARD}")
    assert f"their rows stay as they are: {GUARD} #1" in lay(red, "Old Pikes\tblue").words("#trouble")
    assert lay(red, f"{GUARD}\tred\t5").status == 200
    assert red.last.sentence == "Units, Guards: 1 kind (1 changed, 1 gone)."
    assert "stay as they are" in page(red, "Guards").form("#sheet").press("out=on").words("#trouble")


def test_nobody_learns_of_hidden_units_by_taking_rows_out():
    red, blue, green = begin(hot_seat=False)
    lay(red, PASTED)
    for player in (blue, green):
        player.do("answer/", agrees="yes")
    answers = set()
    for hides in (False, True):
        if hides:
            blue.do("counters/add/", list="Old Pikes", side="blue", hidden="on")
            assert red.get("counters.json").json() == []
        answers.add(lay(red, f"{GUARD}\tred\t2").words("#trouble"))
    assert answers == {"Rows of Blue Banner units go, or change their arm, by that side alone."}
    assert "Old Pikes" in lay(blue, f"{GUARD}\tred\t2").words("#trouble")


def test_a_file_and_a_branch_carry_it_and_a_forged_one_is_refused():
    red = begin()
    lay(red, PASTED)
    red.do("counters/add/", list=f"Red Banner: {GUARD}")
    data = save(red)
    again, answer = send(data, side="red")
    assert again.match.state.sheets == {"Guards": TEXT}, players.words_of(answer)
    assert again.get("counters.json").json()[0]["name"] == f"{GUARD} #1"
    data["match"]["state"]["sheets"]["Guards"] = TEXT.replace("red\t2", "red\tmany")
    assert "Row 1, count" in players.words_of(send(data, side="red")[1])
    data["match"]["state"]["sheets"] = {}
    assert "there is no such counter" in players.words_of(send(data, side="red")[1])


def test_a_game_without_sheets_has_no_such_page():
    player = players.begin("german", hot_seat=True)[0]
    assert player.get("counters/sheets/").status_code == 404
    assert "those of your own box" not in players.words_of(player.get("counters/"))


def test_every_game_says_what_its_sheet_is_or_that_it_has_none():
    has_sheet = {slug: game.counters.sheet is not None for slug, game in registry.games().items() if game.has_counters}
    assert has_sheet[GAME] and not has_sheet["combat-stalingrad"]


# The next match


def begin_next(player, **fields):
    """The next match of the same device; its maker, and the links for the others."""
    again = players.Player()
    again.client = player.client
    fields = {"game": GAME, "name": "Saturday", "side": "red", **fields}
    answer = again.client.post("/match/new/", fields, follow=True)
    again.match_id = Match.objects.latest("created").pk
    return again, players.links_in(answer)


def offered(reader):
    return reader.words(".take-sheets")


def test_the_next_match_of_a_device_takes_sheets_over_without_pasting():
    red = begin()
    lay(red, PASTED)
    lay(red, "Pikes\tblue", "Pikes")
    again = begin_next(red, hot_seat="on")[0]
    reader = page(again)
    assert f"{red.match.name} has Guards, Pikes." in offered(reader)
    reader.press("Take over 2 sheets")
    assert again.match.state.sheets == red.match.state.sheets
    assert [line.sentence for line in again.log][-2:] == ["Units, Guards: 2 kinds.", "Units, Pikes: 1 kind."]
    assert not offered(page(again))
    again.do("take-back/")
    assert again.match.state.sheets == {}


def test_a_stranger_is_offered_nothing_and_takes_nothing_by_its_id():
    red, stranger = begin(), begin()
    lay(red, PASTED)
    assert not offered(page(stranger))
    answer = stranger.do("counters/sheets/", take=red.match_id)
    assert answer.status_code == 409 or "Nothing was changed" in players.words_of(answer)
    assert stranger.match.state.sheets == {}


def test_other_sides_agree_to_all_that_is_taken_over_at_once():
    red = begin()
    lay(red, PASTED)
    lay(red, "Pikes\tblue", "Pikes")
    again, links = begin_next(red)
    blue, green = (players.sit(links[side], again.match_id) for side in ("blue", "green"))
    page(again).press("Take over 2 sheets")
    assert again.match.state.sheets == {}
    table = Reader(blue.client).open(f"/match/{blue.match_id}/")
    assert "Red Banner asks for the units Guards: 2 kinds; Pikes: 1 kind." in table.words()
    blue.do("answer/", agrees="yes")
    green.do("answer/", agrees="yes")
    assert again.match.state.sheets == red.match.state.sheets
    report = Reader(blue.client).open(f"/match/{blue.match_id}/report/").words()
    assert "Guards: 2 kinds, laid down by Red Banner" in report


def test_what_stands_on_another_sheet_here_is_said_and_nothing_is_taken():
    red = begin()
    lay(red, PASTED)
    again = begin_next(red, hot_seat="on")[0]
    lay(again, f"{GUARD}\tred", "Mine")
    reader = page(again).press("Take over 1 sheet")
    assert f"{GUARD} stands on the sheet Mine, too." in reader.words("#trouble")
    assert set(again.match.state.sheets) == {"Mine"}
