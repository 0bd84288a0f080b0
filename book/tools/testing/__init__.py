"""A made-up book for the tests of all rooms, and tests of what they share."""
