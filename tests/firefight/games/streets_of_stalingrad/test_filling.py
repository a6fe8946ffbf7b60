"""What tapped counters fill in on rolls: sums, formations, markers; and who is spent, pinned, lost by them."""

import json

import pytest

from firefight.engine.board.counters import CounterInPlay, LackingValues, Piece
from firefight.engine.errors import BadInput
from firefight.games.chartbooks import shipped
from firefight.games.streets_of_stalingrad.rules import filling
from firefight.games.streets_of_stalingrad.rules.units import Arm, Unit
from firefight.table.rolling import replay
from tests.filling import Reader
from tests.firefight import players
from tests.games.test_sheets import lay

from .test_sheets import HEAD
from .test_table import put

GAME, HERE, NEXT, FAR = "streets-of-stalingrad", "1842", "1843", "1850"
INFANTRY = {"arm": Arm.INFANTRY, "af": 4, "df": 5, "formation": "94", "regiment": "274", "battalion": "I"}


def piece(number=1, side="german", place=NEXT, state=(), **values):
    kind = Unit(f"own_{number}", f"Unit {number}", **{**INFANTRY, **values}, origin="owner")
    return Piece(CounterInPlay(f"{side}-{number}", side, kind.key, kind.name, place=place, state=state), kind)


def target(number=9, **values):
    return piece(number, "soviet", HERE, **{"arm": Arm.GUARDS, "formation": "13", **values})


def fill(slug, firers, targets=(), **known):
    return filling.explain_tapped(shipped(GAME), slug, firers, targets, known)


# Sums


@pytest.mark.django_db
def test_af_adds_up_and_the_sum_is_told():
    filled, account = fill("attack", [piece(1), piece(2, af=5)], [target()])
    assert (filled["points"], filled["firer"], filled["hex"], filled["combat_units"]) == (9, "german", HERE, 1)
    assert (filled["not_adjacent"], filled["adjacent_infantry"], filled["integrity"]) == (False, True, -1)
    assert account.words == "4 + 5 = 9 AF. Unit integrity -1"
    assert [source.provenance for source in account.sources] == ["owner"]


def test_df_defends_and_guns_use_af_unless_they_are_pinned():
    gun = {"arm": Arm.IF_GUN, "af": 7, "df": 2}
    assert fill("defensive-fire", [piece(1), piece(2, **gun)], [target()])[0]["points"] == 12
    pinned = fill("defensive-fire", [piece(1), piece(2, state=("pinned",), **gun)], [target()])[0]
    assert (pinned["points"], pinned["pinned"]) == (7, True)


def test_a_value_that_nobody_told_is_asked():
    with pytest.raises(LackingValues) as lacking:
        fill("attack", [piece(1, af=None), piece(1, af=None)], [target()])
    (question,) = lacking.value.asked
    assert (question.label, question.counter, question.value) == ("Unit 1: AF", "own_1", "af")


def test_underlined_af_at_armour_comes_by_its_chart():
    tank, armour = piece(1, arm=Arm.TANK, af=9, underlined=True), target(arm=Arm.TANK)
    with pytest.raises(LackingValues) as lacking:
        fill("attack", [tank], [armour])
    assert [question.field for question in lacking.value.asked] == ["attc"]
    filled, account = fill("attack", [tank, piece(2)], [armour], attc="6")
    assert (filled["points"], filled["underlined_af"], filled["target_armored"]) == (10, True, True)
    assert "6 AF by the Anti-Tank Target Chart" in account.words
    assert fill("attack", [tank], [target()])[0]["points"] == 9


def test_a_bombardment_is_of_guns_alone():
    guns = [piece(1, arm=Arm.IF_GUN, af=11), piece(2, arm=Arm.STUKA, af=7)]
    assert fill("bombardment", guns, [target()])[0]["points"] == 18
    with pytest.raises(BadInput, match="Unit 3: only guns and Stukas"):
        fill("bombardment", [*guns, piece(3)], [target()])


# Who


@pytest.mark.parametrize("state", ["pinned", "spent"])
def test_nobody_attacks_under_a_marker(state):
    with pytest.raises(BadInput, match="Unit 1: under a marker"):
        fill("attack", [piece(1, state=(state,)), piece(2)], [target()])


@pytest.mark.parametrize("arm", [Arm.SNIPER, Arm.MINE_DOG, Arm.TRANSPORT, Arm.IMMOBILIZED, Arm.OP])
def test_what_has_no_af_does_not_attack(arm):
    with pytest.raises(BadInput, match="no such unit attacks"):
        fill("attack", [piece(1, side="soviet", arm=arm)], [piece(9, place=HERE)])


def test_engineers_leaders_escorts_guns_and_nkvd_are_seen():
    firers = [piece(1, arm=Arm.ENGINEER, red=True), piece(2, arm=Arm.TANK), piece(3, arm=Arm.LEADER, af=None)]
    filled = fill("attack", [*firers, piece(4, arm=Arm.MORTAR)], [target(arm=Arm.NKVD), target(8, arm=Arm.COMMISSAR)])
    names = ("engineers", "armor_with_infantry", "leaders", "if_with_direct", "target_nkvd", "leader_in_target")
    assert [filled[0][name] for name in names] == [True, True, 1, True, True, True]
    apart = fill("attack", [piece(1, arm=Arm.ENGINEER), piece(2, arm=Arm.TANK, place="1742")], [target()])[0]
    assert (apart["engineers"], apart["armor_with_infantry"]) == (False, False)


@pytest.mark.parametrize(
    "arm, expected", [(Arm.INFANTRY, False), (Arm.GUARDS, True), (Arm.MARINE, True), (Arm.NKVD, False)]
)
def test_soviet_armour_is_escorted_by_guards_and_marines(arm, expected):
    firers = [piece(1, "soviet", arm=arm), piece(2, "soviet", arm=Arm.TANK)]
    assert fill("attack", firers, [piece(9, place=HERE)])[0]["armor_with_infantry"] is expected


def test_tanks_alone_at_a_range():
    assert fill("attack", [piece(1, arm=Arm.TANK, place=FAR)], [target()])[0]["tanks_alone"]
    assert not fill("attack", [piece(1, arm=Arm.TANK)], [target()])[0]["tanks_alone"]


def test_a_sniper_helps_others_and_never_fires_alone():
    zaitsev, foe = {"arm": Arm.SNIPER, "worth": 2, "af": 0, "df": None}, [piece(9, place=HERE)]
    assert fill("defensive-fire", [piece(1, "soviet"), piece(2, "soviet", **zaitsev)], foe)[0]["sniper"] == 2
    with pytest.raises(BadInput, match="16.13"):
        fill("defensive-fire", [piece(2, "soviet", **zaitsev)], foe)


def test_an_attack_step_by_step_tells_hexes_guns_and_stukas_apart():
    firers = [piece(1), piece(2, place="1742"), piece(3, arm=Arm.IF_GUN, af=7), piece(4, arm=Arm.STUKA)]
    filled = fill("battle", firers, [target()])[0]
    assert (filled["points"], filled["more_hexes"], filled["guns"], filled["stukas"]) == (4, [4], 7, 1)
    # Who stands in which of those hexes comes first: each is fired at by itself (9.56).
    assert filled["by_hex"] == [1, 1] and [row["id"] for row in filled["by"]] == [f"german-{n}" for n in (2, 1, 3, 4)]


def test_immobilized_tanks_are_counted_by_themselves():
    lamed = target(8, arm=Arm.TANK, state=("immobilized",))
    filled = fill("attack", [piece(1)], [lamed, target()])[0]
    assert (filled["combat_units"], filled["immobilized"], filled["target_armored"]) == (1, 1, True)
    assert [row["name"] for row in filled["at"]] == ["Unit 9", "Unit 8"]


def test_one_counter_fills_what_is_asked_of_it():
    guards = piece(1, "soviet", arm=Arm.GUARDS, state=("spent",), mp=8)
    filled = fill("may-counter-attack", [], [guards])[0]
    assert filled.pop("unit") == "infantry"
    assert filled == {"side": "soviet", "guards_or_marine": True, "pinned": False, "spent": True, "af": 4}
    assert fill("permissions", [], [guards])[0] == {"side": "soviet", "unit": "infantry", "marker": "spent", "mp": 8}


def test_only_units_that_may_strike_back_fill_a_counter_attack():
    holding = [piece(9, place=HERE, df=3), piece(8, df=4)]
    struck = fill("counter-attack", [piece(1, "soviet", arm=Arm.GUARDS), piece(2, "soviet", arm=Arm.LEADER)], holding)[
        0
    ]
    assert (struck["af"], struck["df"], struck["defenders"], len(struck["at"])) == (4, 7, 2, 2)
    for unfit in ({"arm": Arm.GUARDS, "state": ("spent",)}, {"arm": Arm.ENGINEER}, {"arm": Arm.MORTAR}):
        with pytest.raises(BadInput, match="counter-attack"):
            fill("counter-attack", [piece(1, "soviet", **unfit)], holding)


def test_herman_goes_with_one_infantry_unit_against_all_who_may_fire_back():
    herman, guards = piece(1, "soviet", arm=Arm.HOUSE_LEADER), piece(2, "soviet", arm=Arm.GUARDS)
    filled = fill("infiltration", [herman, guards], [target(df=3), target(8, df=4)])[0]
    assert (filled["attack_af"], filled["defence_df"]) == (4, 7)
    assert [row["id"] for row in (*filled["by"], *filled["at"])] == ["soviet-1", "soviet-2", "soviet-9", "soviet-8"]
    for firers in ([herman], [herman, guards, piece(3, "soviet", arm=Arm.GUARDS)], [piece(3, "soviet", arm=Arm.TANK)]):
        with pytest.raises(BadInput, match="one infantry unit"):
            fill("infiltration", firers, [target()])


# Unit integrity (9.73)


def formations(firers, targets=()):
    flags = filling.find_formations(firers, targets, {})
    return {name for name, is_so in flags.items() if is_so} - {"defenders_clear"}


@pytest.mark.parametrize(
    "firers, expected",
    [
        ([piece(1), piece(2)], {"same_battalion"}),
        ([piece(1), piece(2, place="1742")], set()),
        ([piece(1), piece(2, battalion="II")], {"mixed_battalions"}),
        ([piece(1), piece(2, regiment="267")], {"mixed_battalions", "mixed_regiments"}),
        ([piece(1), piece(2, formation="71")], {"mixed_battalions", "mixed_regiments", "mixed_divisions"}),
        ([piece(1), piece(2, arm=Arm.ENGINEER, battalion="194", regiment="")], set()),
        ([piece(1), piece(2), piece(3, place="1742"), piece(4, place="1742")], {"same_battalion", "same_regiment"}),
        ([piece(n, arm=Arm.STUG, regiment="", battalion="244") for n in (1, 2)], {"armor_pair"}),
        ([piece(n, arm=Arm.STUG, regiment="", battalion="244") for n in (1, 2, 3)], {"armor_pair", "armor_battalion"}),
        ([piece(n, "soviet") for n in (1, 2)], set()),
        ([piece(n, "soviet", arm=Arm.MARINE) for n in (1, 2)], {"same_battalion"}),
        ([piece(1), piece(2, battalion="II"), piece(3, arm=Arm.LEADER)], {"mixed_battalions", "leader_of_formation"}),
        ([piece(1), piece(2, arm=Arm.HOUSE_LEADER)], set()),
    ],
)
def test_formations_are_seen_hex_by_hex(firers, expected):
    assert formations(firers) == expected


def test_defenders_of_two_formations_are_mixed_but_not_by_independents_and_snipers():
    assert formations([piece(1)], [target(), target(8, formation="112")]) == {"defenders_mixed"}
    assert formations([piece(1)], [target(), target(8, formation="")]) == set()
    assert formations([piece(1)], [target(), target(8, formation="112", arm=Arm.SNIPER)]) == set()


# At the table

UNITS = "\n".join(
    (
        HEAD,
        "1/I/274\tGerman\t94\t274\tI\tInfantry\t4\t5\t1\t8",
        "2/I/274\tGerman\t94\t274\tI\tInfantry\t5\t5\t1\t8",
        "1/39\tSoviet\t13\t39\t1\tGuards infantry\t3\t4\t1\t8",
        "2/39\tSoviet\t13\t39\t1\tGuards infantry\t2\t3\t1\t8",
    )
)


@pytest.fixture
def german(frozen):
    return frozen("streets with a stack beside a stack", lay_out)


def lay_out():
    german = players.begin("german", hot_seat=True, game=GAME)[0]
    assert lay(german, UNITS, "All").status == 200
    german.do("counters/add/", list="German: 1/I/274, 2/I/274\nSoviet: 1/39, 2/39, Commissar")
    german.do("record/", field="phase", value="5")
    for ids, place in ((("german-1", "german-2"), NEXT), (("soviet-1", "soviet-2", "soviet-3"), HERE)):
        german.do("counters/", id=list(ids), place=place)
    return german


def open_attack(player, slug="attack", at="soviet-1"):
    address = f"/match/{player.match_id}/roll/{slug}/?firers=german-1&firers=german-2&targets={at}"
    return Reader(player.client).open(address)


def states_of(player):
    return {row["id"]: (row["state"], row["fate"]) for row in player.get("counters.json").json()}


def value(reader, name):
    return reader.find(f"#desk-form [name={name}]")[0].attributes.get("value")


def attack(player, die):
    """An attack whose modifiers come to nothing: the leader in the target hex is made up for."""
    reader = open_attack(player)
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0, die=die, other_drm=-1)
    reader.form("#desk-form").fill(integrity=0).press("Resolve")
    result = next(line.result for line in player.log if line.helper == "attack")
    assert sum(modifier.value for modifier in result.modifiers) == 0, result.modifiers
    return result.details


def test_tapped_counters_fill_the_attack_and_one_of_a_hex_names_all(german):
    reader = open_attack(german)
    assert [value(reader, name) for name in ("points", "integrity", "combat_units", "hex")] == ["9", "-1", "2", HERE]
    assert "4 + 5 = 9 AF" in reader.words("#desk")
    assert {row["id"] for row in json.loads(value(reader, "at"))} == {"soviet-1", "soviet-2", "soviet-3"}


def test_who_attacks_is_spent_and_a_p_pins_all_but_the_leader(german):
    assert attack(german, 3)["marker"] == "pinned"
    states = states_of(german)
    assert states["german-1"] == states["german-2"] == (["spent"], "")
    assert states["soviet-3"] == ([], "")
    assert "pinned" in states["soviet-1"][0]
    lies = german.get("record.json").json()["record"]["markers"]
    assert [(row["hex"], row["marker"]) for row in lies] == [(HERE, "attack")]
    german.do("take-back/")
    assert all(state == ([], "") for state in states_of(german).values())


def test_its_owner_says_who_is_lost_with_one_press(german):
    assert attack(german, 1)["eliminated"] == 1
    (step,) = [step for step in german.match.state.queue if step.helper == "losses"]
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/losses/?step={step.id}")
    reader.press("Lost: 2/39")
    if not states_of(german)["soviet-2"][1]:
        reader.press("Resolve")
    assert states_of(german)["soviet-2"] == ([], "eliminated")
    assert states_of(german)["soviet-1"][1] == ""


def test_what_no_counter_tells_stands_open_beside_what_they_fill(german):
    """The terrain, while nobody has told it: a P in a city makes spent, not pinned."""

    def is_open(slug):
        reader = open_attack(german, slug)
        fields = reader.find("#desk-form [name=terrain]")
        return bool(fields) and fields[0] not in reader.find("#desk-form details.filled [name=terrain]")

    assert is_open("attack") and is_open("defensive-fire") and is_open("battle")
    german.roll("bombardment", points="1", terrain="city", hex=HERE, spotting="0", other_drm="20", die="10")
    assert not is_open("attack") and not is_open("battle")


def test_counters_without_pictures_leave_no_arrows_below_a_result(german):
    reader = open_attack(german)
    reader.form("#desk-form").fill(terrain="city", terrain_drm=0, die=4).press("Resolve")
    assert "German attack on City" in reader.words("#desk") and "→" not in reader.words("#desk")
    assert not reader.find("#desk .about-counters")


def ticks(reader, name):
    return "checked" in reader.find(f"#desk-form [name={name}]")[0].attributes


def test_a_tick_that_a_hand_took_out_stays_out_through_fills_and_the_roll(german):
    reader = open_attack(german)
    assert ticks(reader, "adjacent_infantry") and ticks(reader, "leader_in_target")
    reader.form("#desk-form").fill(adjacent_infantry=False, leader_in_target=False)
    reader.form("#desk-form").fill(terrain="forest")
    reader.form("#desk-form").fill(terrain_drm=0, integrity=0)
    assert not ticks(reader, "adjacent_infantry") and not ticks(reader, "leader_in_target")
    reader.form("#desk-form").fill(points="").press("Resolve")  # refused, and drawn once more
    assert not ticks(reader, "adjacent_infantry") and not ticks(reader, "leader_in_target")
    reader.form("#desk-form").fill(points=9, die=4).press("Resolve")
    (line,) = [line for line in german.log if line.helper == "attack"]
    assert (line.inputs["adjacent_infantry"], line.inputs["leader_in_target"]) == (False, False)
    assert line.inputs["if_with_direct"] is False and line.inputs["terrain"] == "forest"


def test_a_tick_that_a_hand_has_set_stays_set(german):
    reader = open_attack(german)
    reader.form("#desk-form").fill(assault_advantage=True, target_nkvd=True)
    reader.form("#desk-form").fill(terrain="city", terrain_drm=0, die=4)
    reader.form("#desk-form").press("Resolve")
    (line,) = [line for line in german.log if line.helper == "attack"]
    assert (line.inputs["assault_advantage"], line.inputs["target_nkvd"]) == (True, True)


def test_typed_totals_stay_possible_and_touch_no_counter(german):
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/")
    reader.form("#desk-form").fill(points=20, terrain="city", terrain_drm=0, hex=HERE, die=4).press("Resolve")
    assert all(state == ([], "") for state in states_of(german).values())


# Losses of a bombardment, wounds, tanks

MORE = "\n".join(
    (
        HEAD,
        "A/129\tGerman\t\t\t129\tIF gun\t30\t3\t14\t15",
        "1/39\tSoviet\t13\t39\t1\tGuards infantry\t3\t4\t1\t8",
        "2/39\tSoviet\t13\t39\t1\tGuards infantry\t2\t3\t1\t8",
        "6 Tank\tSoviet\t\t6\t\tTank\t6\t5\t1\t21",
    )
)


def begin_with(units, *soviet):
    german = players.begin("german", hot_seat=True, game=GAME)[0]
    assert lay(german, units, "All").status == 200
    german.do("counters/add/", list=f"German: A/129\nSoviet: {', '.join(soviet)}")
    ids = [row["id"] for row in german.get("counters.json").json()]
    german.do("counters/", id="german-1", place=FAR)
    german.do("counters/", id=[id for id in ids if id.startswith("soviet")], place=HERE)
    return german


def due(player, helper):
    return [step for step in player.match.state.queue if step.helper == helper]


def open_due(player, helper):
    step = due(player, helper)[0]
    return Reader(player.client).open(f"/match/{player.match_id}/roll/{helper}/?step={step.id}")


def bombard(player, die, terrain="clear", **more):
    """A bombardment on the Combat Results Table, whose modifiers come to ``other_drm``."""
    address = f"/match/{player.match_id}/roll/bombardment/?firers=german-1&targets=soviet-1"
    reader = Reader(player.client).open(address)
    reader.form("#desk-form").fill(table="crt", terrain=terrain, terrain_drm=0, **more)
    reader.form("#desk-form").fill(die=die).press("Resolve")
    return [line.result for line in player.log if line.helper == "bombardment"][-1].details


@pytest.mark.django_db
def test_a_bombardments_losses_take_counters_off_in_the_order_of_the_rules():
    german = begin_with(MORE, "1/39", "2/39", "6 Tank", "Minefield", "Observer")
    assert bombard(german, 1, other_drm=-9)["eliminated"] == "all"
    open_due(german, "bombardment-losses").press("Resolve")
    fates = {id: fate for id, (_, fate) in states_of(german).items()}
    assert fates == {"german-1": "", **{f"soviet-{n}": "eliminated" for n in (1, 2, 3, 4, 5)}}
    german.do("take-back/")
    assert not any(fate for _, fate in states_of(german).values())


@pytest.mark.django_db
def test_of_one_class_its_owner_says_who_is_lost_and_a_minefield_goes_first():
    german = begin_with(MORE, "1/39", "2/39", "6 Tank", "Minefield")
    eliminated = []
    for drm in range(6, -10, -1):  # down to a D2 on this column
        eliminated.append(bombard(german, 5, other_drm=drm)["eliminated"])
        if eliminated[-1] == 2:
            break
        german.do("take-back/")
    assert eliminated[-1] == 2, eliminated
    reader = open_due(german, "bombardment-losses")
    reader.press("Lost: 2/39")
    if not states_of(german)["soviet-2"][1]:
        reader.press("Resolve")
    fates = {id: fate for id, (_, fate) in states_of(german).items() if fate}
    assert fates == {"soviet-2": "eliminated", "soviet-4": "eliminated"}


@pytest.mark.django_db
def test_a_leaders_wound_is_a_change_of_his_roll():
    german = begin_with(MORE, "1/39", "Commissar")
    bombard(german, 1, other_drm=-9)
    reader = open_due(german, "leader-survival")
    assert "Commissar" in reader.words("#desk")
    reader.form("#desk-form").fill(die=5, turns_die=3).press("Resolve")
    wounded = states_of(german)["soviet-2"]
    line = next(line for line in german.log if line.helper == "leader-survival")
    assert (line.result.outcome, wounded) == ("wounded", ([], "left"))
    (row,) = german.get("record.json").json()["record"]["due"]
    assert "Commissar" in row["what"]
    assert replay.examine_log(german.get("log.json").json())["problems"] == []
    german.do("take-back/")
    assert states_of(german)["soviet-2"] == ([], "")


@pytest.mark.django_db
@pytest.mark.parametrize("die, expected", [(3, (["immobilized"], "")), (9, ([], "eliminated"))])
def test_a_tank_that_is_lost_in_a_city_rolls_before_it_goes(die, expected):
    german = begin_with(MORE, "6 Tank")
    bombard(german, 1, other_drm=-9, terrain="city")
    assert [step.helper for step in german.match.state.queue] == ["bombardment-losses"]
    open_due(german, "bombardment-losses").press("Resolve")
    assert states_of(german)["soviet-1"][1] == ""
    reader = open_due(german, "tank")
    assert "6 Tank is lost" in reader.words("#desk")
    reader.form("#desk-form").fill(die=die).press("Resolve")
    assert replay.examine_log(german.get("log.json").json())["problems"] == []
    states, fate = states_of(german)["soviet-1"]
    assert ([state for state in states if state == "immobilized"], fate) == expected


@pytest.mark.django_db
def test_a_tank_that_is_lost_in_the_open_is_gone_at_once():
    german = begin_with(MORE, "6 Tank")
    bombard(german, 1, other_drm=-9)
    open_due(german, "bombardment-losses").press("Resolve")
    assert states_of(german)["soviet-1"][1] == "eliminated" and not due(german, "tank")


@pytest.mark.django_db
def test_a_tank_that_is_lost_in_the_course_of_an_attack_rolls_before_anybody_advances():
    german = begin_with(MORE.replace("IF gun", "Infantry"), "6 Tank")
    german.do("counters/", id="german-1", place=NEXT)
    put(german, "phase", "5")
    address = f"/match/{german.match_id}/roll/battle/?firers=german-1&targets=soviet-1"
    reader = Reader(german.client).open(address)
    reader.form("#desk-form").fill(terrain="city", terrain_drm=0, other_drm=-9).press("Declare")
    assert reader.status == 200, reader.words("#desk")
    helpers = []
    while german.match.state.queue and len(helpers) < 12:
        (step,) = german.match.state.queue
        helpers.append(step.helper)
        reader = Reader(german.client).open(f"/match/{german.match_id}/roll/{step.helper}/?step={step.id}")
        if step.helper == "decide":
            reader.press("All stay, no fire")
        else:
            reader.form("#desk-form").fill(die=1).press("Resolve")
    assert helpers == ["decide", "attack", "tank"]
    assert states_of(german)["soviet-1"] == (["immobilized"], "")


@pytest.mark.django_db
def test_tanks_in_sight_break_down_by_name_from_11_october():
    german = begin_with(MORE, "6 Tank")
    put(german, "turn", "29")
    put(german, "phase", "9")
    german.do("drop-all/")
    german.do("advance/")
    (step,) = due(german, "tank")
    assert step.title == "6 Tank: does it run?"
    reader = open_due(german, "tank")
    reader.form("#desk-form").fill(die=2).press("Resolve")
    assert reader.status == 200, reader.words(".error")
    assert states_of(german)["soviet-1"] == (["immobilized"], "")
    report = replay.examine_log(german.get("log.json").json())
    assert report["problems"] == [] and report["again"].same >= 1
    german.do("take-back/")
    assert states_of(german)["soviet-1"] == ([], "")


# What a correction makes of them


def correct(player, slug, **faces):
    """The last roll of a kind with other dice, from its page."""
    number = max(line.number for line in player.log if line.helper == slug)
    reader = Reader(player.client).open(f"/match/{player.match_id}/roll/{slug}/?corrects={number}")
    reader.form("#desk-form").fill(faces).press("Resolve")
    assert reader.status == 200, reader.words("#desk")
    return reader


@pytest.mark.django_db
def test_a_corrected_bombardment_brings_the_lost_back_and_marks_them_instead():
    german = begin_with(MORE, "1/39", "2/39", "Minefield")
    bombard(german, 1, other_drm=-9)
    open_due(german, "bombardment-losses").press("Resolve")
    assert {fate for id, (_, fate) in states_of(german).items() if id != "german-1"} == {"eliminated"}
    correct(german, "bombardment", die=10, other_drm=-4)
    last = [line.result for line in german.log if line.helper == "bombardment"][-1]
    assert (last.details["eliminated"], last.details["marker"]) == (0, "pinned")
    assert [states_of(german)[f"soviet-{n}"] for n in (1, 2, 3)] == [(["pinned"], ""), (["pinned"], ""), ([], "")]
    assert not due(german, "bombardment-losses")
    german.do("take-back/")
    assert {fate for id, (_, fate) in states_of(german).items() if id != "german-1"} == {"eliminated"}


@pytest.mark.django_db
def test_a_choice_of_who_is_lost_that_is_taken_back_is_made_anew():
    german = begin_with(MORE, "1/39", "2/39")
    for drm in range(6, -10, -1):  # down to a D1 on this column
        if bombard(german, 5, other_drm=drm)["eliminated"] == 1:
            break
        german.do("take-back/")
    open_due(german, "bombardment-losses").press("Lost: 2/39")
    assert [states_of(german)[id][1] for id in ("soviet-1", "soviet-2")] == ["", "eliminated"]
    german.do("take-back/")
    open_due(german, "bombardment-losses").press("Lost: 1/39")
    assert [states_of(german)[id][1] for id in ("soviet-1", "soviet-2")] == ["eliminated", ""]


@pytest.mark.django_db
def test_a_corrected_survival_brings_a_leader_back_from_his_wound():
    german = begin_with(MORE, "1/39", "Commissar")
    bombard(german, 1, other_drm=-9)
    open_due(german, "leader-survival").form("#desk-form").fill(die=5, turns_die=3).press("Resolve")
    assert states_of(german)["soviet-2"][1] == "left"
    correct(german, "leader-survival", die=10, turns_die="")
    assert states_of(german)["soviet-2"] == ([], "")
    assert german.get("record.json").json()["record"]["due"] == []
    correct(german, "leader-survival", die=1)
    assert states_of(german)["soviet-2"][1] == "eliminated"


@pytest.mark.django_db
def test_a_corrected_die_immobilizes_a_tank_that_was_gone():
    german = begin_with(MORE, "6 Tank")
    bombard(german, 1, other_drm=-9, terrain="city")
    open_due(german, "bombardment-losses").press("Resolve")
    open_due(german, "tank").form("#desk-form").fill(die=9).press("Resolve")
    assert states_of(german)["soviet-1"][1] == "eliminated"
    correct(german, "tank", die=3)
    assert states_of(german)["soviet-1"][1] == "" and "immobilized" in states_of(german)["soviet-1"][0]
    assert replay.examine_log(german.get("log.json").json())["problems"] == []


def test_fire_in_defence_strikes_who_was_tapped_and_an_attack_the_whole_hex():
    units = [target(9), target(8), piece(1)]
    assert filling.list_struck("attack", units[:1], units) == ["soviet-9", "soviet-8"]
    assert filling.list_struck("defensive-fire", units[:1], units) == ()  # who does not attack is not fired at (9.55)


def test_a_stack_moves_at_the_pace_of_its_slowest_unit():
    stack = [piece(1, mp=24), piece(2, mp=8), piece(3, mp=12)]
    assert fill("movement", [], stack)[0] == {"side": "german", "printed": 8}
