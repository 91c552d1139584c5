"""What is on disk: the home directory, the registry, the manifest, and where a project stands.

For: reading and writing the files of a home so that a reader sees each whole, and telling which project a place is.
Not for: what a project is called, who writes it, what is built of it.
Rule of thumb: if it names a path in the home or in `.git`, it is here.
"""
