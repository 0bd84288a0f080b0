"""What quotes, runs or changes a rung in a chapter, and what it becomes."""
