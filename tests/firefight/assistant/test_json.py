"""The machine-readable side: it says what the page says, and answers nonsense with a 400 and a message per field."""

import json
import re

import pytest
from django.conf import settings
from django.test import Client
from hypothesis import given
from hypothesis import settings as thorough
from hypothesis import strategies as st

from firefight.games import registry
from firefight.kit.fields.rows import RowsField
from tests.firefight.players import GAME, SAMPLES, SQUAD, effects_of, headline_of, json_of, odds_of, page_of, text_of
from tests.soak import length

HELPERS = registry.helpers(GAME)
KEYS = [
    "helper",
    "headline",
    "dice",
    "modified",
    "modifiers",
    "outcome",
    "details",
    "effects",
    "follow_ups",
    "rules",
    "provenance",
]


def errors_of(response):
    assert response.status_code == 400
    return response.json()["errors"]


# Results


@pytest.mark.parametrize("slug", SAMPLES)
def test_a_result_has_the_keys_of_the_contract_in_order(client, slug):
    result = client.get(json_of(slug), SAMPLES[slug]).json()
    assert list(result) == KEYS
    assert result["helper"] == slug
    assert result["outcome"] in HELPERS[slug].outcomes
    assert all(list(modifier) == ["name", "value", "rule"] for modifier in result["modifiers"])
    assert all(list(step) == ["helper", "title", "inputs"] for step in result["follow_ups"])
    assert all(source["provenance"] in ("text", "house", "owner") for source in result["provenance"])


@pytest.mark.parametrize("slug", SAMPLES)
def test_json_and_page_say_the_same_words(client, slug):
    result = client.get(json_of(slug), SAMPLES[slug]).json()
    page = client.post(page_of(slug), {**SAMPLES[slug], "dice": "table"})
    assert headline_of(page) == result["headline"]
    assert effects_of(page) == result["effects"]
    for modifier in result["modifiers"]:
        assert f"{modifier['name']} <small>" in text_of(page).replace("&#39;", "'").replace("&amp;", "&")
    if result["follow_ups"]:
        assert f"<h2>{result['follow_ups'][0]['title']}</h2>" in text_of(page).replace("&#39;", "'")


@pytest.mark.parametrize("slug", SAMPLES)
def test_numbers_are_numbers_and_outcomes_lower_case_words(client, slug):
    result = client.get(json_of(slug), SAMPLES[slug]).json()
    assert all(type(face) is int for face in result["dice"].values())
    assert all(type(modifier["value"]) is int for modifier in result["modifiers"])
    assert result["modified"] is None or type(result["modified"]) is int
    assert result["outcome"] == result["outcome"].lower()


@pytest.mark.parametrize("slug", SAMPLES)
def test_a_follow_up_can_be_asked_for_as_it_stands(client, slug):
    for step in client.get(json_of(slug), SAMPLES[slug]).json()["follow_ups"]:
        following = HELPERS[step["helper"]]
        own = {key: value for key, value in step["inputs"].items() if key in following.form.base_fields}
        query = {key: as_query(value) for key, value in own.items() if value is not None}
        odds = client.get(odds_of(step["helper"]), query or {"other_drm": "0"})
        errors = {} if odds.status_code == 200 else odds.json()["errors"]
        # What only the players know may still be missing; what was handed on is right.
        assert not errors.keys() & query.keys(), errors


def as_query(value):
    if isinstance(value, bool):
        return "on" if value else ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    return json.dumps(value) if isinstance(value, list) else str(value)


def test_a_d100_of_00_is_a_hundred(client):
    result = client.get(json_of("contact"), {"die": "00"}).json()
    assert result["dice"] == {"die": 100}
    assert result["outcome"] == "battery_lost"


def test_a_modifier_may_be_given_several_times(client):
    result = client.get(json_of("fire"), {"ff": "8", "modifiers": ["woods", "trench"], "die": "50"}).json()
    assert [modifier["name"] for modifier in result["modifiers"]] == ["Woods", "Trench"]


def test_a_query_keeps_nothing(client):
    # Without the database mark any query would fail.
    response = client.get(json_of("morale"), SAMPLES["morale"])
    assert "sessionid" not in response.cookies
    assert client.post(json_of("morale"), SAMPLES["morale"]).status_code == 405


# Descriptions


@pytest.mark.parametrize("slug", SAMPLES)
def test_without_parameters_the_address_describes_the_helper(client, slug):
    description = client.get(json_of(slug)).json()
    helper = HELPERS[slug]
    assert list(description) == ["helper", "title", "purpose", "rules", "fields", "dice", "outcomes"]
    assert (description["helper"], description["title"], description["purpose"]) == (slug, helper.title, helper.purpose)
    assert [field["name"] for field in description["fields"]] == [
        name
        for name in helper.form(None, book=_book()).fields
        if name != "id"  # a match alone fills it
    ]
    assert description["outcomes"] == list(helper.outcomes)


@pytest.mark.parametrize("slug", SAMPLES)
def test_the_described_bounds_are_the_bounds(client, slug):
    needed = {key: value for key, value in SAMPLES[slug].items() if key in HELPERS[slug].form.base_fields}
    for field in client.get(json_of(slug)).json()["fields"]:
        if "min" in field:
            for wrong in (field["min"] - 1, field["max"] + 1):
                errors = errors_of(client.get(json_of(slug), {**needed, field["name"]: wrong}))
                assert errors[field["name"]] == [f"Give a whole number from {field['min']} to {field['max']}."]
        elif "choices" in field:
            errors = errors_of(client.get(json_of(slug), {**needed, field["name"]: "nothing of the kind"}))
            assert len(errors[field["name"]]) == 1


def test_rows_are_described_with_their_columns_and_the_books_modifiers(client):
    fields = {field["name"]: field for field in client.get(json_of("contact")).json()["fields"]}
    assert fields["units"]["most"] == 24
    columns = {column["name"]: column for column in fields["units"]["rows"]}
    assert columns["name"]["max_length"] == 48
    assert "woods" in columns["modifiers"]["choices"]


def test_dice_are_described_with_their_sides(client):
    assert client.get(json_of("accuracy")).json()["dice"] == [
        {"name": "die", "sides": 100, "label": "d100"},
        {"name": "direction_die", "sides": 10, "label": "Direction d10, if it strays"},
    ]


# Odds


@pytest.mark.parametrize("slug", SAMPLES)
def test_odds_are_whole_weights_over_a_common_total(client, slug):
    odds = client.get(odds_of(slug), inputs_of(slug)).json()
    assert odds["helper"] == slug
    for table in [odds, *odds["chain"]]:
        weights = [row["weight"] for row in table["outcomes"]]
        assert all(type(weight) is int and weight > 0 for weight in weights)
        assert sum(weights) == table["total"]
        assert all(list(row) == ["outcome", "label", "weight"] for row in table["outcomes"])


def inputs_of(slug):
    dice = {spec.name for spec in (HELPERS[slug].dice if not callable(HELPERS[slug].dice) else ())}
    return {key: value for key, value in SAMPLES[slug].items() if key not in dice and not key.startswith("die_")}


def test_odds_name_whose_they_are(client):
    odds = client.get(odds_of("fire"), inputs_of("fire")).json()
    assert [table["subject"] for table in odds["chain"]] == ["1st squad", "Lt. Klug"]


def test_odds_without_parameters_use_the_defaults(client):
    assert client.get(odds_of("contact")).json()["outcomes"][0] == {
        "outcome": "contact",
        "label": "Contact",
        "weight": 65,
    }


# Errors


def test_every_bad_field_has_one_message(client):
    errors = errors_of(
        client.get(json_of("contact"), {"device": "pigeon", "correction": "41", "aim": "Z9", "die": "5"})
    )
    assert errors == {
        "device": ["Choose one of: radio, phone, plotted."],
        "correction": ["Give a whole number from 0 to 40."],
        "aim": ["“Z9” is not a hex of this map: columns A to Y, numbers 4 to 99, for instance A4."],
    }


@pytest.mark.parametrize(
    ("die", "message"),
    [
        ("101", "A d100 shows 1 to 100; 101 is not on it."),
        ("0", "Type 00 for 100: a d100 is read with two digits."),
        ("-1", "Type what the d100 shows, in digits."),
        ("²", "Type what the d100 shows, in digits."),
    ],
)
def test_a_bad_die_has_its_message_and_is_never_clamped(client, die, message):
    assert errors_of(client.get(json_of("contact"), {"die": die})) == {"die": [message]}


def test_a_missing_die_is_named(client):
    errors = errors_of(client.get(json_of("accuracy"), {"aim": "K7", "die": "90"}))
    assert list(errors) == ["direction_die"]
    assert errors["direction_die"][0].endswith("Give direction_die.")


def test_every_unknown_parameter_is_an_error(client):
    errors = errors_of(client.get(json_of("morale"), {"tq": "77", "dice": "5", "colour": "red"}))
    assert errors == {
        "tq": ["Give a whole number from 1 to 10."],
        "colour": ["This helper has no such input."],
        "dice": ["This helper has no such input."],
    }


def test_a_number_in_other_digits_is_no_number(client):
    for text in ("²", "٣", "７"):
        assert errors_of(client.get(json_of("morale"), {"tq": text, "die": "5"})) == {
            "tq": ["Give a whole number from 1 to 10."]
        }


def test_inputs_that_do_not_fit_together_are_told_by_field(client):
    errors = errors_of(client.get(json_of("contact"), {"device": "phone", "aerial_observer": "on", "die": "5"}))
    assert errors == {"device": ["An aerial observer uses a radio (17.2.7)."]}


def test_a_flaw_in_a_row_names_row_and_column(client):
    units = f'[{SQUAD},{{"kind":"squad","tq":0}},{{"kind":"elephant"}}]'
    errors = errors_of(client.get(json_of("fire"), {"ff": "8", "units": units, "die": "5"}))
    assert errors["units"][0] == "Row 2, TQ: Give a whole number from 1 to 10."
    assert errors["units"][1].startswith("Row 3, Unit: Choose one of: squad, ")


@pytest.mark.parametrize("address", [json_of("morale"), odds_of("morale")])
def test_both_addresses_refuse_alike(client, address):
    assert errors_of(client.get(address, {"tq": "eleven"})) == {"tq": ["Give a whole number from 1 to 10."]}


def test_a_blank_column_is_asked_for_by_its_name(client):
    for weapon in ("mines", "molotov"):
        [message] = errors_of(client.get(json_of("fire"), {"weapon": weapon, "die": "5"}))[""]
        assert message.startswith(f"This roll needs cell {weapon} of the chart")


def test_a_question_that_the_inputs_leave_open_stands_at_its_field(client):
    errors = errors_of(client.get(json_of("close-combat"), {"attack": "1", "defense": "4"}))
    assert list(errors) == ["better_odds"]
    for answer, outcome in (("no", "attackers_eliminated"), ("yes", "none")):
        query = {"attack": "1", "defense": "4", "better_odds": answer}
        assert client.get(json_of("close-combat"), query).json()["outcome"] == outcome


# Nonsense

ODD = ["", "0", "00", "-1", "1e9", "9" * 30, "\0", "²", "٣", "NaN", "on", "true", "[]", "{}", "[" * 3000, "null", "K7"]
ODD += [
    '[{"kind":{}}]',
    '[{"kind":["squad"],"tq":[6],"modifiers":{"a":1}}]',
    '[{"ccv":1e999}]',
    '["squad"]',
    "squad,crew",
]
ODD += [
    '[{"kind":"squad","name":"\\ud800"}]',
    '[{"kind":"squad","name":"\\u0000"}]',
    "-0",
    " 7 ",
    "7.0",
    "radio",
    "c",
    "2e",
]


def names_of(slug):
    names = list(HELPERS[slug].form.base_fields) + ["die", "second_die", "direction_die", "check_die", "die_1", "odd"]
    rows = [field for field in HELPERS[slug].form.base_fields.values() if isinstance(field, RowsField)]
    return names + (["units-new-kind", "units-new-tq"] if rows else [])


@pytest.mark.parametrize("slug", SAMPLES)
def test_no_query_string_breaks_a_helper(slug):
    client = Client()
    good = [value for value in SAMPLES[slug].values() if isinstance(value, str)]
    texts = st.sampled_from(ODD) | st.sampled_from(good or [""]) | st.text(max_size=12) | st.integers().map(str)
    queries = st.dictionaries(st.sampled_from(names_of(slug)), texts | st.lists(texts, max_size=3), max_size=6)

    @thorough(max_examples=length(8, 500))
    @given(queries, st.booleans())
    def check(query, over_a_good_one):
        query = {**SAMPLES[slug], **query} if over_a_good_one else query
        for address in (json_of(slug), odds_of(slug)):
            response = client.get(address, query)
            assert response.status_code in (200, 400)
            if response.status_code == 400:
                errors = response.json()["errors"]
                assert errors and all(messages and all(messages) for messages in errors.values())
        assert client.get(page_of(slug), query).status_code == 200

    check()


# The page of the contract


def examples():
    docs = settings.BASE_DIR / "docs"
    pages = [docs / "json.md", *sorted(docs.glob("games/*/json.md"))]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    return re.findall(r"GET (\S+)(?: → (\d+))?\n+```json\n(.*?)```", text, re.S)


def test_the_documented_examples_are_true(client):
    assert len(examples()) >= 4
    for address, status, body in examples():
        response = client.get(address)
        assert response.status_code == int(status or 200), address
        assert response.json() == json.loads(body), address


def test_the_document_names_every_key():
    text = (settings.BASE_DIR / "docs" / "json.md").read_text(encoding="utf-8")
    assert not [key for key in KEYS if f"`{key}`" not in text]


def _book():
    from firefight.games.chartbooks import shipped

    return shipped(GAME)
