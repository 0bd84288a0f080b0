/* A product of many rows is the products of each row alone, bit by bit: how
 * many rows share the reading of a weight changes nothing. */
#include "ops.h"

#include "test_numbers.h"

enum matmul_sizes {
    ROWS = 5,
    MOST_COLS = 35,
    MOST_TOKENS = 9
};

/* Numbers that look random: their sums depend on the order. */
static float number(size_t i)
{
    return sinf((float)(i * i + 3 * i) * 0.37f) * (i % 7 ? 1.0f : 40.0f);
}

/* Where the numbers' bytes begin does not matter: here at an odd address. */
static void fill_weight(unsigned char *data, enum dtype type, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float value = number(i + 1000);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        uint16_t half = (uint16_t)(bits >> 16);
        if (type == DTYPE_F16) /* any bits but those of an infinity */
            half &= 0xbbff;
        if (type == DTYPE_F32)
            memcpy(data + 4 * i, &bits, sizeof bits);
        else
            memcpy(data + 2 * i, &half, sizeof half);
    }
}

static void assert_row_by_row(const float *x, size_t n, const struct weight *w)
{
    float found[MOST_TOKENS * ROWS], row[MOST_COLS], expected[ROWS];
    struct compute compute = {0};
    matmul(&compute, x, n, w, found);
    for (size_t t = 0; t < n; t++) {
        for (size_t r = 0; r < ROWS; r++) {
            weight_row(&compute, w, r, row);
            expected[r] = dot(x + t * w->cols, row, w->cols);
        }
        assert_same("a row", found + t * ROWS, expected, ROWS);
    }
}

static void each_row_has_the_bits_it_has_alone(void **state)
{
    (void)state;
    static const enum dtype types[] = {DTYPE_F32, DTYPE_F16, DTYPE_BF16};
    unsigned char data[1 + 4 * ROWS * MOST_COLS];
    float x[MOST_TOKENS * MOST_COLS];
    for (size_t i = 0; i < MOST_TOKENS * MOST_COLS; i++)
        x[i] = number(i);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        fill_weight(data + 1, types[i], ROWS * MOST_COLS);
        for (size_t cols = 1; cols <= MOST_COLS; cols++)
            for (size_t n = 1; n <= MOST_TOKENS; n++) {
                struct weight w = {.data = data + 1,
                                   .dtype = types[i],
                                   .rows = ROWS,
                                   .cols = cols};
                assert_row_by_row(x, n, &w);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_has_the_bits_it_has_alone),
    };
    return cmocka_run_group_tests_name("matmul", tests, NULL, NULL);
}
