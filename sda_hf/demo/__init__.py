"""The playground: an app to try the rewrites, and what a model makes of them, in a browser."""
