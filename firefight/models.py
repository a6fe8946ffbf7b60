"""Rows that hold facts: matches, their seats, the acts done in them, and the log of the acts.

Where a foreign key has no index of its own, a unique constraint that starts with it serves instead.
"""

import base64
import json
import secrets
import uuid
import zlib
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from firefight.engine.values import Json

from .columns import (
    EarlierSeals,
    LessonState,
    LoggedResult,
    MatchState,
    Proposal,
    Rolled,
    Rolls,
    TypedColumn,
    Undo,
    read_earlier_seals,
    read_rolls,
    write_earlier_seals,
    write_rolls,
)
from .engine.rolls import dice


def new_match_id() -> str:
    """A short id for the address bar. By itself it gives no access: seats do."""
    return secrets.token_hex(6)


def new_seed() -> str:
    """The secret from which a match's dice are derived, in hex."""
    return secrets.token_hex(32)


if TYPE_CHECKING:
    AnyText = models.TextField[object, Any]
else:
    AnyText = models.TextField


class PlainField(AnyText):
    """Plain values, kept as JSON text: this keeps the order of a table's keys, which PostgreSQL's jsonb does not."""

    def from_db_value(self, value: str | None, expression: object, connection: Any) -> object:
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: object) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def to_python(self, value: object) -> Any:
        return value

    def value_to_string(self, obj: models.Model) -> Any:
        return self.value_from_object(obj)


class PackedField(PlainField):
    """Plain values whose text is compressed where that saves room; text stored before this is still read."""

    MARK, SHORT = "z", 500  # no JSON begins with this letter; below this many characters it does not pay

    def from_db_value(self, value: str | None, expression: object, connection: Any) -> object:
        if value is not None and value.startswith(self.MARK):
            value = zlib.decompress(base64.b85decode(value.removeprefix(self.MARK))).decode()
        return super().from_db_value(value, expression, connection)

    def get_prep_value(self, value: object) -> str | None:
        text = super().get_prep_value(value)
        if text is None or len(text) < self.SHORT:
            return text
        return self.MARK + base64.b85encode(zlib.compress(text.encode())).decode()


class ChartBook(models.Model):
    """One version of a complete set of charts, known by the digest of its values.

    A row is never edited: matches pin it.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    game = models.CharField(max_length=40)
    name = models.CharField(max_length=80)
    data: "models.Field[Json, Json]" = PlainField()
    shipped = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["game", "shipped"])]

    def __str__(self) -> str:
        return self.name


class OnShelf(models.Model):
    """What a browser has on its shelf, as its owner is typing it; what can be used are the versions stored from it.

    ``owner``: the hash of a key that a browser keeps, or "host" for what everybody may use and nobody edits.
    ``data``: the raw texts of each part that differs in any way from what it is based on. ``versions``: the digests of
    all stored versions, oldest first. ``share``: the hash of the read-only link's token.
    ``revision`` rises with every save, so that a page that has missed one cannot overwrite it.
    """

    id = models.CharField(max_length=12, primary_key=True, default=new_match_id, editable=False)
    name = models.CharField(max_length=80)
    owner = models.CharField(max_length=64, db_index=True)
    data: "models.Field[Json, Json]" = PlainField()
    versions = models.JSONField(default=list)
    share = models.CharField(max_length=64, blank=True)
    revision = models.PositiveIntegerField(default=1)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


class Draft(OnShelf):
    """A chart book on a shelf: the charts that differ from ``based_on``. ``version``: the newest that matches can use.

    The host's books are drafts as well, so nothing else needs to know about them.
    """

    game = models.CharField(max_length=40)
    based_on = models.ForeignKey(ChartBook, on_delete=models.PROTECT, related_name="+")
    version = models.ForeignKey(ChartBook, on_delete=models.PROTECT, null=True, default=None, related_name="+")


class OwnSheet(OnShelf):
    """A sheet of a game on a shelf, as its owner is typing it: units, hexes, cards (``Game.sheets``).

    ``sheet``: which one, by its slug. ``data``: under "parts" the texts of its cells, under "kept" the newest versions,
    each a text by its digest. Matches copy the text, so nothing else depends on a row.
    """

    game = models.CharField(max_length=40)
    sheet = models.CharField(max_length=40)


class Match(models.Model):
    """Two sides sitting down to one game.

    ``state`` is what acts change and taking back restores. ``next_roll`` only ever rises, so that a taken-back roll
    keeps its number.

    ``proposal``: what one side asks and the other has not answered.
    ``weight``: bytes of its log, about. ``expires``: when ``manage.py expire`` may delete it, whoever plays in it; None
    for a match that is not a copy of the demo.
    ``digest``: of the newest line of the log, which the next one includes.

    ``story_hash``: of the token in the link with which anybody may read the story of an ended match; "" for none.
    ``locked``: since when the host has let nobody act in it; normally None.
    ``lesson``: which lesson it is, and what was opened of it (table/lessons.py); None for any other match.

    ``earlier_dice``: for a match that goes on from a file or a snapshot, the seals of the rolls before it,
    oldest first.
    """

    id = models.CharField(max_length=12, primary_key=True, default=new_match_id, editable=False)
    game = models.CharField(max_length=40)
    name = models.CharField(max_length=60)
    hot_seat = models.BooleanField(default=False)
    book = models.ForeignKey(ChartBook, on_delete=models.PROTECT)
    seed = models.CharField(max_length=64, default=new_seed, editable=False)
    state: "models.Field[MatchState, MatchState]" = TypedColumn(MatchState.from_json, MatchState.to_json, default=dict)
    proposal: "models.Field[Proposal | None, Proposal | None]" = TypedColumn(
        Proposal.from_json, Proposal.to_json, null=True, default=None
    )
    earlier_dice: "models.Field[EarlierSeals, EarlierSeals]" = TypedColumn(
        read_earlier_seals, write_earlier_seals, default=list
    )
    version = models.PositiveIntegerField(default=1)
    last_number = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    next_roll = models.PositiveIntegerField(default=1)
    weight = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, default=None)
    expires = models.DateTimeField(null=True, default=None, db_index=True)
    story_hash = models.CharField(max_length=64, blank=True, default="", db_index=True)
    locked = models.DateTimeField(null=True, default=None)
    lesson: "models.Field[LessonState | None, LessonState | None]" = TypedColumn(
        LessonState.from_json, LessonState.to_json, null=True, default=None
    )

    drawn: list[Rolled]  # what the app has rolled in the act that is being done
    counter_store: Any  # its counters (table/board/counters.py), while somebody reads or changes them

    def __str__(self) -> str:
        return self.name

    @property
    def commitment(self) -> str:
        """What is published of the seed from the start."""
        return dice.commitment(bytes.fromhex(self.seed))


class Seat(models.Model):
    """A side in a match, or the observers' bench.

    ``token_hash``: of the seat's link, which invites to a free seat and is the holder's own way back to a taken one;
    "" once it is used up. ``claimed``: when the seat was first taken, None while it is free. ``missed``: since when the
    other side has reported the seat lost. ``generation`` rises when devices are put out; it ends the cookies of
    version 0.1.0, which held seats by themselves.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    side = models.CharField(max_length=16)
    token_hash = models.CharField(max_length=64, blank=True, db_index=True)
    generation = models.PositiveIntegerField(default=1)
    claimed = models.DateTimeField(null=True, default=None)
    wants_deletion = models.BooleanField(default=False)
    missed = models.DateTimeField(null=True, default=None)
    pin = models.CharField(max_length=128, blank=True)
    pin_failures = models.PositiveSmallIntegerField(default=0)
    pin_locked_until = models.DateTimeField(null=True, default=None)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "side"], name="one_seat_a_side")]

    # What a query of table/seats/seating.py says about the browser that asks.
    device: int | None
    seen: datetime
    uncovered: str
    read: int
    visit: int
    arrived: int

    def __str__(self) -> str:
        return f"{self.side} in {self.match_id}"


class Device(models.Model):
    """A browser that holds a seat. Its cookie has a key, this row the key's hash.

    ``name``: the browser in plain words. ``seen``: roughly when it last looked. ``uncovered``: while the hot-seat
    cover is lifted for this side, the hash of a word that the device got when it was lifted; "" under the cover.
    ``read``: the last line of the log that it was shown. ``visit`` and ``arrived``: what it had read, and how far the
    log went, when its present visit began.
    """

    key = models.CharField(max_length=64)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="devices")
    name = models.CharField(max_length=60)
    since = models.DateTimeField(default=timezone.now)
    seen = models.DateTimeField(default=timezone.now)
    uncovered = models.CharField(max_length=64, blank=True)
    read = models.PositiveIntegerField(default=0)
    visit = models.PositiveIntegerField(default=0)
    arrived = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "seat"], name="one_row_a_device_and_seat")]

    is_this_browser: bool  # whether it is the browser that asks

    def __str__(self) -> str:
        return f"{self.name} at {self.seat_id}"


class Subscription(models.Model):
    """A way to notify the player of a seat that it is their turn, besides the pages.

    ``address``: of a webhook or a mailbox; blank for a feed, whose reader asks. ``token``: the hash of the secret word
    in a feed's address; "asked" for a mailbox that was asked whether it wants mails. ``confirmed``: when it said yes.
    ``told``: the match's version that was last looked at, and ``awaited``: whether it was this seat's turn then.
    ``failures``: how many times in a row nobody could be reached; ``trouble`` says why.
    """

    class Kind(models.TextChoices):
        FEED = "feed"
        WEBHOOK = "webhook"
        MAIL = "mail"

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="subscriptions", db_index=False)
    kind = models.CharField(max_length=8, choices=Kind)
    address = models.CharField(max_length=500, blank=True)
    token = models.CharField(max_length=64, blank=True, db_index=True)
    since = models.DateTimeField(default=timezone.now)
    confirmed = models.DateTimeField(null=True, default=None)
    told = models.PositiveIntegerField(default=0)
    awaited = models.BooleanField(default=False)
    failures = models.PositiveSmallIntegerField(default=0)
    trouble = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "kind"], name="one_subscription_a_kind")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.seat_id}"


class Mailbox(models.Model):
    """A mailbox that was asked whether it wants mails, or has refused them (table/seats/mailboxes.py). Kept for a year.

    ``address``: a keyed hash, never the address. ``asked``: when it was last asked; ``refused``: when it said no.
    """

    address = models.CharField(max_length=64, unique=True)
    asked = models.DateTimeField(db_index=True)
    refused = models.DateTimeField(null=True, default=None)

    def __str__(self) -> str:
        return f"a mailbox asked at {self.asked}"


class FileKey(models.Model):
    """A key that opens what other sides' files hold of a seat's sealed things (files/sealing.py); the newest counts.

    ``secret``: the private half, base64. ``wrapped``: the same, sealed to the way back that was issued with it; blank
    while there is none.
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="file_keys")
    secret = models.CharField(max_length=44)
    wrapped = models.CharField(max_length=120, blank=True)
    since = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"file key of {self.seat_id}"


class Act(models.Model):
    """One thing that a seat did: one POST, one transaction. The id comes from the form and is used once.

    ``state_undo`` and ``undo`` are what taking it back restores: the match's state, and rows of a ledger, as the
    differences that the act made. They are dropped once it can no longer be taken back. ``state_before``: the whole
    state before it, for an act that version 0.1.0 stored.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="acts", db_index=False)
    number = models.PositiveIntegerField()
    side = models.CharField(max_length=16)
    state_before: "models.Field[MatchState | None, MatchState | None]" = TypedColumn(
        MatchState.from_json, MatchState.to_json, null=True, default=None
    )
    state_undo = models.JSONField(null=True, default=None)
    undo: "models.Field[Undo | None, Undo | None]" = TypedColumn(Undo.from_json, Undo.to_json, null=True, default=None)
    free_to_take_back = models.BooleanField(default=True)
    taken_back = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="acts_in_order")]

    def __str__(self) -> str:
        return f"{self.side} {self.id}"


class LogEntry(models.Model):
    """One line of a match's log. It is never edited; ``voided_by`` and ``revealed_by`` point to later lines.

    ``at``: the time of its act, so that an exported log tells which lines are of one act.
    ``voids``: the numbers of the lines that this one strikes. ``app``: the version whose rules worked the result out.
    ``digest`` chains the line to the one before (engine/chain.py); in it ``secret_digest`` stands for ``secret`` and
    its inputs, which ``salt`` keeps from being guessed. ``secret`` and ``salt`` are blank where a file withheld them.
    ``touches``: the ids of the counters that it is about, " red-7 blue-3 ", so that a query can find one of them.
    ``episode``: the number of the line that began its episode (act/episodes.py); None for that line itself.
    """

    class Kind(models.TextChoices):
        ROLL = "roll"
        NOTE = "note"
        SEALED = "sealed"
        REVEAL = "reveal"
        TURN = "turn"
        RECORD = "record"
        COUNTER = "counter"
        DROP = "drop"
        SPENT = "spent"
        PHOTO = "photo"
        SEAT = "seat"
        LEDGER = "ledger"
        BOOK = "book"
        TAKE_BACK = "take_back"
        PROPOSAL = "proposal"
        END = "end"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="log", db_index=False)
    act = models.ForeignKey(Act, on_delete=models.CASCADE, related_name="entries", null=True)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=16, choices=Kind)
    side = models.CharField(max_length=16)
    at = models.DateTimeField(default=timezone.now)
    sentence = models.TextField()
    secret = models.TextField(blank=True)
    salt = models.CharField(max_length=32, blank=True)
    secret_digest = models.CharField(max_length=64, blank=True)
    helper = models.CharField(max_length=40, blank=True)
    due = models.CharField(max_length=24, blank=True)
    inputs = models.JSONField(default=dict)
    result: "models.Field[LoggedResult | None, LoggedResult | None]" = TypedColumn(
        LoggedResult.from_json, LoggedResult.to_json, null=True, default=None
    )
    rolls: "models.Field[Rolls, Rolls]" = TypedColumn(read_rolls, write_rolls, default=list)
    about = models.PositiveIntegerField(null=True, default=None)
    touches = models.TextField(blank=True, default="")
    episode = models.PositiveIntegerField(null=True, default=None)
    voids = models.JSONField(default=list)
    app = models.CharField(max_length=40, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    voided_by = models.PositiveIntegerField(null=True, default=None)
    revealed_by = models.PositiveIntegerField(null=True, default=None)
    texts: Mapping[str, str] = {}  # the JSON of columns, where it has been written already

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="numbered_without_gaps")]
        # Few lines are struck, opened or under seal, and acts ask which: these keep that fast however long the log is.
        indexes = [
            models.Index(fields=["match", "voided_by"], condition=Q(voided_by__isnull=False), name="lines_struck"),
            models.Index(fields=["match", "revealed_by"], condition=Q(revealed_by__isnull=False), name="lines_opened"),
            models.Index(fields=["match"], condition=~Q(secret=""), name="lines_under_seal"),
        ]

    def __str__(self) -> str:
        return f"№ {self.number}: {self.sentence}"


class Snapshot(models.Model):
    """A match as it stood after line ``number`` of its log, to branch off from. Both sides' secrets are in it.

    ``label`` says in the players' words where that was; a report uses it as a chapter's title. ``state``: what the
    archive keeps of a match besides its log, which only grows and therefore need not be copied; None for a chapter that
    came with a file, which has nothing but its title.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="snapshots", db_index=False)
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=80)
    state: "models.Field[Json | None, Json | None]" = PackedField(null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="one_snapshot_a_line")]

    def __str__(self) -> str:
        return f"{self.label} (№ {self.number})"


class Photo(models.Model):
    """A picture of the board attached to a line of the log, re-encoded here: a JPEG with nothing else in it.

    ``number``: of the line that attached it, which says who may see it.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="photos", db_index=False)
    number = models.PositiveIntegerField()
    data = models.BinaryField()
    size = models.PositiveIntegerField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="one_photo_a_line")]

    def __str__(self) -> str:
        return f"№ {self.number}: {self.width} × {self.height}"


class Making(models.Model):
    """A record that a visitor made something new, so that nobody fills the disk. After an hour a row is of no use.

    ``visitor``: a keyed hash of an address or of a browser's mark, never the address. ``size``: roughly, in bytes.
    """

    visitor = models.CharField(max_length=64)
    at = models.DateTimeField(db_index=True)
    size = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=["visitor", "at"])]

    def __str__(self) -> str:
        return f"{self.size} bytes at {self.at}"
