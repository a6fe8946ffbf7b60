import re

import pytest

from campaign.rules.rosters import Time
from tests import pages
from tests.campaign.plain import CONTENT

CG1 = "gggrrgrrrrrrrrrrrrrrrr"
CG2 = "ggrrrggrrrrrrrrrrrrrrr"
# 20.6.4 step 6: sector 11 inside the German ring; 20 is nobody's, 21 holds both sides.
RING = "rrrrgggrrrrgggrrrrrntr"


def text_of(response):
    """What a reader sees, with single spaces."""
    return pages.words(pages.read(response.content.decode()))


def rows_of(response):
    """The table of the map page: {sector: (holder, cost, line)}."""
    rows = {}
    for row in pages.find(response.content.decode(), "tr:has(> th[scope=row])"):
        number = re.match(r"\d+", pages.words(row.css_first("th")))[0]
        cost, line = (pages.words(cell) for cell in row.css("td:has(select) ~ td"))
        rows[int(number)] = (pages.words(row.css_first("option[selected]")), cost, line)
    return rows


def page(client, address, **query):
    response = client.get(address, query)
    assert response.status_code == 200
    return response


@pytest.mark.parametrize("address", ["/campaign/", "/campaign/map/", "/campaign/rosters/german/"])
def test_pages_are_whole_and_use_no_inline_style_or_script(client, address):
    html = page(client, address).content.decode()
    assert html.count("<html") == html.count("<h1>") == 1
    assert not re.search(r'\sstyle="|<style|<script(?![^>]*\ssrc=)|\son\w+="|javascript:', html)
    assert len(html) < 100 * 1024


@pytest.mark.parametrize("address", ["/campaign/", "/campaign/map/", "/campaign/rosters/german/"])
def test_pages_are_read_only(client, address):
    assert client.post(address).status_code == 405


def test_the_front_page_leads_to_the_campaign(client, db):
    assert '<a href="/campaign/">Campaign</a>' in client.get("/").content.decode()


def test_the_cards_page_shows_both_cards(client):
    text = text_of(page(client, "/campaign/"))
    for card in CONTENT.cards.values():
        assert f"{card.label}: {card.name} {' '.join(card.times)}" in text
        assert f"hex {card.random_hex}" in text
        for forces in card.forces.values():
            assert f"{forces.cp}, later {forces.reinforcement}" in text
            assert all(line in text for line in forces.orders)
    assert list(Time) == list(CONTENT.cards["cg2"].times)
    assert "turn 5: 8, turn 6: 6, turn 7: 4" in text
    assert "German: Attacker" in text
    assert "sectors 4, 5 and 7 to 22" in text
    assert "2 × I2 Rifle platoon 1 × I3 Guards platoon" in text
    assert "1 × Commissar" in text


def test_the_cards_page_tells_what_the_text_gives(client):
    text = text_of(page(client, "/campaign/"))
    assert "house ; text : label, name, times" in text
    assert text.count("house ; text : stance") == 2


@pytest.mark.parametrize("side", ["german", "russian"])
def test_a_roster_shows_every_group_with_price_boxes_and_provenance(client, side):
    text = text_of(page(client, f"/campaign/rosters/{side}/"))
    for group in CONTENT.rosters[side].groups.values():
        assert f"{group.id} {group.unit} {group.cp} CP" in text
        assert f"Boxes: CG I {group.boxes['cg1']} , CG II {group.boxes['cg2']}" in text
        assert all(note in text for note in group.notes)
    for counter in CONTENT.counters[side].values():
        assert counter.name in text
    assert text.count("Leader roll when bought") == sum(g.leader for g in CONTENT.rosters[side].groups.values())


def test_rosters_tell_contents_mixes_calibers_and_arrivals(client):
    german, russian = (text_of(page(client, f"/campaign/rosters/{side}/")) for side in ("german", "russian"))
    assert "Infantry : 3 × Panzergrenadier squad, 2 × SdKfz 251/1 C" in german
    assert "3 by a d10 each (1-6: Pz IV F1, 7-10: Pz IV F2)" in german
    assert "2 × Ju 87, arrives on 5 or less" in german
    assert "CP Bonus: +2 on the roll for the Attacker costs 2 CP." in german
    assert "caliber 122 mm, plotted" in russian
    assert "For Night and Dawn only." in russian
    assert "house ; text : ID, type, unit, CP" in russian


def test_there_are_two_rosters_only(client):
    assert client.get("/campaign/rosters/martian/").status_code == 404


def test_the_map_opens_at_the_start_of_the_first_campaign(client):
    response = page(client, "/campaign/map/")
    assert "No sector is isolated." in text_of(response)
    assert [holder for holder, _, _ in rows_of(response).values()] == [
        {"g": "German", "r": "Russian"}[letter] for letter in CG1
    ]


def test_the_map_prices_the_example_of_the_text(client):
    rows = rows_of(page(client, "/campaign/map/", held=CG2))
    assert rows[11] == ("Russian", "+2 CP", "11 – 14 – 19 – east edge")
    assert rows[3] == ("Russian", "+4 CP", "3 – 4 – 9 – 17 – 21 – east edge")
    assert rows[19] == ("Russian", "free", "19 – east edge")
    assert rows[7] == ("German", "+1 CP", "7 – 6 – west edge")


def test_the_map_shows_isolated_threatened_and_empty_sectors(client):
    response = page(client, "/campaign/map/", held=RING)
    text, rows = text_of(response), rows_of(response)
    assert "Isolated: 11 (Russian). Threatened: 21." in text
    assert rows[11] == ("Russian", "isolated", "No line to the east edge: shut in by German 5, 6, 7, 12, 13 and 14.")
    assert rows[20] == ("Nobody", "–", "–")
    assert rows[21] == ("Both", "–", "To be fought out.")
    drawn = response.content.decode()
    assert 'aria-label="Sector 11: Russian, isolated. Make it nobody&#39;s"' in drawn
    assert 'aria-label="Sector 3: Russian, set-up +4 CP. Make it nobody&#39;s"' in drawn
    assert len(pages.find(drawn, ".sector-drawing .cut-off")) == 1


def test_each_sector_of_the_drawing_is_a_link_that_turns_it_over(client):
    html = page(client, "/campaign/map/", held=RING).content.decode()
    links = [anchor.attributes for anchor in pages.find(html, "#board-over a[id^=at-]")]
    assert len(links) == 22
    turned = dict(zip("grnt", "rntg", strict=True))
    for link in links:
        place = int(link["id"].removeprefix("at-")) - 1
        letters = RING[:place] + turned[RING[place]] + RING[place + 1 :]
        assert link["href"] == f"?held={letters}#sectors"


def test_the_form_sends_one_letter_for_each_sector_and_means_the_same(client):
    one_by_one = client.get("/campaign/map/", {"held": list(RING)})
    assert rows_of(one_by_one) == rows_of(page(client, "/campaign/map/", held=RING))
    html = one_by_one.content.decode()
    assert html.count('<select name="held" aria-label="Sector ') == 22
    assert '<form method="get"' in html


def test_every_start_is_one_tap_away(client):
    html = page(client, "/campaign/map/", held=RING).content.decode()
    for label, letters in (("CG I", CG1), ("CG II", CG2)):
        assert f'href="/campaign/map/?held={letters}">Start of {label}</a>' in html


@pytest.mark.parametrize("letters", ["g", "x" * 22, "g" * 23, "ГГ", "g" * 21 + " ", "9" * 5000])
def test_an_address_that_makes_no_sense_is_refused_with_a_sentence(client, letters):
    response = client.get("/campaign/map/", {"held": letters})
    assert response.status_code == 400
    assert "one letter for each" in text_of(response)
    assert len(rows_of(response)) == 22


def test_htmx_gets_the_fragment_alone(client):
    response = client.get("/campaign/map/", {"held": RING}, headers={"HX-Request": "true"})
    html = response.content.decode()
    assert "<html" not in html
    assert html.count('id="sectors"') == 1
    assert len(response.content) < 15 * 1024
    assert 'id="sectors"' in page(client, "/campaign/map/", held=RING).content.decode()


def test_the_map_says_whose_values_it_holds(client):
    text = text_of(page(client, "/campaign/map/"))
    assert "Borders between sectors: house . West edge: house . East edge: text . Drawing: house" in text
    assert "West: German map edge East: Russian map edge" in text
