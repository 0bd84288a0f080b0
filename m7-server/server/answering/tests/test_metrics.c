/* Numbers as Prometheus reads them. */
#include "metrics.h"

#include "test_numbers.h"

static struct http_metrics http;
static struct model_metrics model;

/* What /metrics says of one model, to be freed. */
static char *text_of(const char *name)
{
    struct bytes out = {0};
    struct metrics_model m = {.name = name,
                              .stats = {.running = 2,
                                        .prompt_tokens = 70,
                                        .draft_tokens = 9,
                                        .accepted_tokens = 5,
                                        .busy = 8,
                                        .draft = 0.25,
                                        .verify = 1.5},
                              .metrics = &model,
                              .weight_bytes = 1000};
    metrics_write(&http, &m, 1, &out);
    bytes_add(&out, "", 1);
    assert_false(out.failed);
    return out.data;
}

static void expect(const char *name, const char *line)
{
    char *text = text_of(name);
    if (!strstr(text, line))
        print_error("%s is not in:\n%s\n", line, text);
    assert_non_null(strstr(text, line));
    free(text);
}

static int reset(void **state)
{
    (void)state;
    http = (struct http_metrics){0};
    model = (struct model_metrics){0};
    return 0;
}

static void the_engines_numbers_are_told(void **state)
{
    (void)state;
    expect("m", "\nrung_requests_running{model=\"m\"} 2\n");
    expect("m", "\nrung_prompt_tokens_total{model=\"m\"} 70\n");
    expect("m", "\n# TYPE rung_prompt_tokens_total counter\n");
    expect("m", "\nrung_draft_tokens_total{model=\"m\"} 9\n");
    expect("m", "\nrung_draft_tokens_accepted_total{model=\"m\"} 5\n");
    expect("m", "\nrung_step_seconds_total{model=\"m\"} 8\n");
    expect("m", "\nrung_draft_seconds_total{model=\"m\"} 0.25\n");
    expect("m", "\nrung_verify_seconds_total{model=\"m\"} 1.5\n");
    expect("m", "\nrung_weight_bytes{model=\"m\"} 1000\n");
}

static void names_are_escaped(void **state)
{
    (void)state;
    expect("a\"b\\c\nd",
           "rung_requests_running{model=\"a\\\"b\\\\c\\nd\"} 2\n");
}

static void statuses_are_counted_by_hundreds(void **state)
{
    (void)state;
    metrics_add_status(&http, 200);
    metrics_add_status(&http, 204);
    metrics_add_status(&http, 429);
    metrics_add_status(&http, 0);
    metrics_add_status(&http, 1000);
    expect("m", "rung_http_requests_total{status=\"2xx\"} 2\n");
    expect("m", "rung_http_requests_total{status=\"4xx\"} 1\n");
    expect("m", "rung_http_requests_total{status=\"5xx\"} 0\n");
    expect("m", "rung_http_requests_total{status=\"none\"} 2\n");
}

#define FIRST "rung_time_to_first_token_seconds"

/* Each bucket counts what is in those before it, too. */
static void durations_are_counted_in_buckets(void **state)
{
    (void)state;
    latencies_add(&model.first_token, 0.001);
    latencies_add(&model.first_token, 0.003);
    latencies_add(&model.first_token, 100);
    expect("m", FIRST "_bucket{model=\"m\",le=\"0.001\"} 1\n");
    expect("m", FIRST "_bucket{model=\"m\",le=\"0.0025\"} 1\n");
    expect("m", FIRST "_bucket{model=\"m\",le=\"0.005\"} 2\n");
    expect("m", FIRST "_bucket{model=\"m\",le=\"30\"} 2\n");
    expect("m", FIRST "_bucket{model=\"m\",le=\"+Inf\"} 3\n");
    expect("m", FIRST "_sum{model=\"m\"} 100.004\n");
    expect("m", FIRST "_count{model=\"m\"} 3\n");
}

static void rates_are_tokens_by_their_time(void **state)
{
    (void)state;
    const struct rung_result r = {.prompt_tokens = 100,
                                  .cached_tokens = 60,
                                  .new_tokens = 11,
                                  .prefill = 0.5,
                                  .decode = 2};
    metrics_add_result(&model, &r);
    expect("m", "rung_prefill_tokens_per_second{model=\"m\"} 80\n");
    expect("m", "rung_decode_tokens_per_second{model=\"m\"} 5\n");
    expect("m", "rung_new_tokens_total{model=\"m\"} 11\n");
}

/* Who left in the queue has read nothing. */
static void what_was_not_computed_has_no_rate(void **state)
{
    (void)state;
    const struct rung_result r = {.prompt_tokens = 100};
    metrics_add_result(&model, &r);
    expect("m", "rung_prefill_tokens_per_second{model=\"m\"} 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_engines_numbers_are_told, reset),
        cmocka_unit_test_setup(names_are_escaped, reset),
        cmocka_unit_test_setup(statuses_are_counted_by_hundreds, reset),
        cmocka_unit_test_setup(durations_are_counted_in_buckets, reset),
        cmocka_unit_test_setup(rates_are_tokens_by_their_time, reset),
        cmocka_unit_test_setup(what_was_not_computed_has_no_rate, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
