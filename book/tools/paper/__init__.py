"""The e-book and the PDF."""
