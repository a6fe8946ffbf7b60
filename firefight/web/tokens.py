"""Tokens: long random words that grant access. They are stored hashed, so reading the rows grants none."""

import hashlib


def hash_token(token: str) -> str:
    """How a token is stored. It is long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
