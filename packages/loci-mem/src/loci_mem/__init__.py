"""The meta-package of loci; it holds no code of its own."""
