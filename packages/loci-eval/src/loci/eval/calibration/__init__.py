"""Fits the router to a corpus."""
