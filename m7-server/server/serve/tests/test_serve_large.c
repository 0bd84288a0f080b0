/* What a large request holds while its answer is made: how much of its body's
 * room, and whose thread. */
#define _GNU_SOURCE /* RTLD_NEXT, for test_gate.h */
#include "test_gate.h"

#include "test_made_model.h"

#define CHAT    "/v1/chat/completions"
#define TEXT    "/v1/completions"
#define VECTORS "/v1/embeddings"

enum large_sizes {
    UNCOUNTED = 64 << 10, /* bytes of each body */
    ROOM = 300000,        /* for the others, of all bodies */
    ARGUMENTS = 2000,     /* of a tool: their names stay */
    TEXTS = 40            /* whose vectors have 128 numbers each */
};

/* Of tools it shows the names alone. */
static const char brief[] =
    "{% for t in tools or [] %}{{ t.function.name }}\n{% endfor %}"
    "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}";

static struct scratch *scratch;
static char embeds[4096]; /* the path of tiny-embed; "": it is not there */

static int enter(void **state)
{
    char *chat = test_path("models/tiny-chat"), source[4096];
    char *embed = test_path("models/tiny-embed");
    bool there = access(chat, R_OK) == 0;
    if (scratch_enter(state))
        return -1;
    scratch = *state;
    path_from(scratch, chat, source);
    if (there) {
        make_model(source, "brief", brief);
        path_from(scratch, embed, embeds);
    }
    free(chat);
    free(embed);
    return 0;
}

static int leave(void **state)
{
    (void)state;
    void *entered = scratch;
    return scratch_leave(&entered);
}

/* A server with little room, whose next answer is held at the gate. */
static void serve_held(struct serving *s)
{
    const char *const models[] = {"brief", embeds};
    struct http_limits limits = http_default_limits;
    limits.all_bodies = ROOM;
    if (!*embeds) {
        print_message("SKIPPED: the tests' models are not there: set "
                      "RUNG_TESTS to the folder tests\n");
        skip();
    }
    serving_open(s, models, &(struct rung_options){.threads = 1}, &limits);
    set_gate(AT_WRITING);
}

/* Send a body with spaces behind it that fill the room, and wait until its
 * answer is there. */
static int send_large(const struct serving *s, const char *path,
                      const char *body)
{
    struct bytes padded = {0};
    bytes_add_string(&padded, body);
    while (padded.size < UNCOUNTED + ROOM)
        bytes_add(&padded, " ", 1);
    bytes_add(&padded, "", 1);
    int fd = send_post(s->port, path, padded.data);
    bytes_free(&padded);
    await_waiting();
    return fd;
}

/* The gate opens, and not by itself: the answer comes. */
static void end_held(struct serving *s, int fd)
{
    struct response r = {0};
    assert_false(set_gate(NO_GATE));
    client_next(fd, &r, false);
    assert_int_equal(r.status, 200);
    response_free(&r);
    close(fd);
    serving_stop(s);
}

static void expect_answer(const struct serving *s, const char *path,
                          const char *body, int status)
{
    struct response r;
    ask_post(s->port, path, body, &r);
    if (r.status != status)
        print_error("%s\n", r.body.data);
    assert_int_equal(r.status, status);
    response_free(&r);
}

/* Is there room for so many bytes, which are no request? */
static void expect_room(const struct serving *s, size_t size, bool room)
{
    char *body = malloc(size + 1);
    assert_non_null(body);
    memset(body, ' ', size);
    body[size] = 0;
    expect_answer(s, TEXT, body, room ? 400 : 503);
    free(body);
}

/* A chat with a tool of many arguments; to be freed. */
static char *chat_with_tools(void)
{
    struct bytes body = {0};
    bytes_add_string(&body,
                     "{'messages':[{'role':'user','content':'Hi'}],"
                     "'max_tokens':1,'tools':[{'type':'function','function':"
                     "{'name':'look','parameters':{'type':'object',"
                     "'properties':{");
    for (size_t i = 0; i < ARGUMENTS; i++) {
        char argument[64];
        snprintf(argument, sizeof argument, "%s'a%04zu':{'type':'string'}",
                 i > 0 ? "," : "", i);
        bytes_add_string(&body, argument);
    }
    bytes_add_string(&body, "}}}}]}");
    bytes_add(&body, "", 1);
    return body.data;
}

static void the_body_of_a_text_leaves_its_room(void **state)
{
    (void)state;
    struct serving s;
    serve_held(&s);
    int fd = send_large(&s, TEXT, "{'prompt':'One','max_tokens':1}");
    expect_room(&s, UNCOUNTED + ROOM, true);
    end_held(&s, fd);
}

static void the_body_of_vectors_leaves_its_room(void **state)
{
    (void)state;
    struct serving s;
    serve_held(&s);
    int fd = send_large(&s, VECTORS, "{'input':'One'}");
    expect_room(&s, UNCOUNTED + ROOM, true);
    end_held(&s, fd);
}

/* But for the names of its arguments, which take about 210,000 bytes. */
static void the_body_of_a_chat_leaves_its_room(void **state)
{
    (void)state;
    struct serving s;
    char *chat = chat_with_tools();
    serve_held(&s);
    int fd = send_large(&s, CHAT, chat);
    expect_room(&s, UNCOUNTED + ROOM, false);
    expect_room(&s, UNCOUNTED + ROOM / 3, true);
    end_held(&s, fd);
    free(chat);
}

/* Nor are they freed on the engine's thread, which goes on. */
static void a_chat_with_many_arguments_keeps_nobody_waiting(void **state)
{
    (void)state;
    struct serving s;
    char *chat = chat_with_tools();
    serve_held(&s);
    int fd = send_large(&s, CHAT, chat);
    expect_answer(&s, CHAT,
                  "{'messages':[{'role':'user','content':'Hi'}],"
                  "'max_tokens':1}",
                  200);
    end_held(&s, fd);
    free(chat);
}

static void nor_do_many_vectors(void **state)
{
    (void)state;
    struct serving s;
    struct bytes body = {0};
    bytes_add_string(&body, "{'input':['One'");
    for (size_t i = 1; i < TEXTS; i++)
        bytes_add_string(&body, ",'One'");
    bytes_add(&body, "]}", 3);
    serve_held(&s);
    int fd = send_large(&s, VECTORS, body.data);
    expect_answer(&s, VECTORS, "{'input':'One'}", 200);
    end_held(&s, fd);
    bytes_free(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_body_of_a_text_leaves_its_room),
        cmocka_unit_test(the_body_of_vectors_leaves_its_room),
        cmocka_unit_test(the_body_of_a_chat_leaves_its_room),
        cmocka_unit_test(a_chat_with_many_arguments_keeps_nobody_waiting),
        cmocka_unit_test(nor_do_many_vectors),
    };
    return cmocka_run_group_tests_name("serve large", tests, enter, leave);
}
