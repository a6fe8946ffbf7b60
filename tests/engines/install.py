"""Find the other engines for the tests, and install them where apt can: python -m tests.engines.install"""

import shutil
import sys
from glob import glob

from tests.chromium import install

FIREFOX = ("firefox-esr", "firefox")
MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
PACKAGES = ("firefox-esr", "webkit2gtk-driver", "xvfb")


def find_firefox():
    """The path of a Firefox on this machine, or None."""
    return next(filter(None, map(shutil.which, FIREFOX)), None)


def find_webkit():
    """The paths of WebKit's driver, of the browser that it drives and of a screen in memory, or None."""
    paths = (shutil.which("WebKitWebDriver"), next(iter(glob(MINI_BROWSERS)), None), shutil.which("Xvfb"))
    return paths if all(paths) else None


def main():
    if not (find_firefox() and find_webkit()):
        install(*PACKAGES)
    missing = [name for name, path in (("Firefox", find_firefox()), ("WebKit", find_webkit())) if not path]
    if missing:
        sys.exit(f"Not found and not to be installed here: {' and '.join(missing)}. Debian has them as {PACKAGES}.")


if __name__ == "__main__":
    main()
