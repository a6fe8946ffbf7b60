"""Every game through every page: what the frame offers it offers to each game, and knows none of them.

The toys are of odd shape on purpose (examples/). Nothing here names a real
game; tests/games/samples gives inputs that make a roll.
"""

import json
import random
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

from firefight.assistant import reminders
from firefight.engine.errors import RuleError
from firefight.engine.rolls.odds import weigh
from firefight.games import chartbooks, registry
from firefight.kit.helper import Helper
from firefight.models import Draft, LogEntry, Match
from firefight.table.rolling import replay
from tests import pages
from tests.firefight import players
from tests.firefight.players import text_of, words_of
from tests.firefight.table.test_archive import save, send
from tests.games import samples
from tests.soak import IS_WHOLE, SEED, length, some
from tests.throws import throw_text

pytestmark = pytest.mark.django_db

GAMES = (*registry.games(), "three-banners", "lone-watch", "two-bridges", "long-siege", "fox-hunt", "masked-march")
RANDOM_TRIES = length(1, 8)
CELLS = "input[name^='c-']"


@pytest.fixture(params=GAMES)
def game(request):
    return registry.games()[request.param]


# What table.js itself does by a letter, and the last item of the bar.
SCRIPT = Path(settings.BASE_DIR / "static" / "table.js")
KEYS_OF_THE_PAGE = {*re.findall(r"^  (\w): ", SCRIPT.read_text(), re.MULTILINE), "o"}


def test_each_item_of_the_bar_has_a_key_that_nothing_else_on_the_page_has(game):
    keys = [item.key for item in game.bar if item.key]
    assert {"t", "n"} < KEYS_OF_THE_PAGE
    assert len(keys) == len(set(keys)) and not KEYS_OF_THE_PAGE & set(keys)


def test_the_places_that_are_named_as_examples_are_places(game):
    spots = [spot for spot in game.words.places.split(" or ") if spot]
    assert not spots or game.counters
    assert [game.counters.read_place(book_of(game), spot)[0] for spot in spots] == [
        spot.partition("/")[0] for spot in spots
    ]


def test_the_row_that_is_named_as_an_example_is_a_row_of_that_sheet(game):
    for sheet in game.sheets:
        _, is_there, rest = sheet.hint.partition("for instance: ")
        if is_there:
            read = sheet.read(rest.partition(". ")[0])
            assert not read.problems and len(read.keys) == 1


def helpers_of(game):
    return registry.helpers(game.slug).values()


def book_of(game):
    return chartbooks.shipped(game.slug)


def good_inputs(game, helper):
    """A sample's inputs without its dice, as plain values."""
    sample = samples.of_game(game.slug).get(helper.slug, {})
    return {name: value for name, value in sample.items() if name in helper.form.base_fields}


def form_of(game, helper, inputs):
    form = helper.form.from_plain(inputs, book=book_of(game))
    assert form.is_valid(), (helper.slug, form.errors)
    return form


def typed_dice(game, helper, inputs, rng):
    """Every throw that a roll may ask for, as players type it: the sample's, or any."""
    specs = helper.specs(form_of(game, helper, inputs).inputs())
    sample = samples.of_game(game.slug).get(helper.slug, {})
    return {spec.name: sample.get(spec.name) or throw_text(rng.choice(weigh(spec))[0], spec) for spec in specs}


def random_value(field, rng):
    """A value that a field's description allows, as a query string gives it."""
    if "rows" in field:
        rows = [{part["name"]: random_value(part, rng) for part in field["rows"]} for _ in range(rng.randint(0, 3))]
        return json.dumps([{name: value for name, value in row.items() if value not in (None, "")} for row in rows])
    if "tokens" in field:
        words = field["tokens"] if isinstance(field["tokens"], list) else [str(field.get("max", "x"))]
        return ",".join(rng.choices(words, k=rng.randint(0, 3)))
    if "choices" in field:
        return rng.choice(field["choices"] or [""])
    if isinstance(field.get("min"), int):
        return str(rng.choice([field["min"], field["max"], rng.randint(field["min"], field["max"])]))
    if field["default"] is False or field["default"] is None and "max_length" not in field:
        return rng.choice(["on", ""])
    return rng.choice(["", field.get("min", "K7"), "mill"])


def test_the_walk_knows_every_game():
    assert set(registry.games()) == set(GAMES)


# Without a match


def test_every_page_of_the_assistant_opens(client, game):
    listed = text_of(client.get("/assist/"))
    assert game.title in listed
    for place in ("", "reference/", "charts/"):
        page = client.get(f"/assist/{game.slug}/{place}")
        assert page.status_code == 200, place
    page = words_of(client.get(f"/assist/{game.slug}/"))
    for helper in helpers_of(game):
        assert helper.title in page and helper.group in page


def test_every_reminder_and_fact_is_shown(client, game):
    tables = reminders.read_reference(game.slug)
    page = words_of(client.get(f"/assist/{game.slug}/reference/"))
    listed = [row for section in tables.get("section", ()) for name in section["tables"] for row in tables[name]]
    assert sum(len(rows) for name, rows in tables.items() if name != "section") == len(listed)
    for row in listed:
        for part in ("row", "rule", "text", "subject", "name", "note"):
            assert " ".join(str(row.get(part, "")).split()) in page, row
    slugs = {helper.slug for helper in helpers_of(game)}
    assert all(slugs.issuperset(row["helpers"]) for row in tables.get("reminder", ()))


def test_every_helper_shows_rolls_and_answers(client, game):
    rng = random.Random(f"{game.slug} 1")
    for helper in helpers_of(game):
        address = f"/assist/{game.slug}/{helper.slug}"
        inputs = good_inputs(game, helper)
        dice = typed_dice(game, helper, inputs, rng)
        description = client.get(f"{address}.json").json()
        assert description["helper"] == helper.slug and description["outcomes"] == list(helper.outcomes)
        assert client.get(f"{address}/").status_code == 200
        assert client.post(f"{address}/odds/", inputs).status_code == 200
        answer = client.get(f"{address}.json", {**inputs, **dice})
        assert answer.status_code == 200, (address, answer.json())
        result = answer.json()
        assert result["outcome"] in helper.outcomes, address
        odds = client.get(f"{address}/odds.json", inputs).json()
        assert sum(row["weight"] for row in odds["outcomes"]) == odds["total"]
        assert result["outcome"] in {row["outcome"] for row in odds["outcomes"]}, address
        typed = client.post(f"{address}/", {**inputs, **dice, "dice": "table"})
        assert players.headline_of(typed) == result["headline"], address
        by_app = client.post(f"{address}/", {**inputs, "dice": "app"})
        assert players.headline_of(by_app), address
        without_dice = client.post(f"{address}/", {**inputs, "dice": "table"})
        opened = helper.resolve(book_of(game), form_of(game, helper, inputs).inputs(), {})
        assert without_dice.status_code == 200
        assert (players.headline_of(without_dice) is None) == bool(opened.needs), address


def test_dice_are_described_as_each_helper_throws_them(client, game):
    """A tenth for each unit, of whatever was asked, stood there once."""
    for helper in helpers_of(game):
        described = client.get(f"/assist/{game.slug}/{helper.slug}.json").json()["dice"]
        if not callable(helper.dice):
            assert described == [spec.as_json() for spec in helper.dice], helper.slug
        elif helper.dice_words:
            assert described == helper.dice_words
        else:
            form = helper.form.from_plain({}, book=book_of(game))
            depends = "They depend on the inputs."
            known = [spec.as_json() for spec in helper.specs(form.inputs())] if form.is_valid() else depends
            assert described == known, helper.slug


def test_a_roll_counted_alone_leaves_out_what_its_helper_says_and_nothing_else(game, monkeypatch):
    """Whatever was called units went out of every game's odds once."""
    resolved, resolve = [], Helper.resolve

    def note(helper, book, inputs, dice):
        resolved.append(dict(inputs))
        return resolve(helper, book, inputs, dice)

    monkeypatch.setattr(Helper, "resolve", note)
    for helper in helpers_of(game):
        inputs = form_of(game, helper, good_inputs(game, helper)).inputs()
        resolved.clear()
        with suppress(RuleError):
            helper.table_odds(book_of(game), inputs)
        for passed in resolved:
            assert {name for name in inputs if passed[name] != inputs[name]} <= set(helper.beyond), helper.slug


@pytest.mark.soak
def test_every_helper_answers_random_inputs_in_words(client, game):
    rng = random.Random(f"{game.slug} 2 {SEED}")
    for helper in helpers_of(game):
        address = f"/assist/{game.slug}/{helper.slug}"
        fields = client.get(f"{address}.json").json()["fields"]
        for _ in range(RANDOM_TRIES):
            inputs = {field["name"]: random_value(field, rng) for field in fields}
            form = helper.form.from_plain(inputs, book=book_of(game))
            dice = {}
            if form.is_valid():
                specs = helper.specs(form.inputs())
                dice = {spec.name: throw_text(rng.choice(weigh(spec))[0], spec) for spec in specs}
            answer = client.get(f"{address}.json", {**inputs, **dice})
            assert answer.status_code in (200, 400), (address, inputs)
            if answer.status_code == 400:
                problems = answer.json()["errors"]
                assert problems and all(message for messages in problems.values() for message in messages)
            page = client.post(f"{address}/", {**inputs, **dice, "dice": "table"})
            assert page.status_code in (200, 422), (address, inputs)
            if answer.status_code == 200:
                assert players.headline_of(page) == answer.json()["headline"], (address, inputs)
            odds = client.get(f"{address}/odds.json", inputs)
            assert odds.status_code in (200, 400), (address, inputs)


# In a match


def begin(game, **fields):
    """A match in the game's first mode; its maker, and who else sits down."""
    side = next(iter(game.find_seats({})))
    maker, links = players.begin(side, game=game.slug, **fields)
    others = {seat: players.sit(link, maker.match_id) for seat, link in links.items() if seat != side}
    bring_counters(game, maker)
    return maker, others


def bring_counters(game, maker):
    """One counter of each kind, where the game has counters."""
    if not game.has_counters:
        return
    kinds = {name: game.counters.kinds.get(side, {}) for side, name in game.sides.items()}
    listed = [f"{name}: 1 {kind.name}" for name, of_side in kinds.items() for kind in of_side.values()]
    maker.do("counters/add/", list="\n".join(listed))
    assert maker.match.state.counters


def end(maker, others):
    maker.do("end/", sure="on")
    for seat, other in others.items():
        if seat != "observer" and not maker.match.ended:
            other.do("answer/", agrees="yes")
    assert maker.match.ended


PLACES = (
    *("", "log/", "log.json", "report/", "report.md", "report.pdf", "file/", "archive.json", "charts/", "dice/"),
    *("record/", "record.json", "seats/"),
)


def look_around(*watching):
    """Open every page of the match that each of them may open."""
    for player in watching:
        for place in PLACES:
            answer = player.get(place)
            assert answer.status_code == 200 or (place == "seats/" and answer.status_code == 403), place


def play_everything(game, player, is_brief=False):
    """Roll every helper, with dice of both kinds and with dice missing; who may not roll it is told so in words.

    ``is_brief``: once each, with dice of the app, where another test has tried the rest; a slice every third.
    """
    rng = random.Random(f"{game.slug} 3")
    for number, helper in enumerate(some([*helpers_of(game)], 3) if is_brief else helpers_of(game)):
        inputs = good_inputs(game, helper)
        for field, value in samples.places_of_game(game.slug).get(helper.slug, {}).items():
            player.do("record/", field=field, value=value)
        if is_brief:
            roll_once(player, helper, {**inputs, "dice": "app"}, may_wait=False)
            continue
        assert player.get(f"roll/{helper.slug}/").status_code == 200, helper.slug
        dice = typed_dice(game, helper, inputs, rng)
        opened = helper.resolve(book_of(game), form_of(game, helper, inputs).inputs(), {})
        tried = [{**inputs, **dice, "dice": "table"}, {**inputs, "dice": "app"}, {**inputs, "dice": "table"}]
        if not dice:  # where there are none, none can be missing
            tried.pop()
        elif not IS_WHOLE:  # a slice lets the app roll for one helper, and lacks dice with the next
            tried.pop(1 + number % 2)
        for fields in tried:
            roll_once(player, helper, fields, may_wait=bool(opened.needs))
    rolled = set(LogEntry.objects.filter(match=player.match_id).values_list("helper", flat=True))
    never = [helper.slug for helper in helpers_of(game) if helper.slug not in rolled]
    assert is_brief or never == []


def roll_once(player, helper, fields, may_wait):
    """One roll, made or refused in words; what it asks for is forgotten. ``may_wait``: it may lack a die."""
    lines = player.match.last_number
    answer = player.roll(helper.slug, **fields)
    match = player.match
    assert answer.status_code in (200, 302, 422), (helper.slug, fields)
    if match.last_number == lines and answer.status_code != 200:
        assert "error" in text_of(answer) or "trouble" in text_of(answer), (helper.slug, words_of(answer)[:500])
    if answer.status_code == 200:
        assert may_wait, helper.slug
    if match.state.queue:  # nobody has to agree, and the next roll is alone on its page
        match.state = replace(match.state, queue=())
        match.save(update_fields=["state"])


def walk_course(player):
    """Press every button of the course as it comes, twice around."""
    for _ in range(12):
        buttons = pages.values_of_each(text_of(player.get()), "[name=button]", "value")
        for button in dict.fromkeys(buttons):
            answer = player.do("advance/", button=button)
            assert answer.status_code in (302, 403), button
            if player.match.state.queue:
                player.do("drop/", step="all")


@pytest.mark.soak
def test_a_whole_match_with_every_die_and_every_page(game, script):
    maker, others = begin(game)
    play_everything(game, maker)
    maker.note("A note for all.")
    maker.note("A note for us.", sealed="on")
    walk_course(maker)
    look_around(maker, *others.values())
    go_on_elsewhere(game, maker)
    assert maker.do("take-back/").status_code == 302
    if maker.match.proposal:
        other = next(other for seat, other in others.items() if seat != "observer")
        other.do("answer/", agrees="yes")
    end(maker, others)
    look_around(maker, *others.values())
    for player in (maker, *others.values()):
        exported = json.loads(text_of(player.get("log.json")))
        result = replay.examine_log(exported)
        assert result["problems"] == [], result
        assert script(json.loads(json.dumps(exported)))["problems"] == []
    again = replay.examine_log(maker.get("log.json").json())["again"]
    assert again.same > 0


def go_on_elsewhere(game, maker):
    """Let the match go to a file and a branch, be the same there, and go on."""
    player, answer = send(save(maker), side=next(iter(game.find_seats({}))))
    assert player.match_id, words_of(answer)[:800]
    assert player.match.state == maker.match.state
    *played, opening = player.log[: len(maker.log) + 1]
    assert [line.sentence for line in played] == [line.sentence for line in maker.log]
    assert opening.sentence.startswith("This match goes on from a file")
    look_around(player)
    play_everything(game, player, is_brief=True)
    before = set(Match.objects.values_list("pk", flat=True))
    assert maker.do("branch/", hot_seat="on").status_code == 302
    (branch,) = Match.objects.exclude(pk__in=before)
    assert branch.state == maker.match.state


@pytest.mark.soak
def test_an_observer_watches_and_does_nothing(game):
    maker, others = begin(game)
    watching = others["observer"]
    lines = maker.match.last_number
    for helper in some([*helpers_of(game)], 3):
        assert watching.roll(helper.slug, dice="app").status_code in (403, 422)
    assert maker.match.last_number == lines
    assert watching.do("record/", field="turn", value="2").status_code == 403


LOOKED_AT = length(4, 8)  # choices of each option: a game may offer every day of a campaign


@pytest.mark.soak
def test_every_mode_and_option_begins_a_match(game, client):
    """Each choice begins a match, with a choice of every other option beside it; the first have each page opened.

    Of many choices a slice begins some, the first and the last among them.
    """
    page = client.get(f"/match/new/{game.slug}/")
    assert page.status_code == 200 and game.title in text_of(page)
    options = {option.slug: list(option.choices) for option in game.all_options}
    numbers = range(max(map(len, options.values()), default=1))
    for number in (*numbers[:LOOKED_AT], *some(numbers[LOOKED_AT:-1], 5), *numbers[LOOKED_AT:][-1:]):
        chosen = {slug: choices[number % len(choices)] for slug, choices in options.items()}
        seats = game.find_seats(chosen)
        fields = {f"option-{slug}": choice for slug, choice in chosen.items()}
        maker, links = players.begin(next(iter(seats)), game=game.slug, **fields)
        assert {slug: maker.match.state.options[slug] for slug in chosen} == chosen
        assert set(links) | {next(iter(seats))} >= set(seats)
        if number < LOOKED_AT:
            look_around(maker)
        else:
            assert maker.get().status_code == 200


@pytest.mark.soak
def test_one_device_holds_every_side(game):
    if len(game.find_seats({})) < 2:
        return
    player, _ = players.begin(next(iter(game.find_seats({}))), hot_seat=True, game=game.slug)
    bring_counters(game, player)
    play_everything(game, player, is_brief=True)
    look_around(player)


# Charts


def test_every_chart_is_copied_edited_pasted_compared_and_printed(client, game):
    assert game.title in text_of(client.get("/charts/"))
    for form in ("toml", "json", "pdf"):
        assert client.get(f"/charts/{game.slug}.{form}").status_code == 200, form
    assert client.get(f"/charts/{game.slug}/").status_code == 200
    assert client.post(f"/charts/{game.slug}/", {"do": "copy"}).status_code == 302
    draft = Draft.objects.get()
    for form in ("toml", "json", "pdf"):
        assert client.get(f"/charts/{draft.pk}.{form}").status_code == 200, form
    for spec in game.chart_specs:
        address = f"/charts/{draft.pk}/{spec.name}/"
        page = client.get(address)
        assert page.status_code == 200, spec.name
        cells = {cell.attributes["name"]: cell.attributes["value"] for cell in pages.find(text_of(page), CELLS)}
        revision = Draft.objects.get().revision
        saved = client.post(address, {"revision": revision, "do": "save", **cells})
        assert saved.status_code == 302, spec.name
        revision = Draft.objects.get().revision
        pasted = client.post(address, {"revision": revision, "do": "paste", "at": "", "pasted": "a\tb\n1\t2\n"})
        assert pasted.status_code in (200, 302, 422), spec.name
        assert client.get(address).status_code == 200, spec.name
    assert client.get(f"/charts/{draft.pk}/").status_code == 200
    assert client.get("/charts/compare/", {"a": game.slug, "b": draft.pk}).status_code == 200


# No page of one game tells of another


def test_no_page_of_a_game_tells_of_another_game(client, game):
    maker, _ = begin(game)
    played = [text_of(maker.get(place)) for place in ("", "report/", "record/", "charts/", "dice/", "file/")]
    played += [text_of(client.get(f"/match/new/{game.slug}/"))]
    played += [text_of(client.get(f"/assist/{game.slug}/{place}")) for place in ("", "reference/", "charts/")]
    for other in registry.games().values():
        if other != game:
            assert not any(other.title in page for page in played), other.title


CGS_WORDS = ("German", "Russian", "Stalingrad", "fire mission", "Contact", "plots", "hidden units", "impulse", "d100")


@pytest.mark.parametrize("slug", ["three-banners", "lone-watch"])
def test_no_page_of_a_toy_has_a_word_of_combat_stalingrad(client, slug):
    game = registry.games()[slug]
    maker, _ = begin(game)
    pages = [maker.see(place) for place in ("", "report/", "record/", "charts/", "dice/", "file/", "seats/")]
    pages += [words_of(client.get(f"/assist/{slug}/{place}")) for place in ("", "charts/")]
    pages += [words_of(client.get(f"/assist/{slug}/{helper.slug}/")) for helper in helpers_of(game)]
    pages += [words_of(client.get(f"/match/new/{slug}/"))]
    for word in CGS_WORDS:
        assert not [page for page in pages if word in page], word
