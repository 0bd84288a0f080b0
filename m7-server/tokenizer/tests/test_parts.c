/* Parts of a tokenizer alone: the pieces that a pre-tokenizer makes, and what
 * each part refuses, by its place in the file. */
#include "tokenizer_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* JSON, in which ' stands for ". */
static json_t *json_of(const char *text)
{
    struct error e = {ERROR_NONE, ""};
    struct bytes json = {0};
    bytes_add_string(&json, text);
    for (size_t i = 0; i < json.size; i++)
        if (json.data[i] == '\'')
            json.data[i] = '"';
    json_t *value = json_parse(json.data, json.size, "part", 0, &e);
    assert_string_equal(e.message, "");
    bytes_free(&json);
    return value;
}

/* ---- the pieces of a pre-tokenizer ---- */

/* The pieces, each followed by "|", with a "^" for each byte of the first
 * character. */
static int collect(void *context, struct piece piece, struct error *e)
{
    (void)e;
    struct bytes *out = context;
    for (size_t i = 0; i < piece.first_size; i++)
        bytes_add_string(out, "^");
    bytes_add(out, piece.text, piece.size);
    bytes_add_string(out, "|");
    return 0;
}

static void expect_pieces_of(bool leave, const char *steps, const char *text,
                             size_t first_size, const char *expected)
{
    struct pretokenizer p = {0};
    struct error e = {ERROR_NONE, ""};
    struct bytes out = {0};
    json_t *value = json_of(steps);
    struct node root = node_root("part", value);
    assert_int_equal(pretokenizer_read(&root, &p, &e), 0);
    assert_true(p.n_steps <= p.capacity);
    if (leave)
        pretokenizer_leave_spelling(&p);
    struct piece piece = {text, strlen(text), first_size};
    assert_int_equal(pretokenize(&p, piece, collect, &out, &e), 0);
    bytes_add(&out, "", 1);
    assert_string_equal(out.data, expected);
    bytes_free(&out);
    pretokenizer_free(&p);
    json_decref(value);
}

/* The pieces of a text whose first character has `first_size` bytes. */
static void expect_pieces(const char *steps, const char *text,
                          size_t first_size, const char *expected)
{
    expect_pieces_of(false, steps, text, first_size, expected);
}

#define CUTS(steps)  "{'type':'Sequence','pretokenizers':[" steps "]}"
#define BYTES(space) "{'type':'ByteLevel','add_prefix_space':" space "}"
#define PLAIN_BYTES                                                           \
    "{'type':'ByteLevel','add_prefix_space':true,'use_regex':false}"
#define MARK(more) "{'type':'Metaspace','replacement':'_'" more "}"

/* U+0120 is a space as a byte, and U+00C3 U+00A9 is U+00E9. */
static void a_space_in_front_belongs_to_the_first_character(void **state)
{
    (void)state;
    expect_pieces(PLAIN_BYTES, "ab", 1, "^^^\u0120ab|");
    expect_pieces(PLAIN_BYTES, "\u00E9b", 2,
                  "^^^^^^\u0120\u00C3\u00A9"
                  "b|");
    expect_pieces(PLAIN_BYTES, "ab", 0, "\u0120ab|");
    expect_pieces(PLAIN_BYTES, " b", 1, "^^\u0120b|");
    expect_pieces(PLAIN_BYTES, "", 0, "");
}

static void bytes_bring_their_own_expression(void **state)
{
    (void)state;
    expect_pieces(BYTES("false"), "it's 12 ok!  x", 1,
                  "^it|'s|\u0120"
                  "12|\u0120ok|!|\u0120|\u0120x|");
    expect_pieces(BYTES("true"), "it", 1, "^^^\u0120it|");
}

/* Only where nothing comes behind that sees the characters. */
static void spelling_can_be_left_to_the_caller(void **state)
{
    (void)state;
    expect_pieces_of(true, BYTES("true"), "it \u00E9", 1, "^^ it| \u00E9|");
    expect_pieces_of(true, CUTS(PLAIN_BYTES ",{'type':'Punctuation'}"), "a?",
                     1, "^^^\u0120a|?|");
    expect_pieces_of(true, MARK(""), "a b", 1, "^^_a|_b|");
    expect_pieces_of(true, CUTS(""), "a b", 1, "^a b|");
}

static void a_mark_in_front_belongs_to_the_first_character(void **state)
{
    (void)state;
    expect_pieces(MARK(""), "a b", 1, "^^_a|_b|");
    expect_pieces(MARK(""), "a b", 0, "_a|_b|");
    expect_pieces(MARK(""), "_a", 0, "_a|");
    expect_pieces(MARK(""), " a", 0, "_a|");
    expect_pieces(MARK(",'prepend_scheme':'first'"), "a b", 1, "^^_a|_b|");
    expect_pieces(MARK(",'prepend_scheme':'first'"), "a b", 0, "a|_b|");
    expect_pieces(MARK(",'prepend_scheme':'never'"), "a b", 1, "^a|_b|");
    expect_pieces(MARK(",'split':false"), "a b", 1, "^^_a_b|");
    expect_pieces(MARK(""), "", 0, "");
}

/* The older spelling of "never". */
static void no_prefix_space_is_no_mark(void **state)
{
    (void)state;
    expect_pieces(MARK(",'add_prefix_space':false"), "a b", 1, "^a|_b|");
    expect_pieces(MARK(",'add_prefix_space':true"), "a b", 1, "^^_a|_b|");
    expect_pieces(MARK(",'add_prefix_space':false,'prepend_scheme':'never'"),
                  "a b", 1, "^a|_b|");
}

/* U+1F600 has four bytes. */
static void a_mark_is_any_one_character(void **state)
{
    (void)state;
    expect_pieces(
        CUTS("{'type':'Metaspace','replacement':'\U0001F600'},"
             "{'type':'Metaspace','replacement':'\u00E9'}," MARK("")),
        "a", 1,
        "^^^^^^^^_\u00E9\U0001F600"
        "a|");
}

static void classes_of_characters_are_cut_off(void **state)
{
    (void)state;
    expect_pieces("{'type':'Digits','individual_digits':true}", "a12b", 1,
                  "^a|1|2|b|");
    expect_pieces("{'type':'Digits','individual_digits':false}", "a12b", 1,
                  "^a|12|b|");
    expect_pieces("{'type':'Punctuation'}", "a?!b", 1, "^a|?|!|b|");
    expect_pieces("{'type':'Punctuation','behavior':'Contiguous'}", "a?!b", 1,
                  "^a|?!|b|");
    expect_pieces("{'type':'Whitespace'}", "ab?! c", 1, "^ab|?!|c|");
    expect_pieces("{'type':'WhitespaceSplit'}", "ab?! c", 1, "^ab?!|c|");
}

/* There is room for as many as are asked for. */
static void there_may_be_many_steps(void **state)
{
    (void)state;
    char steps[2000] = "{'type':'Sequence','pretokenizers':[", text[] = "ab";
    for (int i = 0; i < 40; i++)
        strcat(steps, "{'type':'WhitespaceSplit'},");
    strcpy(strrchr(steps, ','), "]}");
    expect_pieces(steps, text, 1, "^ab|");
}

static int refuse(void *context, struct piece piece, struct error *e)
{
    (void)piece;
    ++*(int *)context;
    return fail(e, ERROR_INPUT, "enough");
}

static void the_sink_can_stop_it(void **state)
{
    (void)state;
    struct pretokenizer p = {0};
    struct error e = {ERROR_NONE, ""};
    struct piece piece = {"a b c", 5, 1};
    int calls = 0;
    json_t *value = json_of(CUTS(MARK("") "," PLAIN_BYTES));
    struct node root = node_root("part", value);
    assert_int_equal(pretokenizer_read(&root, &p, &e), 0);
    assert_int_equal(pretokenize(&p, piece, refuse, &calls, &e), -1);
    assert_int_equal(calls, 1);
    pretokenizer_free(&p);
    json_decref(value);
}

/* ---- what they refuse ---- */

struct wrong {
    const char *json, *message;
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void expect_uncut(const struct wrong *wrong, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct pretokenizer p = {0};
        struct error e = {ERROR_NONE, ""};
        json_t *value = json_of(wrong[i].json);
        struct node root = node_root("part", value);
        assert_int_equal(pretokenizer_read(&root, &p, &e), -1);
        assert_string_equal(e.message, wrong[i].message);
        pretokenizer_free(&p);
        json_decref(value);
    }
}

static void a_step_says_all_that_it_needs(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"{'type':'ByteLevel'}",
         "part: add_prefix_space: is missing: expected true or false"},
        {"{'type':'ByteLevel','add_prefix_space':true,'use_regex':1}",
         "part: use_regex: expected true or false, found an integer"},
        {"{'type':'Digits'}",
         "part: individual_digits: is missing: expected true or false"},
        {"{'type':'Punctuation','behavior':1}",
         "part: behavior: expected a string, found an integer"},
        {"{'type':'Punctuation','behavior':'odd'}",
         "part: behavior: unknown behaviour odd"},
        {"{'type':'Split','behavior':'Isolated','invert':false}",
         "part: pattern: is missing: expected an object"},
        {"{'type':'Split','pattern':{'String':'a'},'invert':false}",
         "part: behavior: is missing: expected a string"},
        {"{'type':'Split','pattern':{'String':'a'},'behavior':'Isolated'}",
         "part: invert: is missing: expected true or false"},
    };
    expect_uncut(wrong, COUNT(wrong));
}

static void a_metaspace_must_make_sense(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"{'type':'Metaspace'}",
         "part: replacement: is missing: expected a string"},
        {"{'type':'Metaspace','replacement':''}",
         "part: replacement: expected one character, found \"\""},
        {"{'type':'Metaspace','replacement':'ab'}",
         "part: replacement: expected one character, found \"ab\""},
        {"{'type':'Metaspace','replacement':'\u00E9\u00E9'}",
         "part: replacement: expected one character, found \"\u00E9\u00E9\""},
        {MARK(",'prepend_scheme':1"),
         "part: prepend_scheme: expected a string, found an integer"},
        {MARK(",'prepend_scheme':'odd'"),
         "part: prepend_scheme: unknown scheme odd"},
        {MARK(",'add_prefix_space':1"),
         "part: add_prefix_space: expected true or false, found an integer"},
        {MARK(",'add_prefix_space':false,'prepend_scheme':'always'"),
         "part: add_prefix_space: false contradicts the prepend_scheme"},
        {MARK(",'split':1"),
         "part: split: expected true or false, found an integer"},
    };
    expect_uncut(wrong, COUNT(wrong));
}

static void a_chain_is_made_of_steps(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"[]", "part: expected an object, found an array"},
        {"{}", "part: type: is missing: expected a string"},
        {"{'type':'Sequence'}",
         "part: pretokenizers: is missing: expected an array"},
        {"{'type':'Sequence','pretokenizers':[],'x':1}",
         "part: x: is not an option that is known here (type "
         "pretokenizers)"},
        {CUTS("1"),
         "part: pretokenizers[0]: expected an object, found an integer"},
        {CUTS("{'type':'Whitespace'},null"),
         "part: pretokenizers[1]: expected an object, found null"},
        {CUTS(CUTS("{'type':'Whitespace','pre':1}")),
         "part: pretokenizers[0].pretokenizers[0].pre: is not an option that "
         "is known here (type)"},
    };
    expect_uncut(wrong, COUNT(wrong));
    expect_pieces("null", "a b", 1, "^a b|");
    expect_pieces(CUTS(""), "a b", 1, "^a b|");
}

/* ---- the post-processor ---- */

/* Read it, and put its tokens around the text 8 9: "1 8 9 2", or what is
 * wrong. */
static void expect_ids(const char *json, bool special, const int *expected,
                       size_t n)
{
    struct postprocessor p = {0};
    struct error e = {ERROR_NONE, ""};
    struct ids out = {0};
    json_t *value = json_of(json);
    struct node root = node_root("part", value);
    assert_int_equal(postprocessor_read(&root, &p, &e), 0);
    postprocess(&p, (int[]){8, 9}, 2, special, &out);
    assert_int_equal(out.size, n);
    assert_memory_equal(out.data, expected, n * sizeof *expected);
    ids_free(&out);
    postprocessor_free(&p);
    assert_null(p.template.data);
    json_decref(value);
}

#define AROUND(single, tokens)                                                \
    "{'type':'TemplateProcessing','single':[" single "],'pair':[],"           \
    "'special_tokens':{" tokens "}}"
#define TEXT         "{'Sequence':{'id':'A','type_id':0}}"
#define BEGIN        "{'SpecialToken':{'id':'<s>','type_id':0}}"
#define BEGIN_1      "'<s>':{'id':'<s>','ids':[1]}"
#define BERT         "{'type':'BertProcessing','sep':['s',2],'cls':['c',0]}"
#define POSTS(steps) "{'type':'Sequence','processors':[" steps "]}"

static void tokens_stand_around_the_text(void **state)
{
    (void)state;
    expect_ids("null", true, (int[]){8, 9}, 2);
    expect_ids(AROUND(TEXT, ""), true, (int[]){8, 9}, 2);
    expect_ids(AROUND(BEGIN "," TEXT, BEGIN_1), true, (int[]){1, 8, 9}, 3);
    expect_ids(AROUND(BEGIN "," TEXT, BEGIN_1), false, (int[]){8, 9}, 2);
    expect_ids(AROUND(TEXT "," BEGIN, "'<s>':{'ids':[3,4]}"), true,
               (int[]){8, 9, 3, 4}, 4);
    expect_ids(BERT, true, (int[]){0, 8, 9, 2}, 4);
    expect_ids(BERT, false, (int[]){8, 9}, 2);
    expect_ids(POSTS("{'type':'ByteLevel'}," BERT), true, (int[]){0, 8, 9, 2},
               4);
}

static void a_template_must_make_sense(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {AROUND("", ""), "part: single: is empty"},
        {"{'type':'TemplateProcessing','special_tokens':{}}",
         "part: single: is missing: expected an array"},
        {"{'type':'TemplateProcessing','single':[" TEXT "]}",
         "part: special_tokens: is missing: expected an object"},
        {AROUND("{}", ""),
         "part: single[0].SpecialToken.id: is missing: expected a string"},
        {AROUND("{'Sequence':{}}", ""),
         "part: single[0].Sequence.id: is missing: expected a string"},
        {AROUND("{'Sequence':{'id':'B'}}", ""),
         "part: single[0].Sequence.id: expected \"A\", the only text there "
         "is, found \"B\""},
        {AROUND(TEXT "," BEGIN, ""),
         "part: special_tokens.<s>.ids: is missing: expected an array"},
        {AROUND(BEGIN, "'<s>':{'ids':[1,true]}"),
         "part: special_tokens.<s>.ids[1]: expected an integer, found true or "
         "false"},
        {"{'type':'BertProcessing','cls':['c',0]}",
         "part: sep[1]: is missing: expected an integer"},
        {"{'type':'BertProcessing','sep':['s',2]}",
         "part: cls[1]: is missing: expected an integer"},
        {POSTS(AROUND(TEXT, "") "," AROUND(TEXT, "")),
         "part: processors[1]: a second step that adds tokens is not "
         "supported"},
        {POSTS(BERT "," BERT), "part: processors[1]: a second step that adds "
                               "tokens is not supported"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct postprocessor p = {0};
        struct error e = {ERROR_NONE, ""};
        json_t *value = json_of(wrong[i].json);
        struct node root = node_root("part", value);
        assert_int_equal(postprocessor_read(&root, &p, &e), -1);
        assert_string_equal(e.message, wrong[i].message);
        postprocessor_free(&p);
        json_decref(value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_space_in_front_belongs_to_the_first_character),
        cmocka_unit_test(bytes_bring_their_own_expression),
        cmocka_unit_test(spelling_can_be_left_to_the_caller),
        cmocka_unit_test(a_mark_in_front_belongs_to_the_first_character),
        cmocka_unit_test(no_prefix_space_is_no_mark),
        cmocka_unit_test(a_mark_is_any_one_character),
        cmocka_unit_test(classes_of_characters_are_cut_off),
        cmocka_unit_test(there_may_be_many_steps),
        cmocka_unit_test(the_sink_can_stop_it),
        cmocka_unit_test(a_step_says_all_that_it_needs),
        cmocka_unit_test(a_metaspace_must_make_sense),
        cmocka_unit_test(a_chain_is_made_of_steps),
        cmocka_unit_test(tokens_stand_around_the_text),
        cmocka_unit_test(a_template_must_make_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
