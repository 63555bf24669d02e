"""Lists that lack animals, or show too many: cut, early and sampled ones, which are lawful, told apart from faults."""
