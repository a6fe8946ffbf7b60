"""The one engine of all pages: it escapes everything, and a template's indentation is for its readers alone."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines
from django.views.defaults import server_error
from jinja2 import DictLoader, UndefinedError, nodes

from config.templates import CsrfInput, draw_once, environment, unindent
from tests.campaign import players as campaigners
from tests.firefight.players import Player, begin, end, sit

EVIL = '<script>alert("x")</script>'
TEMPLATES = settings.BASE_DIR / "templates"
NAMES = sorted(str(path.relative_to(TEMPLATES).as_posix()) for path in TEMPLATES.rglob("*.html"))
MATCH = ("", "log/", "charts/", "dice/", "seats/", "file/", "report/", "roll/fire/", "roll/contact/")
CAMPAIGN = ("", "map/", "map/?sector=7", "roster/german/", "roster/russian/", "firefight/", "sealed/", "paper/")


@pytest.mark.parametrize("name", NAMES)
def test_every_template_is_whole_and_escapes_everything(name):
    environment = engines["jinja2"].env
    assert environment.autoescape is True
    environment.get_template(name)
    parsed = environment.parse((TEMPLATES / name).read_text(encoding="utf-8"))
    assert not {node.name for node in parsed.find_all(nodes.Filter)} & {"safe", "forceescape"}
    assert not list(parsed.find_all((nodes.ScopedEvalContextModifier, nodes.EvalContextModifier)))


def shows(page, address):
    """Whether a page shows the name; never as anything that a browser would run."""
    html = page.content.decode()
    assert page.status_code == 200, address
    assert "<script>alert" not in html, address
    return "&lt;script&gt;alert" in html


@pytest.mark.django_db
def test_a_name_with_a_script_is_escaped_on_every_page_of_a_match():
    player, links = begin(name=EVIL)
    other = sit(links["russian"], player.match_id, HTTP_USER_AGENT=EVIL)
    player.note(EVIL)
    player.note(EVIL, sealed="on")
    unit = {"units": f'[{{"kind": "squad", "name": "{EVIL[:20].replace(chr(34), "")}", "tq": 6}}]'}
    player.roll("fire", ff="24", die="1", dice="table", **unit)
    pages = {place: shows(player.get(place), place) for place in MATCH}
    assert [place for place, is_shown in pages.items() if not is_shown] == []
    assert shows(player.get("live/", htmx=True, version=1, after=1), "live/")
    assert shows(player.client.get("/"), "/")
    end(player, other)
    assert all(shows(other.get(place), place) for place in ("", "dice/", "report/"))


@pytest.mark.django_db
def test_a_name_with_a_script_is_escaped_on_every_page_of_a_campaign():
    german, _ = campaigners.begin(name=EVIL)
    german.note(EVIL)
    pages = {place: shows(german.open(place), place) for place in CAMPAIGN}
    assert [place for place, is_shown in pages.items() if not is_shown] == []


@pytest.mark.django_db
def test_a_name_in_a_refused_form_is_escaped():
    stranger = Player()
    form = {"game": "combat-stalingrad", "name": EVIL + "x" * 60, "side": "german"}
    page = stranger.client.post("/match/new/", form)
    assert "<script>alert" not in page.content.decode()


def test_a_template_that_lacks_a_name_fails_its_test():
    page = engines["jinja2"].env.from_string("{% if missing %}one{% endif %}")
    with pytest.raises(UndefinedError, match="'missing' is undefined"):
        page.render()
    assert page.render(missing=False) == ""


def test_the_page_of_a_failure_needs_nothing_and_offers_no_form(rf):
    page = server_error(rf.get("/"))
    html = page.content.decode()
    assert page.status_code == 500
    assert "Something broke on our side" in html and "<form" not in html  # without a token it would be refused


def test_a_template_is_indented_for_its_readers_alone():
    assert unindent("<ul>\n  <li>\n    one\n  </li>\n</ul>\n") == ("<ul><li>one</li></ul>", "")
    assert unindent('a\n  <b\n    class="x"\n  >b</b>\n  c') == ('a\n<b class="x">b</b>\nc', "")
    # Beside what stands in a line of text its end is a space, and stays.
    assert unindent("one\n  <i>two</i>\n  three") == ("one\n<i>two</i>\nthree", "")
    # A tag may go on behind a block of Jinja's.
    assert unindent("<p\n  hidden\n", "") == ("<p hidden ", "p")
    assert unindent("\n>\n  text", "p") == (">text", "")


def test_no_line_of_a_template_is_longer_than_a_screen():
    long = [
        f"{path.name}:{number}"
        for path in TEMPLATES.rglob("*.html")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120
    ]
    assert long == []


MACROS = "{% macro loud(thing) %}{{ thing }}!{% endmacro %}{% macro quiet(thing) %}{{ thing }}{% endmacro %}"
PARTS = {
    "page": "{% set word = 'own' %}{% for n in (1, 2) %}{% include 'part' %}{{ word }} {% endfor %}",
    "part": "{% set word = 'part' %}{{ n }}{{ given }}{% include 'inner' %}",
    "inner": "{{ word }} ",
}


def test_a_part_sees_the_names_around_it_and_keeps_its_own():
    built = environment(loader=DictLoader(PARTS))
    assert built.get_template("page").render(given="!") == "1!part own 2!part own "


def test_a_page_gets_a_token_of_its_own_and_an_answer_keeps_the_accepted_one(rf):
    request = rf.get("/")
    fresh = str(CsrfInput(request).html)
    assert fresh != str(CsrfInput(request).html)
    answered = rf.post("/", {"csrfmiddlewaretoken": '"><b>'})
    assert "<b>" not in CsrfInput(answered).html
    assert answered.POST and "b&gt;" not in CsrfInput(answered).html  # nobody has accepted it
    answered.csrf_processing_done = True
    assert 'value="&#34;&gt;&lt;b&gt;"' in CsrfInput(answered).html


def test_what_is_drawn_once_is_drawn_by_its_macro_alone():
    module = environment(loader=DictLoader({"m": MACROS})).get_template("m").module
    assert (draw_once(module.loud, "one"), draw_once(module.quiet, "one")) == ("one!", "one")
    assert draw_once(module.loud, "two") == "two!"


def test_no_colour_hangs_on_the_width_of_the_window():
    """So a look at each theme sees every colour: tests/browser/test_axe.py."""
    widths = re.compile(r"^@media \((?:min|max)-width.*?^}", re.MULTILINE | re.DOTALL)
    sheets = [path.read_text(encoding="utf-8") for path in Path(settings.BASE_DIR / "static" / "css").glob("*.css")]
    blocks = [block for sheet in sheets for block in widths.findall(sheet)]
    assert len(blocks) > 5
    assert not [
        block for block in blocks if re.search(r"color|background|border|fill|stroke|opacity|#[0-9a-f]{3}", block)
    ]


# Words of one game, which no page of the frame's own may have: they come from the game.
WORDS_OF_ONE = re.compile(
    r"\b(artillery|batter(y|ies)|missions?|hex(es)?|squads?|commissars?|leaders?|german|russian|morale|ffe|cff|plots?|"
    r"brackets?|areas?|zones?|impulses?|ferr(y|ies)|militia|formations?|rubble)\b",
    re.IGNORECASE,
)
FRAME = [name for name in NAMES if not name.startswith("campaign/")]


def test_no_template_of_the_frame_has_a_word_of_one_game():
    assert len(FRAME) > 80
    hits = {
        name: hit[0] for name in FRAME if (hit := WORDS_OF_ONE.search((TEMPLATES / name).read_text(encoding="utf-8")))
    }
    assert hits == {}
