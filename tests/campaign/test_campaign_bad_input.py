"""Garbage in every form of a campaign: a refusal in words, never a 500, never a changed row."""

import uuid
from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as thorough
from hypothesis import strategies as st

from campaign.acts.forms import FORMS
from campaign.models import Unit
from campaign.rules.stages import Stage
from tests import pages
from tests.campaign.players import SIDES, begin, forms_in, play_to, seated, troubles_in
from tests.firefight.players import text_of
from tests.firefight.test_bad_input import GARBAGE, NUMBERS, TEXTS
from tests.frozen import every_row
from tests.reading import trial
from tests.soak import length, some

pytestmark = pytest.mark.django_db

PAGES = ("", "map/", "roster/german/", "roster/russian/", "firefight/", "reorganization/", "sealed/")


# One campaign in each state that asks for something of its own


def act(player, does, **fields):
    """Do something without looking at the page that offers it."""
    assert player.ask(does, **fields).status_code == 302, does


def bought():
    """Both sides have bought; the Russian has a plot (1) and an observer (2) under seal."""
    table = seated()
    act(table.german, "buy", group="I1", dice="table", die="10")  # group 11
    act(table.german, "buy", group="S1")  # 12
    act(table.russian, "buy", group="I1")  # 12
    act(table.russian, "buy", group="N1")  # 13
    act(table.russian, "plot", number="11", first="K17", second="K18", turn="1")
    act(table.russian, "observer", hex="Y20")
    return table


def asked():
    """The German asks to take back a purchase that the app has rolled for."""
    table = bought()
    act(table.german, "buy", group="I1", dice="app")
    act(table.german, "take-back")
    return table


def sealed(russian="hold"):
    """Both have sealed their orders."""
    table = bought()
    act(table.german, "seal", order="attack")
    act(table.russian, "seal", order=russian)
    return table


def priority():
    """Both attack."""
    table = sealed("attack")
    act(table.german, "reveal")
    return table


def setup():
    """The Russian sets up."""
    table = sealed()
    act(table.german, "reveal")
    return table


def fight():
    """The first turn: Russians in 11, hidden ones in 15, a nest; Germans in 7."""
    table = setup()
    table.russian.ask("building", number="13", building="Hall", hexes="2")
    for group, sector, hidden in (("", "11", None), ("I2", "11", None), ("I2", "15", "on"), ("N1", "11", None)):
        units = [unit for unit in units_of(table, "russian", group) if unit.sector is None]
        table.russian.ask("place", unit=numbers(units[:3]), sector=sector, hidden=hidden)
    table.russian.ask("confirm")
    for group in ("I1", "V1"):
        table.german.ask("place", unit=numbers(units_of(table, "german", group)[:3]), sector="7")
    table.german.ask("confirm")
    assert table.german.stage is Stage.FIREFIGHT
    return table


def units_of(table, side, rg):
    """A side's units of the groups with an ID, or the single counters."""
    units = Unit.objects.filter(campaign=table.match_id, side=side).order_by("number")
    return list(units.filter(group__rg=rg) if rg else units.filter(group=None))


def numbers(units):
    """How a form names units."""
    return [str(unit.number) for unit in units]


def flying():
    """Aircraft are over the map."""
    table = fight()
    table.german.ask("aircraft", number="12", die="3")
    return table


def mined():
    """There are mines in sector 11, which the German may leave."""
    table = leaving()
    lay_mines(table, sector=11, hex="")
    return table


def lay_mines(table, **values):
    """The Russian unit 9 is mines."""
    units = Unit.objects.filter(campaign=table.match_id, side="russian", number=9)
    units.update(counter="mine_factor", **values)


def lying():
    """The Russian sets up, with mines of an earlier firefight in sector 15."""
    table = setup()
    lay_mines(table, sector=15, home=15)
    return table


def fought():
    """Germans have come into 11, one of their vehicles is M-KILLED in 7; the firefight is over."""
    table = fight()
    table.german.ask("report", news="move", unit=["1", "2", "3"], sector="11")
    table.german.ask("report", news="m_killed", unit=numbers(units_of(table, "german", "V1"))[:1])
    for _ in range(5):
        table.german.ask("end-turn", die="10")
    assert table.german.stage is Stage.REORGANIZATION
    return table


def leaving():
    """Both have told: the German may leave sector 11."""
    table = fought()
    for side in SIDES:
        getattr(table, side).ask("confirm-report")
    return table


def battle():
    """Nobody leaves: sector 11 is fought out."""
    table = leaving()
    for side in SIDES:
        getattr(table, side).ask("redeploy")
    return table


def upkeep():
    """The battle is over, and an M-KILLED vehicle is rolled for."""
    table = battle()
    for side in SIDES:
        getattr(table, side).ask("hurry", how_far="sector")
    for side in SIDES:
        getattr(table, side).ask("redeploy")
    return table


STATES = {
    "purchases": bought,
    "asked": asked,
    "sealed": sealed,
    "priority": priority,
    "setup": setup,
    "firefight": fight,
    "flying": flying,
    "after_action": fought,
    "leaving": leaving,
    "mined": mined,
    "lying": lying,
    "battle": battle,
    "upkeep": upkeep,
    "reinforcements": lambda: play_to(seated(), Stage.REINFORCEMENTS),
    "over": lambda: play_to(seated(), Stage.OVER),
}
# What each act is asked with so that it is done, and where.
GOOD = {
    "reinforce": ("reinforcements", "german", {"die": "4"}),
    "buy": ("purchases", "german", {"group": "V3", "mix_1": "3", "mix_2": "4", "mix_3": "9"}),
    "refund": ("purchases", "german", {"number": "12"}),
    "put-right-cp": ("purchases", "german", {"amount": "7", "reason": "told wrongly"}),
    "seal": ("purchases", "german", {"order": "attack", "bonus": "on"}),
    "withdraw-orders": ("sealed", "german", {}),
    "reveal": ("sealed", "german", {}),
    "settle": ("priority", "german", {"german_die": "4", "russian_die": "9"}),
    "place": ("setup", "russian", {"unit": ["7", "8"], "sector": "15", "hidden": "on"}),
    "building": ("setup", "russian", {"number": "13", "building": "Hall", "hexes": "2"}),
    "confirm": ("setup", "russian", {}),
    "take-off": ("lying", "russian", {"unit": "9"}),
    "plot": ("setup", "russian", {"number": "11", "first": "K19", "second": "K20", "turn": "2"}),
    "observer": ("setup", "russian", {"hex": "Y21"}),
    "withdraw": ("setup", "russian", {"number": "2"}),
    "open": ("firefight", "russian", {"number": "1"}),
    "end-turn": ("firefight", "german", {}),
    "report": ("firefight", "german", {"unit": ["1", "2"], "news": "move", "sector": "7", "hex": "K17"}),
    "end-nest": ("firefight", "russian", {"number": "13"}),
    "battery": ("firefight", "german", {"number": "9", "news": "ffe"}),
    "aircraft": ("firefight", "german", {"number": "12", "die": "3"}),
    "air-attack": ("flying", "german", {"number": "12", "weapon": "both"}),
    "down": ("flying", "german", {"number": "12"}),
    "random-marker": ("firefight", "german", {"hex": "K7"}),
    "confirm-report": ("after_action", "german", {}),
    "mines": ("mined", "german", {"unit": "1", "factors": "20", "drm": "-5", "mine": "99"}),
    "redeploy": ("leaving", "german", {"to_1": "6", "die_1": "3", "hex_1": "K17"}),
    "fight": ("battle", "german", {"attacker": "german-1", "defender": "russian-7", "attack": "50", "defense": "99"}),
    "fight-round": ("battle", "german", {}),
    "hurry": ("battle", "german", {"how_far": "sector"}),
    "recover": ("upkeep", "german", {"dice": "app"}),
    "concede": ("firefight", "german", {"sure": "on"}),
    "take-back": ("purchases", "german", {}),
    "answer": ("asked", "russian", {"agrees": "yes"}),
}
NUMERIC = ("number", "unit", "sector", "hexes", "turn", "to_1")


@pytest.fixture
def crowd(frozen):
    """All of these campaigns at once: what a test does in one must not show in another either."""
    return frozen("crowd", lambda: SimpleNamespace(**{f"{s} {side}": p for s in STATES for side, p in sat(s)}))


def sat(state):
    """The browsers of a state, by side."""
    table = STATES[state]()
    return [(side, getattr(table, side)) for side in (*SIDES, "observer")]


def who(crowd, state, side="german"):
    """A browser of a campaign in a state."""
    return getattr(crowd, f"{state} {side}")


def page_for(does):
    """A page to post to; which one makes no difference."""
    return PAGES[list(FORMS).index(does) % len(PAGES)]


def with_each_act(fits=lambda fields: True):
    """Have a test try every act, a few at a time: laying the crowd out costs more than trying one."""
    acts = [does for does, (_, _, fields) in GOOD.items() if fits(fields)]

    def decorate(test):
        @pytest.mark.parametrize("acts", [acts[part::4] for part in range(4)], ids=lambda acts: f"{acts[0]} and others")
        def try_each(crowd, acts):
            for does in acts:
                test(crowd, does)

        return try_each

    return decorate


def unchanged(before, response, where):
    """Fail unless this was refused in words and nothing is different."""
    assert 400 <= response.status_code < 500, (where, response.status_code)
    assert every_row() == before, where


def unbroken(before, response, where):
    """Fail if this broke something; what was refused must have changed nothing."""
    assert response.status_code < 500, where
    if response.status_code >= 400:
        assert every_row() == before, where


def test_every_act_has_a_good_example_here():
    assert set(FORMS) == set(GOOD)


@pytest.mark.soak
def test_every_page_of_a_campaign_has_one_thing_to_do_first_at_most(crowd):
    places = (*PAGES, "paper/", "roster/german/?group=I1", "map/?for=12")
    for state, side, at in some(list(product(STATES, (*SIDES, "observer"), places)), 4):
        buttons = pages.filled_buttons(text_of(who(crowd, state, side).open(at, status=None)))
        assert len(buttons) <= 1, (state, side, at, buttons)


def test_the_good_examples_are_good_and_so_garbage_goes_all_the_way(crowd):
    for does, (state, side, fields) in GOOD.items():
        before = every_row()
        with trial():
            response = who(crowd, state, side).ask(does, page_for(does), **fields)
            assert response.status_code == 302, (does, troubles_in(response))
            assert every_row() != before
        assert every_row() == before


# Single fields


@pytest.mark.soak
@with_each_act()
def test_one_field_of_garbage_in_a_good_act_is_refused_or_harmless(crowd, does):
    state, side, fields = GOOD[does]
    player, before = who(crowd, state, side), every_row()
    number = list(GOOD).index(does)
    for name in fields:
        number += 1
        is_number = name in NUMERIC
        worst = [*NUMBERS[number % 4 :: 4], TEXTS[number % len(TEXTS)]] if is_number else GARBAGE[number % 11 :: 11]
        for value in some(worst, 4):
            with trial():
                response = player.ask(does, page_for(does), **{**fields, name: value})
                if value.strip() and is_number and name not in ("sector", "unit"):
                    unchanged(before, response, (does, name, value[:20]))
                else:
                    unbroken(before, response, (does, name, value[:20]))


@with_each_act()
def test_an_act_without_one_of_its_fields_is_refused_or_harmless(crowd, does):
    state, side, fields = GOOD[does]
    player, before = who(crowd, state, side), every_row()
    for name in fields:
        with trial():
            response = player.ask(does, page_for(does), **{**fields, name: None})
            if name == "number":
                unchanged(before, response, (does, name))
            else:
                unbroken(before, response, (does, name))
    with trial():
        unbroken(before, player.ask(does, page_for(does)), does)
    unchanged(before, player.post(page_for(does), {"do": does}), does)


@pytest.mark.soak
@with_each_act()
def test_an_act_in_another_state_is_refused_or_done_and_never_breaks(crowd, does):
    _, _, fields = GOOD[does]
    before, first = every_row(), list(GOOD).index(does)
    states = [*list(STATES)[first % 5 :], *list(STATES)[: first % 5]]
    for number, state in enumerate(some(states, 5)):
        side = SIDES[(first + number) % 2]
        with trial():
            unbroken(before, who(crowd, state, side).ask(does, page_for(does), **fields), (does, state, side))


def test_what_a_form_is_to_do_must_be_known(crowd):
    before = every_row()
    player = who(crowd, "firefight")
    for value in (*TEXTS, "Buy", "buy ", "seal-orders", "__class__", "0"):
        response = player.ask(value, "")
        assert response.status_code == 422
        assert troubles_in(response) == ["This form does not say what to do. Reload the page and try again."]
    assert every_row() == before


# Who, whose, and when


@with_each_act()
def test_observers_and_the_wrong_seat_change_nothing(crowd, does):
    state, side, fields = GOOD[does]
    before = every_row()
    unchanged(before, who(crowd, state, "observer").ask(does, page_for(does), **fields), does)
    stranger = who(crowd, "over" if state != "over" else "setup")
    address = who(crowd, state).address(page_for(does))
    response = stranger.client.post(address, {"do": does, "act": str(uuid.uuid4()), "version": "99", **fields})
    assert response.status_code == 403
    unchanged(before, who(crowd, state, side).ask(does, page_for(does), **{**fields, "as": "observer"}), does)


@with_each_act(lambda fields: {"number", "unit"} & set(fields))
def test_the_other_sides_numbers_and_unknown_ones_reach_nothing(crowd, does):
    state, side, fields = GOOD[does]
    (other,) = {*SIDES} - {side}
    player, before = who(crowd, state, side), every_row()
    with trial():  # its own numbers mean something else to the other side
        unbroken(before, who(crowd, state, other).ask(does, page_for(does), **fields), does)
    name = "number" if "number" in fields else "unit"
    for value in ("0", "999999", *(["14"] if name == "number" else ["99"])):
        response = player.ask(does, page_for(does), **{**fields, name: value})
        unchanged(before, response, (does, value))
        assert "Your side has no such" in troubles_in(response)[0]


@with_each_act()
def test_a_stale_or_impossible_version_is_refused(crowd, does):
    state, side, fields = GOOD[does]
    player, before = who(crowd, state, side), every_row()
    odd = ("0", "", "-1", "x", "999999999", "9" * 30, "\0", "²") if does in ("confirm", "take-back") else ()
    for version in (*odd, "1", str(player.match.version + 1)):
        response = player.ask(does, page_for(does), **{**fields, "version": version})
        assert response.status_code == 409, (does, version[:20])
    assert every_row() == before


@with_each_act()
def test_an_act_id_counts_once_in_one_place(crowd, does):
    state, side, fields = GOOD[does]
    player, before = who(crowd, state, side), every_row()
    elsewhere = who(crowd, "flying" if state != "flying" else "setup", side)
    used = [str(elsewhere.match.acts.latest("number").pk)]
    used += [str(act.pk) for act in player.match.acts.exclude(side=side)[:1]]
    odd = ("", "x", "\0", "[" * 99, "0" * 40, "urn:uuid:", "{}") if does in ("confirm", "take-back") else ()
    for act_id in (*used, *odd):
        for version in (str(player.match.version), *(["1"] if odd else [])):
            response = player.ask(does, page_for(does), **{**fields, "act": act_id, "version": version})
            assert response.status_code == 403, (does, act_id)
    assert every_row() == before
    with trial():
        sent = {**fields, "act": str(uuid.uuid4()), "version": str(player.match.version)}
        assert player.ask(does, page_for(does), **sent).status_code == 302
        after = every_row()
        assert player.ask(does, page_for(does), **sent).status_code == 302
        assert every_row() == after


# Sizes and bytes


def test_many_units_are_refused_before_they_cost_anything(crowd):
    before = every_row()
    for state, does in (("setup", "place"), ("firefight", "report")):
        player = who(crowd, state, "russian")
        for many in (390, 401, 10_000):
            units = [str(number) for number in range(1, many + 1)]
            response = player.ask(does, "map/", unit=units, news="reduced", sector="15")
            unchanged(before, response, many)
        same = ["7"] * 300
        with trial():
            assert player.ask(does, "map/", unit=same, news="move", sector="15").status_code in (302, 422)


def test_too_many_fighters_and_leavers_are_refused(crowd):
    before = every_row()
    player = who(crowd, "battle")
    keys = [f"german-{number}" for number in range(350)]
    unchanged(before, player.ask("fight", "reorganization/", attacker=keys, defender=keys), "fight")
    leavers = {f"to_{number}": "6" for number in range(1, 350)}
    unchanged(before, who(crowd, "leaving").ask("redeploy", "reorganization/", **leavers), "redeploy")


@pytest.mark.parametrize(
    "key", ["german-", "german", "-1", "german--1", "german-1-2", "nobody-1", "german-9999999", "german-²"]
)
def test_unreadable_fighters_are_refused(crowd, key):
    before = every_row()
    response = who(crowd, "battle").ask("fight", "reorganization/", attacker=key, defender="russian-7")
    unchanged(before, response, key)


def test_a_post_that_is_too_large_is_refused_plainly(crowd):
    before = every_row()
    for at in PAGES:
        response = who(crowd, "setup", "russian").ask("building", at, number="13", hexes="2", building="x" * 1_100_000)
        assert response.status_code == 400
        assert "That could not be read" in text_of(response)
    assert every_row() == before


def test_bytes_that_are_no_text_are_answered(crowd):
    before = every_row()
    player = who(crowd, "firefight")
    kind = "application/x-www-form-urlencoded"
    for at in PAGES[::3]:
        for body in (
            b"\xff\xfe=\xff&do=\xed\xa0\x80",
            b"do=report&unit=%ED%A0%80&news=%FF%FE",
            b"do=buy&group=%00",
            b"\0",
        ):
            response = player.client.post(player.address(at), body, content_type=kind)
            unchanged(before, response, (at, body))
        for body, kind_of in ((b"{}", "application/json"), (b"--x", "multipart/form-data"), (b"", "text/plain")):
            unchanged(before, player.client.post(player.address(at), body, content_type=kind_of), (at, body))


@pytest.mark.parametrize("value", ["²", "٣", "-1", "9" * 30, "\0", "x", "1.5", " ", "0", "👻", "'"])
def test_odd_values_in_addresses_are_answered(crowd, value):
    player = who(crowd, "setup", "russian")
    for at, name in (("map/", "sector"), ("map/", "for"), ("roster/russian/", "group"), ("live/", "version")):
        response = player.client.get(player.address(at), {name: value})
        assert response.status_code == 200
    for name in ("sector", "for", "group", "held", "do"):
        assert player.client.get(player.address(), {name: value}).status_code == 200


def test_odd_addresses_are_not_found(crowd):
    client = who(crowd, "setup").client
    for address in (
        "/campaign/%00/",
        "/campaign/²/",
        "/campaign//",
        "/campaign/x/y/",
        "/campaign/%FF/",
    ):
        assert client.get(address).status_code == 404, address
        assert client.post(address).status_code in (403, 404), address
    # What could be a campaign is refused like a stranger's: nobody learns which ones exist.
    assert client.get("/campaign/x/map/").status_code == 403


def test_a_form_beside_the_query_of_its_page_does_what_the_form_says(crowd):
    player, before = who(crowd, "setup", "russian"), every_row()
    for query in ("?sector=99&for=99", "?sector=x", "?do=confirm", "?unit=7&sector=15&do=place"):
        unchanged(before, player.ask("", f"map/{query}"), query)


# Beginning


def test_garbage_in_a_new_campaign_is_refused_or_kept(db, client):
    page = client.get("/campaign/new/")
    (form,) = [form for form in forms_in(page) if "card" in form.choices]
    good = form.filled(card="cg1", side="russian", name="x")
    for place, name in enumerate(("card", "side", "book", "content", "name", "hot_seat")):
        for value in GARBAGE[place % 8 :: 8]:
            before = every_row()
            response = client.post("/campaign/new/", {**good, name: value})
            is_fine = name == "hot_seat" or (name == "name" and response.status_code == 302)
            if is_fine:
                assert response.status_code == 302
            else:
                unchanged(before, response, (name, value[:20]))
                assert 'role="alert"' in text_of(response)
    before = every_row()
    for values in ({}, {**good, "card": ["cg1", "nothing"]}, {"card": "cg1"}):
        response = client.post("/campaign/new/", values)
        unchanged(before, response, values)
    for method in ("put", "patch", "delete"):
        assert getattr(client, method)("/campaign/new/").status_code == 405
        assert getattr(client, method)("/campaign/demo/").status_code == 405
    assert client.get("/campaign/demo/").status_code == 405
    assert every_row() == before


def test_two_campaigns_at_once_share_no_numbers(frozen):
    one, other = begin()[0], begin()[0]
    one.buy("A1")
    before = every_row()
    for number in range(1, 13):
        response = other.ask("refund", "roster/german/", number=number)
        unchanged(before, response, number)


# Everything at once


NAMES = ("number", "unit", "sector", "hidden", "group", "order", "bonus", "news", "hex", "first", "second", "turn")
NAMES += ("building", "hexes", "dice", "die", "second_die", "mix_1", "german_die", "to_1", "to_7", "die_1", "attacker")
NAMES += ("defender", "attack", "defense", "attack_hit_1", "from_cover", "how_far", "sure", "agreed", "agrees", "as")
NAMES += ("act", "version", "after", "odd")
LIKELY = ("1", "2", "7", "11", "12", "13", "15", "on", "app", "table", "move", "lost", "ffe", "enter", "hold", "attack")
LIKELY += ("K17", "A17", "Y20", "german-1", "russian-7", "yes", "no", "phase", "sector", "I1", "V3", "X1", "6", "10")


@pytest.mark.soak
def test_no_mixture_of_fields_breaks_an_act(crowd):
    values = st.sampled_from(LIKELY) | st.sampled_from(GARBAGE) | st.text(max_size=12)
    lists = st.lists(values, min_size=1, max_size=4)
    fields = st.dictionaries(st.sampled_from(NAMES), values | lists, max_size=7)
    states, does = st.sampled_from(list(STATES)), st.sampled_from([*FORMS, "", "odd"])
    before = every_row()

    @thorough(max_examples=length(40, 2000), suppress_health_check=list(HealthCheck), database=None)
    @given(states, st.sampled_from([*SIDES, "observer"]), st.sampled_from(PAGES), does, fields, st.booleans())
    def check(state, side, at, do, given_fields, with_good):
        player = who(crowd, state, side)
        good = GOOD[do][2] if with_good and do in GOOD else {}
        with trial():
            response = player.ask(do, at, **{**good, **given_fields})
            unbroken(before, response, (state, side, at, do))
            if response.status_code < 400:
                assert response.status_code == 302
                assert side != "observer"
                for place in ("", "reorganization/"):
                    assert player.client.get(player.address(place)).status_code == 200

    check()
    assert every_row() == before
