"""The settings of a server that has the bare view beside the app."""

from config.settings import *  # noqa: F403 - all of them, and the few below instead

ROOT_URLCONF = "bare"
