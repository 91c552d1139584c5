"""Which projects there are: finding repositories, registering them, their names, packages, groups and hooks.

For: everything that `loci scan`, `loci add` and `loci group` decide.
Not for: reading what a project says. An index is built in `build`.
Rule of thumb: it changes the registry, or says how one of its entries stands.
"""
