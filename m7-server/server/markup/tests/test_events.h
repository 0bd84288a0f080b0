/* For the tests of markups: what a parser told, put together. */
#ifndef TEST_EVENTS_H
#define TEST_EVENTS_H

#include "markup.h"
#include "test_numbers.h"
#include "unicode.h"

enum told_bounds {
    MOST_CALLS = 16
};

struct told_call {
    struct bytes id, name, arguments;
    const char *end; /* "end", "bad", "cut"; NULL: not yet */
};

struct told {
    struct bytes reasoning, content;
    struct told_call calls[MOST_CALLS];
    size_t n_calls;
    bool cut; /* a call without a name */
    size_t n_events;
};

static inline void told_text(struct bytes *to, const struct markup_event *v)
{
    assert_true(v->size > 0);
    assert_int_equal(utf8_valid(v->text, v->size), v->size);
    bytes_add(to, v->text, v->size);
}

/* The call that an event is about: begun, and not ended. */
static inline struct told_call *told_open(struct told *t,
                                          const struct markup_event *v)
{
    assert_true(v->index + 1 == t->n_calls);
    assert_null(t->calls[v->index].end);
    return &t->calls[v->index];
}

static inline void told_begin(struct told *t, const struct markup_event *v)
{
    assert_int_equal(v->index, t->n_calls);
    assert_true(t->n_calls < MOST_CALLS);
    assert_true(t->n_calls == 0 || t->calls[t->n_calls - 1].end);
    struct told_call *c = &t->calls[t->n_calls++];
    bytes_add(&c->id, v->id, strlen(v->id) + 1);
    bytes_add(&c->name, v->name, strlen(v->name) + 1);
}

/* A markup_function. */
static inline void told_event(void *context, const struct markup_event *v)
{
    struct told *t = context;
    t->n_events++;
    switch (v->type) {
    case MARKUP_REASONING:
        told_text(&t->reasoning, v);
        break;
    case MARKUP_CONTENT:
        told_text(&t->content, v);
        break;
    case MARKUP_CALL:
        told_begin(t, v);
        break;
    case MARKUP_ARGUMENTS:
        told_text(&told_open(t, v)->arguments, v);
        break;
    case MARKUP_CALL_END:
        told_open(t, v)->end = "end";
        break;
    case MARKUP_CALL_BAD:
        told_open(t, v)->end = "bad";
        break;
    case MARKUP_CALL_CUT:
        if (v->index < t->n_calls)
            told_open(t, v)->end = "cut";
        else
            t->cut = true;
    }
}

static inline void told_free(struct told *t)
{
    bytes_free(&t->reasoning);
    bytes_free(&t->content);
    for (size_t i = 0; i < t->n_calls; i++) {
        bytes_free(&t->calls[i].id);
        bytes_free(&t->calls[i].name);
        bytes_free(&t->calls[i].arguments);
    }
    *t = (struct told){0};
}

/* Read a text in two pieces, the first of `cut` bytes; or byte by byte, where
 * `cut` is SIZE_MAX. */
static inline void tell_all(struct markup_options o, const char *text,
                            size_t size, size_t cut, struct told *t)
{
    struct error e;
    *t = (struct told){0};
    o.event = told_event;
    o.context = t;
    struct markup_parser *p = markup_begin(&o, &e);
    assert_non_null(p);
    if (cut == SIZE_MAX)
        for (size_t i = 0; i < size; i++)
            assert_ok(markup_put(p, text + i, 1, &e), &e);
    else {
        assert_ok(markup_put(p, text, cut, &e), &e);
        assert_ok(markup_put(p, text + cut, size - cut, &e), &e);
    }
    assert_ok(markup_end(p, &e), &e);
    assert_int_equal(markup_calls(p), t->n_calls);
    markup_free(p);
}

/* Call this with the name of each markup; how many there are. */
static inline size_t each_markup(void (*check)(void *context,
                                               const char *name),
                                 void *context)
{
    struct bytes names = {0};
    size_t n = 0;
    markup_names(&names);
    bytes_add(&names, "", 1);
    for (char *at = names.data, *end; at; at = end ? end + 2 : NULL, n++) {
        end = strchr(at, ',');
        if (end)
            *end = '\0';
        check(context, at);
    }
    bytes_free(&names);
    return n;
}

#endif
