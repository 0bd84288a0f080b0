/* What users and tools wrote is found in a prompt. */
#include "plain_text.h"
#include "stand_ins.h"

#include "test_numbers.h"
#include "test_run.h"
#undef fail /* cmocka's; here it is ours */

#include <time.h>

/* The prompt has "[" and "]" around what is to be found.  stand_ins: the same
 * prompt with "#0" and so on in place of texts; "" where there is none. */
static void expect_by(const char *messages, const char *stand_ins,
                      const char *marked)
{
    struct plain_text p;
    struct error e;
    struct bytes prompt = {0}, own = {0};
    size_t from[8], end[8], n_from = 0, n_end = 0;
    for (const char *c = marked; *c; c++)
        if (*c == '[')
            from[n_from++] = prompt.size;
        else if (*c == ']')
            end[n_end++] = prompt.size;
        else
            bytes_add(&prompt, c, 1);
    for (const char *c = stand_ins; *c; c++)
        if (*c == '#') {
            bytes_add_string(&own, "\xee\x80\x80");
            bytes_add(&own, ++c, 1);
            bytes_add_string(&own, "\xee\x80\x81");
        } else
            bytes_add(&own, c, 1);
    json_t *list = json_loads(messages, 0, NULL);
    assert_non_null(list);
    assert_ok(plain_text_find(&p, NULL, list, &own, &prompt, &e), &e);
    assert_int_equal(p.n, n_from);
    for (size_t i = 0; i < p.n; i++) {
        assert_int_equal(p.ranges[i].from, from[i]);
        assert_int_equal(p.ranges[i].end, end[i]);
    }
    plain_text_free(&p);
    bytes_free(&prompt);
    bytes_free(&own);
    json_decref(list);
}

static void expect(const char *messages, const char *marked)
{
    expect_by(messages, "", marked);
}

#define USER(text)      "{\"role\":\"user\",\"content\":\"" text "\"}"
#define ASSISTANT(text) "{\"role\":\"assistant\",\"content\":\"" text "\"}"

static void a_users_words_are_found(void **state)
{
    (void)state;
    expect("[" USER("Hi <end>") "]", "<user>[Hi <end>]<end><assistant>");
}

static void an_assistants_words_are_his_own(void **state)
{
    (void)state;
    expect("[" USER("a") "," ASSISTANT("<t>b</t>") "," USER("c") "]",
           "<[a]><t>b</t><[c]>");
}

/* Each message is looked for behind the one before. */
static void the_same_words_are_found_again(void **state)
{
    (void)state;
    expect("[" USER("Hi") "," USER("Hi") "]", "<u>[Hi]<e><u>[Hi]<e>");
}

static void space_at_the_ends_may_be_lost(void **state)
{
    (void)state;
    expect("[" USER("  Hi \\n") "]", "<u>[Hi]<e>");
    expect("[" USER(" \\n") "]", "<u><e>");
    expect("[" USER("") "]", "<u><e>");
}

static void parts_are_found_each(void **state)
{
    (void)state;
    expect("[{\"role\":\"tool\",\"content\":[{\"type\":\"text\",\"text\":"
           "\"one\"},{\"type\":\"text\",\"text\":\"two\"}]}]",
           "<t>[one]\n[two]<e>");
}

static void what_a_template_has_changed_is_left(void **state)
{
    (void)state;
    expect("[" USER("Hi") "," USER("You") "]", "<u>HI<e><u>[You]<e>");
}

static void a_text_may_be_the_end_of_the_prompt(void **state)
{
    (void)state;
    expect("[" USER("aab") "]", "aa[aab]");
    expect("[" USER("aab") "]", "[aab]");
    expect("[" USER("aabb") "]", "aab");
    expect("[" USER("a") "]", "");
}

/* A user whose words are just those of the template. */
static void the_templates_own_words_are_not_taken_for_a_users(void **state)
{
    (void)state;
    expect_by("[" USER("a") "," USER("<e>") "]", "<u>#0<e><u>#1<e><a>",
              "<u>[a]<e><u>[<e>]<e><a>");
    expect_by("[" USER("a") "," USER("u>") "]", "<u>#0<e><u>#1<e><a>",
              "<u>[a]<e><u>[u>]<e><a>");
}

static void a_template_may_keep_space_or_cut_it_off(void **state)
{
    (void)state;
    expect_by("[" USER(" a\\n") "," USER("b") "]", "<u>#0\n<u>#1\n",
              "<u>[ a\n]\n<u>[b]\n");
    expect_by("[" USER(" a\\n") "," USER("<u>") "]", "<u>#0\n<u>#1\n",
              "<u>[a]\n<u>[<u>]\n");
    expect_by("[" USER("") "," USER("<u>") "]", "<u>#0\n<u>#1\n",
              "<u>\n<u>[<u>]\n");
}

/* As Mistral's writes the system's message before the last of the user. */
static void a_template_has_an_order_of_its_own(void **state)
{
    (void)state;
    expect_by("[" USER("s<e>") "," USER("u<e>") "]", "<u>#1<e><s>#0<e>",
              "<u>[u<e>]<e><s>[s<e>]<e>");
    expect_by("[" USER("<e>") "]", "<u>#0<e>#0", "<u>[<e>]<e>[<e>]");
    expect_by("[" USER("<u>") "," USER("<e>") "]", "<u>#1<e>",
              "<u>[<e>]<e>");
    expect_by("[" USER("<e>") "]", "\xee\x80\x80<u>#0<e>#7",
              "\xee\x80\x80<u>[<e>]<e>\xee\x80\x80"
              "7\xee\x80\x81");
}

/* It wrote something else for the stand-ins. */
static void else_words_are_looked_for(void **state)
{
    (void)state;
    expect_by("[" USER("Hi") "]", "<x>#0<e>", "<u>[Hi]<e>");
    expect_by("[" USER("Hi") "]", "<u>#0<e><more>", "<u>[Hi]<e>");
    expect_by("[" USER("Hi") "]", "<u>#0", "<u>[Hi]<e>");
    expect_by("[" USER("Hi") "]", "<u>nobody", "<u>[Hi]<e>");
    expect_by("[" USER("a") "]", "<a>#0", "<[a]>a<more>");
}

/* As templates write what a tool found. */
static void a_text_may_stand_there_as_json(void **state)
{
    (void)state;
    expect_by("[" USER("\\\"<e>\\\"\\n\\u001f\\\\") "," USER("b") "]",
              "<t>\"#0\"<e><u>#1<e>",
              "<t>\"[\\\"<e>\\\"\\n\\u001f\\\\]\"<e><u>[b]<e>");
    expect_by("[" USER("\\\"") "]", "<t>\"#0\"", "<t>\"[\\\"]\"");
    expect_by("[" USER(" \\t<e> ") "]", "<t>\"#0\"", "<t>\"[ \\t<e> ]\"");
    expect_by("[" USER("\\n1\\t<e>\\n") "]", "<t>\"#0\"", "<t>\"[1\\t<e>]\"");
    expect("[" USER("1\\n2") "," USER("b") "]", "<u>\"[1\\n2]\"<u>[b]");
}

static struct rung_model *open_chat(void)
{
    char *path = test_path("models/tiny-chat");
    const struct rung_options one = {.threads = 1};
    struct rung_error why;
    struct rung_model *model =
        access(path, R_OK) == 0 ? rung_open(path, &one, &why) : NULL;
    free(path);
    if (!model)
        skip();
    return model;
}

/* What becomes of a user's text in a prompt of another template: NULL or the
 * error. */
static const char *refused(const struct rung_model *model, const char *text,
                           const char *prompt)
{
    static struct error e;
    struct plain_text p;
    struct bytes bytes = {0};
    const struct bytes none = {0};
    json_t *list =
        json_pack("[{s:s, s:s}]", "role", "user", "content", text);
    bytes_add_string(&bytes, prompt);
    int result = plain_text_find(&p, model, list, &none, &bytes, &e);
    plain_text_free(&p);
    bytes_free(&bytes);
    json_decref(list);
    return result ? e.message : NULL;
}

/* "<|im_end|>" is one of the model's, "<end>" is not. */
static void a_mark_that_could_be_the_templates_is_refused(void **state)
{
    (void)state;
    struct rung_model *model = open_chat();
    const char *why = refused(model, "Hi <|im_end|>", "HI <|im_end|>!");
    assert_non_null(why);
    assert_non_null(strstr(why, "messages: one that is not the assistant's "
                                "has a mark of the model in it"));
    assert_non_null(refused(model, "<|im_end|>", "a<|im_end|>b<|im_end|>"));
    assert_null(refused(model, "Hi <|im_end|>", "a Hi <|im_end|><|im_end|>"));
    assert_null(refused(model, "\"\n<|im_end|>", "\"\\\"\\n<|im_end|>\""));
    assert_null(refused(model, "Hi <end>", "HI <end>!"));
    assert_null(refused(model, "a", "aa"));
    rung_close(model);
}

/* Where a text is longer than any that could be answered, its marks are not
 * looked for; and not for ever, either. */
static void a_text_that_is_too_long_counts_as_if(void **state)
{
    (void)state;
    enum text_size {
        SIZE = 5 << 20
    };
    struct rung_model *model = open_chat();
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    memset(text, '7', SIZE);
    text[SIZE] = 0;
    const char *why = refused(model, text, "");
    assert_non_null(strstr(why, "messages: too many"));
    text[SIZE / 2] = 0;
    assert_non_null(strstr(refused(model, text, ""), "has a mark"));
    free(text);
    rung_close(model);
}

/* A million letters, of which half a million and another letter are nearly
 * everywhere. */
static void a_long_text_of_one_letter_takes_no_time(void **state)
{
    (void)state;
    enum letter_count {
        LETTERS = 1 << 20
    };
    struct bytes prompt = {0}, said = {0};
    const struct bytes own = {0};
    struct plain_text p;
    struct error e;
    for (size_t i = 0; i < LETTERS; i++) {
        bytes_add(&prompt, "a", 1);
        if (i % 2)
            bytes_add(&said, "a", 1);
    }
    bytes_add(&said, "b", 1);
    bytes_add(&prompt, said.data, said.size);
    assert_false(prompt.failed || said.failed);
    json_t *list = json_pack("[{s:s, s:s%}]", "role", "user", "content",
                             said.data, said.size);
    assert_non_null(list);
    clock_t begun = clock();
    assert_ok(plain_text_find(&p, NULL, list, &own, &prompt, &e), &e);
    assert_true(clock() - begun < 2 * CLOCKS_PER_SEC);
    assert_int_equal(p.n, 1);
    assert_int_equal(p.ranges[0].from, LETTERS);
    assert_int_equal(p.ranges[0].end, prompt.size);
    plain_text_free(&p);
    bytes_free(&prompt);
    bytes_free(&said);
    json_decref(list);
}

/* So many messages of a user, before a prompt of 1 MiB of one letter: how many
 * bytes of it are looked through, and whether that is an error. */
static size_t searched(size_t n, const char *text, enum error_code expected)
{
    enum letter_count {
        LETTERS = 1 << 20
    };
    struct bytes prompt = {0};
    const struct bytes own = {0};
    struct plain_text p;
    struct error e;
    json_t *list = json_array();
    for (size_t i = 0; i < LETTERS; i++)
        bytes_add(&prompt, "a", 1);
    assert_false(prompt.failed);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "role", "user", "content", text));
    assert_int_equal(plain_text_find(&p, NULL, list, &own, &prompt, &e),
                     expected == ERROR_NONE ? 0 : -1);
    assert_int_equal(e.code, expected);
    if (expected != ERROR_NONE)
        assert_non_null(strstr(e.message, "messages: too many"));
    size_t size = p.searched;
    plain_text_free(&p);
    bytes_free(&prompt);
    json_decref(list);
    return size;
}

static void texts_that_are_there_cost_the_prompt_once(void **state)
{
    (void)state;
    assert_true(searched(10000, "aaaaaaaaaaaaaaaa", ERROR_NONE) <= 1 << 20);
}

/* 10,000 texts and a prompt of a million letters: not their product. */
static void texts_that_are_not_there_are_looked_for_once(void **state)
{
    (void)state;
    assert_int_equal(searched(10000, "aaaaaaaaaaaaaab", ERROR_NONE), 1 << 20);
    assert_int_equal(searched(10000, "ab", ERROR_NONE), 1 << 20);
    assert_int_equal(searched(10000, "aaab\naaa", ERROR_NONE), 1 << 20);
}

/* Of a single letter there is no index. */
static void more_than_can_be_searched_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(searched(256, "b", ERROR_NONE), 1 << 28);
    size_t most = searched(10000, "b", ERROR_INPUT);
    assert_true(most > 1 << 28);
    assert_true(most <= (1 << 28) + (1 << 20));
}

static void stand_ins_are_for_what_is_looked_for(void **state)
{
    (void)state;
    json_t *list = json_loads(
        "[" USER("a") "," ASSISTANT("b") ",{\"role\":\"tool\",\"content\":[{"
                                         "\"type\":\"text\",\"text\":"
                                         "\"c\"}]}]",
        0, NULL);
    json_t *made = stand_ins_for(list);
    char *text = json_dumps(made, JSON_COMPACT);
    assert_string_equal(
        text,
        "[" USER("\xee\x80\x80"
                 "0\xee\x80\x81") "," ASSISTANT("b") ",{\"role\":\"tool\","
                                                     "\"content\":[{\"type\":"
                                                     "\"text\","
                                                     "\"text\":\"\xee\x80\x80"
                                                     "1\xee\x80\x81\"}]}]");
    free(text);
    json_decref(made);
    json_decref(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_users_words_are_found),
        cmocka_unit_test(an_assistants_words_are_his_own),
        cmocka_unit_test(the_same_words_are_found_again),
        cmocka_unit_test(space_at_the_ends_may_be_lost),
        cmocka_unit_test(parts_are_found_each),
        cmocka_unit_test(what_a_template_has_changed_is_left),
        cmocka_unit_test(a_text_may_be_the_end_of_the_prompt),
        cmocka_unit_test(the_templates_own_words_are_not_taken_for_a_users),
        cmocka_unit_test(a_template_may_keep_space_or_cut_it_off),
        cmocka_unit_test(a_template_has_an_order_of_its_own),
        cmocka_unit_test(else_words_are_looked_for),
        cmocka_unit_test(a_text_may_stand_there_as_json),
        cmocka_unit_test(a_mark_that_could_be_the_templates_is_refused),
        cmocka_unit_test(a_text_that_is_too_long_counts_as_if),
        cmocka_unit_test(a_long_text_of_one_letter_takes_no_time),
        cmocka_unit_test(texts_that_are_there_cost_the_prompt_once),
        cmocka_unit_test(texts_that_are_not_there_are_looked_for_once),
        cmocka_unit_test(more_than_can_be_searched_is_an_error),
        cmocka_unit_test(stand_ins_are_for_what_is_looked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
