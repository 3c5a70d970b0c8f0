"""Linear classifiers on frozen embeddings."""
