"""Where commands come from, and what a robot lets through."""
