/* A small bitmap font: ASCII and a few signs, so that pictures can be labelled
 * without any font of the system. */
#ifndef FONT_H
#define FONT_H

enum glyph_sizes {
    GLYPH_WIDTH = 5, /* pixels, at scale 1 */
    GLYPH_HEIGHT = 9,
    GLYPH_BASE = 7,   /* rows above the base line */
    GLYPH_ADVANCE = 6 /* from one character to the next */
};

struct glyph {
    unsigned code;                    /* the character, in Unicode */
    unsigned char rows[GLYPH_HEIGHT]; /* bit 4 is the left pixel */
};

/* The glyph of a character; a box for one that the font does not have. */
const struct glyph *font_glyph(unsigned code);

#endif
