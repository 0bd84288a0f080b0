/* Reports: see report.h. */
#include "report.h"

#include "print.h"

#include <stdio.h>

static const char *case_name(const struct measured *c, char *out, size_t size)
{
    if (c->batch == 0)
        snprintf(out, size, "prefill %zu", c->tokens);
    else if (c->batch == 1)
        snprintf(out, size, "decode %zu at %zu", c->tokens, c->depth);
    else
        snprintf(out, size, "batches of %zu", c->batch);
    return out;
}

/* Bytes that decode reads a second: all weights for each token, and what the
 * cache holds halfway.  0 where that is not known. */
static double bytes_read_a_second(const struct bench_report *r,
                                  const struct measured *c)
{
    double held = (double)c->depth + (double)c->tokens / 2;
    double bytes =
        (double)r->weight_bytes + held * (double)r->position_bytes;
    if (c->batch != 1 || r->weight_bytes == 0)
        return 0;
    return bytes * measured_speed(c, r->measuring->rounds);
}

static double share_of_reading(const struct bench_report *r,
                               const struct measured *c)
{
    return bytes_read_a_second(r, c) /
           limit_speed(r->limits, LIMIT_STREAMS, true);
}

/* --- tables ------------------------------------------------------------- */

static void print_case(const struct bench_report *r, const struct measured *c)
{
    char name[64];
    size_t rounds = r->measuring->rounds;
    double bytes = bytes_read_a_second(r, c);
    printf("%-20s  %8.1f  %5.0f%%", case_name(c, name, sizeof name),
           measured_speed(c, rounds), 100 * measured_spread(c, rounds));
    if (bytes > 0)
        printf("  %5.1f  %5.0f%%", bytes / 1e9, 100 * share_of_reading(r, c));
    printf("\n");
}

static void print_limits(const struct limits *l)
{
    printf("%-20s  1 thread  %zu threads\n", "limit",
           threads_count(l->threads));
    for (int kind = 0; kind < N_LIMITS; kind++)
        printf("%-20s  %8.1f  %9.1f %s\n", limit_name(kind),
               limit_speed(l, kind, false) / 1e9,
               limit_speed(l, kind, true) / 1e9, limit_unit(kind));
    printf("(reading %zu MB)\n", l->bytes >> 20);
}

static void print_speeds(const struct bench_report *r)
{
    const struct measuring *m = r->measuring;
    printf("%s, %s, %zu threads, cache %s; medians of %zu rounds\n\n", r->name,
           r->set, r->threads, m->form ? m->form->name : "f32", m->rounds);
    printf("%-20s  tokens/s  spread   GB/s  of two streams\n", "work");
    for (size_t i = 0; i < m->n; i++)
        print_case(r, &m->cases[i]);
    printf("\n");
    print_limits(r->limits);
}

static void print_kernels(const struct roofline *r)
{
    print_limits(&r->limits);
    printf("\n%-16s  op/byte   Gop/s  of its limit\n", "kernel");
    for (size_t i = 0; i < r->n_points; i++) {
        const struct point *p = &r->points[i];
        printf("%-16s  %7.1f  %6.1f  %5.0f%%\n", p->name, p->intensity,
               point_speed(p) / 1e9, 100 * p->share);
    }
}

/* --- JSON --------------------------------------------------------------- */

static json_t *json_case(const struct bench_report *r,
                         const struct measured *c)
{
    size_t rounds = r->measuring->rounds;
    json_t *object = json_pack(
        "{s:I,s:I,s:I}", "depth", (json_int_t)c->depth, "tokens",
        (json_int_t)c->tokens, "batch", (json_int_t)c->batch);
    json_put(&object, "tokens_per_second",
             json_finite(measured_speed(c, rounds)));
    json_put(&object, "spread", json_finite(measured_spread(c, rounds)));
    if (bytes_read_a_second(r, c) > 0) {
        json_put(&object, "bytes_per_second",
                 json_finite(bytes_read_a_second(r, c)));
        json_put(&object, "share_of_reading",
                 json_finite(share_of_reading(r, c)));
    }
    return object;
}

static json_t *json_limits(const struct limits *l)
{
    json_t *list = json_array();
    for (int kind = 0; kind < N_LIMITS; kind++) {
        json_t *object = json_pack("{s:s}", "limit", limit_name(kind));
        const char *unit = kind <= LIMIT_STREAMS ? "bytes_per_second"
                                                 : "operations_per_second";
        json_t *both = json_array();
        for (int all = 0; all < 2; all++)
            json_add(&both, json_finite(limit_speed(l, kind, all)));
        json_put(&object, unit, both);
        json_add(&list, object);
    }
    return list;
}

static int json_speeds(const struct bench_report *r, struct error *e)
{
    const struct measuring *m = r->measuring;
    json_t *cases = json_array();
    for (size_t i = 0; i < m->n; i++)
        json_add(&cases, json_case(r, &m->cases[i]));
    json_t *object = json_pack(
        "{s:s,s:s,s:I,s:s,s:I,s:I,s:I}", "model", r->name, "set", r->set,
        "threads", (json_int_t)r->threads, "cache",
        m->form ? m->form->name : "f32", "rounds", (json_int_t)m->rounds,
        "weight_bytes", (json_int_t)r->weight_bytes, "bytes_probed",
        (json_int_t)r->limits->bytes);
    json_put(&object, "cases", cases);
    json_put(&object, "limits", json_limits(r->limits));
    return print_json_line(object, e);
}

static json_t *json_point(const struct point *p)
{
    json_t *object = json_pack("{s:s,s:I}", "kernel", p->name, "rows",
                               (json_int_t)(p->n ? p->n : 1));
    json_put(&object, "operations_per_byte", json_finite(p->intensity));
    json_put(&object, "operations_per_second", json_finite(point_speed(p)));
    json_put(&object, "share_of_limit", json_finite(p->share));
    return object;
}

static int json_kernels(const struct roofline *r, struct error *e)
{
    json_t *kernels = json_array();
    for (size_t i = 0; i < r->n_points; i++)
        json_add(&kernels, json_point(&r->points[i]));
    json_t *object = json_pack(
        "{s:s,s:I,s:I}", "set", r->limits.set->name, "threads",
        (json_int_t)threads_count(r->limits.threads), "bytes_probed",
        (json_int_t)r->limits.bytes);
    json_put(&object, "limits", json_limits(&r->limits));
    json_put(&object, "kernels", kernels);
    return print_json_line(object, e);
}

/* --- both --------------------------------------------------------------- */

int report_speeds(const struct bench_report *r, bool json, struct error *e)
{
    if (json)
        return json_speeds(r, e);
    print_speeds(r);
    return 0;
}

int report_kernels(const struct roofline *r, bool json, struct error *e)
{
    if (json)
        return json_kernels(r, e);
    print_kernels(r);
    return 0;
}
