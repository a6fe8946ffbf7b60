"""What earlier versions of the app have stored, to be opened by this one; see tests/config/test_old_versions.py.

Each folder was made once, by that version, and is never changed: ``volga.sqlite3.gz`` with a match and a campaign,
``match.json`` and ``campaign.json`` as files of them, and ``facts.json``: what is in them, told by that version.
"""
