/* The state: see state.h. */
#include "state.h"

#include "packed.h"
#include "sizes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Room for (rows, cols) floats; calloc refuses a product that overflows.  The
 * columns come from config.json, whose fields are at most 2^26. */
static int reserve(float **out, size_t rows, size_t cols, struct error *e)
{
    *out = calloc(rows, (cols ? cols : 1) * sizeof **out);
    return *out ? 0 : fail_memory(e, "the numbers of a forward pass");
}

/* The same of a chunk's rows, at a multiple of 64 bytes.  Products write 16
 * numbers of each row in turn, which are one line of a cache then and not
 * parts of two, where a row's length is a multiple of 16, too.  And rows that
 * fill large pages stand in such: a processor remembers the places of few. */
static int reserve_chunk(float **out, size_t rows, size_t cols,
                         struct error *e)
{
    size_t row = (cols ? cols : 1) * sizeof **out;
    if (rows == 0 || rows > SIZE_MAX / 2 / row)
        return reserve(out, rows, cols, e);
    void *results = packed_reserve(rows * row);
    *out = results;
    if (!results)
        return fail_memory(e, "the numbers of a forward pass");
    memset(results, 0, rows * row);
    return 0;
}

static int reserve_angles(struct state *s, const struct model *m,
                          struct error *e)
{
    s->angles = calloc(m->n_ropes, sizeof *s->angles);
    if (!s->angles)
        return fail_memory(e, "the rotary angles");
    s->n_ropes = m->n_ropes;
    for (size_t i = 0; i < m->n_ropes; i++) {
        size_t pairs = m->ropes[i].dim / 2;
        if (reserve(&s->angles[i].cosines, s->capacity, pairs, e) ||
            reserve(&s->angles[i].sines, s->capacity, pairs, e))
            return -1;
    }
    return 0;
}

/* The most numbers that a layer has for the queries of a token, and for its
 * keys. */
static void measure_heads(const struct model *m, size_t *q_size,
                          size_t *kv_size)
{
    *q_size = *kv_size = 0;
    for (size_t l = 0; l < m->config.n_layers; l++) {
        const struct attention *a = &m->layers[l].attention;
        *q_size = larger_size(*q_size, a->n_heads * a->head_dim);
        *kv_size = larger_size(*kv_size, a->n_kv_heads * a->head_dim);
    }
}

/* The most positions that a token looks at in any layer, itself included. */
static size_t longest_view(const struct model *m, size_t longest)
{
    size_t most = 0;
    for (size_t l = 0; l < m->config.n_layers; l++) {
        size_t window = m->layers[l].attention.window;
        bool sees_all = window == 0 || window > longest;
        most = larger_size(most, sees_all ? longest : window);
    }
    return most;
}

/* The longest row that is multiplied. */
static size_t longest_row(const struct model *m, size_t q_size)
{
    const struct config *c = &m->config;
    return larger_size(larger_size(c->hidden_size, q_size),
                       c->intermediate_size);
}

/* What kernels need; rows are scored together, too. */
static int reserve_engine(struct state *s, const struct model *m, size_t cols,
                          struct error *e)
{
    size_t rows = larger_size(s->capacity, STATE_SCORED);
    s->compute.engine = calloc(1, sizeof *s->compute.engine);
    if (!s->compute.engine)
        return fail_memory(e, "the kernels' context");
    return engine_init(s->compute.engine, m->set, m->threads, rows, cols, e);
}

/* What attention by kernels needs. */
static int reserve_attender(struct state *s, const struct model *m,
                            struct error *e)
{
    struct attention_limits most = {.positions = s->longest};
    for (size_t l = 0; l < m->config.n_layers; l++) {
        const struct attention *a = &m->layers[l].attention;
        attention_limits_add(&most, a->n_heads, a->n_kv_heads, a->head_dim);
    }
    s->works = calloc(s->capacity, sizeof *s->works);
    if (!s->works)
        return fail_memory(e, "the list of texts");
    return attender_init(&s->attender, m->set, m->threads, &most, e);
}

static int reserve_all(struct state *s, const struct model *m, struct error *e)
{
    const struct config *c = &m->config;
    size_t rows = s->capacity, q_size, kv_size;
    measure_heads(m, &q_size, &kv_size);
    if (reserve_chunk(&s->x, rows, c->hidden_size, e) ||
        reserve_chunk(&s->normed, rows, c->hidden_size, e) ||
        reserve_chunk(&s->out, rows, c->hidden_size, e) ||
        reserve_chunk(&s->q, rows, q_size, e) ||
        reserve_chunk(&s->heads, rows, q_size, e) ||
        reserve_chunk(&s->k, rows, kv_size, e) ||
        reserve_chunk(&s->v, rows, kv_size, e) ||
        reserve(&s->attention_weights,
                longest_view(m, s->longest) *
                    smaller_size(s->capacity, STATE_ATTENDING),
                c->n_heads, e) ||
        reserve_chunk(&s->gate, rows, c->intermediate_size, e) ||
        reserve_chunk(&s->up, rows, c->intermediate_size, e) ||
        reserve(&s->logits, STATE_SCORED, c->vocab_size, e) ||
        reserve(&s->compute.row, 1, longest_row(m, q_size), e))
        return -1;
    if (m->set && (reserve_engine(s, m, longest_row(m, q_size), e) ||
                   reserve_attender(s, m, e)))
        return -1;
    s->positions = calloc(s->capacity, sizeof *s->positions);
    return s->positions ? reserve_angles(s, m, e)
                        : fail_memory(e, "the positions");
}

size_t state_chunk(const struct model *m)
{
    return m->set ? m->set->chunk : STATE_CHUNK;
}

int state_init_chunked(struct state *s, const struct model *m, size_t longest,
                       size_t chunk, struct error *e)
{
    *s = (struct state){.capacity = chunk < longest ? chunk : longest,
                        .longest = longest};
    int result = reserve_all(s, m, e);
    if (result)
        state_free(s);
    return result;
}

int state_init(struct state *s, const struct model *m, size_t longest,
               struct error *e)
{
    return state_init_chunked(s, m, longest, longest, e);
}

void state_free(struct state *s)
{
    float *const blocks[] = {
        s->x,     s->normed, s->out,   s->q,
        s->heads, s->k,      s->v,     s->attention_weights,
        s->gate,  s->up,     s->logits, s->compute.row};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        free(blocks[i]);
    if (s->compute.engine)
        engine_free(s->compute.engine);
    free(s->compute.engine);
    attender_free(&s->attender);
    free(s->works);
    for (size_t i = 0; i < s->n_ropes; i++) {
        free(s->angles[i].cosines);
        free(s->angles[i].sines);
    }
    free(s->angles);
    free(s->positions);
    *s = (struct state){0};
}
