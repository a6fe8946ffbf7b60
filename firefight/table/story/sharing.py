"""The link by which anybody may read the story of a match that has ended: stored hashed, withdrawn at will."""

import secrets

from firefight.models import Match
from firefight.table.act.refusals import Refused
from firefight.web.tokens import hash_token

TOO_EARLY = "A story is shared once the match has ended: until then it would tell what is still sealed."


def share_story(match: Match) -> str:
    """A new link's token, which is not kept; an older link opens nothing any more. Raises Refused before the end."""
    if not match.ended:
        raise Refused(TOO_EARLY)
    token = secrets.token_urlsafe(32)
    Match.objects.filter(pk=match.pk).update(story_hash=hash_token(token))
    return token


def withdraw_story(match: Match) -> None:
    """The link opens nothing any more."""
    Match.objects.filter(pk=match.pk).update(story_hash="")


def find_story(token: str) -> Match | None:
    """The match whose story a link opens, None for one that opens nothing."""
    return Match.objects.filter(story_hash=hash_token(token), ended__isnull=False).first()
