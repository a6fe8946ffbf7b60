"""Pictures as pages and files give them: to whom, how large, how kept; and what is refused."""

import re
from copy import deepcopy
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from campaign.ledger import content
from campaign.models import Campaign
from firefight.games.combat_stalingrad.pictures.counters import describe_counter
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.gallery import picture_address
from tests import pages
from tests.campaign.plain import CONTENT
from tests.campaign.players import Player, begin, play_to, seated
from tests.firefight import players as firefight
from tests.firefight.players import text_of, words_of
from tests.firefight.test_security import flaws
from tests.frozen import every_row

COUNTERS, GALLERY = "/counters/combat-stalingrad/", "/campaign/counters/"
RING = "rrrrgggrrrrgggrrrrrntr"  # the example of 20.6.4 step 6
FRAGMENT = 15_000


def opened(response):
    """A PNG answer as a picture."""
    assert response.status_code == 200
    assert response["Content-Type"] == "image/png"
    return Image.open(BytesIO(response.content))


def told_in(response):
    """What an SVG answer says to whoever cannot see it."""
    assert response.status_code == 200
    assert response["Content-Type"] == "image/svg+xml"
    root = ElementTree.fromstring(response.content)
    assert not [element for element in root.iter() if "style" in element.attrib]
    return root.get("aria-label")


def drawn_in(html):
    """The counters of a page: (address, words, caption)."""
    images = pages.find(html, "img[width='64'][height='64']")
    return [(image.attributes["src"], image.attributes["alt"], caption_of(image)) for image in images]


def named_in(html, part="#here"):
    """The counters that stand beside their names in a part of a page: (address, words)."""
    return [
        (item.css_first("img").attributes["src"], pages.words(item)) for item in pages.find(html, f"{part} .piles li")
    ]


def caption_of(image):
    """The words right behind a picture."""
    return image.next.text().strip() if image.next and image.next.tag == "-text" else ""


# Counters


@pytest.mark.parametrize("side", Side)
def test_every_counter_is_a_picture_in_both_formats(client, side):
    for key, counter in CONTENT.counters[side].items():
        response = client.get(f"{COUNTERS}{side}/{key}.svg")
        assert told_in(response) == describe_counter(counter, side)
        assert response["Cache-Control"].startswith("public")
    assert opened(client.get(f"{COUNTERS}{side}/{key}.png")).size == (64, 64)


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_a_counter_is_as_large_as_it_was_asked_for(client, scale):
    picture = opened(client.get(f"{COUNTERS}german/pz_iv_f2.png", {"scale": scale}))
    assert picture.size == (64 * scale, 64 * scale)
    assert picture.text["Description"] == "Pz IV F2, German vehicle: CCV 8; TQ 8."


def test_a_counter_shows_the_marks_that_its_address_names(client):
    response = client.get(f"{COUNTERS}russian/rifle_squad.svg", {"marks": "pinned reduced"})
    assert told_in(response) == "Rifle squad, Russian squad: FF 3; CCV 4; TQ 6. Reduced, Pinned Down."
    plain, marked = (
        opened(client.get(f"{COUNTERS}russian/rifle_squad.png", query)).convert("RGB").tobytes()
        for query in ({}, {"marks": "reduced"})
    )
    assert plain != marked


@pytest.mark.parametrize(
    ("address", "status", "reason"),
    [
        ("german/nothing.svg", 404, "There is nothing here"),
        ("german/rifle_squad.png", 404, "There is nothing here"),
        ("martian/nco.png", 404, "There is nothing here"),
        ("german/nco.png?scale=4", 400, "A picture's scale is one of 1, 2, 3."),
        ("german/nco.png?scale=0", 400, "A picture's scale is one of"),
        ("german/nco.png?scale=", 400, "A picture's scale is one of"),
        ("german/nco.png?scale=1e9", 400, "A picture's scale is one of"),
        ("german/nco.svg?scale=%D9%A2", 400, "A picture's scale is one of"),
        ("german/nco.svg?marks=m_killed", 400, "A counter such as NCO does not carry these marks."),
        ("german/ju_87.svg?marks=pinned", 400, "does not carry these marks"),
        ("german/nco.svg?marks=%00%3Cb%3E", 400, "does not carry these marks"),
        ("german/nco.svg?book=%00", 404, "There is nothing here"),
        ("german/nco.svg?book=shipped", 404, "There is nothing here"),
        (f"german/nco.svg?book={'0' * 64}", 404, "There is nothing here"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(client, db, address, status, reason):
    response = client.get(COUNTERS + address)
    assert response.status_code == status
    assert reason in words_of(response)
    assert flaws(response) == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "Стрелковый взвод № 1", "A & \"B\" 'C'"])
def test_a_counter_of_other_content_has_its_own_name(client, name):
    data = deepcopy(content.shipped_data())
    data["counters"]["german"]["nco"]["name"] = name
    book = content.store(data, "Typed in").digest
    assert told_in(client.get(f"{COUNTERS}german/nco.svg", {"book": book})).startswith(f"{name}, German leader:")
    picture = opened(client.get(f"{COUNTERS}german/nco.png", {"book": book}))
    assert picture.text["Description"].startswith(f"{name}, German leader:")


def test_a_picture_whose_address_names_this_version_is_kept_for_ever(client):
    assert client.get(picture_address(GAME, "german", "nco", ["pinned"]))["Cache-Control"].endswith("immutable")
    for version in ("", "?v=00000000"):
        assert client.get(f"{COUNTERS}german/nco.svg{version}")["Cache-Control"] == "public, max-age=3600"


@pytest.mark.parametrize("address", ["", "german/nco.svg", "german/nco.png"])
def test_pictures_are_only_read(client, address):
    assert client.post((COUNTERS if address else GALLERY) + address).status_code == 405


def test_the_gallery_shows_every_counter_with_its_provenance(client):
    page = client.get(GALLERY)
    assert flaws(page) == []
    assert len(page.content) < 60_000
    html, words = text_of(page), words_of(page)
    drawn = drawn_in(html)
    for side in Side:
        for key, counter in CONTENT.counters[side].items():
            assert (picture_address(GAME, side, key), describe_counter(counter, side), "") in drawn
            assert f"{counter.name} {counter.count} in the box house" in words
            assert f'href="{COUNTERS}{side}/{key}.png?scale=3"' in html
    assert "house ours, fitted to the text, not the published value" in words
    assert "; text : FF, CCV" in words  # of the DShK 38
    assert {caption for *_, caption in drawn if caption} == {mark.word for mark in Mark}


def test_everything_that_the_gallery_shows_is_there(client):
    for address, sentence, _ in drawn_in(text_of(client.get(GALLERY))):
        assert told_in(client.get(address)) == sentence


# The pages of a campaign


@pytest.mark.django_db
def test_the_roster_draws_what_a_group_brings(volga):
    for player in (volga.german, volga.observer):
        drawn = drawn_in(text_of(player.open("roster/german/?group=I2")))
        assert [(sentence.split(",")[0], caption) for _, sentence, caption in drawn] == [
            ("Panzergrenadier squad", "× 3"),
            ("SdKfz 251/1 C", "× 2"),
        ]
        for address, sentence, _ in drawn:
            assert told_in(player.client.get(address)) == sentence
        mixed = drawn_in(text_of(player.open("roster/german/?group=V3")))
        assert [caption for *_, caption in mixed] == ["d10: 1-6", "d10: 7-10"]
    assert drawn_in(text_of(volga.german.open("roster/german/"))) == []


@pytest.fixture
def fighting(frozen):
    """A firefight with units of both sides on the map, some of the Russian's hidden, some marked."""
    return frozen("pictured", to_fight)


def to_fight():
    volga = play_to(seated(), "setup")
    volga.russian.place(1, 4)
    volga.russian.place(3, 15)
    volga.russian.place(4, 15, hidden=True)
    volga.russian.confirm()
    volga.german.place(1, 6)
    volga.german.confirm()
    return volga


@pytest.mark.django_db
def test_a_counter_stands_beside_whoever_is_named_as_far_as_is_known(fighting):
    for player, hidden in ((fighting.german, False), (fighting.observer, False), (fighting.russian, True)):
        html = text_of(player.open("map/?sector=15"))
        counters = named_in(html)
        assert [words for _, words in counters] == ["3 × Rifle squad", "3 × Rifle squad (hidden)"][: 1 + hidden]
        assert {told_in(player.client.get(address)).split(",")[0] for address, _ in counters} == {"Rifle squad"}
    assert "9 × Grenadier squad" not in [
        words for _, words in named_in(text_of(fighting.russian.open("map/?sector=15")))
    ]
    off_map = named_in(text_of(fighting.russian.open("map/")))
    assert "6 × Grenadier squad" in [words for _, words in off_map] and all(address for address, _ in off_map)


@pytest.mark.django_db
@pytest.mark.parametrize("at", ["roster/russian/", "sealed/", "firefight/", "roster/russian/?group=I2"])
def test_every_list_of_units_draws_them_as_the_table_does(fighting, at):
    page = pages.read(text_of(fighting.russian.open(at)))
    images = [image.attributes for image in page.css("main img") if "/counters/" in image.attributes["src"]]
    assert images and {image["width"] for image in images} <= {"32", "64"}
    assert all(fighting.russian.client.get(image["src"]).status_code == 200 for image in images[:3])
    if at == "firefight/":
        boxes = page.css("label:has(> input[name=unit])")
        assert boxes and all(box.css_first("img") for box in boxes)
        table = {image.attributes["src"] for image in pages.read(text_of(fighting.russian.get())).css(".counter img")}
        assert {image["src"] for image in images} <= table


@pytest.mark.django_db
def test_a_unit_is_drawn_with_its_marks(fighting):
    boxes = pages.find(text_of(fighting.russian.open("firefight/")), "input[name=unit]")
    unit = next(box.attributes["value"] for box in boxes if pages.words(box.parent.css_first("small")) == "4")
    assert fighting.russian.report("reduced", [unit]).status_code == 302
    [address] = [at for at, words in named_in(text_of(fighting.german.open("map/?sector=4"))) if "1 ×" in words]
    assert "marks=reduced" in address
    assert "Reduced" in told_in(fighting.german.client.get(address))


@pytest.mark.django_db
def test_the_map_is_a_picture_of_what_its_viewer_knows(fighting):
    known = {"german": "15: R3", "russian": "15: R6", "observer": "15: R3"}
    for name, mark in known.items():
        player = getattr(fighting, name)
        response = player.client.get(player.address("map.svg"))
        sentence = told_in(response)
        assert f"{mark};" in f"{sentence};".replace(".", ";")
        assert sentence.startswith("CG II · firefight 1, Dawn · as ")
        assert ("both sides know it" in sentence) == (name == "observer")
        assert response["Cache-Control"] == "no-store"
        picture = player.client.get(player.address("map.png?scale=2"))
        assert opened(picture).text["Description"] == sentence
        assert picture["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_the_picture_shows_isolated_and_threatened_sectors(fighting):
    Campaign.objects.update(held=RING)
    sentence = told_in(fighting.observer.client.get(fighting.observer.address("map.svg")))
    assert "Threatened: 21." in sentence
    assert "Isolated: 11." in sentence


@pytest.mark.django_db
def test_the_map_comes_in_three_sizes(volga):
    sizes = [opened(volga.german.client.get(volga.german.address(f"map.png?scale={n}"))).size for n in (1, 2, 3)]
    assert sizes == [(sizes[0][0] * n, sizes[0][1] * n) for n in (1, 2, 3)]
    for scale in ("4", "0", "x", ""):
        response = volga.german.client.get(volga.german.address(f"map.png?scale={scale}"))
        assert response.status_code == 400
        assert "A picture's scale is one of 1, 2, 3." in words_of(response)


@pytest.mark.django_db
def test_page_and_file_are_drawn_alike(fighting):
    page, file = (text_of(fighting.german.client.get(fighting.german.address(at))) for at in ("map/", "map.svg"))
    board = text_of(fighting.german.client.get(pages.find(page, ".board-sheet img")[0].attributes["src"]))
    drawings = [
        [outline(cell) for cell in pages.values_of_each(drawn, "polygon", "points")[-22:]] for drawn in (board, file)
    ]
    scale = drawings[1][0][1][1] / drawings[0][0][1][1]
    for cell, painted in zip(*drawings, strict=True):
        assert [(x * scale, y * scale) for x, y in cell] == [pytest.approx(corner, abs=0.2) for corner in painted]
    numbers = [[word for word in pages.words_of_each(drawn, "svg text") if word.isdecimal()] for drawn in (board, file)]
    assert numbers[0] == numbers[1] == [str(number) for number in range(1, 23)]


def outline(points):
    """The corners of a cell, from its first one on."""
    corners = [tuple(map(float, point.split(","))) for point in points.split()]
    return [(x - corners[0][0], y - corners[0][1]) for x, y in corners]


@pytest.mark.django_db
def test_the_board_of_the_map_is_kept_by_browsers_and_by_nobody_without_a_seat(fighting, client):
    page = text_of(fighting.german.client.get(fighting.german.address("map/")))
    drawing = pages.find(page, ".board-sheet img")[0].attributes["src"]
    style = pages.find(page, ".sector-drawing link")[0].attributes["href"]
    assert style in pages.values_of_each(page, "head link[rel=stylesheet]", "href"), "or each tap draws it anew"
    for address, sort in ((drawing, "image/svg+xml"), (style, "text/css; charset=utf-8")):
        answer = fighting.german.client.get(address)
        assert answer["Content-Type"] == sort and answer["Cache-Control"].endswith("immutable")
        again = fighting.german.client.get(address, headers={"If-None-Match": answer["ETag"]})
        assert again.status_code == 304 and not again.content
        assert client.get(address).status_code == 403
    assert fighting.german.client.get(re.sub(r"\w+\.svg", f"{'0' * 16}.svg", drawing)).status_code == 404


@pytest.mark.django_db
def test_the_map_page_leads_to_its_pictures(volga):
    html = text_of(volga.german.open("map/"))
    addresses = pages.values_of_each(html, "a[download]", "href")
    assert [volga.german.client.get(address).status_code for address in addresses] == [200, 200]


@pytest.mark.django_db
def test_only_who_has_a_seat_is_given_the_map(volga):
    before = every_row()
    stranger = Player(volga.match_id)
    for at in ("map.png", "map.svg"):
        assert stranger.client.get(stranger.address(at)).status_code == 403
        assert volga.german.client.post(volga.german.address(at)).status_code == 405
        assert Player("nothing").client.get(f"/campaign/nothing/{at}").status_code == 403
    assert every_row() == before


@pytest.mark.django_db
def test_a_match_without_a_campaign_has_no_map():
    maker, _ = firefight.begin()
    for at in ("map.png", "map.svg"):
        assert maker.client.get(f"/campaign/{maker.match_id}/{at}").status_code == 404


@pytest.mark.django_db
def test_a_covered_device_is_given_no_map():
    player, _ = begin(hot_seat=True)
    assert opened(player.client.get(player.address("map.png")))
    player.do("cover/")
    response = player.client.get(player.address("map.png"))
    assert response.status_code == 302
    assert response["Location"] == f"/match/{player.match_id}/cover/"


def test_the_try_out_map_keeps_to_the_budget_of_a_fragment(client):
    response = client.get("/campaign/map/", {"held": RING}, headers={"HX-Request": "true"})
    assert len(response.content) <= FRAGMENT
