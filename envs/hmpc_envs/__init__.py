"""The environments that ship with hmpc, one file each: geometry and stepping regions are built together."""
