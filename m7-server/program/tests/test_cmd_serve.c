/* The command that serves: what it is told, where it listens, how it ends.
 * What it answers is tried in server/serve/tests. */
#include "test_commands.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>

/* Sixteen texts, none of which tiny-chat may end by one of its two tokens. */
#define LONG_BODY                                                             \
    "{\"prompt\":\"Once\",\"n\":16,\"max_tokens\":1000,"                      \
    "\"logit_bias\":{\"4087\":-100,\"4089\":-100}}"
#define LONG_ANSWER                                                           \
    "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: "      \
    "application/json\r\nContent-Length: 81\r\n\r\n" LONG_BODY

/* One that runs, and what it says on standard error. */
struct serving {
    pid_t child;
    int err;
    char said[4096];
    int port;
};

/* Start it, and wait until it says where it listens. */
static void start_serving(struct serving *s, char **words)
{
    int ends[2];
    need_model();
    *s = (struct serving){.port = -1};
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    s->child = fork();
    if (s->child == 0) {
        FILE *const files[3] = {tmpfile(), tmpfile(), fdopen(ends[1], "w")};
        close(ends[0]);
        become_rung(words, files);
    }
    close(ends[1]);
    s->err = ends[0];
    size_t size = 0;
    while (!strstr(s->said, "Ctrl-C")) {
        ssize_t n = read(s->err, s->said + size, sizeof s->said - 1 - size);
        assert_true(n > 0);
        size += (size_t)n;
    }
    const char *at = strstr(s->said, "127.0.0.1:");
    assert_non_null(at);
    s->port = atoi(at + 10);
}

/* A connection to it, or -1. */
static int connect_to(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Send a request, and read the answer's first line, ended by a zero. */
static void ask(int port, const char *request, char *line, size_t room)
{
    int fd = connect_to(port);
    size_t size = 0;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, request, strlen(request)), strlen(request));
    while (size < room - 1 && read(fd, line + size, 1) == 1 &&
           line[size] != '\r')
        size++;
    line[size] = 0;
    close(fd);
}

static int end_serving(struct serving *s, int signal)
{
    int status = -1;
    kill(s->child, signal);
    waitpid(s->child, &status, 0);
    close(s->err);
    return status;
}

static void it_serves_until_a_signal_comes(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < 2; i++) {
        struct serving s;
        char line[64];
        start_serving(&s, WORDS("serve", getenv("RUNG_MODEL"), "--port", "0"));
        ask(s.port, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", line,
            sizeof line);
        assert_string_equal(line, "HTTP/1.1 200 OK");
        assert_int_equal(end_serving(&s, signals[i]), 0);
        assert_int_equal(connect_to(s.port), -1);
    }
}

/* By the option, or by the environment. */
static void a_key_is_asked_for(void **state)
{
    (void)state;
    static const char request[] =
        "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n%s\r\n";
    char *model = getenv("RUNG_MODEL"), with[128], without[128], line[64];
    snprintf(with, sizeof with, request, "Authorization: Bearer hush\r\n");
    snprintf(without, sizeof without, request, "");
    for (int i = 0; i < 2; i++) {
        struct serving s;
        if (i == 0)
            start_serving(
                &s, WORDS("serve", model, "--port", "0", "--api-key", "hush"));
        setenv("RUNG_API_KEY", "hush", 1);
        if (i == 1)
            start_serving(&s, WORDS("serve", model, "--port", "0"));
        unsetenv("RUNG_API_KEY");
        ask(s.port, with, line, sizeof line);
        assert_string_equal(line, "HTTP/1.1 200 OK");
        ask(s.port, without, line, sizeof line);
        assert_string_equal(line, "HTTP/1.1 401 Unauthorized");
        assert_int_equal(end_serving(&s, SIGTERM), 0);
    }
}

/* tiny-draft guesses for the others. */
static void without_a_model_it_serves_those_of_a_folder(void **state)
{
    (void)state;
    struct serving s;
    char line[64], *folder = test_path("models");
    setenv("RUNG_MODELS", folder, 1);
    start_serving(&s, WORDS("serve", "--port", "0", "--threads", "1"));
    unsetenv("RUNG_MODELS");
    assert_non_null(strstr(
        s.said, "rung: tiny-draft guesses what others will say\n"));
    assert_non_null(strstr(s.said, "Serving 2 models at http://127.0.0.1:"));
    ask(s.port,
        "GET /v1/models/tiny-chat HTTP/1.1\r\nHost: localhost\r\n\r\n", line,
        sizeof line);
    assert_string_equal(line, "HTTP/1.1 200 OK");
    ask(s.port,
        "GET /v1/models/tiny-draft HTTP/1.1\r\nHost: localhost\r\n\r\n", line,
        sizeof line);
    assert_string_equal(line, "HTTP/1.1 404 Not Found");
    assert_int_equal(end_serving(&s, SIGTERM), 0);
    free(folder);
}

static void a_folder_without_models_is_told(void **state)
{
    (void)state;
    need_model();
    setenv("RUNG_MODELS", ".", 1);
    assert_error(WORDS("serve"), 1,
                 "rung: .: holds no model: name one, or say by RUNG_MODELS "
                 "where some are\n");
    setenv("RUNG_MODELS", "nothing/there", 1);
    assert_error(WORDS("serve"), 1,
                 "rung: nothing/there: No such file or directory\n");
    unsetenv("RUNG_MODELS");
}

/* The answer's first line, "" for none, and how many seconds it took. */
static double answer_to(int port, const char *request, char *line, size_t room)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    ask(port, request, line, room);
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) +
           (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
}

static void limits_are_those_of_the_command_line(void **state)
{
    (void)state;
    struct serving s;
    char line[64];
    start_serving(&s, WORDS("serve", getenv("RUNG_MODEL"), "--port", "0",
                            "--connections", "1", "--header-time", "1",
                            "--total-time", "1", "--threads", "1"));
    double took =
        answer_to(s.port, "GET /health HTTP/1.1\r\n", line, sizeof line);
    assert_string_equal(line, "HTTP/1.1 408 Request Timeout");
    assert_true(took > 0.5 && took < 10);
    int other = connect_to(s.port);
    assert_int_equal(write(other, "GET", 3), 3);
    ask(s.port, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", line,
        sizeof line);
    assert_string_equal(line, "HTTP/1.1 503 Service Unavailable");
    close(other);
    took = answer_to(s.port, LONG_ANSWER, line, sizeof line);
    assert_string_equal(line, "HTTP/1.1 504 Gateway Timeout");
    assert_true(took > 0.5);
    assert_int_equal(end_serving(&s, SIGTERM), 0);
}

/* Start a command to which a signal has come already, and return how it
 * ended.  Whoever runs the tests in the background may have had the signal
 * ignored, which a command inherits. */
static int stop_opening(char **words, int signal, FILE *const files[3])
{
    int status = -1;
    sigset_t set;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        sigemptyset(&set);
        sigaddset(&set, signal);
        sigprocmask(SIG_BLOCK, &set, NULL);
        raise(signal);
        become_rung(words, files);
    }
    waitpid(child, &status, 0);
    return status;
}

static void a_signal_ends_it_while_a_model_is_opened(void **state)
{
    (void)state;
    static char *const commands[] = {"serve", "chat"};
    static const int signals[] = {SIGINT, SIGTERM};
    need_model();
    for (size_t i = 0; i < 4; i++) {
        char said[128] = "";
        FILE *const files[3] = {tmpfile(), tmpfile(), tmpfile()};
        int status = stop_opening(WORDS(commands[i / 2], getenv("RUNG_MODEL")),
                                  signals[i % 2], files);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i % 2]);
        rewind(files[2]);
        assert_true(fread(said, 1, sizeof said - 1, files[2]) > 0);
        assert_string_equal(said, "rung: stopped while a model was opened\n");
        for (size_t j = 0; j < 3; j++)
            fclose(files[j]);
    }
}

static void what_it_is_told_must_make_sense(void **state)
{
    (void)state;
    assert_error(WORDS("serve", "--port", "65536"), 2,
                 "rung: option --port must be from 0 to 65535\n");
    assert_error(WORDS("serve", "--port", "http"), 2,
                 "rung: option --port must be a whole number, not \"http\"\n");
    assert_error(WORDS("serve", "--queue", "0"), 2,
                 "rung: option --queue must be a whole number from 1 to "
                 "1000000, not \"0\"\n");
    assert_error(WORDS("serve", france), 1,
                 "rung: The capital of France is/config.json: No such file or "
                 "directory\n");
    assert_error(WORDS("serve", getenv("RUNG_MODEL"), "--draft-tokens", "2"),
                 1,
                 "rung: 2 guesses are asked for, and no draft to make them\n");
    assert_error(WORDS("serve", getenv("RUNG_MODEL"), "--draft", "ngram",
                       "--draft-tokens", "17"),
                 1, "rung: 17 guesses at once are more than 16\n");
    assert_error(WORDS("serve", "--temperature", "1"), 2,
                 "rung: rung serve takes no option --temperature\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_serves_until_a_signal_comes),
        cmocka_unit_test(a_key_is_asked_for),
        cmocka_unit_test(without_a_model_it_serves_those_of_a_folder),
        SCRATCH(a_folder_without_models_is_told),
        cmocka_unit_test(limits_are_those_of_the_command_line),
        cmocka_unit_test(a_signal_ends_it_while_a_model_is_opened),
        cmocka_unit_test(what_it_is_told_must_make_sense),
    };
    return cmocka_run_group_tests(tests, name_model, NULL);
}
