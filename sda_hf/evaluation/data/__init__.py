"""Where the rows of a task come from."""
