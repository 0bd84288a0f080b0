"""The corpus generator: seeded, standard library only.

`mixture.documents(seed, n, stories)` writes n documents; every other module
writes one kind of them.  The words and wordings are in ../data/."""
