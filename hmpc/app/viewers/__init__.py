"""Windows on a running session: the browser, or a desktop window."""
