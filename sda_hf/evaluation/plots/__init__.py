"""Plots of runs, embeddings and attention."""
