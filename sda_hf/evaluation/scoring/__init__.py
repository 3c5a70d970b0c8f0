"""Measuring models on tasks."""
