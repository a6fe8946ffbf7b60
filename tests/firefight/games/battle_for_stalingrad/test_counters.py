"""Counters of Battle for Stalingrad: the display's, the owner's; a combat by taps, and who is lost."""

import pytest

from firefight.engine.board.chosen import ChosenOfSort
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.games.battle_for_stalingrad.counters import COUNTERS
from firefight.games.battle_for_stalingrad.rules import box, losses, strength, units
from tests.filling import Reader
from tests.firefight import players
from tests.firefight.players import text_of

from . import GAME

pytestmark = pytest.mark.django_db
HERE, NEXT = "1726", "1826"
INTO = "1510"
SHEET = """name\tside\tkind\tvalues\tformation\tguards\tcount
42 Gds\tSoviet\tInfantry\t4-5\t13 Gds\tyes\t3
T-34\tSoviet\tArmor\t5-2-12\t\t\t2
Guns\tSoviet\tArtillery\t6 8 4\t\t\t2
Worker guns\tSoviet\tFlak\t3 4 2\t\t\t1"""


class Table:
    """Both sides, each with a page in front of them."""

    def __init__(self):
        german, links = players.begin("german", game=GAME, name="September")
        self.players = {"german": german, "soviet": players.sit(links["soviet"], german.match_id)}
        self.open("german", "counters/sheets/").form("#sheet").fill(title="Soviets", text=SHEET).press("Keep the sheet")
        self.open("soviet").form("#now form").press("agrees=yes")
        german.do("counters/add/", list="German: 2 29 Mot 6-2-24, 29 Mot 8 10 12, 94 Inf 5-4-12")
        self.players["soviet"].do("counters/add/", list="Soviet: 3 42 Gds, T-34, Guns, Worker guns")
        german.do("counters/", id=["german-1", "german-2", "german-4"], place=NEXT)
        self.players["soviet"].do("counters/", id=["soviet-1", "soviet-2", "soviet-3"], place=HERE)

    @property
    def match(self):
        return self.players["german"].match

    @property
    def in_play(self):
        return {id for id, counter in self.match.state.counters.items() if not counter.get("fate")}

    @property
    def last(self):
        """The last roll of the log."""
        return [line for line in self.players["german"].log if line.helper][-1]

    def open(self, side, at=""):
        return Reader(self.players[side].client).open(f"/match/{self.match.pk}/{at}")

    def tap(self, side, chosen, roll="combat"):
        """Tap counters, and press a roll of the bar."""
        reader = self.open(side)
        reader.form("#table").fill(chosen=chosen)
        reader.press_node(reader.find(f"#rolls [data-roll={roll}]")[0])
        return reader

    def tell(self, reader, kinds):
        """Say what counters are, each a choice."""
        names = {name for name in reader.form("#desk-form").names() if name.startswith("value:")}
        assert {name.split(":")[2] for name in names} == set(kinds)
        numbers = {word: str(number) for number, word in COUNTERS.list_choices(box.KIND).items()}
        answers = {name: numbers[kinds[name.split(":")[2]]] for name in names}
        reader.form("#desk-form").fill(answers)
        return reader


@pytest.fixture
def table(frozen):
    return frozen("battle laid out", Table)


def rows_of(line):
    return [(row["strength"], row["factor"], row["name"]) for row in line.inputs["firers"]]


def test_the_box_is_the_display():
    german = COUNTERS.kinds["german"]
    assert sum(kind.count for kind in german.values()) == 116
    assert german["29_mot_6_2_24"].printed == box.Printed(6, 24, second=2)
    assert german["29_mot_8_10_12"].printed == box.Printed(8, 12, range=10)
    assert german["independent_10_22_7"].count == 1 and german["71_inf_1_18"].printed == box.Printed(1, 18)
    assert not COUNTERS.kinds["soviet"]


@pytest.mark.parametrize("text", ["", "6-", "6/2", "six", "6-2-24-1", "8 10", "100-1"])
def test_what_no_counter_prints_is_refused(text):
    with pytest.raises(ValueError, match="as printed"):
        box.read_printed(text)


def test_what_a_counter_is_is_asked_once_and_kept(table):
    reader = table.tap("german", ["german-1", "german-4", "soviet-1"])
    assert "29 Mot 6-2-24: kind of unit" in reader.words("#desk")
    words = reader.words("#desk .asked select")
    assert words.startswith("— Infantry Mechanized infantry") and words.endswith("Militia Worker")
    table.tell(reader, {"29_mot_6_2_24": "Armor", "94_inf_5_4_12": "Infantry"})
    reader.form("#desk-form").fill(die=2).press("Resolve")
    assert reader.status == 200, reader.words("#desk")
    assert rows_of(table.last) == [(6, "1", "29 Mot 6-2-24 #1"), (4, "1", "94 Inf 5-4-12 #4")]  # the Kurgan
    sentences = [line.sentence for line in table.players["soviet"].log if "kind of unit" in line.sentence]
    assert sentences[0].startswith("German 29 Mot 6-2-24: kind of unit is Armor from now on.")
    assert not [
        name for name in table.tap("german", ["german-1", "soviet-1"]).form("#desk-form").names() if ":" in name
    ]


@pytest.mark.parametrize(
    ("terrain", "strengths"), [("clear", [6, 5]), ("heavy", [6, 4]), ("woods", [6, 5]), ("fortified", [6, 4])]
)
def test_infantry_fires_its_second_strength_into_structures_and_armor_beside_foot_its_first(table, terrain, strengths):
    reader = table.tap("german", ["german-1", "german-4", "soviet-1"])
    reader.form("#desk-form").fill(terrain=terrain)
    table.tell(reader, {"29_mot_6_2_24": "Armor", "94_inf_5_4_12": "Infantry"})
    reader.form("#desk-form").fill(die=2).press("Resolve")
    assert [row[0] for row in rows_of(table.last)] == strengths, reader.words("#desk")


def test_armor_alone_fires_its_second_strength_into_woods(table):
    reader = table.tap("german", ["german-1", "soviet-1"])
    reader.form("#desk-form").fill(terrain="woods")
    table.tell(reader, {"29_mot_6_2_24": "Armor"})
    reader.form("#desk-form").fill(die=2).press("Resolve")
    assert [row[0] for row in rows_of(table.last)] == [2]
    assert "second Fire Strength, 2" in " ".join(table.last.result.effects)


def test_guns_at_armor_and_others_fire_with_half_their_strength(table):
    table.players["soviet"].do("counters/", id="soviet-4", place=HERE)
    reader = table.tap("german", ["german-3", "soviet-1", "soviet-4"])
    reader.form("#desk-form").fill(kind="bombardment", terrain="clear", die=6).press("Resolve")
    assert rows_of(table.last) == [(8, "0.5", "29 Mot 8 10 12 #3")]
    assert table.last.result.details["total"] == 4
    table.players["soviet"].do("counters/", id="soviet-4", place=INTO)
    reader = table.tap("german", ["german-3", "soviet-4"])
    reader.form("#desk-form").fill(kind="bombardment", terrain="clear", die=6).press("Resolve")
    assert rows_of(table.last) == [(8, "0.25", "29 Mot 8 10 12 #3")] and table.last.result.details["total"] == 2


def test_fire_reaches_all_of_the_hex_whoever_of_it_was_tapped(table):
    table.players["soviet"].do("counters/", id="soviet-4", place=HERE)
    reader = table.tap("german", ["german-3", "soviet-4"])
    assert not reader.has("#desk .notice") or "Also in" not in reader.words("#desk .notice")
    reader.form("#desk-form").fill(kind="bombardment", terrain="clear", die=6).press("Resolve")
    assert [row["id"] for row in table.last.inputs["at"]] == ["soviet-4", "soviet-1", "soviet-2", "soviet-3"]
    assert rows_of(table.last) == [(8, "0.5", "29 Mot 8 10 12 #3")]  # armor among others, not alone
    reader = table.tap("german", ["german-1", "german-2", "soviet-1"])
    table.tell(reader, {"29_mot_6_2_24": "Armor"})
    reader.form("#desk-form").fill(terrain="clear", die=3).press("Resolve")
    assert table.last.result.details["losses"] == 2 and "soviet-1" in table.in_play
    assert [step.helper for step in table.match.state.queue] == ["losses"]
    reader = table.tap("soviet", ["soviet-1", "german-4"])
    assert "29 Mot 6-2-24 #1" in reader.words("#desk")  # a defence, too, fires into the hex of the attackers


def test_soviet_guns_have_half_their_strength_without_the_depot(table):
    table.players["soviet"].do("record/", field="depot_lost", value="yes")
    reader = table.tap("soviet", ["soviet-5", "german-3"])
    reader.form("#desk-form").fill(kind="bombardment", die=6).press("Resolve")
    assert table.last.result.details["total"] == 3, reader.words("#desk")
    assert table.last.inputs["firers"] == [{"strength": 6, "factor": "1", "name": "Guns #5", "soviet_gun": True}]


def test_soviet_armor_that_is_overrun_doubles_its_first_strength(table):
    reader = table.tap("soviet", ["soviet-4", "german-3"])
    reader.form("#desk-form").fill(kind="overrun", die=6).press("Resolve")
    assert rows_of(table.last) == [(5, "2", "T-34 #4")] and table.last.result.details["total"] == 10


def test_who_has_no_range_does_not_bombard_and_flak_face_down_is_silent(table):
    reader = table.tap("german", ["german-1", "soviet-1"])
    reader.form("#desk-form").fill(kind="bombardment", die=2).press("Resolve")
    assert "29 Mot 6-2-24 #1 has no range: it does not bombard." in reader.words("#desk")
    table.players["soviet"].do("counters/", id="soviet-6", becomes="face_down")
    reader = table.tap("soviet", ["soviet-6"])
    lines = len(table.players["soviet"].log)
    reader.form("#desk-form").fill(kind="anti_air", die=2).press("Resolve")
    assert "lies face down" in reader.words("#desk") and len(table.players["soviet"].log) == lines


def test_all_in_a_hex_are_eliminated_and_taking_back_brings_them_back(table):
    reader = table.tap("german", ["german-1", "german-2", "soviet-1"])
    table.tell(reader, {"29_mot_6_2_24": "Armor"})
    reader.form("#desk-form").fill(terrain="clear", die=1).press("Resolve")
    assert table.last.result.details["losses"] >= 1 and "soviet-1" not in table.in_play
    assert not table.match.state.queue
    table.players["german"].do("take-back/")
    assert "soviet-1" in table.in_play


def test_where_some_are_left_players_say_who_is_lost(table):
    table.players["soviet"].do("counters/", id="soviet-4", place=HERE)
    lose_two(table)
    assert [step.helper for step in table.match.state.queue] == ["losses"]
    reader = table.open("soviet")
    offers = [node.text() for node in reader.find("#offers button")]
    assert offers == ["Lost: 2 × 42 Gds", "Lost: 42 Gds and T-34"], "one of three alike is as good as another (BR-14)"
    reader.form("#desk-form").press("Lost: 42 Gds and T-34")
    assert table.last.sentence == "Losses: 42 Gds #1 and T-34 #4 eliminated."
    assert {"soviet-2", "soviet-3"} <= table.in_play and not table.match.state.queue


def lose_two(table):
    """The Germans fire at hex 1726, and two of those in it are lost."""
    reader = table.tap("german", ["german-1", "german-2", "soviet-1"])
    table.tell(reader, {"29_mot_6_2_24": "Armor"})
    reader.form("#desk-form").fill(terrain="clear", die=4).press("Resolve")
    assert table.last.result.details["losses"] == 2


def test_of_units_that_are_all_alike_nobody_is_asked_who_is_lost(table):
    lose_two(table)
    assert not table.match.state.queue and table.in_play & {"soviet-1", "soviet-2", "soviet-3"} == {"soviet-3"}
    assert "All there are alike, eliminated: 42 Gds #1 and 42 Gds #2." in table.open("soviet").words("#desk")


def test_a_correction_of_the_die_brings_back_who_was_lost(table):
    table.players["soviet"].do("counters/", id=["soviet-2", "soviet-3"], place=INTO)
    reader = table.tap("german", ["german-1", "soviet-1"])
    table.tell(reader, {"29_mot_6_2_24": "Armor"})
    reader.form("#desk-form").fill(terrain="clear", die=1).press("Resolve")
    assert "soviet-1" not in table.in_play
    reader = table.open("german", f"roll/combat/?corrects={table.last.number}")
    assert [row for row in rows_of(table.last)] == [(6, "1", "29 Mot 6-2-24 #1")]
    reader.form("#desk-form").fill(die=6).press("Resolve")
    assert table.last.result.details["losses"] == 0, reader.words("#desk")
    assert "soviet-1" in table.in_play
    assert "no counter is named" not in table.open("german").words("#log-rows"), "its rows say who fires"


def test_the_strip_counts_the_counters_in_play(table):
    assert "German counters 4 of 116 on the map" in table.open("german").words()


def test_the_sheet_of_what_everybody_may_know_counts_no_hidden_counters(table):
    german = table.players["german"]
    german.do("counters/", id="german-1", hidden="on")
    assert "German counters 4 of 116 on the map" in table.open("german").words()
    everybody, secret = "German counters 3 of 116 on the map", "4 of 116"
    assert everybody in table.open("soviet").words() and everybody in table.open("german", "pack/").words()
    assert secret not in text_of(german.get("pack.pdf")) and secret not in table.open("german", "pack/").words()


# Who is lost


def struck(*sorts):
    return [ChosenOfSort("x", f"unit {at}", (), f"soviet-{at}", sort=sort) for at, sort in enumerate(sorts, 1)]


@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("standing", range(1, 6))
def test_the_ways_to_lose_some_are_all_of_that_size(number, standing):
    ways = losses.list_ways(number=number, at=struck(*["infantry"] * standing))
    assert len(set(ways)) == len(ways) and {len(way) for way in ways} == {min(number, standing)}
    assert {place for way in ways for place in way} == set(range(1, standing + 1))


def test_level_bombers_take_artillery_first():
    at = struck("infantry", "artillery", "armor", "self_propelled_artillery")
    assert losses.list_ways(number=1, at=at, level_bombers=True) == [(2,), (4,)]
    assert losses.list_ways(number=3, at=at, level_bombers=True) == [(1, 2, 4), (2, 3, 4)]
    with pytest.raises(BadInput, match="artillery first"):
        losses.take_losses(charts={}, number=1, at=at, level_bombers=True, lost=(1,))


def test_nobody_is_chosen_by_the_app():
    at = struck("infantry", "armor")
    with pytest.raises(OpenQuestion, match="Which 1 unit of the 2"):
        losses.take_losses(charts={}, number=1, at=at)
    assert losses.take_losses(charts={}, number=2, at=at).details["lost"] == 2
    assert losses.take_losses(charts={}, number=1).headline == "Losses: 1 unit."


@pytest.mark.parametrize(
    ("sorts", "target"),
    [
        (["armor"], strength.Target.ONLY),
        (["armor", "infantry"], strength.Target.MIXED),
        (["anti_tank"], strength.Target.NONE),
        ([], strength.Target.NONE),
    ],
)
def test_armor_in_a_hex(sorts, target):
    from firefight.games.battle_for_stalingrad.rules.filling import find_armor

    kinds = [box.UnitCounter(sort, sort, box.Printed(1, 1), unit=units.Unit(sort)) for sort in sorts]
    assert find_armor(kinds) is target


def test_the_gallery_shows_formations_and_a_sheet_refuses_german_guards(table):
    page = text_of(table.players["german"].get("counters/?side=german"))
    assert "29 Mot 6-2-24" in page and "16 Pz 3-18" in page
    reader = table.open("german", "counters/sheets/")
    reader.form("#sheet").fill(title="Odd", text=SHEET.splitlines()[0] + "\nX\tGerman\tArmor\t6-2-24\t\tyes\t1")
    reader.form("#sheet").press("Keep the sheet")
    assert "only the Soviets have Guards" in reader.words()


def test_the_kurgan_is_fortified_as_long_as_nobody_says_otherwise(table):
    reader = table.tap("german", ["german-1", "soviet-1"])
    table.tell(reader, {"29_mot_6_2_24": "Armor"})
    assert reader.form("#desk-form").value("terrain") == "fortified"  # by note 5 of the chart
    reader.form("#desk-form").fill(terrain="clear")
    assert reader.form("#desk-form").value("terrain") == "clear"
    reader.form("#desk-form").fill(die=2).press("Resolve")
    assert table.last.inputs["terrain"] == "clear" and rows_of(table.last)[0][0] == 6


def test_the_kurgan_counts_for_those_in_it_who_defend_and_for_germans_who_defend_against_them(table):
    reader = table.tap("soviet", ["soviet-1", "german-4"])
    reader.form("#desk-form").fill(defence="soviet")
    assert reader.form("#desk-form").value("terrain") == "fortified"
    reader.form("#desk-form").fill(die=6).press("Resolve")
    assert table.last.result.details["total"] == 4 * 3
    assert "All in the hex are eliminated" not in " ".join(table.last.result.effects)
    reader = table.tap("german", ["german-3", "soviet-1"])
    reader.form("#desk-form").fill(defence="german")
    assert reader.form("#desk-form").value("terrain") == "fortified"


def test_who_is_eliminated_is_named_where_all_are(table):
    table.players["soviet"].do("counters/", id=["soviet-2", "soviet-3"], place=INTO)
    reader = table.tap("german", ["german-1", "german-2", "soviet-1"])
    table.tell(reader, {"29_mot_6_2_24": "Armor"})
    reader.form("#desk-form").fill(terrain="clear", die=1).press("Resolve")
    assert "All in the hex are eliminated: 42 Gds #1." in table.last.result.effects


def test_a_unit_that_falls_by_a_tap_is_counted_once_among_the_turning_points(table):
    table.players["soviet"].do("counters/", id="soviet-3", place=INTO)
    reader = table.tap("german", ["german-1", "german-2", "soviet-1"])
    table.tell(reader, {"29_mot_6_2_24": "Armor"})
    reader.form("#desk-form").fill(terrain="clear", die=4).press("Resolve")
    assert table.last.result.details["losses"] == 2 and table.in_play.isdisjoint({"soviet-1", "soviet-2"})
    assert "2 fell" in (words := table.open("german", "report/").words("main")) and "4 fell" not in words
