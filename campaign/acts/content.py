"""A campaign goes on with other content, a newer version or somebody else's: both sides agree first."""

from campaign.ledger import content as content_store
from campaign.ledger.act import CampaignAct
from campaign.ledger.ledger import Ledger, load
from campaign.models import ContentBook
from campaign.rules.content import Used, find_losses
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry, Match, Snapshot
from firefight.table.act.act import MatchAct
from firefight.table.act.refusals import Refused
from firefight.table.act.undo import keep_rows


def refuse_content(match: Match, book: str) -> None:
    """Raise Refused with every reason why a campaign cannot go on with this content."""
    _check(load(match), book)


def take_content(act: MatchAct, book: str, label: str) -> str:
    """Play the campaign with other content from now on; returns what the log says about it. Raises Refused."""
    ledger = load(act.match)
    _check(ledger, book)
    before = ContentBook.objects.defer("data").get(pk=ledger.campaign.content_id)
    until_now = content_store.name_version(before.pk, before.name)
    ledger.campaign.content = ContentBook.objects.defer("data").get(pk=book)
    keep_rows(act.row, ledger.rows())
    return (
        f"Rosters, counters, cards and map from now on: {label}; until now “{until_now}”. "
        "What was bought, set up and fought stands."
    )


def put_right_points(act: MatchAct, side: str, points: int, reason: str) -> None:
    """Give a side CP by hand, or take them. Raises Unfit below a balance of 0."""
    ledger = load(act.match)
    side_act = CampaignAct(act.match, act.row, Side(side), ledger)
    balance = ledger.balance(side_act.side)
    side_act.pay(points, f"Put right by hand: {reason}")
    sentence = f"{side_act.name}: by hand, {points:+d} CP, to put right: {reason}."
    side_act.tell(sentence, secret=f"{balance + points} CP; was {balance} CP.")
    LogEntry.objects.bulk_create(side_act.entries)
    act.entries += side_act.entries
    keep_rows(act.row, ledger.rows())


def _check(ledger: Ledger, book: str) -> None:
    if book == ledger.campaign.content_id:
        raise Refused("The campaign uses this very content already.")
    if not ContentBook.objects.filter(pk=book).exists():
        raise Refused("This content is not there any more.")
    if ledger.stage is Stage.REORGANIZATION:
        raise Refused("Wait until the Reorganization Phase is over: its battles go on with what they began with.")
    new_content = content_store.read_pinned(book)
    if reasons := find_losses(ledger.content, new_content, ledger.campaign.card, find_used(ledger)):
        raise Refused(" ".join(reasons))


def find_used(ledger: Ledger) -> Used:
    """The counters and groups that the campaign has had so far, also in chapters that can be branched off from."""
    counters = {(side, unit.counter) for side in Side for unit in ledger.units[side].values()}
    boxes = {(side, group.rg): 0 for side in Side for group in ledger.groups[side].values()}
    for side in Side:
        for group in ledger.groups[side].values():
            boxes[side, group.rg] = max(boxes[side, group.rg], group.box or 0)
    for state in Snapshot.objects.filter(match=ledger.match).exclude(state=None).values_list("state", flat=True):
        for side in Side:
            rows = ((state or {}).get("ledger") or {}).get("rows", {}).get(side.value, {})
            counters |= {(side, row["counter"]) for row in rows.get("units", ())}
            for row in rows.get("groups", ()):
                boxes.setdefault((side, row["rg"]), row.get("box") or 0)
    return Used(frozenset(counters), boxes)
