"""Jobs of players in engines other than Chromium's: Gecko (Firefox) and WebKit, which phones of one maker have."""
