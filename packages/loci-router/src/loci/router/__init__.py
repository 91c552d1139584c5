"""Decides which project a question is about, or abstains and says why."""
