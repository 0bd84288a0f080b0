"""What the programs of the rungs do: copies in which commands run."""
