"""Ask the copy that serves on this machine whether it is well: for containers and monitors."""

import http.client
import json
import os

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from .play import chosen_port

PATIENCE = 5  # seconds


class Command(BaseCommand):
    help = "Exit 0 if the app that serves on PORT of this machine is well, else 1, saying why."

    def handle(self, **options: object) -> None:
        port = chosen_port(os.environ.get("PORT") or "8000")
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        # It only answers to the names that its players use, so this uses one of them.
        names = [name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"]
        try:
            link.request("GET", "/health/", headers={"Host": names[0] if names else "localhost"})
            answer = link.getresponse()
            plain = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise CommandError(f"Nobody well answers on port {port}: {error}.") from error
        finally:
            link.close()
        if answer.status != 200:
            raise CommandError(f"Database: {plain['database']}. Disk: {plain['disk']}.")
        self.stdout.write(f"Volga Ledger {plain['version']} is well.")
