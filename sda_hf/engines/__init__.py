"""Augmenting on engines that run on many processes and machines."""
