"""What contradicts itself in a file whose every value fits by itself."""

from collections.abc import Iterator
from datetime import datetime

from firefight.chartroom import drafts
from firefight.columns import MatchState
from firefight.engine import chain
from firefight.engine.rolls.dice import commitment
from firefight.engine.values import Values
from firefight.kit.game import Game
from firefight.models import LogEntry, Match
from firefight.table.act import writing
from firefight.table.act.ports import the_ledger
from firefight.table.board import content, counters, sheets, values
from firefight.table.log import fairness
from firefight.table.story import photos


def find_flaws_between_values(game: Game, data: Values) -> Iterator[str]:
    """What is wrong in a file whose shape is sound: values that do not fit each other, or the game."""
    yield from _course_flaws(game, data["match"]["state"])
    yield from _log_flaws(data)
    yield from _chain_flaws(data["match"], data["log"])
    yield from _dice_flaws(data["match"], data["log"])
    yield from photos.find_photo_flaws(data.get("photos", ()), data["log"])
    yield from _book_flaws(game, data["charts"])


def _course_flaws(game: Game, plain: Values) -> Iterator[str]:
    state = MatchState.from_json(plain)
    yield from (f"match, state, {flaw}" for flaw in game.find_course(state.options).flaws(state.position))
    yield from (f"match, state, record, {flaw}" for flaw in game.record.flaws(state.record))
    misfits = counters.find_misfits(Match(game=game.slug, state=state))
    yield from (f"match, state, counters, {flaw}" for flaw in misfits)
    yield from (f"match, state, sheets, {flaw}" for flaw in sheets.find_odd_sheets(game, state))
    yield from (f"match, state, content, {flaw}" for flaw in content.find_odd_content(game, state))
    yield from (f"match, state, values, {flaw}" for flaw in values.find_odd_values(game, state))


def find_lacking_sides(game: Game, data: Values) -> Iterator[str]:
    """The sides that nobody plays about which a player's file says nothing: the match could not go on."""
    unplayed = game.find_unplayed(data["match"]["state"].get("options", {}), data["sees"])
    for side in sorted(unplayed - set(data["sees"])):
        yield f"unplayed: what {game.sides[side]} holds, which nobody plays, was taken out of the file."


def find_ledger_flaws(data: Values) -> Iterator[str]:
    """What its ledger finds wrong with its own part of a file that is sound otherwise."""
    if data["ledger"] is not None:
        yield from the_ledger().flaws(data)


def _log_flaws(data: Values) -> Iterator[str]:
    """What cannot stand in a log of the app like that, although each value by itself could."""
    lines = data["log"]
    if not lines or [line["number"] for line in lines] != list(range(1, len(lines) + 1)):
        yield f"log: the numbers of its {len(lines)} lines do not run from 1 without gaps."
        return
    for line in lines:
        is_roll = line["kind"] == LogEntry.Kind.ROLL
        is_open = is_roll and not chain.is_hidden_roll(line)
        if is_open != ("result" in line) or is_roll != ("helper" in line):
            yield f"log {line['number']}: a roll has a helper and a result, and nothing else has."
        targets = [line[mark] for mark in ("voided_by", "revealed_by") if mark in line]
        if any(not line["number"] < to <= len(lines) for to in targets) or line.get("about", 1) > len(lines):
            yield f"log {line['number']}: points to a line that it cannot point to."
        if "episode" in line and not (line["episode"] < line["number"] and "episode" not in lines[line["episode"] - 1]):
            yield f"log {line['number']}: goes on with an episode that does not begin there."
        if line["side"] not in data["sees"] and "secret" in line and "revealed_by" not in line:
            yield f"log {line['number']}: holds a secret of a side whose secrets are not in this file."
    places = [chapter["number"] for chapter in data["chapters"]]
    if places != sorted(set(places)) or places and places[-1] > len(lines):
        yield "chapters: do not follow each other along the log."


def _chain_flaws(match: Values, log_lines: list[Values]) -> Iterator[str]:
    """What the digests show of a file that was changed; one from before lines had digests shows nothing."""
    if "digest" not in match and not any("digest" in line for line in log_lines):
        return
    lines = [{**line, "at": writing.write_time(datetime.fromisoformat(line["at"]))} for line in log_lines]
    yield from (f"log: {flaw}" for flaw in chain.chain_flaws(lines, match.get("digest", "")))
    yield from (f"log: {flaw}" for flaw in chain.standing_flaws(lines))


def _dice_flaws(match: Values, lines: list[Values]) -> Iterator[str]:
    rolls = [roll for line in lines for roll in line.get("rolls", ())]
    hidden = [roll for line in lines if chain.is_hidden_roll(line) for roll in line.get("rolls", ())]
    if any(roll["face"] != chain.HIDDEN_FACE for roll in hidden):
        yield "log: a die shows what was withheld."
    open_rolls = [roll for line in lines if not chain.is_hidden_roll(line) for roll in line.get("rolls", ())]
    if not all(map(fairness.is_possible, open_rolls)):
        yield "log: a die shows what it cannot show, or its number belongs to no roll of the app."
    numbers = [roll["number"] for roll in rolls if "number" in roll and "of" not in roll]
    if sorted(numbers) != list(range(1, match["rolls_made"] + 1)):
        yield f"log: the numbers of the app's rolls are not 1 to {match['rolls_made']}, each once."
    ends = [0, *(seal["to"] for seal in match["earlier_dice"])]
    if ends != sorted(set(ends)) or ends[-1] > match["rolls_made"]:
        yield "match, earlier_dice: do not follow each other along the rolls."
    if bool(match["seed"]) != bool(match["ended"]):
        yield "match, seed: is opened when a match ends, and not before."
    for seal in (match, *match["earlier_dice"]):
        if seal["seed"] and commitment(bytes.fromhex(seal["seed"])) != seal["commitment"]:
            yield "match: a seed does not fit its commitment."


def _book_flaws(game: Game, data: Values) -> Iterator[str]:
    if data.get("game") != game.slug:
        yield f"charts, game: should be {game.slug}."
        return
    for problem in drafts.book_flaws(data, game):
        yield f"charts, {problem}."
