/* Cutting a text at a pattern: see split.h. */
#include "split.h"

#include <string.h>

static const char *const behavior_names[] = {
    [SPLIT_REMOVED] = "Removed",
    [SPLIT_ISOLATED] = "Isolated",
    [SPLIT_MERGED_WITH_PREVIOUS] = "MergedWithPrevious",
    [SPLIT_MERGED_WITH_NEXT] = "MergedWithNext",
    [SPLIT_CONTIGUOUS] = "Contiguous",
};

int split_behavior_read(const struct node *n, enum split_behavior *out,
                        struct error *e)
{
    const char *name;
    if (node_string(n, &name, e))
        return -1;
    for (int i = SPLIT_REMOVED; i <= SPLIT_CONTIGUOUS; i++)
        if (strcmp(behavior_names[i], name) == 0) {
            *out = (enum split_behavior)i;
            return 0;
        }
    return node_fail(n, ERROR_UNSUPPORTED, e, "unknown behaviour %s", name);
}

/* The part that is being put together from neighbouring ranges. */
struct part {
    enum split_behavior behavior;
    struct piece whole;
    size_t from, to;
    bool matched; /* whether its last range was a match */
    piece_sink *sink;
    void *context;
};

/* Give away the part that is finished. */
static int part_done(struct part *p, struct error *e)
{
    struct piece piece = {p->whole.text + p->from, p->to - p->from, 0};
    if (p->from < p->whole.first_size)
        piece.first_size = p->whole.first_size - p->from;
    if (piece.first_size > piece.size)
        piece.first_size = piece.size;
    return piece.size ? p->sink(p->context, piece, e) : 0;
}

/* Whether a range belongs to the same part as the one before it. */
static bool joins(const struct part *p, bool match)
{
    switch (p->behavior) {
    case SPLIT_MERGED_WITH_PREVIOUS:
        return match && !p->matched;
    case SPLIT_MERGED_WITH_NEXT:
        return !match && p->matched;
    case SPLIT_CONTIGUOUS:
        return match == p->matched;
    default:
        return false;
    }
}

static int add_range(struct part *p, size_t from, size_t to, bool match,
                     struct error *e)
{
    if (match && p->behavior == SPLIT_REMOVED)
        return 0;
    if (!joins(p, match)) {
        if (part_done(p, e))
            return -1;
        p->from = from;
    }
    p->to = to;
    p->matched = match;
    return 0;
}

static int add_ranges(const struct split *s, struct part *p, struct matches *m,
                      struct error *e)
{
    size_t done = 0, from, to;
    int got;
    while ((got = matches_next(m, &from, &to, e)) > 0) {
        if (from > done && add_range(p, done, from, s->invert, e))
            return -1;
        if (add_range(p, from, to, !s->invert, e))
            return -1;
        done = to;
    }
    if (got == 0 && done < m->size)
        got = add_range(p, done, m->size, s->invert, e);
    return got ? -1 : part_done(p, e);
}

int split_run(const struct split *s, struct piece whole, piece_sink *sink,
              void *context, struct error *e)
{
    struct matches m;
    struct part p = {.behavior = s->behavior,
                     .whole = whole,
                     .sink = sink,
                     .context = context};
    if (matches_begin(&m, &s->pattern, whole.text, whole.size, e))
        return -1;
    int result = add_ranges(s, &p, &m, e);
    matches_end(&m);
    return result;
}
