"""Tokens: long random words that are capabilities. They are stored hashed, so whoever reads the rows holds nothing."""

import hashlib

from django.utils.crypto import salted_hmac


def hash_token(token: str) -> str:
    """How a token is stored. It is long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def hash_keyed(use: str, value: str) -> str:
    """How something that could be guessed is stored, such as an address: nobody without the host's key can try."""
    return salted_hmac(use, value, algorithm="sha256").hexdigest()
