/* What stands in a panel of a row's scales: halves, times a power of two.
 * What else stands there test_packed.c reads. */
#include "half.h"
#include "packed.h"

#include "test_numbers.h"
#include "test_panels.h"

/* A row whose scales reach from the smallest float to the largest. */
static void extreme_scales_stay_finite(void **state)
{
    (void)state;
    static const float scales[] = {0x1p-149f, 0x1p-126f, 0x1p-29f,
                                   1,         0x1p98f,   0x1p127f};
    unsigned char bytes[2 * 32] = {255, 1};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++) {
            float s[2] = {scales[i], scales[j]};
            const struct codes_row row = {.scales = s,
                                          .codes = bytes,
                                          .stride = CODES_BYTES8};
            struct packed p;
            struct error e;
            float most = fmaxf(scales[i], scales[j]);
            assert_ok(packed_init(&p, PACKED_INT8, 1, 64, &e), &e);
            packed_codes(&p, 0, &row, 1);
            for (size_t g = 0; g < 2; g++) {
                float kept = panel_scale(&p, 0, 32 * g) * p.factors[0];
                assert_true(s[g] < 0x1p-28f * most
                                ? fabsf(kept - s[g]) <= 0x1p-39f * most
                                : kept == s[g]);
            }
            packed_free(&p);
        }
}

/* A number of 17 bits, from 1 down to 2^-most; of `odd` ones some are none. */
static float any_number(uint32_t *chance, bool odd, int most)
{
    static const float odds[] = {0, -0.0f, NAN, INFINITY, -INFINITY, 1e-44f};
    uint32_t bits;
    float x;
    *chance = *chance * 1664525 + 1013904223;
    bits = *chance >> 4;
    if (odd && bits % 64 < 6)
        return odds[bits % 64];
    x = ldexpf(1 + (float)(bits >> 6 & 0xffff) * 0x1p-16f,
               -(int)(bits >> 22 & 31) % most);
    return bits >> 27 & 1 ? -x : x;
}

static bool same_half(float kept, float wanted)
{
    return kept == wanted || (isnan(kept) && isnan(wanted));
}

/* What stands there of a row's scale or minimum is the half nearest to it,
 * divided by the row's factor; which brings the largest to 2^14 or more. */
static void check_halves(const struct packed *p, size_t row, const float *s,
                         const float *m, size_t groups)
{
    float factor = p->factors[row], most = 0;
    for (size_t g = 0; g < groups; g++) {
        unsigned char half[2];
        half_store(half_of(s[g] / factor), half);
        assert_true(
            same_half(panel_scale(p, row, 32 * g), half_value(half)));
        half_store(half_of(m[g] / factor), half);
        assert_true(p->kind != PACKED_AFFINE4 ||
                    same_half(panel_minimum(p, row, 32 * g),
                              half_value(half)));
        most = fmaxf(most, fabsf(s[g]));
        most = p->kind == PACKED_AFFINE4 ? fmaxf(most, fabsf(m[g])) : most;
    }
    most = isfinite(most) ? most / factor : 0x1p14f;
    assert_true(most >= 0x1p14f && most < 0x1p15f);
}

/* 16 rows of 1 to 20 groups: vectors are filled, or not. */
static void scales_become_the_nearest_halves(void **state)
{
    (void)state;
    static const unsigned char codes[20 * 32];
    static float s[16][20], m[16][20];
    uint32_t chance = 1;
    for (size_t i = 0; i < 600; i++) {
        enum packed_kind kind = i % 3;
        size_t groups = 1 + i / 3 % 20;
        struct codes_row rows[16];
        struct packed p;
        struct error e;
        for (size_t r = 0; r < 16; r++) {
            rows[r] = (struct codes_row){
                .scales = s[r], .minima = m[r], .codes = codes, .stride = 32};
            for (size_t g = 0; g < groups; g++) {
                s[r][g] = any_number(&chance, i < 200, i < 400 ? 32 : 9);
                m[r][g] = any_number(&chance, i < 200, i < 400 ? 32 : 9);
            }
            s[r][0] = 1;
        }
        assert_ok(packed_init(&p, kind, 16, groups * 32, &e), &e);
        packed_codes(&p, 0, rows, 16);
        for (size_t r = 0; r < 16; r++)
            check_halves(&p, r, s[r], m[r], groups);
        packed_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extreme_scales_stay_finite),
        cmocka_unit_test(scales_become_the_nearest_halves),
    };
    return cmocka_run_group_tests_name("fill_panels", tests, NULL, NULL);
}
