"""An owner's own map, blocks and cards: pasted, checked, played on, filed; nothing hidden is sent."""

from itertools import zip_longest
from random import Random

import pytest

from firefight.engine.board.board import digest_board
from firefight.engine.errors import BadInput
from firefight.games.inferno_on_the_volga.board import lay_volga
from firefight.games.inferno_on_the_volga.game import GAME, HOUSE
from firefight.games.inferno_on_the_volga.rules.compass import fill_hexes
from firefight.games.inferno_on_the_volga.solo.policies import POLICIES
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.table.test_archive import save, send

from .solo_games import play_from_start, random_faces

STEP, SLUG = "form#step-form", "inferno-on-the-volga"
RULES = GAME.content
TEXTS = RULES.write_house()


def own_texts():
    """The house's sheets, as if a box had other words: a unit by another name, 23 rough instead of clear."""
    blocks = TEXTS["blocks"].replace("94th Infantry", "94th Old Ones").replace("\t154th Naval Brigade", "\tSea Ones")
    return {**TEXTS, "blocks": blocks, "hexes": TEXTS["hexes"].replace("23\t7\t3\tclear", "23\t7\t3\trough")}


def test_the_houses_own_sheets_are_read_as_what_they_were_written_from():
    read = RULES.read(TEXTS)
    assert (read.problems, read.texts) == ((), TEXTS)
    own = read.content
    assert own.board.hexes == HOUSE.board.hexes
    assert [
        (block.name, block.side, block.type, block.top, block.fire, block.marks) for block in own.blocks.values()
    ] == [(block.name, block.side, block.type, block.top, block.fire, block.marks) for block in HOUSE.blocks.values()]
    assert (own.german_cards, own.soviet_cards) == (HOUSE.german_cards, HOUSE.soviet_cards)
    names = [[content.blocks[key].name if key else "" for key in content.track] for content in (own, HOUSE)]
    assert names[0] == names[1]
    starts = [
        {hex: [content.blocks[key].name for key in keys] for hex, keys in content.start.items()}
        for content in (own, HOUSE)
    ]
    assert starts[0] == starts[1]


@pytest.mark.parametrize(
    "sheet, old, new, reason",
    [
        (
            "hexes",
            "23\t7\t3\tclear",
            "23\t7\t3\tswamp",
            "Row 23, terrain: should be one of clear, urban, rough.",
        ),
        ("hexes", "23\t7\t3\tclear", "23\t7\t3\t", "Hexes: Row 23, terrain: has to be there."),
        ("hexes", "\n23\t", "\n22\t", "Hexes: Row 23: there is another 22 on this sheet."),
        ("hexes", "23\t7\t3\tclear", "23\t7\t3\turban", "27 hexes are Urban (Rubble), not 28."),
        (
            "hexes",
            "\n2\t2\t1\trough\t\t\t3",
            "\n2\t2\t1\trough\t\t\t4",
            "direction 5 of 3 is 2, so 2 of 2 is 3, not 4.",
        ),
        ("blocks", "\tTF\tr\t", "\tXF\tr\t", "fire: “XF” should be one of SF, DF, TF."),
        ("blocks", "\tSF\tguards", "\tSF SF\tguards", "13th Guards, fire: one word, or 4, not 2."),
        (
            "blocks",
            "94th Infantry\tinfantry",
            "94th Infantry\thorse",
            "(german 194th Infantry), type: should be one of",
        ),
        ("blocks", "\tmarine", "", "There are 2 Marines, not 0."),
        (
            "blocks",
            "36th Panzer\tpanzer\tblue\t4\tTF",
            "36th Panzer\tpanzer\tblue\t4\tTF\tguards",
            "Blocks, 36th Panzer, marks: a German block is marked r or axe, or not at all; guards is not among these.",
        ),
        ("cards", "Stuka\t4", "Stuka\t3", "The German deck holds 4 of stuka."),
        ("cards", "Stuka\t4\t5\t2", "Stuka\t4\t5\t2\t7", "Cards, Stuka (German), hexes: blank, as AA cards alone"),
        ("cards", "\nsoviet", "\nromanian", "Cards: Row 13 (Chuikov), side: should be one of German, Soviet."),
    ],
)
def test_what_is_wrong_is_said_by_sheet_row_and_column_or_by_the_text(sheet, old, new, reason):
    assert old in TEXTS[sheet]
    read = RULES.read({**TEXTS, sheet: TEXTS[sheet].replace(old, new)})
    assert any(reason in problem for problem in read.problems), read.problems


def blank_cells(text, columns):
    """A sheet with these columns blank, but for the titles."""
    head, *lines = [line.split("\t") for line in text.split("\n")]
    cells = [
        ["" if name in columns else cell for name, cell in zip_longest(head, line, fillvalue="")] for line in lines
    ]
    return "\n".join("\t".join(line) for line in (head, *cells))


def test_one_neighbour_of_each_hex_says_all_that_the_house_types_out():
    ways = {f"d{way}" for way in range(1, 7)}
    text = blank_cells(TEXTS["hexes"], {"row", "rank", *ways})
    towards = {hex: place.towards for hex, place in HOUSE.board.hexes.items()}
    lines = []
    for line in text.split("\n")[1:]:
        cells = line.split("\t")
        way = next(number for number, other in enumerate(towards[cells[0]]) if other)
        cells[5 + way] = towards[cells[0]][way]
        lines.append("\t".join(cells))
    read = RULES.read({**TEXTS, "hexes": "\n".join([text.split("\n")[0], *lines])})
    assert (
        read.problems == ("Hexes, 36: say a hex next to it, d1 to d6, so that it has its place.",) or not read.problems
    )
    assert read.content.board.hexes == HOUSE.board.hexes
    assert read.texts["hexes"] != TEXTS["hexes"], "what the owner has typed is kept, not what follows from it"


def test_hexes_without_a_place_and_two_at_one_place_are_named():
    text = blank_cells(TEXTS["hexes"], {"row", "rank", *(f"d{way}" for way in range(1, 7))})
    problems = RULES.read({**TEXTS, "hexes": text}).problems
    assert "Hexes, 2: say a hex next to it, d1 to d6, so that it has its place." in problems
    rows = [{"hex": "1", "d1": "4", "d2": "2"}, {"hex": "2"}, {"hex": "4", "d3": "3"}, {"hex": "3"}]
    with pytest.raises(BadInput, match="Hexes, 3: by the compass it lies where 2 lies") as caught:
        fill_hexes(rows)
    assert list(caught.value.problems) == ["3"]


def test_whole_games_are_played_on_pasted_content():
    own = RULES.read(own_texts()).content
    for seed in range(2):
        assert play_from_start(own, "standard", POLICIES["greedy"], random_faces(Random(seed)))


# From the page


@pytest.fixture
def solo(frozen):
    """A match against the app, in which nothing is done yet."""
    fields = {"game": SLUG, "mode": "solo", "option-board": "app"}
    return frozen("inferno, nothing done", lambda: players.begin("german", **fields)[0])


def page(player, path=""):
    return Reader(player.client).open(f"/match/{player.match_id}/content/{path}")


def use(player, texts=None):
    reader = page(player)
    reader.form("#content").fill(texts or own_texts()).press("Use it")
    return reader


def set_up(player):
    Reader(player.client).open(f"/match/{player.match_id}/").form(STEP).press("Begin")
    return player.match.state.record["solo"]


@pytest.mark.django_db
def test_an_owner_pastes_checks_uses_and_plays(solo):
    match_page = Reader(solo.client).open(f"/match/{solo.match_id}/")
    assert "Played on our own invention, not on what is in your box" in match_page.words(STEP)
    reader = page(solo)
    bad = {**own_texts(), "cards": TEXTS["cards"].replace("Stuka\t4", "Stuka\t3")}
    reader.form("#content").fill(bad).press("Check")
    assert reader.status == 422 and reader.words("#trouble") == "The German deck holds 4 of stuka."
    assert reader.find("#content-cards")[0].text() == bad["cards"]
    reader.form("#content").fill(own_texts()).press("Check")
    assert "Nothing is wrong" in reader.words("#sound") and solo.match.state.content == {}
    reader.form("#content").press("Use it")
    own = RULES.read(own_texts())
    assert solo.match.state.content == own.texts
    assert solo.last.sentence == "Map, blocks and cards: an owner's sheets."
    assert "our own invention" not in page(solo).words()
    blocks = set_up(solo)["blocks"]
    assert blocks.keys() == own.content.blocks.keys() != HOUSE.blocks.keys()
    board = Reader(solo.client).open(f"/match/{solo.match_id}/board/")
    assert "23, rough" in board.words(".board-words")
    drawn = digest_board(lay_volga(own.content))
    assert drawn != digest_board(lay_volga(HOUSE))
    assert solo.get(f"board/{drawn}.svg").status_code == 200
    assert solo.get(f"board/{digest_board(lay_volga(HOUSE))}.svg").status_code == 404
    assert solo.get("content/blocks.txt").content.decode().strip() == own.texts["blocks"]


@pytest.mark.django_db
def test_marks_of_the_other_side_are_refused_on_the_page_and_what_was_typed_stays(solo):
    row = "36th Panzer\tpanzer\tblue\t4\tTF"
    typed = {**own_texts(), "blocks": own_texts()["blocks"].replace(row, f"{row}\tguards")}
    reader = page(solo)
    reader.form("#content").fill(typed).press("Use it")
    says = "Blocks, 36th Panzer, marks: a German block is marked r or axe, or not at all; guards is not among these."
    assert reader.status == 422 and says in reader.words("#trouble")
    assert solo.match.state.content == {} and reader.find("#content-blocks")[0].text() == typed["blocks"]
    reader.form("#content").fill({"blocks": own_texts()["blocks"]}).press("Use it")
    assert solo.match.state.content["blocks"] == own_texts()["blocks"]


@pytest.mark.django_db
def test_tables_to_fill_in_hold_names_and_types_and_what_is_missing_is_told_by_row(solo):
    reader = page(solo, "?from=begun")
    typed = {slug: reader.find(f"#content-{slug}")[0].text() for slug in TEXTS}
    assert typed["hexes"].split("\n")[:3] == ["\t".join(column.title for column in RULES.sheets[0].columns), "1", "2"]
    assert "Stuka\t4\t5\t2" in typed["cards"] and "672nd Pioneer\n" in typed["cards"] and "AA" in typed["cards"]
    reader.form("#content").press("Check")
    assert reader.status == 422 and solo.match.state.content == {}
    assert (
        reader.words("#trouble")
        .split("\n")[0]
        .startswith(
            "Hexes: terrain has to be there, and is blank: Row 1, Row 2, Row 3, Row 4, Row 5 and 104 more. "
            "Blocks: top has to be there, and is blank: Row 1 (german 2nd Panzer), "
        )
    )
    house = {line.split("\t")[1]: line for line in TEXTS["blocks"].split("\n")}
    assert {line.split("\t")[1] for line in typed["blocks"].split("\n")} == set(house)


@pytest.mark.django_db
def test_what_has_begun_stays_on_its_content(solo):
    use(solo)
    set_up(solo)
    content_page = page(solo)
    assert "The game has begun" in content_page.words() and not content_page.find("#content button")
    answer = solo.do("content/", house="on")
    assert answer.status_code == 403 and "stays on this content" in players.words_of(answer)
    assert solo.match.state.content
    solo.do("take-back/")
    assert page(solo).find("#content button")


@pytest.mark.django_db
def test_the_houses_content_again_a_sheet_to_edit_and_the_next_match(solo):
    assert solo.get("content/cards.txt").content.decode().strip() == TEXTS["cards"]
    assert solo.get("content/photos.txt").status_code == 404
    assert page(solo, "?from=house").find("#content-hexes")[0].text() == TEXTS["hexes"]
    use(solo)
    again = players.Player()
    again.client = solo.client
    again.client.post("/match/new/", {"game": SLUG, "mode": "solo", "name": "Next", "side": "german"}, follow=True)
    again.match_id = type(solo.match).objects.latest("created").pk
    page(again).press("Take them over")
    assert again.match.state.content == solo.match.state.content
    page(solo).form("#content").press("Back to the house's")
    assert solo.match.state.content == {}


@pytest.mark.django_db
def test_a_file_carries_it_and_a_forged_one_is_refused(solo):
    use(solo)
    set_up(solo)
    data = save(solo)
    again, answer = send(data, side="german")
    assert again.match.state.content == solo.match.state.content, players.words_of(answer)
    assert again.match.state.record["solo"] == solo.match.state.record["solo"]
    Reader(again.client).open(f"/match/{again.match_id}/")
    state = data["match"]["state"]
    content = dict(state["content"])
    for odd, reason in (
        ({**content, "cards": content["cards"].replace("Stuka\t4", "Stuka\t3")}, "The German deck holds 4 of stuka."),
        ({**content, "cards": content["cards"].replace("\t4", "\t 4")}, "not as a match keeps it"),
        ({**content, "maps": "x"}, "maps"),
        ({**content, "cards": "x" * 20_001}, "cards"),
    ):
        state["content"] = odd
        assert reason in players.words_of(send(data, side="german")[1])
    state["content"] = {}
    refused = players.words_of(send(data, side="german")[1])
    assert "content, the blocks of its game are not those of its sheets." in refused


@pytest.mark.django_db
def test_where_soviets_stand_is_sent_nowhere_and_their_names_on_the_sheets_alone(solo):
    use(solo)
    set_up(solo)
    names = [block.name for block in RULES.read(own_texts()).content.of_side("soviet")]
    for path in ("", "record.json", "step.json", "log.json", "board/", "archive.json"):
        text = solo.get(path).content.decode()
        if path == "archive.json":
            text = text.partition('"content"')[0] + text.partition('"content"')[2].partition("}")[2]
        assert not [name for name in names if name in text], path
    assert names[0] in solo.get("content/").content.decode()


@pytest.mark.django_db
def test_the_other_side_agrees_first_and_its_device_reads_the_same():
    maker, links = players.begin("german", game=SLUG, **{"option-mode": "one_v_one", "option-board": "app"})
    other = players.sit(links["soviet"], maker.match_id)
    own = RULES.read(own_texts()).texts
    use(maker)
    assert maker.match.state.content == {}
    words = Reader(other.client).open(f"/match/{other.match_id}/").words()
    assert "to play on Map, blocks and cards: an owner's sheets" in words
    other.do("answer/", agrees="no")
    assert maker.match.state.content == {} and maker.match.proposal is None
    use(maker)
    maker.do("answer/", agrees="yes")
    assert maker.match.state.content == {}, "nobody agrees to what they have asked for"
    other.do("answer/", agrees="yes")
    assert maker.match.state.content == own == other.match.state.content
    assert [find.text() for find in page(other).find("#content textarea")] == list(own.values())
    chapter = maker.match.snapshots.order_by("number").last()
    assert (chapter.label, chapter.number) == ("play on an owner's sheets", maker.last.number)


@pytest.mark.django_db
@pytest.mark.parametrize("mode", ["solo", "one_v_one"])
def test_on_the_players_own_table_no_sheets_are_asked_for(mode):
    player = players.begin("german", game=SLUG, **{"option-mode": mode, "option-board": "table"})[0]
    assert RULES.title not in Reader(player.client).open(f"/match/{player.match_id}/").words()
    assert player.get("content/").status_code == player.do("content/", house="on").status_code == 404


@pytest.mark.django_db
def test_a_game_without_content_has_no_such_page():
    player = players.begin("german", hot_seat=True)[0]
    assert player.get("content/").status_code == player.get("content/hexes.txt").status_code == 404
