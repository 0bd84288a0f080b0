/* How a command computes: see speed.h. */
#include "speed.h"

int speed_up(const struct settings *s, struct model *const *models, size_t n,
             struct threads **t, struct error *e)
{
    *t = NULL;
    if (s->exact)
        return 0;
    int result = threads_open(t, number_or(s->threads, 0), e);
    for (size_t i = 0; i < n && result == 0; i++)
        result = model_pack(models[i], *t, e);
    return result;
}
