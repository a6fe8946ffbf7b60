"""The map remembers: each chapter's map is the one that was shown when it began, to each side, and no secret too early.

Two independent witnesses: the live page's own spots, looked at whenever a chapter begins, and the bookkeeper of
tests.oracles, who counts for himself who stands where and who hides.
"""

import json
from copy import deepcopy
from io import BytesIO

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from campaign.ledger import chapters as chapters_of
from campaign.ledger import content as content_store
from campaign.ledger.act import CampaignAct
from campaign.ledger.earlier_maps import PlainMap, read_maps, write_maps
from campaign.ledger.ledger import load
from campaign.ledger.rows import build_ledger
from campaign.models import Campaign, EarlierMap
from campaign.presenters.film import MOST_FRAMES, film_of, find_frame, sees_then, thin_out
from campaign.presenters.sectors import count_units, list_spots, list_units
from campaign.rules.sectors import Holding
from campaign.rules.steps import Step
from firefight.drawing import gif
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry, Match, Snapshot
from firefight.table.act.table import Table
from firefight.table.files import archive, making, removal, saving
from tests import pages
from tests.campaign.players import play_to, seated
from tests.campaign.random_phase import Run
from tests.campaign.test_random_play import Play
from tests.firefight.players import text_of, words_of
from tests.oracles.audit import VIEWERS
from tests.oracles.bookkeeper import FIXED
from tests.oracles.phase import kind_of
from tests.soak import SEED, length, seeds

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN


def shown(ledger, sees):
    """The map as the live page shows it to somebody."""
    return [(spot.number, spot.holding, spot.line, spot.mark) for spot in list_spots(ledger.known(sees))]


def remembered(ledger):
    return shown(ledger, tuple(Side))


class Watched(Play):
    """A campaign at random whose live map is looked at after every act, and in the middle of one."""

    def __init__(self, seed):
        self.seen, self.counted = {}, {}
        super().__init__(seed, audited=False)

    def _look(self):
        super()._look()
        last = Snapshot.objects.filter(match=self.id).order_by("number").last()
        if last.number == self.match.last_number and (self.id, last.number) not in self.counted:
            self.watch(self.ledger)
            self.counted[self.id, last.number] = {sees: self.count_by_books(sees) for sees in VIEWERS}

    def watch(self, ledger):
        """Note what each browser is shown at this moment."""
        self.seen[ledger.match.pk, ledger.match.last_number] = {sees: shown(ledger, sees) for sees in VIEWERS}

    def count_by_books(self, sees):
        """How many units somebody knows of in each sector, by the bookkeeper: mines and nest markers are none."""
        counts = {}
        for side, units in self.books.page["units"].items():
            for unit in units.values():
                is_known = not unit["hidden"] or side in sees
                is_unit = kind_of(side, unit) not in FIXED
                if unit["sector"] is not None and not unit["fate"] and is_known and is_unit:
                    counts[unit["sector"], str(side)] = counts.get((unit["sector"], str(side)), 0) + 1
        return counts


def count(ledger):
    counted = count_units(ledger)
    return {(sector, str(side)): n for sector, sides in counted.items() for side, n in sides.items() if n}


FIRST = 5  # from here on a play gets far, and somebody hides in it


@pytest.mark.django_db
@pytest.mark.soak
@pytest.mark.parametrize("part", seeds(1, 10))
def test_the_map_of_every_chapter_is_the_one_that_was_shown_then(part, monkeypatch):
    plays = []
    keep = CampaignAct.keep_chapter

    def keep_and_look(act):
        before = len(act.chapters)
        keep(act)
        if len(act.chapters) > before and plays and plays[-1].id == act.match.pk:
            plays[-1].watch(act.ledger)

    monkeypatch.setattr(CampaignAct, "keep_chapter", keep_and_look)
    for number in range(FIRST, FIRST + length(1, 50)):
        play = Watched(f"map {part}-{number}")
        plays.append(play)
        for _ in range(length(60, 80)):
            play.step()
        check_chapters(play)
        check_file(play, VIEWERS[number % len(VIEWERS)])
    most = max(Snapshot.objects.filter(match=play.id).count() for play in plays)
    assert most > 4, "no campaign came far enough to remember anything"
    maps = [by_viewer for play in plays for by_viewer in play.seen.values()]
    assert any(by_viewer[()] != by_viewer[writer] for by_viewer in maps for writer in VIEWERS), (
        "nobody had anything to hide"
    )


def check_chapters(play):
    match = Match.objects.get(pk=play.id)
    chapters = chapters_of.list_chapters(match)
    for sees in VIEWERS:
        recalled = chapters_of.recall(match, chapters, sees)
        assert [chapter for chapter, _ in recalled] == chapters
        for chapter, ledger in recalled:
            if chapter.place > 1:  # such a play deals out the sectors by hand once it has begun
                assert remembered(ledger) == play.seen[play.id, chapter.number][sees], (chapter, sees)
            if counts := play.counted.get((play.id, chapter.number)):
                assert count(ledger) == counts[sees], (chapter, sees)


def check_file(play, writer):
    """In a match made of somebody's file each side finds the maps that it was shown then, as far as its writer knew."""
    match = Match.objects.get(pk=play.id)
    copy = opened(file_of(match, writer))
    chapters = chapters_of.list_chapters(match)
    assert chapters_of.list_chapters(copy)[:-1] == chapters, "the last is that of the file itself"
    for viewer in VIEWERS:
        both = tuple(side for side in viewer if side in writer)
        for chapter, ledger in chapters_of.recall(copy, chapters, viewer):
            if chapter.place > 1:
                assert remembered(ledger) == play.seen[play.id, chapter.number][both], (chapter, writer, viewer)
    again = file_of(copy, writer)
    assert again["ledger"]["maps"][:-1] == file_of(match, writer)["ledger"]["maps"]


def file_of(match, sees, at=None):
    """A file as it is sent, as plain values."""
    return json.loads(json.dumps(saving.dump_match(match, sees, at)))


def opened(data):
    """The match that is made of a file."""
    return making.make_match(archive.read_archive(json.dumps(data).encode()), hot_seat=False).match


@pytest.mark.soak
def test_a_hurried_phase_is_remembered_sector_by_sector(monkeypatch):
    """In memory: phases at random, many of them resolved by one act that goes through several sectors."""
    labels = []
    keep = CampaignAct.keep_chapter

    def keep_and_look(act):
        before = len(act.chapters)
        keep(act)
        assert len({snapshot.number for snapshot in act.chapters}) == len(act.chapters), "one chapter a line"
        for snapshot in act.chapters[before:]:
            earlier = build_ledger(act.match, snapshot.state["ledger"], act.ledger.content)
            for sees in VIEWERS:
                assert remembered(earlier.known(sees)) == shown(act.ledger, sees)
            labels.append(snapshot.label)

    monkeypatch.setattr(CampaignAct, "keep_chapter", keep_and_look)
    for number in range(length(8, 500)):
        Run(f"map {SEED}-{number}").play()
    assert len(labels) > 5


def test_one_act_that_fights_out_many_sectors_leaves_a_chapter_for_each(db):
    table = play_to(seated(), "reorganization")
    match, sectors = table.german.match, (7, 11, 13, 14)
    campaign = Campaign.objects.get(pk=match.pk)
    for side in Side:
        for sector, unit in zip(sectors, load(match).in_play(side), strict=False):
            type(unit).objects.filter(pk=unit.pk).update(sector=sector)
    for side in ("german", "russian"):
        getattr(table, side).press("confirm-report", "reorganization/")
    assert campaign.pk
    before = set(Snapshot.objects.filter(match=match).values_list("number", flat=True))
    for side in ("german", "russian"):
        getattr(table, side).ask("hurry", "reorganization/", how_far="phase")
    fresh = Snapshot.objects.filter(match=match).exclude(number__in=before).order_by("number")
    about = [chapter.label for chapter in fresh if ", sector" in chapter.label]
    assert len(about) >= 2, about
    for snapshot in fresh:
        line = LogEntry.objects.get(match=match, number=snapshot.number)
        assert line.act_id == LogEntry.objects.get(match=match, number=fresh.last().number).act_id
    # Each is a place to branch off from: somebody has something to decide there.
    assert all((chapter.state["ledger"].get("phase") or {}).get("step") != Step.AFTER_ACTION for chapter in fresh)


# The page, the strip, the moving picture


@pytest.fixture
def played(frozen):
    """A campaign in turn 3 in which the Russian has hidden a section in sector 13."""

    def build_it():
        table = seated("cg1")
        table.russian.buy("I6")
        for side in ("german", "russian"):
            getattr(table, side).seal()
        table.german.press("reveal")
        parties = table.russian.parties()
        key = max(key for key, title in parties.items() if "I6" in title)  # the one that was bought
        table.russian.place(key, 13, hidden=True)
        table.russian.confirm()
        table.german.confirm()
        table.german.end_turn()
        table.german.end_turn()
        return table

    return frozen("map memory", build_it)


def frame_at(match, title, sees):
    place = next(chapter.place for chapter in chapters_of.list_chapters(match) if chapter.title == title)
    return find_frame(match, place, sees)


some_rows = st.dictionaries(st.sampled_from("1234"), st.sampled_from([{"counter": "nco"}, {"counter": "mg"}]))
some_maps = st.builds(
    PlainMap,
    st.sampled_from("gr"),
    st.integers(1, 3),
    some_rows,
    st.fixed_dictionaries({"german": some_rows, "russian": some_rows}),
    st.fixed_dictionaries({"german": some_rows, "russian": st.just({})}),
)


@given(st.lists(some_maps, max_size=5))
def test_maps_come_back_from_their_changes_also_where_something_returns_to_what_it_was(listed):
    maps = dict(enumerate(listed, 1))
    assert read_maps(json.loads(json.dumps(write_maps(maps)))) == maps


def maps_of(match, viewer):
    """Everything that the pages show of each chapter: the sectors, and who stands there."""
    chapters = chapters_of.recall(match, chapters_of.list_chapters(match), viewer)
    return [
        (chapter.title, shown(ledger, viewer), [sides_of(ledger, n) for n in ledger.control])
        for chapter, ledger in chapters
    ]


def sides_of(ledger, sector):
    return [
        [(title, str(pile), pile.picture) for title, piles in side["kinds"] for pile in piles]
        for side in list_units(ledger, sector)
    ]


def test_a_file_carries_the_earlier_maps_and_the_other_sides_part_under_seal(played):
    match = played.german.match
    files = {}
    for side in ("german", "russian"):
        table = Table(match, side, (side,), tuple(match.seats.all()))
        files[side] = saving.dump_file(table, (side,))
    own = json.loads(files["german"])
    rows = [row for change in own["ledger"]["maps"] for row in change.get("units", {}).get("russian", {}).values()]
    assert rows and not any(row.get("hidden") or row.get("sector") == 13 for row in rows)
    german = opened(own)
    assert maps_of(german, ("russian",))[:-1] == maps_of(match, ())
    assert maps_of(german, ("german",))[:-1] == maps_of(match, ("german",))
    both = making.make_match(archive.read_archive(files["german"], files["russian"]), False).match
    for viewer in VIEWERS:
        assert maps_of(both, viewer)[:-1] == maps_of(match, viewer)
    assert maps_of(both, ("russian",))[-2] != maps_of(both, ("german",))[-2]


def test_a_branch_remembers_what_came_before_it(played):
    match = played.german.match
    third = Snapshot.objects.get(match=match, label="Firefight 1, turn 2")
    branch = making.branch(match, ("german",), False, third).match
    before = [view for view in maps_of(match, ("german",)) if view[0] != "Firefight 1, turn 3"]
    assert maps_of(branch, ("german",))[:-1] == before
    # Each of them can be looked at, and none branched off from: no more than the map is known of it.
    assert Snapshot.objects.filter(match=branch, state__isnull=False).count() == 1
    removal.delete_match(branch)
    assert not EarlierMap.objects.exists()


def test_what_was_sealed_is_open_on_the_earlier_maps_of_a_match_that_has_ended(played):
    match = played.german.match
    Match.objects.filter(pk=match.pk).update(ended=timezone.now())
    copy = opened(file_of(match, ("german",)))
    everybody = tuple(side.value for side in Side)
    assert maps_of(copy, everybody)[:-1] == maps_of(match, everybody)


BAD_MAPS = [
    ("number", 9_999, "are not of the chapters"),
    ("held", "ggg", "held: does not fit the map"),
    ("turn", 0, "turn: should be a whole number"),
    ("units", {"german": {"1": {"counter": "panzer"}}}, "german unit 1: there is no counter panzer"),
    ("units", {"german": {"1": {"counter": "nco", "sector": 77}}}, "the map has no such sector"),
    ("units", {"german": {"1": {"counter": "nco", "hidden": True}}}, "is off the map, and yet hidden"),
    ("units", {"german": {"1": {"counter": "nco", "marks": ["m_killed"]}}}, "cannot be marked so"),
    ("units", {"german": {"999": {"counter": "nco"}}}, "german units: should be numbered from 1"),
    ("units", {"german": {"1": {"counter": "nco", "group": 999}}}, "one is of a group that is not there"),
    ("groups", {"russian": {"1": "Z9"}}, "russian groups: the roster has no Z9"),
    ("ground", {"K7": {"hex": "K7", "height": 99}}, "map"),
]


def test_a_file_with_an_earlier_map_that_cannot_be_is_refused(played):
    data = file_of(played.german.match, ("german",))
    changes = data["ledger"]["maps"]
    for name, value, reason in BAD_MAPS:
        spoilt = {**data, "ledger": {**data["ledger"], "maps": [*changes[:-1], {**changes[-1], name: value}]}}
        with pytest.raises(archive.BadArchive) as refusal:
            opened(spoilt)
        assert any(reason in problem for problem in refusal.value.problems), (name, refusal.value.problems)
    del data["ledger"]["maps"]  # as earlier versions have written it
    assert len(chapters_of.list_chapters(opened(data))) == 1


def test_every_turn_is_a_chapter_and_the_other_sides_secrets_stay_until_the_end(played):
    match = played.german.match
    titles = [chapter.title for chapter in chapters_of.list_chapters(match)]
    assert titles[0] == "The beginning" and titles[-2:] == ["Firefight 1, turn 2", "Firefight 1, turn 3"]
    place = titles.index("Firefight 1, turn 2") + 1
    for player, knows in ((played.german, False), (played.observer, False), (played.russian, True)):
        page = player.read(f"map/?chapter={place}&sector=13")
        assert ("Maxim" in page) is knows
        picture = player.client.get(player.address(f"map.svg?chapter={place}")).content.decode()
        assert ("13: R" in picture) is knows
    # It is over by the rules or by consent, and only then open.
    assert not frame_at(match, "Firefight 1, turn 2", sees_then(match, ("german",))).spots[12].mark
    Match.objects.filter(pk=match.pk).update(ended=timezone.now())
    assert "Maxim" in played.german.read(f"map/?chapter={place}&sector=13")
    assert "Maxim" in played.observer.read(f"map/?chapter={place}&sector=13")


def test_the_page_of_a_chapter_marks_what_has_changed_and_leads_on_without_a_script(played):
    titles = [chapter.title for chapter in chapters_of.list_chapters(played.german.match)]
    place = titles.index("Firefight 1") + 1
    page = text_of(played.russian.open(f"map/?chapter={place}"))
    assert "Sector 13: Russian" in " ".join(pages.words_of_each(page, "#changes li"))
    marked = [sector for sector in pages.find(page, "#board-over a") if "◆" in pages.words(sector)]
    assert len(pages.find(page, "#board-over .changed")) == len(marked) > 0
    links = {a.attributes.get("aria-label"): a.attributes.get("href") for a in pages.find(page, "#reel a")}
    assert links == {"The chapter before": f"?chapter={place - 1}", "The next chapter": f"?chapter={place + 1}"}
    # Past the last chapter is the map as it stands, also when the slider's form asks for it.
    last = text_of(played.german.open(f"map/?chapter={len(titles) + 1}"))
    assert pages.find(last, "#reel-at")[0].attributes["value"] == str(len(titles) + 1)
    assert not pages.find(last, "#changes")
    for nonsense in ("0", "-1", "999", "x", ""):
        assert pages.find(text_of(played.german.open(f"map/?chapter={nonsense}")), "#reel")
    assert played.german.open("map.svg?chapter=999", status=404)


def test_a_chapter_that_was_played_on_another_map_is_drawn_on_that_one(played):
    """An owner has redrawn the map since: every page has its own drawing, which none of them takes for another's."""
    data = deepcopy(content_store.shipped_data())
    data["map"]["drawing"]["labels"]["12"][1] += 5
    later = content_store.store(data, "Drawn anew")
    before = draw_boards(played.german, "map/?chapter=1")
    Campaign.objects.filter(pk=played.german.match_id).update(content=later)
    assert draw_boards(played.german, "map/?chapter=1") == before
    last = draw_boards(played.german, "map/")
    assert len({*before, *last}) == 4


def draw_boards(player, at):
    """The drawing of the map on a page, and where its sectors lie."""
    page = text_of(player.open(at))
    (drawing,) = pages.values_of_each(page, "#board img", "src")
    (style,) = pages.values_of_each(page, "#then > link", "href")
    answers = [player.client.get(address) for address in (drawing, style)]
    assert [answer.status_code for answer in answers] == [200, 200]
    return [answer.content for answer in answers]


def test_a_turn_that_is_taken_back_is_no_chapter_any_more(played):
    match = played.german.match
    before = len(chapters_of.list_chapters(match))
    played.german.press("take-back")
    assert len(chapters_of.list_chapters(match)) in (before, before - 1)  # with the end of a turn it may need consent
    if played.german.match.proposal:
        played.russian.press("answer", agrees="yes")
    assert len(chapters_of.list_chapters(match)) == before - 1


def test_the_strip_shows_what_is_new_and_the_moving_picture_is_bounded(played):
    frames = film_of(played.german.match, ("russian",))
    assert [frame.chapter.title for frame in frames][0] == "The beginning"
    assert all(frame.changes for frame in frames[1:])
    page = played.russian.open("film/")
    assert len(pages.find(text_of(page), ".film img")) == len(frames) <= MOST_FRAMES
    assert "left out" in words_of(page)
    answer = played.russian.open("film.gif")
    picture = Image.open(BytesIO(answer.content))
    assert answer["Content-Type"] == "image/gif" and picture.n_frames == len(frames)
    assert len(answer.content) <= gif.LARGEST
    blank = played.german.client.get(played.german.address("film.gif")).content
    assert blank != answer.content  # the Russian's hidden section is not on it
    with pytest.raises(ValueError, match="1 to 24 pictures, not 25"):
        gif.gif([frames[0].drawing] * 25, {})


def test_a_chapter_costs_few_queries_however_many_there_are(played, django_assert_max_num_queries):
    with django_assert_max_num_queries(15):
        played.german.open("map/?chapter=2")
    with django_assert_max_num_queries(15):
        played.german.open("film/")


def test_thinning_out_keeps_both_ends():
    assert thin_out(range(10), 4) == [0, 3, 6, 9]
    assert thin_out(range(3), 4) == [0, 1, 2]
    assert thin_out(range(3), 1) == [2]


def test_a_film_of_threatened_and_isolated_sectors_says_so(played):
    match = played.german.match
    snapshot = Snapshot.objects.filter(match=match).order_by("number").last()
    state = snapshot.state
    control = dict(zip(range(1, 23), state["ledger"]["held"], strict=True)) | dict.fromkeys((5, 6, 7, 12, 13, 14), "g")
    state["ledger"]["held"] = "".join((control | {3: "t"}).values())
    Snapshot.objects.filter(pk=snapshot.pk).update(state=state)
    frame = frame_at(match, snapshot.label, ("german",))
    assert "Sector 11: isolated." in frame.changes
    assert any(words.startswith("Sector 3: threatened, was") for words in frame.changes)
    assert frame.spots[2].holding is Holding.THREATENED
