"""The settings of a server that has the bare view beside the app."""

from config.settings import *  # noqa: F403 - all of them, with a few replaced below

ROOT_URLCONF = "bare"
