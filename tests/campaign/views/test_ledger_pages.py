"""What the pages of a campaign show and do in each stage, for both sides and for observers."""

import re
from dataclasses import replace

import pytest

from campaign.models import Campaign, Group, Unit
from campaign.rules.stages import Stage
from firefight.models import Match
from tests import pages
from tests.campaign.plain import tags
from tests.campaign.players import SIDES, Hand, Player, begin, forms_in, part_of, play_to, seated, troubles_in
from tests.campaign.test_campaign_bad_input import battle, leaving
from tests.filling import Reader
from tests.firefight import players as firefight
from tests.firefight.players import text_of, words_of
from tests.firefight.test_security import flaws
from tests.frozen import every_row

pytestmark = pytest.mark.django_db

PAGES = ("", "map/", "map/?sector=6", "roster/german/", "roster/german/?group=V3", "roster/russian/?group=X1")
PAGES += ("firefight/", "reorganization/", "sealed/")
STAGES = ("purchases", "priority", "setup", "firefight", "reorganization", "reinforcements", "over")


def sectors_drawn(response):
    """The drawing: {sector: (what stands under its number, its sentence)}."""
    spots = pages.find(text_of(response), "#board-over a[id^=at-][aria-label]")
    return {
        int(spot.id.removeprefix("at-")): (" ".join(map(pages.words, spot.css("b, i"))), spot.attributes["aria-label"])
        for spot in spots
    }


def sectors_listed(response):
    """The table beside it: {sector: its cells}."""
    table = text_of(response).split("The map as a table", 1)[1]
    rows = [[pages.words(cell) for cell in row.css("th, td")] for row in pages.find(table, "tr:has(> th[scope=row])")]
    return {int(cells[0]): cells[1:] for cells in rows}


def cp_table(response):
    """The CP lines and balances as the overview lists them, without the firefight's number."""
    rows = pages.find(text_of(response), "details:has(#cp-head) table tr")[1:]
    return [tuple(pages.words(cell) for cell in row.css("th, td")[1:]) for row in rows]


def tasks_in(response):
    """What the status says of each side."""
    return {line.split()[0]: line for line in pages.words_of_each(text_of(response), "ul.tasks > li")}


def refused(player, response, status, *reasons):
    """See that a page says why nothing was done."""
    assert response.status_code == status, words_of(response)
    assert troubles_in(response) == list(reasons)
    return response


# All pages in all stages


@pytest.mark.parametrize("stage", STAGES)
def test_every_page_is_whole_for_everybody_in_every_stage(volga_at, stage):
    volga = volga_at(stage)
    for player in (volga.german, volga.russian, volga.observer):
        for at in PAGES:
            page = player.open(at)
            assert flaws(page) == [], at
            assert text_of(page).count("<html") == text_of(page).count("<h1") == 1
            assert page["Cache-Control"] == "no-store"
            assert text_of(page).count('id="ledger"') == 1
            for form in pages.find(text_of(page), "form[method=post]"):
                assert form.css_first("input[name=csrfmiddlewaretoken]")


@pytest.mark.parametrize("stage", STAGES)
def test_observers_are_given_nothing_to_do(volga_at, stage):
    volga = volga_at(stage)
    for at in PAGES:
        assert not [form for form in forms_in(volga.observer.open(at)) if form.does], at


@pytest.mark.parametrize(
    ("stage", "step", "german", "russian", "observer"),
    [
        ("purchases", "Purchases and sealed orders", "Buy reinforcement groups", "Hold, free", "Both sides buy"),
        ("priority", "Who attacks", "German d10", "Russian d10", "a d10 each, the higher is the Attacker"),
        ("setup", "Set-up", "Waiting for the Russian", "Set up on the map", "Waiting for the Russian"),
        ("firefight", "Firefight", "Turn 1 of the firefight at Dawn", "Firefight record", "Turn 1 of the firefight"),
        ("reorganization", "Reorganization", "The firefight is over.", "firefight is over.", "firefight is over."),
        ("reinforcements", "Reinforcement rolls", "d10 + 8 CP", "d10 + 6 CP", "Each side rolls for its CP."),
    ],
)
def test_the_overview_says_where_the_campaign_stands(volga_at, stage, step, german, russian, observer):
    volga = volga_at(stage)
    for player, words in ((volga.german, german), (volga.russian, russian), (volga.observer, observer)):
        page = player.open()
        (head,) = pages.words_of_each(text_of(page), "h2#now[tabindex='-1']")
        assert head.startswith(step)
        assert words in words_of(page)
        assert pages.words_of_each(text_of(page), "li.now[aria-current=step]") == [step]


def test_the_overview_says_who_has_won(volga_at):
    volga = volga_at("over")
    assert volga.german.campaign.outcome
    for player in (volga.german, volga.russian, volga.observer):
        assert pages.words_of_each(text_of(player.open()), "h2#now")[0].startswith("The end")
        assert volga.german.campaign.outcome in player.read()
    for player in (volga.german, volga.russian):
        assert "end the match to open their seed" in player.read()
    assert "end the match" not in volga.observer.read().lower()


@pytest.mark.parametrize("at", ["", "verdict/"])
def test_a_campaign_that_is_over_is_ended_where_it_is_said(volga_at, at):
    volga = volga_at("over")
    Reader(volga.german.client).open(volga.german.address(at)).press("End the match")
    page = Reader(volga.russian.client).open(volga.russian.address(at))
    page.form(".asked").press("Agree")
    assert volga.german.match.ended and "End the match" not in page.words()
    assert page.press("Check the dice").address == f"/match/{volga.match_id}/dice/"


def test_the_phase_tells_what_happened_last_and_that_the_other_side_is_in_a_hurry(db):
    table = leaving()
    sentence = "The German asks to resolve the rest of the phase with the app's dice."
    assert sentence not in table.russian.read("reorganization/")
    table.german.ask("hurry", "reorganization/", how_far="phase")
    for player in (table.german, table.russian):
        assert "German asks to resolve the rest of the phase with the app's dice." in player.read("reorganization/")
    own = table.german.read("reorganization/")
    assert "You ask to resolve the rest of the phase with the app's dice. The Russian has to agree." in own
    assert "Agree" not in own
    hurry_form = Reader(table.german.client).open(table.german.address("reorganization/")).form("#hurry form")
    assert ("how_far", "phase") not in hurry_form.buttons() and ("how_far", "sector") in hurry_form.buttons()
    assert "Resolve the rest of this sector" in own
    again = table.german.ask("hurry", "reorganization/", how_far="phase")
    refused(table.german, again, 403, "Your side has asked for that: the Russian has to agree.")
    page = Reader(table.russian.client).open(table.russian.address("reorganization/"))
    assert sentence in page.words("section.card")
    page.form("section.card form").press("Agree")
    assert "Nothing is left to do in this phase." in table.german.read("reorganization/")


def test_a_round_that_was_asked_for_is_not_offered_to_the_same_side_again(db):
    table, offer = battle(), "Roll the whole round here"
    page = Reader(table.german.client).open(table.german.address("reorganization/")).press(offer)
    assert "You ask to resolve the rest of the round with the app's dice." in page.words("section.card")
    assert offer not in page.words()


def test_what_was_gathered_by_hand_is_looked_at_where_the_round_begins(db):
    table = battle()
    page = Reader(table.german.client).open(table.german.address("reorganization/"))
    gathering = page.form("#pairing form")
    assert gathering.node.attributes["action"] == "#round"
    theirs = next(iter(page.find("#pairing [name=defender]"))).attributes["value"]
    gathering.fill(attacker="german-1", defender=theirs).press("Gather them")
    assert page.words("#round ~ form").startswith("→ Grenadier squad #1 against")


def test_a_die_for_a_unit_that_stays_is_asked_about_before_anybody_leaves(db):
    table = leaving()
    page = Reader(table.german.client).open(table.german.address("reorganization/"))
    page.form(does="redeploy").fill(die_1=4, to_2="6", die_2=4).press("Declare, dice as typed")
    reason = "Grenadier squad #1 has a die and stays: choose its sector, or take the die out."
    assert (page.status, page.words("#trouble")) == (422, reason)
    assert page.form(does="redeploy").value("die_1") == "4"
    page.form(does="redeploy").fill(die_1="").press("Declare, dice as typed")
    assert "Grenadier squad #2 to sector 6: Re-deploys" in page.words()


def test_only_who_may_meet_enemies_is_asked_where_it_arrives(db):
    table = leaving()
    page = Reader(table.german.client).open(table.german.address("reorganization/"))
    assert [name for name in page.form(does="redeploy").names() if name.startswith("hex")] == []
    letters = table.german.campaign.held
    Campaign.objects.filter(pk=table.match_id).update(held=f"{letters[:13]}t{letters[14:]}")  # 14 is threatened
    assert "hex_1" in page.open(page.address).form(does="redeploy").names()


def test_a_sector_with_hidden_enemies_alone_is_not_ticked_off_for_the_other_side(volga_at):
    table = volga_at("reorganization")
    squads = {"german": "grenadier_squad", "russian": "rifle_squad"}
    for side, counter in squads.items():
        units = list(Unit.objects.filter(campaign=table.match_id, side=side, counter=counter)[:2])
        for unit, sector in zip(units, (7, 14), strict=True):
            unit.sector, unit.hidden = sector, side == "russian" and sector == 14
            unit.save()
    for player in (table.german, table.russian):
        Reader(player.client).open(player.address("reorganization/")).form(does="confirm-report").press(
            "Report complete"
        )
    for player in (table.german, table.russian, table.observer):
        text = player.read("reorganization/")
        assert re.search(r"Sectors fought over: 7 \(now\) ?, 14 ?\.", text), text


def test_once_a_phase_is_over_its_page_leads_on_by_a_button(db):
    table = leaving()
    for player in (table.german, table.russian):
        page = Reader(player.client).open(player.address("reorganization/"))
        page.form("#hurry form").press("how_far=phase")
    assert "Nothing is left to do in this phase." in page.words()
    assert len(page.find("#done p")) == 1, "the log tells the rest"
    page.press("Go on: Reinforcement rolls")
    assert page.address.split("?")[0] == table.german.address() and page.has("#now")


@pytest.mark.parametrize(
    ("stage", "german", "russian"),
    [
        ("purchases", ("buys, then seals its orders", "24 CP"), ("buys, then seals its orders", "20 CP")),
        ("setup", ("waits: it sets up second", "20 CP"), ("sets up", "20 CP")),
        ("firefight", ("plays", "20 CP"), ("plays", "20 CP")),
        ("reorganization", ("decides", "20 CP"), ("decides", "20 CP")),
        ("reinforcements", ("rolls for its reinforcements", "24 CP"), ("rolls for its reinforcements", "20 CP")),
    ],
)
def test_everybody_reads_what_each_side_has_to_do_and_its_cp(volga_at, stage, german, russian):
    volga = volga_at(stage)
    for player in (volga.german, volga.russian, volga.observer):
        for at in ("", "map/", "roster/german/", "firefight/", "sealed/"):
            tasks = tasks_in(player.open(at))
            assert all(part in tasks["German"] for part in german), at
            assert all(part in tasks["Russian"] for part in russian), at


def test_a_match_without_a_campaign_has_no_such_pages(db):
    maker, _ = firefight.begin()
    player = Player(maker.match_id)
    player.client = maker.client
    for at in PAGES:
        player.open(at, status=404)
    before = every_row()
    assert player.ask("confirm").status_code == 404
    assert every_row() == before


def test_only_who_has_a_seat_sees_a_campaign(volga):
    stranger, other = Player(volga.match_id), begin()[0]
    other.match_id = volga.match_id
    for player in (stranger, other):
        for at in PAGES:
            assert player.client.get(player.address(at)).status_code == 403
        assert player.ask("confirm").status_code == 403
    assert Player("nothing").client.get("/campaign/nothing/").status_code == 403


@pytest.mark.parametrize("at", ["", "map/", "roster/german/", "firefight/", "sealed/"])
def test_pages_are_read_and_posted_to_and_nothing_else(volga, at):
    before = every_row()
    for method in ("put", "patch", "delete", "options", "trace"):
        response = getattr(volga.german.client, method)(volga.german.address(at))
        assert response.status_code == 405, method
    assert volga.german.post(at, {}).status_code == 422
    assert volga.german.client.post(volga.german.address("live/")).status_code == 405
    assert every_row() == before


def test_there_are_two_rosters_and_an_act_posted_to_another_is_not_done(volga):
    before = every_row()
    for side in ("observer", "nobody", "GERMAN"):
        volga.german.open(f"roster/{side}/", status=404)
        assert volga.german.ask("seal", f"roster/{side}/", order="hold").status_code == 404
    assert every_row() == before


# Ways between the pages


def test_tabs_lead_to_every_page_and_say_where_one_is(volga):
    for at in ("", "map/", "roster/german/", "roster/russian/", "firefight/", "sealed/"):
        page = text_of(volga.russian.open(at))
        assert pages.values_of_each(page, "nav.tabs a[aria-current=page]", "href") == [volga.russian.address(at)]
        for place in pages.values_of_each(page, "nav.tabs a", "href"):
            assert volga.russian.client.get(place).status_code == 200


def test_the_assistant_leads_back_to_the_campaign(volga):
    assert f'href="/match/{volga.match_id}/"' in text_of(volga.german.open())
    back = f'<a class="button second" href="{volga.german.address()}">To the campaign</a>'
    assert back in text_of(volga.german.get())
    assert f'<a class="button" href="{volga.german.address()}">To the campaign</a>' in text_of(
        volga.german.get("seats/")
    )
    assert f'<a href="{volga.german.address()}">October at the Tractor Works</a>' in text_of(
        volga.german.client.get("/")
    )


def test_the_assistant_leaves_the_turns_to_the_campaign(volga_at):
    volga = volga_at("firefight")
    for _ in range(4):
        volga.german.do("advance/")
    assert volga.german.match.state.turn == 1
    assert "end this one on its firefight page" in words_of(volga.german.do("advance/"))
    volga.german.end_turn()
    assert volga.german.match.state.turn == 2
    assert "Turn 2" in volga.german.see()


def test_the_last_turn_of_a_firefight_ends_on_its_page_like_every_other(volga_at):
    volga = volga_at("firefight")
    match = volga.german.match
    Match.objects.filter(pk=match.pk).update(state=replace(match.state, turn=7, phase="conclusion"))
    page = Reader(volga.german.client).open(f"/match/{match.pk}/")
    assert "Next phase" not in page.words("#status")
    assert page.press("End the turn").address == volga.german.address("firefight/")
    refusal = "The campaign keeps the turns: end this one on its firefight page."
    assert refusal in words_of(volga.german.do("advance/"))


def test_a_new_firefight_begins_without_the_result_of_the_old_one(volga_at):
    volga = volga_at("setup")
    volga.german.roll("fo-loss", die="4", dice="table")
    assert "radio is left in the hex" in pages.words_of_each(text_of(volga.german.get()), "#desk")[0]
    volga.russian.confirm()
    volga.german.confirm()
    assert "radio is left in the hex" not in "".join(pages.words_of_each(text_of(volga.german.get()), "#desk"))
    volga.german.roll("fo-loss", die="5", dice="table")
    assert "radio is left in the hex" in pages.words_of_each(text_of(volga.german.get()), "#desk")[0]


def test_a_roll_of_the_assistant_stands_in_the_log_of_the_overview(volga):
    volga.german.roll("fo-loss", die="4", dice="table")
    newest = pages.words_of_each(text_of(volga.russian.open()), "ol.lines[reversed] > li")[0]
    assert volga.german.last.sentence in newest


def test_the_map_can_be_tried_out_as_it_stands(volga):
    (link,) = pages.values_of_each(text_of(volga.german.open("map/")), 'a[href^="/campaign/map/?held="]', "href")
    assert link == f"/campaign/map/?held={volga.german.campaign.held}"
    assert volga.german.client.get(link).status_code == 200


def test_a_page_asks_whether_anything_is_new_and_hears_of_it(volga):
    (watched,) = pages.values_of_each(text_of(volga.russian.open()), '[hx-get*="live/?version="]', "hx-get")
    watched = watched.partition("&as=")[0]
    quiet = volga.russian.client.get(watched)
    assert (quiet.status_code, quiet.content) == (204, b"")
    volga.german.seal("hold")
    news = volga.russian.client.get(watched)
    assert (news.status_code, news.content, news["HX-Trigger"]) == (200, b"", "volga:news")
    assert "HX-Trigger" in Player(volga.match_id).client.get(watched).headers


# Buying


def test_the_roster_shows_what_a_group_brings_and_costs(volga):
    chosen = part_of(volga.german.open("roster/german/?group=I1"), "chosen")
    assert "I1 Grenadier platoon 4 CP Infantry: 3 × Grenadier squad. Leader roll when bought." in chosen
    chosen = part_of(volga.german.open("roster/german/?group=V3"), "chosen")
    assert "3 by a d10 each (1-6: Pz IV F1, 7-10: Pz IV F2)" in chosen
    assert "Night and Dawn only" in part_of(volga.russian.open("roster/russian/?group=S1"), "chosen")


def test_the_other_sides_roster_can_be_looked_at_and_not_bought_from(volga):
    page = volga.german.open("roster/russian/?group=I1")
    assert "I1 Militia platoon 2 CP" in part_of(page, "chosen")
    assert "not now" not in words_of(page)
    assert not [form for form in forms_in(page) if form.does in ("buy", "refund")]


@pytest.mark.parametrize("group", ["Z9", "", "%00", "I1%00"])
def test_a_roster_without_a_choice_is_the_roster(volga, group):
    page = volga.german.open(f"roster/german/?group={group}")
    assert not part_of(page, "chosen")
    assert "I1 Grenadier platoon" in words_of(page)


def test_a_purchase_ticks_a_box_costs_cp_and_stands_in_the_log(volga):
    assert volga.german.buy("I1", die=5).status_code == 302
    *squads, nco = Unit.objects.filter(
        campaign__match=volga.match_id, side="german", group__rg="I1", group__bought_for__gt=0
    )
    came = f"3 × Grenadier squad{tags(*squads)}; an NCO{tags(nco)}"
    for player in (volga.german, volga.russian, volga.observer):
        assert "☒☐☐☐☐☐☐☐ 1 of 8" in player.read("roster/german/")
        assert "I1 Grenadier platoon bought for Dawn · 4 off the map 3 × Grenadier squad 1 × NCO" in player.read(
            "roster/german/"
        )
        assert ("German", "I1 Grenadier platoon", "-4") in cp_table(player.open())
        assert f"German buys I1 Grenadier platoon for 4 CP: {came}." in player.read()
    assert "20 CP" in tasks_in(volga.russian.open())["German"]


def test_a_purchase_leads_back_to_its_page_which_says_that_it_was_bought(volga):
    response = volga.german.buy("A1")
    number = volga.german.last.number
    assert response["Location"] == volga.german.address(f"roster/german/?group=A1&done={number}")
    bought = f"№ {number}: German buys A1"
    assert bought in done_in(volga.german.client.get(response["Location"]))
    assert done_in(volga.german.buy("V3", mix_1=3)) == ""  # a refusal says nothing of what was done before
    for player in (volga.russian, volga.observer):
        assert done_in(player.open(f"roster/german/?done={number}")) == ""
    for nonsense in ("", "x", "99999", "-1"):
        assert done_in(volga.german.open(f"roster/german/?done={nonsense}")) == ""
    volga.german.ask("take-back")
    assert done_in(volga.german.client.get(response["Location"])) == ""


def done_in(response):
    """What the page says was done a moment ago."""
    return next(iter(pages.words_of_each(text_of(response), "#done")), "")


def test_the_next_box_that_is_closed_is_told_apart_from_the_one_that_was_bought(volga):
    for _ in range(12):
        if not forms_in(volga.german.open("roster/german/?group=A1"), "buy"):
            break
        volga.german.buy("A1")
    text = volga.german.read("roster/german/?group=A1")
    assert "Another one cannot be bought now" in text


def test_a_mix_of_counters_asks_for_a_die_each(volga):
    volga.german.buy("V3", mix_1=1, mix_2=7, mix_3=10)
    assert "1 × Pz IV F1 2 × Pz IV F2" in part_of(volga.german.open("roster/german/"), "held-head")


def test_counters_without_a_group_are_in_hand_too(inferno):
    """The card's Commissar: a nest needs one in play (20.9.2)."""
    for player in (inferno.russian, inferno.german):
        assert "Single counters at start · 1 off the map 1 × Commissar" in part_of(
            player.open("roster/russian/"), "held-head"
        )
    assert "Single counters" not in part_of(inferno.german.open("roster/german/"), "held-head")


def test_missing_dice_keep_the_form_and_say_which(volga):
    before = every_row()
    page = volga.german.buy("V3", mix_1=3, mix_3=9)
    assert page.status_code == 422
    assert "Counter 2, d10" in " ".join(troubles_in(page))
    (form,) = forms_in(page, "buy")
    assert [form.fields[f"mix_{place}"] for place in (1, 2, 3)] == [["3"], [""], ["9"]]
    assert pages.values_of_each(text_of(page), "[aria-invalid=true]", "name") == ["mix_2"]
    assert every_row() == before


def test_a_russian_six_asks_for_a_second_die_and_keeps_the_first(volga):
    before = every_row()
    page = volga.russian.buy("I2", die=6)
    assert page.status_code == 422
    assert len(troubles_in(page)) == 1
    assert 'class="notice" role="alert"' in text_of(page)
    (form,) = forms_in(page, "buy")
    assert form.fields["die"] == ["6"]
    assert form.fields["second_die"] == [""]
    assert pages.values_of_each(text_of(page), "[aria-invalid=true]", "name") == ["second_die"]
    assert every_row() == before
    filled = form.filled(second_die=9, dice="table")
    assert volga.russian.post("roster/russian/?group=I2", filled).status_code == 302
    assert "I2 Rifle platoon bought for Dawn" in volga.russian.read("roster/russian/")


def test_a_die_that_is_none_is_refused_and_kept(volga):
    for face in ("11", "x", "-1", "4 4"):
        page = volga.german.buy("I1", die=face)
        assert page.status_code == 422
        assert len(troubles_in(page)) == 1
        assert forms_in(page, "buy")[0].fields["die"] == [face]


def test_the_app_rolls_what_it_is_asked_to_and_then_the_group_stays(volga):
    volga.german.press("buy", "roster/german/?group=I1", dice="app")
    assert "rolled here" in volga.german.see("")
    assert not forms_in(volga.german.open("roster/german/"), "refund")
    page = volga.german.ask("refund", "roster/german/", number=11)
    stays = "Dice were rolled for this group. It is taken back only if the other side agrees (20.5.8 step 2)."
    refused(volga.german, page, 422, stays)


def test_everything_that_speaks_against_a_purchase_is_listed(inferno):
    page = inferno.german.open("roster/german/?group=B1")
    against = part_of(page, "chosen")
    assert "It cannot be bought now: B1 is not in this campaign. 20.3.2" in against
    assert not forms_in(page, "buy")
    for rg in ("A3", "V2"):
        inferno.german.buy(rg)
    assert "not now" in inferno.german.read("roster/german/")
    page = inferno.german.ask("buy", "roster/german/?group=A3", group="A3")
    reasons = (
        "A3 has 1 box in this campaign, and this would be number 2 (20.3.2).",
        "This costs 7 CP, and your side has 5 (20.8.1).",
    )
    refused(inferno.german, page, 422, *reasons)


def test_a_group_of_another_time_is_refused(volga_at):
    volga = volga_at("reinforcements")
    volga.german.press("reinforce", dice="table", die=1)
    volga.russian.press("reinforce", dice="table", die=1)
    against = part_of(volga.russian.open("roster/russian/?group=S1"), "chosen")
    assert "S1 can be bought for Night or Dawn only, not for AM. 20.3.3" in against


def test_what_is_not_left_in_the_box_is_said_before_it_is_bought(volga):
    volga.german.buy("V1")
    against = part_of(volga.german.open("roster/german/?group=V1"), "chosen")
    assert "No counter is left: StuG III C." in against


def test_an_attack_is_not_bought_from_the_roster(volga):
    page = volga.german.open("roster/german/?group=X1")
    assert "An Attack goes with your orders, under seal, on the overview ." in part_of(page, "chosen")
    assert not forms_in(page, "buy")
    page = volga.german.ask("buy", "roster/german/?group=X1", group="X1")
    refused(volga.german, page, 422, "An Attack goes with your orders, under seal (20.5.3).")


def test_a_purchase_is_given_back_for_its_price_and_its_box_is_free(volga):
    volga.german.buy("I4")
    assert volga.german.press("refund", "roster/german/").status_code == 302
    page = volga.russian.read("roster/german/")
    assert "bought for Dawn" not in page
    assert any(line[1].startswith("I4 ") and line[1].endswith(" given back") for line in cp_table(volga.russian.open()))
    assert "German gives I4" in volga.observer.read()


def test_the_at_start_forces_cannot_be_given_back(volga):
    page = volga.german.ask("refund", "roster/german/", number=1)
    refused(
        volga.german, page, 422, "Only what was bought in this Reorganization Phase can be given back (20.5.8 step 2)."
    )


def test_both_sides_buy_at_the_same_time(volga):
    form = volga.german.form("buy", "roster/german/?group=A1")
    volga.russian.buy("I1")
    assert volga.german.post("roster/german/?group=A1", form.filled(dice="table")).status_code == 302


def test_a_form_that_was_used_is_stale_for_another_purchase_and_harmless_twice(volga):
    form = volga.german.form("buy", "roster/german/?group=A1")
    sent = form.filled(dice="table")
    assert volga.german.post("roster/german/?group=A1", sent).status_code == 302
    before = every_row()
    assert volga.german.post("roster/german/?group=A1", sent).status_code == 302
    page = volga.german.post("roster/german/?group=A1", {**sent, "act": [str(volga.german.log[0].pk)]})
    assert page.status_code == 403
    page = volga.german.ask("buy", "roster/german/", group="A1", version=sent["version"][0])
    assert page.status_code == 409
    assert "The campaign has moved on since this form was drawn. Nothing was done" in troubles_in(page)[0]
    assert every_row() == before


# Orders


def test_orders_must_be_chosen(volga):
    page = volga.german.seal()
    refused(volga.german, page, 422, "Choose Attack or Hold.")


def test_a_bonus_with_a_hold_is_refused_and_both_stay_as_they_were_typed(volga):
    page = volga.german.seal("hold", bonus=True)
    refused(volga.german, page, 422, "The CP Bonus goes with an Attack that is paid for (20.5.4).")
    (form,) = forms_in(page, "seal")
    assert form.fields["order"] == ["hold"]
    assert form.fields["bonus"] == ["on"]


def test_orders_are_the_own_sides_alone_until_both_are_revealed(volga):
    volga.german.seal("attack", bonus=True)
    assert "Attack, with the CP Bonus (6 CP)." in volga.german.read("sealed/")
    assert ("German", "Attack, with its CP Bonus (sealed)", "-6") in cp_table(volga.german.open())
    assert ("German", "Balance", "18") in cp_table(volga.german.open())
    assert ("German", "Balance as far as is known", "24") in cp_table(volga.russian.open())
    assert "X1 Attack 4 ☒☐☐☐ 1 of 4" in volga.german.read("roster/german/")
    assert "X1 Attack 4 ☐☐☐☐ 0 of 4" in volga.russian.read("roster/german/")
    for player in (volga.russian, volga.observer):
        assert "has sealed its orders" in tasks_in(player.open())["German"]
        assert "German seals its orders. №" in player.read()
    volga.russian.seal("hold")
    volga.russian.press("reveal")
    for player in (volga.german, volga.russian, volga.observer):
        assert ("German", "Attack, with its CP Bonus", "-6") in cp_table(player.open())
        assert "German orders: Attack, with the CP Bonus (6 CP)." in player.read()
        assert "X1 Attack 4 ☒☐☐☐ 1 of 4" in player.read("roster/german/")


def test_sealed_orders_end_the_purchases_and_can_be_taken_back(volga):
    volga.german.seal("attack")
    assert "Your orders are sealed, which ends your purchases." in volga.german.read()
    assert not forms_in(volga.german.open("roster/german/?group=I1"), "buy")
    page = volga.german.ask("buy", "roster/german/?group=I1", group="I1", die="5")
    reason = "Your orders are sealed, which ends your purchases. Take them back to buy more."
    refused(volga.german, page, 403, reason)
    volga.german.press("withdraw-orders")
    assert ("German", "Balance", "24") in cp_table(volga.german.open())
    assert volga.german.buy("I1", die=5).status_code == 302


def test_orders_are_revealed_once_both_are_sealed(volga):
    volga.german.seal("attack")
    assert not forms_in(volga.german.open(), "reveal")
    page = volga.german.ask("reveal")
    refused(volga.german, page, 403, "Both sides reveal together; still without sealed orders: Russian.")
    volga.russian.seal("hold")
    for player in (volga.german, volga.russian):
        assert forms_in(player.open(), "reveal")
    page = Reader(volga.russian.client).open(volga.russian.address()).press("Reveal both")
    sentences = [pages.words(line).partition(": ")[2] for line in page.find("#done p")]
    assert sentences == [
        "German orders: Attack (4 CP).",
        "Russian orders: Hold.",
        "The German is the Attacker: one side attacks. The Russian sets up first.",
    ]
    assert "Orders:" not in volga.russian.read("sealed/"), "nothing of them is under seal any more"


def test_where_the_card_gives_the_orders_there_is_nothing_to_choose(inferno):
    assert "The card makes your side the Attacker" in inferno.german.read()
    assert "The card makes your side the Defender" in inferno.russian.read()
    inferno.german.seal()
    inferno.russian.seal()
    inferno.german.press("reveal")
    assert inferno.german.stage is Stage.SETUP
    assert "The German is the Attacker; the other side sets up first." in inferno.observer.read()


def test_both_attack_and_a_missing_die_keeps_the_other(volga_at):
    volga = volga_at("priority")
    page = volga.russian.press("settle", german_die=4, dice="table")
    assert page.status_code == 422
    (form,) = forms_in(page, "settle")
    assert (form.fields["german_die"], form.fields["russian_die"]) == (["4"], [""])
    assert volga.russian.post("", form.filled(russian_die=9, dice="table")).status_code == 302
    assert "The Russian is the Attacker; the other side sets up first." in volga.german.read()


def test_both_hold_and_the_campaign_goes_on_to_the_next_time(volga_at):
    volga = volga_at("reinforcements")
    assert "firefight 2 of 4: AM" in volga.german.read()
    volga.german.press("reinforce", dice="table", die=10)
    task = tasks_in(volga.russian.open())["German"]
    assert "has its CP" in task and "42 CP" in task
    assert not forms_in(volga.german.open(), "reinforce")
    volga.russian.press("reinforce", dice="app")
    assert volga.german.stage is Stage.PURCHASES
    for player in (volga.german, volga.russian):
        assert re.search(r"Russian receives .*? on d10 \+ 6", player.read())


def test_after_both_have_held_nobody_reads_of_a_firefight_or_of_its_steps(volga):
    damaged = Unit.objects.filter(campaign=volga.match_id, counter="pz_iii_h").first()
    damaged.marks, damaged.sector = ["m_killed"], 6
    damaged.save()
    for player in (volga.german, volga.russian):
        player.seal("hold")
    page = Reader(volga.german.client).open(volga.german.address()).press("Reveal both")
    assert "Both sides hold: there was no firefight." in page.words("section[aria-labelledby=now]")
    page.press("Go through the phase")
    assert page.words("#ledger .ladder") == "Changes to units on the map"


# Set-up


@pytest.fixture
def setting_up(frozen):
    """The Russian sets up first: at-start groups, two new ones and a nest."""
    return frozen("setting up", to_set_up)


def to_set_up():
    volga = seated()
    for rg in ("I1", "I6", "N1"):
        volga.russian.buy(rg)
    return play_to(volga, "setup")


def test_the_map_shows_what_set_up_costs_and_why(setting_up):
    russian = setting_up.russian
    (new,) = [key for key, title in russian.parties().items() if title == "I1 Militia platoon" and key > 2]
    drawn = sectors_drawn(russian.open(f"map/?for={new}"))
    assert {number: mark for number, (mark, _) in drawn.items() if number in (1, 4, 5, 11, 13, 14, 19)} == {
        1: "–",
        4: "+3",
        5: "+3",
        11: "+2",
        13: "+2",
        14: "+1",
        19: "free",
    }
    assert drawn[4][1].endswith("Set-up: 3 CP, since it goes in by 21 – 17 – 9 – 4 (20.8.3)")
    assert drawn[19][1].endswith("Set-up: free")
    assert drawn[1][1] == "Sector 1, German: no units. Set-up: Sector 1 is not under Russian control (20.6.3)."
    assert "all in one sector, 1 CP for each sector in from the edge" in russian.read(f"map/?for={new}")
    offered = russian.form("place", f"map/?for={new}").choices["sector"]
    assert set(offered) == {"", *(str(number) for number, (mark, _) in drawn.items() if mark != "–")}


def test_to_set_up_in_a_closed_sector_is_refused_and_does_not_take_units_off_the_map(setting_up):
    russian = setting_up.russian
    russian.place(3, 15)
    before = every_row()
    page = russian.press("place", "map/?for=3&sector=6")
    refused(russian, page, 422, "Sector 6 is not under Russian control (20.6.3).")
    assert every_row() == before
    assert "6" not in russian.form("place", "map/?for=3&sector=15").choices["sector"]


def test_units_stay_where_they_are_unless_somebody_says_otherwise(setting_up):
    russian = setting_up.russian
    russian.place(3, 15)
    russian.press("place", "map/?for=3")
    assert "3 in sector 15" in russian.read("map/")
    russian.press("place", "map/?for=3", sector="")
    assert "3 in sector 15" not in russian.read("map/")


def test_at_start_units_pay_nothing_in_their_area(setting_up):
    drawn = sectors_drawn(setting_up.russian.open("map/?for=1"))
    assert {mark for mark, _ in drawn.values()} == {"free", "–"}
    assert "at start: anywhere in the deployment area" in setting_up.russian.read("map/?for=1")


def test_while_units_are_placed_the_table_says_what_the_drawing_says(setting_up):
    for key in (1, 12):
        page = setting_up.russian.open(f"map/?for={key}")
        drawn, listed = sectors_drawn(page), sectors_listed(page)
        for number, (_, sentence) in drawn.items():
            assert listed[number][-1] == sentence.split("Set-up: ")[1], number


@pytest.mark.parametrize("stage", ["setup", "firefight"])
def test_the_table_holds_what_the_drawing_shows(volga_at, stage):
    volga = volga_at("setup")
    volga.russian.place(1, 4)
    volga.russian.place(3, 15)
    volga.russian.place(4, 15, hidden=True)
    if stage == "firefight":
        volga.russian.confirm()
        volga.german.place(1, 6)
        volga.german.confirm()
    for player in (volga.german, volga.russian, volga.observer):
        page = player.open("map/")
        drawn, listed = sectors_drawn(page), sectors_listed(page)
        assert set(drawn) == set(listed) == set(range(1, 23))
        for number, (mark, sentence) in drawn.items():
            holding, units, line = listed[number]
            german, russian = units.split(" / ")
            counted = {"G": german, "R": russian}
            assert mark == " ".join(f"{side}{count}" for side, count in counted.items() if count != "0")
            assert sentence.startswith(f"Sector {number}, {holding}: ")
            assert re.fullmatch(r"\d+( – \d+)*|–|no line.*", line), line
    assert sectors_listed(volga.russian.open("map/"))[15][1] == "0 / 6"
    assert sectors_listed(volga.german.open("map/"))[15][1] == "0 / 3"


def test_a_chosen_sector_says_who_is_there_as_far_as_is_known(setting_up):
    setting_up.russian.place(3, 15)
    setting_up.russian.place(4, 15, hidden=True)
    for player in (setting_up.german, setting_up.observer):
        panel = part_of(player.open("map/?sector=15"), "here")
        assert "Sector 15: Russian Line to the map edge: 15 – 20" in panel
        assert panel.count("3 × Rifle squad") == 1
        assert "I2 Rifle platoon 6 × Rifle squad" in part_of(player.open("map/"), "here")
    own = part_of(setting_up.russian.open("map/?sector=15"), "here")
    assert "3 × Rifle squad (hidden)" in own


@pytest.mark.parametrize(
    "query", ["sector=0", "sector=23", "sector=-1", "sector=x", "for=99", "for=x", "for=-1", "sector="]
)
def test_an_address_that_makes_no_sense_is_the_map(setting_up, query):
    page = setting_up.russian.open(f"map/?{query}")
    assert part_of(page, "here").startswith("Off the map")
    assert not part_of(page, "placing")


def test_units_are_set_up_one_by_one_or_as_a_group(setting_up):
    russian = setting_up.russian
    form = russian.form("place", "map/?for=1")
    one, *others = form.choices["unit"]
    assert form.fields["unit"] == [one, *others]
    assert russian.place(1, 4, units=[one]).status_code == 302
    russian.place(1, 5, units=others)
    listed = sectors_listed(russian.open("map/"))
    assert (listed[4][1], listed[5][1]) == ("0 / 1", "0 / 2")
    russian.place(1, "", units=[one])
    assert "2 in sector 5, 1 off the map" in part_of(russian.open("map/"), "waiting-head")
    assert f"Russian: 1 × Militia squad{tags(one)} kept off the map." in setting_up.german.read()


def test_a_hex_that_is_refused_is_quoted_as_it_was_typed(setting_up):
    page = Reader(setting_up.russian.client).open(setting_up.russian.address("map/?for=1"))
    page.form(does="place").fill(sector=4, hex="QQ7").press("Set up")
    assert page.words("#trouble").startswith("“QQ7” is not a hex of this map")


def test_a_nest_that_has_ended_is_not_said_to_give_courage(setting_up):
    """20.9.3: without its Commissar it has ended for good."""
    courage = "act as if under Courage (20.9.3)"
    assert courage in setting_up.german.read("firefight/")
    Group.objects.filter(campaign=setting_up.german.match_id, rg="N1").update(standing="used_up")
    for player in (setting_up.german, setting_up.russian):
        page = player.read("firefight/")
        assert "N1 Fanatic Resistance Nest used up" in page
        assert courage not in page


def test_a_group_that_has_lost_all_its_units_is_not_ready(setting_up):
    russian = setting_up.russian
    squads = russian.form("place", "map/?for=1").choices["unit"]
    Unit.objects.filter(campaign=russian.match_id, side="russian", number__in=squads).update(fate="eliminated")
    for player in (russian, setting_up.german):
        in_hand = part_of(player.open("roster/russian/"), "held-head")
        assert "I1 Militia platoon at start · none left" in in_hand
        assert "A1 76 mm battery at start · ready" in in_hand


def test_survivors_of_one_group_in_two_sectors_are_set_up_each_in_its_own(setting_up):
    """20.6.4 step 6: squads set up where they survived, whichever of their group the list names first."""
    russian = setting_up.russian
    first, second, third = russian.form("place", "map/?for=1").choices["unit"]
    squads = Unit.objects.filter(campaign=russian.match_id, side="russian")
    for number, sector in ((first, 4), (second, 5), (third, 5)):
        squads.filter(number=number).update(home=sector, sector=sector)
    page = Reader(russian.client).open(russian.address("map/?for=1"))
    assert "survivors: the sector where they survived" in page.words("#placing")
    assert {4: "free", 5: "free", 7: "–"}.items() <= {
        number: mark for number, (mark, _) in sectors_drawn(russian.open("map/?for=1")).items()
    }.items()
    form = page.open(russian.address("map/?for=1&sector=5")).form(does="place")
    assert (form.value("sector"), form.sent()["unit"]) == ("5", [second, third])
    assert form.choices("sector") == ["4", "5"], "survivors do not stay off the map"
    form.fill(hex="K7", hidden=True).press("Set up")
    assert not page.words("#trouble")
    assert list(squads.filter(hidden=True).values_list("sector", "hex")) == [(5, "K7"), (5, "K7")]
    both = page.open(russian.address("map/?for=1")).form(does="place")
    assert both.value("sector") == "", "nobody has chosen"
    both.fill(sector=5).press("Set up")
    assert "A unit that survived in sector 4 sets up there again, not in sector 5" in page.words("#trouble")


def test_a_new_group_pays_for_how_far_it_goes_in_when_the_set_up_ends(setting_up):
    russian = setting_up.russian
    russian.place(12, 13)
    for at in ("", "map/"):
        assert re.search(r"[Ss]ector 13: 2 CP Set-up costs 2 CP in all", russian.read(at))
        assert "Set-up costs" not in setting_up.german.read(at)
        assert re.search(r"Still off the map: [1-9][0-9]? counters\.", russian.read(at))
    assert ("Russian", "Balance", "14") in cp_table(russian.open())
    assert russian.confirm().status_code == 302
    for player in (setting_up.german, russian):
        assert ("Russian", "Set-up of I1 in sector 13", "-2") in cp_table(player.open())
        assert "Russian has set up. 2 CP for I1, which goes in by 19 – 14 – 13." in player.read()
    assert "12 CP" in tasks_in(setting_up.observer.open())["Russian"]


def test_a_hidden_group_deep_in_is_paid_under_seal(setting_up):
    russian = setting_up.russian
    russian.place(12, 13, hidden=True)
    russian.confirm()
    assert ("Russian", "Set-up of I1 in sector 13 (sealed)", "-2") in cp_table(russian.open())
    for player in (setting_up.german, setting_up.observer):
        assert ("Russian", "Balance as far as is known", "14") in cp_table(player.open())
        assert "Russian has set up. №" in player.read()


def test_a_set_up_beyond_the_cp_in_hand_is_refused_with_the_bill(volga):
    for rg in ("I5", "I5", "I2", "I1"):  # 17 of 20 CP
        volga.russian.buy(rg, **({} if rg == "I1" else {"die": 10}))
    play_to(volga, "setup")
    newest = max(volga.russian.parties())
    assert volga.russian.place(newest - 3, 13).status_code == 302
    page = volga.russian.place(newest - 2, 13)
    refused(volga.russian, page, 422, "This set-up costs 4 CP in all, and your side has 3 (20.8.3).")
    assert "2 CP in all" in words_of(page)


def test_a_refused_set_up_keeps_the_sector_the_units_and_the_tick(setting_up):
    russian = setting_up.russian
    form = russian.form("place", "map/?for=1")
    sent = {**form.fields, "unit": form.choices["unit"][:1], "sector": ["13"], "hidden": ["on"], "version": ["1"]}
    page = russian.post("map/?for=1", sent)
    assert page.status_code == 409
    (again,) = forms_in(page, "place")
    assert again.fields["unit"] == sent["unit"]
    assert again.fields["sector"] == ["13"]
    assert again.fields["hidden"] == ["on"]
    sent["hidden"] = []
    (again,) = forms_in(
        russian.post("map/?for=1", {**sent, "sector": ["1"], "version": form.fields["version"]}), "place"
    )
    assert "hidden" not in again.fields


def test_a_closed_sector_is_refused_with_its_rule(setting_up):
    russian = setting_up.russian
    units = russian.form("place", "map/?for=1").choices["unit"]
    page = russian.ask("place", "map/?for=1", unit=units, sector="6")
    refused(russian, page, 422, "Sector 6 is not under Russian control (20.6.3).")


def test_who_sets_up_second_waits(setting_up):
    assert not setting_up.german.parties()
    page = setting_up.german.ask("place", "map/", unit="1", sector="6")
    refused(setting_up.german, page, 403, "The Russian sets up first. Nothing was changed (20.5.4).")
    assert setting_up.german.ask("confirm").status_code == 403
    setting_up.russian.confirm()
    assert setting_up.german.parties()
    page = setting_up.russian.ask("place", "map/", unit="1", sector="4")
    refused(setting_up.russian, page, 403, "Your side has set up. Nothing was changed (20.5.4).")


def test_a_nest_wants_its_building(setting_up):
    russian = setting_up.russian
    (nest,) = [key for key, title in russian.parties().items() if title.startswith("N1")]
    page = Reader(russian.client).open(russian.address(f"map/?for={nest}"))
    page.form(does="place").fill(sector=11).press("Set up")
    assert page.words("#trouble") == "Name the building of the Fanatic Resistance Nest first (20.9.2)."
    page.form(does="place").fill(building="Schoolhouse", hexes=5).press("Set up")
    assert page.words("#trouble") == "A nest is one building of 1 to 4 hexes, not of 5 (20.9.2)."
    form = page.form(does="place")
    assert [form.value(name) for name in ("sector", "building", "hexes")] == ["11", "Schoolhouse", "5"]
    for fields in ({"hexes": "K7 Z99"}, {"hexes": 1, "building": "Z99"}):
        page.form(does="place").fill(fields).press("Set up")
        assert page.words("#trouble").startswith("“Z99” is not a hex of this map:")
    page.form(does="place").fill(building="Schoolhouse", hexes="K7 K8").press("Set up")
    assert "Building: Schoolhouse (2 hexes)" in page.open(russian.address(f"map/?for={nest}")).words()
    page.form(does="building").fill(hexes="k7, K8 l8").press("Note it")
    assert "Building: K7 K8 L8 (3 hexes)" in page.open(russian.address(f"map/?for={nest}")).words()
    for fields, reason in (
        ({"building": "", "hexes": 2}, "Name the building, for instance by one of its hexes."),
        ({"building": "x" * 41, "hexes": 2}, "At most 40 characters, none of them a control character."),
        ({"building": "Schoolhouse", "hexes": ""}, "Choose how many hexes it has."),
        ({"building": "Schoolhouse", "hexes": "two"}, "Choose how many hexes it has: “two” is not a number."),
    ):
        refused(russian, russian.press("building", f"map/?for={nest}", **fields), 422, reason)
    russian.press("building", f"map/?for={nest}", building="Schoolhouse <G12>", hexes=2)
    assert "Building: Schoolhouse <G12> (2 hexes)" in russian.read(f"map/?for={nest}")
    assert "Schoolhouse <G12> (2 hexes)" in setting_up.german.read("firefight/")
    assert russian.confirm().status_code == 302


def test_a_cut_off_sector_says_why_and_others_say_their_way(volga_at):
    # 20.6.4 step 6: sector 11 inside the German ring; 20 is nobody's, 21 holds both sides.
    volga = volga_at("setup")
    Campaign.objects.update(held="rrrrgggrrrrgggrrrrrntr")
    for player in (volga.german, volga.russian, volga.observer):
        page = player.open("map/")
        drawn, listed = sectors_drawn(page), sectors_listed(page)
        assert "Isolated: 11 (Russian). Threatened: 21." in words_of(page)
        for number, (_, sentence) in drawn.items():
            holding, _, line = listed[number]
            is_cut_off = number == 11
            assert ("isolated" in sentence) == ("isolated" in holding) == is_cut_off
            assert bool(re.fullmatch(r"\d+( – \d+)*|–", line)) != is_cut_off
        assert listed[20][2] == listed[21][2] == "–"
        assert f"Isolated. {listed[11][2]}" in part_of(player.open("map/?sector=11"), "here")
        assert f"Line to the map edge: {listed[13][2]}" in part_of(player.open("map/?sector=13"), "here")


# The firefight


@pytest.fixture
def fighting(frozen):
    """A firefight with units of both sides on the map, hidden ones too, two flights of aircraft and a plot."""
    return frozen("fighting", to_fight)


def to_fight():
    volga = seated()
    volga.german.buy("S1")
    volga.german.buy("S1")
    volga.russian.buy("A2")
    volga.russian.press("plot", "sealed/", holding={}, number=11, first="K17", second="K18", turn=2)
    play_to(volga, "setup")
    for key, sector in ((0, 11), (1, 4), (3, 11)):
        volga.russian.place(key, sector)
    volga.russian.place(4, 15, hidden=True)
    volga.russian.confirm()
    for key, sector in ((1, 6), (7, 1)):
        volga.german.place(key, sector)
    volga.german.confirm()
    return volga


def test_the_record_shows_turns_batteries_and_aircraft_to_everybody(fighting):
    for player in (fighting.german, fighting.russian, fighting.observer):
        page = player.read("firefight/")
        assert "1 2 3 4 5 ends above 8 6 ends above 6 7 the last" in page
        assert "German A1 81 mm battery ready" in page
        assert "Russian A2 122 mm battery ready · plotted" in page
        assert page.count("German S1 Ju 87 flight 2 left · ready · arrives or stays on 5 or less") == 2
    assert flaws(fighting.german.open("firefight/")) == []
    does = [form.does for form in forms_in(fighting.german.open("firefight/")) if form.does]
    assert does.count("battery") == 2
    assert does.count("aircraft") == 2
    assert not forms_in(fighting.russian.open("firefight/"), "aircraft")


def test_what_was_given_back_is_not_on_the_record(volga):
    volga.german.buy("S1")
    assert "German S1 Ju 87 flight" in volga.german.read("firefight/")
    volga.german.press("refund", "roster/german/")
    assert "German S1 Ju 87 flight" not in volga.german.read("firefight/")


def test_turns_end_without_a_roll_until_the_fifth(fighting):
    for turn in range(1, 5):
        assert fighting.german.end_turn().status_code == 302
        assert fighting.russian.match.state.turn == turn + 1
    assert "a d10 of 8 or less, and play goes on" in fighting.russian.read("firefight/")
    page = fighting.russian.press("end-turn", "firefight/", dice="table")
    assert page.status_code == 422
    assert 'name="die"' in text_of(page)
    fighting.russian.end_turn(die=8)
    fighting.russian.end_turn(die=7)
    assert fighting.german.stage is Stage.REORGANIZATION
    for player in (fighting.german, fighting.observer):
        assert "No firefight is being played now." in player.read("firefight/")
        assert not forms_in(player.open("firefight/"), "report")


def meet(table):
    """A counter of each side comes to K7, where nobody hides."""
    for player in (table.german, table.russian):
        own = [counter for counter in player.get("counters.json").json() if counter["side"] == player.side]
        assert player.do("counters/", id=[own[0]["id"]], place="K7", area="11", becomes="shown").status_code == 302


@pytest.mark.parametrize("script", [True, False])
def test_the_end_of_a_turn_asks_about_an_open_close_combat_before_a_die_is_rolled(fighting, script):
    for _ in range(4):
        fighting.german.end_turn()
    meet(fighting)
    before = fighting.german.match.version
    reader = Reader(fighting.german.client, script).open(fighting.german.address("firefight/"))
    reader.form("form", does="end-turn").fill(die=8).press("End the turn")
    assert (reader.status, fighting.german.match.version) == (422, before)
    assert "Still open: Close Combat in K7." in reader.words(".trouble")
    form = reader.form("form", does="end-turn")
    assert form.sent()["die"] == ["8"]
    form.press("End the turn all the same")
    assert fighting.german.match.state.turn == 6
    assert [entry for entry in fighting.german.log if "Still open: Close Combat in K7." in entry.sentence]
    assert "all the same" not in reader.open(fighting.german.address("firefight/")).words()


def test_of_two_who_end_the_same_turn_one_is_told_so(fighting):
    form = fighting.russian.form("end-turn", "firefight/")
    fighting.german.end_turn()
    page = fighting.russian.post("firefight/", form.filled())
    assert page.status_code == 409
    assert fighting.german.match.state.turn == 2


def test_of_two_who_end_a_turn_with_an_open_close_combat_the_other_is_asked_again(fighting):
    """What was confirmed was about the turn before."""
    meet(fighting)
    reader = Reader(fighting.german.client).open(fighting.german.address("firefight/"))
    reader.form("form", does="end-turn").press("End the turn")
    fighting.russian.ask("end-turn", "firefight/", leaves="on")
    reader.form("form", does="end-turn").press("End the turn all the same")
    assert reader.status == 409
    reader.form("form", does="end-turn").press("End the turn")
    assert (reader.status, fighting.german.match.state.turn) == (422, 2)


def test_a_die_typed_for_one_roll_stands_in_no_other_form(fighting):
    for _ in range(4):
        fighting.german.end_turn()
    flights = forms_in(fighting.german.open("firefight/"), "aircraft")
    page = fighting.german.post("firefight/", flights[0].filled(die="77", dice="table"))
    assert page.status_code == 422
    forms = forms_in(page, "aircraft")
    assert [form.fields["die"] for form in forms] == [["77"], [""]]
    assert forms_in(page, "end-turn")[0].fields["die"] == [""]


def test_reports_change_units_and_are_told(fighting):
    german = fighting.german
    first, second, third = german.units("I1")[:3]
    german.report("reduced", [first])
    german.report("eliminated", [second])
    german.report("move", [third], 7)
    page = german.read("firefight/")
    assert f"Grenadier squad #{first} (reduced) 6" in page
    assert f"Grenadier squad #{third} 7" in page
    assert second not in german.units()
    for unit, news in ((first, "reduced (Casualties)"), (second, "eliminated"), (third, "now in sector 7")):
        assert f"German: 1 × Grenadier squad{tags(unit)}: {news}." in fighting.observer.read()
    german.report("exit", [first], 6)
    assert f"German: 1 × Grenadier squad{tags(first)}: off the map by sector 6." in fighting.observer.read()
    page = german.report("enter", [first], 6)
    refused(german, page, 422, "Grenadier squad left in this firefight and cannot come back (20.11.1).")


def test_a_refused_report_lists_every_reason_and_keeps_what_was_typed(fighting):
    german = fighting.german
    on_map, off_map = german.units("I1")[:2], german.units("I1")[3]
    truck = german.units("V1")[0]
    page = german.report("wounded", [*on_map, off_map, truck], "7")
    refused(
        german,
        page,
        422,
        "Grenadier squad cannot be wounded.",
        "Grenadier squad is not on the map.",
        "StuG III C cannot be wounded.",
    )
    (form,) = forms_in(page, "report")
    assert form.fields["news"] == ["wounded"]
    assert form.fields["sector"] == ["7"]
    assert form.fields["unit"] == [str(number) for number in (*on_map, off_map, truck)]


@pytest.mark.parametrize(
    ("news", "sector", "reason"),
    [
        ("move", "", "Give the sector, 1 to 22."),
        ("move", "0", "Give the sector, 1 to 22."),
        ("move", "23", "Give the sector, 1 to 22."),
        ("enter", "5", "Sector 5 does not touch the west edge; 1, 2, 3 and 6 do (20.11.1)."),
        ("exit", "10", "Sector 10 does not touch the west edge; 1, 2, 3 and 6 do (20.11.1)."),
        ("enter", "6", "Grenadier squad is on the map already."),
        ("show", "", "Grenadier squad is not hidden."),
        ("move", "x", "Choose a sector: “x” is not a number."),
    ],
)
def test_a_report_without_sense_is_refused(fighting, news, sector, reason):
    page = fighting.german.report(news, fighting.german.units("I1")[:1], sector)
    refused(fighting.german, page, 422, reason)


def test_a_report_of_nobody_is_refused(fighting):
    refused(fighting.german, fighting.german.report("reduced", []), 422, "Choose the units.")


def test_what_befalls_hidden_units_shows_them_and_what_they_do_does_not(fighting):
    russian, german = fighting.russian, fighting.german
    boxes = pages.find(text_of(russian.open("firefight/")), "label:has(> input[name=unit])")
    labels = [(box.css_first("input").attributes["value"], pages.words(box)) for box in boxes]
    hidden = [number for number, words in labels if re.match(r"Rifle squad #\d+ 15, hidden", words)]
    assert len(hidden) == 3
    assert "Rifle platoon 3 in sector 15 3 × Rifle squad (hidden)" in russian.read("sealed/")
    russian.report("move", hidden, 13)
    assert "Russian writes something down under seal. №" in german.read()
    assert sectors_listed(german.open("map/"))[13][1] == "0 / 0"
    assert sectors_listed(russian.open("map/"))[13][1] == "0 / 3"
    russian.report("show", hidden[:1])
    assert f"Russian: 1 × Rifle squad{tags(hidden[0])}: shown in sector 13." in german.read()
    assert sectors_listed(german.open("map/"))[13][1] == "0 / 1"
    russian.report("reduced", hidden[1:2])
    assert sectors_listed(german.open("map/"))[13][1] == "0 / 2"


def test_batteries_are_used_up_after_an_ffe_and_can_be_lost(fighting):
    russian = fighting.russian
    first, second = forms_in(russian.open("firefight/"), "battery")
    russian.post("firefight/", first.filled(news="ffe"))
    russian.post("firefight/", {**second.filled(news="lost"), "version": [str(russian.match.version)]})
    page = fighting.german.read("firefight/")
    assert "FFE placed" in page
    assert "lost" in page
    left = forms_in(russian.open("firefight/"), "battery")
    assert [form.buttons for form in left] == [[("news", "lost")]]
    for _ in range(4):
        russian.end_turn()
    russian.end_turn(die=10)
    assert "used up" in fighting.german.read("firefight/")
    assert "used up by an FFE" in fighting.german.read()


def test_aircraft_come_are_lost_and_one_group_flies_at_a_time(fighting):
    german = fighting.german
    first, second = forms_in(german.open("firefight/"), "aircraft")
    german.post("firefight/", first.filled(die=3, dice="table"))
    assert "in play over the map" in fighting.russian.read("firefight/")
    page = german.press("aircraft", "firefight/", {"number": second.fields["number"][0]}, die=3, dice="table")
    assert page.status_code == 422
    assert "One group of aircraft a turn" in troubles_in(page)[0]
    assert "may fire (17.6.7)" not in german.read("firefight/")
    squad = Unit.objects.filter(campaign=fighting.match_id, side="russian", sector__isnull=False, hidden=False).first()
    Unit.objects.filter(pk=squad.pk).update(counter="dshk_38")
    text = german.read("firefight/")
    assert f"Before its attack DShK 38 #{squad.number} may fire (17.6.7)." in text
    assert f"One is lost to DShK 38 #{squad.number}" in text
    german.press("down", "firefight/", by=f"russian-{squad.number}")
    assert f"is lost to DShK 38 #{squad.number}, 1 left" in german.last.sentence
    assert "1 left · in play over the map" in fighting.russian.read("firefight/")
    german.press("down", "firefight/")
    assert "0 left · lost" in fighting.russian.read("firefight/")


def test_a_plot_is_the_own_sides_until_it_is_opened_in_its_turn(fighting):
    russian, german = fighting.russian, fighting.german
    assert "A1: K17 or K18, turn 2 sealed" in russian.read("sealed/")
    assert "Observers are sent nothing that is sealed." in fighting.observer.read("sealed/")
    page = russian.press("open", "sealed/")
    refused(russian, page, 403, "This plot is for turn 2, and it is turn 1 (17.4.8).")
    russian.end_turn()
    russian.press("open", "sealed/")
    for player in (german, fighting.observer):
        assert "Russian: A1: K17 or K18, turn 2" in player.read("sealed/")
        assert "Plot of A1: K17 or K18, turn 2." in player.see("log/")
    assert not forms_in(russian.open("sealed/"), "open")


def test_from_the_last_phase_the_table_leads_to_the_page_that_ends_the_turn(volga_at):
    player = volga_at(Stage.FIREFIGHT).german
    reader = Reader(player.client).open(f"/match/{player.match_id}/")
    for _ in range(3):
        assert not reader.has("#turn a.button[href]"), "a phase is left at the table"
        reader.press("Next phase", within="#turn")
    assert "Next phase" not in reader.words("#turn"), "it would only be refused"
    reader.press("End the turn", within="#turn")
    assert reader.address.endswith("/firefight/")
    reader.press("End the turn")
    assert "End of turn 1." in reader.words()


def test_a_battery_without_a_plot_is_named_where_set_up_ends_until_it_is_plotted(volga_at):
    """Once the firefight has begun no plot can be written, and the battery would not fire at all (17.4.8)."""
    volga = volga_at(Stage.SETUP)
    reader = Reader(volga.russian.client).open(volga.russian.address(""))
    assert "Not plotted: A1 76 mm battery." in reader.words(".notice")
    assert "Not plotted: A1" in reader.open(volga.russian.address("map/")).words(".notice")
    for other in (volga.german, volga.observer):
        assert "Not plotted" not in Reader(other.client).open(other.address("")).words()
    reader.press("Write the plot")
    reader.form(does="plot").fill(first="K17", second="K18", turn=2).press("Seal the plot")
    for at in ("", "map/"):
        assert "Not plotted" not in reader.open(volga.russian.address(at)).words()


def test_plots_and_observers_are_written_replaced_and_struck_out(volga):
    russian = volga.russian
    russian.press("plot", "sealed/", first="K17", second="l18", turn=3)
    russian.press("observer", "sealed/", hex="Y20")
    page = russian.read("sealed/")
    assert "A1: K17 or L18, turn 3 sealed" in page
    assert "Off-map observer in Y20 sealed" in page
    russian.press("plot", "sealed/", first="M17", second="M18", turn=1)
    page = russian.read("sealed/")
    assert "K17" not in page
    assert "A1: M17 or M18, turn 1 sealed" in page
    for _ in range(2):
        russian.press("withdraw", "sealed/")
    assert "Plots and observers None." in russian.read("sealed/")
    assert "Russian writes something down under seal." in volga.german.read()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"first": "K17", "second": "K17"}, "A plot has two different hexes (17.4.8)."),
        ({"first": "", "second": "K17"}, ""),
        ({"first": "K17", "second": "Z17"}, ""),
        ({"first": "K17", "second": "K1"}, ""),
    ],
)
def test_a_refused_plot_keeps_what_was_typed(volga, fields, reason):
    volga.russian.buy("A2")
    page = volga.russian.press("plot", "sealed/", number=12, turn=5, **fields)
    assert page.status_code == 422
    assert troubles_in(page)[0] == reason or not reason
    (form,) = forms_in(page, "plot")
    assert (form.fields["first"], form.fields["second"]) == ([fields["first"]], [fields["second"]])
    assert form.fields["number"] == ["12"]
    assert form.fields["turn"] == ["5"]


def test_a_refused_observer_keeps_what_was_typed(volga):
    page = volga.russian.press("observer", "sealed/", hex="A20")
    assert "is not on your edge" in troubles_in(page)[0]
    assert forms_in(page, "observer")[0].fields["hex"] == ["A20"]


def test_a_side_without_a_plotted_battery_is_not_asked_for_a_plot(volga):
    assert not forms_in(volga.german.open("sealed/"), "plot")
    page = volga.german.ask("plot", "sealed/", number=9, first="K17", second="K18", turn=1)
    refused(volga.german, page, 422, "A1 is not a plotted battery in play (17.4.8).")


# Taking back


def test_the_last_act_is_taken_back_from_the_overview(volga):
    volga.german.buy("A1")
    volga.german.press("take-back")
    assert "☐☐☐☐ 0 of 4" in volga.russian.read("roster/german/")
    assert ("German", "Balance", "24") in cp_table(volga.german.open())
    assert "Taken back: № 5." in volga.observer.read()


def test_the_other_side_is_asked_on_every_page_where_a_reveal_is_in_it(volga_at):
    volga = volga_at("setup")
    volga.german.press("take-back")
    assert "Waiting for the other side to answer. Withdraw" in volga.german.read("map/")
    for at in ("", "map/", "sealed/"):
        assert "German asks to take back № " in volga.russian.read(at) and "Agree Decline" in volga.russian.read(at)
        assert "Agree Decline" not in volga.observer.read(at)
    page = volga.russian.ask("answer")
    refused(volga.russian, page, 422, "Agree or decline.")
    volga.russian.press("answer", "map/", agrees="yes")
    assert volga.german.stage is Stage.PURCHASES
    for player in (volga.german, volga.russian):
        assert all("has sealed its orders" in task for task in tasks_in(player.open()).values())
    assert ("German", "Balance as far as is known", "24") in cp_table(volga.russian.open())


def test_on_one_device_both_players_agree_in_front_of_it(one_device):
    one_device.press("buy", "roster/german/?group=I1", dice="app")
    one_device.press("take-back")
    assert "Do both players agree?" in one_device.read()
    one_device.press("answer", agrees="yes")
    assert ("German", "Balance", "24") in cp_table(one_device.open())


# One device, and the end


def test_a_form_drawn_for_the_other_side_is_refused_on_one_device(one_device):
    form = one_device.form("seal")
    one_device.send("cover/", {})
    one_device.send("lift/", {"side": "russian"})
    before = every_row()
    page = one_device.post("", form.filled(order="attack"))
    reason = "This form was drawn for another side, before the device changed hands. Nothing was done."
    refused(one_device, page, 403, reason)
    assert every_row() == before
    assert one_device.side == "russian"


def test_under_the_cover_no_page_is_shown_and_no_act_is_done(one_device):
    form = one_device.form("seal")
    one_device.send("cover/", {})
    before = every_row()
    for at in PAGES:
        response = one_device.client.get(one_device.address(at))
        assert response["Location"] == f"/match/{one_device.match_id}/cover/"
        boosted = one_device.client.get(one_device.address(at), headers={"HX-Request": "true", "HX-Boosted": "true"})
        assert boosted["HX-Redirect"] == f"/match/{one_device.match_id}/cover/"
    assert one_device.post("", form.filled(order="attack")).status_code == 302
    assert every_row() == before


def told_on(device):
    """All that a device is sent of its campaign while it shows one side."""
    pages = [device.open(at) for at in (*PAGES, "roster/german/", "roster/russian/", "paper/")]
    # Without the token against forged forms, which may hold the letters of any hex by chance.
    sent = [re.sub('name="csrfmiddlewaretoken" value="[^"]*"', "", text_of(page)) for page in pages]
    return "".join([*sent, text_of(device.get()), text_of(device.get("log.json"))])


def assert_unknown(device, *secrets):
    """Nothing that it is sent now holds any of these words of the other side."""
    text = told_on(device)
    assert not [secret for secret in secrets if secret in text]


def test_one_device_plays_both_sides_up_to_the_second_turn():
    device, _ = begin("cg1", hot_seat=True)
    german, russian = (Hand(device, side) for side in SIDES)

    def place(hand, title, sector, hidden=False):
        key = next(key for key, name in hand.parties().items() if name == title)
        assert hand.place(key, sector, hidden).status_code == 302

    german.buy("I1", die=3)
    german.seal()
    assert "Attack, as the card says" in told_on(german)

    device.turn_to("russian")
    assert "has sealed its orders" in tasks_in(device.open())["German"]
    assert_unknown(device, "Attack, as the card says")
    russian.buy("A1")
    russian.press("plot", "sealed/", first="F12", second="G12")
    assert "A1: F12 or G12, turn 1" in russian.read("sealed/")
    russian.seal()
    assert "Hold, as the card says" in told_on(russian)

    device.turn_to("german")
    assert_unknown(device, "F12", "Hold, as the card says")
    german.press("reveal")
    assert "Russian orders: Hold, as the card says." in german.read()
    assert "Waiting for the Russian to set up." in german.read()

    place(russian, "I6 MG section", 13, hidden=True)
    place(russian, "I2 Rifle platoon", 7)
    text = told_on(russian)
    russian.confirm()
    assert "has set up" in tasks_in(russian.open())["Russian"]

    device.turn_to("german")
    secrets = ("F12", "Maxim M1910 (hidden)", "2 in sector 13", "set up in sector 13")
    assert [secret for secret in secrets if secret not in text] == []
    assert_unknown(device, *secrets)
    place(german, "I1 Grenadier platoon", 6)
    german.confirm()
    assert device.stage is Stage.FIREFIGHT
    german.end_turn()

    assert "turn 2" in russian.read()
    assert "A1: F12 or G12, turn 1" in russian.read("sealed/")


def test_an_ended_match_can_be_read_and_not_acted_on(volga_at):
    volga = volga_at("setup")
    volga.german.do("end/", sure="on")
    volga.russian.do("answer/", agrees="yes")
    assert Match.objects.get().ended
    for player in (volga.german, volga.russian):
        for at in PAGES:
            page = player.open(at)
            assert not [form for form in forms_in(page) if form.does], at
            assert "ended" in words_of(page)
            assert "live/" not in text_of(page)
    page = volga.russian.ask("confirm")
    refused(volga.russian, page, 403, "This match has ended; its log can be read and checked, but not added to.")


def test_observers_are_told_that_they_watch(volga):
    before = every_row()
    for does in ("seal", "reveal", "confirm", "withdraw-orders", "take-back"):
        page = volga.observer.ask(does, order="hold")
        refused(volga.observer, page, 403, "Observers watch; only players act.")
    assert every_row() == before


def test_what_players_type_is_shown_and_never_run(volga):
    volga.russian.buy("N1")
    play_to(volga, "setup")
    nest = max(volga.russian.parties())
    volga.russian.press("place", f"map/?for={nest}", sector=11, building="<script>alert(1)</script>", hexes=1)
    for player in (volga.german, volga.russian, volga.observer):
        for at in ("", "firefight/", "roster/russian/"):
            assert "<script>alert" not in text_of(player.open(at))
            assert flaws(player.open(at)) == []
    assert "&lt;script&gt;alert(1)&lt;/script&gt; (1 hex)" in text_of(volga.german.open("firefight/"))
    page = volga.german.ask("<img src=x>")
    assert "<img src=x" not in text_of(page)


def test_a_post_without_its_token_is_refused(volga):
    strict = Player(volga.match_id, enforce_csrf_checks=True)
    strict.client.cookies = volga.german.client.cookies
    before = every_row()
    for at in PAGES:
        assert strict.ask("seal", at, order="hold").status_code == 403
    assert strict.client.post("/campaign/demo/").status_code == 403
    assert strict.client.post("/campaign/new/", {"card": "cg1"}).status_code == 403
    assert every_row() == before
    form = forms_in(strict.open(), "seal")[0]
    assert strict.post("", form.filled(order="hold")).status_code == 302


def test_every_page_has_the_strict_policy(volga):
    for at in PAGES:
        assert "default-src 'self'" in volga.german.open(at)["Content-Security-Policy"]


def test_a_die_that_is_asked_for_next_is_the_one_that_is_marked(volga):
    page = Reader(volga.russian.client).open(volga.russian.address("roster/russian/?group=I2"))
    page.form(does="buy").fill(die=6).press("dice=table")
    assert [node.attributes["name"] for node in page.find("[aria-invalid=true]")] == ["second_die"]
    assert page.form(does="buy").value("die") == "6"


def test_on_one_device_whoever_has_sealed_hands_it_over_where_they_stand():
    """The way on leads to the other player: it does not hide in a menu."""
    device, _ = begin("cg1", hot_seat=True)
    reader = Reader(device.client).open(f"/campaign/{device.match_id}/")
    assert "Hand over to" not in reader.words("main")
    reader.press("Seal the orders")
    reader.press("Hand over to Russian")
    assert reader.address.endswith("/cover/")
    reader.press("I am Russian")
    reader.open(f"/campaign/{device.match_id}/")
    assert "Hand over to" not in reader.words("main") and "Seal the orders" in reader.words("main")


def test_on_one_device_every_page_leads_to_the_other_player_and_back_to_itself():
    device, _ = begin("cg1", hot_seat=True)
    device.seal()
    for at in ("map/", "sealed/", "reorganization/"):
        reader = Reader(device.client).open(device.address(at))
        reader.press("Hand over to Russian").press("I am Russian")
        assert reader.address == device.address(at)
        assert "Hand over" not in reader.words("#ledger")
        device.turn_to("german")


def test_a_campaign_keeps_the_cover_at_the_table_though_nothing_is_sealed_yet():
    """Its ledger has secrets of its own, such as orders, of which the log need not say anything."""
    device, _ = begin("cg1", hot_seat=True)
    reader = Reader(device.client).open(f"/match/{device.match_id}/")
    reader.form("form.you").press(reader.words("form.you"))
    assert reader.address.endswith("/cover/")


def test_the_way_back_from_the_cover_leads_into_the_campaign_alone(one_device):
    for back in ("https://example.org/", "//example.org/", f"/match/{one_device.match_id}/seats/"):
        one_device.send("cover/", {"back": back})
        assert one_device.send("lift/", {"side": "german"})["Location"] == one_device.address()


def test_who_has_a_device_of_their_own_has_nothing_to_hand_over():
    german, _ = begin("cg1")
    reader = Reader(german.client).open(f"/campaign/{german.match_id}/")
    reader.press("Seal the orders")
    assert "Hand over" not in reader.words("main")


def test_a_roster_says_what_is_left_to_spend():
    german, _ = begin("cg1")
    reader = Reader(german.client).open(f"/campaign/{german.match_id}/roster/german/")
    assert "20 CP to spend" in reader.words("main")
    reader.open(f"/campaign/{german.match_id}/roster/russian/")
    assert "to spend" not in reader.words("main"), "the other side buys there"
