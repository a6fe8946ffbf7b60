"""A toy game for one player: the other side is played by the app, which keeps its deck and its hand unseen."""
