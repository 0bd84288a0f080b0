/* Evaluating: see evaluate.h. */
#include "evaluate.h"

#include "forward.h"
#include "generate.h"
#include "sizes.h"

/* How many tokens of a window to read at once.  A few models turn their keys
 * by angles that depend on how long a text is: where a window is that long,
 * they must know its length from its first token on. */
static size_t choose_chunk(const struct model *m, size_t window)
{
    for (size_t i = 0; i < m->n_ropes; i++)
        if (!rope_same_angles(&m->ropes[i], 1, window))
            return window;
    return state_chunk(m);
}

int window_reader_init(struct window_reader *r, const struct model *m,
                       const struct windows *w, struct error *e)
{
    return window_reader_init_form(r, m, w, cache_form_row(0), e);
}

int window_reader_init_form(struct window_reader *r, const struct model *m,
                            const struct windows *w,
                            const struct cache_form *form, struct error *e)
{
    size_t chunk = choose_chunk(m, w->size);
    *r = (struct window_reader){.model = m};
    if (state_init_chunked(&r->state, m, w->size, chunk, e) == 0 &&
        cache_init_form(&r->cache, m, form, w->size, chunk, e) == 0)
        return 0;
    window_reader_free(r);
    return -1;
}

void window_reader_free(struct window_reader *r)
{
    cache_free(&r->cache);
    state_free(&r->state);
}

/* A chunk of a window: the tokens from .. from + n - 1 of the text. */
struct chunk {
    const int *ids; /* of the text */
    size_t from, n;
};

/* How many tokens all readers can take at once. */
static size_t common_chunk(const struct evaluation *v)
{
    size_t most = v->windows.size;
    for (size_t i = 0; i < v->n_readers; i++)
        most = smaller_size(
            most, longest_chunk(&v->readers[i].state, &v->readers[i].cache));
    return most;
}

/* The logits of rows (n,) of the chunk, by each reader: logits (n_readers,) of
 * (n, vocab_size). */
static int score_rows(const struct evaluation *v, const size_t *rows, size_t n,
                      const float **logits, struct error *e)
{
    for (size_t i = 0; i < v->n_readers; i++) {
        struct window_reader *r = &v->readers[i];
        size_t width = r->model->config.vocab_size;
        logits[i] = logits_of_rows(r->model, &r->state, rows, n, NULL);
        for (size_t t = 0; t < n; t++)
            if (check_logits(logits[i] + t * width, width, e))
                return -1;
    }
    return 0;
}

/* Judge the n tokens from number `first` of the text on, each by the row of
 * the token before it; n is at most STATE_SCORED. */
static int judge_rows(const struct evaluation *v, const struct chunk *c,
                      size_t first, size_t n, struct error *e)
{
    size_t rows[STATE_SCORED];
    size_t width = v->readers[0].model->config.vocab_size;
    const float *logits[MOST_READERS];
    for (size_t i = 0; i < n; i++)
        rows[i] = first - 1 - c->from + i;
    if (score_rows(v, rows, n, logits, e))
        return -1;
    for (size_t t = 0; t < n; t++) {
        if (v->judge(v->context, logits, c->ids[first + t], e))
            return -1;
        for (size_t i = 0; i < v->n_readers; i++)
            logits[i] += width;
    }
    return 0;
}

/* Read a chunk, and judge what follows each of its tokens, as far as the
 * window scores it. */
static int judge_chunk(const struct evaluation *v, const struct chunk *c,
                       const struct window *w, struct error *e)
{
    size_t first = larger_size(c->from + 1, w->scored);
    size_t end = smaller_size(c->from + 1 + c->n, w->end);
    for (size_t i = 0; i < v->n_readers; i++) {
        struct window_reader *r = &v->readers[i];
        prefill(r->model, &r->state, &r->cache, c->ids + c->from, c->n, NULL);
    }
    for (size_t n; first < end; first += n) {
        n = smaller_size(end - first, STATE_SCORED);
        if (judge_rows(v, c, first, n, e))
            return -1;
    }
    return 0;
}

/* A window is a text of its own. */
static void begin_window(const struct evaluation *v)
{
    for (size_t i = 0; i < v->n_readers; i++)
        cache_truncate(&v->readers[i].cache, 0);
}

int evaluate(const struct evaluation *v, const int *ids, size_t n,
             struct error *e)
{
    size_t most = common_chunk(v), done = 0;
    size_t all = windows_count(&v->windows, n).read;
    for (struct window w = {0}; windows_next(&v->windows, n, &w);) {
        struct chunk c = {ids, w.begin, 0};
        begin_window(v);
        for (; c.from < w.end; c.from += c.n) {
            c.n = smaller_size(w.end - c.from, most);
            if (judge_chunk(v, &c, &w, e))
                return -1;
            done += c.n;
            if (v->progress)
                v->progress(v->progress_context, done, all);
        }
    }
    return 0;
}
