"""The tasks that models are measured on."""
