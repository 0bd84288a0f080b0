/* The command that says how far one model is from another, on a text. */
#include "commands.h"
#include "compare_run.h"
#include "print.h"

#include <jansson.h>
#include <stdio.h>

static void print_comparison(const struct compare_run *r)
{
    const struct comparison_summary *s = &r->summary;
    printf("                       a           b\n");
    printf("perplexity    %10.4f  %10.4f\n", perplexity(&s->a),
           perplexity(&s->b));
    printf("nats a token  %10.4f  %10.4f\n", mean_nats(&s->a),
           mean_nats(&s->b));
    printf("KL divergence %10.6f nats of b from a, the mean of %zu tokens\n",
           s->kl_mean, r->comparison.n);
    printf("              %10.6f nats, which 1 token in 100 exceeds; %.6f "
           "at most\n",
           s->kl_99, s->kl_most);
    printf("top-1         %9.2f%% of the tokens: the same is likeliest\n",
           100 * s->agreement);
    printf("logit error   %10.4f at most\n", r->comparison.logit_error);
}

static json_t *json_surprises(const struct surprises *s)
{
    return json_pack("{s:o, s:o}", "perplexity", json_finite(perplexity(s)),
                     "nats_per_token", json_finite(mean_nats(s)));
}

static json_t *json_comparison(const struct compare_run *r)
{
    const struct comparison_summary *s = &r->summary;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:f, s:o, s:I, s:I, s:I, s:I}", "a",
        json_surprises(&s->a), "b", json_surprises(&s->b), "kl_mean",
        json_finite(s->kl_mean), "kl_99", json_finite(s->kl_99), "kl_most",
        json_finite(s->kl_most), "top1", s->agreement, "logit_error",
        json_finite(r->comparison.logit_error), "scored",
        (json_int_t)r->comparison.n, "tokens", (json_int_t)r->pair.ids.size,
        "window", (json_int_t)r->windows.size, "stride",
        (json_int_t)r->windows.stride);
}

int cmd_compare(const struct settings *s, struct error *e)
{
    struct compare_run r;
    int result = 0;
    if (compare_run_init(&r, s, s->arguments, e))
        return -1;
    if (s->json)
        result = print_json_line(json_comparison(&r), e);
    else
        print_comparison(&r);
    compare_run_free(&r);
    return result;
}
