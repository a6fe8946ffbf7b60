"""What a player may expect of leaving: exact chances, in words and numbers."""

import pytest

from campaign.acts import reorganizing
from campaign.ledger.dice import Dice
from campaign.phase import advice, lookups
from campaign.rules.redeployment import Goal, goal_of
from campaign.rules.steps import Step
from campaign.rules.units import IMPAIRING
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.campaign.memory import Memory
from tests.oracles.phase import redeployment

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN


@pytest.fixture
def scene():
    """Sector 11 is fought over; of those around it 6 and 7 are German, 5 is nobody's, and 12 is fought over too."""
    with Memory.begin().open() as memory:
        memory.hold({5: "nobody"})
        for sector in (11, 12):
            memory.add(GERMAN, "grenadier_squad", sector)
            memory.add(RUSSIAN, "rifle_squad", sector)
        yield memory


def expected(memory, unit, into):
    return advice.count_chances(memory.ledger, unit, into)


def counted(memory, unit, into):
    """The chances found by rolling every face by hand: (goes, stays, is lost, is hurt and lives) out of ten."""
    kind, marks = memory.ledger.kind_of(unit).kind, set(unit.marks)
    counts = dict.fromkeys(("goes", "stays", "dies", "hurt"), 0)
    drm = {Goal.FRIENDLY: -1, Goal.NEUTRAL: 0, Goal.THREATENED: 2}[into] + 2 * ("in_sewer" in marks)
    for face in range(1, 11):
        result = redeployment(kind, min(max(face + drm + bool(marks & IMPAIRING), 1), 10))
        has_a_smaller_side = {"squad": "reduced", "leader": "wounded"}.get(kind, "reduced") not in marks
        if "hurt" in result and (kind not in ("squad", "leader") or not has_a_smaller_side):
            result = "dies"
        counts[result.split()[0]] += 1
        counts["hurt"] += "hurt" in result
    return counts["goes"], counts["stays"], counts["dies"], counts["hurt"]


@pytest.mark.parametrize("into", Goal)
@pytest.mark.parametrize(
    ("counter", "marks"),
    [
        ("grenadier_squad", []),
        ("grenadier_squad", ["disrupted"]),
        ("grenadier_squad", ["reduced", "wia", "enfiladed"]),
        ("grenadier_squad", ["in_sewer"]),
        ("grenadier_squad", ["in_sewer", "disrupted"]),
        ("officer", []),
        ("officer", ["wounded"]),
        ("heavy_mg_34", ["pinned"]),
        ("pak_38", ["disrupted"]),
        ("pz_iii_h", []),
        ("pz_iii_h", ["suppressed", "f_killed"]),
    ],
)
def test_the_chances_of_leaving_are_a_count_of_all_faces(scene, counter, marks, into):
    """What Casualties kill is lost where others are only hurt."""
    unit = scene.add(GERMAN, counter, 11, marks=marks)
    chances = expected(scene, unit, into)
    assert (chances.arrives, chances.stays, chances.lost, chances.hurt) == counted(scene, unit, into)
    assert chances.arrives + chances.stays + chances.lost == 10


@pytest.mark.parametrize(
    ("marks", "into", "words"),
    [
        ([], Goal.THREATENED, "goes 60 %, stays 10 %, lost 30 %, Casualties in 20 %"),
        (["in_sewer", "disrupted"], Goal.THREATENED, "goes 30 %, stays 10 %, lost 60 %, Casualties in 20 %"),
        ([], Goal.FRIENDLY, "goes 90 %, stays 10 %, Casualties in 20 %"),
        (["reduced"], Goal.NEUTRAL, "goes 70 %, lost 30 %"),
    ],
)
def test_cq_04_the_chances_in_words(scene, marks, into, words):
    """CQ-04: 1-5 unharmed, 6 with Casualties, 7 stays with Casualties, 8-10 dies; out of a sewer 1-2, 3, 4 and 5-10."""
    assert (
        str(expected(scene, scene.add(GERMAN, "grenadier_squad", 11, marks=marks), into)).replace(
            "\N{NO-BREAK SPACE}", " "
        )
        == words
    )


def test_what_is_sure_is_called_sure():
    assert str(advice.Chances(10, 0, 0, 0)) == "goes for certain"
    assert str(advice.Chances(0, 10, 0, 10)) == "stays for certain, Casualties for certain"


@pytest.mark.parametrize("face", range(1, 11))
def test_the_advice_counts_what_the_dice_then_do(scene, face):
    """For every goal of a unit, the very roll that the act makes falls where the advice counted it."""
    for goal, into in ((6, Goal.FRIENDLY), (5, Goal.NEUTRAL), (12, Goal.THREATENED)):
        with Memory.begin().open() as memory:
            memory.hold({5: "nobody"})
            for sector in (11, 12):
                memory.add(RUSSIAN, "rifle_squad", sector)
            unit, _ = memory.add(GERMAN, "grenadier_squad", 11), memory.add(GERMAN, "grenadier_squad", 12)
            for side in Side:
                memory.do(reorganizing.confirm_report, side)
            ((candidate, goals), *_) = lookups.list_candidates(memory.ledger, GERMAN)
            assert (candidate, goal_of(goals[goal])) == (unit, into)
            chances = expected(memory, unit, into)
            memory.do(reorganizing.redeploy, GERMAN, {unit.number: goal}, Dice("table", {"die_1": face}))
            end = "arrives" if unit.sector == goal else "lost" if unit.fate else "stays"
            assert face <= chances.arrives if end == "arrives" else face > chances.arrives
            assert (end == "lost") == (face > 10 - chances.lost)


def test_final_re_deployment_has_the_same_advice(scene):
    scene.ledger.units[RUSSIAN].clear()
    unit = scene.ledger.units[GERMAN][1]
    scene.add(RUSSIAN, "officer", 11)
    for side in Side:
        scene.do(reorganizing.confirm_report, side)
    while scene.phase["sector"]:
        act = reorganizing.fight_round if scene.phase["step"] == Step.BATTLE else reorganizing.redeploy
        side = reorganizing.conductor.find_deciders(scene.ledger)[0]
        scene.do(act, side, *([] if act is reorganizing.fight_round else [{}, Dice()]))
    ((candidate, goals),) = lookups.list_candidates(scene.ledger, GERMAN)
    assert (candidate, set(goals)) == (unit, {6, 7, 12})
    assert (chances := expected(scene, unit, Goal.FRIENDLY)).arrives == 9 and chances.hurt == 2
