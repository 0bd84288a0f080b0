"""A chapter's text, as far as no rung is needed for it: pandoc's tree, colours
of code, values, formulas, diagrams, figures, links, terms."""
