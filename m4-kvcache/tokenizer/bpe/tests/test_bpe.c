/* Byte-pair encoding: the order of merges, and the time they take. */
#include "bpe.h"

#include "test_ids.h"
#include "test_long.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A model of the letters a to d: what merges, in order. */
struct fixture {
    struct vocabulary vocabulary;
    struct bpe_model model;
    struct bpe bpe;
};

static void open_model(struct fixture *f, const char *json)
{
    struct error e = {ERROR_NONE, ""};
    json_t *value = json_parse(json, strlen(json), "model", 0, &e);
    struct node root = node_root("model", value);
    struct node vocab = node_member(&root, "vocab");
    *f = (struct fixture){.bpe = {.model = &f->model}};
    assert_int_equal(vocabulary_read(&vocab, &f->vocabulary, &e), 0);
    assert_int_equal(bpe_read(&root, &f->vocabulary, &f->model, &e), 0);
    json_decref(value);
}

static void close_model(struct fixture *f)
{
    bpe_free(&f->bpe);
    bpe_model_free(&f->model);
    vocabulary_free(&f->vocabulary);
}

/* Begin a word of `repeat` times the letters. */
static void start(struct fixture *f, const char *letters, size_t repeat)
{
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(bpe_start(&f->bpe, strlen(letters) * repeat, &e), 0);
    for (size_t i = 0; i < repeat; i++)
        for (const char *c = letters; *c; c++)
            bpe_add(&f->bpe, bpe_character(&f->model, (unsigned char)*c));
}

static void merge(struct fixture *f)
{
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(bpe_merge(&f->bpe, &e), 0);
    assert_string_equal(e.message, "");
}

static void expect_tokens(struct fixture *f, const char *word,
                          const char *expected)
{
    struct bytes out = {0};
    size_t size;
    start(f, word, 1);
    merge(f);
    for (size_t i = 0; i < f->bpe.n_symbols; i++) {
        bytes_add_string(&out, i ? " " : "");
        bytes_add_string(&out, vocabulary_text(&f->vocabulary,
                                               (int)f->bpe.symbols[i], &size));
    }
    bytes_add(&out, "", 1);
    assert_string_equal(out.data, expected);
    bytes_free(&out);
}

static const char letters_model[] =
    "{\"vocab\": {\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"ab\":4,\"bc\":5,"
    "\"abc\":6,\"aa\":7,\"aaaa\":8,\"cd\":9,\"bcd\":10,\"ca\":11,"
    "\"abca\":12},"
    " \"merges\": [\"b c\",\"a b\",\"a a\",\"ab ca\",\"aa aa\",\"c a\","
    "\"bc d\",\"c d\",\"ab c\",\"a bc\"]}";

static void the_earliest_merge_of_the_list_goes_first(void **state)
{
    (void)state;
    struct fixture f;
    open_model(&f, letters_model);
    expect_tokens(&f, "abc", "abc");
    expect_tokens(&f, "abcd", "a bcd");
    expect_tokens(&f, "bcd", "bcd");
    expect_tokens(&f, "acd", "a cd");
    expect_tokens(&f, "abd", "ab d");
    close_model(&f);
}

static void a_pairs_rank_is_its_place_in_the_list(void **state)
{
    (void)state;
    struct fixture f;
    open_model(&f, letters_model);
    const uint32_t a = 0, b = 1, c = 2, ab = 4, ca = 11;
    assert_int_equal(bpe_rank(&f.model, b, c), 0);
    assert_int_equal(bpe_rank(&f.model, a, b), 1);
    assert_int_equal(bpe_rank(&f.model, a, a), 2);
    assert_int_equal(bpe_rank(&f.model, ab, ca), 3);
    assert_int_equal(bpe_rank(&f.model, b, a), NO_RANK);
    assert_int_equal(bpe_rank(&f.model, c, c), NO_RANK);
    close_model(&f);
}

static void of_equal_pairs_the_leftmost_goes_first(void **state)
{
    (void)state;
    struct fixture f;
    open_model(&f, letters_model);
    expect_tokens(&f, "aaa", "aa a");
    expect_tokens(&f, "aaaa", "aaaa");
    expect_tokens(&f, "aaaaaaa", "aaaa aa a");
    close_model(&f);
}

/* "c c" is late in the list, but "cc c" is before it. */
static void a_new_pair_may_go_before_the_old_ones(void **state)
{
    (void)state;
    struct fixture f;
    open_model(&f, "{\"vocab\":{\"c\":0,\"cc\":1,\"ccc\":2},"
                   " \"merges\":[[\"cc\",\"c\"],[\"c\",\"c\"]]}");
    expect_tokens(&f, "cccc", "ccc c");
    expect_tokens(&f, "ccccccc", "ccc ccc c");
    close_model(&f);
}

static void words_without_pairs_stay_as_they_are(void **state)
{
    (void)state;
    struct fixture f;
    open_model(&f, letters_model);
    expect_tokens(&f, "", "");
    expect_tokens(&f, "d", "d");
    expect_tokens(&f, "dddd", "d d d d");
    close_model(&f);
}

/* The definition, word for word: as slow as it is short. */
static void merge_by_definition(const struct bpe_model *m, uint32_t *symbols,
                                size_t *n)
{
    for (;;) {
        uint32_t best = NO_RANK;
        size_t at = 0;
        for (size_t i = 0; i + 1 < *n; i++) {
            uint32_t rank = bpe_rank(m, symbols[i], symbols[i + 1]);
            if (rank < best) {
                best = rank;
                at = i;
            }
        }
        if (best == NO_RANK)
            return;
        symbols[at] = m->merged[best];
        memmove(&symbols[at + 1], &symbols[at + 2],
                (*n - at - 2) * sizeof *symbols);
        --*n;
    }
}

static void compare_with_definition(struct fixture *f, const char *word)
{
    start(f, word, 1);
    size_t n = f->bpe.n_symbols;
    uint32_t *symbols = malloc((n + 1) * sizeof *symbols);
    assert_non_null(symbols);
    memcpy(symbols, f->bpe.symbols, n * sizeof *symbols);
    merge_by_definition(&f->model, symbols, &n);
    merge(f);
    assert_ids((int *)f->bpe.symbols, f->bpe.n_symbols, (int *)symbols, n);
    free(symbols);
}

static void merging_keeps_to_the_definition(void **state)
{
    (void)state;
    struct fixture f;
    char word[401];
    open_model(&f, letters_model);
    srand(1);
    for (int round = 0; round < 600; round++) {
        size_t length = (size_t)rand() % 400 + 1;
        for (size_t i = 0; i < length; i++)
            word[i] = (char)('a' + rand() % (round % 3 + 2));
        word[length] = 0;
        compare_with_definition(&f, word);
    }
    close_model(&f);
}

static size_t steps_for(struct fixture *f, const char *letters, size_t repeat)
{
    start(f, letters, repeat);
    f->bpe.steps = 0;
    merge(f);
    return f->bpe.steps;
}

/* Counted, not timed: 100 times the text, 100 times the steps. */
static void the_work_grows_with_the_word_and_no_faster(void **state)
{
    (void)state;
    static const char *const letters[] = {"a", "ab", "abcd", "d", "cabbacd"};
    struct fixture f;
    open_model(&f, letters_model);
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        size_t few = steps_for(&f, letters[i], 2000);
        size_t many = steps_for(&f, letters[i], 200000);
        assert_in_range(many, few * 90, few * 110);
        assert_true(few < 2000 * strlen(letters[i]) * 8);
    }
    close_model(&f);
}

/* Each of two symbols is looked up with the one after it, the pair is taken
 * from the queue, and what it became is looked up in turn. */
static void every_step_is_counted(void **state)
{
    (void)state;
    struct fixture f;
    open_model(&f, letters_model);
    assert_int_equal(steps_for(&f, "ab", 1), 2 + 1 + 1);
    assert_int_equal(steps_for(&f, "dddd", 1), 4);
    assert_int_equal(steps_for(&f, "d", 1), 0);
    close_model(&f);
}

/* Among these lengths are those that take all places there are: what is
 * written behind the last letter, the sanitizers see there. */
static void a_word_may_take_all_places(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 64; n++) {
        struct fixture f;
        open_model(&f, letters_model);
        start(&f, "d", n);
        merge(&f);
        assert_int_equal(f.bpe.n_symbols, n);
        close_model(&f);
    }
}

/* Sizes that no memory has are refused before any is asked for. */
static void a_word_too_long_is_an_error(void **state)
{
    (void)state;
    struct fixture f;
    struct error e = {ERROR_NONE, ""};
    open_model(&f, letters_model);
    assert_int_equal(bpe_start(&f.bpe, SIZE_MAX, &e), -1);
    assert_string_equal(e.message, "out of memory for a long word");
    f.bpe.n_symbols = UINT32_MAX;
    assert_int_equal(bpe_merge(&f.bpe, &e), -1);
    assert_string_equal(e.message, "a word of 4294967295 symbols is too long");
    f.bpe.n_symbols = 0;
    expect_tokens(&f, "ab", "ab");
    close_model(&f);
}

/* The result of merging while no memory can be had. */
static int merge_without_memory(struct fixture *f, struct error *e)
{
    struct rlimit kept, none;
    assert_int_equal(getrlimit(RLIMIT_AS, &kept), 0);
    none = kept;
    none.rlim_cur = 1;
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    int result = bpe_merge(&f->bpe, e);
    assert_int_equal(setrlimit(RLIMIT_AS, &kept), 0);
    return result;
}

/* All the other arrays are there already, from the first time.  This test is
 * the first: later ones leave memory that can be had again without asking. */
static void a_queue_without_memory_is_an_error(void **state)
{
    (void)state;
    struct fixture f;
    struct error e = {ERROR_NONE, ""};
    if (is_slow()) { /* the sanitizers' allocator ends the program */
        print_message("not under sanitizers\n");
        skip();
    }
    open_model(&f, letters_model);
    start(&f, "ab", 400000);
    merge(&f);
    size_t whole = f.bpe.n_symbols;
    queue_free(&f.bpe.queue);
    start(&f, "ab", 400000);
    int result = merge_without_memory(&f, &e);
    size_t n_symbols = f.bpe.n_symbols;
    close_model(&f);
    if (result == 0) {
        assert_int_equal(n_symbols, whole);
        print_message("limits of memory do not work here\n");
        skip();
    }
    assert_string_equal(e.message, "out of memory for a long word");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_without_memory_is_an_error),
        cmocka_unit_test(the_earliest_merge_of_the_list_goes_first),
        cmocka_unit_test(a_pairs_rank_is_its_place_in_the_list),
        cmocka_unit_test(of_equal_pairs_the_leftmost_goes_first),
        cmocka_unit_test(a_new_pair_may_go_before_the_old_ones),
        cmocka_unit_test(words_without_pairs_stay_as_they_are),
        cmocka_unit_test(merging_keeps_to_the_definition),
        cmocka_unit_test(the_work_grows_with_the_word_and_no_faster),
        cmocka_unit_test(every_step_is_counted),
        cmocka_unit_test(a_word_may_take_all_places),
        cmocka_unit_test(a_word_too_long_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
