import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# What has been loaded by now stays: the collector need not walk through all of it again and again. That was a sixth
# of the time of a roll.
gc.collect()
gc.freeze()
