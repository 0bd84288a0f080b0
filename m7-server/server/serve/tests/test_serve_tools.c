/* Models whose templates have no place for tools, or whose calls nobody here
 * can read: tiny-chat, with templates beside it. */
#include "test_made_model.h"

#define CHAT  "/v1/chat/completions"
#define ASKED "'messages':[{'role':'user','content':'Hi'}],'max_tokens':4"
#define TOOLS                                                                 \
    ",'tools':[{'type':'function','function':{'name':'look','parameters':"    \
    "{'type':'object','properties':{'city':{'type':'string'}}}}}]"

static const char without_tools[] =
    "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
static const char of_its_own[] =
    "{{ tools | tojson if tools }}{% for m in messages %}{{ m.role }}: "
    "{{ m.content }}{% for c in m.tool_calls or [] %}!!{{ c.function.name }} "
    "{{ c.function.arguments }}!!{% endfor %}\n{% endfor %}";

static struct scratch *scratch;
static struct serving serving;
static struct bytes said; /* what it warns of */

static void note_warning(void *context, const char *line)
{
    (void)context;
    bytes_add_string(&said, line);
    bytes_add_string(&said, "\n");
}

static int start(void **state)
{
    static const char *const names[] = {"plain", "odd"};
    struct error e;
    struct serve_options o = {.models = names,
                              .n_models = 2,
                              .engine = {.threads = 1},
                              .http = {.limits = http_default_limits},
                              .say = note_warning};
    char *model = test_path("models/tiny-chat");
    bool there = access(model, R_OK) == 0;
    void *entered = NULL;
    char source[4096];
    if (scratch_enter(&entered))
        return -1;
    scratch = entered;
    *state = &serving;
    path_from(scratch, model, source);
    free(model);
    if (!there)
        return 0;
    make_model(source, "plain", without_tools);
    make_model(source, "odd", of_its_own);
    serving.server = serve_start(&o, &e);
    if (!serving.server)
        print_error("%s\n", e.message);
    serving.port = serving.server ? serve_port(serving.server) : 0;
    return serving.server ? 0 : -1;
}

static int stop(void **state)
{
    void *entered = scratch;
    (void)state;
    serve_free(serving.server);
    bytes_free(&said);
    return scratch_leave(&entered);
}

static int port_or_skip(void)
{
    if (!serving.server) {
        print_message("SKIPPED: the tests' models are not there: set "
                      "RUNG_TESTS to the folder tests\n");
        skip();
    }
    return serving.port;
}

static void expect_status(const char *path, const char *body, int status,
                          const char *param)
{
    struct response r;
    ask_post(port_or_skip(), path, body, &r);
    if (r.status != status)
        print_error("%s\n", r.body.data);
    assert_int_equal(r.status, status);
    if (param)
        assert_value(r.body.data, "param", param);
    response_free(&r);
}

static void tools_without_a_place_are_refused(void **state)
{
    (void)state;
    expect_status(CHAT, "{'model':'plain'," ASKED "}", 200, NULL);
    expect_status(CHAT, "{'model':'plain'," ASKED TOOLS "}", 400, "\"tools\"");
    expect_status(CHAT, "{'model':'plain','stream':true," ASKED TOOLS "}", 400,
                  "\"tools\"");
    expect_status("/apply-template", "{'model':'plain'," ASKED TOOLS "}", 400,
                  "\"tools\"");
    expect_status(CHAT,
                  "{'model':'plain','tool_choice':'none'," ASKED TOOLS "}",
                  200, NULL);
    expect_status(CHAT, "{'model':'plain','tools':[]," ASKED "}", 200, NULL);
}

/* As those show them who know that the template does not. */
static void tools_in_the_messages_are_shown(void **state)
{
    (void)state;
    expect_status(CHAT,
                  "{'model':'plain','messages':[{'role':'user','content':"
                  "'Call look(city). Hi'}],'max_tokens':4" TOOLS "}",
                  200, NULL);
}

static void a_call_that_cannot_be_read_cannot_be_required(void **state)
{
    (void)state;
    expect_status(CHAT, "{'model':'odd'," ASKED TOOLS "}", 200, NULL);
    expect_status(CHAT,
                  "{'model':'odd','tool_choice':'required'," ASKED TOOLS "}",
                  400, "\"tool_choice\"");
}

static void calls_that_cannot_be_read_are_told_of_at_the_start(void **state)
{
    (void)state;
    port_or_skip();
    bytes_add(&said, "", 1);
    assert_string_equal(said.data,
                        "odd: how this model writes calls of tools is not "
                        "known here: they are answered as text\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tools_without_a_place_are_refused),
        cmocka_unit_test(tools_in_the_messages_are_shown),
        cmocka_unit_test(a_call_that_cannot_be_read_cannot_be_required),
        cmocka_unit_test(calls_that_cannot_be_read_are_told_of_at_the_start),
    };
    return cmocka_run_group_tests_name("serve tools", tests, start, stop);
}
