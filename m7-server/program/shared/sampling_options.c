/* The options of sampling: see sampling_options.h. */
#include "sampling_options.h"

#include <stdio.h>
#include <time.h>

static int check_id(const char *option, int id, const struct input *in,
                    struct error *e)
{
    if ((size_t)id < in->model.config.vocab_size)
        return 0;
    return fail(e, ERROR_USAGE,
                "option --%s: token %d is none of the model's %zu", option, id,
                in->model.config.vocab_size);
}

static int take_ids(struct sampling_options *o, const struct settings *s,
                    const struct input *in, struct error *e)
{
    for (size_t i = 0; i < s->biases.n; i++)
        if (check_id("bias", s->biases.items[i].id, in, e))
            return -1;
    for (size_t i = 0; i < s->stop_ids.n; i++) {
        if (check_id("stop-id", s->stop_ids.items[i], in, e))
            return -1;
        ids_add(&o->ends, s->stop_ids.items[i]);
    }
    return o->ends.failed ? fail_memory(e, "the stop ids") : 0;
}

static bool says_chance(const struct settings *s)
{
    return s->seed.said || s->samples.said || s->top_k.said || s->top_p.said ||
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

uint64_t sampling_seed(const struct settings *s)
{
    return s->seed.said ? s->seed.value : find_seed();
}

int sampling_options_init(struct sampling_options *o, const struct settings *s,
                          const struct input *in, bool chance, struct error *e)
{
    *o = (struct sampling_options){.sampling = no_sampling};
    o->sampling.repetition = (float)real_or(s->repetition, 1);
    o->sampling.presence = (float)real_or(s->presence, 0);
    o->sampling.frequency = (float)real_or(s->frequency, 0);
    o->sampling.biases = s->biases.items;
    o->sampling.n_biases = s->biases.n;
    o->sampling.temperature =
        (float)real_or(s->temperature, chance || says_chance(s) ? 1 : 0);
    o->sampling.top_k = number_or(s->top_k, 0);
    o->sampling.top_p = real_or(s->top_p, 1);
    o->sampling.min_p = (float)real_or(s->min_p, 0);
    o->sampling.typical_p = real_or(s->typical_p, 1);
    o->seed = sampling_seed(s);
    if (take_ids(o, s, in, e) == 0)
        return 0;
    sampling_options_free(o);
    return -1;
}

void sampling_options_free(struct sampling_options *o)
{
    ids_free(&o->ends);
    *o = (struct sampling_options){0};
}
