/* The latest parts are kept, the oldest first. */
#include "timeline.h"

#include "test_numbers.h"

static void add(struct timeline *t, size_t from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct rung_part part = {.step = from + i};
        timeline_add(t, &part);
    }
}

static void expect(const struct timeline *t, size_t room, size_t n,
                   size_t first)
{
    static struct rung_part parts[TIMELINE_PARTS + 1];
    assert_int_equal(timeline_read(t, parts, room), n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(parts[i].step, first + i);
}

static void the_latest_parts_come_oldest_first(void **state)
{
    (void)state;
    static struct timeline t;
    expect(&t, 10, 0, 0);
    add(&t, 0, 7);
    expect(&t, 10, 7, 0);
    expect(&t, 3, 3, 4);
    add(&t, 7, TIMELINE_PARTS);
    expect(&t, TIMELINE_PARTS + 1, TIMELINE_PARTS, 7);
    expect(&t, 2, 2, TIMELINE_PARTS + 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_latest_parts_come_oldest_first),
    };
    return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
