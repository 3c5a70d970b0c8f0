"""Tables, files and plots of what was measured."""
