"""The meta-package of loci: it brings the parts and declares the `loci` command; it holds no code of its own."""

__all__ = ["__version__"]

__version__ = "0.8.0"
