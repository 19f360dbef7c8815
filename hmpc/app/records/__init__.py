"""What stays of a run: its folder, films, replays and plots."""
