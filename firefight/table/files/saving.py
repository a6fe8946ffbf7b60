"""Writing a match as a file: its plain values, with the sealed things of some sides only."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from firefight.columns import MatchState
from firefight.engine.values import Json, Values
from firefight.games import registry
from firefight.hosting.moments import one_moment
from firefight.models import ChartBook, LogEntry, Match, Snapshot
from firefight.table.act import snapshots, writing
from firefight.table.act.memory import without_collecting
from firefight.table.act.ports import ledger_of, the_ledger
from firefight.table.act.table import OBSERVER, Table
from firefight.table.board import stores
from firefight.table.files import sealing
from firefight.table.log import fairness, reading
from firefight.table.seats import box_keys
from firefight.table.story import photos

from .packing import pack_long
from .shape import _LINE_FIELDS, _LINE_NEEDS, FORMAT, LARGEST, SCHEMA, largest_of
from .unplayed import pack_unplayed


@without_collecting()
def dump_match(match: Match, sees: tuple[str, ...], at: Snapshot | None = None) -> dict[str, object]:
    """A match as plain values, with the sealed things of these sides only; as it stands, or as at a snapshot.

    What was sealed at the snapshot and opened later is sealed in it. The dice's seed is in it once the match has ended.
    """
    with one_moment():
        return _gather(match, at).known_to(_with_unplayed(match, sees))


@dataclass(frozen=True, slots=True)
class WholeMatch:
    """Everything of a match that a file may hold, both sides' secrets among it; ``snapshot``: as a snapshot has it.

    ``earlier``: what its ledger says about each chapter's beginning, nothing without a ledger.
    """

    match: Match
    snapshot: Values
    ended: datetime | None
    entries: Sequence[LogEntry]
    charts: Values
    chapters: Sequence[Values]
    earlier_dice: Any
    earlier: Any

    def known_to(self, sees: tuple[str, ...], lines: list[Json] | None = None) -> Json:
        """What these sides know of it, as docs/archive.md says. ``lines``: the log, where it is known already."""
        match, snapshot = self.match, self.snapshot
        lines = list(_list_lines(self.entries, sees)) if lines is None else lines
        plain = {
            "format": FORMAT,
            "schema": SCHEMA,
            "app": settings.VERSION,
            "written": timezone.now().isoformat(timespec="seconds"),
            "sees": sorted(sees),
            "match": {
                "id": match.pk,
                "game": match.game,
                "name": match.name,
                "hot_seat": match.hot_seat,
                "state": _known_state(match, snapshot["state"], sees),
                "version": snapshot["version"],
                "ended": self.ended and self.ended.isoformat(),
                "rolls_made": snapshot["rolls_made"],
                "digest": lines[-1].get("digest", "") if lines else "",
                "commitment": match.commitment,
                "seed": match.seed if self.ended else None,
                "earlier_dice": self.earlier_dice,
            },
            "charts": self.charts,
            "chapters": self.chapters,
            "log": lines,
            "ledger": None,
        }
        if pictures := photos.write_photos(match, self.entries, sees):
            plain["photos"] = pictures
        if snapshot["ledger"] is not None:
            # What was under seal in chapters that are over is open to all once the match has ended.
            knew = tuple(registry.games()[match.game].sides) if self.ended else sees
            plain["ledger"] = the_ledger().narrowed(match, snapshot["ledger"], sees, self.earlier, knew)
        return plain

    def know_more(self, own_file: Values, side: str) -> Json:
        """What is known to whoever may know what is in a file, and a further side's things too.

        What is the same in both is one object: a log is long, and mostly known to all.
        """
        withheld = [entry for entry in self.entries if entry.side == side and entry.revealed_by is None and entry.salt]
        sees = (*own_file["sees"], side)
        more_lines = {line["number"]: line for line in _as_written(list(_list_lines(withheld, sees)))}
        lines = [more_lines.get(line["number"], line) for line in own_file["log"]]
        plain = self.known_to(sees, lines)
        short = _as_written({name: value for name, value in plain.items() if name not in ("log", "charts")})
        return {**plain, **short, "charts": own_file["charts"]}


def _gather(match: Match, at: Snapshot | None = None) -> WholeMatch:
    """Read all of a match, as it stands or as at a snapshot."""
    match = Match.objects.select_related("book").get(pk=match.pk)
    snapshot = (at.state if at else None) or dump_now(match)
    chapters = _find_chapters(match, at)
    return WholeMatch(
        match=match,
        snapshot=snapshot,
        ended=match.ended if at is None else None,
        entries=_entries(match, at),
        charts=_book(match, snapshot["book"]).data,
        chapters=[{"number": chapter.number, "label": chapter.label} for chapter in chapters],
        earlier_dice=fairness.earlier_dice(match),
        earlier=the_ledger().gather_earlier(match, chapters) if snapshot["ledger"] else None,
    )


@without_collecting()
def dump_file(table: Table, sees: tuple[str, ...]) -> bytes:
    """A match as a file: what these sides know, and under seal what every other one does; a long one packed.

    What sides know that nobody plays is packed in it, or whoever looks into a file would learn it by accident. Each
    other side's things are in a box that only its own player can open (sealing.py), unless the file would become too
    large to be read again. An observer's file has no boxes.
    """
    seats = {seat.side: seat for seat in table.seats if seat.side != OBSERVER}
    knows = _with_unplayed(table.match, sees)
    other_sides = seats.keys() - set(knows) if sees else ()
    keys = box_keys.find_keys(table.seats) if other_sides else {}
    for side in (side for side in other_sides if side not in keys):
        keys[side] = [box_keys.renew_key(seats[side])]
    with one_moment():
        whole_match = _gather(table.match)
        own_file = sent = _as_written(whole_match.known_to(knows))
        if knows != sees:
            sent = pack_unplayed(_as_written(whole_match.known_to(sees)), own_file, table.game)
        text_of = _write_json(sent)
        room, sealed = largest_of(table.game) - len(text_of.encode()) - ROOM_LEFT, {}
        for side in (side for side in seats if side in other_sides):
            box = sealing.seal_box(keys[side][0], own_file, whole_match.know_more(own_file, side))
            if box and len(box["box"]) < room:
                sealed[side], room = box, room - len(box["box"])
    if not sealed:
        return pack_long(text_of)
    own_keys = {side: [key.secret for key in keys.get(side, ())] for side in own_file["sees"] if side in seats}
    whole = pack_long(_write_json({**sent, "keys": own_keys, "sealed": sealed}))
    return whole if len(whole) <= LARGEST else pack_long(text_of)


ROOM_LEFT = 10_000  # bytes for keys, and for what a file of the match made of this one has in addition


def _write_json(values: object) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _as_written(values: Any) -> Any:
    """Values as whoever reads the file will find them."""
    return json.loads(_write_json(values))


def _with_unplayed(match: Match, sees: tuple[str, ...]) -> tuple[str, ...]:
    """Whose secrets a file holds: those of a side that nobody plays, too, since the match could not go on without."""
    unplayed = registry.games()[match.game].find_unplayed(match.state.options, sees)
    return (*sees, *sorted(unplayed - set(sees)))


def _known_state(match: Match, plain: Mapping[str, object], sees: tuple[str, ...]) -> dict[str, object]:
    """A state as these sides know it: what the others hide is as when the match began, or is not due."""
    state = MatchState.from_json(plain)
    record = registry.games()[match.game].record.strip(state.record, sees)
    counters = stores.narrow_state(match.game, state.counters, sees)
    state = replace(state, queue=state.queue_for(sees), proposed=state.proposed_for(sees))
    return replace(state, record=record, counters=counters, ledger="").to_json()


def dump_now(match: Match) -> Json:
    """What a snapshot of this moment would hold."""
    rows = ledger_of(match).dump(match)
    return snapshots.state_of(match, match.version, rows)


def _book(match: Match, digest: str) -> ChartBook:
    """The charts that a match had pinned, if they are still there."""
    return match.book if digest == match.book_id else ChartBook.objects.filter(pk=digest).first() or match.book


def _find_chapters(match: Match, at: Snapshot | None) -> list[Snapshot]:
    """The chapters so far, oldest first; how things stood in them is of use only to a ledger."""
    all_chapters = match.snapshots.order_by("number")
    chapters = all_chapters.filter(number__lte=at.number) if at else all_chapters
    return list(chapters if ledger_of(match).leads else chapters.defer("state"))


def _entries(match: Match, at: Snapshot | None) -> list[LogEntry]:
    """The log, oldest first. Marks that point beyond the snapshot are not set yet."""
    entries = match.log.order_by("number")
    if at is None:
        return list(entries)
    entries_then = list(entries.filter(number__lte=at.number))
    for entry in entries_then:
        entry.voided_by = entry.voided_by if (entry.voided_by or 0) <= at.number else None
        entry.revealed_by = entry.revealed_by if (entry.revealed_by or 0) <= at.number else None
    return entries_then


def _list_lines(entries: Iterable[LogEntry], sees: tuple[str, ...]) -> Iterator[Json]:
    """The log as these sides know it, blank values left out."""
    for line in reading.visible(entries, sees):
        plain = {name: writing.value_of(line, name) for name in _LINE_FIELDS} | {
            "kind": str(line.kind),
            "at": line.at.isoformat(),
        }
        yield {
            name: plain[name] for name in _LINE_FIELDS if name in _LINE_NEEDS or plain[name] not in (None, "", {}, [])
        }
