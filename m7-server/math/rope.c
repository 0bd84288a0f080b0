/* Rotary positions: see rope.h.  Knows no config.json. */
#include "rope.h"

#include "elementary.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* How many positions pair i needs to turn by one radian:
 * theta ^ (2 i / dim). */
static float positions_per_radian(const struct rope_config *c, size_t i)
{
    float exponent = (float)(2 * i) / (float)c->dim;
    return (float)fixed_power((double)(float)c->theta, (double)exponent);
}

static float default_frequency(const struct rope_config *c, size_t i,
                               size_t length)
{
    (void)length;
    return 1 / positions_per_radian(c, i);
}

static float linear_frequency(const struct rope_config *c, size_t i,
                              size_t length)
{
    return default_frequency(c, i, length) / (float)c->factor;
}

/* Pairs that turn less than low_freq_factor times within the original length
 * are slowed down, those that turn more than high_freq_factor times are not,
 * and in between the two are mixed (Llama 3.1's released code). */
static float llama3_frequency(const struct rope_config *c, size_t i,
                              size_t length)
{
    float frequency = default_frequency(c, i, length);
    float wavelength = 1 / frequency * (float)(2 * pi);
    if (wavelength < (float)(c->original_positions / c->high_freq_factor))
        return frequency;
    if (wavelength > (float)(c->original_positions / c->low_freq_factor))
        return frequency / (float)c->factor;

    float turns = 1 / wavelength * (float)c->original_positions;
    float keep = (turns - (float)c->low_freq_factor) /
                 (float)(c->high_freq_factor - c->low_freq_factor);
    return (1 - keep) * frequency / (float)c->factor + keep * frequency;
}

/* The pair, as a fraction, that turns `turns` times within the original
 * length. */
static double yarn_pair(const struct rope_config *c, double turns)
{
    return (double)c->dim *
           fixed_log(c->original_positions / (turns * 2 * pi)) /
           (2 * fixed_log(c->theta));
}

/* 0 for the pairs before the ramp, which keep their speed; 1 for those after
 * it, which are slowed down (Peng et al. 2023, section 3.2). */
static float yarn_ramp(const struct rope_config *c, size_t i)
{
    double first = yarn_pair(c, c->beta_fast);
    double last = yarn_pair(c, c->beta_slow);
    if (c->truncate) {
        first = floor(first);
        last = ceil(last);
    }
    first = fmax(first, 0);
    last = fmin(last, (double)c->dim - 1);
    if (first == last)
        last += 0.001;
    float at = ((float)i - (float)first) / (float)(last - first);
    return fminf(fmaxf(at, 0), 1);
}

static float yarn_frequency(const struct rope_config *c, size_t i,
                            size_t length)
{
    float kept = default_frequency(c, i, length);
    float slowed = 1 / ((float)c->factor * positions_per_radian(c, i));
    float keep = 1 - yarn_ramp(c, i);
    return slowed * (1 - keep) + kept * keep;
}

/* How much longer queries and keys become when a text is stretched: section
 * 3.4 of the same paper. */
static double yarn_mscale(double factor, double weight)
{
    return factor > 1 ? 0.1 * weight * fixed_log(factor) + 1 : 1;
}

static double yarn_attention_factor(const struct rope_config *c)
{
    if (c->attention_factor != 0)
        return c->attention_factor;
    if (c->mscale != 0 && c->mscale_all_dim != 0)
        return yarn_mscale(c->factor, c->mscale) /
               yarn_mscale(c->factor, c->mscale_all_dim);
    return yarn_mscale(c->factor, 1);
}

/* Ding et al. 2024: a search found what factor suits each pair. */
static float longrope_frequency(const struct rope_config *c, size_t i,
                                size_t length)
{
    bool is_long = (double)length > c->original_positions;
    float factor = is_long ? c->long_factors[i] : c->short_factors[i];
    return 1 / (factor * positions_per_radian(c, i));
}

/* The same paper, section 3.2: how much longer queries and keys become. */
static double longrope_attention_factor(const struct rope_config *c)
{
    double factor = c->factor;
    if (c->attention_factor != 0)
        return c->attention_factor;
    if (factor == 0)
        factor = c->positions / c->original_positions;
    if (factor <= 1)
        return 1;
    return sqrt(1 + fixed_log(factor) / fixed_log(c->original_positions));
}

/* What theta is multiplied by so that the slowest pair turns `stretch` times
 * slower (the first part of section 3.1 of Peng et al. 2023). */
static double theta_growth(const struct rope_config *c, double stretch)
{
    return fixed_power(stretch, (double)c->dim / ((double)c->dim - 2));
}

/* Past the longest text, theta grows with the length, so that the slowest
 * pair turns no further than in training. */
static float dynamic_frequency(const struct rope_config *c, size_t i,
                               size_t length)
{
    struct rope_config longer = *c;
    float stretch = (float)c->factor * (float)length / (float)c->positions -
                    (float)(c->factor - 1);
    if ((double)length > c->positions)
        longer.theta *= (double)(float)theta_growth(c, (double)stretch);
    return default_frequency(&longer, i, length);
}

/* A theta that has grown once for all. */
static float alpha_frequency(const struct rope_config *c, size_t i,
                             size_t length)
{
    struct rope_config longer = *c;
    longer.theta *= theta_growth(c, c->alpha);
    return default_frequency(&longer, i, length);
}

static float proportional_frequency(const struct rope_config *c, size_t i,
                                    size_t length)
{
    if (i >= c->turning)
        return 0;
    return c->factor != 0 ? linear_frequency(c, i, length)
                          : default_frequency(c, i, length);
}

typedef float frequency_function(const struct rope_config *c, size_t i,
                                 size_t length);

static frequency_function *const frequency_functions[] = {
    [ROPE_DEFAULT] = default_frequency,
    [ROPE_LINEAR] = linear_frequency,
    [ROPE_LLAMA3] = llama3_frequency,
    [ROPE_YARN] = yarn_frequency,
    [ROPE_LONGROPE] = longrope_frequency,
    [ROPE_DYNAMIC] = dynamic_frequency,
    [ROPE_ALPHA] = alpha_frequency,
    [ROPE_PROPORTIONAL] = proportional_frequency,
};

int rope_init(struct rope *r, const struct rope_config *c, struct error *e)
{
    size_t pairs = c->dim / 2;
    *r = (struct rope){.config = *c,
                       .dim = c->dim,
                       .neighbours = c->neighbours,
                       .attention_factor = 1};
    r->by_length = c->scaling == ROPE_LONGROPE || c->scaling == ROPE_DYNAMIC;
    if (c->scaling == ROPE_YARN)
        r->attention_factor = (float)yarn_attention_factor(c);
    if (c->scaling == ROPE_LONGROPE)
        r->attention_factor = (float)longrope_attention_factor(c);
    r->frequencies = calloc(pairs ? pairs : 1, sizeof *r->frequencies);
    if (!r->frequencies)
        return fail_memory(e, "the rotary frequencies");
    for (size_t i = 0; i < pairs; i++)
        r->frequencies[i] = frequency_functions[c->scaling](c, i, 1);
    return 0;
}

void rope_free(struct rope *r)
{
    free(r->frequencies);
    *r = (struct rope){0};
}

/* The cosine and sine of an angle. */
static void turn_by(bool anywhere, float angle, float *cosine, float *sine)
{
    if (!anywhere) {
        *cosine = cosf(angle);
        *sine = sinf(angle);
        return;
    }
    struct turned t = turned_by((double)angle);
    *cosine = (float)t.cosine;
    *sine = (float)t.sine;
}

void rope_angles(const struct rope *r, size_t length, const size_t *positions,
                 size_t n, struct angles *a)
{
    size_t pairs = r->dim / 2;
    for (size_t i = 0; i < pairs; i++) {
        float frequency = r->frequencies[i];
        if (r->by_length)
            frequency =
                frequency_functions[r->config.scaling](&r->config, i, length);
        for (size_t t = 0; t < n; t++) {
            float angle = (float)positions[t] * frequency, cosine, sine;
            turn_by(r->same_anywhere, angle, &cosine, &sine);
            a->cosines[t * pairs + i] = cosine * r->attention_factor;
            a->sines[t * pairs + i] = sine * r->attention_factor;
        }
    }
}

bool rope_same_angles(const struct rope *r, size_t a, size_t b)
{
    frequency_function *frequency = frequency_functions[r->config.scaling];
    if (!r->by_length)
        return true;
    for (size_t i = 0; i < r->dim / 2; i++)
        if (frequency(&r->config, i, a) != frequency(&r->config, i, b))
            return false;
    return true;
}

void rotate(const struct rope *r, const struct angles *a, size_t t, float *x,
            size_t n_heads, size_t head_dim)
{
    size_t pairs = r->dim / 2;
    size_t step = r->neighbours ? 2 : 1;      /* from one pair to the next */
    size_t apart = r->neighbours ? 1 : pairs; /* the two of a pair */
    const float *cosine = a->cosines + t * pairs;
    const float *sine = a->sines + t * pairs;
    for (size_t h = 0; h < n_heads; h++, x += head_dim)
        for (size_t i = 0; i < pairs; i++) {
            float *p = x + i * step, *q = p + apart;
            float turned = *p * cosine[i] - *q * sine[i];
            *q = *q * cosine[i] + *p * sine[i];
            *p = turned;
        }
}
