/* Choosing: see choosing.h. */
#include "choosing.h"

#include <stdio.h>
#include <time.h>

static int check_id(const char *option, int id, const struct reading *r,
                    struct error *e)
{
    if ((size_t)id < r->model.config.vocab_size)
        return 0;
    return fail(e, ERROR_USAGE,
                "option --%s: token %d is none of the model's %zu", option, id,
                r->model.config.vocab_size);
}

static int take_ids(struct choosing *c, const struct settings *s,
                    const struct reading *r, struct error *e)
{
    for (size_t i = 0; i < s->biases.n; i++)
        if (check_id("bias", s->biases.items[i].id, r, e))
            return -1;
    for (size_t i = 0; i < s->stop_ids.n; i++) {
        if (check_id("stop-id", s->stop_ids.items[i], r, e))
            return -1;
        ids_add(&c->ends, s->stop_ids.items[i]);
    }
    return c->ends.failed ? fail_memory(e, "the stop ids") : 0;
}

static bool says_chance(const struct settings *s)
{
    return s->seed.said || s->times.said || s->top_k.said || s->top_p.said ||
           s->min_p.said || s->typical_p.said;
}

/* 32 bits, which are short enough to be typed again. */
static uint64_t find_seed(void)
{
    unsigned char bytes[4] = {0};
    FILE *f = fopen("/dev/urandom", "rb");
    bool read = f && fread(bytes, sizeof bytes, 1, f) == 1;
    if (f)
        fclose(f);
    if (!read)
        return (uint64_t)time(NULL);
    return (uint64_t)bytes[0] << 24 | (uint64_t)bytes[1] << 16 |
           (uint64_t)bytes[2] << 8 | bytes[3];
}

int choosing_init(struct choosing *c, const struct settings *s,
                  const struct reading *r, bool chance, struct error *e)
{
    *c = (struct choosing){.how = no_sampling};
    c->how.repetition = (float)real_or(s->repetition, 1);
    c->how.presence = (float)real_or(s->presence, 0);
    c->how.frequency = (float)real_or(s->frequency, 0);
    c->how.biases = s->biases.items;
    c->how.n_biases = s->biases.n;
    c->how.temperature =
        (float)real_or(s->temperature, chance || says_chance(s) ? 1 : 0);
    c->how.top_k = number_or(s->top_k, 0);
    c->how.top_p = real_or(s->top_p, 1);
    c->how.min_p = (float)real_or(s->min_p, 0);
    c->how.typical_p = real_or(s->typical_p, 1);
    c->seed = s->seed.said ? s->seed.value : find_seed();
    if (take_ids(c, s, r, e) == 0)
        return 0;
    choosing_free(c);
    return -1;
}

void choosing_free(struct choosing *c)
{
    ids_free(&c->ends);
    *c = (struct choosing){0};
}
