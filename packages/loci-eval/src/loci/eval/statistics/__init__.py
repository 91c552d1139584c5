"""Figures and tests, as pure functions: numbers in, numbers out. Nothing here knows of a router, a file or a clock."""
