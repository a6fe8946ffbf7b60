"""A campaign as a file: exact in both directions, silent about the other side's secrets, sound or refused."""

import json
import re
from types import SimpleNamespace

import pytest
from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as thorough
from hypothesis import strategies as st

from campaign.acts import orders, reorganizing, seals
from campaign.ledger import content, rows
from campaign.ledger.ledger import load
from campaign.models import Campaign, CpLine, EarlierMap, Seal
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from firefight.columns import MatchState
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry, Match, Snapshot
from firefight.table.act import snapshots
from firefight.table.files import archive, making, saving
from firefight.table.files.shape import BadArchive
from tests.campaign import test_campaign_budgets as budgets
from tests.campaign.acts.field import Field, bout
from tests.campaign.acts.game import APP, GERMAN, RUSSIAN, Game
from tests.campaign.players import SIDES, Player, seated
from tests.campaign.test_campaign_secrets import ASKS, plant_firefight, secrets_of
from tests.campaign.test_campaign_secrets import orders as seal_anew
from tests.campaign.test_random_play import Play
from tests.firefight.players import text_of
from tests.firefight.table.test_archive import changed as changed_at
from tests.firefight.table.test_archive import lasting, mutated, send, told_by, without_digests
from tests.frozen import every_row
from tests.soak import length

pytestmark = pytest.mark.django_db

ALL_VIEWS = ((), ("german",), ("russian",), SIDES)


def file_of(match_id, sees=SIDES, at=None):
    """A file as it is sent, as plain values."""
    return json.loads(json.dumps(saving.dump_match(Match.objects.get(pk=match_id), sees, at)))


def opened(data, hot_seat=False):
    """The match that is made of a file."""
    return making.make_match(archive.read_archive(json.dumps(data).encode()), hot_seat).match


def check_round_trip(match_id, sees, at=None):
    """Save, open and save again: the same but for the new match's own line, chapter and identity."""
    saved = file_of(match_id, sees, at)
    again = file_of(opened(saved, saved["match"]["hot_seat"]).pk, sees)
    assert again["log"].pop()["kind"] == "seat"
    assert again["chapters"].pop()["label"] == "From a file"
    assert again["ledger"]["maps"].pop()["number"] > saved["chapters"][-1]["number"]
    assert lasting(again) == lasting(saved)


# The round trip


@pytest.mark.parametrize(("seed", "hot_seat"), [(3, True), (4, False)])
def test_a_random_campaign_comes_back_exactly_whoever_saves_it(seed, hot_seat):
    play = Play(f"arch-{seed}", hot_seat=hot_seat, audited=False)
    for number in range(48):
        play.step()
        if number % 24 == 23:
            for sees in ALL_VIEWS[number // 24 :: 2]:
                check_round_trip(play.id, sees)
    for snapshot in list(Snapshot.objects.filter(match=play.id))[:2]:
        check_round_trip(play.id, SIDES[:1], snapshot)


def fought_out():
    """A Reorganization Phase with three sectors fought over, a bout fought, hexes, marks, and a hidden unit."""
    field = Field()
    german = [field.put(GERMAN, "", 11, place="K20", marks=["close_combat"]), field.put(GERMAN, "", 11)]
    russian = [field.put(RUSSIAN, "", 11, place="K20", marks=["close_combat"]), field.put(RUSSIAN, "", 11)]
    field.put(GERMAN, "", 14), field.put(RUSSIAN, "", 14), field.put(GERMAN, "", 6, hidden=True)
    field.put(RUSSIAN, "", 15, marks=["reduced"], hidden=True)
    return field.told(), german, russian


def test_every_step_of_a_reorganization_phase_comes_back_exactly():
    field, *_ = fought_out()
    steps, turns = set(), 0
    while field.game.stage is Stage.REORGANIZATION:
        steps.add(field.step)
        turns += 1
        check_round_trip(field.game.match_id, ALL_VIEWS[turns % 4])
        (side, *_) = field.deciders()
        if (
            field.step is Step.EXISTING
            and not field.campaign.phase.fought
            or field.step in (Step.EXISTING, Step.BATTLE)
        ):
            field.fight_round(side)
        elif field.step is Step.UPKEEP:
            field.do(reorganizing.recover, side, APP)
        else:
            field.leave(side)
    assert steps >= {Step.ATTACKER_LEAVES, Step.DEFENDER_LEAVES, Step.BATTLE}


@pytest.mark.parametrize("step", [Step.ATTACKER_LEAVES, Step.BATTLE, Step.FINAL_ATTACKER])
def test_a_phase_of_a_file_of_version_0_1_0_goes_on(step):
    """It knows nothing of who has tried to leave, of mines, or of where the Random marker is."""
    field, *_ = fought_out()
    field.to(step)
    data = file_of(field.game.match_id)
    for name in ("ended_in_hex", "tried", "mined", "survivors_of"):
        data["ledger"]["phase"].pop(name, None)
    data["ledger"].pop("random_hex", None)
    reopened = Game(opened(data).pk)
    reopened.do(reorganizing.resolve_rest, GERMAN, "phase")
    reopened.do(reorganizing.resolve_rest, RUSSIAN, "phase")
    assert reopened.stage is not Stage.REORGANIZATION


def test_what_a_single_counter_paid_and_the_random_marker_come_back(db):
    game = Game.begin("cg2")
    unit = next(unit for unit in game.units(RUSSIAN, counter="commissar") if unit.group is None)
    CpLine.objects.create(
        campaign=game.ledger.campaign, side=RUSSIAN, number=9, firefight=1, amount=-1, reason="Set-up", unit=unit
    )
    CpLine.objects.filter(campaign=game.match_id, number=9).update(number=2)
    game.write(game.ledger.campaign, random_hex="K9")
    check_round_trip(game.match_id, SIDES)
    reopened = Game(opened(file_of(game.match_id)).pk).ledger
    (line,) = (line for line in reopened.lines[RUSSIAN].values() if line.unit)
    assert (line.unit.number, line.amount, reopened.random_hex) == (unit.number, -1, "K9")


def test_a_bout_that_waits_for_its_answer_comes_back_exactly():
    field = Field()
    ours, theirs = ([field.put(side, "", 11) for _ in range(2)] for side in (GERMAN, RUSSIAN))
    field.told().to(Step.BATTLE)
    field.do(reorganizing.fight, GERMAN, bout(ours, theirs), APP)
    assert field.campaign.phase.gathered
    check_round_trip(field.game.match_id, SIDES)
    data = file_of(field.game.match_id)
    data["ledger"]["phase"]["gathered"]["attackers"] = [["german", 1], ["russian", 1]]
    with pytest.raises(BadArchive):
        opened(data)


def test_half_a_round_of_close_combat_goes_on_in_the_opened_match():
    field = Field()
    ours = [field.put(GERMAN, "", 11) for _ in range(2)]
    theirs = [field.put(RUSSIAN, "", 11) for _ in range(2)]
    field.told()
    field.to(Step.BATTLE)
    field.fight(ours[:1], theirs[:1], attack=40, defense=40)
    assert field.campaign.phase.fought
    match = opened(file_of(field.game.match_id))
    assert Campaign.objects.get(pk=match.pk).phase == field.campaign.phase
    reopened = Game(match.pk)
    reopened.do(reorganizing.fight_round, GERMAN)
    field.do(reorganizing.fight_round, GERMAN)
    assert Campaign.objects.get(pk=match.pk).phase.round == field.campaign.phase.round


WRONG = [
    {"befell": [1]},
    {"befell": {"german-1": "reduced"}},
    {"befell": {}, "cause": {"x": 1}},
    {"strikes": []},
    {"strikes": {"attack": {"strength": 1}}},
    {"strikes": {"attack": {"strength": 0, "resistance": 3, "shift": 0, "drm": 0, "cost": 0}}},
]


def test_what_the_story_reads_of_a_line_is_refused_in_another_shape_and_read_whatever_it_says(db):
    field, german, russian = fought_out()
    field.to(Step.BATTLE).fight_round(field.deciders()[0])
    saved = without_digests(file_of(field.game.match_id))
    line = next(line for line in reversed(saved["log"]) if "strikes" in line.get("inputs", {}))
    for inputs in WRONG:
        player, response = send(
            {**saved, "log": [{**entry, "inputs": inputs} for entry in saved["log"]]}, hot_seat="on"
        )
        assert not player.match_id and response.status_code == 422 and "inputs" in " ".join(told_by(response))
    for number in (1, 999):
        odd = {"strength": number, "resistance": 1, "shift": 1, "drm": -100, "cost": 100}
        line["inputs"]["strikes"] = {die["die"]: odd for die in line["rolls"]}
        player, response = send(saved, hot_seat="on")
        assert player.match_id, told_by(response)
        assert player.client.get(f"/match/{player.match_id}/report/").status_code == 200


def test_play_goes_on_from_the_purchases_to_the_next_firefight(db):
    game = Game.begin("cg2")
    game.buy(RUSSIAN, "I1")
    reopened = Game(opened(file_of(game.match_id)).pk)
    reopened.buy(GERMAN, "I1")
    reopened.orders(orders.Order.ATTACK, orders.Order.HOLD)
    units = [unit for unit in reopened.units(RUSSIAN) if reopened.ledger.sets_up(unit) and unit.group is None][:2]
    reopened.place(RUSSIAN, units, 15, hidden=True)
    reopened.through_to("firefight")
    reopened.report(RUSSIAN, units, "show")
    for _ in range(4):
        reopened.end_turn()
    reopened.end_turn(die=10)
    reopened.do(reorganizing.confirm_report, GERMAN)
    reopened.take_back(GERMAN)
    assert reopened.stage is Stage.REORGANIZATION
    assert game.stage is Stage.PURCHASES


def test_who_is_missing_can_seal_again_and_play_goes_on():
    game = Game.begin("cg2")
    game.buy(RUSSIAN, "I1")
    for side in Side:
        game.seal(side, orders.Order.ATTACK)
    saved = file_of(game.match_id, ("german",))
    assert saved["ledger"]["ready"] == ["german"]
    assert game.ledger.campaign.ready == ["german", "russian"]
    reopened = Game(opened(saved).pk)
    assert "Russian orders are to be sealed again." in reopened.last.sentence
    reopened.seal(RUSSIAN, orders.Order.HOLD)
    reopened.do(orders.reveal_orders, RUSSIAN)
    assert reopened.stage is Stage.SETUP


def test_what_is_hidden_from_the_writer_of_a_file_is_off_the_map_in_it():
    game = Game.begin("cg1")
    game.orders()
    units = [unit for unit in game.units(RUSSIAN) if game.ledger.sets_up(unit)][:3]
    game.place(RUSSIAN, units, 15, hidden=True)
    reopened = Game(opened(file_of(game.match_id, ("german",))).pk)
    assert {reopened.unit(RUSSIAN, unit.number).sector for unit in units} == {None}
    assert "Russian units that were hidden count as off the map." in reopened.last.sentence
    reopened.place(RUSSIAN, [reopened.unit(RUSSIAN, units[0].number)], 15)
    same = Game(opened(file_of(game.match_id, ("russian",))).pk)
    assert {same.unit(RUSSIAN, unit.number).sector for unit in units} == {15}


def test_the_content_of_a_file_is_offered_to_nobody_until_the_host_stores_it(db, client):
    data = file_of(Game.begin("cg2").match_id)
    data["ledger"]["content"]["data"]["counters"]["name"] = "From afar"
    data["ledger"]["content"]["name"] = "Rosters from afar"
    match = opened(data)
    assert Campaign.objects.get(pk=match.pk).content.name == "Rosters from afar"
    assert "Rosters from afar" not in text_of(client.get("/campaign/new/"))
    content.store(data["ledger"]["content"]["data"], "The same")
    assert "Rosters from afar" in text_of(client.get("/campaign/new/"))


# Secrets


@pytest.fixture
def planted(frozen):
    """A firefight with secrets of both sides: notes, plots, observers, hidden units, CP under seal."""
    return frozen("planted, firefight", lambda: plant_firefight(seated()))


@pytest.mark.parametrize(("role", "hidden"), [("german", ["russian"]), ("russian", ["german"]), ("observer", SIDES)])
def test_no_byte_of_a_file_or_a_branch_holds_a_planted_secret(planted, role, hidden):
    player = getattr(planted, role)
    own = secrets_of(planted.match_id, *{*SIDES} - {*hidden})
    words = secrets_of(planted.match_id, *hidden) - own
    assert len(words) > 4
    body = text_of(player.get("archive.json"))
    assert [word for word in words if word in body] == []
    assert [word for word in own if word not in body] == []
    match = opened(player.get("archive.json").json())
    assert [word for word in words if word in whole_text(match.pk)] == []
    for snapshot in Snapshot.objects.filter(match=planted.match_id) if role != "observer" else ():
        response = player.send("branch/", {"number": str(snapshot.number)})
        branch = re.search(r"/match/(\w+)/file/", response["Location"])[1]
        assert [word for word in words if word in whole_text(branch)] == [], snapshot


def whole_text(match_id):
    """Everything that is stored of a match, as text: hidden places as words, too."""
    ledger = load(Match.objects.get(pk=match_id))
    log = list(LogEntry.objects.filter(match=match_id).values_list("sentence", "secret", "inputs", "result"))
    states = list(Snapshot.objects.filter(match=match_id).values_list("state", flat=True))
    maps = list(EarlierMap.objects.filter(campaign=match_id).values_list("change", flat=True))
    return json.dumps([rows.write_ledger(ledger), log, states, maps], ensure_ascii=False)


def test_hidden_units_and_sealed_cp_are_in_no_file_of_the_other_side(planted):
    ledger = load(Match.objects.get(pk=planted.match_id))
    for side in SIDES:
        (other,) = {*SIDES} - {side}
        hidden = [number for number, unit in ledger.units[Side(other)].items() if unit.hidden]
        assert hidden
        rows = file_of(planted.match_id, (side,))["ledger"]["rows"][other]
        assert all({"sector", "hex", "home", "hidden"}.isdisjoint(rows["units"][number - 1]) for number in hidden)
        assert not any(line.get("sealed") for line in rows["lines"])
        assert {seal["standing"] for seal in rows["seals"]} <= {"open"}
        open_lines = [line for line in ledger.lines[Side(other)].values() if not line.sealed]
        assert len(rows["lines"]) == len(open_lines) < len(ledger.lines[Side(other)])


def test_a_file_of_the_purchases_does_not_tell_what_orders_cost(frozen):
    """What an Attack cost leaves no gap in the CP lines, and no trace in who is ready."""

    def build():
        volga = seated()
        seal_anew(volga.russian, "attack", bonus=True)
        return volga

    volga = frozen("an Attack under seal", build)
    rows = file_of(volga.match_id, ("german",))["ledger"]
    assert rows["ready" if "ready" in rows else "rows"] in ([], rows["rows"])
    assert [line["reason"] for line in rows["rows"]["russian"]["lines"]] == ["At-start OB"]
    assert rows["rows"]["russian"]["seals"] == []


def test_a_declaration_in_the_reorganization_phase_says_nothing_of_hidden_units():
    field, *_ = fought_out()
    ledger = field.game.ledger
    hidden = [(side, unit) for side in Side for unit in ledger.in_play(side) if unit.hidden]
    assert hidden
    for side, unit in hidden:
        (other,) = {*SIDES} - {side.value}
        saved = file_of(field.game.match_id, (other,))["ledger"]
        assert unit.sector not in (saved["phase"]["fought_over"], saved["phase"].get("waiting"))
        assert [side.value, unit.number] not in saved["phase"].get("met", [])
        assert "sector" not in saved["rows"][side.value]["units"][unit.number - 1]


# Branches and snapshots


def labels(game):
    """The chapters of a campaign."""
    return list(Snapshot.objects.filter(match=game.match_id).order_by("number").values_list("label", flat=True))


def test_every_stage_and_step_is_a_chapter(db):
    field, *_ = fought_out()
    field.to(Step.BATTLE)
    assert labels(field.game)[0] == "The beginning"
    assert "After firefight 1: What became of the units" in labels(field.game)
    assert "After firefight 1: Close combat for the sector, sector 11" in labels(field.game)
    game = Game.begin("cg2")
    game.through_to("reinforcements")
    assert labels(game)[-1] == "Firefight 2, Reinforcement rolls"
    for snapshot in Snapshot.objects.filter(match=game.match_id):
        assert LogEntry.objects.filter(match=game.match_id, number=snapshot.number).exists()


def test_taking_an_act_back_leaves_the_file_as_it_was(db):
    game = Game.begin("cg2")
    game.buy(RUSSIAN, "I1")
    game.seal(GERMAN, orders.Order.ATTACK)
    game.seal(RUSSIAN, orders.Order.HOLD)

    def dump():
        saved = file_of(game.match_id)
        grown = {"version": 0, "rolls_made": 0, "digest": ""}
        return {**saved, "log": 0, "written": 0, "match": {**saved["match"], **grown}}

    before = dump()
    game.do(orders.reveal_orders, GERMAN)
    assert labels(game) == ["The beginning", "Firefight 1, Set-up"]
    assert dump() != before
    game.take_back(GERMAN)
    assert labels(game) == ["The beginning"]
    assert dump() == before


def test_a_branch_from_a_stage_holds_what_was_sealed_then():
    game = Game.begin("cg2")
    game.buy(RUSSIAN, "I1")
    battery = game.group(RUSSIAN, "I1")
    game.do(seals.write_observer, RUSSIAN, "Y77")
    game.orders(orders.Order.ATTACK, orders.Order.HOLD)
    game.through_to("firefight")
    game.do(seals.open_seal, RUSSIAN, 1)
    assert battery and game.ledger.seals[RUSSIAN][1].standing == Seal.Standing.OPEN
    snapshot = Snapshot.objects.get(match=game.match_id, label="Firefight 1, Set-up")
    for sees, knows in ((("german",), False), (("russian",), True), (SIDES, True)):
        branch = Game(making.branch(game.match, sees, False, snapshot).match.pk)
        assert branch.stage is Stage.SETUP
        observers = [seal.standing for seal in branch.ledger.seals[RUSSIAN].values() if seal.kind == Seal.Kind.OBSERVER]
        assert observers == (["sealed"] if knows else [])
        assert ("Y77" in whole_text(branch.match_id)) is knows
        assert Seal.Standing.OPEN in [seal.standing for seal in branch.ledger.seals[RUSSIAN].values()]  # its orders
        branch.through_to("firefight")
    assert game.stage is Stage.FIREFIGHT


def test_a_branch_from_before_the_orders_lets_both_choose_again():
    game = Game.begin("cg2")
    game.orders(orders.Order.ATTACK, orders.Order.HOLD)
    beginning = Snapshot.objects.get(match=game.match_id, label="The beginning")
    branch = Game(making.branch(game.match, SIDES, True, beginning).match.pk)
    assert branch.match.hot_seat and branch.match.version == 1
    branch.orders(orders.Order.HOLD, orders.Order.HOLD)
    assert branch.ledger.campaign.firefight == 2


def test_a_snapshot_is_small_and_costs_one_query(db, django_assert_num_queries):
    game = Game.begin("cg2")
    ledger = game.ledger
    with django_assert_num_queries(1):
        snapshots.take_snapshot(
            Match(pk=game.match_id, state=MatchState(), last_number=9), 9, "A chapter", rows.write_ledger(ledger)
        )
    size = len(json.dumps(Snapshot.objects.filter(match=game.match_id).first().state))
    assert size < 60 * sum(len(ledger.units[side]) for side in Side) + 1_000


# What it costs, and what is written of it


def test_a_file_and_its_page_cost_few_queries_and_no_more_of_them_in_a_large_campaign(frozen):
    volga = frozen("planted, firefight", lambda: plant_firefight(seated()))

    def costs():
        places = {place: budgets.measured(lambda p=place: volga.german.get(p)) for place in ("file/", "archive.json")}
        return {place: number for place, (number, _) in places.items()}

    assert max(costs().values()) <= 15  # the first file makes a key for the other side
    small = costs()
    budgets.fill(volga)
    assert costs() == small
    assert budgets.measured(lambda: volga.german.get("file/"))[1] <= 15_000


def names_in(value):
    """Every name that stands in tables of plain values."""
    if isinstance(value, dict):
        return set(value).union(*map(names_in, value.values()))
    return set().union(*map(names_in, value)) if isinstance(value, list) else set()


def test_the_page_of_the_format_names_every_field(planted):
    field, *_ = fought_out()
    field.to(Step.BATTLE)
    names = set()
    for match_id in (planted.match_id, field.game.match_id):
        data = file_of(match_id)
        data["charts"] = {name: 0 for name in data["charts"]}
        data["ledger"]["content"]["data"] = {name: 0 for name in data["ledger"]["content"]["data"]}
        record = data["match"]["state"]["record"]
        data["match"]["state"]["record"] = {
            name: list(rows.values()) if isinstance(rows, dict) else rows for name, rows in record.items()
        }
        for line in data["log"]:
            line.pop("inputs", None)
        for change in data["ledger"]["maps"]:
            change["units"] = [list(rows.values()) for rows in change.get("units", {}).values()]
            change.pop("groups", None), change.pop("ground", None)
        names |= names_in(data)
    written = (settings.BASE_DIR / "docs" / "archive.md").read_text(encoding="utf-8")
    assert {name for name in names - {*SIDES} if f"`{name}`" not in written} == set()


# What is refused


@pytest.fixture
def in_play(frozen):
    """A firefight with bought groups, sealed records and hidden units, and what its host would save."""

    def build():
        volga = plant_firefight(seated())
        volga.saved = None
        return volga

    volga = frozen("planted, firefight, saved", build)
    return SimpleNamespace(match_id=volga.match_id, saved=file_of(volga.match_id))


def changed(data, place, value):
    """The file with one value of its ledger changed; "-" deletes."""
    return changed_at(data, f"ledger.{place}", value)


UNITS, GROUPS = "rows.russian.units", "rows.german.groups"
BAD = {
    "card": ("cg9", "campaign, card: is not among its cards."),
    "firefight": (99, "the card has no such firefight"),
    "held": ("ggg", "should be 22 letters"),
    "stage": ("siesta", "ledger, stage: should be one of"),
    "stage_since": (4_000, "lies ahead of the match's version"),
    "ready": (["german", "german"], "ready: holds something twice"),
    "attacker": ("", "attacker: should be known in this stage"),
    "phase": ({"step": "upkeep", "sector": None, "fought_over": []}, "phase: does not go with the stage"),
    "rows.german": ("-", "german: is missing"),
    f"{UNITS}.0.counter": ("panzer", "there is no counter panzer"),
    f"{UNITS}.0.sector": (77, "the map has no such sector"),
    f"{UNITS}.0.hidden": (1, "hidden: should be true or false"),
    f"{UNITS}.1.marks": (["m_killed"], "cannot be m_killed"),
    f"{UNITS}.2.marks": (["wounded", "wounded"], "marks: holds something twice"),
    f"{UNITS}.1.group": (99, "points to a row that is not there"),
    f"{UNITS}.1.hex": ("K123456789012", "hex: should be a text of 0 to 12 characters"),
    f"{UNITS}.1.beside": (99, "stands beside a unit that is not there"),
    f"{UNITS}.1.note": ("x" * 121, "note: should be a text of 0 to 120 characters"),
    f"{GROUPS}.0.rg": ("Z9", "the roster has no Z9"),
    f"{GROUPS}.0.box": (1, "its box does not fit"),
    "rows.german.lines.0.amount": (-20, "a balance is never below 0"),
    "rows.german.lines.0.reason": ("x" * 121, "reason: should be a text of 1 to 120 characters"),
    "rows.russian.seals.0.data": ({"hex": 7}, "seals 1, data"),
    "random_hex": ("0", "ledger, random_hex: should be a hex of the map"),
    "rows.russian.seals.0.data.hex": ("A0", "seals 1, data, hex: should be a hex of the map"),
    "rows.russian.seals.3.data.hexes": (["M79", "m80"], "seals 4, data, hexes 2: should be a hex of the map"),
    "rows.russian.seals.3.data.hexes.1": ("M79", "seals 4: A plot has two different hexes"),
    "rows.russian.seals.3.data.turn": (8, "seals 4: A turn is 1 to 7, not 8"),
    "rows.russian.seals.0.entry": (9_999, "the log has no line 9999"),
    "content.data.cards": ({}, "rosters, cards and map, cards: there is none."),
    "content.data.map": ({}, "rosters, cards and map"),
    "content.name": ("", "content, name: should be a text of 1 to 80 characters"),
}


@pytest.mark.parametrize("place", BAD)
def test_a_ledger_with_one_wrong_value_is_refused_with_the_reason(in_play, place):
    value, reason = BAD[place]
    before = every_row()
    with pytest.raises(BadArchive) as refusal:
        opened(changed(in_play.saved, place, value))
    assert any(reason in problem for problem in refusal.value.problems), refusal.value.problems
    assert every_row() == before


def test_more_counters_than_the_box_holds_are_refused(in_play):
    data = json.loads(json.dumps(in_play.saved))
    data["ledger"]["rows"]["german"]["units"] += [{"counter": "grenadier_squad"}] * 90
    with pytest.raises(BadArchive) as refusal:
        opened(data)
    assert any("not as many counters grenadier_squad" in problem for problem in refusal.value.problems)


def test_a_phase_in_which_nobody_decides_is_refused_and_stores_nothing():
    field, *_ = fought_out()
    data = file_of(field.game.match_id)
    data["ledger"]["phase"] = {"step": "upkeep", "sector": None, "fought_over": []}
    data["ledger"].pop("ready", None)
    data["charts"]["name"] = "Only here"
    before = every_row()
    with pytest.raises(BadArchive, match="nobody would have anything to decide"):
        opened(data)
    assert every_row() == before


PAGES = ("", "map/", "map/?sector=11", "map/?for=1", "roster/german/", "roster/russian/", "firefight/", "sealed/")
PAGES += ("reorganization/",)
ASSISTANT = ("", "log/", "log.json", "dice/", "file/", "archive.json")


def check_sound(player):
    """Every page of a campaign that came from a file answers, for both sides."""
    for side in SIDES:
        player.turn_to(side)
        for place in PAGES:
            response = player.client.get(player.address(place))
            fits = (200, 302, 404) if place == "reorganization/" else (200,)
            assert response.status_code in fits, place
        for place in ASSISTANT:
            assert player.get(place).status_code == 200, place


GOING_ON = ("reveal", "settle", "confirm", "end-turn", "confirm-report", "fight-round", "hurry", "recover", "redeploy")


def check_playable(player):
    """Acts are done or refused in such a campaign, as in any."""
    for number, does in enumerate(GOING_ON):
        player.turn_to(SIDES[number % 2])
        response = player.ask(does, "reorganization/", **ASKS[does])
        assert response.status_code in (302, 404, 403, 409, 422), does


SPOILT = {}


def spoilt_source(name):
    """Files of campaigns in several stages, saved once."""
    if name not in SPOILT:
        if name == "battle":
            field, *_ = fought_out()
            field.to(Step.BATTLE)
            SPOILT[name] = file_of(field.game.match_id)
        elif name == "leaving":
            field, *_ = fought_out()
            SPOILT[name] = file_of(field.game.match_id)
        else:
            SPOILT[name] = file_of(Game.begin("cg2").through_to(name).match_id)
    return SPOILT[name]


SLOW_AND_SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.mark.parametrize("name", ["purchases", "priority", "setup", "firefight", "leaving", "battle"])
@thorough(
    max_examples=length(5, 200), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(data=st.data())
def test_a_spoilt_campaign_is_refused_or_sound(db, name, data):
    saved = spoilt_source(name)
    ledger = {key: value for key, value in saved["ledger"].items() if key != "content"}
    spoilt = mutated(data.draw, ledger)
    if not isinstance(spoilt, dict):
        return
    spoilt = {**saved, "ledger": {**spoilt, "content": saved["ledger"]["content"]}}
    before = every_row()
    player, response = send(spoilt, hot_seat="on")
    if player.match_id:
        reopened = Player(player.match_id)
        reopened.client = player.client
        check_sound(reopened)
        check_playable(reopened)
    else:
        assert response.status_code == 422 and told_by(response)
        assert every_row() == before
