"""Building what answers: segments, graphs, vectors, the indexes of worktrees, and whether they are up to date.

For: what `loci index`, `loci graphs` and `loci embed` make, in an order in which a killed build costs nothing.
Not for: how a passage is cut or a graph is read: the kernels do that. Nothing here answers a question.
Rule of thumb: it writes a file below `segments/` or `overlays/`, or says that one is behind.
"""
