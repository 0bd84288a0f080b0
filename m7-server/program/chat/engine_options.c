/* The engine's options: see engine_options.h. */
#include "engine_options.h"

struct rung_options engine_options(const struct settings *s)
{
    return (struct rung_options){
        .threads = number_or(s->threads, 0),
        .exact = s->exact,
        .keep_packed = s->keep_packed,
        .cache_form = s->cache ? s->cache->name : NULL,
        .draft = s->draft,
        .draft_tokens = number_or(s->draft_tokens, 0),
    };
}
