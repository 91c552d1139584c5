"""How a question is answered: `ask` is the story, read from top to bottom; the other files are its stages.

For: what every face asks through, over one generation of the index (`snapshot`).
Not for: reading the question (`loci.router.question`), which project it is about (`loci.router`), how well a passage
answers (`loci.episodes`), what calls what (`loci.structure`), how an answer looks (the faces).
Rule of thumb: it decides what an answer shows, in which order, or what a reader should know of it.
"""
