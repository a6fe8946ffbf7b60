"""Jobs that run at the same moment, each in a thread and with a connection of its own."""

import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connection


def at_once(*jobs):
    """Run every job in a thread of its own, all let go together; returns their answers in order."""
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
