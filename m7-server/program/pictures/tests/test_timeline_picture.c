/* The picture of the timeline shows the schedule of a batch: the same one on
 * every machine. */
#include "test_commands.h"

#include "test_png.h"
#include "timeline_run.h"

enum picture_sizes {
    FIRST = 190, /* where step 1 begins, in pixels */
    STEP = 28,
    TOP = 90, /* where request 1 begins */
    REQUEST = 30
};

enum shown {
    NOTHING,
    WAITS,
    READS,
    WRITES
};

/* What is drawn in a cell: its corner has no number on it. */
static enum shown shown_at(const struct image *m, int request, int step)
{
    int x = FIRST + (step - 1) * STEP + 1;
    int y = TOP + (request - 1) * REQUEST + 1;
    if (is_colour(m, x, y, colour_absent()))
        return WAITS;
    if (is_colour(m, x, y, colour_signed(0.45f)))
        return READS;
    if (is_colour(m, x, y, colour_signed(-0.62f)))
        return WRITES;
    assert_true(is_colour(m, x, y, (struct colour){255, 255, 255}));
    return NOTHING;
}

static void run_batch(struct timeline_run *r, bool exact)
{
    struct error e;
    struct settings s = {.model = getenv("RUNG_MODEL"), .exact = exact};
    need_model();
    assert_int_equal(timeline_run(r, &s, &e), 0);
}

/* Tokens that one request had, or a step of all. */
static size_t count_tokens(const struct timeline_run *r, uint64_t request,
                           uint64_t step, bool decodes)
{
    size_t sum = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct rung_part *p = &r->parts[i];
        if ((!request || p->request == request) &&
            (!step || p->step == step) && p->decodes == decodes)
            sum += p->tokens;
    }
    return sum;
}

static bool had(const struct timeline_run *r, uint64_t request, uint64_t step)
{
    return count_tokens(r, request, step, false) +
               count_tokens(r, request, step, true) >
           0;
}

static void every_prompt_is_read_once_and_every_answer_written(void **state)
{
    (void)state;
    struct timeline_run r;
    run_batch(&r, false);
    for (size_t i = 0; i < TIMELINE_REQUESTS; i++) {
        const struct timeline_request *asked = &timeline_requests[i];
        assert_int_equal(count_tokens(&r, i + 1, 0, false), asked->prompt);
        if (asked->leaves == 0)
            assert_int_equal(count_tokens(&r, i + 1, 0, true),
                             asked->answer - 1);
    }
}

static void no_step_is_too_large_and_none_leaves_out_a_decode(void **state)
{
    (void)state;
    struct timeline_run r;
    run_batch(&r, false);
    uint64_t last = r.parts[r.n - 1].step;
    for (uint64_t step = 1; step <= last; step++) {
        assert_in_range(count_tokens(&r, 0, step, false) +
                            count_tokens(&r, 0, step, true),
                        1, TIMELINE_ROWS);
        assert_true(had(&r, 1, step));
    }
}

/* Request 4 leaves behind step 17: its place is request 6's in step 18. */
static void a_client_that_leaves_frees_its_place_at_once(void **state)
{
    (void)state;
    struct timeline_run r;
    run_batch(&r, false);
    assert_true(had(&r, 4, 17));
    assert_false(had(&r, 4, 18));
    assert_false(had(&r, 6, 17));
    assert_true(had(&r, 6, 18));
}

/* However long a step takes. */
static void the_plan_does_not_depend_on_time(void **state)
{
    (void)state;
    struct timeline_run a, b;
    run_batch(&a, false);
    run_batch(&b, true);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.came, b.came, sizeof a.came);
    for (size_t i = 0; i < a.n; i++) {
        assert_int_equal(a.parts[i].step, b.parts[i].step);
        assert_int_equal(a.parts[i].request, b.parts[i].request);
        assert_int_equal(a.parts[i].tokens, b.parts[i].tokens);
        assert_int_equal(a.parts[i].decodes, b.parts[i].decodes);
    }
}

static void cells_show_what_steps_have_read(void **state)
{
    (void)state;
    struct timeline_run r;
    run_batch(&r, false);
    assert_output(WORDS("picture", "timeline", "-o", "a.png"), "", "");
    struct image m = read_png("a.png");
    assert_non_null(m.pixels);
    int last = (int)r.parts[r.n - 1].step;
    for (int request = 2; request <= TIMELINE_REQUESTS; request++)
        for (int step = 1; step <= last; step++) {
            enum shown shown = shown_at(&m, request, step);
            uint64_t i = (uint64_t)request, s = (uint64_t)step;
            assert_int_equal(shown == READS,
                             count_tokens(&r, i, s, false) > 0);
            assert_int_equal(shown == WRITES,
                             count_tokens(&r, i, s, true) > 0);
        }
    image_free(&m);
}

/* Request 5 comes behind step 8, and four are there. */
static void who_waits_is_shown(void **state)
{
    (void)state;
    assert_output(WORDS("picture", "timeline", "-o", "a.png"), "", "");
    struct image m = read_png("a.png");
    assert_int_equal(shown_at(&m, 5, 8), NOTHING);
    assert_int_equal(shown_at(&m, 5, 9), WAITS);
    assert_int_equal(shown_at(&m, 5, 14), WAITS);
    assert_int_equal(shown_at(&m, 5, 15), READS);
    image_free(&m);
}

static void what_it_does_not_heed_is_refused(void **state)
{
    (void)state;
    assert_error(WORDS("picture", "timeline", "--layer", "1", "-o", "a.png"),
                 2, "rung: rung picture timeline takes no option --layer\n");
    assert_error(WORDS("picture", "timeline", france, "-o", "a.png"), 2,
                 "rung: expected: rung picture timeline  -o FILE\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prompt_is_read_once_and_every_answer_written),
        cmocka_unit_test(no_step_is_too_large_and_none_leaves_out_a_decode),
        cmocka_unit_test(a_client_that_leaves_frees_its_place_at_once),
        cmocka_unit_test(the_plan_does_not_depend_on_time),
        SCRATCH(cells_show_what_steps_have_read),
        SCRATCH(who_waits_is_shown),
        cmocka_unit_test(what_it_does_not_heed_is_refused),
    };
    return cmocka_run_group_tests_name("timeline_picture", tests, name_model,
                                       NULL);
}
