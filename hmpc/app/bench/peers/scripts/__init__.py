"""Programs that the interpreters of the peers run; nothing here is imported."""
