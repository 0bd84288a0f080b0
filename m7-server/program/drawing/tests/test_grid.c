/* A large matrix is made small in an honest way. */
#include "grid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A grid of values (rows, columns); free with grid_free. */
static struct grid grid_of(const float *values, size_t rows, size_t columns,
                           bool magnitude)
{
    struct picture_matrix m = {values, columns};
    struct heatmap h = {.title = "t",
                        .rows = rows,
                        .columns = columns,
                        .row = picture_matrix_row,
                        .source = &m,
                        .magnitude = magnitude};
    struct grid g;
    struct error e;
    assert_int_equal(grid_init(&g, &h, &e), 0);
    return g;
}

static void a_small_matrix_is_shown_as_it_is(void **state)
{
    (void)state;
    const float values[] = {1, -2, 3, 4, 5, -6};
    struct grid g = grid_of(values, 2, 3, false);
    assert_int_equal(g.rows, 2);
    assert_int_equal(g.columns, 3);
    assert_int_equal(g.block_rows, 1);
    assert_int_equal(g.block_columns, 1);
    assert_memory_equal(g.cells, values, sizeof values);
    assert_true(g.least == -6 && g.most == 5);
    assert_true(g.negative);
    assert_true(g.limit == 6);
    grid_free(&g);
}

/* A row of 0, 1, 2 ... with every second sign turned. */
static void fill_turning(float *values, int n)
{
    for (int i = 0; i < n; i++)
        values[i] = i % 2 ? -(float)i : (float)i;
}

static void a_large_one_is_shown_by_means(void **state)
{
    (void)state;
    static float values[2001];
    fill_turning(values, 2001);
    struct grid g = grid_of(values, 1, 2001, false);
    assert_int_equal(g.block_columns, 3);
    assert_int_equal(g.columns, 667);
    assert_float_equal(g.cells[0], (0 - 1 + 2) / 3.0, 1e-6);
    assert_float_equal(g.cells[1], (-3 + 4 - 5) / 3.0, 1e-6);
    assert_true(g.least == -1999 && g.most == 2000);
    grid_free(&g);
}

static void a_mean_of_magnitudes_has_no_signs(void **state)
{
    (void)state;
    static float values[2001];
    fill_turning(values, 2001);
    struct grid g = grid_of(values, 1, 2001, true);
    assert_float_equal(g.cells[0], 1, 1e-6);
    assert_float_equal(g.cells[1], 4, 1e-6);
    assert_false(g.negative);
    grid_free(&g);
}

/* 770 in blocks of 2 by 2 are 385; 769 leave a last block of one row and one
 * column. */
static void the_last_blocks_are_means_of_what_there_is(void **state)
{
    (void)state;
    static float values[769 * 769];
    for (size_t i = 0; i < 769 * 769; i++)
        values[i] = 1;
    values[769 * 769 - 1] = 5;
    values[768] = 3;
    struct grid g = grid_of(values, 769, 769, false);
    assert_int_equal(g.rows, 385);
    assert_true(g.cells[385 * 385 - 1] == 5);
    assert_true(g.cells[384] == 2);
    assert_true(g.cells[385 * 384] == 1);
    grid_free(&g);
}

static void bad_values_mark_their_cell(void **state)
{
    (void)state;
    const float values[] = {1, NAN, INFINITY, -2};
    struct grid g = grid_of(values, 2, 2, false);
    assert_int_equal(g.n_not_finite, 2);
    assert_true(isnan(g.cells[1]));
    assert_true(isnan(g.cells[2]));
    assert_true(g.least == -2 && g.most == 1);
    assert_true(g.limit == 2);
    grid_free(&g);
}

/* C leaves open which of the two fminf and fmaxf choose. */
static void of_two_zeros_the_first_is_an_end(void **state)
{
    (void)state;
    const float plus_first[] = {0.0f, -0.0f}, minus_first[] = {-0.0f, 0.0f};
    struct grid g = grid_of(plus_first, 1, 2, false);
    assert_false(signbit(g.least) || signbit(g.most));
    grid_free(&g);
    g = grid_of(minus_first, 1, 2, false);
    assert_true(signbit(g.least) && signbit(g.most));
    grid_free(&g);
}

static void one_large_value_does_not_make_the_rest_pale(void **state)
{
    (void)state;
    static float values[2000];
    for (int i = 0; i < 2000; i++)
        values[i] = 1;
    values[77] = 100;
    struct grid g = grid_of(values, 50, 40, false);
    assert_true(g.limit == 1);
    assert_int_equal(g.n_beyond, 1);
    assert_true(g.most == 100);
    grid_free(&g);
}

static void an_end_near_the_usual_values_is_not_cut(void **state)
{
    (void)state;
    static float values[2000];
    for (int i = 0; i < 2000; i++)
        values[i] = 1;
    values[77] = 1.2f;
    struct grid g = grid_of(values, 50, 40, false);
    assert_true(g.limit == 1.2f);
    assert_int_equal(g.n_beyond, 0);
    grid_free(&g);
}

static void a_limit_is_never_zero(void **state)
{
    (void)state;
    static float values[2000];
    struct grid g = grid_of(values, 50, 40, false);
    assert_true(g.limit == 1);
    grid_free(&g);
    values[5] = 3;
    g = grid_of(values, 50, 40, false);
    assert_true(g.limit == 3);
    grid_free(&g);
    const float nan = NAN;
    g = grid_of(&nan, 1, 1, false);
    assert_true(g.limit == 1);
    assert_true(g.least == 0 && g.most == 0);
    grid_free(&g);
}

static void a_limit_that_is_asked_for_is_kept(void **state)
{
    (void)state;
    const float values[] = {1, 2, 3};
    struct picture_matrix m = {values, 3};
    struct heatmap h = {.title = "t",
                        .rows = 1,
                        .columns = 3,
                        .row = picture_matrix_row,
                        .source = &m,
                        .limit = 1.5f};
    struct grid g;
    struct error e;
    assert_int_equal(grid_init(&g, &h, &e), 0);
    assert_true(g.limit == 1.5f);
    assert_int_equal(g.n_beyond, 2);
    grid_free(&g);
}

static void a_matrix_without_values_is_refused(void **state)
{
    (void)state;
    struct heatmap h = {.title = "empty.weight", .rows = 0, .columns = 3};
    struct grid g;
    struct error e;
    assert_int_equal(grid_init(&g, &h, &e), -1);
    assert_string_equal(e.message, "empty.weight: has no values to draw");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_matrix_is_shown_as_it_is),
        cmocka_unit_test(a_large_one_is_shown_by_means),
        cmocka_unit_test(a_mean_of_magnitudes_has_no_signs),
        cmocka_unit_test(the_last_blocks_are_means_of_what_there_is),
        cmocka_unit_test(bad_values_mark_their_cell),
        cmocka_unit_test(of_two_zeros_the_first_is_an_end),
        cmocka_unit_test(one_large_value_does_not_make_the_rest_pale),
        cmocka_unit_test(an_end_near_the_usual_values_is_not_cut),
        cmocka_unit_test(a_limit_is_never_zero),
        cmocka_unit_test(a_limit_that_is_asked_for_is_kept),
        cmocka_unit_test(a_matrix_without_values_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
