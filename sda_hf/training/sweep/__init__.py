"""Several runs of one recipe: one for each seed, or for every point of a grid of settings."""
