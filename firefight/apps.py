from django.apps import AppConfig


class FirefightConfig(AppConfig):
    name = "firefight"
