"""A match made of a file, and a branch: what a side knows of a match, now or at a snapshot, as one of its own."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Subquery

from firefight.columns import EarlierSeal, EarlierSeals, LoggedResult, MatchState, read_earlier_seals, read_rolls
from firefight.engine.values import Values
from firefight.games import chartbooks
from firefight.models import LogEntry, Match, Snapshot
from firefight.table.act import snapshots, writing
from firefight.table.act.episodes import find_episodes
from firefight.table.act.memory import without_collecting
from firefight.table.act.ports import the_ledger
from firefight.table.act.writing import GROWS
from firefight.table.seats import seating
from firefight.table.story import photos

from .archive import Archive
from .saving import dump_match, dump_now
from .shape import NAME_LENGTH

BRANCHED, OPENED = "What if", "From a file"  # the chapters with which such matches begin


@dataclass(frozen=True, slots=True)
class Loaded:
    """A new match, and each seat's token."""

    match: Match
    tokens: dict[str, str] = field(repr=False)


@without_collecting()
def make_match(archive: Archive, hot_seat: bool, name: str = "", is_branch: bool = False) -> Loaded:
    """Make a new match that goes on where the archive stands, with dice and seats of its own.

    A branch is open even if the match that it comes from has ended. Raises BadArchive, and then nothing is stored.
    """
    saved = archive.match
    match = Match(
        game=saved["game"],
        name=name or saved["name"],
        hot_seat=hot_seat,
        state=MatchState.from_json(saved["state"]),
        earlier_dice=_seals(saved),
        version=saved["version"],
        last_number=archive.lines,
        next_roll=saved["rolls_made"] + 1,
        weight=_weigh_lines(archive),
        ended=None if is_branch or saved["ended"] is None else datetime.fromisoformat(saved["ended"]),
    )
    entries = _make_entries(match, archive.data["log"])
    match.digest = saved.get("digest") or _chain_old_lines(entries)
    # A long log takes its time, so it is read and chained before anybody who writes has to wait.
    with transaction.atomic():
        match.book = chartbooks.store(saved["game"], archive.data["charts"])
        match.save(force_insert=True)
        LogEntry.objects.bulk_create(entries)
        Snapshot.objects.bulk_create(
            Snapshot(match=match, state=None, **chapter) for chapter in archive.data["chapters"]
        )
        for photo in archive.data.get("photos", ()):
            photos.store_sound_photo(match, photo)
        if archive.data["ledger"] is not None:
            the_ledger().load(match, archive.data)
        sentence = _say_origin(match, archive, is_branch)
        writing.record(match, None, LogEntry.Kind.SEAT, "", sentence, inputs=writing.describe_match_head(match))
        match.save(update_fields=["state", *GROWS])
        label = BRANCHED if is_branch else OPENED
        snapshots.take_snapshot(match, match.version, label, dump_now(match)["ledger"])
        return Loaded(match, seating.create_seats(match, archive.seats))


def _seals(saved: Values) -> EarlierSeals:
    """The seals of all rolls so far: those of the match itself are the last, if it has rolled at all."""
    earlier_seals = read_earlier_seals(saved["earlier_dice"])
    if saved["rolls_made"] == (earlier_seals[-1].to if earlier_seals else 0):
        return earlier_seals
    return (*earlier_seals, EarlierSeal(saved["id"], saved["rolls_made"], saved["commitment"], saved["seed"]))


def _weigh_lines(archive: Archive) -> int:
    """What weigh_entry adds up for all lines, counted at once."""
    return len(json.dumps(archive.data["log"], ensure_ascii=False).encode())


def _make_entries(match: Match, lines: Sequence[Values]) -> list[LogEntry]:
    """The lines of a file as rows that are not written yet."""
    is_old = not any("episode" in line for line in lines)
    begins = find_episodes(lines) if is_old else {line["number"]: line.get("episode") for line in lines}
    return [_entry(match, {**line, "episode": begins.get(line["number"])}) for line in lines]


def _entry(match: Match, line: Values) -> LogEntry:
    result = line.get("result")
    typed = {
        "at": datetime.fromisoformat(line["at"]),
        "result": None if result is None else LoggedResult.from_json(result),
        "rolls": read_rolls(line.get("rolls", ())),
    }
    # A blank act given by its column spares a look-up of what an act's key would be by default.
    return LogEntry(match_id=match.pk, act_id=None, **{**line, **typed})


def _chain_old_lines(entries: list[LogEntry]) -> str:
    """Chain the lines of a file from before lines had digests; returns the last one's."""
    for entry in entries:
        if entry.voided_by:
            entries[entry.voided_by - 1].voids.append(entry.number)
    digest = ""
    for entry in entries:
        digest = writing.chain_entry(entry, digest)
    return digest


def _say_origin(match: Match, archive: Archive, is_branch: bool) -> str:
    source = "branches off from" if is_branch else "goes on from a file of"
    origin = f"This match {source} “{archive.match['name']}”, at № {archive.lines}. {' '.join(archive.missing)}"
    return f"{origin} Its dice are sealed anew, as {match.commitment}."


def find_origin(match: Match) -> LogEntry | None:
    """The line that says what a match goes on from, None if it began by itself. One query, by the chapter that it
    begins."""
    began = match.snapshots.filter(label__in=(BRANCHED, OPENED)).order_by("-number").values("number")[:1]
    return match.log.filter(number=Subquery(began), kind=LogEntry.Kind.SEAT, side="").first()


def branch(match: Match, sees: tuple[str, ...], hot_seat: bool, at: Snapshot | None = None) -> Loaded:
    """What if: a match of its own that goes on from what these sides know, now or as at a snapshot."""
    name = f"{match.name.removesuffix(WHAT_IF)[: NAME_LENGTH - len(WHAT_IF)]}{WHAT_IF}"
    return make_match(Archive(dump_match(match, sees, at)), hot_seat, name, is_branch=True)


WHAT_IF = ", what if"
