/* Attention by kernels: near the sums that doubles give, and without a trace
 * of what is not seen. */
#include "test_trial.h"

/* --- the right numbers --------------------------------------------------- */

/* Roundings are off by this part of a result, at most. */
static const double rounding = 0x1p-24;

/* What one head of a token looks at, in doubles, from the numbers that the
 * cache has; and how far off a weight may be, as a part of it. */
struct seen_in_doubles {
    size_t first, end;
    double *weights, *off; /* (end,) */
    float *values;         /* (end, head_dim) */
    double *out;           /* (head_dim,) */
};

/* Of codes, heads were turned by sums and differences of pairs, log2(n) times
 * and once by a factor: so much of the length of a head is lost. */
static double off_by_turning(const struct head_form *form, size_t n)
{
    return form->panel < PANEL_4BITS ? 0
                                     : rounding * (log2((double)n) + 2);
}

/* A score, and by how much it may be off: each product of q and the scale is
 * rounded, each sum so far (Higham, Accuracy and Stability of Numerical
 * Algorithms, 3.3: the error is at most the sum of theirs), the key of codes
 * when it was read, times a scale; then what caps it: a quotient, 1.4 ulp of
 * tanh and a product. */
static double score_in_doubles(const struct trial *t,
                               const struct head_form *form, const float *q,
                               const float *key, double *off)
{
    double score = 0, q_length = 0, key_length = 0;
    *off = 0;
    for (size_t i = 0; i < t->head_dim; i++) {
        double x = 0.3f * (double)q[i], product = x * (double)key[i];
        score += product;
        q_length += x * x;
        key_length += (double)key[i] * (double)key[i];
        *off += rounding * (3 * fabs(product) + fabs(score));
    }
    *off += 2 * off_by_turning(form, t->head_dim) *
            sqrt(q_length * key_length);
    if (t->soft_cap > 0) {
        score = (double)t->soft_cap * tanh(score / (double)t->soft_cap);
        *off += rounding * (1 + 2 * 1.4 + 1) * fabs(score);
    }
    return score;
}

/* Scores become weights: a score less the largest so far is rounded, exp is 1
 * ulp off, which is 2 roundings; and so is what a sum is multiplied with when
 * a larger one comes, at most once in each block and in each range. */
static void weigh_in_doubles(struct seen_in_doubles *seen)
{
    double most = -INFINITY, least = INFINITY, total = 0;
    double blocks = (double)(seen->end - seen->first) / QUERY_BLOCK + 2;
    for (size_t p = seen->first; p < seen->end; p++) {
        most = fmax(most, seen->weights[p]);
        least = fmin(least, seen->weights[p]);
    }
    for (size_t p = seen->first; p < seen->end; p++) {
        seen->off[p] += rounding * (2 * (most - least) + 3 + 2 * 4 * blocks);
        seen->weights[p] = exp(seen->weights[p] - most);
        total += seen->weights[p];
    }
    for (size_t p = seen->first; p < seen->end; p++)
        seen->weights[p] /= total;
}

static void attend_in_doubles(const struct trial *t,
                              const struct cache_layer *l, const float *q,
                              size_t head, struct seen_in_doubles *seen)
{
    size_t at = head / (t->n_heads / t->n_kv_heads) * t->head_dim;
    float *row = malloc(l->width * sizeof *row);
    for (size_t p = seen->first; p < seen->end; p++)
        seen->weights[p] =
            score_in_doubles(t, l->key_form, q, cache_key(l, p, row) + at,
                             &seen->off[p]);
    weigh_in_doubles(seen);
    memset(seen->out, 0, t->head_dim * sizeof *seen->out);
    for (size_t p = seen->first; p < seen->end; p++) {
        float *value = seen->values + p * t->head_dim;
        memcpy(value, cache_value(l, p, row) + at,
               t->head_dim * sizeof *value);
        for (size_t i = 0; i < t->head_dim; i++)
            seen->out[i] += seen->weights[p] * (double)value[i];
    }
    free(row);
}

/* How far number i of a result may be off.  A weight that is off moves it
 * towards its value or away.  Beyond that it is a sum of 64 products in each
 * block, each rounded with all before it; blocks and ranges are added, and
 * the 8 steps of their total; a value has a scale, the result a divisor. */
static double allowance_of(const struct trial *t, const struct cache_layer *l,
                           size_t i, const struct seen_in_doubles *seen)
{
    double moved = 0, size = 0, length = 0, n = (double)t->head_dim;
    double blocks = (double)(seen->end - seen->first) / QUERY_BLOCK + 2;
    double roundings = QUERY_BLOCK + 3 * blocks + 8 + 4;
    for (size_t p = seen->first; p < seen->end; p++) {
        double here = (double)seen->values[p * t->head_dim + i];
        double weight = seen->weights[p];
        moved += weight * seen->off[p] * fabs(here - seen->out[i]);
        size += weight * fabs(here);
    }
    for (size_t k = 0; k < t->head_dim; k++)
        length += seen->out[k] * seen->out[k];
    length = sqrt(length) + sqrt(n) * size;
    return 1.01 * (moved + rounding * roundings * size +
                   2 * off_by_turning(l->value_form, t->head_dim) * length);
}

static void assert_head(const struct trial *t, const struct cache_layer *l,
                        const float *q, size_t head, size_t position,
                        const float *found)
{
    struct seen_in_doubles seen = {.end = position + 1};
    if (t->window > 0 && seen.end > t->window)
        seen.first = seen.end - t->window;
    seen.weights = calloc(seen.end, sizeof *seen.weights);
    seen.off = calloc(seen.end, sizeof *seen.off);
    seen.values = calloc(seen.end, t->head_dim * sizeof *seen.values);
    seen.out = calloc(t->head_dim, sizeof *seen.out);
    attend_in_doubles(t, l, q, head, &seen);
    for (size_t i = 0; i < t->head_dim; i++) {
        double off = fabs((double)found[i] - seen.out[i]);
        assert_true(off <= allowance_of(t, l, i, &seen));
    }
    free(seen.weights);
    free(seen.off);
    free(seen.values);
    free(seen.out);
}

static void assert_right(const struct trial *t, const struct cpu_set *set)
{
    struct reader_of r;
    struct reading how = {set, 1, 1};
    struct numbers_of x = numbers_of_trial(t);
    float *out = calloc(t->length * out_of(t), sizeof *out);
    open_reader(&r, t, &how);
    for (size_t p = 0; p < t->length; p++) {
        store_chunk(&r, t, &x, p, 1);
        attend_chunk(&r, t, &x, p, 1, out);
        for (size_t h = 0; h < t->n_heads; h++) {
            size_t at = p * out_of(t) + h * t->head_dim;
            assert_head(t, r.cache.layers, x.q + at, h, p, out + at);
        }
    }
    close_reader(&r);
    free(out);
    free_numbers(&x);
}

static void results_are_those_of_the_cache_s_numbers(void **state)
{
    (void)state;
    const struct cpu_set *set = cpu_set_row(0);
    while (!set->is_here())
        set++;
    for (size_t i = 0; attention_trials[i].form; i++)
        assert_right(&attention_trials[i], set);
    assert_right(&(struct trial){2, 1, 16, 0, 0, "f16", 1100}, set);
}

/* --- what is not seen ---------------------------------------------------- */

/* Numbers that are none, where nobody looks: behind the text, where a longer
 * one stood, and in the tokens of a chunk that come later. */
static void assert_no_trace(const struct trial *t)
{
    struct reading how = {cpu_set_row(0), 1, t->length};
    while (!how.set->is_here())
        how.set++;
    struct numbers_of x = numbers_of_trial(t);
    size_t bad = t->length / 2, width = width_of(t);
    float *expected = read_text(t, &x, how);
    for (size_t i = bad * width; i < t->length * width; i++)
        x.k[i] = x.v[i] = i % 2 ? NAN : INFINITY;
    float *found = read_text(t, &x, how);
    assert_memory_equal(found, expected, bad * out_of(t) * sizeof *found);
    for (size_t i = bad * out_of(t); i < t->length * out_of(t); i++)
        assert_false(isfinite(found[i]));
    free(found);

    struct numbers_of good = numbers_of_trial(t);
    struct reader_of r;
    open_reader(&r, t, &how);
    store_chunk(&r, t, &x, 0, t->length);
    assert_int_equal(cache_truncate(&r.cache, bad), bad);
    found = calloc(t->length * out_of(t), sizeof *found);
    for (size_t p = bad; p < t->length; p++) {
        store_chunk(&r, t, &good, p, 1);
        attend_chunk(&r, t, &good, p, 1, found);
    }
    size_t at = bad * out_of(t);
    assert_memory_equal(found + at, expected + at,
                        (t->length * out_of(t) - at) * sizeof *found);
    close_reader(&r);
    free(found);
    free(expected);
    free_numbers(&x);
    free_numbers(&good);
}

static void what_is_not_seen_leaves_no_trace(void **state)
{
    static const char *const forms[] = {"f32", "f16", "int8", "k4v4", "k3v2"};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct trial t = {3, 1, 32, 0, 0, forms[i], 150};
        assert_no_trace(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_of_the_cache_s_numbers),
        cmocka_unit_test(what_is_not_seen_leaves_no_trace),
    };
    return cmocka_run_group_tests_name("attend_numbers", tests, NULL, NULL);
}
