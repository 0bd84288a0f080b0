/* What guesses have of a step, in a single case; test_schedule.c has the
 * loads. */
#include "schedule.h"

#include "test_numbers.h"

/* What is left goes round: nobody has a second guess before all who want one
 * have a first. */
static void guesses_have_what_is_left_in_turns(void **state)
{
    (void)state;
    int jobs[3];
    const size_t wanted[3] = {4, 1, 4};
    struct schedule_limits l = {
        .rows = 20, .places = 3, .positions = 100, .guessing = 9};
    struct schedule_share shares[3];
    struct schedule s;
    struct error e;
    assert_ok(schedule_init(&s, &l, &e), &e);
    for (size_t i = 0; i < 3; i++) {
        schedule_add(&s, &jobs[i], 1, i == 2 ? 4 : 10);
        schedule_admit(&s);
    }
    schedule_plan(&s, shares);
    schedule_guess(&s, wanted, shares, 3); /* nobody says anything yet */
    assert_int_equal(shares[0].guesses + shares[2].guesses, 0);
    schedule_done(&s, shares, 3);
    schedule_plan(&s, shares);
    schedule_guess(&s, wanted, shares, 3);
    assert_int_equal(shares[0].guesses, 3); /* one more than nine rows have */
    assert_int_equal(shares[1].guesses, 1);
    assert_int_equal(shares[2].guesses, 2); /* and then its last token */
    assert_int_equal(shares[0].n, 4);
    schedule_done(&s, shares, 3);
    schedule_guessed(&s, &jobs[0], 3);
    assert_int_equal(s.jobs[0].more, 10 - 1 - 1 - 3);
    schedule_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_have_what_is_left_in_turns),
    };
    return cmocka_run_group_tests_name("schedule_guess", tests, NULL, NULL);
}
