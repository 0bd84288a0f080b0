/* Texts are cut as the loop in Hugging Face's documentation cuts them, and no
 * token is scored twice or left out. */
#include "windows.h"

#include "test_quality.h"

static size_t golden_place(const json_t *list, size_t i)
{
    return (size_t)json_integer_value(json_array_get(list, i));
}

static void assert_cut(const json_t *one)
{
    size_t n = golden_size(one, "tokens"), i, read = 0, scored = 0;
    const struct windows cut = {golden_size(one, "size"),
                                golden_size(one, "stride")};
    const json_t *expected;
    struct window w = {0};
    json_array_foreach(json_object_get(one, "windows"), i, expected)
    {
        assert_true(windows_next(&cut, n, &w));
        assert_int_equal(w.begin, golden_place(expected, 0));
        assert_int_equal(w.end, golden_place(expected, 1));
        assert_int_equal(w.scored, golden_place(expected, 2));
        read += w.end - w.begin;
        scored += w.end - w.scored;
    }
    assert_false(windows_next(&cut, n, &w));
    struct window_count all = windows_count(&cut, n);
    assert_int_equal(all.windows, i);
    assert_int_equal(all.read, read);
    assert_int_equal(all.scored, scored);
}

static void texts_are_cut_as_documented(void **state)
{
    (void)state;
    const json_t *cases, *one;
    json_t *root = quality_goldens("cuts", &cases);
    size_t i;
    json_array_foreach(cases, i, one) assert_cut(one);
    json_decref(root);
}

static void each_token_is_scored_once(void **state)
{
    (void)state;
    for (size_t size = 2; size < 12; size++)
        for (size_t stride = 1; stride <= size; stride++) {
            const struct windows cut = {size, stride};
            size_t times[50] = {0};
            for (struct window w = {0}; windows_next(&cut, 50, &w);)
                for (size_t t = w.scored; t < w.end; t++)
                    times[t]++;
            for (size_t t = 0; t < 50; t++) {
                bool first = stride == size ? t % size == 0 : t == 0;
                assert_int_equal(times[t], first ? 0 : 1);
            }
        }
}

static void a_text_without_tokens_has_no_window(void **state)
{
    (void)state;
    const struct windows cut = {6, 3};
    struct window w = {0};
    assert_false(windows_next(&cut, 0, &w));
    assert_int_equal(windows_count(&cut, 0).windows, 0);
}

/* --- what is asked for -------------------------------------------------- */

static void assert_windows(size_t holds, size_t size, size_t stride,
                           size_t expected_size, size_t expected_stride)
{
    struct model m = {.max_positions = holds};
    struct windows w;
    struct error e;
    assert_ok(windows_init(&w, &m, size, stride, &e), &e);
    assert_int_equal(w.size, expected_size);
    assert_int_equal(w.stride, expected_stride);
}

static void what_is_not_said_is_usual(void **state)
{
    (void)state;
    assert_windows(1024, 0, 0, 512, 256);
    assert_windows(100, 0, 0, 100, 50);
    assert_windows(1024, 1024, 0, 1024, 512);
    assert_windows(1024, 0, 512, 512, 512);
    assert_windows(1024, 2, 0, 2, 1);
    assert_windows(1024, 2, 2, 2, 2);
    assert_windows(1024, 3, 1, 3, 1);
}

static void assert_refused(size_t size, size_t stride, const char *message)
{
    struct model m = {.max_positions = 1024};
    struct windows w;
    struct error e;
    assert_int_equal(windows_init(&w, &m, size, stride, &e), -1);
    assert_int_equal(e.code, ERROR_USAGE);
    assert_string_equal(e.message, message);
}

static void windows_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    assert_refused(1, 0,
                   "a window of 1 token has none to score: it takes 2 at "
                   "least");
    assert_refused(1025, 0,
                   "a window of 1025 tokens is more than this model can "
                   "hold: 1024");
    assert_refused(6, 7,
                   "a stride of 7 tokens leaves some out between windows of "
                   "6");
    assert_refused(0, 513,
                   "a stride of 513 tokens leaves some out between windows "
                   "of 512");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_cut_as_documented),
        cmocka_unit_test(each_token_is_scored_once),
        cmocka_unit_test(a_text_without_tokens_has_no_window),
        cmocka_unit_test(what_is_not_said_is_usual),
        cmocka_unit_test(windows_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}
