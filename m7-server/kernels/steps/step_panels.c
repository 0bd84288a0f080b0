/* Step 1: panels, in plain C, and how a matrix becomes panels. */
#include "product_steps.h"

#include <stdint.h>
#include <string.h>

/* One input with its weight of each row: added to the rows' sums.  `eight` has
 * eight codes of each row, of which this one's bits begin at `bit`. */
static inline void add_input(const uint32_t *eight, unsigned bit, float x,
                             float *sums)
{
    for (size_t row = 0; row < PANEL_ROWS; row++) {
        int code = (int)(eight[row] >> bit & 15);
        sums[row] += (float)(code - CODE_MIDDLE) * x;
    }
}

/* A group of a panel times 32 inputs: added to the sums of its 16 rows. */
static void add_plain_group(const unsigned char *codes, const float *scales,
                            const float *x, float *sums)
{
    float group[PANEL_ROWS] = {0};
    for (size_t word = 0; word < 4; word++) {
        uint32_t eight[PANEL_ROWS];
        memcpy(eight, codes + word * sizeof eight, sizeof eight);
        for (unsigned i = 0; i < 4; i++) {
            add_input(eight, 8 * i, x[4 * word + i], group);
            add_input(eight, 8 * i + 4, x[16 + 4 * word + i], group);
        }
    }
    for (size_t row = 0; row < PANEL_ROWS; row++)
        sums[row] += scales[row] * group[row];
}

void multiply_by_panels(const struct code_panels *m, const float *x, size_t n,
                        float *out)
{
    size_t groups = m->cols / GROUP;
    for (size_t row = 0; row < m->rows; row += PANEL_ROWS)
        for (size_t t = 0; t < n; t++) {
            size_t at = row / PANEL_ROWS * groups, left = m->rows - row;
            float sums[PANEL_ROWS] = {0};
            for (size_t g = 0; g < groups; g++, at++)
                add_plain_group(m->codes + at * CODE_GROUP,
                                m->scales + at * PANEL_ROWS,
                                x + t * m->cols + g * GROUP, sums);
            memcpy(out + t * m->rows + row, sums,
                   (left < PANEL_ROWS ? left : PANEL_ROWS) * sizeof *sums);
        }
}

void codes_of_group(const struct code_rows *m, size_t row, size_t g,
                        unsigned char *out)
{
    const unsigned char *codes =
        m->codes + row * m->cols / 2 + g * GROUP / 2;
    for (size_t i = 0; i < GROUP / 2; i++) {
        unsigned lower = code_at(codes, 4, i);
        unsigned upper = code_at(codes, 4, GROUP / 2 + i);
        out[i] = (unsigned char)(lower | upper << 4);
    }
}

void panels_from_rows(const struct code_rows *m, unsigned char *codes,
                      float *scales)
{
    size_t groups = m->cols / GROUP, all = panels_of(m->rows) * groups;
    memset(codes, 0, all * CODE_GROUP);
    memset(scales, 0, all * PANEL_ROWS * sizeof *scales);
    for (size_t row = 0; row < m->rows; row++)
        for (size_t g = 0; g < groups; g++) {
            size_t at = row / PANEL_ROWS * groups + g;
            size_t lane = row % PANEL_ROWS;
            unsigned char sixteen[GROUP / 2];
            codes_of_group(m, row, g, sixteen);
            for (size_t i = 0; i < GROUP / 2; i += 4)
                memcpy(codes + at * CODE_GROUP + i * PANEL_ROWS + lane * 4,
                       sixteen + i, 4);
            scales[at * PANEL_ROWS + lane] = m->scales[row * groups + g];
        }
}
