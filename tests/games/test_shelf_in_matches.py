"""Sheets go from an owner's shelf into matches, and from matches onto it."""

import pytest

from firefight.models import Match, OwnSheet
from tests.filling import Reader
from tests.firefight import players
from tests.games.test_content import HOUSE, OWN
from tests.games.test_own_sheets import TOY, UNITS, address_of, bring, keep, lay

pytestmark = pytest.mark.django_db


def begin(reader, **fields):
    forms = [
        form
        for form in (reader.form("form", number=n) for n in range(len(reader.find("form"))))
        if "side" in form.names()
    ]
    forms[0].fill(side="red", hot_seat=True, **fields).press("Begin")
    return Match.objects.first()


def sheets_of(client, match, query=""):
    return Reader(client).open(f"/match/{match.pk}/counters/sheets/{query}")


def test_a_match_begins_with_the_units_that_are_ticked(client):
    keep(client)
    reader = Reader(client).open(f"/match/new/{TOY}/")
    assert "Units from your shelf" in reader.words()
    match = begin(reader)
    assert match.state.sheets == {"Units": UNITS}
    assert match.log.filter(sentence="Units, Units: 2 kinds.").exists()


def test_a_match_begins_without_those_that_are_not(client):
    keep(client)
    match = begin(Reader(client).open(f"/match/new/{TOY}/"), sheets=[])
    assert match.state.sheets == {}
    assert "Your shelf has Units." in sheets_of(client, match).words()


def test_without_a_shelf_nothing_of_it_is_asked(client):
    assert "from your shelf" not in Reader(client).open(f"/match/new/{TOY}/").words()


def test_sheets_that_do_not_go_together_are_told_before_the_match_is_made(client):
    keep(client)
    keep(client)
    reader = Reader(client).open(f"/match/new/{TOY}/")
    assert begin(reader) is None
    assert reader.status == 422 and "Grey Guard stands on the sheet" in reader.words("[role=alert]")


def test_nobody_begins_with_what_is_on_anothers_shelf(client):
    row = keep(players.begin("red", game=TOY)[0].client)
    sent = client.post(f"/match/new/{TOY}/", {"side": "red", "sheets": row.pk})
    assert sent.status_code == 422 and "Choose units from your shelf" in sent.content.decode()


def test_other_sides_agree_to_what_is_taken_from_a_shelf():
    red, links = players.begin("red", game=TOY)
    blue = players.sit(links["blue"], red.match_id)
    players.sit(links["green"], red.match_id)
    keep(red.client)
    sheets_of(red.client, red.match).press("Take over 1 sheet")
    assert red.match.state.sheets == {}
    assert "for the units Units: 2 kinds" in Reader(blue.client).open(f"/match/{red.match_id}/").words()


def test_a_newer_version_is_looked_at_and_kept_in_the_match():
    red, _ = players.begin("red", hot_seat=True, game=TOY)
    row = keep(red.client)
    sheets_of(red.client, red.match).press("Take over 1 sheet")
    lay(Reader(red.client).open(address_of(row)), UNITS.replace("Old", "Young")).press("do=usable")
    assert red.match.state.sheets == {"Units": UNITS}
    reader = sheets_of(red.client, red.match)
    assert "Units says something else on your shelf." in reader.words()
    reader.press("Look, and take it over")
    reader.form("#sheet").press("Keep the sheet")
    assert "Young Pikes" in red.match.state.sheets["Units"]
    assert "on your shelf." not in sheets_of(red.client, red.match).words().replace("so does your shelf.", "")


def test_a_matchs_sheet_is_put_on_the_shelf_once():
    red, _ = players.begin("red", hot_seat=True, game=TOY)
    reader = sheets_of(red.client, red.match)
    reader.form("#sheet").fill(title="Guards", text=UNITS).press("Keep the sheet")
    for _ in range(2):
        sheets_of(red.client, red.match, "?sheet=Guards").press("Put it on my shelf")
    row = OwnSheet.objects.get()
    assert (row.name, row.game, row.sheet, [*row.data["kept"].values()]) == ("Guards", TOY, "units", [UNITS])


def test_content_is_taken_from_the_shelf_and_put_there():
    hounds = players.begin("hounds", game="fox-hunt")[0]
    reader = bring(hounds.client, "fox-hunt", "places")
    lay(reader, OWN).press("do=usable")
    page = Reader(hounds.client).open(f"/match/{hounds.match_id}/content/")
    page.press("From my shelf")
    page.form("#content").press("Use it")
    assert hounds.match.state.content == {"places": OWN} != {"places": HOUSE}
    OwnSheet.objects.all().delete()
    Reader(hounds.client).open(f"/match/{hounds.match_id}/content/").press("Put them on my shelf")
    assert [*OwnSheet.objects.get().data["kept"].values()] == [OWN]
