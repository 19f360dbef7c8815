"""Short scripts, one for each thing that a visitor wants to see; installed as `hmpc_demos`."""
