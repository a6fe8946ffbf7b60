"""One sentence for an act and all that followed from it: what belongs together, what is told, and to whom."""

from copy import copy
from importlib import import_module

import pytest

from firefight.columns import LoggedResult
from firefight.engine.rolls.telling import RollFacts
from firefight.games.combat_stalingrad.rules.telling import tell_firefight_roll
from firefight.games.registry import games
from firefight.models import LogEntry
from firefight.table.act import episodes
from firefight.table.log import reading, telling
from firefight.table.log.episodes import gather_episodes, newest_episodes, read_episode_of, read_episodes
from tests import pages
from tests.filling import Reader
from tests.firefight.players import GAME, begin, seated, text_of, words_of
from tests.soak import seeds

from .random_table import SIDES, RandomTable

pytestmark = pytest.mark.django_db
LISTS = {"german": "2 Grenadier squads, Heavy MG 34", "russian": "2 Rifle squads, Commissar"}


@pytest.fixture
def stack(frozen):
    return frozen("squads in two hexes", set_squads)


def set_squads():
    """Germans in K7, Russians in L7, each squad a counter."""
    table = seated()
    for side, place in (("german", "K7"), ("russian", "L7")):
        player = getattr(table, side)
        player.do("counters/add/", side=side, list=LISTS[side])
        player.do("counters/", id=[f"{side}-{number}" for number in (1, 2, 3)], place=place)
    return table


def sentences(player, sees=None):
    """What the log tells, newest first."""
    sees = SIDES if sees is None else sees
    return [episode.sentence for episode in newest_episodes(player.match, tuple(sees))]


def fire(table, die, targets=("russian-1", "russian-2", "russian-3")):
    reader = Reader(table.german.client, script=True).open(f"/match/{table.german.match_id}/")
    reader.form("#table").fill(chosen=["german-1", "german-2", *targets]).press("Fire")
    form = reader.form("#desk-form")
    if "range" in form.names() and not form.value("range"):
        form.fill(range=2)
    form.fill(die=die).press("Resolve")


def check(player, *faces):
    """Make all checks that are due, with these dice."""
    reader = Reader(player.client, script=True).open(f"/match/{player.match_id}/")
    form = reader.form("#desk-form")
    boxes = [box.attributes["name"] for box in form.controls() if "die" in (box.attributes.get("class") or "").split()]
    form.fill(dict(zip(boxes, faces, strict=True))).press("Resolve")


def test_a_fire_attack_with_its_checks_is_one_sentence_on_every_page(stack):
    fire(stack, 40)
    check(stack.russian, 10, 2, 8)
    newest = sentences(stack.german)[0]
    assert newest.startswith("K7 fired ") and " FF at L7: M" in newest
    assert "Rifle squad #1 Disrupted" in newest and "Rifle squad #2 held" in newest
    [home] = pages.words_of_each(text_of(stack.german.client.get("/")), "ul.mine .last-act")
    assert home == f"German: {newest}"
    assert newest in pages.words_of_each(text_of(stack.german.get()), "#log-rows > li > p")
    assert newest in pages.words_of_each(text_of(stack.german.get("report/")), "ol.lines > li > p")
    assert newest in text_of(stack.german.get("report.md")).replace("\\", "")


def test_a_sentence_opens_to_its_lines_with_their_dice_and_corrections(stack):
    fire(stack, 40)
    number = next(line.number for line in stack.german.log if line.helper == "fire")
    check(stack.russian, 10, 2, 8)
    reader = Reader(stack.russian.client, script=False).open(f"/match/{stack.russian.match_id}/")
    [link] = reader.find(f"#entry-{number} details a")
    opened = stack.russian.client.get(link.attributes["href"])
    assert opened.status_code == 200, link.attributes
    words = pages.words_of_each(text_of(opened), ".opened p")
    assert any("on column" in line for line in words) and any("Disrupted" in line for line in words), words
    corrections = pages.find(text_of(opened), ".opened a[href*='corrects=']")
    assert len(corrections) == 3  # the checks, not the other side's attack


def test_whatever_line_of_it_is_asked_for_the_whole_episode_is_read(stack):
    fire(stack, 40)
    check(stack.russian, 10, 2, 8)
    sentence, match = sentences(stack.german)[0], stack.german.match
    lines = [line.number for line in stack.german.log if line.helper in ("fire", "morale")]
    assert len(lines) > 2
    assert {read_episode_of(match, SIDES, number).sentence for number in lines} == {sentence}


def test_an_answer_brings_the_whole_sentence_in_the_place_of_the_old_one(stack):
    fire(stack, 40)
    number = next(line.number for line in stack.german.log if line.helper == "fire")
    after, version = stack.german.match.last_number, stack.german.match.version
    check(stack.russian, 10, 2, 8)
    news = stack.german.get("live/", htmx=True, version=version, after=after)
    [card] = pages.find(text_of(news), f"#entry-{number}")
    assert card.attributes["hx-swap-oob"] == "true"
    assert pages.words_of_each(text_of(news), f"#entry-{number} > p") == [sentences(stack.german)[0]]
    assert not pages.find(text_of(news), "#log-rows li, [hx-swap-oob='afterbegin:#log-rows'] li")


def test_a_placing_of_twelve_counters_is_one_line(table):
    table.german.do("counters/add/", side="german", list="8 Grenadier squads, 4 Heavy MG 34")
    for number in range(1, 13):
        table.german.do("counters/", id=f"german-{number}", place="K7" if number < 7 else "L8")
    placing, into_play, *_ = sentences(table.german)
    assert placing == "6 × Grenadier squad to K7. 2 × Grenadier squad, 4 × Heavy MG 34 to L8."
    assert into_play == "Into play: 8 × Grenadier squad, 4 × Heavy MG 34."
    table.german.note("Between them.")
    table.german.do("counters/", id=["german-1", "german-2"], place="M9")
    table.russian.note("Seen.")
    assert sentences(table.german)[1] == "2 × Grenadier squad from K7 to M9."


def test_opened_lines_are_told_as_players_tell_them(stack):
    stack.german.do("counters/", id=["german-1", "german-2"], place="K8")
    stack.german.do("counters/", id="german-1", level="2")
    placing = stack.german.match.last_number - 2
    fire(stack, 40)
    attack = next(line.number for line in stack.german.log if line.helper == "fire")
    check(stack.russian, 10, 2, 8)
    paragraphs = {}
    for number in (placing, attack):
        page = text_of(stack.german.get(f"log/all/{number}/"))
        paragraphs[number] = pages.words_of_each(page, ".opened > li > p")
        assert not any("By hand" in words or "Morale Check: " in words for words in paragraphs[number])
    assert paragraphs[placing] == [
        "Grenadier squad #1 from K7 to K8.",
        "Grenadier squad #2 from K7 to K8.",
        "Grenadier squad #1 from ground level to level 2.",
    ]
    assert paragraphs[attack][0].startswith("K8 fired ") and paragraphs[attack][1] == "Rifle squad #1 Disrupted."
    assert "Rifle squad #1 from" not in paragraphs[attack]
    # The stored lines are as they were.
    assert stack.german.log[placing - 1].sentence == "By hand, Grenadier squad #1: in K8; was in K7."
    assert sentences(stack.german)[1].startswith(
        "Grenadier squad #1 from K7 to K8, level 2. Grenadier squad #2 from K7"
    )


def test_what_a_hand_does_in_secret_is_told_to_its_side_once(stack):
    [hidden] = stack.russian.bring_hidden("Maxim M1910")
    stack.russian.do("counters/", id=hidden, place="N9")
    stack.russian.do("counters/", id=hidden, place="N8")
    name, begin = stack.russian.match.state.counters[hidden]["name"], stack.russian.last.episode
    own = text_of(stack.russian.get(f"log/all/{begin}/"))
    assert pages.words_of_each(own, ".opened > li > p")[-2:] == [
        f"Sealed: {name} to N9.",
        f"Sealed: {name} from N9 to N8.",
    ]
    other = words_of(stack.german.get(f"log/all/{begin}/"))
    assert "N9" not in other and "N8" not in other and "Maxim" not in other


def test_a_branch_names_the_match_that_it_comes_from():
    old = "This match branches off from match the-demo, at № 270. Its dice are sealed anew."
    assert (
        telling.tell_plainly(old)
        == "This match branches off from an earlier match, at № 270. Its dice are sealed anew."
    )


def test_rolls_of_a_step_of_the_course_are_told_each_for_itself(stack):
    stack.german.do("advance/")
    turn = stack.german.last.number
    match = stack.german.match
    for kind, due, first in (("roll", f"{turn}-0", None), ("roll", f"{turn}-h0", None), ("roll", "4-0", 4)):
        entry = LogEntry(match=match, number=99, kind=kind, due=due, side="german")
        episodes.join_episode(match, entry)
        assert entry.episode == first, due


def test_a_correction_is_told_as_it_stands_now(stack):
    fire(stack, 40)
    number = next(line.number for line in stack.german.log if line.helper == "fire")
    check(stack.russian, 10, 2, 8)
    stack.german.roll("fire", die="99", dice="table", corrects=number)
    assert sentences(stack.german)[0].endswith("at L7: no effect.")
    [card] = pages.find(text_of(stack.german.get()), f"#entry-{number}")
    assert "void" not in card.attributes["class"].split()


def test_what_is_taken_back_is_told_as_void(stack):
    fire(stack, 40)
    number = next(line.number for line in stack.german.log if line.helper == "fire")
    stack.german.do("take-back/")
    [card] = pages.find(text_of(stack.german.get()), f"#entry-{number}")
    assert "void" in card.attributes["class"].split()


def forged(entry, sees):
    """A line with whatever these sides may not know of it replaced by something else."""
    if not entry.secret or entry.revealed_by is not None or entry.side in sees:
        return entry
    other = copy(entry)
    other.secret, other.touches = "By hand, Ghost: in Z9; was in Z8.", " german-9999 "
    other.inputs = {"counters": {"german-9999": {"place": ["Z8", "Z9"]}}, "name": "Ghost", "scene": {"firers": "Z9"}}
    if entry.result:
        other.result = LoggedResult(entry.helper, "Ghost", outcome="pinned")
    return other


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(1, 30))
def test_the_sentence_for_a_side_is_the_same_whatever_is_hidden_from_it(seed):
    play = RandomTable(seed)
    for _ in range(45):
        play.act()
    match, game = play.match, games()[GAME]
    entries = list(LogEntry.objects.filter(match=match).order_by("number"))
    secrets = 0
    for sees in (("german",), ("russian",), ()):
        own = gather_episodes(game, reading.visible(entries, sees))
        others = gather_episodes(game, reading.visible([forged(entry, sees) for entry in entries], sees))
        assert [(episode.number, episode.sentence) for episode in own] == [
            (episode.number, episode.sentence) for episode in others
        ]
        secrets += sum(line.secret_digest != "" and not line.secret for episode in own for line in episode.lines)
        read = {episode.number: episode.sentence for episode in read_episodes(match, sees, [e.number for e in own])}
        assert read == {episode.number: episode.sentence for episode in own}  # with the results left unread
    assert secrets, "Nothing was hidden in this play."


def test_no_secret_of_a_hidden_counter_is_in_the_sentence_of_a_placing(table):
    table.german.bring_hidden("German: Officer")
    [hidden] = table.german.match.state.counters
    table.german.do("counters/", id=hidden, place="Q17")
    own, theirs = sentences(table.german, ("german",)), sentences(table.german, ("russian",))
    assert any("to Q17" in sentence for sentence in own)
    assert not any("Q17" in sentence or "Officer" in sentence for sentence in theirs)


def test_a_file_keeps_what_belongs_together_and_an_old_one_is_read(stack):
    fire(stack, 40)
    check(stack.russian, 10, 2, 8)
    lines = stack.german.get("archive.json").json()["log"]
    episode_of = {line["number"]: line["episode"] for line in lines if "episode" in line}
    rolled = {line["number"] for line in lines if line["kind"] == "roll"}
    stored = LogEntry.objects.filter(match=stack.german.match_id).exclude(episode=None)
    assert episode_of == dict(stored.values_list("number", "episode"))
    assert {number: begin for number, begin in episodes.find_episodes(lines).items() if number in rolled} == {
        number: begin for number, begin in episode_of.items() if number in rolled
    }


@pytest.mark.parametrize(
    ("helper", "inputs", "outcome", "words"),
    [
        ("fire", {"ff": 18, "weapon": "firepower", "state": "good_order"}, "c/m", "K7 fired 18 FF at L7: C/M"),
        ("fire", {"ff": 18, "weapon": "firepower", "state": "pinned"}, "m", "K7 fired 9 FF at L7: M"),
        ("fire", {"caliber": 75, "weapon": "caliber"}, "none", "K7 fired 75 mm at L7: no effect"),
        ("fire", {"weapon": "flamethrower"}, "2e", "K7 fired a flamethrower at L7: 2E"),
        ("fire", {"weapon": "mines"}, "m+3", "K7 fired mines at L7: M+3"),
        ("fire", {"ff": 70, "weapon": "air"}, "m+2", "K7 fired 70 FF from the air at L7: M+2"),
    ],
)
def test_an_attack_is_told_in_the_games_own_terms(helper, inputs, outcome, words):
    facts = RollFacts(helper, inputs, outcome, "", "", {"firers": "K7", "targets": "L7"})
    assert tell_firefight_roll(facts).words == words


@pytest.mark.parametrize(("outcome", "fate"), [("no_effect", "held"), ("pinned", "Pinned Down"), ("casualties", None)])
def test_a_check_is_told_by_whoever_takes_it(outcome, fate):
    clause = tell_firefight_roll(RollFacts("morale", {"name": "Orlov"}, outcome, "", ""))
    assert clause.fates == ({"Orlov": fate} if fate else {}) and not clause.words


def test_a_roll_without_terms_of_its_own_is_told_in_short():
    player, _ = begin(game="battle-for-stalingrad")
    player.roll("terrain", terrain="fortified", dice="table")
    assert newest_episodes(player.match, ())[0].sentence == "Terrain: Fortified structure, Soviet held."


def resolve(player, slug, **filled):
    reader = Reader(player.client, script=True).open(f"/match/{player.match_id}/roll/{slug}/")
    reader.form("#desk-form").fill(**filled).press("Resolve")
    return sentences(player, ())[0]


def test_an_attack_of_turning_point_names_the_group_and_leaves_the_sums_behind():
    player, _ = begin(game="turning-point-stalingrad")
    sums = {"ov": 9, "dv": 8, "area": "30"}
    sentence = resolve(player, "attack", **sums, attack_dr=8, defence_dr=7)
    assert sentence == "The German attacked the Fresh Group in Area 30: won, 2 Casualty Points."
    sentence = resolve(player, "attack", ov=9, dv=8, area="31", attack_dr=7, defence_dr=8)
    assert sentence == "The German attacked the Fresh Group in Area 31: tied, no losses."


def test_a_fire_of_the_battle_names_kind_hex_and_what_is_lost():
    player, _ = begin(game="battle-for-stalingrad")
    sentence = resolve(player, "combat", kind="bombardment", strength=12, hex="1726", die=1)
    assert sentence.startswith("Bombardment of hex 1726 with Fire Strength 12: "), sentence
    sentence = resolve(player, "combat", kind="ground_attack", strength=12, hex="1726", die=6)
    assert sentence.startswith("Ground attack on hex 1726 with Fire Strength 12: "), sentence


def test_old_logs_are_joined_when_the_database_is_brought_up_to_date(stack):
    fire(stack, 40)
    check(stack.russian, 10, 2, 8)
    joined = import_module("firefight.migrations.0018_episodes").join_lines
    rows = LogEntry.objects.filter(match=stack.german.match_id).order_by("number")
    read = rows.values_list("match_id", "pk", "number", "kind", "act_id", "about", "due", "voids")
    of_rolls = dict(joined(read))
    numbers = dict(rows.values_list("pk", "number"))
    stored = {number: begin for number, begin in rows.values_list("number", "episode") if begin}
    # But for placings, which nobody told apart then.
    assert {numbers[pk]: begin for pk, begin in of_rolls.items()}.items() <= stored.items()


def test_who_looks_on_reads_the_same_sentences(stack):
    fire(stack, 40)
    assert sentences(stack.german)[0] in pages.words_of_each(text_of(stack.observer.get()), "#log-rows > li > p")


def test_counters_that_the_other_side_has_placed_are_counted_and_it_is_named(stack):
    stack.german.do("counters/", id=["russian-1", "russian-2"], place="M9")
    stack.russian.do("answer/", agrees="yes")
    assert sentences(stack.german)[0] == "Rifle squad #1 to M9, Rifle squad #2 to M9."
    stack.german.match.seats.filter(side="russian").update(claimed=None)
    stack.german.do("counters/", id=["russian-1", "russian-2"], place="N9")
    assert sentences(stack.german)[0] == "2 × Rifle squad from M9 to N9, set by the German."


@pytest.mark.parametrize("words", ["Its dice are sealed as", "Its dice are sealed anew, as"])
def test_the_head_of_a_seal_is_left_to_the_page_of_the_dice(words):
    plain = telling.tell_plainly(f"This match goes on. {words} {'5e' * 32}.")
    assert plain.startswith("This match goes on. Its dice are sealed") and "5e5e" not in plain and " as" not in plain


def test_counters_that_come_one_by_one_are_counted():
    """Three lines of the same words were said once: "1 × Rifle squad" where three had come."""
    player, _ = begin(hot_seat=True)
    for _ in range(3):
        player.do("counters/add/", list="Russian: 1 Rifle squad")
    player.do("counters/add/", list="Russian: 1 Commissar")
    assert sentences(player)[0] == "Into play: 3 × Rifle squad, Commissar #4."


def test_no_line_of_a_new_row_reads_like_a_record(table):
    for field, parts in (
        ("missions", {"caliber": "105"}),
        ("aircraft", {"aircraft": "ju87", "planes": "2"}),
        ("sets", {"device": "radio"}),
    ):
        table.german.do("rows/", field=field, **{f"part-{name}": value for name, value in parts.items()})
    radio, planes, battery, *_ = sentences(table.german)
    assert battery == "Mission: 105 mm battery, German."
    assert planes == "Aircraft: 2 × Ju 87, German." and radio == "Set: radio, German."
    table.german.do("record/", field="phase", value="melee")
    assert sentences(table.german)[0] == "Phase set to Melee Phase; it was Command Phase."
    table.german.do("rows/", field="ground", **{"part-hex": "K9", "part-building": "on"})
    assert sentences(table.german)[0] == "Ground: K9 is a building."


def test_a_new_step_begins_with_the_old_result_folded_to_its_sentence(stack):
    fire(stack, 99)
    assert not pages.find(text_of(stack.german.get()), ".folded-result")
    sentence = sentences(stack.german)[0]
    stack.german.do("advance/")
    page = text_of(stack.german.get())
    assert pages.words_of_each(page, ".folded-result > summary") == [sentence]
    assert pages.find(page, ".folded-result .result")


def test_the_old_result_folds_on_both_devices_as_a_step_begins(stack):
    fire(stack, 99)
    sentence, before = sentences(stack.german)[0], stack.german.match
    answer = text_of(stack.german.do("advance/", htmx=True, after=before.last_number))
    news = stack.russian.get("live/", htmx=True, version=str(before.version), after=before.last_number)
    for part in (answer, text_of(news)):
        assert pages.words_of_each(part, "#desk .folded-result > summary") == [sentence]
    refused = stack.german.do("advance/", htmx=True, button="nonsense", after=stack.german.match.last_number)
    assert refused.status_code >= 400
    assert pages.words_of_each(text_of(refused), "#desk .folded-result > summary") == [sentence]
    # What is rolled in the new step stands open.
    fire(stack, 99)
    assert not pages.find(text_of(stack.german.get()), ".folded-result")


def note_lines(*sentences, **more):
    """Lines of one episode that say so much, as anybody sees them."""
    entries = [LogEntry(number=n, kind="note", sentence=sentence, **more) for n, sentence in enumerate(sentences, 1)]
    return reading.visible(entries, ())


def tell(*sentences):
    return telling.tell_episode(games()[GAME], note_lines(*sentences))


def test_a_sentence_says_nothing_twice_and_how_much_is_left_out():
    assert tell("Fire!", "Smoke", "Smoke") == "Fire! Smoke."
    long = [f"{letter * 150}" for letter in "abcdef"]
    # What it has come to, such as who has won, is never left out.
    assert tell(*long, "The game is over") == f"A{'a' * 149}. B{'b' * 149}. And 4 more. The game is over."
    longest = "x" * (telling.LONGEST + 50)
    assert tell(longest, "y", "z") == f"X{longest[1:]}. And 1 more. Z."  # one clause is told, however long it is
    assert tell(longest, "y") == f"X{longest[1:]}. Y."


def test_of_a_crowd_the_first_are_named_and_the_others_counted():
    tale = telling._Tale()
    for number in range(telling.MOST_FATES + 3):
        tale.add_fate(f"Squad #{number}", f"at level {number}")
        tale.add_fate(f"Squad #{number}", f"at level {number}")
    assert tale.sentence.count("at level") == telling.MOST_FATES and tale.sentence.endswith(", 3 more.")


def test_what_became_of_many_alike_is_told_once():
    tale = telling._Tale()
    for name, fate in (
        ("Squad #1", "Spent"),
        ("NCO", "lost"),
        *((f"Squad #{number}", "Spent") for number in (2, 3, 4)),
    ):
        tale.add_fate(name, fate)
    few = tale.sentence
    tale.add_fate("HMG", "Spent")
    assert few == "Squad #1 Spent, NCO lost, Squad #2 Spent, Squad #3 Spent, Squad #4 Spent."
    assert tale.sentence == "4 × Squad, HMG: Spent, NCO lost."


def test_a_clause_in_passing_is_told_only_where_nothing_came_after_it():
    tale = telling._Tale()
    tale.add("18 FF", is_passing=True)
    assert tale.sentence == "18 FF."
    tale.add("no effect")
    assert tale.sentence == "No effect."


def test_what_was_not_rolled_is_said_once(stack):
    fire(stack, 40)
    stack.german.do("drop/", step="all")
    number = stack.german.last.number
    [card] = pages.find(text_of(stack.german.get()), f"#entry-{number}")
    assert pages.words(card).count("Not rolled") == 1


def test_a_report_says_once_what_is_under_seal(table):
    table.german.bring_hidden("German: Officer")
    [hidden] = table.german.match.state.counters
    table.german.do("counters/", id=hidden, place="Q17")
    text = text_of(table.german.get("report.md"))
    assert [line.count("Q17") for line in text.splitlines() if "Q17" in line and line.startswith("- ")] == [1]
