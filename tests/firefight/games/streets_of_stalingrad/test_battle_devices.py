"""An attack on several devices: a second one of the same side, one that is handed over, counters that were tapped."""

import pytest

from firefight.table.rolling import replay
from tests.filling import NotOffered, Reader
from tests.firefight import players
from tests.firefight.players import way_back_in
from tests.games.test_sheets import lay

from .test_battle import SLUG, Side, due
from .test_filling import HERE, NEXT, UNITS, german, value  # noqa: F401 (a fixture)
from .test_sheets import HEAD

pytestmark = pytest.mark.django_db


def begin(**more):
    player, links = players.begin("german", game=SLUG, **more)
    player.do("record/", field="phase", value="5")
    return Side(player), links


def test_a_second_device_of_the_defender_answers_what_the_first_was_asked():
    attacker, links = begin()
    phone = Side(players.sit(links["soviet"], attacker.player.match_id))
    tablet = Side(players.sit(way_back_in(phone.player.issue("soviet")), attacker.player.match_id, "keep"))
    attacker.declare(more_hexes="8")
    for device in (phone, tablet):
        assert "Fire at hex 2: 8 AF" in device.desk
    tablet.press("Fire at hex 2: 8 AF")
    assert due(phone) == [("defensive-fire", "Soviet defensive fire at hex 2")]
    stale = phone.reader  # the phone still shows the choice that the tablet has made
    with pytest.raises(NotOffered):
        phone.press("Fire at hex 1: 12 AF")
    assert stale.status == 200
    phone.throw(10, points=9)
    assert due(tablet) == [("decide", "Fire in defence")]
    tablet.press("No more fire")
    for device in (phone, tablet):
        with pytest.raises(NotOffered):
            device.throw(9)
    attacker.throw(9)
    assert due(attacker) == []


def test_a_choice_that_another_device_has_made_is_not_made_twice():
    attacker, links = begin()
    phone = Side(players.sit(links["soviet"], attacker.player.match_id))
    tablet = Side(players.sit(way_back_in(phone.player.issue("soviet")), attacker.player.match_id, "keep"))
    attacker.declare()
    phone.open()  # and looks at it
    tablet.press("All stay, no fire")
    phone.reader.press("Defensive fire", "#desk")
    assert due(attacker) == [("attack", "German attack")]
    assert [line.helper for line in attacker.player.log if line.helper] == ["battle", "decide"]


def test_a_device_that_is_handed_over_covers_the_defenders_choice():
    both, _ = begin(hot_seat=True)
    both.declare()
    player, step = both.player, both.player.match.state.queue[0]
    player.send("cover/", {})
    covered = Reader(player.client).open(f"/match/{player.match_id}/")
    assert "The cover is on" in covered.words()
    assert "Retreat or fire" not in covered.words() and "no fire" not in covered.words()
    with pytest.raises(NotOffered):
        covered.press("All stay, no fire")
    player.roll("decide", step=step.id, **{**step.inputs, "choice": "hold"})
    assert due(both) == [("decide", "Retreat or fire")]  # nothing is decided below the cover
    covered.press("I am Soviet")
    assert "You are Soviet" in covered.words()
    both.press("Defensive fire")
    assert player.last.side == "soviet"
    both.throw(10, points=9)
    player.send("cover/", {})
    Reader(player.client).open(f"/match/{player.match_id}/").press("I am German")
    both.throw(9)
    assert due(both) == [] and player.last.side == "german"


def tap(player, *ids):
    """The match's page with counters tapped."""
    reader = Reader(player.client).open(f"/match/{player.match_id}/")
    reader.form("#table").fill(chosen=list(ids))
    return reader


@pytest.mark.parametrize("slug, title", [("battle", "Attack, step by step"), ("attack", "Attack")])
def test_tapped_counters_fill_an_attack_from_the_bar(german, slug, title):  # noqa: F811
    reader = tap(german, "german-1", "german-2", "soviet-1").press(title, "#rolls")
    assert [value(reader, name) for name in ("points", "combat_units", "hex")] == ["9", "2", HERE]
    assert "4 + 5 = 9 AF" in reader.words("#desk")
    alone = tap(german, "german-1").press(title, "#rolls")
    assert value(alone, "points") == "4" and not value(alone, "hex")  # one's own attack, nobody is attacked yet


def test_tapped_counters_say_who_moves_under_fire(german):  # noqa: F811
    german.do("record/", field="phase", value="3")
    reader = tap(german, "german-1", "german-2").press("Moving under fire", "#rolls")
    form = reader.form("#desk-form")
    assert form.value("side") == "german" and form.value("combat_units") == "2"
    form.fill(hex="1642").press("Declare")
    reader.press("Yes", "#desk")
    reader.form("#desk-form").fill(points=20, die=4).press("Resolve")
    states = {row["id"]: row["state"] for row in german.get("counters.json").json()}
    assert states["german-1"] == states["german-2"] == ["pinned"]


def test_an_attack_of_tapped_counters_goes_through_its_steps_with_them(german):  # noqa: F811
    reader = tap(german, "german-1", "german-2", "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0, integrity=0, other_drm=-2).press("Declare")
    reader.press("All stay, no fire", "#desk")
    reader.form("#desk-form").fill(die=3).press("Resolve")
    states = {row["id"]: row["state"] for row in german.get("counters.json").json()}
    assert states["german-1"] == states["german-2"] == ["spent"]
    assert "pinned" in states["soviet-1"] and states["soviet-3"] == []


def test_an_attack_whose_counters_are_given_back_meanwhile_stands_the_check():
    player = players.begin("german", hot_seat=True, game=SLUG)[0]
    assert lay(player, UNITS, "All").status == 200
    player.do("counters/add/", list="German: 1/I/274, 2/I/274")
    added = player.last.number
    player.do("record/", field="phase", value="5")
    reader = tap(player, "german-1", "german-2").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(hex=HERE, terrain="forest", terrain_drm=0, integrity=-1).press("Declare")
    player.do("counters/undo/", number=added)
    reader.open(f"/match/{player.match_id}/").press("All stay, no fire", "#desk")
    reader.form("#desk-form").fill(points=9, integrity=4, die=3).press("Resolve")
    entered = "Entered otherwise than asked for: Unit integrity 4, not -1."
    assert entered in player.last.sentence
    reader.open(f"/match/{player.match_id}/roll/attack/?corrects={player.last.number}")
    reader.form("#desk-form").fill(die=4).press("Resolve")
    [corrected] = [line for line in player.log if line.helper == "attack" and line.voided_by is None]
    assert corrected.about and corrected.sentence.endswith(entered)
    assert replay.examine_log(player.get("log.json").json())["problems"] == []


# Fire in defence at counters that attack


def fire_at(german, die, choice="Defensive fire", **declared):  # noqa: F811
    """An attack by two counters, and defensive fire at it of 20 DF: a 1 is a D1, a 6 a P."""
    reader = tap(german, "german-1", "german-2", "soviet-1").press("Attack, step by step", "#rolls")
    fields = {"terrain": "forest", "terrain_drm": 0, "integrity": 0, **declared}
    reader.form("#desk-form").fill(fields).press("Declare")
    reader.press(choice, "#desk")
    reader.form("#desk-form").fill(points=20, die=die).press("Resolve")
    return reader


def how(german, *ids):  # noqa: F811
    """State and fate of counters."""
    now = {row["id"]: row for row in german.get("counters.json").json()}
    return [[*now[one]["state"], *filter(None, [now[one]["fate"]])] for one in ids]


def ids_of(step, name):
    return [row["id"] for row in step.inputs.get(name) or ()]


def test_defensive_fire_pins_the_counters_that_attack_until_it_is_taken_back(german):  # noqa: F811
    fire_at(german, 6)
    assert how(german, "german-1", "german-2", "soviet-1") == [["pinned"], ["pinned"], []]
    assert german.last.helper == "fall-away" and not german.match.state.queue
    german.do("take-back/")
    assert how(german, "german-1", "german-2") == [[], []]


GUN = "AR 94\tGerman\t94\t\t\tIF gun\t11\t3\t14\t15"


def test_fire_in_defence_is_not_barred_by_the_guns_that_help_the_attack(german):  # noqa: F811
    assert lay(german, f"{HEAD}\n{GUN}", "AR 94").status == 200
    (gun,) = bring(german, ("AR 94", "1850"))
    reader = tap(german, "german-1", gun, "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", spotting=0).press("Declare")
    reader.press("Defensive fire", "#desk")
    reader.form("#desk-form").fill(points=5, die=10).press("Resolve")
    assert german.last.helper == "defensive-fire", reader.words("#desk")
    reader.form("#desk-form").fill(die=9, terrain_drm=0).press("Resolve")
    attack = next(line for line in reversed(german.log) if line.helper)
    assert attack.helper == "attack" and not attack.inputs.get("gun_names"), reader.words("#desk")
    assert [row["unit"] for row in german.get("record.json").json()["record"]["fired"]] == ["AR_94"]


def test_guns_that_fire_in_defence_have_fired(german):  # noqa: F811
    gun = GUN.replace("AR 94\tGerman\t94", "AR 13\tSoviet\t13")
    assert lay(german, f"{HEAD}\n{gun}", "AR 13").status == 200
    german.do("counters/add/", list="Soviet: AR 13")
    german.do("counters/", id="soviet-4", place="1830")
    reader = tap(german, "german-1", "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest").press("Declare")
    reader.press("Defensive fire", "#desk")
    german.do("lift/", side="soviet")
    reader = tap(german, "soviet-1", "soviet-4").press("Defensive and opportunity fire", "#rolls")
    reader.form("#desk-form").fill(die=10, spotting=0).press("Resolve")
    assert german.last.helper == "defensive-fire", reader.words("#desk")
    assert [row["unit"] for row in german.get("record.json").json()["record"]["fired"]] == ["AR_13"]


def test_a_hex_whose_attack_fell_away_is_not_attacked_again_in_this_phase(german):  # noqa: F811
    fire_at(german, 6)
    assert german.last.helper == "fall-away"
    (fresh,) = bring(german, ("1/I/274", "1742"))
    reader = tap(german, fresh, "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0).press("Declare")
    assert "1842 was attacked in this phase already (9.14)." in reader.words("#desk")
    german.do("record/", field="phase", value="8", house="on")
    reader = tap(german, fresh, "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0).press("Declare")
    assert german.match.state.queue[0].helper == "decide"


def test_the_owner_of_who_attacks_says_who_is_lost_and_the_others_attack(german):  # noqa: F811
    reader = fire_at(german, 1, integrity=-1)
    (step,) = german.match.state.queue
    assert (step.helper, step.inputs["side"], step.inputs["combat_units"]) == ("losses", "german", 2)
    assert ids_of(step, "who") == ["german-1", "german-2"]
    reader.press("Lost: 2/I/274", "#desk")
    assert how(german, "german-1", "german-2") == [[], ["eliminated"]]
    (step,) = german.match.state.queue
    assert step.helper == "attack" and ids_of(step, "by") == ["german-1"]
    form = reader.form("#desk-form")  # of one battalion nobody is mixed, and those left are added up again (9.66)
    assert [form.value(name) for name in ("points", "integrity")] == ["4", "0"]
    german.do("take-back/")
    assert how(german, "german-2") == [[]] and german.match.state.queue[0].helper == "losses"


PIONEER = "Pi 194\tGerman\t94\t\t194\tEngineer\t5\t4\t1\t8\t\tyes"
TANK = "A/129\tGerman\t\t\t129\tTank\t9\t7\t2\t21\tyes"


def list_lost(german, unit, name, **fire):  # noqa: F811
    """Whom a D1 on a hex of infantry and another unit lets its owner choose, once both attack a suburb."""
    assert lay(german, f"{HEAD}\n{unit}", name).status == 200
    (fresh,) = bring(german, (name, NEXT))
    reader = tap(german, "german-1", fresh, "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain=fire.pop("terrain", "suburb")).press("Declare")
    reader.press("Defensive fire", "#desk")
    reader.form("#desk-form").fill(points=20, die=1, **fire).press("Resolve")
    return [unit for unit in ("1/I/274", name) if f"Lost: {unit}" in reader.words("#desk")]


def test_engineers_who_attack_with_their_modifier_are_lost_first(german):  # noqa: F811
    assert list_lost(german, PIONEER, "Pi 194") == ["Pi 194"]  # 9.82


def test_engineers_whose_modifier_does_not_count_are_lost_like_others(german):  # noqa: F811
    assert list_lost(german, PIONEER, "Pi 194", terrain="forest") == ["1/I/274", "Pi 194"]


@pytest.mark.parametrize("underlined, lost", [(True, ["A/129"]), (False, ["1/I/274", "A/129"])])
def test_armour_is_lost_first_where_a_defender_has_its_af_underlined(german, underlined, lost):  # noqa: F811
    assert list_lost(german, TANK, "A/129", underlined_af=underlined) == lost


def test_a_corrected_die_of_defensive_fire_gives_the_lost_back_and_pins(german):  # noqa: F811
    reader = fire_at(german, 1)
    reader.press("Lost: 2/I/274", "#desk")
    shot = next(line for line in german.log if line.helper == "defensive-fire")
    reader.open(f"/match/{german.match_id}/roll/defensive-fire/?corrects={shot.number}")
    reader.form("#desk-form").fill(die=6).press("Resolve")
    assert how(german, "german-1", "german-2") == [["pinned"], ["pinned"]]
    assert not german.match.state.queue


def test_of_two_hexes_the_one_that_is_fired_at_is_pinned_and_the_other_attacks(german):  # noqa: F811
    german.do("counters/", id="german-2", place="1742")
    reader = fire_at(german, 6, "Fire at 1843: 4 AF")
    assert how(german, "german-1", "german-2") == [["pinned"], []]
    reader.press("No more fire", "#desk")
    (step,) = german.match.state.queue
    assert step.helper == "attack" and ids_of(step, "by") == ["german-2"]
    reader.form("#desk-form").fill(die=9).press("Resolve")
    assert how(german, "german-1", "german-2") == [["pinned"], ["spent"]]


def test_a_unit_fires_in_defence_at_one_hex_alone(german):  # noqa: F811
    german.do("counters/", id="german-2", place="1742")
    reader = tap(german, "german-1", "german-2", "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest").press("Declare")
    german.do("lift/", side="soviet")
    for choice, firers in (("Fire at 1742: 5 AF", ["soviet-1"]), ("Fire at 1843: 4 AF", ["soviet-1", "soviet-2"])):
        Reader(german.client).open(f"/match/{german.match_id}/").press(choice, "#desk")
        reader = tap(german, *firers, "soviet-3").press("Defensive and opportunity fire", "#rolls")
        reader.form("#desk-form").fill(die=10).press("Resolve")
    assert "1/39: fired at another hex already, and each unit fires at one alone (9.56)." in reader.words("#desk")
    reader = tap(german, "soviet-2", "soviet-3").press("Defensive and opportunity fire", "#rolls")
    reader.form("#desk-form").fill(die=10).press("Resolve")
    assert [line.helper for line in german.log if line.kind == "roll"][-1] == "defensive-fire", reader.words("#desk")


def test_the_last_unit_of_a_hex_that_is_lost_leaves_nobody_who_attacks(german):  # noqa: F811
    german.do("counters/", id="german-2", place="1742")
    reader = fire_at(german, 1, "Fire at 1843: 4 AF")
    reader.press("No more fire", "#desk")
    (step,) = german.match.state.queue
    assert how(german, "german-1", "german-2") == [["eliminated"], []]
    assert (step.helper, ids_of(step, "by"), step.inputs["points"]) == ("attack", ["german-2"], 5)


# Who leaves, and flotilla units


def declare_as_soviet(german, *units):  # noqa: F811
    """A Soviet attack by counters of these kinds on the German ones in their hex, in phase 12."""
    german.do("record/", field="phase", value="12")
    german.do("lift/", side="soviet")
    reader = tap(german, *units, "german-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(points=9, terrain="forest", terrain_drm=0, integrity=0).press("Declare")
    assert reader.status == 200, reader.words("#desk")
    return reader.words("#desk")


@pytest.mark.parametrize(
    "defender, attacker, may_leave",
    [
        ("Tank A", "1/39", True),  # German armour alone, attacked by no armour (9.45)
        ("1/I/274", "1/39", False),
        ("Tank A", "6 Tank", False),
    ],
)
def test_all_leave_only_where_german_armour_alone_is_attacked_by_no_armour(db, defender, attacker, may_leave):
    german = players.begin("german", hot_seat=True, game=SLUG)[0]  # noqa: F811
    rows = "Tank A\tGerman\t\t\t129\tTank\t9\t7\t2\t21\t\n6 Tank\tSoviet\t\t6\t\tTank\t6\t5\t1\t21"
    assert lay(german, f"{UNITS}\n{rows}", "All").status == 200
    german.do("counters/add/", list=f"German: {defender}\nSoviet: {attacker}")
    german.do("counters/", id="german-1", place=NEXT)
    german.do("counters/", id="soviet-1", place=HERE)
    words = declare_as_soviet(german, "soviet-1")
    assert "Some leave" in words and ("All leave: armour alone" in words) == may_leave


def test_flotilla_units_go_for_those_with_whom_they_cross_and_come_back(db):
    german = players.begin("german", hot_seat=True, game=SLUG)[0]  # noqa: F811
    assert lay(german, UNITS, "All").status == 200
    german.do("counters/add/", list="German: 1/I/274\nSoviet: 1/39, River flotilla")
    german.do("counters/", id=["soviet-1", "soviet-2"], place=HERE)
    german.do("record/", field="phase", value="10")
    german.do("lift/", side="soviet")
    reader = tap(german, "soviet-1", "soviet-2").press("Moving under fire", "#rolls")
    reader.form("#desk-form").fill(hex=HERE, terrain="volga").press("Declare")
    reader.press("Yes", "#desk")
    reader.form("#desk-form").fill(points=20, die=1).press("Resolve")
    reader.press("Lost: River flotilla #2", "#desk")
    assert how(german, "soviet-1", "soviet-2") == [[], ["eliminated"]]
    (step,) = german.match.state.queue
    assert (step.helper, step.inputs["side"]) == ("flotilla-return", "soviet")
    reader.form("#desk-form").fill(die=5).press("Resolve")
    (row,) = german.get("record.json").json()["record"]["due"]
    assert (row["what"], row["turn"]) == ("river flotilla", 4)  # half of 5, rounded up (16.57)
    assert [step.helper for step in german.match.state.queue] == ["decide"]  # another hex may fire


def test_16_54_three_guards_and_two_flotilla_units_under_a_d3(db):
    """One of the Guards is lost, and two flotilla units in place of two more."""
    german = players.begin("german", hot_seat=True, game=SLUG)[0]  # noqa: F811
    assert lay(german, UNITS, "All").status == 200
    german.do("counters/add/", list="German: 1/I/274\nSoviet: 1/39, 2/39, 1/39, River flotilla, River flotilla")
    everybody = [f"soviet-{number}" for number in range(1, 6)]
    german.do("counters/", id=everybody, place=HERE)
    german.do("record/", field="phase", value="10")
    german.do("lift/", side="soviet")
    reader = tap(german, *everybody).press("Moving under fire", "#rolls")
    reader.form("#desk-form").fill(hex=HERE, terrain="volga").press("Declare")
    reader.press("Yes", "#desk")
    reader.form("#desk-form").fill(points=60, die=1, other_drm=-2).press("Resolve")
    shot = next(line for line in reversed(german.log) if line.helper == "defensive-fire")
    assert shot.result.details["result"] == "D3"
    reader.press("Lost: 2/39 and River flotilla #4 and River flotilla #5", "#desk")
    fates = how(german, *everybody)
    assert fates[3:] == [["eliminated"]] * 2 and sorted(fates[:3]) == [[], [], ["eliminated"]]


# Counters that are selected for a roll that is due


@pytest.mark.parametrize("seat", ["german", "soviet"])
def test_the_defenders_counters_make_the_fire_that_is_due(german, seat):  # noqa: F811
    """On one device for both it is made from either seat."""
    reader = tap(german, "german-1", "german-2", "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0, integrity=0).press("Declare")
    reader.press("Defensive fire", "#desk")
    german.do("lift/", side=seat)
    reader = tap(german, "soviet-1", "soviet-2").press("Defensive and opportunity fire", "#rolls")
    form, (step,) = reader.form("#desk-form"), german.match.state.queue
    assert (form.value("step"), form.value("points"), form.value("combat_units")) == (step.id, "7", "2")
    assert "4 + 3 = 7 DF" in reader.words("#desk") and "1/39" in reader.words("#desk")
    form.fill(die=4, integrity=0).press("Resolve")
    assert reader.status == 200, reader.words("#desk")
    assert how(german, "german-1", "german-2") == [["pinned"], ["pinned"]]
    shot = next(line for line in german.log if line.helper == "defensive-fire")
    assert [row["id"] for row in shot.inputs["by"]] == ["soviet-1", "soviet-2"] and shot.due == step.id


def fire_at_mover(german, die, **more):  # noqa: F811
    """Both Soviets of HERE fire at german-1, which moves in NEXT."""
    german.do("record/", field="phase", value="3")
    reader = tap(german, "german-1").press("Moving under fire", "#rolls")
    reader.form("#desk-form").fill(hex=NEXT, terrain="clear").press("Declare")
    reader.press("Yes", "#desk")
    german.do("lift/", side="soviet")
    reader = tap(german, "soviet-1", "soviet-2").press("Defensive and opportunity fire", "#rolls")
    reader.form("#desk-form").fill(die=die, terrain="clear", **more).press("Resolve")
    assert reader.status == 200, reader.words("#desk")
    return next(line for line in reversed(german.log) if line.helper == "defensive-fire")


def test_a_move_under_fire_says_the_hex_that_it_passes_and_not_where_its_counters_lie(german):  # noqa: F811
    german.do("record/", field="phase", value="3")
    reader = tap(german, "german-1").press("Moving under fire", "#rolls")
    reader.form("#desk-form").fill(hex="1742", terrain="clear").press("Declare")
    assert "At 1742" in reader.words("#desk") and "At 1843" not in reader.words("#desk")


def bring(german, *names_and_places):  # noqa: F811
    """Further counters of the German's, each in its hex."""
    ids = []
    for name, place in names_and_places:
        before = {row["id"] for row in german.get("counters.json").json()}
        german.do("counters/add/", list=f"German: {name}")
        (fresh,) = {row["id"] for row in german.get("counters.json").json()} - before
        german.do("counters/", id=fresh, place=place)
        ids.append(fresh)
    return ids


def test_a_mover_that_fire_pins_pins_all_others_of_its_hex_but_leaders(german):  # noqa: F811
    leader, beside, elsewhere = bring(german, ("Leader", NEXT), ("1/I/274", NEXT), ("1/I/274", "1742"))
    german.do("counters/", id="german-2", place=NEXT)
    shot = fire_at_mover(german, 8, points=30)
    assert "P" in shot.result.details["result"] and shot.result.details["marker"] == "pinned"
    assert how(german, "german-1", "german-2", beside) == [["pinned"]] * 3  # 11.11
    assert how(german, leader, elsewhere, "soviet-1") == [[], [], []]
    log = german.get("log.json").json()
    assert replay.examine_log(log)["problems"] == []
    (line,) = (entry for entry in log["entries"] if entry.get("helper") == "defensive-fire")
    del line["result"]["details"]["changes"]["counters"]["german-1"]
    assert any("what differs: details" in problem for problem in replay.examine_log(log)["problems"])
    german.do("take-back/")
    assert how(german, "german-1", "german-2", beside) == [[], [], []]


def test_nobody_is_pinned_beside_a_mover_that_is_lost_or_that_no_p_struck(german):  # noqa: F811
    german.do("counters/", id="german-2", place=NEXT)
    shot = fire_at_mover(german, 1, points=20)
    assert shot.result.details["lost"]
    assert how(german, "german-2") == [[]]


def test_fire_in_defence_at_a_hex_of_a_city_makes_spent_once_its_terrain_is_told(german):  # noqa: F811
    german.do("counters/", id="german-2", place="1742")
    german.roll("bombardment", points="1", terrain="city", hex=NEXT, spotting="0", other_drm="20", die="10")
    reader = tap(german, "german-1", "german-2", "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0, integrity=0).press("Declare")
    reader.press("Fire at 1843: 4 AF", "#desk")
    (step,) = german.match.state.queue
    assert step.title == "Soviet defensive fire at 1843"
    assert [reader.form("#desk-form").value(name) for name in ("terrain", "combat_units")] == ["city", "1"]
    reader.form("#desk-form").fill(points=20, die=6).press("Resolve")
    assert how(german, "german-1", "german-2") == [["spent"], []]  # 9.113
    reader.press("Fire at 1742: 5 AF", "#desk")
    reader.form("#desk-form").fill(points=20, die=9).press("Resolve")
    rows = german.get("record.json").json()["record"]["hex_values"]
    assert {place: row["terrain"] for place, row in rows.items()} == {HERE: "forest", NEXT: "city"}  # of 1742 nothing


def test_counters_that_are_selected_with_others_make_a_roll_of_their_own(german):  # noqa: F811
    reader = tap(german, "german-1", "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0).press("Declare")
    reader.press("Defensive fire", "#desk")
    german.do("lift/", side="soviet")
    reader = tap(german, "soviet-1", "german-2").press("Defensive and opportunity fire", "#rolls")
    assert not reader.form("#desk-form").value("step")  # german-2 does not attack
    reader = tap(german, "soviet-1", "german-1").press("Defensive and opportunity fire", "#rolls")
    assert reader.form("#desk-form").value("step")


def test_counters_that_are_selected_fire_at_movers_once_a_phase(german):  # noqa: F811
    german.do("record/", field="phase", value="3")
    reader = tap(german, "german-1").press("Moving under fire", "#rolls")
    reader.form("#desk-form").fill(hex="1842", terrain="clear").press("Declare")
    reader.press("Yes", "#desk")
    german.do("lift/", side="soviet")
    reader = tap(german, "soviet-1", "soviet-2").press("Defensive and opportunity fire", "#rolls")
    form = reader.form("#desk-form")
    assert (form.value("kind"), form.value("points"), form.value("combat_units")) == ("opportunity", "7", "1")
    form.fill(die=10).press("Resolve")
    record = german.get("record.json").json()["record"]
    assert [(row["unit"], row["phase"]) for row in record["opportunity"]] == [("1/39", 3), ("2/39", 3)]
    reader.press("Another hex fires", "#desk")
    reader = tap(german, "soviet-1").press("Defensive and opportunity fire", "#rolls")
    reader.form("#desk-form").fill(die=10).press("Resolve")
    assert reader.status == 422 and "1/39 fired at movers in this phase already" in reader.words("#desk")
    assert len(german.match.state.queue) == 1  # still due


def rolled(german, slug):  # noqa: F811
    """The newest roll of a kind."""
    return next(line for line in reversed(german.log) if line.helper == slug)


def test_an_attack_read_again_counts_those_whom_a_corrected_fire_leaves(german):  # noqa: F811
    reader = fire_at(german, 1)
    reader.press("Lost: 2/I/274", "#desk")
    reader.form("#desk-form").fill(other_drm=1, die=5).press("Resolve")
    attack = rolled(german, "attack")
    assert attack.inputs["points"] == 4
    reader.open(f"/match/{german.match_id}/roll/defensive-fire/?corrects={rolled(german, 'defensive-fire').number}")
    reader.form("#desk-form").fill(die=10).press("Resolve")
    again = rolled(german, "attack")
    assert again.rolls[0].of == attack.number
    assert (again.inputs["points"], again.inputs["other_drm"]) == (9, 1)
