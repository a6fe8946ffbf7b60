"""Which address a start prints and remembers: one at which the app answers."""

import pytest

from firefight.hosting.listening import find_home

LOCAL = ["localhost", "127.0.0.1", "[::1]"]


@pytest.mark.parametrize(
    ("host", "hosting", "home"),
    [
        ("127.0.0.1", {}, "http://127.0.0.1:8000/"),
        ("0.0.0.0", {"ALLOWED_HOSTS": [*LOCAL, "ledger.example"]}, "http://127.0.0.1:8000/"),
        ("127.0.0.1", {"ALLOWED_HOSTS": ["*"]}, "http://127.0.0.1:8000/"),
        ("127.0.0.1", {"ALLOWED_HOSTS": ["ledger.example"]}, "http://ledger.example:8000/"),
        ("127.0.0.1", {"ALLOWED_HOSTS": [".club.example"], "BEHIND_PROXY": True}, "http://club.example/"),
        (
            "127.0.0.1",
            {"ALLOWED_HOSTS": ["ledger.example"], "BEHIND_PROXY": True, "SECURE_SSL_REDIRECT": True},
            "https://ledger.example/",
        ),
        (
            "127.0.0.1",
            {"ALLOWED_HOSTS": ["ledger.example"], "PUBLIC_ADDRESS": "https://ledger.example:8443"},
            "https://ledger.example:8443/",
        ),
        ("192.168.1.5", {"ALLOWED_HOSTS": ["192.168.1.5"]}, "http://192.168.1.5:8000/"),
        ("192.168.1.5", {"ALLOWED_HOSTS": [*LOCAL, "192.168.1.5"]}, "http://192.168.1.5:8000/"),
    ],
)
def test_a_start_names_an_address_at_which_it_answers(settings, host, hosting, home):
    for name, value in ({"ALLOWED_HOSTS": LOCAL, "BEHIND_PROXY": False, "PUBLIC_ADDRESS": ""} | hosting).items():
        setattr(settings, name, value)
    assert find_home(host, 8000) == home
