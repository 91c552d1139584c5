"""The home directory, the registry, index builds and the one query path."""
