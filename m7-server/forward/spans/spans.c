/* Spans: see spans.h. */
#include "spans.h"

int read_spans(const struct model *m, struct state *s,
               const struct span *spans, size_t n_spans,
               const struct observer *o)
{
    s->decodes = false;
    for (size_t i = 0; i < n_spans; i++) {
        size_t held = spans[i].cache->length;
        extend_text(m, &spans[i]);
        if (read_until(m, s, spans[i].cache, held, o))
            return 1;
    }
    return run_spans(m, s, spans, n_spans, o);
}
