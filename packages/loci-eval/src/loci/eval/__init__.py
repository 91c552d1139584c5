"""Measures routing and retrieval on a corpus."""
