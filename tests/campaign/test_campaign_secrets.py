"""Secrets of a campaign: planted on both sides, then looked for in every answer to everybody who must not have them.

What is a number rather than a word is found by comparison: two campaigns that differ in nothing but a secret of
one side send everybody else the same bytes. A slice asks for a sixth of the acts in each place, a soak for all.
"""

import json
import re
import secrets
from html import escape
from itertools import count, islice, product
from types import SimpleNamespace

import pytest
from django.http import HttpResponse

from campaign.acts.forms import FORMS
from campaign.models import Campaign, CpLine, Seal
from campaign.rules.maps import lay_sectors
from campaign.rules.stages import Stage
from firefight.engine.board.board import digest_board
from firefight.models import LogEntry, Match
from tests import pages
from tests.campaign.plain import CONTENT
from tests.campaign.players import SIDES, Hand, Player, begin, seated
from tests.firefight.players import GAME, text_of
from tests.firefight.table import test_secrets as firefight
from tests.frozen import every_row
from tests.reading import trial
from tests.routes import list_routes, route_of
from tests.soak import IS_WHOLE

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

NOTES = {"german": "GERMANSECRET", "russian": "RUSSIANSECRET"}
# Hexes that stand nowhere else.
HEXES = {"german": ("A77", "A78"), "russian": ("K77", "L78", "M79", "N80", "Y77", "Y78")}

# Every address of the project, by its route, as it is read here. Most routes of a match are in the
# assistant's own search.
CAMPAIGN = "campaign/<slug:match_id>/"
MATCH = "match/<slug:match_id>/"
BOARD = digest_board(lay_sectors(CONTENT.sector_map))
READ = {
    CAMPAIGN: ("", "?page=2"),
    f"{CAMPAIGN}live/": ("live/", "live/?version=1", "live/?version=99"),
    f"{CAMPAIGN}content/": ("content/", "content/?to=house"),
    f"{CAMPAIGN}map/": (
        "map/",
        "map/?sector=15",
        "map/?sector=13",
        "map/?sector=7",
        "map/?for=0",
        "map/?for=4&sector=15",
    ),
    **{f"{CAMPAIGN}map/<slug:digest>.{form}": (f"map/{BOARD}.{form}",) for form in ("svg", "css")},
    f"{CAMPAIGN}map.svg": ("map.svg",),
    f"{CAMPAIGN}map.png": ("map.png",),
    f"{CAMPAIGN}film/": ("film/",),
    f"{CAMPAIGN}film.gif": ("film.gif",),
    f"{CAMPAIGN}roster/<slug:side>/": (
        "roster/german/",
        "roster/russian/",
        "roster/german/?group=X1",
        "roster/russian/?group=X1",
        "roster/russian/?group=I1",
        "roster/nobody/",
    ),
    f"{CAMPAIGN}firefight/": ("firefight/",),
    f"{CAMPAIGN}reorganization/": ("reorganization/",),
    f"{CAMPAIGN}outlook/": ("outlook/",),
    f"{CAMPAIGN}sealed/": ("sealed/",),
    f"{CAMPAIGN}paper/": ("paper/",),
    f"{CAMPAIGN}verdict/": ("verdict/",),
    f"{CAMPAIGN}verdict.png": ("verdict.png",),
    # tests/campaign/sheets looks through all of them, as every role.
    f"{CAMPAIGN}sheets/<slug:name>.pdf": ("sheets/record.pdf",),
}
OUTSIDE = {
    "": "/",
    "theme/": "/theme/",
    "match/new/<slug:game>/": f"/match/new/{GAME}/",
    "assist/": "/assist/",
    "assist/<slug:game>/": f"/assist/{GAME}/",
    "assist/<slug:game>/reference/": f"/assist/{GAME}/reference/",
    "assist/<slug:game>/words/": f"/assist/{GAME}/words/",
    "assist/<slug:game>/words.json": f"/assist/{GAME}/words.json",
    "assist/<slug:game>/charts/": f"/assist/{GAME}/charts/",
    "assist/<slug:game>/<slug:slug>.json": f"/assist/{GAME}/leader.json",
    "assist/<slug:game>/<slug:slug>/odds.json": f"/assist/{GAME}/leader/odds.json?side=german",
    "assist/<slug:game>/<slug:slug>/odds/": f"/assist/{GAME}/leader/odds/",
    "assist/<slug:game>/<slug:slug>/": f"/assist/{GAME}/leader/",
    "charts/": "/charts/",
    "charts/compare/": "/charts/compare/",
    "charts/shared/<str:token>/": "/charts/shared/unknown/",
    "charts/<slug:ref>.toml": f"/charts/{GAME}.toml",
    "charts/<slug:ref>.json": f"/charts/{GAME}.json",
    "charts/<slug:ref>.pdf": f"/charts/{GAME}.pdf",
    "charts/<slug:ref>/": f"/charts/{GAME}/",
    "charts/<slug:ref>/<slug:name>/": f"/charts/{GAME}/fft/",
    "charts/<slug:ref>/<slug:name>/tap/<int:row>/": "/charts/turning-point-stalingrad/areas/tap/1/",
    "shelf/": "/shelf/",
    "shelf/new/": "/shelf/new/",
    "shelf/shared/<str:token>/": "/shelf/shared/unknown/",
    "shelf/<slug:ref>.txt": "/shelf/unknown.txt",
    "shelf/<slug:ref>.toml": "/shelf/unknown.toml",
    "shelf/<slug:ref>.json": "/shelf/unknown.json",
    "shelf/<slug:ref>/": "/shelf/unknown/",
    "shelf/<slug:ref>/rows/<int:first>/": "/shelf/unknown/rows/1/",
    "match/new/": "/match/new/",
    "match/import/": "/match/import/",
    "seat/<str:token>/": "/seat/unknown/",
    "feed/<str:token>.atom": "/feed/unknown.atom",
    "letters/<str:word>/": "/letters/unknown/",
    "story/<str:token>/": "/story/unknown/",
    "story/<str:token>/all/": "/story/unknown/all/",
    "story/<str:token>/report.pdf": "/story/unknown/report.pdf",
    "story/<str:token>/maps/<int:line>.svg": "/story/unknown/maps/4.svg",
    "story/<str:token>/photos/<int:number>.jpg": "/story/unknown/photos/4.jpg",
    "claim/": "/claim/",
    "word/": "/word/",
    "health/": "/health/",
    "metrics/": "/metrics/",
    "robots.txt": "/robots.txt",
    "favicon.ico": "/favicon.ico",
    "manifest.webmanifest": "/manifest.webmanifest",
    ".well-known/security.txt": "/.well-known/security.txt",
    "dice/": "/dice/",
    "counters/<slug:game>/<slug:side>/<slug:key>.svg": f"/counters/{GAME}/german/nco.svg",
    "counters/<slug:game>/<slug:side>/<slug:key>.png": f"/counters/{GAME}/german/nco.png",
    "campaign/": "/campaign/",
    "campaign/map/": "/campaign/map/",
    "campaign/map/<slug:digest>.svg": f"/campaign/map/{BOARD}.svg",
    "campaign/map/<slug:digest>.css": f"/campaign/map/{BOARD}.css",
    "campaign/map/change/": "/campaign/map/change/",
    "campaign/map/change.toml": "/campaign/map/change.toml",
    "campaign/content/<slug:ref>/map/draw/": "/campaign/content/unknown/map/draw/",
    "style/<slug:subjects>-<slug:theme>.<slug:digest>.css": "/style/base-dark.unknown.css",
    "campaign/content/": "/campaign/content/",
    "campaign/content/compare/": "/campaign/content/compare/",
    "campaign/content/<slug:ref>.toml": "/campaign/content/house.toml",
    "campaign/content/<slug:ref>.json": "/campaign/content/house.json",
    "campaign/content/<slug:ref>/": "/campaign/content/house/",
    "campaign/content/<slug:ref>/counters/<int:row>.svg": "/campaign/content/house/counters/1.svg",
    "campaign/content/<slug:ref>/<slug:part>/": "/campaign/content/house/map/",
    "campaign/new/": "/campaign/new/",
    "campaign/demo/": "/campaign/demo/",
    "campaign/sheets/<slug:name>.pdf": "/campaign/sheets/record.pdf",
    "campaign/counters/": "/campaign/counters/",
    "campaign/rosters/<slug:side>/": "/campaign/rosters/russian/",
}
# Fields that each act is asked with: good ones in some stage, refused in the others.
ASKS = {
    "reinforce": {"die": "4"},
    "buy": {"group": "I1", "die": "5"},
    "refund": {"number": "12"},
    "seal": {"order": "hold"},  # never planted as sealed, so that own words are not taken for a leak
    "withdraw-orders": {},
    "reveal": {},
    "settle": {"german_die": "4", "russian_die": "9"},
    "place": {"unit": ["10", "11", "12"], "sector": "15", "hidden": "on"},
    "building": {"number": "14", "building": "Hall", "hexes": "2"},
    "confirm": {},
    "plot": {"number": "11", "first": "B20", "second": "B21", "turn": "2"},
    "observer": {"hex": "A20"},
    "withdraw": {"number": "1"},
    "open": {"number": "1"},
    "end-turn": {"die": "10"},
    "report": {"unit": ["10", "11", "12"], "news": "move", "sector": "13"},
    "end-nest": {"number": "14"},
    "battery": {"number": "11", "news": "ffe"},
    "aircraft": {"number": "11", "die": "3"},
    "down": {"number": "11"},
    "air-attack": {"number": "11", "weapon": "he"},
    "random-marker": {"hex": "K7"},
    "take-off": {"unit": ["10"]},
    "mines": {"unit": ["10"], "factors": "20", "mine": "50"},
    "confirm-report": {},
    "redeploy": {"to_10": "13", "die_10": "4"},
    "recover": {"die_10": "4"},
    "concede": {"sure": "on"},
    "put-right-cp": {"amount": "77", "reason": "told wrongly"},
    "fight": {"attacker": ["german-1"], "defender": ["russian-1"], "die": "50"},
    "fight-round": {},
    "hurry": {"how_far": "phase"},
    "take-back": {},
    "back": {"number": "1"},
    "answer": {"agrees": "no"},
}
PICTURES = ("image/png", "image/gif", "image/jpeg")
WORDY = 8  # letters of a sealed sentence that could not stand in a page by chance


def test_the_search_knows_every_address_of_the_project():
    known = {*READ, *OUTSIDE}
    known |= {MATCH + route_of(place) for place in (*firefight.READ, *firefight.ACT)}
    assert set(list_routes()) == known


def test_the_search_knows_every_act():
    assert set(FORMS) <= set(ASKS)


# Planting


def orders(player, chosen, bonus=False, first="attack"):
    """Seal orders, take them back, and seal others."""
    player.seal(first)
    player.press("withdraw-orders")
    player.seal(chosen, bonus)


def plant_purchases(table):
    """Both sides write down what they can, take some of it back, and seal an Attack; the German's has a bonus."""
    german, russian = table.german, table.russian
    for player, side in ((german, "german"), (russian, "russian")):
        player.note(NOTES[side], sealed="on")
        for letter in HEXES[side][-2:]:
            player.press("observer", "sealed/", hex=letter)
        player.press("withdraw", "sealed/")
    russian.press("plot", "sealed/", first="K77", second="L78", turn=2)
    russian.press("plot", "sealed/", first="M79", second="N80", turn=1)
    german.buy("I1", die=10)
    russian.buy("I1")
    orders(german, "attack", bonus=True)
    return table


def plant_setup(table, hold=True):
    """The Russian sets up: at-start units hidden, a new group hidden deep in, hidden ones in a cut-off sector."""
    plant_purchases(table)
    orders(table.russian, "hold" if hold else "attack")
    table.russian.press("reveal")
    cut_off()
    table.russian.place(1, 4)
    table.russian.place(2, 4, hidden=True)
    table.russian.place(4, 15, hidden=True)
    table.russian.place(newest(table.russian), 13, hidden=True)
    return table


def plant_firefight(table):
    """Both have set up in secret; hidden units have moved."""
    plant_setup(table)
    table.russian.confirm()
    table.german.place(1, 6)
    table.german.place(2, 7, hidden=True)
    table.german.place(newest(table.german), 7, hidden=True)
    table.german.confirm()
    table.russian.report("move", hidden_units(table.russian, 15), 20)
    assert table.german.stage is Stage.FIREFIGHT
    return table


def cut_off():
    """Let nobody hold 5, 9 and 12, so that 3, 4 and 8 have no line to the Russian edge."""
    campaign = Campaign.objects.latest("pk") if Campaign.objects.count() == 1 else None
    for row in [campaign] if campaign else Campaign.objects.filter(stage=Stage.SETUP):
        letters = "".join("n" if number in (5, 9, 12) else letter for number, letter in enumerate(row.held, 1))
        Campaign.objects.filter(pk=row.pk).update(held=letters)


def newest(player):
    """The newest of the groups that can be set up."""
    return max(player.parties())


def hidden_units(player, sector):
    """Own hidden units in a sector, by their numbers."""
    boxes = pages.find(text_of(player.open("firefight/")), "input[name=unit]")
    places = {box.attributes["value"]: pages.words(box.parent.css_first("small")) for box in boxes}
    return [unit for unit, at in places.items() if at.startswith(f"{sector}, hidden")]


PLANTED = {"purchases": plant_purchases, "setup": plant_setup, "firefight": plant_firefight}


# Searching


def plain(text):
    """An answer without what is random in it."""
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w*"', "", text)
    text = re.sub(r'name="act" value="[\w-]*"', "", text)
    text = re.sub(r"<time.*?</time>", "", text)
    text = re.sub(r"printed [\d-]+ [\d:]+ \(UTC\)", "", text)
    return re.sub(r'"(at|written)": ?"[^"]*"', "", text)


def secrets_of(match_id, *sides):
    """What must not be sent: sealed sentences, reasons of sealed CP lines, hexes, notes."""
    sealed = LogEntry.objects.filter(match=match_id, side__in=sides, revealed_by=None).values_list("secret", flat=True)
    lines = CpLine.objects.filter(campaign=match_id, side__in=sides, sealed=True).values_list("reason", flat=True)
    seals = Seal.objects.filter(campaign=match_id, side__in=sides).exclude(standing=Seal.Standing.OPEN)
    texts = {text for text in (*sealed, *lines) if len(text) > WORDY}
    for seal in seals:
        plain = seal.data.to_json()
        texts |= {*plain.get("hexes", ()), *([plain["hex"]] if "hex" in plain else [])}
    return texts | {NOTES[side] for side in sides if NOTES[side] in "".join(sealed)}


def kept_from(match_id, *sides):
    """Secrets of these sides that the others do not have as well, word for word."""
    return secrets_of(match_id, *sides) - secrets_of(match_id, *{*SIDES} - {*sides})


def leaks(response, words):
    """The secrets that an answer gives away, in its text, its headers or its cookies."""
    text = plain(text_of(response)) + str(dict(response.headers))
    if response.get("Content-Type") in PICTURES:  # a short word stands in packed bytes by chance
        words = [word for word in words if len(word) > WORDY]
    leaked = [word for word in words if begins_a_word(word, text) or begins_a_word(escape(word), text)]
    return leaked + [word for word in words if len(word) > WORDY and word in str(response.cookies)]


def begins_a_word(word, text):
    """Whether it stands in a text, but not within another word, such as a form's random token."""
    return word in text and re.search(rf"(?<!\w){re.escape(word)}", text) is not None


def test_a_secret_is_found_where_a_word_begins_as_it_is_and_as_html_has_it():
    words = ("K7", "Ivan's")
    assert leaks(HttpResponse("<p>Go to K7 with Ivan&#x27;s men.</p>"), words) == [*words]
    assert leaks(HttpResponse("(K7)"), words) == leaks(HttpResponse(headers={"X-Where": "K7"}), words) == ["K7"]
    assert leaks(HttpResponse('{"csrf": "aK7x", "name": "Ivan"}'), words) == []


def is_packed(place):
    """Whether no word can be read in the file as it is sent; the tests of these files unpack it."""
    return place.partition("?")[0].endswith((".pdf", ".png", ".gif", ".jpg"))


def readings(player, everywhere=True):
    """Every page of the campaign and its match read; ``everywhere``: files, as htmx asks, and outside of the match."""
    for places in READ.values():
        for place in places:
            if everywhere or not is_packed(place):
                yield place, player.client.get(player.address(place))
    for place in firefight.READ:
        if everywhere or not is_packed(place):
            yield place, player.get(place)
    if everywhere:
        for places in READ.values():
            yield places[0], player.client.get(player.address(places[0]), headers=BOOSTED)
        for place in firefight.READ:
            if not firefight.is_printed(place):
                yield place, player.get(place, htmx=True)
        for place in OUTSIDE.values():
            yield place, player.client.get(place)


def deeds(player, leave_out=(), well=True, badly=True, aside=True, share=0):
    """Every act asked for, well and badly: stale, with the other side's numbers. Nothing of it stays done.

    ``aside``: what can be done to the match beside its campaign, too. ``share``: outside of a soak, which sixth of the
    acts; whoever looks from another side or at another stage takes another one, so that each act is asked for.
    """
    version = str(player.match.version)
    for number, does in mine(enumerate(FORMS), share):
        at = PLACES[number % len(PLACES)]
        requests = [ASKS[does]] if well and does not in leave_out else []
        requests += [{"version": "1"} if number % 6 else WRONG] if badly and not number % 3 else []
        for fields in requests:
            with trial():
                response = player.ask(does, at, htmx=number % 2 == 0, **{"version": version, **fields})
                yield f"{does} {fields}", response
                if response.status_code == 302:
                    yield f"after {does}", player.client.get(response["Location"])
    for place in mine(firefight.ACT, share):
        if aside and place not in MOVING:
            with trial():
                yield place, player.do(place, htmx=badly, **{"version": version, "after": 0, **firefight.FIELDS})


def mine(acts, share):
    """A sixth of some acts, in a soak all of them."""
    return acts if IS_WHOLE else islice(acts, share, None, 6)


BOOSTED = {"HX-Request": "true", "HX-Boosted": "true"}
PLACES = ("", "map/?for=4", "roster/russian/?group=I1", "firefight/", "sealed/", "reorganization/", "roster/german/")
WRONG = {"number": "99", "unit": "99", "group": "Z9", "sector": "13", "news": "show", "how_far": "sector"}
# Acts after which the browser is elsewhere, whatever becomes of the rows. They are tried last, where at all.
MOVING = ("cover/", "lift/", "seats/issue/", "seats/put-out/", "seats/lost/", "seats/network/", "seats/here/", "pin/")


def search(player, *sides, leave_out=(), acts=("well", "badly"), everywhere=False, share=0):
    """Fail where a secret of these sides turns up. Returns how many answers were searched."""
    words = kept_from(player.match_id, *sides)
    assert len(words) > 2 * len(sides)
    for place in ("archive.json", "archive.json?sides=all"):
        player.get(place)  # a seat's first file makes the key that opens it
    before, searched = every_row(), 0
    responses = deeds(player, leave_out, "well" in acts, "badly" in acts, share=share) if acts else ()
    for place, response in (*readings(player, everywhere), *responses):
        assert response.status_code < 500, place
        assert leaks(response, words) == [], (place, response.status_code)
        searched += 1
    assert every_row() == before
    return searched


@pytest.fixture
def planted(frozen):
    """A campaign with secrets in it."""
    return lambda stage: frozen(f"planted, {stage}", lambda: PLANTED[stage](seated()))


@pytest.mark.parametrize("stage", PLANTED)
def test_the_owner_is_sent_its_secrets(planted, stage):
    volga = planted(stage)
    for side in SIDES:
        player = getattr(volga, side)
        words = secrets_of(volga.match_id, side)
        pages = [player.open(at) for at in ("", "sealed/", "map/?sector=15")]
        sent = "".join(plain(text_of(response)) for response in (*pages, player.get("log/"), player.get("log.json")))
        assert [word for word in words if word not in sent and escape(word) not in sent] == []


@pytest.mark.parametrize(
    ("stage", "side"),
    list(product(PLANTED, SIDES)),
)
def test_no_answer_to_a_side_holds_a_secret_of_the_other(planted, stage, side):
    volga = planted(stage)
    (other,) = {*SIDES} - {side}
    # What is outside of the match does not know at which stage it stands.
    everywhere, share = stage == "firefight", 2 * [*PLANTED].index(stage) + SIDES.index(side)
    assert search(getattr(volga, side), other, everywhere=everywhere, share=share) > (110 if everywhere else 60)


@pytest.mark.parametrize(("stage", "acts"), [("purchases", ()), ("setup", ()), ("firefight", ["well"])])
def test_no_answer_to_an_observer_holds_a_secret(planted, stage, acts):
    volga = planted(stage)
    assert search(volga.observer, *SIDES, acts=acts, everywhere=stage == "firefight") > 40


def test_no_answer_to_a_side_holds_the_others_sealed_orders_once_its_own_are_sealed_too(planted):
    volga = planted("purchases")
    orders(volga.russian, "attack", bonus=True)
    search(volga.german, "russian", leave_out=["reveal"], acts=["well"])
    search(volga.russian, "german", acts=())


def test_no_answer_to_a_stranger_or_a_player_of_another_campaign_holds_a_secret(planted):
    volga = planted("firefight")
    other, _ = begin(side="russian")
    other.match_id = volga.match_id
    for player in (Player(volga.match_id), other):
        search(player, *SIDES, acts=["well"], everywhere=True)
        assert {response.status_code for place, response in readings(player, False) if place in PLACES} == {403}


@pytest.fixture
def shared(frozen):
    """One device with the secrets of both sides on it."""
    return frozen("shared", plant_on_one_device).device


def plant_on_one_device():
    device, _ = begin(hot_seat=True)
    return plant_firefight(SimpleNamespace(device=device, **{side: Hand(device, side) for side in SIDES}))


def test_one_device_is_sent_only_what_its_acting_side_may_see(shared):
    shared.turn_to("german")
    words = kept_from(shared.match_id, "russian")
    for place, response in readings(shared, False):
        # With no PIN the other side is one press away, and the match's file holds what both know.
        if not place.startswith(("cover", "archive.json?sides=all")):
            assert leaks(response, words) == [], place
    shared.turn_to("german")
    for place, response in deeds(shared):
        assert leaks(response, words) == [], place


def test_a_form_of_the_other_side_is_answered_without_its_secrets(shared):
    shared.turn_to("german")
    words, before = kept_from(shared.match_id, "russian"), every_row()
    for does in FORMS:
        response = shared.ask(does, "sealed/", **{"as": "russian"}, **ASKS[does])
        assert response.status_code == 403
        assert leaks(response, words) == [], does
    assert every_row() == before


def test_nothing_under_the_cover_holds_a_secret(shared):
    shared.send("cover/", {})
    search(shared, *SIDES)


def test_the_other_sides_act_id_does_not_answer_with_its_secret(planted):
    volga = planted("purchases")
    words, before = kept_from(volga.match_id, "german"), every_row()
    for entry in LogEntry.objects.filter(side="german").exclude(act=None):
        for does in ("seal", "observer", "plot"):
            response = volga.russian.ask(does, "sealed/", **{**ASKS[does], "act": str(entry.act_id)})
            assert response.status_code == 403
            assert leaks(response, words) == []
    assert every_row() == before


def test_what_is_revealed_is_secret_no_more_and_the_rest_still_is(planted):
    volga = planted("firefight")
    volga.russian.press("open", "sealed/")
    words = kept_from(volga.match_id, "russian")
    assert {"M79", "N80"}.isdisjoint(words)
    assert "M79" in text_of(volga.german.open("sealed/"))
    for place, response in readings(volga.german, False):
        assert leaks(response, words) == [], place


def test_a_reveal_that_is_taken_back_hides_it_again(planted):
    volga = planted("firefight")
    volga.russian.press("open", "sealed/")
    volga.russian.press("take-back")
    volga.german.press("answer", agrees="yes")
    words = kept_from(volga.match_id, "russian")
    assert {"M79", "N80"} <= words
    for place, response in readings(volga.german, False):
        assert leaks(response, words) == [], place


def test_the_end_of_the_match_opens_nothing(planted):
    volga = planted("firefight")
    volga.german.do("end/", sure="on")
    volga.russian.do("answer/", agrees="yes")
    search(volga.russian, "german", acts=())
    search(volga.observer, *SIDES, acts=())


# Comparing


@pytest.fixture
def alike(monkeypatch):
    """Let all matches have the same dice, and names that can be told."""
    number = count(1)
    tokens = {32: lambda: "5e" * 32, 16: lambda: "5a" * 16, 6: lambda: f"{next(number):012d}"}
    monkeypatch.setattr(secrets, "token_hex", lambda length: tokens[length]())


# Pages of a match that tell of its campaign; the others are the same whatever goes on in it.
TELLING = ("", "log/", "log/?before=99", "log.json", "archive.json", "file/", "live/?version=1&after=0")


def bytes_for(player, acts, leave_out, printed, share):
    """Everything that a browser is sent, without what differs between any two matches."""
    places = [place for places in READ.values() for place in places if printed or not is_packed(place)]
    pages = [(place, player.open(place, status=None)) for place in places]
    pages += [(place, player.get(place)) for place in TELLING]
    responses = deeds(player, leave_out, badly=False, aside=False, share=share) if acts else ()
    texts = {}
    for number, (place, response) in enumerate((*pages, *responses)):
        text = plain(text_of(response)) + response.headers.get("Location", "")
        # Digests differ with the time of each line; that of sealed words has a salt that is not sent.
        text = re.sub(r"\b[0-9a-f]{64}\b", "DIGEST", text)
        texts[f"{number} {place}"] = (response.status_code, text.replace(player.match_id, "MATCH"))
    return texts


def same_for(one, other, *names, acts=False, leave_out=(), share=0):
    """Fail where two campaigns send these browsers anything that differs. Observers cannot act.

    Where an observer looks too, at the end of each test, what is printed or drawn is compared, too.
    """
    for name in names:
        asks = acts and name != "observer"
        printed = "observer" in names
        first, second = (bytes_for(getattr(table, name), asks, leave_out, printed, share) for table in (one, other))
        assert len(first) > (30 if asks else 20)
        assert list(first) == list(second)
        for place in first:
            assert first[place] == second[place], (name, place)


def other_than(side):
    """The other side and the observers' bench."""
    return [name for name in (*SIDES, "observer") if name != side]


@pytest.fixture
def pair(frozen, alike):
    """Two campaigns, at their beginning or, with a stage, where the Russian sets up."""

    def put_back(to_set_up=False):
        return frozen("two in set-up" if to_set_up else "two", lambda: begin_two(to_set_up)).tables

    return put_back


def begin_two(to_set_up):
    tables = (seated(), seated())
    if to_set_up:
        go_to_setup(*tables)
    return SimpleNamespace(tables=tables)


@pytest.mark.parametrize("side", SIDES)
def test_sealed_orders_and_records_look_the_same_whatever_they_say(pair, side):
    one, other = pair()
    edge = {"german": "A", "russian": "Y"}[side]
    for table, order, bonus, last in ((one, "attack", True, "7"), (other, "hold", False, "8")):
        player = getattr(table, side)
        player.note(f"note {last}", sealed="on")
        player.press("observer", "sealed/", hex=f"{edge}7{last}")
        player.seal(order, bonus)
        player.press("withdraw-orders")
        player.seal(order, bonus)
    same_for(one, other, *other_than(side)[:1], acts=True, share=SIDES.index(side))
    for table in (one, other):  # and once the other side has sealed its own
        getattr(table, *{*SIDES} - {side}).seal("attack")
    same_for(one, other, *other_than(side))


def test_a_plot_looks_like_an_observer_and_striking_out_like_writing(pair):
    one, other = pair()
    one.russian.press("plot", "sealed/", first="K77", second="L78", turn=2)
    one.russian.press("withdraw", "sealed/")
    one.russian.press("plot", "sealed/", first="M79", second="N80", turn=2)
    other.russian.press("observer", "sealed/", hex="Y77")
    other.russian.press("observer", "sealed/", hex="Y78")
    other.russian.press("withdraw", "sealed/")
    same_for(one, other, "german", "observer", acts=True, share=1)


def set_up(table, side, sectors):
    """Set up in the open, and then in secret: two at-start groups, and a new one that may go deep in."""
    player = getattr(table, side)
    in_open, first, second = {"russian": (1, 2, 4), "german": (1, 2, 3)}[side]
    player.place(in_open, sectors[0])
    player.place(first, sectors[0], hidden=True)
    player.place(first, sectors[1], hidden=bool(sectors[1]))
    player.place(second, sectors[2], hidden=True)
    player.place(newest(player), sectors[3], hidden=True)


def go_to_setup(*tables):
    """Buy a new group each, and let the German attack."""
    for table in tables:
        table.german.buy("I1", die=10)
        table.russian.buy("I1")
        table.german.seal("attack")
        table.russian.seal("hold")
        table.german.press("reveal")
    cut_off()


def test_hidden_units_look_the_same_wherever_they_are(pair):
    one, other = pair(to_set_up=True)
    set_up(one, "russian", (4, 11, 4, 13))  # hidden in 11, in cut-off 4, and deep in for 2 CP
    set_up(other, "russian", (4, "", 15, 19))  # off the map, in 15, and on the edge for nothing
    same_for(one, other, "german")
    for table in (one, other):
        table.russian.confirm()
    assert one.russian.campaign.ready == other.russian.campaign.ready == ["russian"]
    same_for(one, other, "german")
    for table in (one, other):
        set_up(table, "german", (6, 7, 7, 7))
        table.german.confirm()
    assert "(Pinned Down)" in one.russian.read("map/?sector=4")
    same_for(one, other, "german", "observer", acts=True)


def test_hidden_units_of_the_second_side_look_the_same_wherever_they_are_and_go(pair):
    one, other = pair(to_set_up=True)
    for table in (one, other):
        table.russian.confirm()
    set_up(one, "german", (6, 7, 1, 7))
    set_up(other, "german", (6, "", 2, 2))
    same_for(one, other, "russian")
    for table in (one, other):
        table.german.confirm()
    same_for(one, other, "russian")
    one.german.report("move", hidden_units(one.german, 7)[:1], 11)
    other.german.report("move", hidden_units(other.german, 2)[:3], 3)
    same_for(one, other, "russian", "observer", acts=True, share=1)


def test_hidden_survivors_look_the_same_until_the_next_set_up(pair):
    one, other = pair(to_set_up=True)
    set_up(one, "russian", (4, 11, 14, 13))  # hidden in 11 and 14, and deep in for 2 CP
    set_up(other, "russian", (4, "", 15, 19))
    for table in (one, other):
        table.russian.confirm()
        table.german.confirm()
        for _ in range(4):
            table.german.ask("end-turn")
        table.german.ask("end-turn", die="10")
        assert table.german.stage is Stage.REORGANIZATION
    same_for(one, other, "german", acts=True, leave_out=["confirm-report", "hurry"])
    for table in (one, other):
        for side in SIDES:
            getattr(table, side).press("confirm-report", "reorganization/")
        assert table.german.stage is Stage.REINFORCEMENTS
        for side in SIDES:
            getattr(table, side).press("reinforce", dice="table", die=1)
    same_for(one, other, "german")
    for table in (one, other):
        table.german.seal("attack")
        table.russian.seal("hold")
        table.german.press("reveal")
    assert "3 in sector 11" in one.russian.read("map/")
    assert "3 in sector 11" not in other.russian.read("map/")
    same_for(one, other, "german", "observer")


def test_the_comparison_would_notice_what_is_not_hidden(pair):
    one, other = pair(to_set_up=True)
    one.russian.place(1, 11)
    other.russian.place(1, 12)
    with pytest.raises(AssertionError):
        same_for(one, other, "german")


def test_a_log_file_holds_the_own_secrets_alone(planted):
    volga = planted("firefight")
    for side in SIDES:
        entries = json.loads(text_of(getattr(volga, side).get("log.json")))["entries"]
        sides = {entry["side"] for entry in entries if "secret" in entry and entry["revealed_by"] is None}
        assert sides == {side}
        assert len(entries) == Match.objects.get().last_number
    entries = json.loads(text_of(volga.observer.get("log.json")))["entries"]
    assert {entry["revealed_by"] is not None for entry in entries if "secret" in entry} == {True}
