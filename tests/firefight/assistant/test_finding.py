"""Finding a roll: the first page's, the index of a game with its search, what was used last."""

import pytest

from firefight.games import registry
from firefight.models import Match
from tests import pages
from tests.filling import Reader

GAMES = list(registry.games())
TPS = "/assist/turning-point-stalingrad/"
# The signed cookie is all that these pages keep; the first page asks for the browser's matches.
pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(client):
    return Reader(client)


def titles(reader, selector="#helper-list"):
    """What the list offers, in order."""
    return [pages.words(node) for part in reader.find(selector) for node in part.css("li > a")]


def test_the_first_page_says_which_games_it_is_for(reader):
    (head,) = reader.open("/").find("h1")
    others = {2: "one", 3: "two", 4: "three", 5: "four"}[len(GAMES)]
    assert pages.words(head).startswith(f"For Combat! Stalingrad and {others} more")


def test_something_is_rolled_from_the_first_page_in_two_steps(reader):
    reader.open("/").press("Roll something now")
    assert reader.form("#desk-form").sent()["ff"] == ["21"]
    reader.form("#desk-form").fill(die=8).press("Resolve")
    assert "21 FF" in reader.words("#desk")


def test_the_roll_on_the_first_page_shows_the_odds_of_its_own_form(reader):
    odds_line = reader.open("/").words(".odds-line")
    reader.press("Roll something now")
    (table,) = [table for table in reader.find("#odds table") if "Rifle squad" in pages.words(table)]
    rows = [[pages.words(cell) for cell in row.css("th, td")] for row in table.css("tr")]
    assert odds_line == " ".join(f"{percent} {label}" for label, _, percent, _ in rows)


def test_whoever_has_matches_sees_them_first_and_no_example(reader, client):
    Reader(client).open("/match/new/battle-for-stalingrad/").form("main form", number=1).press("Begin")
    reader.open("/")
    assert reader.words("h1") == "My matches and campaigns"
    assert not reader.has(".first")


@pytest.mark.parametrize("game", GAMES)
def test_an_owner_of_any_game_comes_from_the_first_page_to_its_lesson_and_to_a_match(reader, game):
    this_game = registry.games()[game]
    reader.open("/").press(this_game.title, within=".cards")
    reader.press("Learn it in five minutes")
    assert Match.objects.latest("created").game == game
    reader.open(f"/assist/{game}/").press(f"Begin a {this_game.words.match}", within=".actions")
    assert reader.address == f"/match/new/{game}/"


@pytest.mark.parametrize("game", GAMES)
def test_every_roll_is_in_its_games_index_and_the_leading_ones_are_large(reader, game):
    rules_of_game = registry.games()[game]
    reader.open(f"/assist/{game}/")
    assert sorted(titles(reader, ".rows")) == sorted(helper.title for helper in registry.helpers(game).values())
    assert titles(reader, ".leading") == [registry.helpers(game)[slug].title for slug in rules_of_game.leading]


@pytest.mark.parametrize(
    ("typed", "rolls"),
    [
        ("retreat contested", ["Retreat into a Contested Area"]),
        ("RUBBLE ent", ["Rubble entrance"]),
        ("sunset", ["German impulse roll"]),
        ("unset", []),
        ("%", []),
    ],
)
def test_a_search_finds_by_the_beginnings_of_words(reader, typed, rolls):
    reader.open(TPS).form(".search").fill(find=typed).press("Find")
    assert titles(reader) == rolls or (not rolls and "Nothing is called" in reader.words("#helper-list"))


def test_a_search_answers_with_the_list_alone_while_somebody_types_and_with_a_page_without_script(client):
    part = client.get(TPS, {"find": "dawn"}, headers={"HX-Request": "true"})
    assert "<html" not in part.text
    whole = Reader(client, script=False).open(TPS)
    whole.form(".search").fill(find="dawn").press("Find")
    assert whole.has("h1")
    assert titles(whole) == [pages.words(node) for node in pages.find(part.text, "li > a")]


def test_a_search_shows_what_it_finds_alone(reader):
    reader.open(TPS)
    slug = registry.games()["turning-point-stalingrad"].leading[0]
    session = reader.client.session
    session["used"] = {"turning-point-stalingrad": [slug, "a-roll-of-an-earlier-version"]}
    session.save()
    reader.client.cookies["sessionid"] = session.session_key
    assert "Used last" in reader.open(TPS).words("#helper-list")  # what no longer exists is passed over
    reader.form(".search").fill(find="retreat contested").press("Find")
    assert titles(reader) == ["Retreat into a Contested Area"]
    assert len(reader.find("#helper-list h2")) <= 1


def test_a_rules_number_finds_its_rolls(reader):
    number = registry.helpers("turning-point-stalingrad")["crossing"].rules[0].split()[0]
    reader.open(TPS).form(".search").fill(find=number).press("Find")
    assert "crossing" in " ".join(titles(reader)).casefold()


def test_what_was_used_last_stands_first(reader):
    reader.open("/assist/combat-stalingrad/")
    assert "Used last" not in reader.words()
    for slug in ("morale", "free-roll", "morale"):
        form = reader.open(f"/assist/combat-stalingrad/{slug}/").form("#desk-form")
        form.fill(**({"tq": 6} if slug == "morale" else {})).press("dice=app")
    reader.open("/assist/combat-stalingrad/")
    assert titles(reader, "#helper-list > .rows:first-of-type") == ["Morale Check", "Free roll"]
    reader.open(TPS)
    assert "Used last" not in reader.words()


def test_the_charts_of_the_rolls_that_are_made_most_stand_first_with_contents_and_codes(reader):
    reader.open("/assist/combat-stalingrad/charts/")
    heads = [pages.words(node) for node in reader.find(".chart h2")]
    assert heads[0].startswith("Firepower Factors Table")
    assert len(set(heads)) == len(registry.games()["combat-stalingrad"].chart_specs)
    jumps = [node.attributes["href"] for node in reader.find(".contents a")]
    assert jumps == [f"#{node.attributes['id']}" for node in reader.find(".chart")]
    assert "C/M Casualties + Morale Check" in reader.words(".codes")
