/* In the plain parts of a text there are no marks, wherever the piece stands
 * that is split. */
#include "test_added.h"
#include "tokenizer_parts.h"

/* How the text's parts are written down: tokens as <id>, words as they are. */
struct written {
    char text[100];
    size_t size;
};

static int write_part(void *context, int id, struct piece part,
                      struct error *e)
{
    struct written *w = context;
    (void)e;
    if (id >= 0)
        w->size += (size_t)sprintf(w->text + w->size, "<%d>", id);
    else
        w->size += (size_t)sprintf(w->text + w->size, "%.*s", (int)part.size,
                                   part.text);
    return 0;
}

/* The bytes first .. end - 1 of the text are plain; the piece begins at byte
 * `at` of it. */
static void expect_split(const struct fixture *f, const struct trie *trie,
                         const char *piece, size_t at, size_t first,
                         size_t end, const char *expected)
{
    struct written w = {"", 0};
    struct error e;
    struct text_range range = {first, end};
    struct plain_parts parts = {&range, 1};
    struct plain_view view = {&parts, at};
    struct piece whole = {piece, strlen(piece), 0};
    assert_int_equal(added_split_plain(&f->added, trie, whole, &view,
                                       write_part, &w, &e), 0);
    assert_string_equal(w.text, expected);
}

static const struct line lines[] = {
    {2, "<x>", "s"}, {3, "<x>y", ""}, {4, "  ", ""}, {5, "<n>", "n"},
    {6, "<n>m", "ns"},
};

static void marks_are_found_outside_of_plain_parts(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    const struct trie *raw = &f.added.raw;
    expect_split(&f, raw, "a<x>b<x>", 0, 90, 91, "a<2>b<2>");
    expect_split(&f, raw, "a<x>b<x>", 0, 0, 8, "a<x>b<x>");
    expect_split(&f, raw, "a<x>b<x>", 0, 3, 4, "a<x>b<2>");
    expect_split(&f, raw, "a<x>b<x>", 0, 4, 5, "a<2>b<2>");
    expect_split(&f, raw, "a<x>b<x>", 0, 5, 8, "a<2>b<x>");
    finish(&f);
}

/* What somebody wrote behind a mark does not make a longer one of it. */
static void a_shorter_mark_before_a_plain_part_is_found(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    expect_split(&f, &f.added.raw, "<x>y", 0, 9, 9, "<3>");
    expect_split(&f, &f.added.raw, "<x>y", 0, 3, 4, "<2>y");
    expect_split(&f, &f.added.raw, "<x>y", 0, 2, 4, "<x>y");
    finish(&f);
}

static void white_space_is_no_mark(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    expect_split(&f, &f.added.raw, "a  b", 0, 0, 4, "a<4>b");
    finish(&f);
}

static void a_piece_knows_where_it_stands(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    const struct trie *trie = &f.added.normalized;
    expect_split(&f, trie, "<n>m", 50, 0, 50, "<6>");
    expect_split(&f, trie, "<n>m", 50, 53, 60, "<5>m");
    expect_split(&f, trie, "<n>m", 50, 52, 53, "<n>m");
    expect_split(&f, trie, "<n><n>", 50, 53, 54, "<5><n>");
    finish(&f);
}

/* A tokenizer that makes small letters, and then looks for <n>. */
static const char lowercase[] =
    "{\"version\": \"1.0\", \"truncation\": null, \"padding\": null,"
    " \"normalizer\": {\"type\": \"Lowercase\"}, \"pre_tokenizer\": null,"
    " \"post_processor\": null, \"decoder\": null, \"added_tokens\": ["
    "  {\"id\": 4, \"content\": \"<n>\", \"single_word\": false,"
    "   \"lstrip\": false, \"rstrip\": false, \"normalized\": true,"
    "   \"special\": true}],"
    " \"model\": {\"type\": \"BPE\", \"merges\": [],"
    "  \"vocab\": {\"a\": 0, \"<\": 1, \"n\": 2, \">\": 3}}}";

/* How many marks there are among the tokens of a text, of which the bytes
 * first .. end - 1 are plain. */
static size_t count_marks(const struct tokenizer *t, const char *text,
                          size_t first, size_t end)
{
    struct text_range range = {first, end};
    const struct encode_rules rules = {.special = true,
                                       .plain = {&range, 1}};
    struct ids ids = {0};
    struct error e;
    size_t n = 0;
    assert_int_equal(
        tokenizer_encode_by(t, text, strlen(text), &rules, &ids, &e), 0);
    for (size_t i = 0; i < ids.size; i++)
        n += ids.data[i] == 4;
    ids_free(&ids);
    return n;
}

static void in_a_part_that_was_normalized_there_are_none(void **state)
{
    (void)state;
    struct error e;
    json_t *json =
        json_parse(lowercase, sizeof lowercase - 1, "t.json", 0, &e);
    struct node root = node_root("t.json", json);
    struct tokenizer *t = tokenizer_read(&root, &e);
    assert_non_null(t);
    assert_int_equal(count_marks(t, "a<n>a<n>", 4, 4), 2);
    assert_int_equal(count_marks(t, "A<n>a<N>", 4, 4), 2);
    assert_int_equal(count_marks(t, "a<n>a<n>", 4, 8), 1);
    assert_int_equal(count_marks(t, "a<n>a<N>", 4, 8), 0);
    assert_int_equal(count_marks(t, "A<n>a<n>", 7, 8), 0);
    tokenizer_free(t);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_found_outside_of_plain_parts),
        cmocka_unit_test(a_shorter_mark_before_a_plain_part_is_found),
        cmocka_unit_test(white_space_is_no_mark),
        cmocka_unit_test(a_piece_knows_where_it_stands),
        cmocka_unit_test(in_a_part_that_was_normalized_there_are_none),
    };
    return cmocka_run_group_tests_name("added_plain", tests, NULL, NULL);
}
