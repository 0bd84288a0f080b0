/* Images: see image.h.  Knows no file format. */
#include "image.h"

#include "font.h"

#include <stdbool.h>
#include <stdlib.h>

enum text_sizes {
    TEXT_SCALE = IMAGE_TEXT_HEIGHT / GLYPH_HEIGHT
};

int image_init(struct image *m, int width, int height, struct error *e)
{
    *m = (struct image){.width = width, .height = height};
    m->pixels = malloc((size_t)width * (size_t)height * sizeof *m->pixels);
    if (!m->pixels)
        return fail_memory(e, "an image");
    const struct colour white = {255, 255, 255};
    image_fill(m, (struct rectangle){0, 0, width, height}, white);
    return 0;
}

void image_free(struct image *m)
{
    free(m->pixels);
    *m = (struct image){0};
}

static void set_pixel(struct image *m, int x, int y, struct colour c)
{
    if (x >= 0 && x < m->width && y >= 0 && y < m->height)
        m->pixels[(size_t)y * (size_t)m->width + (size_t)x] = c;
}

void image_fill(struct image *m, struct rectangle r, struct colour c)
{
    for (int y = r.y; y < r.y + r.height; y++)
        for (int x = r.x; x < r.x + r.width; x++)
            set_pixel(m, x, y, c);
}

void image_frame(struct image *m, struct rectangle r, struct colour c)
{
    int left = r.x - 1, right = r.x + r.width;
    int top = r.y - 1, bottom = r.y + r.height;
    image_fill(m, (struct rectangle){left, top, r.width + 2, 1}, c);
    image_fill(m, (struct rectangle){left, bottom, r.width + 2, 1}, c);
    image_fill(m, (struct rectangle){left, top, 1, r.height + 2}, c);
    image_fill(m, (struct rectangle){right, top, 1, r.height + 2}, c);
}

/* Read the character at *text and step behind it.  The text is our own or has
 * been checked; a stray byte is taken for a character of its own. */
static unsigned next_character(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    int more = at[0] < 0xc0 ? 0 : at[0] < 0xe0 ? 1 : at[0] < 0xf0 ? 2 : 3;
    unsigned code = more ? at[0] & (0x3fu >> more) : at[0];
    for (int i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            ++*text;
            return 0xfffd;
        }
        code = code << 6 | (at[i] & 0x3f);
    }
    *text += more + 1;
    return code;
}

int image_text_width(const char *text)
{
    int n = 0;
    while (*text) {
        next_character(&text);
        n++;
    }
    return n ? (n * GLYPH_ADVANCE - (GLYPH_ADVANCE - GLYPH_WIDTH)) * TEXT_SCALE
             : 0;
}

static bool is_ink(const struct glyph *g, int column, int row)
{
    return column >= 0 && column < GLYPH_WIDTH && row >= 0 &&
           row < GLYPH_HEIGHT &&
           (g->rows[row] >> (GLYPH_WIDTH - 1 - column) & 1);
}

/* Whether pixel (x, y) of a glyph of twice the size is ink.  A corner between
 * two inked sides is filled, or cut, so that slopes look smooth: the rule is
 * Scale2x (Andrea Mazzoleni, 2001). */
static bool is_ink_doubled(const struct glyph *g, int x, int y)
{
    int column = x / 2, row = y / 2;
    int dx = x % 2 ? 1 : -1, dy = y % 2 ? 1 : -1;
    bool side = is_ink(g, column + dx, row);
    bool above = is_ink(g, column, row + dy);
    bool other_side = is_ink(g, column - dx, row);
    bool other_above = is_ink(g, column, row - dy);
    if (side == above && side != other_above && above != other_side)
        return side;
    return is_ink(g, column, row);
}

void image_text(struct image *m, int x, int y, const char *text,
                struct colour c)
{
    while (*text) {
        const struct glyph *g = font_glyph(next_character(&text));
        for (int v = 0; v < GLYPH_HEIGHT * TEXT_SCALE; v++)
            for (int u = 0; u < GLYPH_WIDTH * TEXT_SCALE; u++)
                if (is_ink_doubled(g, u, v))
                    set_pixel(m, x + u, y + v, c);
        x += GLYPH_ADVANCE * TEXT_SCALE;
    }
}

void image_text_up(struct image *m, int x, int y, const char *text,
                   struct colour c)
{
    while (*text) {
        const struct glyph *g = font_glyph(next_character(&text));
        for (int v = 0; v < GLYPH_HEIGHT * TEXT_SCALE; v++)
            for (int u = 0; u < GLYPH_WIDTH * TEXT_SCALE; u++)
                if (is_ink_doubled(g, u, v))
                    set_pixel(m, x + v, y - u, c);
        y -= GLYPH_ADVANCE * TEXT_SCALE;
    }
}
