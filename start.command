#!/bin/sh
# Volga Ledger for macOS and Linux: double-click this file, or run `sh start.command`.

# Keep the window open until what it says has been read.
stop() {
    echo
    echo "$1"
    if [ -t 0 ]; then
        printf 'Press Enter to close this window. '
        read -r _
    fi
    exit 1
}

# macOS has a python3 that is no Python but an offer to install Apple's tools; asking it anything opens that offer.
is_offer() {
    [ "$(command -v "$1")" = /usr/bin/python3 ] && [ "$(uname)" = Darwin ] && ! xcode-select -p >/dev/null 2>&1
}

cd "$(dirname "$0")" || exit 1
[ -f bootstrap.py ] || stop "bootstrap.py is not beside this file. Unpack the whole archive, then start from its folder."

older=
for python in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if ! command -v "$python" >/dev/null 2>&1 || is_offer "$python"; then
        continue
    fi
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        "$python" bootstrap.py start "$@" || stop "Volga Ledger has ended; the lines above say why."
        exit 0
    fi
    older=$python
done

[ -z "$older" ] || stop "Volga Ledger needs Python 3.11 or newer, and $older is older. Get it from https://www.python.org/downloads/"
stop "Volga Ledger needs Python 3.11 or newer. Get it from https://www.python.org/downloads/ and start again."
