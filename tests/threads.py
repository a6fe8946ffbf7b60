"""Jobs that run at the same moment, each with a thread and a connection of its own; also coroutines in a thread."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connection


def at_once(*jobs):
    """Run every job in a thread of its own, all released together; returns their answers in order."""
    barrier = threading.Barrier(len(jobs))

    def run(job):
        try:
            connection.ensure_connection()
            barrier.wait(timeout=20)
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [answer.result(timeout=120) for answer in [pool.submit(run, job) for job in jobs]]


def run_coroutine(coroutine):
    """Run a coroutine to its end in a thread of its own, and return what it returns.

    Once a browser test has run, Playwright's event loop is at work in the tests' own thread, and asyncio.run refuses
    a second one there.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result(timeout=120)
