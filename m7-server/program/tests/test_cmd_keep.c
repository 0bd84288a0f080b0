/* --keep-packed: what the program says of the copy, and that it computes the
 * same with it. */
#include "test_commands.h"

#include <fcntl.h>

static const char copy[] = "m/model.safetensors.rung-packed";

/* The reading model's files become those of the folder "m". */
static void copy_model(void)
{
    static char block[1 << 20];
    static const char *const names[] = {
        "config.json", "generation_config.json", "model.safetensors",
        "tokenizer.json", "tokenizer_config.json"};
    need_model();
    mkdir("m", 0700);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char from[4200], to[80];
        snprintf(from, sizeof from, "%s/%s", getenv("RUNG_MODEL"), names[i]);
        snprintf(to, sizeof to, "m/%s", names[i]);
        FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
        assert_true(in && out);
        for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;)
            assert_int_equal(fwrite(block, 1, n, out), n);
        fclose(in);
        fclose(out);
    }
}

/* What it prints is what `plain` has printed; on standard error, `said`. */
static void assert_says(char **words, const struct outcome *plain,
                        const char *said)
{
    struct outcome o = run_rung(words, "", 0);
    assert_string_equal(o.err.data, said);
    assert_string_equal(o.out.data, plain->out.data);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

#define PLAIN WORDS("next", "-m", "m", "--json", france)
#define NEXT(...) WORDS("next", "-m", "m", "--json", france, __VA_ARGS__)
#define STALE                                                                 \
    "note: m/model.safetensors.rung-packed: at byte 16: it was made from "    \
    "another model, or from this one before it was changed; "

static void it_says_what_becomes_of_the_copy(void **state)
{
    (void)state;
    copy_model();
    struct outcome plain = run_rung(PLAIN, "", 0);
    assert_int_equal(plain.status, 0);
    assert_int_equal(access(copy, F_OK), -1);
    assert_says(NEXT("--keep-packed"), &plain,
                "note: a packed copy of 14.7 MB is kept beside the model\n");
    assert_says(NEXT("--keep-packed"), &plain, "");
    assert_says(NEXT("--threads", "2"), &plain, "");
    assert_int_equal(utimensat(AT_FDCWD, "m/model.safetensors", NULL, 0), 0);
    assert_says(PLAIN, &plain,
                STALE "it is not used (--keep-packed makes it again)\n");
    assert_says(NEXT("--keep-packed"), &plain, STALE "it was made again\n");
    assert_says(PLAIN, &plain, "");
    outcome_free(&plain);
}

static void where_nothing_can_be_written_it_goes_on(void **state)
{
    (void)state;
    copy_model();
    struct outcome plain = run_rung(PLAIN, "", 0);
    mkdir(copy, 0700);
    assert_says(NEXT("--keep-packed"), &plain,
                "note: m/model.safetensors.rung-packed: is no regular file, "
                "which is all that may be replaced; no packed copy is kept\n");
    outcome_free(&plain);
}

/* What is not packed has no copy. */
static void it_does_not_go_with_exact(void **state)
{
    (void)state;
    copy_model();
    assert_error(NEXT("--keep-packed", "--exact"), 2,
                 "rung: option --keep-packed does not go with --exact, which "
                 "packs nothing\n");
    assert_int_equal(access(copy, F_OK), -1);
}

/* A text that is drafted by a small model, both of which have copies. */
static void a_draft_has_one_too(void **state)
{
    (void)state;
    copy_model();
    for (size_t i = 0; i < 2; i++) {
        struct outcome o = run_rung(
            WORDS("generate", "-q", "-m", "m", "--draft",
                  "m/model.safetensors", "--keep-packed", "-n", "3", france),
            "", 0);
        assert_string_equal(o.out.data, " Paris.");
        assert_int_equal(o.status, 0);
        outcome_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(it_says_what_becomes_of_the_copy),
        SCRATCH(where_nothing_can_be_written_it_goes_on),
        SCRATCH(it_does_not_go_with_exact),
        SCRATCH(a_draft_has_one_too),
    };
    return cmocka_run_group_tests(tests, name_model, NULL);
}
