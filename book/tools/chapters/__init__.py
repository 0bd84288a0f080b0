"""A chapter from its Markdown to the blocks of one output; all of them as a
book."""
