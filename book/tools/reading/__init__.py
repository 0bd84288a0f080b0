"""What the files of the rungs say: their regions, and what differs."""
