/* A better scale for a group, found by trying.
 *
 * The plain scale wastes most codes on a group with one large value.  With a
 * smaller one that value is cut off to the largest code, and all others are
 * nearer to a code.  Which is worth more is seen by adding up the squares of
 * the errors.  Squares, because that is what rounding adds to a dot product's
 * variance, if errors are independent; and each times the mean square of the
 * numbers that its column is multiplied with, where these are known.
 *
 * Less squared error in the weights is not always a better model.  It is for
 * SmolLM2-135M, whose training knew nothing of codes; tests/models/tiny-chat
 * was trained with weights rounded by the plain scale in groups of 128, and
 * there the plain scale is better.  Perplexity tells, and nothing else.  With
 * 255 codes instead of 15 the plain scale is all but always the best: there
 * is nothing to be found for int8. */
#include "quantize.h"

enum search_sizes {
    STEP = 2, /* the scales that are tried: 100, 98, 96 ... */
    LAST = 50 /* percent of the plain one */
};

/* What the group would lose with this scale.  In the order of the values, in
 * 64 bits, but for the products that unpacking makes. */
static double error_of(const float *x, const float *importance, size_t n,
                       float scale, int most)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        float stored = code_for(x[i], scale, most) * scale;
        double error = (double)x[i] - (double)stored;
        sum += error * error * (importance ? (double)importance[i] : 1);
    }
    return sum;
}

/* Of equal ones the largest: so a group that is quantized without an error, as
 * one that was quantized before, keeps its scale. */
float search_scale(const float *x, const float *importance, size_t n,
                   int most)
{
    float largest = largest_of(x, n), best = largest / (float)most;
    double least = error_of(x, importance, n, best, most);
    for (int percent = 100 - STEP; percent >= LAST; percent -= STEP) {
        float scale = largest * ((float)percent / 100) / (float)most;
        double error = error_of(x, importance, n, scale, most);
        if (error < least) {
            least = error;
            best = scale;
        }
    }
    return best;
}
