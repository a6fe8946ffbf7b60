"""The settings of a server that has the bare view beside the app."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "bare"
