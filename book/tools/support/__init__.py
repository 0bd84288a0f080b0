"""What every room may use: mistakes, kept answers, colours, npm's packages."""
