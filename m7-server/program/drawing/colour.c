/* Colour scales: see colour.h.  Knows nothing of pictures. */
#include "colour.h"

#include <math.h>

struct lab {
    float lightness, a, b; /* OKLab: a to red, b to yellow */
};

/* The stops of the scales; those of one are equally far from each other. */
static const struct lab magnitude_stops[] = {
    {0.985f, -0.012f, 0.028f},
    {0.715f, -0.105f, -0.010f},
    {0.455f, -0.035f, -0.100f},
    {0.185f, 0.005f, -0.070f},
};
static const struct lab above_stops[] = {
    {0.975f, 0.000f, 0.004f},
    {0.670f, 0.090f, 0.115f},
    {0.350f, 0.095f, 0.060f},
};
static const struct lab below_stops[] = {
    {0.975f, 0.000f, 0.004f},
    {0.670f, -0.045f, -0.115f},
    {0.350f, -0.010f, -0.120f},
};

/* sRGB's transfer function, IEC 61966-2-1: light (0 to 1) to a byte. */
static unsigned char encode_light(float light)
{
    light = light < 0 ? 0 : light > 1 ? 1 : light;
    float value = light <= 0.0031308f
                      ? 12.92f * light
                      : 1.055f * powf(light, 1 / 2.4f) - 0.055f;
    return (unsigned char)lroundf(255 * value);
}

/* OKLab to linear sRGB, with the matrices of Ottosson's page. */
static struct colour from_lab(struct lab c)
{
    float l = c.lightness + 0.3963377774f * c.a + 0.2158037573f * c.b;
    float m = c.lightness - 0.1055613458f * c.a - 0.0638541728f * c.b;
    float s = c.lightness - 0.0894841775f * c.a - 1.2914855480f * c.b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (struct colour){
        encode_light(4.0767416621f * l - 3.3077115913f * m +
                     0.2309699292f * s),
        encode_light(-1.2684380046f * l + 2.6097574011f * m -
                     0.3413193965f * s),
        encode_light(-0.0041960863f * l - 0.7034186147f * m +
                     1.7076147010f * s),
    };
}

/* The colour at `share` (0 to 1) of the way along the stops (n,). */
static struct colour along(const struct lab *stops, int n, float share)
{
    float place = share < 0 ? 0 : share > 1 ? (float)n - 1 : share * (n - 1);
    int from = (int)place < n - 1 ? (int)place : n - 2;
    float step = place - from;
    const struct lab *p = &stops[from], *q = p + 1;
    return from_lab((struct lab){
        p->lightness + step * (q->lightness - p->lightness),
        p->a + step * (q->a - p->a), p->b + step * (q->b - p->b)});
}

struct colour colour_magnitude(float share)
{
    return along(magnitude_stops, 4, share);
}

struct colour colour_signed(float share)
{
    return share < 0 ? along(below_stops, 3, -share)
                     : along(above_stops, 3, share);
}

struct colour colour_not_finite(void)
{
    return (struct colour){255, 0, 255};
}

struct colour colour_absent(void)
{
    return (struct colour){214, 214, 214};
}
