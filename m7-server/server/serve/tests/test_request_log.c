/* Lines of the log: what a request cost stands where it ended. */
#include "request_log.h"

#include "test_numbers.h"

static char last[1024];
static int n_lines;

static void keep(void *context, const char *line)
{
    assert_ptr_equal(context, last);
    snprintf(last, sizeof last, "%s", line);
    n_lines++;
}

static const struct answering_figures figures = {.parts = 1,
                                                 .prompt_tokens = 100,
                                                 .cached_tokens = 60,
                                                 .new_tokens = 10,
                                                 .reasoning_tokens = 4,
                                                 .draft_tokens = 7,
                                                 .accepted_tokens = 3,
                                                 .cache_bytes = 28160,
                                                 .queued = 0.00123,
                                                 .first_token = 0.25,
                                                 .prefill = 0.2,
                                                 .decode = 0.5,
                                                 .draft = 0.0125,
                                                 .verify = 0.3};

static struct http_outcome outcome_of(const char *id)
{
    return (struct http_outcome){.method = "POST",
                                 .path = "/v1/completions",
                                 .id = id,
                                 .status = 200,
                                 .bytes = 77,
                                 .seconds = 0.5,
                                 .whole = true};
}

/* The memory of this program is another one each time: out of the line, and
 * returned. */
static unsigned long take_resident(char *line)
{
    static const char name[] = "\"resident_bytes\":";
    char *at = strstr(line, name), *rest;
    if (!at)
        return 0;
    unsigned long bytes = strtoul(at + sizeof name - 1, &rest, 10);
    memmove(at, rest + 1, strlen(rest));
    return bytes;
}

/* The line without the time, which begins it. */
static void assert_line(const char *expected)
{
    const char *rest = strchr(last, ',');
    assert_non_null(rest);
    assert_memory_equal(last, "{\"time\":\"20", 11);
    assert_string_equal(rest, expected);
}

static void a_request_without_a_note_has_its_outcome(void **state)
{
    (void)state;
    struct request_log *l = request_log_new(keep, last);
    struct http_outcome o = outcome_of("req_1");
    assert_non_null(l);
    request_log_end(l, &o);
    assert_line(",\"id\":\"req_1\",\"method\":\"POST\",\"path\":"
                "\"/v1/completions\",\"status\":200,\"whole\":true,"
                "\"bytes\":77,\"ms\":500.0}");
    request_log_free(l);
}

static void a_note_is_for_its_request(void **state)
{
    (void)state;
    struct request_log *l = request_log_new(keep, last);
    struct http_outcome one = outcome_of("req_1"), two = outcome_of("req_2");
    assert_non_null(l);
    request_log_begin(l, "req_1");
    request_log_begin(l, "req_2");
    request_log_note(l, "req_2", "tiny", &figures);
    request_log_end(l, &one);
    assert_null(strstr(last, "tiny"));
    request_log_end(l, &two);
    unsigned long resident = take_resident(last);
    assert_true(resident > 500000 && resident < 500000000);
    assert_line(
        ",\"id\":\"req_2\",\"method\":\"POST\",\"path\":"
        "\"/v1/completions\",\"status\":200,\"whole\":true,\"bytes\":77,"
        "\"ms\":500.0,\"model\":\"tiny\",\"parts\":1,\"prompt_tokens\":100,"
        "\"cached_tokens\":60,\"new_tokens\":10,\"reasoning_tokens\":4,"
        "\"draft_tokens\":7,\"accepted_tokens\":3,\"cache_bytes\":28160,"
        "\"queued_ms\":1.2,\"first_token_ms\":250.0,\"prefill_ms\":200.0,"
        "\"decode_ms\":500.0,\"draft_ms\":12.5,\"verify_ms\":300.0,"
        "\"prefill_per_second\":200.0,"
        "\"decode_per_second\":20.0}");
    request_log_end(l, &two);
    assert_null(strstr(last, "tiny"));
    request_log_free(l);
}

/* Its client has left before the engine knew: nobody will ask for the note. */
static void a_note_that_comes_too_late_is_not_kept(void **state)
{
    (void)state;
    struct request_log *l = request_log_new(keep, last);
    struct http_outcome o = outcome_of("req_1");
    assert_non_null(l);
    request_log_begin(l, "req_1");
    request_log_end(l, &o);
    request_log_note(l, "req_1", "tiny", &figures);
    request_log_end(l, &o);
    assert_null(strstr(last, "tiny"));
    request_log_free(l);
}

/* A server that ends may have notes whose requests nobody tells of. */
static void notes_that_are_left_are_freed(void **state)
{
    (void)state;
    struct request_log *l = request_log_new(keep, last);
    assert_non_null(l);
    n_lines = 0;
    request_log_begin(l, "req_1");
    request_log_begin(l, "req_2");
    request_log_note(l, "req_2", "tiny", &figures);
    request_log_free(l);
    assert_int_equal(n_lines, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_without_a_note_has_its_outcome),
        cmocka_unit_test(a_note_is_for_its_request),
        cmocka_unit_test(a_note_that_comes_too_late_is_not_kept),
        cmocka_unit_test(notes_that_are_left_are_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
