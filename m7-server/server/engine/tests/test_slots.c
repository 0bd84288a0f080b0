/* A slot keeps its text for whoever comes next, within the budget. */
#include "slots.h"

#include "forward.h"
#include "random.h"
#include "test_run.h"
#undef fail
#include "test_numbers.h"

enum sizes {
    N = 4,      /* slots */
    LONG = 200, /* positions of a slot */
    BUDGET = 300
};

static struct model model;
static struct state room;
static bool opened;

static int open_once(void **state)
{
    struct error e;
    char *path = test_path("models/tiny-chat");
    (void)state;
    opened = access(path, R_OK) == 0;
    if (opened) {
        assert_ok(model_open(&model, path, &e), &e);
        assert_ok(state_init(&room, &model, LONG, &e), &e);
    }
    free(path);
    return 0;
}

static int close_once(void **state)
{
    (void)state;
    if (!opened)
        return 0;
    state_free(&room);
    model_close(&model);
    return 0;
}

static struct slots start(void)
{
    struct error e;
    struct slots s = {.model = &model, .capacity = LONG, .chunk = LONG,
                      .budget = BUDGET, .n = N};
    if (!opened)
        skip_without_models();
    assert_ok(slots_init(&s, &e), &e);
    return s;
}

/* A slot for a text of n tokens `id`, the last of which is `last`; what it
 * does not hold of it is read.  *held says how much it did. */
static struct slot *take(struct slots *s, int id, size_t n, int last,
                         size_t *held)
{
    struct error e;
    int ids[LONG];
    for (size_t i = 0; i < n; i++)
        ids[i] = i + 1 < n ? id : last;
    struct slot *slot = slots_take(s, ids, n, n, true, &e);
    assert_non_null(slot);
    struct cache *c = &slot->cache;
    *held = c->length;
    assert_true(c->length < n);
    for (size_t i = 0; i < c->length; i++)
        assert_int_equal(c->ids[i], ids[i]);
    prefill(&model, &room, c, ids + c->length, n - c->length, NULL);
    slot_touch(slot);
    assert_true(slots_positions(s) <= s->budget);
    return slot;
}

static void expect_held(struct slots *s, int id, size_t n, int last,
                        size_t expected)
{
    size_t held;
    slots_leave(take(s, id, n, last, &held));
    assert_int_equal(held, expected);
}

static void who_goes_on_gets_the_same_slot(void **state)
{
    (void)state;
    size_t held;
    struct slots s = start();
    struct slot *first = take(&s, 5, 20, 5, &held);
    assert_int_equal(held, 0);
    slots_leave(first);
    struct slot *again = take(&s, 5, 40, 6, &held);
    assert_ptr_equal(again, first);
    assert_int_equal(held, 20);
    assert_int_equal(slots_positions(&s), 40);
    slots_leave(again);
    slots_free(&s);
}

/* A few tokens in common are copied, and the longer text stays. */
static void another_text_gets_a_copy_of_the_beginning(void **state)
{
    (void)state;
    struct slots s = start();
    expect_held(&s, 5, 100, 5, 0);
    expect_held(&s, 5, 11, 6, 10);
    expect_held(&s, 5, 100, 5, 99);
    assert_int_equal(slots_positions(&s), 111);
    slots_free(&s);
}

static void who_runs_gives_copies_too(void **state)
{
    (void)state;
    size_t held;
    struct slots s = start();
    struct slot *first = take(&s, 5, 30, 5, &held);
    struct slot *second = take(&s, 5, 31, 6, &held);
    assert_ptr_not_equal(first, second);
    assert_int_equal(held, 30);
    slots_leave(first);
    slots_leave(second);
    slots_free(&s);
}

static void who_was_used_longest_ago_is_forgotten_first(void **state)
{
    (void)state;
    struct slots s = start();
    for (int id = 1; id <= N; id++)
        expect_held(&s, id, 20, id, 0);
    expect_held(&s, 1, 20, 1, 19);
    expect_held(&s, 9, 20, 9, 0); /* in the place of 2 */
    expect_held(&s, 1, 20, 1, 19);
    expect_held(&s, 3, 20, 3, 19);
    expect_held(&s, 2, 20, 2, 0);
    slots_free(&s);
}

static void texts_are_forgotten_for_room(void **state)
{
    (void)state;
    struct slots s = start();
    expect_held(&s, 1, 120, 1, 0);
    expect_held(&s, 2, 120, 2, 0);
    expect_held(&s, 3, 120, 3, 0); /* 1 has to go */
    expect_held(&s, 2, 120, 2, 119);
    expect_held(&s, 1, 120, 1, 0);
    slots_free(&s);
}

/* There is no room for a copy beside the text that it would be of. */
static void without_room_for_a_copy_the_slot_itself_goes_on(void **state)
{
    (void)state;
    struct slots s = start();
    s.budget = 200;
    expect_held(&s, 1, 180, 1, 0);
    expect_held(&s, 1, 50, 2, 49);
    expect_held(&s, 1, 150, 3, 49);
    slots_free(&s);
}

/* Random texts, of which some run side by side: within the budget, and never
 * another text's tokens (take). */
static void the_budget_holds_over_random_texts(void **state)
{
    (void)state;
    struct random r;
    struct slots s = start();
    struct slot *running[2] = {NULL, NULL};
    size_t held, hits = 0;
    random_init(&r, 3, 0);
    size_t takes = is_slow() ? 30 : is_long() ? 300 : 60;
    for (size_t i = 0; i < takes; i++) {
        struct slot **place = &running[i % 2];
        size_t n = 1 + (size_t)(random_bits(&r) % (BUDGET / 2));
        if (*place)
            slots_leave(*place);
        *place = take(&s, (int)(random_bits(&r) % 3), n,
                      (int)(random_bits(&r) % 4), &held);
        hits += held > 0;
    }
    assert_true(hits > takes / 3);
    slots_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_goes_on_gets_the_same_slot),
        cmocka_unit_test(another_text_gets_a_copy_of_the_beginning),
        cmocka_unit_test(who_runs_gives_copies_too),
        cmocka_unit_test(who_was_used_longest_ago_is_forgotten_first),
        cmocka_unit_test(texts_are_forgotten_for_room),
        cmocka_unit_test(without_room_for_a_copy_the_slot_itself_goes_on),
        cmocka_unit_test(the_budget_holds_over_random_texts),
    };
    return cmocka_run_group_tests_name("slots", tests, open_once, close_once);
}
