"""What a host can monitor: matches, lines of their logs, and the size of the database, for Prometheus.

Requests by view and status, including polls, and their latencies are counted by django-prometheus, in one file for each
worker in PROMETHEUS_MULTIPROC_DIR; here they are combined with what the database says when somebody asks.
"""

from collections.abc import Iterator
from pathlib import Path

from django.db import connection
from django.db.models import Count, Sum
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from firefight.models import Match


class Stored(Collector):
    """What the database holds."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """One query over the matches, and the size."""
        matches = GaugeMetricFamily(
            "volga_matches", "Matches by game, and whether they have ended.", labels=["game", "ended"]
        )
        acts = GaugeMetricFamily("volga_acts", "Acts of all matches that are stored, by game.", labels=["game"])
        lines = GaugeMetricFamily("volga_log_lines", "Lines of all logs that are stored, by game.", labels=["game"])
        counted = (
            Match.objects.order_by("game")
            .values_list("game")
            .annotate(Count("pk"), Count("ended"), Sum("version"), Sum("last_number"))
        )
        for game, number, over, acted, logged in counted:
            matches.add_metric([game, "yes"], over)
            matches.add_metric([game, "no"], number - over)
            acts.add_metric([game], acted)
            lines.add_metric([game], logged)
        yield from (matches, acts, lines)
        yield GaugeMetricFamily("volga_database_bytes", "How large the database is.", measure_database())


def measure_database() -> int:
    """Bytes of the database, with SQLite's log of changes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    files = (Path(f"{connection.settings_dict['NAME']}{ending}") for ending in ("", "-wal"))
    return sum(file.stat().st_size for file in files if file.is_file())


def write_figures() -> bytes:
    """Everything, in Prometheus's text format."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library is untyped
    registry.register(Stored())
    return generate_latest(registry)
