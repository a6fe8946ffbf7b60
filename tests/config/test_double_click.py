"""`play --open`, in which start.bat and start.command end: a browser opens, and a second start finds the first."""

import os
import socket
import time

import pytest

from tests import server

pytestmark = [pytest.mark.slow, pytest.mark.long]


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """The addresses that the browser was told to open, one a line."""
    file = tmp_path / "opened"
    file.touch()
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {file}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    return file


def double_click(folder, port):
    words = ("play", "--open")
    return server.Served(str(folder), port, server.run_manage(*words, VOLGA_DATA=str(folder), PORT=str(port)))


def wait_for_lines(file, number):
    deadline = time.monotonic() + server.LONG
    while len(lines := file.read_text().splitlines()) < number and time.monotonic() < deadline:
        time.sleep(0.1)
    return lines


@pytest.mark.skipif(os.name == "nt", reason="browsers are chosen otherwise there")
def test_a_double_click_opens_the_browser_and_a_second_one_the_copy_that_runs(tmp_path, opened):
    port = server.free_port()
    with socket.socket() as somebody:  # another program has the port, and nobody is here to choose one
        somebody.bind(("127.0.0.1", port))
        first = double_click(tmp_path, port)
        try:
            (address,) = wait_for_lines(opened, 1)
            assert address.startswith("http://127.0.0.1:")
            assert address != f"http://127.0.0.1:{port}/"
            first.port = int(address.rstrip("/").rsplit(":", 1)[1])
            assert first.ask("/health/")[0] == 200
            assert (tmp_path / "address").read_text() == address  # which commands begin their links with

            second = double_click(tmp_path, port)
            output, _ = second.process.communicate(timeout=server.LONG)
            assert second.process.returncode == 0
            assert f"Volga Ledger runs already at {address}" in output
            assert wait_for_lines(opened, 2) == [address, address]
        finally:
            server.end(first.process)
