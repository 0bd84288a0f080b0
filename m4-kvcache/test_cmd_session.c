/* A text that was read once is not read again; and nothing that is wrong with
 * a session's file keeps a text from being read anew. */
#include "session.h"

#include "test_copies.h"
#include "test_numbers.h"
#include "test_windowed.h"

static struct outcome run(char **words)
{
    need_model();
    return run_rung(words, "", 0);
}

/* Do what a test needs. */
static void prepare(char **words)
{
    struct outcome o = run(words);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

/* The text that it prints, and how many tokens it read and knew. */
static void assert_read(char **words, const char *text, size_t n_read,
                        size_t n_known)
{
    struct outcome o = run(words);
    size_t found_read = 0, found_known = 0;
    assert_int_equal(o.status, 0);
    assert_string_equal(o.out.data, text);
    assert_int_equal(sscanf(o.err.data, "\n%zu read, %zu known, ", &found_read,
                            &found_known),
                     2);
    assert_int_equal(found_read, n_read);
    assert_int_equal(found_known, n_known);
    outcome_free(&o);
}

/* Which tokens a session's file holds. */
static void assert_ids(const char *path, const char *expected)
{
    struct session s;
    struct error e;
    char found[400] = "";
    assert_ok(session_load(path, &s, &e), &e);
    for (size_t i = 0; i < s.cache.length; i++)
        snprintf(found + strlen(found), 20, "%s%d", i ? " " : "",
                 s.cache.ids[i]);
    session_free(&s);
    assert_string_equal(found, expected);
}

/* --- save and load ------------------------------------------------------- */

static char dogs[] = "The dog ran. The cat ran. The dog ran. The";

static void what_was_read_is_known(void **state)
{
    (void)state;
    prepare(WORDS("generate", france, "-n", "0", "--save", "s"));
    assert_ids("s", "287 458 321 597 3562 295");
    assert_read(WORDS("generate", france, "--load", "s", "--save", "s"),
                " Paris.", 1, 5);
    assert_ids("s", "287 458 321 597 3562 295 2993 263 13 4087");
    assert_read(WORDS("generate", france, "--load", "s"), " Paris.", 1, 5);
    assert_read(
        WORDS("generate", "The capital of France is Paris", "--load", "s"),
        ".", 1, 7);
}

static void texts_share_their_beginning(void **state)
{
    (void)state;
    static char spain[] = "The capital of Spain is";
    prepare(WORDS("generate", france, "--save", "s"));
    struct outcome alone = run(WORDS("generate", spain, "-q"));
    assert_read(WORDS("generate", spain, "--load", "s"), alone.out.data, 3, 3);
    assert_read(WORDS("generate", dogs, "--load", "s", "-n", "1"), " dog", 12,
                1);
    outcome_free(&alone);
}

static void assert_same_files(const char *a, const char *b)
{
    unsigned char files[2][200000];
    size_t sizes[2];
    for (size_t i = 0; i < 2; i++) {
        FILE *f = fopen(i ? b : a, "rb");
        assert_non_null(f);
        sizes[i] = fread(files[i], 1, sizeof files[i], f);
        fclose(f);
    }
    assert_true(sizes[0] > 0 && sizes[0] < sizeof files[0]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(files[0], files[1], sizes[0]);
}

/* Every key and value has the same bits, however long the chunks were. */
static void the_chunk_changes_no_bit(void **state)
{
    (void)state;
    static char *const chunks[] = {"1", "2", "7", "12", "1000"};
    prepare(WORDS("generate", dogs, "-n", "4", "--save", "s"));
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        prepare(WORDS("generate", dogs, "-n", "4", "--chunk", chunks[i],
                      "--save", "t"));
        assert_same_files("s", "t");
    }
}

/* With a window of three, four layers keep 3 + chunk - 1 positions: of seven
 * tokens four have all, the others three or, by chunks of two, four. */
static void the_chunk_is_the_one_that_was_asked_for(void **state)
{
    (void)state;
    need_model();
    write_windowed_model();
    for (size_t chunk = 1; chunk <= 3; chunk++) {
        char bytes[60], number[8];
        snprintf(number, sizeof number, "%zu", chunk);
        snprintf(bytes, sizeof bytes, "\nbytes        %zu\n",
                 (4 * 7 + 4 * (3 + chunk - 1)) * 2 * 128 * 4 + 7 * 4);
        prepare(WORDS("generate", france, "-m", ".", "-n", "1", "--chunk",
                      number, "--save", "s"));
        struct outcome o = run(WORDS("session", "show", "s"));
        assert_non_null(strstr(o.out.data, bytes));
        outcome_free(&o);
    }
}

/* What was guessed wrong stands in the cache for a while, and in no file. */
static void a_session_holds_the_text_and_no_more(void **state)
{
    (void)state;
    prepare(WORDS("generate", dogs, "-n", "9", "--save", "0"));
    prepare(
        WORDS("generate", dogs, "-n", "9", "--save", "1", "--draft", "ngram"));
    assert_same_files("0", "1");
}

static void of_several_continuations_the_last_is_kept(void **state)
{
    (void)state;
    struct outcome o =
        run(WORDS("generate", france, "--bias", "2993=-100", "--seed", "4",
                  "--n", "2", "-n", "2", "--json", "--save", "s"));
    int first[2], last[2];
    char expected[100];
    assert_int_equal(sscanf(o.out.data, "[[%d, %d], [%d, %d]]", &first[0],
                            &first[1], &last[0], &last[1]),
                     4);
    snprintf(expected, sizeof expected, "287 458 321 597 3562 295 %d %d",
             last[0], last[1]);
    assert_ids("s", expected);
    outcome_free(&o);
}

/* --- what is wrong with a file ------------------------------------------- */

/* The note that comes in place of the session, and the text as without. */
static void assert_note(const char *note)
{
    struct outcome o = run(WORDS("generate", france, "-q", "--load", "s"));
    assert_string_equal(o.err.data, note);
    assert_string_equal(o.out.data, " Paris.");
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static void a_file_that_is_no_session_is_only_a_note(void **state)
{
    (void)state;
    assert_note("note: s: No such file or directory; all of the text is "
                "read\n");
    write_text("s", "hello");
    assert_note("note: s: at byte 0: this is no session, which would begin "
                "with RUNGSESS; all of the text is read\n");
    prepare(WORDS("generate", france, "--save", "s"));
    assert_int_equal(truncate("s", 1000), 0);
    assert_note("note: s: at byte 992: the checksum is not that of the bytes "
                "before; the file is damaged or was cut off; all of the text "
                "is read\n");
}

/* A model that differs in one number of its config.json is another model. */
static void a_model_that_turns_otherwise_is_another(void **state)
{
    (void)state;
    char model[PATH_MAX];
    unsigned long long of_file, of_model;
    find_model("tiny-chat", model);
    copy_model(model, "config.json", "\"rope_theta\": 10000.0",
               "\"rope_theta\": 10000.5");
    prepare(WORDS("generate", france, "--save", "s"));
    struct outcome alone = run(WORDS("generate", france, "-q", "-m", "."));
    struct outcome o =
        run(WORDS("generate", france, "-q", "-m", ".", "--load", "s"));
    assert_string_equal(o.out.data, alone.out.data);
    assert_int_equal(sscanf(o.err.data,
                            "note: s: is of another model: the fingerprint is "
                            "%llx, that of this one %llx; all",
                            &of_file, &of_model),
                     2);
    assert_true(of_file != of_model);
    outcome_free(&alone);
    outcome_free(&o);
}

static void a_session_that_cannot_be_kept_is_an_error(void **state)
{
    (void)state;
    struct outcome o =
        run(WORDS("generate", france, "-q", "--save", "none/s"));
    assert_string_equal(o.err.data,
                        "rung: none/s: No such file or directory\n");
    assert_int_equal(o.status, 1);
    outcome_free(&o);
}

/* Before anything is read, and the old session stays. */
static void a_full_context_is_an_error_with_both_numbers(void **state)
{
    (void)state;
    prepare(WORDS("generate", france, "-n", "0", "--save", "s"));
    assert_error(
        WORDS("generate", france, "-n", "1019", "--load", "s", "--save", "s"),
        1,
        "rung: the text has 6 tokens, and 1019 more were asked for; "
        "this model can hold 1024\n");
    assert_ids("s", "287 458 321 597 3562 295");
    prepare(WORDS("generate", france, "-n", "1018", "--load", "s"));
}

/* --- rung session -------------------------------------------------------- */

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
    c.length = 5;
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
                  "bytes        260\n"
                  "fingerprint  0000000000000abc\n");
    assert_output(WORDS("session", "show", "s", "--json"), "",
                  "{\"model\": \"0000000000000abc\", \"layers\": 2, "
                  "\"bytes\": 260, \"ids\": [0, 10, 20, 30, 40]}\n");
    save_small(2);
    assert_output(WORDS("session", "show", "s"), "",
                  "tokens       5\n"
                  "layers       2, 1 of which hold the newest positions "
                  "only\n"
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
    assert_error(WORDS("session", "sing", "s"), 2,
                 "rung: \"sing\" is none of show, fork, rewind\n");
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
        SCRATCH(what_was_read_is_known),
        SCRATCH(texts_share_their_beginning),
        SCRATCH(the_chunk_changes_no_bit),
        SCRATCH(the_chunk_is_the_one_that_was_asked_for),
        SCRATCH(a_session_holds_the_text_and_no_more),
        SCRATCH(of_several_continuations_the_last_is_kept),
        SCRATCH(a_file_that_is_no_session_is_only_a_note),
        SCRATCH(a_model_that_turns_otherwise_is_another),
        SCRATCH(a_session_that_cannot_be_kept_is_an_error),
        SCRATCH(a_full_context_is_an_error_with_both_numbers),
        SCRATCH(show_says_what_it_holds),
        SCRATCH(fork_makes_another),
        SCRATCH(rewind_goes_back),
        SCRATCH(windows_do_not_go_back),
        SCRATCH(what_cannot_be_asked_is_said),
    };
    return cmocka_run_group_tests_name("cmd_session", tests, name_model, NULL);
}
