"""The site: its pages, and the checks of what was built."""
