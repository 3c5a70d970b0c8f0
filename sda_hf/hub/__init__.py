"""Pushing to the Hugging Face Hub, and the cards of what is pushed."""
