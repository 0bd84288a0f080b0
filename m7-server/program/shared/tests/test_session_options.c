/* A text that was read once is not read again; and nothing that is wrong with
 * a session's file keeps a text from being read anew. */
#include "test_kept.h"
#include "test_windowed.h"

#include <signal.h>
#include <sys/resource.h>

/* The text that it prints, and how many tokens it read and knew. */
static void assert_read(char **words, const char *text, size_t n_read,
                        size_t n_known)
{
    struct outcome o = run(words);
    size_t found_read = 0, found_known = 0;
    assert_int_equal(o.status, 0);
    assert_string_equal(o.out.data, text);
    assert_int_equal(sscanf(o.err.data, "\n%zu known, %zu read in ",
                            &found_known, &found_read),
                     2);
    assert_int_equal(found_read, n_read);
    assert_int_equal(found_known, n_known);
    outcome_free(&o);
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
                      number, "--save", "s", "--exact"));
        struct outcome o = run(WORDS("session", "show", "s"));
        assert_non_null(strstr(o.out.data, bytes));
        outcome_free(&o);
    }
}

/* What was guessed wrong stands in the cache for a while, and in no file; also
 * where the text ends with the token that came in place of the last guess, and
 * is as long as what the cache holds. */
static void a_session_holds_the_text_and_no_more(void **state)
{
    (void)state;
    static char *const ends[] = {"459", "278", "4087"};
    for (size_t i = 0; i < 3; i++) {
        prepare(WORDS("generate", dogs, "-n", "9", "--stop-id", ends[i],
                      "--save", "0"));
        prepare(WORDS("generate", dogs, "-n", "9", "--stop-id", ends[i],
                      "--save", "1", "--draft", "ngram", "--draft-tokens",
                      i == 0 ? "1" : "4"));
        assert_same_files("0", "1");
    }
}

static void of_several_continuations_the_last_is_kept(void **state)
{
    (void)state;
    struct outcome o =
        run(WORDS("generate", france, "--bias", "2993=-100", "--seed", "4",
                  "--samples", "2", "-n", "2", "--json", "--save", "s"));
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
    prepare(WORDS("generate", france, "--load", "s", "--save", "s"));
    assert_ids("s", "287 458 321 597 3562 295 2993 263 13 4087");
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

    o = run(WORDS("generate", france, "-q", "-m", ".", "--load", "s", "--save",
                  "s"));
    assert_non_null(strstr(o.err.data, "; --save would replace it\n"));
    assert_string_equal(o.out.data, "");
    assert_int_equal(o.status, 1);
    outcome_free(&o);
    prepare(WORDS("generate", france, "--load", "s", "--save", "s"));
}

static void a_session_that_cannot_be_kept_is_an_error(void **state)
{
    (void)state;
    assert_error(WORDS("generate", france, "-q", "--save", "none/s"), 1,
                 "rung: none/s: No such file or directory\n");
    assert_error(WORDS("generate", france, "-q", "--save", "."), 1,
                 "rung: .: is no regular file, which is all that may be "
                 "replaced\n");
}

/* A limit on the size of files stands for a disk that is full: the text is
 * there, the old session too, and nothing beside it. */
static void a_full_disk_loses_nothing(void **state)
{
    (void)state;
    struct rlimit before, small;
    mkdir("f", 0700);
    prepare(WORDS("generate", france, "-n", "0", "--save", "f/s"));
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    struct outcome o = run(WORDS("generate", france, "-q", "--save", "f/s"));
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_string_equal(o.out.data, " Paris.");
    assert_string_equal(o.err.data,
                        "rung: f/s: File too large; nothing was changed\n");
    assert_int_equal(o.status, 1);
    assert_ids("f/s", "287 458 321 597 3562 295");
    assert_int_equal(unlink("f/s"), 0);
    assert_int_equal(rmdir("f"), 0);
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
        SCRATCH(a_full_disk_loses_nothing),
        SCRATCH(a_full_context_is_an_error_with_both_numbers),
    };
    return cmocka_run_group_tests_name("session options", tests, name_model,
                                       NULL);
}
