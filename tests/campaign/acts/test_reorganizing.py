"""Acts of the Reorganization Phase on stored rows: what they keep, refuse, take back, and hand on to the next
firefight. What the steps make of units is in tests/campaign/phase/test_conductor.py.
"""

import pytest

from campaign.acts import buying, orders, reorganizing, reporting, setting_up, turns
from campaign.ledger.act import Unfit
from campaign.ledger.dice import Dice
from campaign.models import Unit
from campaign.rules.reports import News
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from firefight.engine.errors import BadDie
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.refusals import Incomplete, Refused, Stale
from firefight.table.consent import matters
from firefight.table.log import fairness, reading
from firefight.table.seats.seating import OBSERVER
from tests.campaign.plain import tags
from tests.campaign.players import forms_in
from tests.frozen import every_row

from .field import Field, bout, together
from .game import APP, ATTACK, GERMAN, HOLD, RUSSIAN, numbers, other, typed

pytestmark = pytest.mark.django_db

DEAD, HURT, BLANK = 1, 42, 100  # on the columns 1-1 and 2-1 of the house table


@pytest.fixture
def field(frozen):
    """To the Volga!: the German has attacked in the first firefight, which is in its last turn."""
    return frozen("field", Field)


@pytest.fixture
def duel(field):
    """A squad of each side in sector 14; the German has another one in 7."""
    field.german, field.russian = field.put(GERMAN, "", 14, "O7"), field.put(RUSSIAN, "", 14, "O8")
    field.other = field.put(GERMAN, "", 7)
    return field


def sentences(done):
    return [entry.sentence for entry in done.entries]


# What became of the units (20.5.8.1 step 1)


@pytest.fixture
def reports(field):
    """A pinned squad, a vehicle, a leader, a squad off the map and a hidden one, all German; it is over."""
    field.squad, field.absent = field.put(GERMAN, "", 6, "G7", ["pinned"]), field.game.units(GERMAN, "I4")[0].number
    field.vehicle, field.leader = field.put(GERMAN, "stug_iii_c", 6), field.put(GERMAN, "pioneer_squad", 6)
    field.game.write(field.unit(GERMAN, field.leader), counter="officer")
    field.concealed = field.put(GERMAN, "", 7, hidden=True)
    field.mine = field.put(GERMAN, "pioneer_squad", 7)
    field.game.write(field.unit(GERMAN, field.mine), counter="mine_factor")
    return field.over()


# What happens in play alone (20.11.1, 20.12.1): sector and unit.
IN_PLAY = [("enter", "absent", 1), ("move", "squad", 11), ("exit", "squad", 6)]


# What is reported of which unit: the sector that it is about, and where the unit is afterwards, its fate, its marks.
TOLD = [
    ("stands", "squad", 11, (11, "", ["pinned"])),
    ("removed", "mine", None, (None, "eliminated", [])),
    ("show", "concealed", None, (7, "", [])),
    ("eliminated", "squad", None, (None, "eliminated", ["pinned"])),
    ("reduced", "squad", None, (6, "", ["reduced"])),
    ("wounded", "leader", None, (6, "", ["wounded"])),
    ("m_killed", "vehicle", None, (6, "", ["m_killed"])),
    ("f_killed", "vehicle", None, (6, "", ["f_killed"])),
    ("suppressed", "vehicle", None, (6, "", ["suppressed"])),
    ("pinned", "leader", None, (6, "", ["pinned"])),
    *((news, "squad", None, (6, "", [news])) for news in ("disrupted", "wia")),
    *((news, "squad", None, (6, "", ["pinned", news])) for news in ("enfiladed", "in_sewer")),
    ("close_combat", "squad", None, (6, "", ["pinned", "close_combat"])),
    ("good_order", "squad", None, (6, "", [])),
]


def test_rp_02_everything_can_be_told_until_the_side_has_said_that_it_is_all(reports):
    assert {news for news, *_ in (*TOLD, *IN_PLAY)} == set(News)
    for news, name, sector, after in TOLD:
        number = getattr(reports, name)
        with reports.game.trial():
            reports.do(reporting.report, GERMAN, [number], News(news), sector)
            unit = reports.unit(GERMAN, number)
            assert (unit.sector, unit.fate, unit.marks) == after
    reports.do(reorganizing.confirm_report, GERMAN)
    assert (reports.step, reports.deciders()) == (Step.AFTER_ACTION, [RUSSIAN])
    for news, name, sector, _ in TOLD:
        arguments = [getattr(reports, name)], News(news), sector
        reports.refuse(reporting.report, GERMAN, *arguments, match="What became of your units is settled")
    reports.refuse(reorganizing.confirm_report, GERMAN, match="your side has decided")


@pytest.mark.parametrize(("news", "who", "sector"), IN_PLAY)
def test_rd_05_after_the_firefight_nobody_enters_moves_or_leaves_the_map(reports, news, who, sector):
    number = getattr(reports, who)
    reports.refuse(reporting.report, GERMAN, [number], News(news), sector, match="After the firefight nobody enters")


def test_a_report_afterwards_says_the_hex_of_a_close_combat(reports):
    done = reports.do(reporting.report, GERMAN, [reports.squad], News.STANDS, None, "g8")
    assert sentences(done) == [f"German: 1 × Grenadier squad{tags(reports.squad)}: stands in hex G8."]
    assert (reports.unit(GERMAN, reports.squad).sector, reports.unit(GERMAN, reports.squad).hex) == (6, "G8")
    reports.refuse(reporting.report, GERMAN, [reports.squad], News.STANDS, None, "Ö7", error=Refused)
    reports.refuse(reporting.report, GERMAN, [reports.squad], News.STANDS, match="Give the hex")


def test_a_report_afterwards_may_put_right_where_a_unit_ended_the_firefight(reports):
    """R-71: nobody moves, but what was not noted in time is noted, and the log says so."""
    done = reports.do(reporting.report, GERMAN, [reports.squad], News.STANDS, 14, "o7")
    right = "put right: ended the firefight in sector 14, stands in hex O7."
    assert sentences(done) == [f"German: 1 × Grenadier squad{tags(reports.squad)}: {right}"]
    done = reports.do(reporting.report, GERMAN, [reports.concealed], News.STANDS, 11)
    assert sentences(done) == ["German writes something down under seal."]
    assert reports.unit(GERMAN, reports.concealed).hidden
    refused = reports.refuse(reporting.report, GERMAN, [reports.mine], News.STANDS, 11, error=Unfit)
    assert refused.reasons == ["Mine factor is in sector 7: say first that it moves."]
    reports.refuse(reporting.report, GERMAN, [reports.absent], News.STANDS, 6, error=Unfit, match="is not on the map")


@pytest.mark.parametrize("news", ["enter", "move", "exit"])
def test_mines_never_move(field, news):
    mine = field.put(GERMAN, "pioneer_squad", 6)
    field.game.write(field.unit(GERMAN, mine), counter="mine_factor")
    refused = field.refuse(reporting.report, GERMAN, [mine], News(news), 6, error=Unfit)
    assert refused.reasons == ["Mine factor stays where it is; it can be taken off, shown, or its hex noted."]
    field.do(reporting.report, GERMAN, [mine], News.STANDS, None, "g7")
    assert (field.unit(GERMAN, mine).sector, field.unit(GERMAN, mine).hex) == (6, "G7")


def test_a_report_afterwards_is_as_strict_as_during_the_firefight(reports):
    for name, news in (("squad", "m_killed"), ("vehicle", "reduced"), ("absent", "pinned"), ("squad", "pinned")):
        reports.refuse(reporting.report, GERMAN, [getattr(reports, name)], News(news), error=Unfit)
    reports.refuse(reporting.report, GERMAN, [reports.squad], News.REMOVED, error=Unfit, match="only mines and nest")
    reports.refuse(reporting.report, RUSSIAN, [9999], News.PINNED, error=Unfit)


def test_who_left_in_the_firefight_is_held_for_the_next(field):
    """20.11.1: it may set up by the edge in the next firefight."""
    number = field.put(GERMAN, "", 6)
    field.do(reporting.report, GERMAN, [number], News.EXIT)
    field.told()
    unit = field.unit(GERMAN, number)
    assert (unit.marks, unit.sector, unit.home) == (["held"], None, None)


# Nothing changes when an act is refused


def test_no_act_of_the_phase_is_an_observers(duel):
    duel.over()
    table = (OBSERVER,)
    for act, more in (
        (reporting.report, ([duel.german], News.PINNED)),
        (reorganizing.confirm_report, ()),
        (reorganizing.redeploy, ({}, Dice())),
        (reorganizing.fight, (bout([duel.german], [duel.russian]), APP)),
        (reorganizing.fight_round, ()),
        (reorganizing.recover, (APP,)),
        (reorganizing.resolve_rest, ("phase",)),
        (reorganizing.concede, ()),
    ):
        duel.game.refuse(act, OBSERVER, *more, sides=table, match="Observers watch")


def test_each_die_of_a_bout_is_logged_for_the_side_that_it_attacks_for(duel):
    duel.told().to(Step.BATTLE)
    done = duel.do(reorganizing.fight, GERMAN, bout([duel.german], [duel.russian]), typed(attack=BLANK, defense=BLANK))
    assert [(die.die, die.side) for die in done.entries[0].rolls] == [("attack", GERMAN), ("defense", RUSSIAN)]


def test_missing_and_impossible_dice_change_nothing(duel):
    duel.told()
    leave = {duel.german: 7}
    lacking = duel.refuse(reorganizing.redeploy, GERMAN, leave, typed(), error=Incomplete)
    assert lacking.result.needs == (f"die_{duel.german}",)
    assert f"Still to roll: d10 of Grenadier squad #{duel.german}." in lacking.result.headline
    assert duel.refuse(reorganizing.redeploy, GERMAN, leave, typed(**{f"die_{duel.german}": 11}), error=BadDie).die
    duel.to(Step.BATTLE)
    pair = bout([duel.german], [duel.russian])
    for faces, *needed in (({}, "attack", "defense"), ({"attack": HURT}, "defense"), ({"defense": 3}, "attack")):
        lacking = duel.refuse(reorganizing.fight, GERMAN, pair, typed(**faces), error=Incomplete)
        assert lacking.result.needs == tuple(needed)
    duel.refuse(reorganizing.fight, GERMAN, pair, typed(attack=101, defense=1), error=BadDie)


def test_hit_dice_are_asked_for_when_it_is_open_who_is_hit(field):
    ours = [field.put(GERMAN, "", 14) for _ in range(2)]
    theirs = [field.put(RUSSIAN, "", 14), field.put(RUSSIAN, "commissar", 14)]
    field.told().to(Step.BATTLE)
    field.do(reorganizing.fight, GERMAN, bout(ours, theirs), Dice())
    pair = together(ours, theirs)
    dice = {"attack": DEAD, "defense": DEAD}
    lacking = field.refuse(reorganizing.fight, RUSSIAN, pair, typed(**dice), error=Incomplete)
    assert lacking.result.needs == ("attack_hit_1", "attack_hit_2", "defense_hit_1", "defense_hit_2")
    hits = {"attack_hit_1": 9, "attack_hit_2": 2, "defense_hit_1": 5}
    lacking = field.refuse(reorganizing.fight, RUSSIAN, pair, typed(**dice, **hits), error=Incomplete)
    assert lacking.result.needs == ("defense_hit_2",)
    field.do(reorganizing.fight, RUSSIAN, pair, typed(**dice, **hits, defense_hit_2=5))
    lost = [[n for n in listed if field.unit(side, n).fate] for side, listed in ((GERMAN, ours), (RUSSIAN, theirs))]
    assert lost == [ours, theirs[:1]]  # a tie hits both


def test_the_page_of_a_typed_bout_asks_for_the_hits_and_keeps_what_was_typed(volga):
    field = Field(match_id=volga.match_id)
    ours = [field.put(GERMAN, "", 14), field.put(GERMAN, "flamethrower", 14)]
    theirs = [field.put(RUSSIAN, "", 14), field.put(RUSSIAN, "commissar", 14)]
    field.told().to(Step.BATTLE)
    field.do(reorganizing.fight, GERMAN, bout(ours, theirs), Dice())
    form = volga.russian.form("fight", "reorganization/")
    assert not form.offers(f"by_german-{ours[0]}"), "the German attacks are declared"
    ways = {**{f"by_russian-{n}": 1 for n in theirs}, **{f"on_german-{n}": 1 for n in ours}}
    response = volga.russian.post("reorganization/", form.filled(dice="table", attack=DEAD, defense=DEAD, **ways))
    form = next(form for form in forms_in(response, "fight") if form.offers("defense_hit_2"))
    assert form.fields["attack"] == form.fields["defense"] == [str(DEAD)]
    hits = {"attack_hit_1": 1, "attack_hit_2": 2, "defense_hit_1": 3, "defense_hit_2": 4}
    volga.russian.post("reorganization/", form.filled(dice="table", **hits))
    lost = [[n for n in listed if field.unit(side, n).fate] for side, listed in ((GERMAN, ours), (RUSSIAN, theirs))]
    assert lost == [ours[1:], theirs[1:]]


def test_ts_05_the_page_asks_for_a_mine_attack_and_its_dice_one_after_the_other(volga):
    field = Field(match_id=volga.match_id)
    ours = [field.put(GERMAN, "", 14, "O7"), field.put(GERMAN, "flamethrower", 14, "O7")]
    field.put(RUSSIAN, "", 14, "O9")
    mine = field.put(RUSSIAN, "guards_squad", 14, "O7")
    field.game.write(field.unit(RUSSIAN, mine), counter="mine_factor")
    field.told()
    page = volga.german.open("reorganization/")
    assert "Units in a mine hex are attacked first" in page.content.decode()
    assert not forms_in(page, "redeploy")  # first the mines
    (form,) = forms_in(page, "mines")
    response = volga.german.post("reorganization/", form.filled(dice="table", factors=20, drm=-5, mine=39))
    assert response.status_code == 422
    (form,) = forms_in(response, "mines")
    assert (form.fields["factors"], form.fields["drm"], form.fields["mine"]) == (["20"], ["-5"], ["39"])
    hits = {f"hit_{ours[0]}": 3, f"hit_{ours[1]}": 8}
    response = volga.german.post("reorganization/", form.filled(dice="table", **hits))
    (form,) = forms_in(response, "mines")  # 34 is C/M: the squad, which is not hit, checks
    volga.german.post("reorganization/", form.filled(dice="table", **{f"check_{ours[0]}": 8}))
    assert (field.unit(GERMAN, ours[0]).marks, field.unit(GERMAN, ours[1]).fate) == (["pinned"], "eliminated")
    assert forms_in(volga.german.open("reorganization/"), "redeploy")
    assert not forms_in(volga.german.open("reorganization/"), "mines")


def test_what_is_wrong_with_a_pairing_is_said_with_its_rule(duel):
    duel.told().to(Step.BATTLE)
    refused = duel.refuse(reorganizing.fight, GERMAN, bout([duel.other], [duel.russian]), APP, error=Unfit)
    assert refused.reasons == [f"German unit {duel.other} is not in this sector (20.6.4)."]
    duel.refuse(reorganizing.fight, RUSSIAN, bout([duel.russian], [duel.german], RUSSIAN), APP)


def test_acts_of_another_step_and_of_the_idle_side_are_refused(duel):
    duel.told()
    for act, more in (
        (reorganizing.confirm_report, ()),
        (reorganizing.fight_round, ()),
        (reorganizing.fight, (bout([duel.german], [duel.russian]), APP)),
        (reorganizing.recover, (APP,)),
    ):
        duel.refuse(act, GERMAN, *more, match="The phase stands at: The Attacker stays or re-deploys")
    duel.refuse(reorganizing.redeploy, RUSSIAN, {}, Dice(), match="the other side's to decide")
    for act in (buying.reinforce, turns.end_turn):
        duel.refuse(act, GERMAN, APP, match="another step")


def test_the_phase_is_a_stage_of_its_own(cg2):
    for act, more in (
        (reorganizing.confirm_report, ()),
        (reorganizing.redeploy, ({}, Dice())),
        (reorganizing.fight_round, ()),
        (reorganizing.resolve_rest, ("phase",)),
        (reorganizing.recover, (APP,)),
    ):
        cg2.refuse(act, GERMAN, *more, match="another step: reorganization")


# One act, one form


def test_a_repeated_act_gives_the_first_answer_and_no_second_roll(duel):
    duel.told()
    act_id = "0b8f4e7c-1111-4222-8333-444455556666"
    first = duel.do(reorganizing.redeploy, GERMAN, {duel.german: 7}, APP, act_id=act_id)
    before = every_row()
    again = duel.do(reorganizing.redeploy, GERMAN, {duel.german: 7}, APP, act_id=act_id)
    assert every_row() == before
    assert sentences(again) == sentences(first)


def test_a_form_is_stale_once_its_side_has_acted(duel):
    duel.told()
    drawn = duel.game.match.version
    duel.leave(GERMAN)
    duel.refuse(reorganizing.redeploy, GERMAN, {}, Dice(), version=drawn, error=Stale)


def test_a_form_of_one_sector_does_not_count_for_the_next(duel):
    """The other side may end a sector: its mines, or the hurry that it agrees to."""
    for side in Side:
        duel.put(side, "", 11)
    mined = next(n for n in numbers(duel.game.units(RUSSIAN)) if duel.unit(RUSSIAN, n).sector == 11)
    duel.told()
    drawn = duel.game.match.version
    duel.do(reporting.report, RUSSIAN, [mined], News.ELIMINATED)
    assert duel.campaign.phase.sector == 14
    assert duel.deciders() == [GERMAN]
    duel.refuse(reorganizing.redeploy, GERMAN, {}, Dice(), version=drawn, error=Stale)
    duel.leave(GERMAN)


def test_the_other_side_telling_first_does_not_spoil_a_report(duel):
    duel.over()
    drawn = duel.game.match.version
    duel.do(reporting.report, RUSSIAN, [duel.russian], News.PINNED)
    duel.do(reporting.report, GERMAN, [duel.german], News.PINNED, version=drawn)


# Taking back


def test_every_act_can_be_taken_back_and_leaves_the_rows_as_they_were(field):
    """Each is done, taken back and done again; what ends the fight too early, and the app's dice, are not."""
    german, russian = (field.put(side, "", 14, "O7", ["pinned"], hidden=True) for side in Side)
    wreck, going = field.put(GERMAN, "stug_iii_c", 6, "G7", ["m_killed", "f_killed"]), field.put(GERMAN, "", 14)
    field.over()
    for act, side, more, stays in (
        (reporting.report, GERMAN, ([wreck], News.SUPPRESSED), True),
        (reorganizing.confirm_report, RUSSIAN, (), True),
        (reorganizing.confirm_report, GERMAN, (), True),
        (reporting.report, RUSSIAN, ([russian], News.REDUCED), True),
        (reorganizing.redeploy, GERMAN, ({going: 7}, APP), False),
        (reorganizing.redeploy, GERMAN, ({going: 7}, typed(**{f"die_{going}": 9})), True),
        (reorganizing.redeploy, RUSSIAN, ({}, Dice()), True),
        (reorganizing.resolve_rest, RUSSIAN, ("phase",), True),
        (reorganizing.resolve_rest, GERMAN, ("phase",), False),
        (reorganizing.fight_round, GERMAN, (), False),
        (reorganizing.fight, GERMAN, (bout([german], [russian]), typed(attack=BLANK, defense=BLANK)), True),
        (reorganizing.fight, GERMAN, (bout([german], [russian]), typed(attack=DEAD, defense=BLANK)), True),
        (reorganizing.redeploy, GERMAN, ({}, Dice()), True),
        (reorganizing.concede, RUSSIAN, (), False),
        (reorganizing.recover, GERMAN, (APP,), False),
        (reorganizing.recover, GERMAN, (typed(**{f"die_{wreck}": 1, f"mend_{wreck}": 4}),), True),
    ):
        before = field.game.standing()
        field.do(act, side, *more)
        assert field.game.standing()["rows"] != before["rows"]
        field.game.take_back(side)
        assert field.game.standing() == before
        if stays:
            field.do(act, side, *more)
    assert field.game.stage is Stage.REINFORCEMENTS
    assert field.unit(GERMAN, wreck).marks == ["f_killed"]


@pytest.mark.parametrize(
    ("choice", "is_free"),
    [(typed(die=9), True), (APP, False)],
    ids=["typed", "app"],
)
def test_typed_dice_are_free_to_take_back_and_the_apps_are_not(duel, choice, is_free):
    duel.told()
    dice = choice if choice is APP else typed(**{f"die_{duel.german}": 9})
    done = duel.do(reorganizing.redeploy, GERMAN, {duel.german: 7}, dice)
    assert done.act.free_to_take_back is is_free
    duel.do(matters.propose_take_back, GERMAN)
    assert (duel.game.match.proposal is None) is is_free


# In a hurry, and the app's dice


def test_two_devices_ask_both_for_a_hurry(duel):
    duel.told()
    duel.do(reorganizing.resolve_rest, RUSSIAN, "sector")
    assert duel.step is Step.ATTACKER_LEAVES
    done = duel.do(reorganizing.resolve_rest, GERMAN, "sector")
    assert sentences(done)[:3] == [
        "The rest of the sector is resolved with the app's dice, as Russian and German agreed.",
        "German: all stay.",
        "Russian: all stay.",
    ]
    assert duel.campaign.phase is None or duel.campaign.phase.sector is None


def test_one_device_hurries_at_once():
    field = Field(hot_seat=True)
    for side in Side:
        field.put(side, "", 14)
    field.told()
    field.do(reorganizing.resolve_rest, RUSSIAN, "phase")
    assert field.game.stage is Stage.REINFORCEMENTS


def test_the_apps_dice_of_a_whole_phase_can_all_be_checked(field):
    """A hurry from the first sector on, with vehicles that roll twice; no die is left out of the log."""
    for sector in (5, 9, 14):
        for side in Side:
            for _ in range(2):
                field.put(side, "", sector)
    for counter in ("stug_iii_c", "pz_iii_h"):
        for _ in range(2):
            field.put(GERMAN, counter, 6, marks=["m_killed", "f_killed"])
    field.told()
    field.do(reorganizing.resolve_rest, GERMAN, "phase")
    field.do(reorganizing.resolve_rest, RUSSIAN, "phase")
    assert field.game.stage is Stage.REINFORCEMENTS
    field.do(matters.propose_end, GERMAN)
    exported = reading.export_log(field.game.match, tuple(Side))
    report = fairness.check_log(exported)
    assert report.problems == ()
    assert report.checked == exported["rolls_made"] > 10


# What stays hidden (CQ-06, SE-03)


def test_cq_06_hidden_units_of_quiet_sectors_are_kept_from_the_other_side_throughout(duel):
    concealed = duel.put(RUSSIAN, "guards_squad", 18, "S9", hidden=True)
    first = duel.game.match.last_number
    duel.told().to(Step.BATTLE)
    duel.fight([duel.german], [duel.russian], attack=DEAD, defense=BLANK)
    while duel.game.stage is Stage.REORGANIZATION:
        (side, *_) = duel.deciders()
        duel.leave(side)
        known = duel.game.known(GERMAN).units[RUSSIAN][concealed]
        assert (known.sector, known.hex, known.home, known.hidden) == (None, "", None, False)
    own = duel.unit(RUSSIAN, concealed)
    assert (own.sector, own.home, own.hidden) == (18, 18, True)
    lines = reading.visible([entry for entry in duel.game.entries if entry.number > first], ())
    assert not any("Guards" in f"{line.sentence} {line.secret}" for line in lines)


# From one firefight into the next (20.5.8.1, 20.6.4 steps 6 and 7)


def test_rp_02_rp_04_ts_17_ts_19_from_the_last_turn_to_the_next_firefight(field):
    """The steps in their order; survivors set up where they ended, isolated ones there and nowhere else (IS-02)."""
    game = field.game
    game.give(GERMAN, 5, 6, 7, 12, 13, 14)
    survivor, vehicle = field.put(GERMAN, "", 14), field.put(GERMAN, "stug_iii_c", 14)
    enemy = field.put(RUSSIAN, "commissar", 14)
    pocket, gun = field.put(RUSSIAN, "", 11), field.put(RUSSIAN, "t_70", 11)
    saved = {side: game.balance(side) for side in Side}
    stages = [game.stage]
    field.told()
    stages.append(game.stage)
    field.to(Step.BATTLE)
    field.do(reorganizing.fight_round, GERMAN)
    assert field.unit(RUSSIAN, enemy).fate == Unit.Fate.ELIMINATED
    field.leave(GERMAN, {survivor: 7}, **{f"die_{survivor}": 1})
    stages.append(game.stage)
    assert [field.unit(GERMAN, n).home for n in (survivor, vehicle)] == [7, 14]
    game.refuse(buying.buy, GERMAN, "I1", APP, match="another step")
    for side, add in ((GERMAN, 8), (RUSSIAN, 6)):
        game.do(buying.reinforce, side, typed(die=3))
        assert game.balance(side) == saved[side] + 3 + add  # RP-04: what was left, and the new
    stages.append(game.stage)
    game.buy(RUSSIAN, "I1")
    game.orders(ATTACK, HOLD)
    stages.append(game.stage)
    for number in (pocket, gun):
        for sector in (10, 12):
            game.refuse(setting_up.place, RUSSIAN, [number], sector, error=Unfit)
        game.do(setting_up.place, RUSSIAN, [number], 11)
    game.do(setting_up.place, RUSSIAN, numbers(game.units(RUSSIAN, "I1")), 18)
    game.do(setting_up.confirm, RUSSIAN)
    game.refuse(setting_up.place, GERMAN, [survivor], 14, error=Unfit)
    game.do(setting_up.place, GERMAN, [survivor], 7)
    game.do(setting_up.place, GERMAN, [vehicle], 7)  # beside its sector
    game.do(setting_up.confirm, GERMAN)
    stages.append(game.stage)
    assert stages == [
        Stage.FIREFIGHT,
        Stage.REORGANIZATION,
        Stage.REINFORCEMENTS,
        Stage.PURCHASES,
        Stage.SETUP,
        Stage.FIREFIGHT,
    ]
    assert (field.unit(RUSSIAN, pocket).marks, field.unit(RUSSIAN, gun).marks) == (["pinned"], ["suppressed"])  # IS-01
    assert field.unit(GERMAN, survivor).marks == []
    assert (field.campaign.firefight, game.match.state.turn, field.campaign.attacker) == (2, 1, "german")


def wrecks(field):
    """The hexes with a wreck that the record knows of."""
    return {id: row["wreck"] for id, row in field.game.match.state.record.get("ground", {}).items() if row.get("wreck")}


def test_uc_04_a_vehicle_that_becomes_a_wreck_leaves_one_in_its_hex(duel):
    tank, unplaced = (duel.put(GERMAN, "stug_iii_c", 6, place, ["m_killed"]) for place in ("G7", ""))
    duel.told().to(Step.BATTLE)
    duel.fight([duel.german], [duel.russian], attack=BLANK, defense=DEAD)
    duel.to(Step.UPKEEP)
    before = duel.game.standing()
    done = duel.do(reorganizing.recover, GERMAN, typed(**{f"die_{tank}": 4, f"die_{unplaced}": 5}))
    assert wrecks(duel) == {"G7": "wreck"}
    assert [entry.sentence for entry in done.entries if "20.4.1" in entry.sentence] == ["A wreck in G7 (20.4.1)."]
    duel.game.take_back(GERMAN)
    assert duel.game.standing() == before and wrecks(duel) == {}


def test_rd_03_a_vehicle_that_is_wrecked_on_its_way_leaves_a_wreck_where_it_stood(field):
    tank = field.put(GERMAN, "stug_iii_c", 14, "O7")
    field.put(RUSSIAN, "", 14, "O7")
    field.told().to(Step.ATTACKER_LEAVES)
    field.do(reorganizing.redeploy, GERMAN, {tank: 7}, typed(**{f"die_{tank}": 10}))
    assert field.unit(GERMAN, tank).fate and wrecks(field) == {"O7": "wreck"}


def test_rp_05_both_hold_and_damaged_units_are_seen_to_once_more(duel):
    """20.5.8.1 step 6: instead of a firefight back to the changes of units, then the next reinforcement rolls."""
    game = duel.game
    wreck = duel.put(GERMAN, "stug_iii_c", 6, "G7", ["m_killed"])
    duel.told().to(Step.BATTLE)
    duel.fight([duel.german], [duel.russian], attack=BLANK, defense=DEAD)
    duel.to(Step.UPKEEP)
    duel.do(reorganizing.recover, GERMAN, typed(**{f"die_{wreck}": 6}))
    game.through_to("purchases")
    game.orders(HOLD, HOLD)
    assert (game.stage, duel.step, duel.deciders()) == (Stage.REORGANIZATION, Step.UPKEEP, [GERMAN])
    assert game.ledger.time == "AM"
    duel.do(reorganizing.recover, GERMAN, typed(**{f"die_{wreck}": 3}))
    unit = duel.unit(GERMAN, wreck)
    assert (unit.marks, unit.home) == ([], 6)
    assert (game.stage, game.ledger.time) == (Stage.REINFORCEMENTS, "PM")
    game.through_to("purchases")
    game.orders(HOLD, HOLD)
    assert (game.stage, game.ledger.time) == (Stage.REINFORCEMENTS, "Night")


def test_cg_13_the_last_firefight_ends_the_campaign():
    field = Field(card="cg1", firefight=3)
    field.put(GERMAN, "", 2)
    field.told()
    assert (field.game.stage, field.campaign.outcome) == (
        Stage.OVER,
        "Russian victory: the German controls fewer than 7 sectors.",
    )
    for act, more in ((reorganizing.confirm_report, ()), (reorganizing.concede, ()), (orders.seal_orders, (HOLD,))):
        field.refuse(act, GERMAN, *more)


@pytest.mark.parametrize("side", Side)
def test_cg_13_a_side_may_concede_at_any_moment_of_the_phase(duel, side):
    duel.told()
    duel.do(reorganizing.concede, side)
    winner = other(side).capitalize()
    assert (duel.game.stage, duel.campaign.outcome) == (Stage.OVER, f"{winner} victory: the other side concedes.")
    assert duel.campaign.phase is None


# Budgets


def test_an_act_of_the_phase_asks_for_no_more_when_there_are_more_units(field, django_assert_max_num_queries):
    for sector in (5, 9, 14):
        for side in Side:
            for _ in range(2):
                field.put(side, "", sector)
    field.told()
    with django_assert_max_num_queries(25):
        field.leave(GERMAN)
