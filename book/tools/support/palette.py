"""The book's colours: for the style sheet, the diagrams and the e-books.

Names are what a colour is for.  Each has a value on light and on dark paper;
print and e-books take the light one.
"""

import re

COLOURS = {
    #           light      dark
    "paper":   ("#fdfcfa", "#16181c"),
    "ink":     ("#1d1f23", "#e4e2dd"),
    "muted":   ("#5b606b", "#a2a7b1"),
    "line":    ("#d8d4cb", "#3a3f49"),
    "box":     ("#e6edf8", "#222c3d"),
    "code":    ("#f4f2ec", "#1d2026"),
    "accent":  ("#1f4f9e", "#8fb8f6"),
    "warm":    ("#9a3d0c", "#f0a27a"),
    "added":   ("#dff2e2", "#17331f"),
    "removed": ("#fbe4e0", "#43211f"),
    "keyword": ("#6b2fa0", "#cda6f2"),
    "type":    ("#1f4f9e", "#8fb8f6"),
    "string":  ("#19692c", "#8fd19e"),
    "number":  ("#9a3d0c", "#f0a27a"),
    "comment": ("#5a606b", "#9ea4af"),
    "idle":    ("#696e76", "#868b94"),
}

# How bright pictures are, whose paper is white in both.
LAMP = (1, 0.88)

# What text is set in, and what it may stand on.
TEXT = ("ink", "muted", "accent", "warm", "keyword", "type", "string",
        "number", "comment", "idle")
GROUNDS = {
    "paper": ("ink", "muted", "accent", "warm"),
    "box": ("ink", "muted", "accent", "warm"),
    "code": TEXT,
    "added": ("ink", "muted"),
    "removed": ("ink", "muted"),
}

# What a diagram may be drawn in.
DRAWING = ("ink", "muted", "paper", "box", "accent", "warm", "line")


def light(name):
    """A colour on light paper."""
    return COLOURS[name][0]


def declarations(scheme):
    """The style sheet's variables for light (0) or dark (1)."""
    lines = [f"  --{name}: {values[scheme]};"
             for name, values in COLOURS.items()]
    return "\n".join([f"  color-scheme: {('light', 'dark')[scheme]};",
                      f"  --lamp: {LAMP[scheme]};", *lines])


def style():
    """The part of the style sheet that holds the colours: the system's
    scheme, or the one chosen; print is always light."""
    bright, dark = declarations(0), declarations(1)
    return (f":root {{\n{bright}\n}}\n\n@media screen {{\n"
            f":root[data-scheme=\"dark\"] {{\n{dark}\n}}\n\n"
            "@media (prefers-color-scheme: dark) {\n"
            f":root:not([data-scheme=\"light\"]) {{\n{dark}\n}}\n}}\n}}\n")


def without_variables(text, **more):
    """A style sheet for what knows no variables: colours on light paper, and
    what more is given."""
    values = {**{name: light(name) for name in COLOURS}, "lamp": str(LAMP[0]),
              **more}
    return re.sub(r"var\(--([\w-]+)\)",
                  lambda found: values[found.group(1)], text)


def luminance(colour):
    """Relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045
                        else ((part + 0.055) / 1.055) ** 2.4
                        for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """Contrast ratio of two colours (WCAG 2.2), from 1 to 21."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)
