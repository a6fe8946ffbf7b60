"""Tokens: long random words that are capabilities. They are stored hashed, so whoever reads the rows holds nothing."""

import hashlib


def hash_token(token: str) -> str:
    """How a token is stored. It is long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
