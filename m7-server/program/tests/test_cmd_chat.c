/* The command that talks with a model: lines in, answers out. */
#include "test_commands.h"

#include <jansson.h>
#include <signal.h>

/* Lines of input, to the model. */
static struct outcome talk(char **words, const char *lines)
{
    need_model();
    return run_rung(words, lines, strlen(lines));
}

/* It always takes the likeliest token; shows thoughts, and tells no times. */
#define TALK(...) WORDS("chat", "-t", "0", __VA_ARGS__)
#define CHAT(...) TALK("--thoughts", "-q", __VA_ARGS__)

static void assert_answers(char **words, const char *lines,
                           const char *expected)
{
    struct outcome o = talk(words, lines);
    assert_string_equal(o.err.data, "");
    assert_string_equal(o.out.data, expected);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static void assert_ends(char **words, const char *lines, int status,
                        const char *message)
{
    struct outcome o = talk(words, lines);
    const char *last = o.err.size > strlen(message)
                           ? o.err.data + o.err.size - strlen(message)
                           : o.err.data;
    assert_string_equal(last, message);
    assert_int_equal(o.status, status);
    outcome_free(&o);
}

#define TOKYO                                                                 \
    "[thinks]\nThe user asks for the capital of Japan. It is Tokyo.\n"        \
    "[answers]\nThe capital of Japan is Tokyo.\n"
#define FOLDED "[thinks ...]\nThe capital of Japan is Tokyo.\n"

static void a_line_is_a_question(void **state)
{
    (void)state;
    assert_answers(CHAT("--threads", "1"), "What is the capital of Japan?\n",
                   TOKYO);
    assert_answers(CHAT(getenv("RUNG_MODEL")),
                   "\n\nWhat is the capital of Japan?", TOKYO);
    assert_answers(TALK("-q"), "What is the capital of Japan?\r\n", FOLDED);
}

/* What the model said before is a part of what it reads. */
static void a_conversation_goes_on_until_a_new_one(void **state)
{
    (void)state;
    static const char lines[] = "/think off\nWhat is the capital of Japan?\n"
                                "Tell me a story\n/new\n"
                                "What is the capital of Japan?\n";
    struct outcome o = talk(TALK("-n", "12"), lines);
    const char *second = strstr(o.err.data, "28 read, 15 known, 12 written");
    assert_int_equal(strncmp(o.err.data, "19 read, 11 written; ", 21), 0);
    assert_non_null(second);
    assert_non_null(strstr(second, "4 read, 15 known, 11 written; "));
    assert_non_null(strstr(o.out.data, "The capital of Japan is Tokyo.\n\n"));
    assert_string_equal(strrchr(o.out.data, '\n') - 30,
                        "The capital of Japan is Tokyo.\n");
    outcome_free(&o);
}

/* The template gives the same prompt as m3's own wrapping does. */
static void an_answer_is_that_of_generate(void **state)
{
    (void)state;
    struct outcome o =
        talk(WORDS("generate", "--chat", france, "-q", "-n", "20"), "");
    struct outcome c =
        talk(CHAT("-n", "20"), "/think off\nThe capital of France is\n");
    assert_true(o.out.size > 5);
    assert_memory_equal(c.out.data, o.out.data, o.out.size);
    assert_string_equal(c.err.data, "");
    outcome_free(&o);
    outcome_free(&c);
}

/* Two answers of one seed differ, and are the same when all is repeated. */
static void seeds_repeat_a_whole_conversation(void **state)
{
    (void)state;
    static const char lines[] = "/think off\nTell me a story\n/again\n";
    char **words = WORDS("chat", "--seed", "7", "-n", "16", "-t", "1");
    struct outcome a = talk(words, lines), b = talk(words, lines);
    assert_string_equal(a.out.data, b.out.data);
    const char *next = strstr(a.out.data, "\n\n");
    assert_non_null(next);
    size_t size = (size_t)(next + 1 - a.out.data);
    bool same = strncmp(a.out.data, next + 2, size) == 0;
    assert_false(same);
    outcome_free(&a);
    outcome_free(&b);
}

static void the_demo_is_an_answer_and_how_to_go_on(void **state)
{
    (void)state;
    static const char begin[] = "> What is the capital of Japan?\n" TOKYO
                                "\nThat was computed here";
    struct outcome o = talk(WORDS("demo"), "");
    assert_string_equal(o.err.data, "");
    assert_int_equal(strncmp(o.out.data, begin, sizeof begin - 1), 0);
    const char *serve = strstr(o.out.data, "rung serve");
    assert_non_null(serve);
    assert_non_null(strstr(serve, "then open http://127.0.0.1:8080/"));
    assert_non_null(strstr(serve, "rung chat "));
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

/* The last line of the demo, typed in the current folder. */
static void assert_demo_ends(const char *line)
{
    struct outcome o = talk(WORDS("demo"), "");
    assert_int_equal(o.status, 0);
    assert_true(o.out.size > strlen(line));
    assert_string_equal(o.out.data + o.out.size - strlen(line), line);
    outcome_free(&o);
}

/* Of a checkout, in its folder or in a rung's. */
static void the_demo_ends_with_the_book_where_there_is_one(void **state)
{
    (void)state;
    static const char chat[] = "  talk with it in this terminal\n";
    char named[128];
    assert_demo_ends(chat);
    mkdir("book", 0777);
    write_file("book/book.mk", "", 0);
    snprintf(named, sizeof named, "%s    %-22s  %s\n", chat, "make serve",
             "read the book about how all this works");
    assert_demo_ends(named);
    mkdir("m7", 0777);
    assert_int_equal(chdir("m7"), 0);
    snprintf(named, sizeof named, "%s    %-22s  %s\n", chat,
             "make -C .. serve", "read the book about how all this works");
    assert_demo_ends(named);
    assert_int_equal(chdir(".."), 0);
}

/* --- as on the page ------------------------------------------------------ */

/* Thoughts are folded away, and can be looked at; figures are told. */
static void what_is_not_said_is_as_on_the_page(void **state)
{
    (void)state;
    static const char question[] = "What is the capital of Japan?\n";
    char lines[128];
    struct outcome o = talk(TALK("--threads", "1"), question);
    assert_string_equal(o.out.data, FOLDED);
    assert_int_equal(strncmp(o.err.data,
                             "15 read, 31 written, 19 of them in thought; the "
                             "first after ",
                             60), 0);
    outcome_free(&o);
    snprintf(lines, sizeof lines, "%s/thought\n/fold\n/regenerate\n",
             question);
    assert_answers(TALK("-q"), lines,
                   FOLDED "\n[thinks]\nThe user asks for the capital of "
                          "Japan. It is Tokyo.\n\n" TOKYO);
    assert_ends(TALK("-q"), "/think off\nHello\n/thought\n", 2,
                "rung: no answer began with a thought\n");
}

/* --- tools --------------------------------------------------------------- */

#define WEATHER                                                               \
    "[{\"type\": \"function\", \"function\": {\"name\": \"get_weather\", "    \
    "\"description\": \"Get the weather\", \"parameters\": {\"type\": "       \
    "\"object\", \"properties\": {\"city\": {\"type\": \"string\"}}, "        \
    "\"required\": [\"city\"]}}}]"

static void a_tool_is_called_and_its_result_told(void **state)
{
    (void)state;
    write_file("tools.json", WEATHER, strlen(WEATHER));
    assert_answers(TALK("--tools", "tools.json", "-q"),
                   "What is the weather in Paris?\n"
                   "{\"temperature\": 21, \"sky\": \"sunny\"}\n"
                   "/save a.json\n",
                   "[thinks ...]\n[calls get_weather {\"city\": \"Paris\"}]\n"
                   "\n[thinks ...]\nIt is 21 degrees and sunny in Paris.\n");
    json_t *saved = json_load_file("a.json", 0, NULL);
    json_t *messages = json_object_get(saved, "messages");
    assert_int_equal(json_array_size(messages), 4);
    json_t *call = json_array_get(
        json_object_get(json_array_get(messages, 1), "tool_calls"), 0);
    assert_true(json_equal(
        json_object_get(call, "id"),
        json_object_get(json_array_get(messages, 2), "tool_call_id")));
    json_decref(saved);
}

/* --- what the user may say ----------------------------------------------- */

static size_t count_read(const char *lines)
{
    size_t n = 0;
    struct outcome o = talk(TALK("-n", "1"), lines);
    const char *figures = strchr(o.err.data, '\n') + 1;
    assert_int_equal(sscanf(figures, "%zu read, 1 written", &n), 1);
    outcome_free(&o);
    return n;
}

static void marks_in_a_question_are_letters(void **state)
{
    (void)state;
    size_t frame = count_read("hello\n") - 1;
    assert_in_range(count_read("<|im_end|>\n"), frame + 4, frame + 10);
    assert_int_equal(count_read("/system Pip\n/system\nhello\n"), frame + 1);
}

static void two_slashes_are_one(void **state)
{
    (void)state;
    assert_int_equal(count_read("//hello\n"), count_read("-hello\n"));
}

/* --- what is refused ----------------------------------------------------- */

static void errors_end_a_script(void **state)
{
    (void)state;
    assert_ends(CHAT("-n", "1"), "/nope\nHello\n", 2,
                "rung: there is no command /nope (see: /help)\n");
    assert_ends(CHAT("-n", "1"), "/again\n", 2,
                "rung: there is no answer yet\n");
    assert_ends(CHAT("-n", "1"), "/think perhaps\n", 2,
                "rung: /think on, or /think off\n");
    assert_ends(CHAT("-n", "1"), "/new York\n", 2,
                "rung: /new stands alone\n");
    assert_ends(CHAT("-n", "1"), "\xFF\n", 1,
                "rung: this is no text in UTF-8\n");
    assert_ends(CHAT("--bias", "99999=1"), "Hello\n", 1,
                "rung: a bias: number 0 is 99999, and the model has the ids 0 "
                "to 4095\n");
}

static void a_full_context_is_told(void **state)
{
    (void)state;
    assert_ends(CHAT("--context", "60"), "Tell me a story\n", 0,
                "(cut off: the 60 tokens of the context are full; /new begins "
                "another conversation)\n");
    assert_ends(CHAT("--context", "60"), "Tell me a story\nMore\n", 1,
                "there is room for 60: /new begins another\n");
    assert_ends(TALK("--context", "60", "-q"),
                "Tell me a story\n/new\nWhat is the capital of Japan?\n", 0,
                "(cut off: the 60 tokens of the context are full; /new begins "
                "another conversation)\n");
}

static void a_model_without_answers_is_refused(void **state)
{
    (void)state;
    char *model = test_path("models/tiny-embed");
    struct outcome o = talk(WORDS("chat", model), "Hello\n");
    assert_non_null(strstr(o.err.data, ": makes vectors, and no answers\n"));
    assert_int_equal(o.status, 1);
    outcome_free(&o);
    free(model);
}

/* --- Ctrl-C -------------------------------------------------------------- */

/* A chat whose two outputs come through one pipe. */
struct running {
    pid_t child;
    int in, out;
    char text[8192]; /* what it has written so far */
    size_t size;
};

static void start_chat(struct running *r, char **words)
{
    int in[2], out[2];
    need_model();
    *r = (struct running){0};
    assert_true(pipe(in) == 0 && pipe(out) == 0);
    fflush(NULL);
    r->child = fork();
    if (r->child == 0) {
        FILE *const files[3] = {fdopen(in[0], "r"), fdopen(out[1], "w"),
                                fdopen(out[1], "w")};
        signal(SIGINT, SIG_DFL);
        close(in[1]);
        become_rung(words, files);
    }
    close(in[0]);
    close(out[1]);
    r->in = in[1];
    r->out = out[0];
}

static void type(const struct running *r, const char *line)
{
    assert_int_equal(write(r->in, line, strlen(line)), strlen(line));
}

/* Read until these words have come, or the end. */
static void read_until(struct running *r, const char *words)
{
    while (!words || !strstr(r->text, words)) {
        ssize_t n =
            read(r->out, r->text + r->size, sizeof r->text - 1 - r->size);
        if (n <= 0)
            return;
        r->size += (size_t)n;
    }
}

static int finish(struct running *r)
{
    int status = 0;
    close(r->in);
    read_until(r, NULL);
    close(r->out);
    waitpid(r->child, &status, 0);
    return status;
}

/* Nothing but Ctrl-C ends this answer early. */
#define ENDLESS CHAT("--bias", "4087=-100", "--bias", "4089=-100")

static void ctrl_c_stops_the_answer_alone(void **state)
{
    (void)state;
    struct running r;
    start_chat(&r, ENDLESS);
    type(&r, "Tell me a story\n");
    read_until(&r, "Once");
    kill(r.child, SIGINT);
    read_until(&r, "(stopped)\n");
    assert_true(r.size < 1500); /* the context holds some 4000 letters */
    type(&r, "/again\n");
    read_until(&r, "(stopped)\n\n[thinks]\nI will");
    kill(r.child, SIGINT);
    int status = finish(&r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_non_null(strstr(strstr(r.text, "(stopped)") + 1, "(stopped)\n"));
}

static void ctrl_c_between_answers_ends_the_program(void **state)
{
    (void)state;
    struct running r;
    start_chat(&r, ENDLESS);
    type(&r, "Tell me a story\n");
    read_until(&r, "Once");
    kill(r.child, SIGINT);
    read_until(&r, "(stopped)\n");
    kill(r.child, SIGINT);
    read_until(&r, NULL);
    int status = finish(&r);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_question),
        cmocka_unit_test(a_conversation_goes_on_until_a_new_one),
        cmocka_unit_test(an_answer_is_that_of_generate),
        cmocka_unit_test(seeds_repeat_a_whole_conversation),
        cmocka_unit_test(the_demo_is_an_answer_and_how_to_go_on),
        SCRATCH(the_demo_ends_with_the_book_where_there_is_one),
        cmocka_unit_test(what_is_not_said_is_as_on_the_page),
        SCRATCH(a_tool_is_called_and_its_result_told),
        cmocka_unit_test(marks_in_a_question_are_letters),
        cmocka_unit_test(two_slashes_are_one),
        cmocka_unit_test(errors_end_a_script),
        cmocka_unit_test(a_full_context_is_told),
        cmocka_unit_test(a_model_without_answers_is_refused),
        cmocka_unit_test(ctrl_c_stops_the_answer_alone),
        cmocka_unit_test(ctrl_c_between_answers_ends_the_program),
    };
    return cmocka_run_group_tests_name("cmd_chat", tests, name_model, NULL);
}
