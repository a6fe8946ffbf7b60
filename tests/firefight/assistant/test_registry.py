"""The assistant without a match: the registry, the pages, and chains of rolls of which nothing is kept."""

import json
import re

import pytest

from firefight.assistant.shown_odds import in_words
from firefight.assistant.throwing import from_table
from firefight.columns import Rolled
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import Result
from firefight.games import registry
from firefight.kit import playing
from firefight.kit.fields.forms import HelperForm
from firefight.kit.fields.rows import RowsField
from firefight.kit.helper import Helper
from tests import pages
from tests.firefight.players import (
    GAME,
    LEADER,
    SAMPLES,
    SQUAD,
    effects_of,
    headline_of,
    hidden_in,
    page_of,
    text_of,
    words_of,
)

HELPERS = registry.helpers(GAME)


def post(client, slug, htmx=False, **fields):
    headers = {"HX-Request": "true"} if htmx else {}
    return client.post(page_of(slug), fields, headers=headers)


def table_dice(slug, **changes):
    """A sample's fields as the page posts them."""
    return {**SAMPLES[slug], "dice": "table", **changes}


# The registry


def test_the_game_has_its_twenty_helpers():
    assert set(HELPERS) == set(SAMPLES)


def test_two_rooms_contribute_to_one_game():
    rooms = {helper.rule.__module__.partition(".")[0] for helper in HELPERS.values()}
    assert rooms == {"firefight", "campaign"}


def test_an_unknown_game_has_no_helpers():
    assert registry.helpers("chess") == {}


def test_a_second_helper_of_the_same_slug_is_refused(settings):
    """It would silently replace the first one."""
    settings.ASSIST_HELPERS = [*settings.ASSIST_HELPERS, settings.ASSIST_HELPERS[0]]
    with pytest.raises(ValueError, match="two helpers are called"):
        registry.helpers.__wrapped__(GAME)


@pytest.mark.parametrize("slug", SAMPLES)
def test_a_helper_is_declared_in_full(slug):
    helper = HELPERS[slug]
    assert helper.title and helper.group and helper.purpose.endswith(".") and helper.rules and helper.outcomes
    assert issubclass(helper.form, HelperForm)


@pytest.mark.parametrize("slug", SAMPLES)
def test_every_field_has_a_label_and_a_bound(slug):
    fields = dict(HELPERS[slug].form.base_fields)
    for name, field in HELPERS[slug].form.base_fields.items():
        if isinstance(field, RowsField):
            fields |= {f"{name}.{key}": column for key, column in field.row_form.base_fields.items()}
    for name, field in fields.items():
        assert field.label, name
        bounds = ("max_value", "max_length", "choices", "most")
        is_yes_or_no = type(field).__name__ == "TickField"
        assert is_yes_or_no or any(getattr(field, bound, None) is not None for bound in bounds), name


def test_play_asks_for_each_die_when_the_rule_calls_for_it():
    dice_asked = []

    def rule(*, charts, first=None, second=None):
        if first is None:
            return Result("", needs=("first",))
        return Result("", needs=("second",)) if second is None else Result(f"{first} {second}")

    def throw(spec):
        dice_asked.append(spec.name)
        return (Rolled.from_spec(spec, 7, "table"),)

    dice = (DieSpec("first", 10, "one"), DieSpec("second", 10, "two"))
    helper = Helper(
        "", "", title="", group="", purpose="", rules=(), form=HelperForm, rule=rule, outcomes=(), dice=dice
    )
    result, rolled = playing.play_helper(helper, None, {}, throw)
    assert result.headline == "7 7"
    assert dice_asked == ["first", "second"] == [die.die for die in rolled]


def test_a_throw_that_a_rule_may_use_is_taken_where_it_is_given():
    def rule(*, charts, counter=None):
        return Result("without" if counter is None else f"with {counter}")

    dice = (DieSpec("counter", 6, "Counter, 2d6", number=2, is_optional=True),)
    helper = Helper(
        "", "", title="", group="", purpose="", rules=(), form=HelperForm, rule=rule, outcomes=(), dice=dice
    )
    result, rolled = playing.play_helper(helper, None, {}, from_table({}))
    assert (result.headline, rolled) == ("without", [])
    result, rolled = playing.play_helper(helper, None, {}, from_table({"counter": 9}))
    assert (result.headline, [die.dice for die in rolled]) == ("with 9", [2])
    draw = playing.one_by_one(lambda spec: Rolled.from_spec(spec, 3, "app"))
    result, rolled = playing.play_helper(helper, None, {}, draw)
    assert (result.headline, [die.dice for die in rolled]) == ("with 6", [1, 1])


def test_play_stops_where_no_die_is_given():
    helper = HELPERS["fo-loss"]
    form = helper.form.from_plain({}, book=None)
    assert form.is_valid()
    result, rolled = playing.play_helper(helper, _book(), form.inputs(), from_table({}))
    assert result.needs == ("die",)
    assert rolled == []


def _book():
    from firefight.games.chartbooks import shipped

    return shipped(GAME)


# Pages


def test_the_games_are_listed_and_lead_to_their_helpers(client):
    listed = text_of(client.get("/assist/"))
    assert f'href="/assist/{GAME}/"' in listed


def test_every_helper_is_listed_with_its_purpose(client):
    response = client.get(f"/assist/{GAME}/")
    for helper in HELPERS.values():
        assert f'href="{page_of(helper.slug)}"' in text_of(response)
        assert helper.purpose in words_of(response)


def test_the_list_opens_an_assistant_without_any_match(client):
    assert "charts" in text_of(client.get(f"/assist/{GAME}/"))
    assert "house" in words_of(client.get(f"/assist/{GAME}/charts/"))


@pytest.mark.parametrize("address", ["/assist/chess/", f"/assist/{GAME}/nothing/", f"/assist/{GAME}/nothing.json"])
def test_an_unknown_game_or_helper_is_not_found(client, address):
    response = client.get(address)
    assert response.status_code == 404
    assert "There is nothing here" in words_of(response)


@pytest.mark.parametrize("slug", SAMPLES)
def test_a_fresh_page_shows_the_form_and_tells_nobody_off(client, slug):
    response = client.get(page_of(slug))
    assert response.status_code == 200
    assert f"<h2>{HELPERS[slug].title}</h2>" in text_of(response)
    assert 'role="alert"' not in text_of(response)
    assert 'class="error"' not in text_of(response)
    assert headline_of(response) is None


@pytest.mark.parametrize("slug", SAMPLES)
def test_dice_from_the_table_are_resolved(client, slug):
    response = post(client, slug, **table_dice(slug))
    assert response.status_code == 200
    assert headline_of(response)
    if HELPERS[slug].dice:
        assert "rolled on the table" in words_of(response)
        assert "rolled here" not in words_of(response)


@pytest.mark.parametrize("slug", [slug for slug in SAMPLES if HELPERS[slug].dice])
def test_dice_can_be_rolled_here(client, slug):
    response = post(client, slug, **table_dice(slug, dice="app"))
    assert response.status_code == 200
    assert headline_of(response)
    assert "rolled here" in words_of(response)


def test_a_fragment_is_the_desk_alone(client):
    response = post(client, "morale", htmx=True, **table_dice("morale"))
    assert "<html" not in text_of(response)
    assert text_of(response).lstrip().startswith('<section id="desk"')


def test_a_boosted_or_restored_page_is_whole(client):
    for header in ("HX-Boosted", "HX-History-Restore-Request"):
        response = client.get(page_of("morale"), headers={"HX-Request": "true", header: "true"})
        assert "<html" in text_of(response)


def test_the_result_shows_each_modifier_with_its_rule_and_the_sum(client):
    page = words_of(post(client, "contact", **table_dice("contact")))
    assert "+10 Danger close 17.3.8 Danger Close" in page
    assert "-3 Other DRM" in page
    assert "= 41" in page


def test_the_result_says_whose_values_decided_it(client):
    response = post(client, "fire", **table_dice("fire"))
    assert '<span class="provenance house">' in text_of(response)


def test_the_exact_odds_stand_on_the_page_before_the_roll(client):
    page = words_of(client.get(page_of("contact")))
    assert re.search(r"Contact 65\.0 % (?!about)", page)  # 65 in 100 is not 2 in 3
    assert "Battery lost 1.0 % 1 in 100" in page


def test_the_odds_follow_the_inputs(client):
    response = client.post(f"{page_of('contact')}odds/", {"device": "phone"}, headers={"HX-Request": "true"})
    assert "<html" not in text_of(response)
    assert text_of(response).split("#}")[-1].lstrip().startswith('<div id="odds"')
    assert "Contact 75.0 % 3 in 4" in words_of(response)


def asked_in(response):
    """The sentence above the dice, "" while it is hidden."""
    (sentence,) = pages.find(text_of(response), "p#opening")
    return "" if "hidden" in sentence.attributes else pages.words(sentence)


@pytest.mark.parametrize("slug", SAMPLES)
def test_the_sentence_above_the_dice_is_that_of_the_inputs_on_show(client, slug):
    """It comes with the odds, out of band, and is what a page drawn with these inputs says."""
    for changes in ({}, *CHANGES.get(slug, ())):
        fields = {name: value for name, value in SAMPLES[slug].items() if "die" not in name} | changes
        response = client.post(f"{page_of(slug)}odds/", {**fields, "die": "34"}, headers={"HX-Request": "true"})
        page = client.post(page_of(slug), {**fields, "more": "units-open"})
        assert 'hx-swap-oob="true"' in text_of(response).partition('id="opening"')[2].partition(">")[0]
        assert asked_in(response) == asked_in(page), changes


CHANGES = {
    "contact": [{"device": "phone"}],
    "morale": [{"tq": "9"}, {"tq": "eleven"}],
    "fire": [{"ff": "20"}],
    "anti-aircraft": [{"ff": "12"}],
    "air-arrival": [{"number": "7"}],
    "end-of-firefight": [{"number": "4"}, {"turn": "3"}],
}


def test_the_sentence_above_the_dice_follows_the_inputs(client):
    def sentence_for(slug, **fields):
        return asked_in(client.post(f"{page_of(slug)}odds/", fields, headers={"HX-Request": "true"}))

    assert sentence_for("contact", device="radio") == "Contact needs 65 or less on the die."
    assert sentence_for("contact", device="phone") == "Contact needs 75 or less on the die."
    assert sentence_for("end-of-firefight", turn="5", number="4") == "4 or less: play goes on."
    assert sentence_for("end-of-firefight", turn="3", number="4") == ""


@pytest.mark.parametrize("total", [10, 36, 100, 1000])
def test_odds_in_words_are_true_to_the_nearest_whole_number(total):
    for weight in range(1, total):
        words = in_words(weight, total)
        if words.startswith("about"):
            nearest = int(words.removeprefix("about 1 in "))
            assert abs(total / weight - nearest) <= 0.5, (weight, words)
            assert abs(nearest * weight - total) * 10 <= total, (weight, words)
        elif words:
            part, whole = map(int, words.split(" in "))
            assert part * total == weight * whole


def test_resolve_without_a_die_asks_for_it_and_swaps_the_form_alone(client):
    """What stood above the form, the last result, stays where it is."""
    response = post(client, "morale", htmx=True, tq="6", die="", dice="table")
    assert "Type this die." in words_of(response)
    assert response["HX-Retarget"] == response["HX-Reselect"] == "#desk-form"
    assert '<form id="desk-form"' in text_of(response)
    for slip in ({"die": "11"}, {"tq": "eleven"}, {"tq": "eleven", "more": "units-open"}):
        again = post(client, "morale", htmx=True, **{"tq": "6", "die": "3", "dice": "table", **slip})
        assert again["HX-Reselect"] == "#desk-form", slip
    assert "HX-Retarget" not in post(client, "morale", htmx=True, tq="6", die="3", dice="table")


def test_the_odds_of_half_a_form_are_empty_and_no_error(client):
    response = client.post(f"{page_of('morale')}odds/", {"tq": "eleven"})
    assert response.status_code == 200
    assert "%" not in words_of(response)


def test_a_missing_die_is_asked_for_and_what_was_typed_is_kept(client):
    response = post(client, "accuracy", **table_dice("accuracy", direction_die=""))
    assert response.status_code == 200
    assert headline_of(response) is None
    assert 'role="status"' in text_of(response)
    assert 'name="die" value="90"' in text_of(response)


@pytest.mark.parametrize(
    ("face", "message"),
    [
        ("101", "A d100 shows 1 to 100; 101 is not on it."),
        ("0", "Type 00 for 100"),
        ("-5", "Type what the d100 shows, in digits."),
        ("٣٤", "Type what the d100 shows, in digits."),
        ("3.5", "Type what the d100 shows, in digits."),
    ],
)
def test_a_face_that_the_die_does_not_have_is_refused_and_never_clamped(client, face, message):
    response = post(client, "contact", **table_dice("contact", die=face))
    assert response.status_code == 422
    assert message in words_of(response)
    assert headline_of(response) is None


def test_bad_inputs_have_a_message_each_and_stay_typed(client):
    response = post(client, "morale", dice="table", tq="99", modifier="7", die="5")
    assert response.status_code == 422
    assert "Give a whole number from 1 to 10." in words_of(response)
    assert "Give a whole number from 0 to 6." in words_of(response)
    assert 'value="99"' in text_of(response)


def test_a_hex_that_the_map_does_not_have_is_refused_with_the_maps_bounds(client):
    response = post(client, "bracket", dice="table", aim="Z1", first="K5", second="K9")
    assert response.status_code == 422
    assert "“Z1” is not a hex of this map: columns A to Y" in words_of(response)


def test_what_a_rule_finds_wrong_stands_beside_its_input(client):
    response = post(client, "contact", **table_dice("contact", device="phone", aerial_observer="on"))
    assert response.status_code == 422
    assert "An aerial observer uses a radio" in words_of(response)


def test_after_a_roll_the_same_form_waits_with_the_same_inputs(client):
    response = post(client, "morale", **table_dice("morale"))
    assert '<input type="number" name="tq" value="6"' in text_of(response)
    assert [box.attributes.get("value") for box in pages.find(text_of(response), "input[name=die]")] == [None]


# Rows of units


def test_a_unit_is_added_to_the_list_and_the_open_row_is_empty_again(client):
    response = post(client, "fire", more="units-add", ff="8", **{"units-new-kind": "squad", "units-new-tq": "6"})
    assert response.status_code == 200
    assert json.loads(_listed(response)) == [{"kind": "squad", "tq": "6", "state": "good_order"}] or _listed(response)
    assert "squad, TQ 6" in words_of(response)
    assert headline_of(response) is None


def test_a_unit_is_struck_off_the_list(client):
    response = post(client, "fire", more="units-remove-0", ff="8", units=f"[{SQUAD},{LEADER}]")
    assert [row["name"] for row in json.loads(_listed(response))] == ["Lt. Klug"]


def test_a_wrong_row_is_told_and_stays_open(client):
    response = post(client, "fire", ff="8", die="5", **{"units-new-kind": "squad", "units-new-tq": "77"})
    assert response.status_code == 422
    assert "Row 1, TQ: Give a whole number from 1 to 10." in words_of(response)
    assert 'value="77"' in text_of(response)


def test_one_unit_too_many_is_refused_and_the_others_stay(client):
    full = "[" + ",".join([SQUAD] * 24) + "]"
    response = post(client, "fire", more="units-add", ff="8", units=full, **{"units-new-kind": "leader"})
    assert "At most 24 rows fit here." in words_of(
        post(client, "fire", ff="8", die="5", units=full, **{"units-new-kind": "leader"})
    )
    assert len(json.loads(_listed(response))) == 24


def _listed(response):
    return hidden_in(response, "units")


# Prefilling by the address


def test_the_address_fills_the_form(client):
    response = client.get(page_of("fire"), {"ff": "24", "other_drm": "-5"})
    assert 'name="ff" value="24"' in text_of(response)
    assert 'name="other_drm" value="-5"' in text_of(response)


def test_the_address_fills_modifiers_and_units_as_the_json_reads_them(client):
    response = client.get(page_of("fire"), {"ff": "8", "modifiers": ["woods", "trench"], "units": f"[{SQUAD}]"})
    assert pages.values_of_each(text_of(response), "[name=modifiers][checked]", "value") == ["woods", "trench"]
    assert "1st squad: squad, TQ 6" in words_of(response)
    assert "1st squad" in text_of(response).partition('id="odds"')[2]


def test_nonsense_in_the_address_still_shows_the_form(client):
    response = client.get(page_of("fire"), {"ff": "many", "units": "[[[", "modifiers": "none", "what": "is this"})
    assert response.status_code == 200
    assert 'role="alert"' not in text_of(response)


# Chains


def chain(client, response, **fields):
    """Post the form that a response shows, with what it hides, and these fields."""
    (form,) = pages.forms(text_of(response), "#desk-form")
    return client.post(form.action, {**form.fields, "dice": "table", **fields}, headers={"HX-Request": "true"})


def title_of(response):
    return pages.words_of_each(text_of(response), "#desk-form h2")[0]


def test_a_hit_leads_to_one_morale_check_per_unit_in_order(client):
    response = post(client, "fire", ff="8", die="34", units=f"[{SQUAD},{LEADER}]", dice="table")
    assert headline_of(response).startswith("M")
    assert title_of(response) == "Morale Check: 1st squad"
    assert "Then Morale Check: Lt. Klug" in words_of(response)
    response = chain(client, response, die="2")
    assert headline_of(response).startswith("1st squad")
    assert title_of(response) == "Morale Check: Lt. Klug"
    assert json.loads(hidden_in(response, "queue")) == []
    response = chain(client, response, die="9")
    assert headline_of(response).startswith("Lt. Klug")
    assert title_of(response) == "Morale Check"


def test_a_fire_mission_runs_from_contact_to_the_morale_checks(client):
    units = json.dumps([json.loads(SQUAD) | {"hex": "K7"}, json.loads(LEADER) | {"hex": "K7"}])
    mission = {"caliber": "105", "aim": "K7", "units": units, "marker": "cff", "correction": "1"}
    response = post(client, "contact", device="radio", die="10", dice="table", **mission)
    visited = [headline_of(response)]
    for _ in range(8):
        if not hidden_in(response, "chained"):
            break
        die = "50" if title_of(response).startswith("Fire") else "5"
        response = chain(client, response, die=die)
        assert response.status_code == 200, words_of(response)
        visited.append(headline_of(response))
    headlines = " ".join(visited)
    assert visited[0].startswith("Contact: ")
    for part in ("FF", "1st squad", "Lt. Klug"):
        assert part in headlines


@pytest.mark.parametrize(
    ("fields", "hexes"),
    [
        ({"device": "radio", "kind": "bombardment"}, 37),
        ({"device": "plotted"}, 7),
        ({"device": "plotted", "kind": "bombardment"}, 37),
        ({"device": "radio"}, 1),
    ],
)
def test_a_mission_with_the_forms_default_marker_falls_as_its_kind_of_fire(client, fields, hexes):
    response = post(client, "contact", die="10", dice="table", caliber="122", aim="K20", **fields)
    response = chain(client, response, die="1")
    response = chain(client, response)
    [falls] = [effect for effect in effects_of(response) if effect.startswith("It falls on ")]
    assert len(falls.split(", ")) == hexes


def test_a_marker_and_a_kind_of_fire_that_do_not_fit_are_refused_at_their_field(client):
    response = post(client, "contact", device="radio", marker="cff", kind="bombardment", die="10", dice="table")
    assert response.status_code == 422
    assert "A bombardment is an FFE at once" in words_of(response)


def test_a_chain_keeps_nothing_on_the_server(client, django_assert_num_queries):
    # Without the database mark any query would fail.
    response = post(client, "fire", ff="8", die="34", units=f"[{SQUAD}]", dice="table")
    # What the browser itself keeps, signed, is which roll it used last.
    assert dict(client.session) == {"used": {GAME: ["fire"]}}
    assert chain(client, response, die="3").status_code == 200


def test_an_unreadable_queue_is_dropped(client):
    for queue in ("nonsense", "{}", "[1,2]", '[{"helper":"morale"}]', "[" * 20_000, '[{"title":"\\ud800"}]'):
        response = post(client, "morale", **table_dice("morale", queue=queue))
        assert response.status_code == 200
        assert json.loads(hidden_in(response, "queue")) == []


def test_an_unreadable_carry_is_told_and_nothing_is_resolved(client):
    for carry in ("nonsense", "[]", "5", "[" * 4_000, '{"a":NaN}', '{"a":1e999}', '{"a":"\\ud800"}', "{" + " " * 9_000):
        response = post(client, "morale", **table_dice("morale", carry=carry))
        assert response.status_code == 422, carry[:20]
        assert "start this roll afresh" in words_of(response)


def test_a_long_chain_of_twelve_units_is_not_cut_short(client):
    unit = {
        "kind": "squad",
        "tq": 6,
        "hex": "K7",
        "where": "upper level of the plant",
        "modifiers": ["woods", "running"],
    }
    units = [unit | {"name": f"{number}. squad of the 3rd co."} for number in range(1, 13)]
    response = post(client, "fire", ff="8", die="34", units=json.dumps(units), dice="table")
    assert headline_of(response).startswith("M")
    assert len(json.loads(hidden_in(response, "queue"))) == 11
    response = chain(client, response, die="3")
    assert len(json.loads(hidden_in(response, "queue"))) == 10
