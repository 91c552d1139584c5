"""A corpus measured on questions that are made of itself."""
