/* What a tokenizer.json may say, and how everything else is refused: by file,
 * field and value. */
#include "tokenizer_parts.h"

#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static struct tokenizer *read_text(const char *text, struct error *e)
{
    json_t *json = json_parse(text, strlen(text), "t.json", 0, e);
    if (!json)
        return NULL;
    struct node root = node_root("t.json", json);
    struct tokenizer *t = tokenizer_read(&root, e);
    json_decref(json);
    return t;
}

/* A small model, as the value of "model". */
#define VOCAB "\"vocab\":{\"a\":0,\"b\":1,\"ab\":2}"
#define MODEL "\"model\":{\"type\":\"BPE\"," VOCAB ",\"merges\":[\"a b\"]}"

static void expect_refused(const char *text, enum error_code code,
                           const char *message)
{
    struct error e = {ERROR_NONE, ""};
    struct tokenizer *t = read_text(text, &e);
    if (t)
        print_error("not refused: %s\n", text);
    assert_null(t);
    assert_string_equal(e.message, message);
    assert_int_equal(e.code, code);
}

static void expect_accepted(const char *text)
{
    struct error e = {ERROR_NONE, ""};
    struct tokenizer *t = read_text(text, &e);
    if (!t)
        print_error("%s\n", e.message);
    assert_non_null(t);
    tokenizer_free(t);
}

static void expect_unsupported(const char *text, const char *message)
{
    expect_refused(text, ERROR_UNSUPPORTED, message);
}

static void expect_broken(const char *text, const char *message)
{
    expect_refused(text, ERROR_INPUT, message);
}

static void the_smallest_file_is_a_model(void **state)
{
    (void)state;
    expect_accepted("{" MODEL "}");
    expect_accepted("{\"model\":{" VOCAB ",\"merges\":[]}}");
}

static void other_models_are_refused_by_name(void **state)
{
    (void)state;
    expect_unsupported("{\"model\":{\"type\":\"Unigram\",\"vocab\":[]}}",
                       "t.json: model.type: the model Unigram is not "
                       "supported (BPE is)");
    expect_unsupported("{\"model\":{\"type\":\"WordPiece\"," VOCAB "}}",
                       "t.json: model.type: the model WordPiece is not "
                       "supported (BPE is)");
    expect_broken("{\"model\":{" VOCAB "}}",
                  "t.json: model.type: is missing: expected a string");
    expect_broken("{}", "t.json: model: is missing: expected an object");
}

static void unknown_steps_are_refused_by_name(void **state)
{
    (void)state;
    expect_unsupported(
        "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":"
        "[{\"type\":\"NFC\"},{\"type\":\"Nmt\"}]}," MODEL "}",
        "t.json: normalizer.normalizers[1].type: the normalizer Nmt is not "
        "supported (NFC, NFD, NFKC, NFKD, Replace, Prepend, Lowercase, "
        "Strip, Sequence are)");
    expect_unsupported("{\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"}"
                       "," MODEL "}",
                       "t.json: pre_tokenizer.type: the pre-tokenizer "
                       "BertPreTokenizer is not supported (Split, ByteLevel, "
                       "Digits, Punctuation, Whitespace, WhitespaceSplit, "
                       "Metaspace, Sequence are)");
    expect_unsupported(
        "{\"post_processor\":{\"type\":\"Other\"}," MODEL "}",
        "t.json: post_processor.type: the post-processor Other is not "
        "supported (TemplateProcessing, ByteLevel, RobertaProcessing, "
        "BertProcessing, Sequence are)");
    expect_unsupported("{\"decoder\":{\"type\":\"CTC\"}," MODEL "}",
                       "t.json: decoder.type: the decoder CTC is not "
                       "supported (ByteLevel, Metaspace, Replace, "
                       "ByteFallback, Fuse, Strip, BPEDecoder, Sequence are)");
}

static void unknown_options_are_refused_by_name(void **state)
{
    (void)state;
    expect_unsupported("{\"extra\":1," MODEL "}",
                       "t.json: extra: is not an option that is known here "
                       "(version truncation padding added_tokens normalizer "
                       "pre_tokenizer post_processor decoder model)");
    expect_unsupported("{\"normalizer\":{\"type\":\"NFC\",\"mode\":1}," MODEL
                       "}",
                       "t.json: normalizer.mode: is not an option that is "
                       "known here (type)");
    expect_unsupported("{\"version\":\"2.0\"," MODEL "}",
                       "t.json: version: expected \"1.0\", found \"2.0\"");
    expect_unsupported("{\"truncation\":{\"max_length\":5}," MODEL "}",
                       "t.json: truncation: is not supported: only null");
    expect_unsupported("{\"padding\":{\"pad_id\":0}," MODEL "}",
                       "t.json: padding: is not supported: only null");
}

static void options_that_would_change_ids_are_refused(void **state)
{
    (void)state;
    expect_unsupported("{\"model\":{\"type\":\"BPE\",\"dropout\":0.5," VOCAB
                       ",\"merges\":[]}}",
                       "t.json: model.dropout: 0.5 is not supported: it "
                       "makes ids random");
    expect_unsupported("{\"model\":{\"type\":\"BPE\",\"end_of_word_suffix\":"
                       "\"</w>\"," VOCAB ",\"merges\":[]}}",
                       "t.json: model.end_of_word_suffix: \"</w>\" is not "
                       "supported: only null or \"\"");
    expect_unsupported("{\"model\":{\"type\":\"BPE\","
                       "\"continuing_subword_prefix\":\"##\"," VOCAB
                       ",\"merges\":[]}}",
                       "t.json: model.continuing_subword_prefix: \"##\" is "
                       "not supported: only null or \"\"");
    expect_accepted("{\"model\":{\"type\":\"BPE\",\"dropout\":0.0,"
                    "\"end_of_word_suffix\":\"\"," VOCAB ",\"merges\":[]}}");
}

static void ids_must_make_sense(void **state)
{
    (void)state;
    expect_broken("{\"model\":{\"type\":\"BPE\",\"vocab\":{},\"merges\":[]}}",
                  "t.json: model.vocab: is empty");
    expect_broken("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":0},"
                  "\"merges\":[]}}",
                  "t.json: model.vocab.b: id 0 is also that of \"a\"");
    expect_broken("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":-1},"
                  "\"merges\":[]}}",
                  "t.json: model.vocab.a: expected an integer from 0 to "
                  "16777215, found -1");
    expect_broken("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":4000000000},"
                  "\"merges\":[]}}",
                  "t.json: model.vocab.a: expected an integer from 0 to "
                  "16777215, found 4000000000");
    expect_broken("{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":\"0\"},"
                  "\"merges\":[]}}",
                  "t.json: model.vocab.a: expected an integer, found a "
                  "string");
}

static void merges_must_be_of_tokens(void **state)
{
    (void)state;
#define MERGES(list)                                                          \
    "{\"model\":{\"type\":\"BPE\"," VOCAB ",\"merges\":[" list "]}}"
    expect_broken(MERGES("\"a b\",\"a c\""),
                  "t.json: model.merges[1]: \"c\" is not in the vocabulary");
    expect_broken(MERGES("\"b a\""), "t.json: model.merges[0]: the merged "
                                     "\"ba\" is not in the vocabulary");
    expect_broken(MERGES("\"ab\""), "t.json: model.merges[0]: expected two "
                                    "tokens with a space between");
    expect_broken(MERGES("\"a b c\""), "t.json: model.merges[0]: expected "
                                       "two tokens with a space between");
    expect_broken(MERGES("[\"a\"]"),
                  "t.json: model.merges[0]: expected two tokens, found 1");
    expect_broken(MERGES("[\"a\",1]"), "t.json: model.merges[0][1]: expected "
                                       "a string, found an integer");
    expect_broken(MERGES("7"), "t.json: model.merges[0]: expected an array, "
                               "found an integer");
    expect_accepted(MERGES("\"#version: 0.2\",\"a b\",[\"a\",\"b\"]"));
}

#define ADDED(id, content)                                                    \
    "{\"id\":" id ",\"content\":\"" content "\",\"single_word\":false,"       \
    "\"lstrip\":false,\"rstrip\":false,\"normalized\":false,"                 \
    "\"special\":true}"

static void added_tokens_must_make_sense(void **state)
{
    (void)state;
#define WITH(added) "{\"added_tokens\":[" added "]," MODEL "}"
    expect_accepted(WITH(ADDED("3", "<s>") "," ADDED("4", "<t>")));
    expect_accepted(WITH(ADDED("2", "ab")));
    expect_broken(WITH(ADDED("9", "<s>")),
                  "t.json: added_tokens[0].id: expected 3, the number of "
                  "tokens before it, found 9");
    expect_broken(WITH(ADDED("3", "")),
                  "t.json: added_tokens[0].content: is empty");
    expect_broken(WITH(ADDED("3", "<s>") "," ADDED("3", "<s>")),
                  "t.json: added_tokens[1].content: two added tokens look "
                  "like \"<s>\"");
    expect_broken(WITH("{\"id\":3,\"content\":\"<s>\"}"),
                  "t.json: added_tokens[0].single_word: is missing: expected "
                  "true or false");
}

static void an_id_in_a_hole_is_not_given_twice(void **state)
{
    (void)state;
    expect_broken("{\"added_tokens\":[" ADDED(
                      "2", "<s>") "],\"model\":{\"type\":\"BPE\",\"vocab\":"
                                  "{\"a\":0,\"b\":2},\"merges\":[]}}",
                  "t.json: added_tokens[0].id: id 2 is also that of \"b\"");
}

/* Id 2 is a hole; 4 is a special token. */
static void tokens_are_found_by_their_spelling(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    struct tokenizer *t = read_text(
        "{\"added_tokens\":[{\"id\":1,\"content\":\"b\",\"single_word\":false,"
        "\"lstrip\":false,\"rstrip\":false,\"normalized\":false,"
        "\"special\":false}," ADDED("4",
                                    "<s>") "],\"model\":{\"type\":\"BPE\","
                                           "\"vocab\":{\"a\":0,\"b\":1,\"ab\":"
                                           "3,\"<s>\":4},\"merges\":[]}}",
        &e);
    assert_string_equal(e.message, "");
    assert_int_equal(tokenizer_size(t), 5);
    assert_int_equal(tokenizer_find(t, "ab"), 3);
    assert_int_equal(tokenizer_find(t, "<s>"), 4);
    assert_int_equal(tokenizer_find(t, "c"), -1);
    assert_string_equal(tokenizer_token(t, 3), "ab");
    assert_null(tokenizer_token(t, 2));
    assert_null(tokenizer_token(t, 5));
    assert_true(tokenizer_is_special(t, 4));
    assert_false(tokenizer_is_special(t, 1));
    assert_false(tokenizer_is_special(t, 3));
    tokenizer_free(t);
}

static void templates_must_name_what_there_is(void **state)
{
    (void)state;
#define TEMPLATE(single, tokens)                                              \
    "{\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":"        \
    "[" single "],\"pair\":[],\"special_tokens\":{" tokens "}}," MODEL "}"
    expect_broken(TEMPLATE("{\"SpecialToken\":{\"id\":\"<s>\"}}", ""),
                  "t.json: post_processor.special_tokens.<s>.ids: is "
                  "missing: expected an array");
    expect_broken(TEMPLATE("{\"Sequence\":{\"id\":\"B\"}}", ""),
                  "t.json: post_processor.single[0].Sequence.id: expected "
                  "\"A\", the only text there is, found \"B\"");
    expect_broken(
        TEMPLATE("{\"SpecialToken\":{\"id\":\"s\"}}", "\"s\":{\"ids\":[-3]}"),
        "t.json: post_processor.special_tokens.s.ids[0]: expected "
        "an integer from 0 to 16777215, found -3");
}

static void a_bad_expression_names_its_field(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    assert_null(read_text("{\"pre_tokenizer\":{\"type\":\"Split\","
                          "\"pattern\":{\"Regex\":\"(\"},\"behavior\":"
                          "\"Isolated\",\"invert\":false}," MODEL "}",
                          &e));
    assert_memory_equal(e.message,
                        "t.json: pre_tokenizer.pattern.Regex: ", 37);
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    assert_null(tokenizer_load("no/such/file", &e));
    assert_int_equal(e.code, ERROR_SYSTEM);
    assert_string_equal(e.message, "no/such/file: No such file or directory");
}

/* A model is named by its folder, by its tokenizer.json or by its weights. */
static void the_file_is_found_in_a_folder_or_beside_weights(void **state)
{
    (void)state;
    static const char *const names[] = {
        "model", "model/", "model/tokenizer.json", "model/a.safetensors"};
    mkdir("model", 0700);
    write_text("model/tokenizer.json", "{" MODEL "}");
    write_text("model/a.safetensors", "");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct error e = {ERROR_NONE, ""};
        struct tokenizer *t = tokenizer_load(names[i], &e);
        assert_string_equal(e.message, "");
        assert_non_null(t);
        tokenizer_free(t);
    }
    struct error e;
    remove("model/tokenizer.json");
    assert_null(tokenizer_load("model", &e));
    assert_string_equal(e.message, "model/tokenizer.json: No such file or "
                                   "directory");
}

/* One that differs in its last byte has to be looked at. */
static void a_copy_of_the_file_is_known(void **state)
{
    (void)state;
    static const char text[] = "{" MODEL "}", other[] = "{" MODEL "\n";
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(mkdir("a", 0700) | mkdir("b", 0700) | mkdir("c", 0700),
                     0);
    write_file("a/tokenizer.json", text, sizeof text - 1);
    write_file("b/tokenizer.json", text, sizeof text - 1);
    write_file("c/tokenizer.json", other, sizeof other - 1);
    struct tokenizer *t = tokenizer_load("a", &e);
    struct tokenizer *of_no_file = read_text(text, &e);
    assert_true(tokenizer_is_of(t, "a"));
    assert_true(tokenizer_is_of(t, "b"));
    assert_false(tokenizer_is_of(t, "c"));
    assert_false(tokenizer_is_of(t, "d"));
    write_file("b/model.safetensors", text, 1);
    assert_true(tokenizer_is_of(t, "b/model.safetensors"));
    write_file("b/model.gguf", "GGUF", 4);
    assert_false(tokenizer_is_of(t, "b/model.gguf"));
    assert_false(tokenizer_is_of(of_no_file, "a"));
    tokenizer_free(t);
    tokenizer_free(of_no_file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_file_is_a_model),
        cmocka_unit_test(other_models_are_refused_by_name),
        cmocka_unit_test(unknown_steps_are_refused_by_name),
        cmocka_unit_test(unknown_options_are_refused_by_name),
        cmocka_unit_test(options_that_would_change_ids_are_refused),
        cmocka_unit_test(ids_must_make_sense),
        cmocka_unit_test(merges_must_be_of_tokens),
        cmocka_unit_test(added_tokens_must_make_sense),
        cmocka_unit_test(an_id_in_a_hole_is_not_given_twice),
        cmocka_unit_test(tokens_are_found_by_their_spelling),
        cmocka_unit_test(templates_must_name_what_there_is),
        cmocka_unit_test(a_bad_expression_names_its_field),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
        cmocka_unit_test_setup_teardown(
            the_file_is_found_in_a_folder_or_beside_weights, scratch_enter,
            scratch_leave),
        cmocka_unit_test_setup_teardown(a_copy_of_the_file_is_known,
                                        scratch_enter, scratch_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
