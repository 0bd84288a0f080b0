/* The log: see request_log.h. */
#include "request_log.h"

#include "json_write.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A request that has begun, and has not ended. */
struct log_note {
    char *id;    /* owned */
    char *model; /* owned; NULL: there are no figures yet */
    struct answering_figures figures;
    struct log_note *next; /* owned */
};

struct request_log {
    void (*write)(void *context, const char *line);
    void *context;
    pthread_mutex_t lock; /* of the notes, and of writing */
    struct log_note *notes;
};

struct request_log *
request_log_new(void (*write)(void *context, const char *line), void *context)
{
    struct request_log *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->write = write;
    l->context = context;
    pthread_mutex_init(&l->lock, NULL);
    return l;
}

static void note_free(struct log_note *note)
{
    if (!note)
        return;
    free(note->id);
    free(note->model);
    free(note);
}

void request_log_free(struct request_log *l)
{
    if (!l)
        return;
    while (l->notes) {
        struct log_note *note = l->notes;
        l->notes = note->next;
        note_free(note);
    }
    pthread_mutex_destroy(&l->lock);
    free(l);
}

/* Without memory the line will say less. */
void request_log_begin(struct request_log *l, const char *id)
{
    struct log_note *note = calloc(1, sizeof *note);
    if (!note)
        return;
    note->id = strdup(id);
    if (!note->id) {
        note_free(note);
        return;
    }
    pthread_mutex_lock(&l->lock);
    note->next = l->notes;
    l->notes = note;
    pthread_mutex_unlock(&l->lock);
}

/* Where the note of a request is kept; the lock is held.  There it says NULL,
 * when there is none. */
static struct log_note **find_note(struct request_log *l, const char *id)
{
    struct log_note **at = &l->notes;
    while (*at && strcmp((*at)->id, id) != 0)
        at = &(*at)->next;
    return at;
}

void request_log_note(struct request_log *l, const char *id, const char *model,
                      const struct answering_figures *figures)
{
    pthread_mutex_lock(&l->lock);
    struct log_note *note = *find_note(l, id);
    if (note && !note->model) {
        note->model = strdup(model);
        note->figures = *figures;
    }
    pthread_mutex_unlock(&l->lock);
}

/* The lock is held. */
static struct log_note *take_note_of(struct request_log *l, const char *id)
{
    struct log_note **at = find_note(l, id), *note = *at;
    if (note)
        *at = note->next;
    return note;
}

static json_t *count_json(size_t n)
{
    return json_integer((json_int_t)n);
}

/* Thousandths of seconds, to a tenth. */
static json_t *milliseconds(double seconds)
{
    return json_real((double)(long long)(seconds * 1e4 + 0.5) / 10);
}

static double rounded_rate(size_t tokens, double seconds)
{
    return seconds > 0
               ? (double)(long long)((double)tokens / seconds * 10) / 10
               : 0;
}

static void add_figures(json_t **line, const struct log_note *note)
{
    const struct answering_figures *f = &note->figures;
    json_put(line, "model", json_string(note->model));
    json_put(line, "parts", count_json(f->parts));
    json_put(line, "prompt_tokens", count_json(f->prompt_tokens));
    json_put(line, "cached_tokens", count_json(f->cached_tokens));
    json_put(line, "new_tokens", count_json(f->new_tokens));
    json_put(line, "reasoning_tokens", count_json(f->reasoning_tokens));
    json_put(line, "draft_tokens", count_json(f->draft_tokens));
    json_put(line, "accepted_tokens", count_json(f->accepted_tokens));
    json_put(line, "cache_bytes", count_json(f->cache_bytes));
    json_put(line, "resident_bytes", count_json(metrics_resident_bytes()));
    json_put(line, "queued_ms", milliseconds(f->queued));
    json_put(line, "first_token_ms", milliseconds(f->first_token));
    json_put(line, "prefill_ms", milliseconds(f->prefill));
    json_put(line, "decode_ms", milliseconds(f->decode));
    json_put(line, "draft_ms", milliseconds(f->draft));
    json_put(line, "verify_ms", milliseconds(f->verify));
    json_put(line, "prefill_per_second",
             json_real(rounded_rate(f->prompt_tokens - f->cached_tokens,
                                    f->prefill)));
    json_put(line, "decode_per_second",
             json_real(rounded_rate(f->new_tokens, f->decode)));
}

static json_t *time_json(void)
{
    char text[32];
    time_t seconds = time(NULL);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return json_string(text);
}

static json_t *make_line(const struct http_outcome *o,
                         const struct log_note *note)
{
    json_t *line = json_object();
    json_put(&line, "time", time_json());
    json_put(&line, "id", json_string(o->id));
    json_put(&line, "method", json_string(o->method));
    json_put(&line, "path", json_string(o->path));
    json_put(&line, "status", json_integer(o->status));
    json_put(&line, "whole", json_boolean(o->whole));
    json_put(&line, "bytes", count_json(o->bytes));
    json_put(&line, "ms", milliseconds(o->seconds));
    if (note && note->model)
        add_figures(&line, note);
    return line;
}

void request_log_end(struct request_log *l, const struct http_outcome *o)
{
    pthread_mutex_lock(&l->lock);
    struct log_note *note = take_note_of(l, o->id);
    json_t *line = make_line(o, note);
    char *text = json_text(line, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (text)
        l->write(l->context, text);
    pthread_mutex_unlock(&l->lock);
    free(text);
    json_decref(line);
    note_free(note);
}
