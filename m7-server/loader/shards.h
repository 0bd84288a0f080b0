/* Which files hold a model's weights: one, those that an index names, or all
 * in the folder. */
#ifndef SHARDS_H
#define SHARDS_H

#include "error.h"

#include <jansson.h>
#include <stddef.h>

struct shards {
    char **paths; /* (n,), each owned, sorted, no two equal */
    size_t n;
    char *index_path; /* owned */
    json_t *index;    /* owned: {"weight_map": {tensor: file}, ...}, or NULL
                         when there is none */
};

/* Find the files of a model that is named as checkpoint_open says.  An index
 * may only name files of its own folder.  After an error *s holds nothing. */
int shards_find(struct shards *s, const char *model, struct error *e);
void shards_free(struct shards *s);

#endif
