/* The tokenizer answers as Hugging Face `tokenizers` does.
 *
 * tests/tokenizers/ holds a small tokenizer for each component and flag, and
 * what the library answered (tests/oracle/tokenizer/tokenizers_goldens.py says
 * how they are made); each is one test here.  A stream of each decoded list
 * must give the same text, and never half a character. */
#include "json.h"
#include "test_run.h"
#include "tokenizer.h"
#include "unicode.h"

#include <dirent.h>

#undef fail /* cmocka's; here it is ours */

static const char folder[] = "tokenizers";

/* A tokenizer and its goldens. */
struct suite {
    json_t *goldens;
    json_t *texts; /* those that all suites share */
    struct tokenizer *tokenizer;
};

/* --- files -------------------------------------------------------------- */

/* The path of NAME with an ending, to be freed. */
static char *file_of(const char *name, const char *ending)
{
    char part[300];
    snprintf(part, sizeof part, "%s/%s%s", folder, name, ending);
    return test_path(part);
}

static json_t *read_json(const char *name, const char *ending)
{
    char *path = file_of(name, ending);
    struct error e = {ERROR_NONE, ""};
    json_t *value = json_read_file(path, &e);
    if (!value)
        print_error("%s\n", e.message);
    free(path);
    return value;
}

/* Where the goldens' tokenizer is: named in the file, else beside it. */
static char *tokenizer_of(const char *name, const json_t *goldens)
{
    const json_t *named = json_object_get(goldens, "tokenizer");
    return named ? test_path(json_string_value(named))
                 : file_of(name, ".json");
}

static struct suite suite_open(const char *name)
{
    struct error e = {ERROR_NONE, ""};
    struct suite s = {read_json(name, ".golden"), read_json("texts", ".json"),
                      NULL};
    assert_non_null(s.goldens);
    assert_non_null(s.texts);
    char *path = tokenizer_of(name, s.goldens);
    s.tokenizer = tokenizer_load(path, &e);
    if (!s.tokenizer)
        print_error("%s\n", e.message);
    free(path);
    assert_non_null(s.tokenizer);
    return s;
}

static void suite_close(struct suite *s)
{
    tokenizer_free(s->tokenizer);
    json_decref(s->texts);
    json_decref(s->goldens);
}

/* --- comparing ---------------------------------------------------------- */

static void print_value(const char *label, json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    print_error("    %-9s %s\n", label, text ? text : "nothing");
    free(text);
    json_decref(value);
}

/* Report a difference; both values are taken over. */
static int differs(json_t *asked, json_t *expected, json_t *found)
{
    print_value("of", json_incref(asked));
    print_value("expected", expected);
    print_value("found", found);
    return 1;
}

static json_t *ids_to_json(const struct ids *ids)
{
    json_t *array = json_array();
    for (size_t i = 0; i < ids->size; i++)
        json_array_append_new(array, json_integer(ids->data[i]));
    return array;
}

static struct ids ids_from_json(const json_t *array)
{
    struct ids ids = {0};
    for (size_t i = 0; i < json_array_size(array); i++)
        ids_add(&ids, (int)json_integer_value(json_array_get(array, i)));
    return ids;
}

/* 1 when the ids of a text are not as expected. */
static int check_encode(const struct suite *s, json_t *text, bool special,
                        json_t *expected)
{
    struct error e = {ERROR_NONE, ""};
    struct ids ids = {0};
    int result = tokenizer_encode(s->tokenizer, json_string_value(text),
                                  json_string_length(text), special, &ids, &e);
    json_t *found = result ? json_string(e.message) : ids_to_json(&ids);
    ids_free(&ids);
    if (!json_equal(found, expected))
        return differs(text, json_incref(expected), found);
    json_decref(found);
    return 0;
}

/* Decode ids one by one; what comes out at each step must be whole. */
static int stream_all(const struct suite *s, const struct ids *ids,
                      bool special, struct bytes *out, struct error *e)
{
    struct stream *stream = stream_new(s->tokenizer, special, e);
    int result = stream ? 0 : -1;
    for (size_t i = 0; result == 0 && i < ids->size; i++) {
        size_t before = out->size;
        result = stream_put(stream, ids->data[i], out, e);
        size_t added = out->size - before;
        if (added && utf8_valid(out->data + before, added) != added)
            result = fail(e, ERROR_INPUT, "half a character at id %zu", i);
    }
    if (result == 0)
        result = stream_end(stream, out, e);
    stream_free(stream);
    return result;
}

static json_t *text_or_error(int result, struct bytes *text,
                             const struct error *e)
{
    json_t *value =
        result ? json_string(e->message)
               : json_stringn(text->data ? text->data : "", text->size);
    bytes_free(text);
    return value;
}

/* How many of the two ways to decode give another text than expected. */
static int check_decode(const struct suite *s, json_t *list, bool special,
                        json_t *expected)
{
    struct error e = {ERROR_NONE, ""};
    struct ids ids = ids_from_json(list);
    struct bytes whole = {0}, pieces = {0};
    int result = tokenizer_decode(s->tokenizer, ids.data, ids.size, special,
                                  &whole, &e);
    json_t *found[2] = {text_or_error(result, &whole, &e), NULL};
    result = stream_all(s, &ids, special, &pieces, &e);
    found[1] = text_or_error(result, &pieces, &e);
    ids_free(&ids);

    int wrong = 0;
    for (int i = 0; i < 2; i++)
        if (!json_equal(found[i], expected))
            wrong +=
                differs(list, json_incref(expected), json_incref(found[i]));
    json_decref(found[0]);
    json_decref(found[1]);
    return wrong;
}

/* --- the tests ---------------------------------------------------------- */

/* A line [text, ids] or [text, ids, ids with special tokens]. */
static int check_encode_line(const struct suite *s, const json_t *line)
{
    json_t *text = json_array_get(line, 0);
    if (json_is_integer(text))
        text = json_array_get(s->texts, (size_t)json_integer_value(text));
    size_t last = json_array_size(line) - 1;
    return check_encode(s, text, false, json_array_get(line, 1)) +
           check_encode(s, text, true, json_array_get(line, last));
}

/* A line [ids, text] or [ids, text, text without special tokens]. */
static int check_decode_line(const struct suite *s, const json_t *line)
{
    json_t *ids = json_array_get(line, 0);
    size_t last = json_array_size(line) - 1;
    return check_decode(s, ids, true, json_array_get(line, 1)) +
           check_decode(s, ids, false, json_array_get(line, last));
}

/* Check all lines of one kind; stop after a few differences. */
static int check_lines(const struct suite *s, const char *kind,
                       int (*check)(const struct suite *, const json_t *))
{
    const json_t *lines = json_object_get(s->goldens, kind);
    size_t n = json_array_size(lines);
    int wrong = n == 0;
    for (size_t i = 0; i < n && wrong < 4; i++)
        wrong += check(s, json_array_get(lines, i));
    return wrong;
}

static void answers_as_the_library(void **state)
{
    struct suite s = suite_open(*state);
    int wrong = check_lines(&s, "encode", check_encode_line);
    wrong += check_lines(&s, "decode", check_decode_line);
    suite_close(&s);
    assert_int_equal(wrong, 0);
}

/* tokens.jsonl: lines {"text", "ids", "decoded"} of the reading tokenizer. */
static void reads_the_reading_tokens(void **state)
{
    (void)state;
    char *path = test_path("models/goldens/tokens.jsonl");
    FILE *f = fopen(path, "r");
    free(path);
    struct suite s = suite_open("tiny-chat");
    char *line = NULL;
    size_t capacity = 0;
    int wrong = 0, n = 0;
    for (ssize_t size; f && (size = getline(&line, &capacity, f)) > 0; n++) {
        json_t *golden = json_loadb(line, (size_t)size, JSON_ALLOW_NUL, NULL);
        json_t *ids = json_object_get(golden, "ids");
        wrong += check_encode(&s, json_object_get(golden, "text"), true, ids);
        wrong +=
            check_decode(&s, ids, true, json_object_get(golden, "decoded"));
        json_decref(golden);
    }
    free(line);
    suite_close(&s);
    assert_non_null(f);
    fclose(f);
    assert_int_equal(wrong, 0);
    assert_in_range(n, 300, 400);
}

/* --- the list of tests -------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of all goldens, sorted; at most `most`. */
static size_t find_names(char **names, size_t most)
{
    char *path = test_path(folder);
    DIR *directory = opendir(path);
    free(path);
    size_t n = 0;
    for (struct dirent *d;
         directory && n < most && (d = readdir(directory));) {
        char *end = strstr(d->d_name, ".golden");
        if (end && (names[n] = strdup(d->d_name)))
            names[n++][end - d->d_name] = 0;
    }
    if (directory)
        closedir(directory);
    qsort(names, n, sizeof *names, compare_names);
    return n;
}

enum limits {
    MOST = 1000
};

int main(void)
{
    char *names[MOST];
    struct CMUnitTest tests[MOST + 1];
    size_t n = find_names(names, MOST);
    const struct CMUnitTest none[] = {
        {"answers_as_the_library", skip_without_files, NULL, NULL, "goldens"}};
    if (n == 0)
        return cmocka_run_group_tests_name("tokenizer", none, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        tests[i] = (struct CMUnitTest){names[i], answers_as_the_library, NULL,
                                       NULL, names[i]};
    tests[n] = (struct CMUnitTest){"reads_the_reading_tokens",
                                   reads_the_reading_tokens, NULL, NULL, NULL};
    int failed =
        _cmocka_run_group_tests("tokenizer", tests, n + 1, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    return failed;
}
