/* Whichever allocation of the server fails: the client is told so, or the
 * connection is closed, and the next request is answered as ever. */
#define _GNU_SOURCE /* RTLD_NEXT, for test_no_memory.h */
#include "test_no_memory.h"

#include "test_long.h"
#include "test_serving.h"

#include <jansson.h>

#define CHAT "/v1/chat/completions"
#define TEXT "/v1/completions"

/* jansson 2.14 reads on when the text that it collects of a string could not
 * grow, and then writes past its end.  So while it reads nothing fails. */
json_t *json_loadb(const char *text, size_t size, size_t flags,
                   json_error_t *error)
{
    static _Atomic(memory_function) known;
    json_t *(*next)(const char *, size_t, size_t, json_error_t *) =
        (json_t * (*)(const char *, size_t, size_t, json_error_t *))
            memory_next("json_loadb", &known);
    bool spared = memory_spared;
    memory_spared = true;
    json_t *json = next(text, size, flags, error);
    memory_spared = spared;
    return json;
}

/* How requests went that lacked memory, by their status: 0 is none. */
static size_t ended[6];

/* What stands in the lists that begin so. */
static void add_lists(const char *body, const char *begin, struct bytes *out)
{
    for (const char *at = body; (at = strstr(at, begin)); at++)
        bytes_add(out, at, strcspn(at, "]"));
}

/* The texts and vectors of an answer, without what is new each time. */
static void content_of(const struct response *r, struct bytes *out)
{
    static const char *const names[] = {"content", "text",      "embedding",
                                        "prompt",  "arguments", "token"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        join_values(r->body.data, names[i], out);
    add_lists(r->body.data, "\"tokens\":[", out);
    add_lists(r->body.data, "\"text_offset\":[", out);
}

/* It says what the first said. */
static void assert_content(const struct response *r,
                           const struct bytes *first)
{
    struct bytes content = {0};
    content_of(r, &content);
    if (content.size != first->size)
        print_error("%s\n", r->body.data);
    assert_int_equal(content.size, first->size);
    assert_memory_equal(content.data, first->data, first->size);
    bytes_free(&content);
}

/* What came of one: a whole and right answer, or an error with words; of a
 * stream an event with them, or its end is missing, which its client notices.
 */
static void judge(const struct response *r, bool stream,
                  const struct bytes *first)
{
    const char *body = r->body.data;
    ended[r->status / 100]++;
    if (r->status == 0)
        return;
    if (r->status != 200 && r->status / 100 != 5)
        print_error("%d: %s\n", r->status, body);
    assert_true(r->status == 200 || r->status / 100 == 5);
    assert_true(stream || r->whole);
    if (r->status != 200)
        assert_non_null(strstr(body, "\"message\":\""));
    else if (!stream || strstr(body, "[DONE]"))
        assert_content(r, first);
    else if (r->whole)
        assert_non_null(strstr(body, "\"error\""));
}

/* Ask with a body, or for a page where that is NULL. */
static void ask_any(int port, const char *path, const char *body,
                    struct response *r)
{
    if (body)
        ask_post(port, path, body, r);
    else
        ask_get(port, path, r);
}

/* The request as it is answered with memory, and then again and again with one
 * allocation less, of which every `step`-th fails in its turn. */
static void sweep(int port, const char *path, const char *body, long step)
{
    struct response r;
    struct bytes first = {0};
    ask_any(port, path, body, &r);
    assert_int_equal(r.status, 200);
    content_of(&r, &first);
    response_free(&r);
    long n = 1;
    for (bool lacked = true; lacked; n += step) {
        memory_fail_at(n);
        ask_any(port, path, body, &r);
        lacked = memory_had_failed();
        judge(&r, body && strstr(body, "'stream':true"), &first);
        response_free(&r);
    }
    print_message("%s: about %ld allocations\n", path, n - step);
    ask_any(port, path, body, &r);
    assert_int_equal(r.status, 200);
    assert_content(&r, &first);
    response_free(&r);
    bytes_free(&first);
}

#define ASKS                                                                  \
    "'messages':[{'role':'system','content':'Be brief'},"                     \
    "{'role':'user','content':[{'type':'text','text':'What is the capital "   \
    "of France?'}]}],'temperature':0,'max_tokens':3,'stop':['zz']"

/* The small model has the template and the tokenizer of the other, and a
 * fraction of its numbers, which are computed without allocations. */
static void no_allocation_is_taken_for_granted(void **state)
{
    (void)state;
    static struct serving s;
    const long step = is_slow() ? 37 : 1;
    memory_spared = true;
    serving_start_with(&s, "models/tiny-draft",
                       &(struct rung_options){.threads = 1});
    sweep(s.port, CHAT, "{" ASKS ",'n':2,'logprobs':true,'top_logprobs':2}",
          step);
    sweep(s.port, CHAT, "{" ASKS ",'stream':true}", step);
    sweep(s.port, CHAT,
          "{" ASKS ",'enable_thinking':false,'tools':[{'type':'function',"
          "'function':{'name':'f','parameters':{'properties':{'x':{'type':"
          "'string'},'y':{}}}}}]}",
          step);
    sweep(s.port, TEXT,
          "{'prompt':['The','One'],'echo':true,'logprobs':1,'max_tokens':2,"
          "'temperature':0,'unknown':1}",
          step);
    sweep(s.port, TEXT,
          "{'prompt':'The','stream':true,'max_tokens':2,'temperature':0}",
          step);
    sweep(s.port, "/v1/embeddings", "{'input':['one','two']}", step);
    sweep(s.port, "/tokenize", "{'content':'one two','with_pieces':true}",
          step);
    sweep(s.port, "/detokenize", "{'tokens':[5,6,7]}", step);
    sweep(s.port, "/apply-template", "{" ASKS "}", step);
    sweep(s.port, "/v1/models", NULL, 1);
    sweep(s.port, "/v1/models/tiny-draft", NULL, 1);
    sweep(s.port, "/metrics", NULL, 1);
    sweep(s.port, "/page.css", NULL, 1);
    print_message("%zu closed, %zu answered all the same, %zu refused\n",
                  ended[0], ended[2], ended[5]);
    serving_stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_allocation_is_taken_for_granted),
    };
    return cmocka_run_group_tests_name("serve_memory", tests, NULL, NULL);
}
