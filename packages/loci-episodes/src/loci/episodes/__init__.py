"""What a project ever wrote down, found again with citations."""
