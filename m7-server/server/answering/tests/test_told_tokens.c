/* Log probabilities are kept until they are told. */
#include "told_tokens.h"

#include "test_client.h"

static struct rung_model *model;

static int open_chat(void **state)
{
    (void)state;
    model =
        open_model("models/tiny-chat", &(struct rung_options){.threads = 1});
    return 0;
}

static int close_chat(void **state)
{
    (void)state;
    rung_close(model);
    return 0;
}

/* " Paris" is two tokens, " Par" and "is"; each with one that is likeliest */
static void tell_paris(struct told_tokens *told)
{
    const struct rung_choice top[] = {
        {rung_find_token(model, "\xc4\xa0Par"), -0.5},
        {rung_find_token(model, "is"), -0.25}};
    const struct rung_token_event first = {
        .id = top[0].id, .logprob = -0.5, .top = top, .n_top = 1};
    const struct rung_token_event second = {
        .id = top[1].id, .logprob = -0.25, .top = top + 1, .n_top = 1};
    told_add(told, model, &first, 0);
    told_add(told, model, &second, 4);
    assert_false(told->failed);
}

static void assert_told(struct told_tokens *told, const char *expected)
{
    json_t *list = told_take(told);
    char *text = json_dumps(list, JSON_COMPACT);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    json_decref(list);
}

static void tokens_of_a_chat_come_in_one_list(void **state)
{
    (void)state;
    struct told_tokens told = {0};
    tell_paris(&told);
    assert_told(
        &told,
        "{\"content\":[{\"token\":\" Par\",\"logprob\":-0.5,\"bytes\":"
        "[32,80,97,114],\"top_logprobs\":[{\"token\":\" Par\",\"logprob\":"
        "-0.5,\"bytes\":[32,80,97,114]}]},{\"token\":\"is\",\"logprob\":"
        "-0.25,\"bytes\":[105,115],\"top_logprobs\":[{\"token\":\"is\","
        "\"logprob\":-0.25,\"bytes\":[105,115]}]}],\"refusal\":null}");
}

static void those_of_a_completion_in_four(void **state)
{
    (void)state;
    struct told_tokens told = {.completion = true};
    tell_paris(&told);
    assert_told(&told, "{\"tokens\":[\" Par\",\"is\"],\"token_logprobs\":"
                       "[-0.5,-0.25],\"top_logprobs\":[{\" Par\":-0.5},"
                       "{\"is\":-0.25}],\"text_offset\":[0,4]}");
}

static void what_was_told_is_not_told_again(void **state)
{
    (void)state;
    struct told_tokens told = {.completion = true};
    assert_null(told_take(&told));
    tell_paris(&told);
    json_decref(told_take(&told));
    assert_null(told_take(&told));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_of_a_chat_come_in_one_list),
        cmocka_unit_test(those_of_a_completion_in_four),
        cmocka_unit_test(what_was_told_is_not_told_again),
    };
    return cmocka_run_group_tests(tests, open_chat, close_chat);
}
