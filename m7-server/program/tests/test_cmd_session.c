/* The command that looks at a session's file, or makes it shorter. */
#include "test_kept.h"

/* A session of five tokens in layers that see everything or, with a window,
 * no more than two. */
static void save_small(size_t window)
{
    struct layer layers[2] = {
        {.attention = {.n_kv_heads = 1, .head_dim = 3}},
        {.attention = {.n_kv_heads = 1, .head_dim = 3, .window = window}}};
    struct model m = {.config = {.n_layers = 2}, .layers = layers};
    const float row[3] = {1, 2, 3};
    struct cache c;
    struct error e;
    assert_ok(cache_init(&c, &m, 9, 1, &e), &e);
    for (size_t p = 0; p < 5; p++) {
        for (size_t l = 0; l < 2; l++)
            cache_store(&c.layers[l], p, 1, row, row);
        c.ids[p] = (int)(10 * p);
    }
    c.length = c.rotated = 5;
    assert_ok(session_save("s", &c, 0xabc, &e), &e);
    cache_free(&c);
}

static void show_says_what_it_holds(void **state)
{
    (void)state;
    save_small(0);
    assert_output(WORDS("session", "show", "s"), "",
                  "tokens       5\n"
                  "layers       2\n"
                  "cache        f32\n"
                  "bytes        260\n"
                  "fingerprint  0000000000000abc\n");
    assert_output(WORDS("session", "show", "s", "--json"), "",
                  "{\"model\": \"0000000000000abc\", \"layers\": 2, "
                  "\"cache\": \"f32\", \"bytes\": 260, "
                  "\"ids\": [0, 10, 20, 30, 40]}\n");
    save_small(2);
    assert_output(WORDS("session", "show", "s"), "",
                  "tokens       5\n"
                  "layers       2, 1 of which hold the newest positions "
                  "only\n"
                  "cache        f32\n"
                  "bytes        188\n"
                  "fingerprint  0000000000000abc\n");
}

static void fork_makes_another(void **state)
{
    (void)state;
    save_small(0);
    assert_output(WORDS("session", "fork", "s", "t", "--at", "3"), "", "");
    assert_output(WORDS("session", "fork", "s", "u"), "", "");
    assert_ids("t", "0 10 20");
    assert_ids("u", "0 10 20 30 40");
    assert_ids("s", "0 10 20 30 40");
}

static void rewind_goes_back(void **state)
{
    (void)state;
    save_small(0);
    assert_output(WORDS("session", "rewind", "s", "--at", "4"), "", "");
    assert_ids("s", "0 10 20 30");
    assert_error(WORDS("session", "rewind", "s", "--at", "5"), 1,
                 "rung: s has 4 tokens, and 5 are to stay\n");
    assert_error(WORDS("session", "rewind", "s"), 2,
                 "rung: rewind needs --at: how many tokens are to stay\n");
    assert_ids("s", "0 10 20 30");
    assert_output(WORDS("session", "rewind", "s", "--at", "0"), "", "");
    assert_ids("s", "");
}

static void windows_do_not_go_back(void **state)
{
    (void)state;
    save_small(2);
    assert_error(WORDS("session", "fork", "s", "t", "--at", "3"), 1,
                 "rung: s cannot go back to 3 tokens: its windows hold the "
                 "newest positions only\n");
    assert_int_not_equal(access("t", F_OK), 0);
    assert_output(WORDS("session", "fork", "s", "t", "--at", "0"), "", "");
    assert_ids("t", "");
}

static void what_cannot_be_asked_is_said(void **state)
{
    (void)state;
    save_small(0);
    assert_error(WORDS("session", france, "s"), 2,
                 "rung: \"The capital of France is\" is none of show, fork, "
                 "rewind\n");
    assert_error(WORDS("session", "fork", "s"), 2,
                 "rung: session fork takes two files\n");
    assert_error(WORDS("session", "show", "s", "t"), 2,
                 "rung: session show takes one file\n");
    assert_error(WORDS("session", "show", "s", "--at", "2"), 2,
                 "rung: rung session show takes no option --at\n");
    assert_error(WORDS("session", "fork", "s", "t", "--json"), 2,
                 "rung: rung session fork takes no option --json\n");
    assert_error(WORDS("session", "rewind", "s", "--json", "--at", "2"), 2,
                 "rung: rung session rewind takes no option --json\n");
    assert_error(WORDS("session", "show", "none"), 1,
                 "rung: none: No such file or directory\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(show_says_what_it_holds),
        SCRATCH(fork_makes_another),
        SCRATCH(rewind_goes_back),
        SCRATCH(windows_do_not_go_back),
        SCRATCH(what_cannot_be_asked_is_said),
    };
    return cmocka_run_group_tests_name("cmd_session", tests, name_model, NULL);
}
