"""The stdio server for coding agents."""
