"""A campaign saved to a file on a phone, opened again, played on and branched off, as two people would."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.ledger import look_around_in_demo
from tests.browser.test_axe import assert_accessible


@pytest.fixture
def at_demo(new_page, transactional_db):
    """The demo campaign, on a phone."""
    page = new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/campaign/{look_around_in_demo(page)}/")
    return page


def fits(page):
    """Nothing sticks out of the window."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.soak
def test_a_campaign_is_saved_opened_and_branched_off(at_demo, tmp_path, page_errors_allowed):
    page, file, spoilt = at_demo, tmp_path / "match.json", tmp_path / "spoilt.json"
    page.get_by_role("link", name="Paper").click()
    page.get_by_role("link", name="Save and branch").click()
    expect(page.get_by_role("heading", name="Save and branch")).to_be_visible()
    assert fits(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the match").click()
    download.value.save_as(file)
    own = page.url.split("/")[-3]
    assert download.value.suggested_filename == f"volga-demo-into-the-inferno-the-second-firefig-{own}.json"

    data = json.loads(file.read_text(encoding="utf-8"))
    spoilt.write_text(json.dumps({**data, "schema": data["schema"] + 1}), encoding="utf-8")
    page.get_by_role("link", name="Open a file").click()
    page.get_by_label("File of a match").set_input_files(spoilt)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_contain_text("A newer version of the app wrote this file")
    assert_accessible(page, "a file refused")

    page.get_by_label("File of a match").set_input_files(file)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_text("Who sits down here?")).to_be_visible()
    assert_accessible(page, "a seat for a file")
    page.get_by_role("radio", name="Hot-seat").check()
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("This match goes on from a file of “Demo: Into the Inferno")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    assert fits(page)
    page.get_by_role("link", name="Go on").click()
    expect(page.get_by_role("heading", name="Demo: Into the Inferno")).to_be_visible()

    page.go_back()
    page.goto(f"/match/{own}/file/")
    page.get_by_role("button", name="Branch off after № 15: Firefight 1, Set-up").click()
    expect(
        page.get_by_text(re.compile("This match branches off from “Demo: Into the Inferno.*”, at № 15"))
    ).to_be_visible()
    page.get_by_role("link", name="Go on").click()
    expect(page.get_by_role("heading", name="firefight, what if")).to_be_visible()
