#!/usr/bin/env python3
"""Take the pictures of the screens for the README, each on a phone and a laptop, light and dark, into docs/screens/.

The app is started with data of its own in a temporary folder, and ended with its browser. Needs Chromium and the
packages of requirements-dev.txt: python scripts/make_screens.py
"""

import io
import itertools
import json
import re
import sys
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
SCREENS = ROOT / "docs" / "screens"
COLOURS = 160  # of a picture: enough for flat colours, and small
SIZES = {"phone": {"width": 360, "height": 740}, "laptop": {"width": 1280, "height": 800}}
THEMES = ("light", "dark")
Forces = Mapping[str, tuple[str, tuple[str, ...]]]  # by side: a list of counters, and where they stand in turn
FORCES: Forces = {
    "german": (
        "4 Grenadier squad, 2 Pioneer squad, 2 Heavy MG 34, 1 Officer, 1 NCO, 1 le.I.G. 18, 1 Pz III J",
        ("K7", "K7", "L9", "M10/1", "J8"),
    ),
    "russian": (
        "4 Rifle squad, 2 Guards squad, 1 Maxim M1910, 1 Commissar, 1 45 mm PTP 42, 2 Militia squad, 1 T-34 76-B",
        ("N7", "N7", "O9", "P14"),
    ),
}

ATTACK = "roll/attack/?points=24&terrain=clear&terrain_drm=0&leaders=1&adjacent_infantry=on&leader_in_target=on"
CFF = {"marker": "cff", "hex": "N9", "placed": 1, "brackets": ["N8", "N10"]}

# For each table: the game, the match's name, an owner's sheet, and by side which counters stand where.
TABLES: Mapping[str, tuple[str, str, str, Forces]] = {
    "streets-table": (
        "streets-of-stalingrad",
        "The first days",
        "name\tside\tback\tregiment\tarm\taf\tdf\tmp\tcount\nI/194\tGerman\t71\t194\tinfantry\t7\t8\t8\t3\n"
        "1/39 Gds\tSoviet\t13 Gds\t39\tguards\t5\t6\t8\t2",
        {
            "german": ("3 I/194, Leader", ("0510", "0510", "0511", "0510")),
            "soviet": ("2 1/39 Gds, Minefield", ("0509", "0608", "0509")),
        },
    ),
    "battle": (
        "battle-for-stalingrad",
        "The first assault",
        "name\tside\tkind\tvalues\tformation\n42 Guards\tSoviet\tInfantry\t4-5\t13 Guards\n"
        "T-34\tSoviet\tArmor\t5-2-12\t6 Tank",
        {
            "german": ("3 71 Inf 5-4-12, 2 24 Pz 6-2-24, 71 Inf 8 10 12", ("1826", "1827", "1826")),
            "soviet": ("3 42 Guards, 2 T-34", ("1726", "1727")),
        },
    ),
    "turning-point": (
        "turning-point-stalingrad",
        "The first week",
        "",
        {
            "german": ("2 Pioneer 4-2-5, 2 Armour 6-6-6, Pioneer 5-2-5", ("24", "25")),
            "russian": ("3 Infantry 1-2-4, AA 6", ("36", "35")),
        },
    ),
}


@contextmanager
def serve() -> Iterator[str]:
    """The app on a port and data of its own; gives its address."""
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from tests.server import end, start

    with tempfile.TemporaryDirectory() as folder:
        served = start(folder)
        try:
            yield f"http://127.0.0.1:{served.port}"
        finally:
            end(served.process)


class Album:
    """A browser on the app that keeps pictures of what it shows."""

    def __init__(self, browser: Browser, home: str):
        self.browser, self.home = browser, home
        self.page = self.open(SIZES["phone"], "dark")

    def open(self, size: dict[str, int], theme: str, state: object = None) -> Page:
        """A page of one size and theme; ``state``: the cookies of another."""
        options = {"base_url": self.home, "viewport": size, "color_scheme": theme, "storage_state": state}
        self.page = self.browser.new_context(**options).new_page()
        return self.page

    def keep(self, name: str) -> None:
        """Write a picture of what the window shows."""
        self.page.wait_for_load_state("networkidle")
        picture = Image.open(io.BytesIO(self.page.screenshot(animations="disabled"))).convert("RGB")
        picture.quantize(COLOURS).save(SCREENS / f"{name}.png", optimize=True)

    def put_up(self) -> str:
        """A firefight of two sides on this device, with counters on the map; gives its address."""
        page = self.page
        page.goto("/match/new/combat-stalingrad/")
        page.get_by_label("Name").fill("Friday at the Tractor Works")
        page.get_by_role("radio", name="One device").check()
        page.get_by_role("button", name="Begin").click()
        match = page.url
        self.deploy(match, FORCES)
        self.post(match, "record/", field="phase", value="fire_and_movement")
        for caliber in ("105", "150"):
            self.post(match, "rows/", field="missions", **{"part-caliber": caliber})
        self.post(match, "rows/", change=json.dumps({"missions": {"change": {"german-1": CFF}}}))
        self.post(match, "rows/", field="ground", **{"part-hex": "O9", "part-building": "yes"})
        page.goto(match)
        return match

    def deploy(self, match: str, forces: Forces) -> None:
        """Bring counters of both sides into a match, and spread them over their places."""
        for side, (units, places) in forces.items():
            self.post(match, "counters/add/", side=side, list=units)
            counters = self.page.request.get(f"{match}counters.json").json()
            ids = [counter["id"] for counter in counters if counter["side"] == side]
            for number, place in enumerate(places):
                self.post(match, "counters/", id=" ".join(ids[number :: len(places)]), place=place)

    def sit_down(self, game: str, name: str) -> str:
        """A match of another game, on this device; gives its address."""
        page = self.page
        page.goto(f"/match/new/{game}/")
        page.get_by_label("Name").fill(name)
        if (alone := page.get_by_role("radio", name="One device")).is_visible():  # not where there is one seat
            alone.check()
        page.get_by_role("button", name="Begin", exact=True).click()
        return page.url.removesuffix("seats/")

    def post(self, match: str, act: str, **fields: str) -> None:
        """Do an act as another program would."""
        html = self.page.request.get(match).text()
        (token,) = re.findall(r'csrfmiddlewaretoken" value="([^"]+)"', html)[:1]
        (version,) = re.findall(r'data-version="(\d+)"', html)
        form = {"csrfmiddlewaretoken": token, "act": str(uuid.uuid4()), "version": version, "as": "german", **fields}
        answer = self.page.request.post(match + act, form=form, headers={"Referer": match})
        assert answer.ok, answer.text()[:2000]

    def fire(self) -> None:
        """Choose three of K7, and aim at the first place of the other side."""
        page = self.page
        for counter in page.locator('.place[data-place="K7"] .counter').all()[:3]:
            counter.click()
        page.keyboard.press("f")
        page.locator(".of-side").nth(1).locator(".place legend").first.click()
        page.locator("#desk-form").wait_for()


def take_all(browser: Browser, home: str) -> None:
    """Walk through the app and keep its pictures: home, demo, campaign, story, table and an attack's sheet."""
    album = Album(browser, home)
    match = album.put_up()
    album.page.goto("/")
    album.page.get_by_role("button", name="Look at a match in play").click()
    album.page.wait_for_url("**/match/**")
    demo, own = album.page.url, album.page.context.storage_state()
    scenes = {
        "demo": demo,
        "campaign": demo.replace("/match/", "/campaign/"),
        "story": f"{demo}report/",
        "table": match,
    }
    for (size, window), theme in itertools.product(SIZES.items(), THEMES):
        album.open(window, theme).goto("/")  # as a stranger sees it
        album.keep(f"home-{size}-{theme}")
        page = album.open(window, theme, own)
        for scene, address in scenes.items():
            page.goto(address)
            album.keep(f"{scene}-{size}-{theme}")
        album.fire()
        album.keep(f"sheet-{size}-{theme}")


def take_streets(browser: Browser, home: str) -> None:
    """Keep the pictures of Streets of Stalingrad: an attack of 14 September with its odds."""
    album = Album(browser, home)
    match = album.sit_down("streets-of-stalingrad", "The first days")
    for field, value in (("turn", "2"), ("phase", "5")):
        album.post(match, "record/", field=field, value=value)
    take_match(album, match + ATTACK, "streets")


def take_inferno(browser: Browser, home: str) -> None:
    """Keep the pictures of Inferno on the Volga: its map, with the hex that a first attack may take lit."""
    album = Album(browser, home)
    match = album.sit_down("inferno-on-the-volga", "One evening on the Volga")
    album.page.goto(match)
    for pressed in (".main", "[value=call]", "[value=app]", "[value=all]", "[value=deliberate]"):
        album.page.locator(f"#step-form button{pressed}:visible").first.click()
    album.page.locator("#board-over .lit button").first.wait_for()
    take_match(album, match, "inferno")


def take_tables(browser: Browser, home: str) -> None:
    """Keep the pictures of the other games' tables: counters in play."""
    for name, (game, title, sheet, forces) in TABLES.items():
        album = Album(browser, home)
        match = album.sit_down(game, title)
        if sheet:
            album.post(match, "counters/sheets/", title="Of our box", text=sheet)
        album.deploy(match, forces)
        take_match(album, match, name)


def take_match(album: Album, address: str, name: str) -> None:
    """Keep a page of a match as it stands, in every size and theme."""
    own = album.page.context.storage_state()
    for (size, window), theme in itertools.product(SIZES.items(), THEMES):
        album.open(window, theme, own).goto(address)
        album.keep(f"{name}-{size}-{theme}")


def main() -> None:
    """Take the pictures."""
    from tests.chromium import find_chromium

    SCREENS.mkdir(exist_ok=True)
    with serve() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        take_all(browser, home)
        take_streets(browser, home)
        take_inferno(browser, home)
        take_tables(browser, home)
        browser.close()


if __name__ == "__main__":
    main()
