/* Looking inside: see rung.h. */
#include "engine.h"

void rung_stats(struct rung_model *m, struct rung_stats *out)
{
    pthread_mutex_lock(&m->lock);
    *out = m->stats;
    out->running = m->schedule.n_running;
    out->queued = m->schedule.n - m->schedule.n_running;
    pthread_mutex_unlock(&m->lock);
    out->cache_bytes_used =
        out->cache_tokens_used * m->facts.cache_token_bytes;
}

size_t rung_timeline(struct rung_model *m, struct rung_part *out, size_t room)
{
    pthread_mutex_lock(&m->lock);
    size_t n = timeline_read(&m->timeline, out, room);
    pthread_mutex_unlock(&m->lock);
    return n;
}
