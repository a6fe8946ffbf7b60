"""The styles that pages load: each subject once, in one file, and the colours of the theme that was chosen."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.templatetags.static import static

from config.styles import SUBJECTS, bind_sheets, style_address
from tests import pages

CSS = Path(settings.BASE_DIR / "static" / "css")
LIGHT = "#efe9dc"  # the ground on paper


def test_every_style_sheet_is_in_the_styles_of_all_pages():
    sheets = {path.stem for path in CSS.glob("*.css")}
    assert sorted(SUBJECTS["all"]) == sorted(sheets - {"light"})
    assert SUBJECTS["all"][:2] == ("tokens", "base")  # what the others build on comes first
    assert set(SUBJECTS["table"]) < set(SUBJECTS["all"])


@pytest.mark.parametrize(
    ("theme", "where"), [("", "(prefers-color-scheme: light)"), ("dark", "print"), ("light", "all")]
)
def test_the_colours_of_paper_hold_where_the_theme_says(theme, where):
    css = bind_sheets("table", theme)
    assert where in re.search(r"@media ([^{]*)\{ :root \{[^}]*--ground: " + LIGHT, css)[1]
    assert css.index("--ground: #131619") < css.index(LIGHT)  # a later one wins


def test_no_rule_is_lost_on_the_way():
    """Only what is there for readers goes."""
    read = re.sub(
        r"/\*.*?\*/", "", "".join((CSS / f"{name}.css").read_text("utf-8") for name in SUBJECTS["all"]), flags=re.S
    )
    bound = bind_sheets("all", "").rpartition("@media")[0]
    words = [re.sub(r"url\([^)]*\)|\s", "", css) for css in (read, bound)]
    assert words[0] == words[1]


def test_a_page_links_one_file_that_is_kept_for_ever(client):
    address = style_address("all", "")
    styles = client.get(address)
    assert styles["Cache-Control"].endswith("immutable") and styles["Content-Type"].startswith("text/css")
    old = client.get(re.sub(r"\.[0-9a-f]+\.css", ".0123456789ab.css", address))
    assert (old.content, old["Cache-Control"]) == (styles.content, "public, max-age=3600")
    assert client.get(address.replace("all-", "none-")).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("theme", ["", "dark", "light"])
def test_a_page_wears_the_theme_that_was_chosen(client, theme):
    client.cookies["theme"] = theme
    (link,) = pages.find(client.get("/").content, "link[rel=stylesheet]")
    assert link.attributes["href"] == style_address("all", theme)


def test_files_that_styles_name_are_there():
    bound, sheets = bind_sheets("all", ""), "".join(path.read_text("utf-8") for path in CSS.glob("*.css"))
    files = re.findall(r'url\("\.\./([^"]+)"\)', sheets)
    assert files
    for name in files:
        assert (CSS.parent / name).exists(), name
        assert f'url("{static(name)}")' in bound


def test_a_class_has_its_styles_in_one_sheet():
    """Otherwise one subject's look breaks another's page. Paper and the light theme say for any what differs there."""
    sheets = {}
    for name in set(SUBJECTS["all"]) - {"print"}:
        css = re.sub(r"/\*.*?\*/", "", (CSS / f"{name}.css").read_text("utf-8"), flags=re.S)
        for selectors in re.findall(r"(?:^|\})\s*([^{}@]+)\{", css):
            for alone in re.findall(r"(?:^|,)\s*(\.[\w-]+)\s*(?=,|$)", selectors):
                sheets.setdefault(alone, set()).add(name)
    shared = {selector: sorted(names) for selector, names in sheets.items() if len(names) > 1}
    assert shared == {}
