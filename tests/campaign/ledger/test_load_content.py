"""An owner's own cards, rosters, counters and map: checked, stored, chosen, and pinned by campaigns."""

import shutil

import pytest
from django.core.management import CommandError, call_command
from django.db.models import ProtectedError
from django.test import Client

from campaign.ledger import content
from campaign.models import Campaign, ContentBook
from tests.campaign.plain import COUNTERS_FILE, FOLDER
from tests.campaign.players import begin, forms_in
from tests.firefight.players import words_of
from tests.frozen import every_row

pytestmark = pytest.mark.django_db

FILES = sorted(f"{name}.toml" for name in content.FILES.values())


@pytest.fixture
def folder(tmp_path):
    """A folder with the files to be typed in, as they are shipped."""
    for name in FILES:
        shutil.copy(COUNTERS_FILE if name == "counters.toml" else FOLDER / name, tmp_path / name)
    return tmp_path


def change(folder, name, old, new):
    """Change one value of a file."""
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def load(folder, name="From my own copy"):
    """Run the command."""
    call_command("load_content", str(folder), name=name)


def refused(folder, **options):
    """What the command says when it stores nothing, line by line."""
    before = every_row()
    with pytest.raises(CommandError) as caught:
        load(folder, **options)
    assert every_row() == before
    first, *problems = str(caught.value).splitlines()
    assert first == "Nothing was stored. Mend this first:" or not problems
    return [problem.strip() for problem in problems] or [first]


def own(folder, cp=33):
    """The house content with other Campaign Points for the German of the second card."""
    change(folder, "to_the_volga.toml", "cp = 24", f"cp = {cp}")
    return folder


def test_a_good_folder_is_stored_by_its_name(folder, capsys):
    load(own(folder), "  From my\n own copy ")
    assert capsys.readouterr().out.strip() == "Stored as “From my own copy”."
    row = ContentBook.objects.get()
    assert (row.name, row.shipped) == ("From my own copy", False)
    assert row.data["cards"]["cg2"]["german"]["cp"] == 33


def test_the_same_values_take_the_name_that_they_are_stored_by_last(folder, capsys):
    load(own(folder))
    load(folder, "Second edition")
    assert capsys.readouterr().out.splitlines()[-1] == "Stored as “Second edition”."
    assert ContentBook.objects.get().name == "Second edition"


def test_the_shipped_values_keep_their_name(folder, capsys):
    content.shipped_row()
    before = every_row()
    load(folder, "Mine")
    assert "they keep that name" in capsys.readouterr().out
    assert every_row() == before


def test_storing_the_same_again_stores_nothing_new(folder):
    load(own(folder))
    before = every_row()
    load(folder)
    assert every_row() == before
    change(folder, "to_the_volga.toml", "cp = 33", "cp = 44")
    load(folder, "Another name")
    assert ContentBook.objects.count() == 2


@pytest.mark.parametrize("name", ["", " ", "\n", "x" * 81])
def test_a_name_has_1_to_80_characters(folder, name):
    assert refused(folder, name=name) == ["A name has 1 to 80 characters."]


# Broken files


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    assert refused(folder) == [f"{name}: No such file or directory"]


def test_a_folder_that_is_none_misses_all_of_them(tmp_path):
    assert refused(tmp_path / "nowhere") == [f"{name}: No such file or directory" for name in in_order()]
    (tmp_path / "a file").write_text("x")
    assert refused(tmp_path / "a file") == [f"{name}: Not a directory" for name in in_order()]


def in_order():
    """The files in the order in which they are read."""
    return [f"{name}.toml" for name in content.FILES.values()]


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_toml_is_named_with_the_place(folder, name):
    (folder / name).write_text("name = \n", encoding="utf-8")
    (problem,) = refused(folder)
    assert problem.startswith(f"{name}: ")
    assert "line 1" in problem


def test_a_file_that_is_no_text_is_named(folder):
    (folder / "map.toml").write_bytes(b"\xff\xfe\x00")
    (problem,) = refused(folder)
    assert problem.startswith("map.toml: ")


def test_a_file_that_is_too_large_is_not_read(folder, monkeypatch):
    (folder / "map.toml").write_text("#" * content.MOST_BYTES + "\n", encoding="utf-8")
    assert refused(folder) == [f"map.toml: is larger than {content.MOST_BYTES} bytes"]
    monkeypatch.setattr(content, "MOST_BYTES", 10)
    assert len(refused(folder)) == len(FILES)


def test_a_folder_instead_of_a_file_is_named(folder):
    (folder / "map.toml").unlink()
    (folder / "map.toml").mkdir()
    (problem,) = refused(folder)
    assert problem.startswith("map.toml: ")


@pytest.mark.parametrize(
    ("name", "old", "new", "place"),
    [
        ("counters.toml", "count = 15", "count = -1", "counters [german.panzergrenadier_squad.count]: "),
        ("map.toml", "1 = [2, 6]", "1 = [6]", "map [sector 2]: "),
        ("roster_german.toml", "cp = 4", "cp = 100", "roster_german [I1.cp]: "),
        ("roster_russian.toml", 'id = "I1"', 'id = "i1"', "roster_russian [group 1]: "),
        ("roster_russian.toml", 'side = "russian"', 'side = "german"', "roster"),
        ("into_the_inferno.toml", 'stance = "attacker"', 'stance = "defender"', "card_cg1 [german.stance]: "),
        (
            "to_the_volga.toml",
            "deployment = [1, 2, 6, 7]",
            "deployment = [1, 2, 6, 77]",
            "card_cg2 [german.deployment]: ",
        ),
        ("to_the_volga.toml", 'game = "combat-stalingrad"', 'game = "chess"', "card_cg2 [game]: "),
        ("to_the_volga.toml", 'id = "cg2"', 'id = "cg1"', "card"),
    ],
)
def test_one_wrong_value_is_told_with_its_place(folder, name, old, new, place):
    change(folder, name, old, new)
    problems = refused(folder)
    assert any(problem.startswith(place) for problem in problems), problems


def test_several_problems_are_listed_at_once(folder):
    change(folder, "counters.toml", "count = 15", "count = -1")
    change(folder, "roster_german.toml", "cp = 4", "cp = 100")
    change(folder, "roster_russian.toml", "cp = 2", "cp = -2")
    change(folder, "map.toml", "1 = [2, 6]", "1 = [6]")
    problems = refused(folder)
    assert {problem.split()[0] for problem in problems} == {"counters", "roster_german", "roster_russian", "map"}
    for name in ("map.toml", "counters.toml"):
        (folder / name).unlink()
    assert len(refused(folder)) == 2


# Playing with it


def test_it_can_be_chosen_for_a_new_campaign_and_is_pinned(folder):
    change(folder, "to_the_volga.toml", "To the Volga!", "To the river!")
    load(own(folder))
    mine = ContentBook.objects.get(name="From my own copy")
    page = Client().get("/campaign/new/")
    (form,) = [form for form in forms_in(page) if "card" in form.choices]
    assert "House content" in words_of(page)
    assert form.choices["content"][1:] == [mine.pk]
    assert form.fields["content"] != [mine.pk]
    german, _ = begin(content=mine.pk, name="")
    assert german.campaign.content_id == mine.pk
    assert "At-start OB +33" in german.read()
    assert german.match.name == "To the river!"
    house, _ = begin()
    assert "At-start OB +24" in house.read()


@pytest.fixture
def later(folder, monkeypatch):
    """Another version of the shipped files; calling it makes it the shipped one."""
    change(own(folder), "roster_german.toml", "cp = 4", "cp = 1")
    values = content.plain_in(folder)

    def ship():
        monkeypatch.setattr(content, "shipped_data", lambda: values)
        monkeypatch.setattr(content, "shipped", lambda: content.read(values))
        content.read_pinned.cache_clear()

    return ship


def test_what_is_shipped_later_changes_no_campaign(later):
    german, _ = begin()
    pinned, page = german.campaign.content_id, german.read("roster/german/?group=I1")
    later()
    assert german.read("roster/german/?group=I1") == page
    assert german.buy("I1", die=10).status_code == 302
    assert "20 CP" in german.read()
    assert german.campaign.content_id == pinned


def test_new_campaigns_are_offered_the_shipped_content_of_today_alone(later, folder):
    before, _ = begin()
    later()
    change(folder, "to_the_volga.toml", "cp = 33", "cp = 44")
    load(folder)
    (form,) = [form for form in forms_in(Client().get("/campaign/new/")) if "card" in form.choices]
    assert len(form.choices["content"]) == 2
    assert before.campaign.content_id not in form.choices["content"]
    newer, _ = begin(name="Later")
    assert "At-start OB +33" in newer.read()


def test_what_is_loaded_later_changes_no_campaign(folder):
    german, _ = begin()
    page = german.read("roster/german/?group=I1")
    load(own(folder))
    content.read_pinned.cache_clear()
    assert german.read("roster/german/?group=I1") == page


def test_content_in_use_cannot_be_deleted():
    begin()
    with pytest.raises(ProtectedError):
        ContentBook.objects.get().delete()
    assert Campaign.objects.count() == 1


def test_campaigns_with_the_same_content_share_it():
    for _ in range(2):
        begin()
    assert ContentBook.objects.count() == 1
