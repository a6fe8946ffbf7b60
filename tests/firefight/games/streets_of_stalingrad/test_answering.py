"""What counters in play and the record answer to "may I?": ZOC, leaders, attack markers, who has fired."""

import pytest

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import TableState
from firefight.games.chartbooks import shipped
from firefight.games.streets_of_stalingrad.rules.answering import answer_asked
from firefight.games.streets_of_stalingrad.rules.keeping import Keeping
from firefight.games.streets_of_stalingrad.rules.record import RECORD
from firefight.games.streets_of_stalingrad.rules.units import Arm
from tests.filling import Reader
from tests.firefight import players
from tests.games.test_sheets import lay

from . import ask
from .test_filling import FAR, GAME, HERE, NEXT, UNITS, piece, target
from .test_table import put, record_of

AROUND = ("1841", "1942", "1943", "1843", "1743", "1742")  # the six hexes that touch HERE
ELSEWHERE = "1829"


def around(pieces, phase=5, terrain=(), **record):
    """The table with these counters. ``terrain``: that of hexes whose terrain is known."""
    values = {place: {"terrain": word} for place, word in dict(terrain).items()}
    kept_now = RECORD.complete({"hex_values": values, **record})
    return TableState(Position(turn=1, phase=str(phase)), kept_now, shipped(GAME), pieces=pieces)


def answer(slug, situation, firers=(), targets=(), **about):
    return answer_asked(slug, {"firers": firers, "targets": targets, **about}, situation)


def marker(place, word="attack"):
    return {"hex": place, "marker": word, "under_attack": False}


def leader(number, place, arm=Arm.LEADER, side="soviet"):
    return piece(number, side, place, arm=arm, af=None, df=None)


GUARDS = target()  # soviet-9 on HERE
GERMAN = piece(1)  # german-1 on NEXT


def test_a_question_that_names_nobody_is_answered_nothing():
    assert answer("reserves", around([GUARDS])) == {}
    assert answer("hex", around([GUARDS]), targets=["soviet-9"]) == {}


@pytest.mark.parametrize(
    "terrain, enemy, expected",
    [
        ("clear", GERMAN, True),
        ("city", GERMAN, False),  # no ZOC reaches into it (6.2)
        (None, GERMAN, False),  # nobody has said what lies there
        ("clear", leader(1, NEXT, side="german"), False),  # leaders have none (6.1)
        ("clear", piece(1, place=FAR), False),
    ],
)
def test_a_zoc_is_seen_where_terrain_and_counters_are_known(terrain, enemy, expected):
    terrains = {HERE: terrain} if terrain else {}
    for slug, name in (("reserves", "starts_in_zoc"), ("deployment", "starts_in_zoc"), ("step", "from_zoc")):
        answers = answer(slug, around([GUARDS, enemy], terrain=terrains), ["soviet-9"])
        assert bool(answers.get(name)) == expected, slug
    lies = around([GUARDS, enemy], terrain=terrains, markers=[marker(HERE, "breakthru")])
    assert "from_zoc" not in answer("step", lies, ["soviet-9"])  # 10.7


def test_reserves_are_near_an_attack_marker_led_and_have_not_fired():
    pieces = [GUARDS, leader(8, AROUND[0]), leader(7, HERE, Arm.COMMISSAR)]
    answers = answer("reserves", around(pieces, 4, markers=[marker("1845")]), ["soviet-9"])
    assert answers == {
        "within_3": True,
        "with_house_leader": True,
        "with_or_adjacent_leader": True,
        "stacked_with_leader": True,
    }
    far = answer("reserves", around(pieces[:2], 4, markers=[marker("1846"), marker(HERE, "pinned")]), ["soviet-9"])
    assert far == {"with_or_adjacent_leader": True}
    assert answer("reserves", around(pieces[:1], 4, markers=[marker(HERE)]), ["soviet-9"])["attacked_by_direct_fire"]
    fired = [{"unit": "Unit 9", "side": "soviet", "phase": 3}]
    assert answer("reserves", around([GUARDS], 4, opportunity=fired), ["soviet-9"]) == {"opportunity_fired": True}
    assert answer("reserves", around([GERMAN], 11, opportunity=fired), ["german-1"]) == {}


def test_soviet_leaders_move_in_reserve_out_of_a_zoc_and_an_attack():
    table = around([leader(9, HERE), GERMAN], 4, {HERE: "clear"}, markers=[marker(HERE)])
    answers = answer("reserves", table, ["soviet-9"])
    assert answers["soviet_leader"] and answers["starts_in_zoc"] and answers["attacked_by_direct_fire"]
    assert ask("reserves", side="soviet", pinned=True, **answers).outcome == "allowed"  # 8.33
    assert ask("reserves", side="soviet", **{**answers, "soviet_leader": False}).outcome == "refused"
    assert ask("reserves", side="german", **answers).outcome == "refused"


def test_who_retreats_is_the_side_whose_phase_it_is_not():
    commissar, gun = leader(8, AROUND[0], Arm.COMMISSAR), piece(2, arm=Arm.IF_GUN)
    answers = answer("retreat", around([GUARDS, commissar, gun]), ["german-2"], ["soviet-9"])
    assert answers == {"only_indirect": True, "guards_or_marine": True}  # a commissar leads his own hex alone (9.44)
    pinned = piece(9, "soviet", HERE, ("pinned",))
    fired = [{"unit": "Unit 9", "side": "soviet", "phase": 3}]
    answers = answer("retreat", around([pinned, GERMAN], opportunity=fired), ["german-1"], ["soviet-9"])
    assert answers == {"pinned": True, "opportunity_fired": True}
    assert answer("retreat", around([GUARDS], 3), [], ["soviet-9"])["breakthrough"]
    assert answer("retreat", around([piece(1, state=("pinned",))], 12), ["german-1"]) == {"pinned": True}


def test_opportunity_fire_knows_range_marker_cover_and_who_has_fired():
    fired = [{"unit": "Unit 9", "side": "soviet", "phase": 3}]
    mover = piece(1, place="1844", mp=8)
    shooter = piece(9, "soviet", HERE, range=1)
    table = around([shooter, mover], 3, {"1844": "forest"}, opportunity=fired, markers=[marker(HERE)])
    assert answer("opportunity", table, ["soviet-9"], ["german-1"]) == {
        **{"side": "soviet", "unit": "direct", "unit_range": 1, "distance": 2, "under_cover": True},
        **{"fired_this_phase": True, "attacked_by_adjacent_infantry": True},
    }
    later = around([shooter, mover], 7, {"1844": "clear"}, opportunity=fired)
    assert not {"fired_this_phase", "under_cover"} & answer("opportunity", later, ["soviet-9"], ["german-1"]).keys()
    # A balka hides men on foot alone (11.6).
    truck = piece(1, place="1844", mp=24)
    for one, expected in ((mover, True), (truck, False)):
        answers = answer("opportunity", around([shooter, one], 3, {"1844": "balka"}), ["soviet-9"], ["german-1"])
        assert answers.get("under_cover", False) == expected
    crossing = around([GERMAN, GUARDS], 10, {HERE: "volga"})
    assert answer("opportunity", crossing, ["german-1"], ["soviet-9"])["crossing_volga"]
    rockets = around([piece(9, "soviet", HERE, arm=Arm.ROCKET), piece(1, arm=Arm.ROCKET)], 3)
    assert answer("opportunity", rockets, ["soviet-9"])["indirect"] == "katyusha"
    assert answer("opportunity", rockets, ["german-1"])["indirect"] == "nebelwerfer"


def test_a_breakthrough_needs_somebody_next_to_the_hex_and_nobody_under_a_marker():
    def by(*firers):
        ids = [firer.counter.id for firer in firers]
        return answer("breakthrough", around([GUARDS, *firers], 3), ids, ["soviet-9"])

    assert by(GERMAN) == {}
    assert by(piece(1, place=FAR)) == {"nobody_adjacent": True}
    assert by(piece(1, place="")) == {}  # nobody knows where it is
    assert by(GERMAN, piece(2, state=("spent",))) == {"pinned_or_spent_in_attack": True}
    assert by(piece(1, state=("pinned",)))["nobody_adjacent"]


def test_who_counter_attacks_has_a_leader_in_its_hex_and_is_next_to_the_other():
    led = [piece(8, "soviet", HERE), leader(7, HERE), GERMAN]
    assert answer("may-counter-attack", around(led), ["soviet-8"], ["german-1"]) == {"with_leader": True}
    away = [piece(8, "soviet", HERE), leader(7, NEXT), piece(1, place=FAR)]
    assert answer("may-counter-attack", around(away), ["soviet-8"], ["german-1"]) == {"not_adjacent": True}


def attackers(*sides):
    return [piece(number, place=AROUND[at]) for number, at in enumerate(sides, 1)]


@pytest.mark.parametrize(
    "sides, clear, expected",
    [
        ((0, 2, 3), (1, 4, 5), True),
        ((0, 2, 4), (1, 3, 5), None),  # no two are opposite
        ((0, 3), (1, 2, 4, 5), None),
        ((0, 2, 3), (1, 4), None),  # of one hex nobody knows what lies there
    ],
)
def test_an_attack_from_three_sides_on_units_without_a_way_out_has_the_advantage(sides, clear, expected):
    firing = attackers(*sides)
    table = around([GUARDS, *firing], terrain={AROUND[at]: "clear" for at in clear})
    ids = [firer.counter.id for firer in firing]
    answers = answer("assault-advantage", table, ids, ["soviet-9"])
    assert answers["attack_sides"] == list(sides)
    for slug in ("attack", "battle"):
        filled = Keeping().fill(slug, {"firers": ids, "targets": ["soviet-9"]}, table)
        assert filled.get("assault_advantage") == expected
    open_town = around([GUARDS, *firing], terrain={AROUND[at]: "city" for at in clear})
    assert "surrounded" not in answer("assault-advantage", open_town, ids, ["soviet-9"])


def test_a_step_says_zoc_marker_and_enemies_of_the_hex_that_is_typed():
    table = around([GUARDS, GERMAN], 3, {HERE: "forest"}, markers=[marker(HERE, "breakthru")])
    answers = answer("step", table, ["german-1"], number=HERE)
    assert answers == {
        **{"unit": "infantry", "number": HERE, "terrain": "forest", "to_breakthru": True, "enemy": "combat"},
    }
    table = around([GUARDS, GERMAN, leader(8, FAR)], 3, {"1742": "road", FAR: "clear"})
    assert answer("step", table, ["german-1"], number="1742")["to_zoc"]
    assert answer("step", table, ["german-1"], number=FAR)["enemy"] == "support"
    assert "number" not in answer("step", table, ["german-1"], number="nowhere")


def test_friends_beside_a_target_are_named_for_rockets_and_stukas():
    rockets, bridge = piece(7, "soviet", FAR, arm=Arm.ROCKET), piece(6, "soviet", AROUND[0], arm=Arm.BRIDGE)
    table = around([piece(1, place=HERE), rockets, bridge, piece(8, "soviet", AROUND[1])], 12, {HERE: "city"})
    answers = answer("katyusha", table, ["soviet-7"], ["german-1"])
    assert answers["adjacent_kinds"] == ["bridge", "infantry"]


def test_engineers_and_units_that_are_out_of_supply_are_known():
    engineer = piece(1, arm=Arm.ENGINEER, state=("spent",))
    answers = answer("site", around([engineer, GUARDS], 3, {NEXT: "clear"}, markers=[marker(NEXT)]), ["german-1"])
    assert answers == {"side": "german", "marker": "spent", "enemy_zoc": True, "fighting": True}
    row = {"name": "unit 9", "side": "soviet", "marker": 1, "elite_or_led": False, "nkvd": False}
    table = around([GUARDS, GERMAN], isolated=[row])
    assert answer("movement", table, ["soviet-9"]) == {"isolated": True} and not answer("movement", table, ["german-1"])
    assert answer("exchange", table, ["soviet-9"]) == {"side": "soviet", "guards": True, "isolated": True}


def test_what_a_unit_may_do_knows_what_it_has_done():
    gun = piece(9, "soviet", HERE, arm=Arm.MORTAR)
    fired = [{"unit": "Unit_9", "phase": 2, "in_box": False}]
    at_movers = [{"unit": "Unit 9", "side": "soviet", "phase": 3}]
    table = around([gun], 3, fired=fired, opportunity=at_movers, markers=[marker(HERE)])
    expected = {"used_if": True, "fired_opportunity": True, "attacked_by_adjacent": True}
    assert answer("permissions", table, ["soviet-9"]) == expected
    assert answer("permissions", around([gun], 7, opportunity=at_movers), ["soviet-9"]) == {}


# At the table


@pytest.fixture
def german(db):
    german = players.begin("german", hot_seat=True, game=GAME)[0]
    assert lay(german, UNITS, "All").status == 200
    german.do("counters/add/", list="German: 1/I/274\nSoviet: 1/39, 2/39, Commissar")
    for ids, place in ((("german-1",), NEXT), (("soviet-1", "soviet-2", "soviet-3"), HERE)):
        german.do("counters/", id=list(ids), place=place)
    put(german, "phase", "3")
    return german


def test_who_has_fired_at_movers_fires_once_a_phase_and_a_leader_helps_several(german):
    german.do("lift/", side="soviet")
    address = f"/match/{german.match_id}/roll/defensive-fire/?firers=soviet-1&firers=soviet-3&targets=german-1"
    reader = Reader(german.client).open(address)
    reader.form("#desk-form").fill(kind="opportunity", firer="soviet", die=10).press("Resolve")
    assert reader.status == 200, reader.words("#desk")
    assert record_of(german)["opportunity"] == [{"unit": "1/39", "side": "soviet", "phase": 3}]
    again = Reader(german.client).open(address)
    again.form("#desk-form").fill(kind="opportunity", firer="soviet", die=10).press("Resolve")
    assert "1/39 fired at movers in this phase already: once a phase (11.2)." in again.words("#desk")
    other = Reader(german.client).open(address.replace("soviet-1", "soviet-2"))
    other.form("#desk-form").fill(kind="opportunity", firer="soviet", die=10).press("Resolve")
    assert [row["unit"] for row in record_of(german)["opportunity"]] == ["1/39", "2/39"]
    german.do("take-back/")
    assert [row["unit"] for row in record_of(german)["opportunity"]] == ["1/39"]
    put(german, "phase", "7")
    Reader(german.client).open(address).form("#desk-form").fill(kind="opportunity", firer="soviet", die=10).press(
        "Resolve"
    )
    assert [row["phase"] for row in record_of(german)["opportunity"]] == [3, 7]
    put(german, "turn", "2")
    assert record_of(german)["opportunity"] == []


def test_tapped_counters_fill_whether_a_hex_is_broken_through(german):
    german.roll("bombardment", points="1", terrain="forest", hex=HERE, spotting="0", other_drm="20", die="10")
    address = f"/match/{german.match_id}/roll/breakthrough/?firers=german-1&targets=soviet-1"
    form = Reader(german.client).open(address).form("#desk-form")
    assert (form.value("hex"), form.value("terrain"), form.value("already_this_phase")) == (HERE, "forest", "")
    put(german, "breakthroughs", [HERE])
    german.do("counters/", id="german-1", place=FAR)
    reader = Reader(german.client).open(address)
    assert [reader.form("#desk-form").value(name) for name in ("already_this_phase", "nobody_adjacent")] == ["on"] * 2
    reader.form("#desk-form").press()
    assert "An unpinned attacker has to be next to the hex (10.2)." in reader.words("#desk")


@pytest.mark.parametrize("phase, is_reserve", [(3, False), (4, True), (7, False), (11, True)])
def test_a_step_knows_whether_it_is_one_of_reserves(phase, is_reserve):
    answers = answer("step", around([GERMAN], phase=phase), targets=["german-1"])
    assert bool(answers.get("in_reserve")) is is_reserve
