import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# The garbage collector walks through all live objects, and took a sixth of the time of a roll. What is loaded by now
# stays, so it is left out; and answers leave few cycles behind, so it may look for them less often.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
