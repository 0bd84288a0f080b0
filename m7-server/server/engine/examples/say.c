/* Go on with a text:  ./say MODEL 'Once upon a time'
 *
 *     cc say.c $(pkg-config --cflags --libs rung) -o say */
#include "rung.h"

#include <stdio.h>
#include <string.h>

static int print_token(void *context, const struct rung_token_event *t)
{
    (void)context;
    fwrite(t->text, 1, t->size, stdout);
    return fflush(stdout); /* nobody reads any more: 0 would go on */
}

/* The rest, which was held back till now. */
static void print_rest(void *context, const struct rung_result *r)
{
    (void)context;
    fwrite(r->text, 1, r->size, stdout);
}

int main(int argc, char **argv)
{
    struct rung_error e = {RUNG_INPUT, 0, 0, "usage: say MODEL TEXT"};
    struct rung_request r;
    struct rung_result result = {0};
    struct rung_model *m = argc == 3 ? rung_open(argv[1], NULL, &e) : NULL;
    int *ids = NULL, failed = 1;
    rung_request_init(&r);
    if (m && rung_encode(m, argv[2], strlen(argv[2]), NULL, &ids, &r.n_ids,
                         &e) == 0) {
        r.ids = ids;
        r.max_tokens = 40;
        r.sampling.temperature = 0;
        r.on_token = print_token;
        r.on_end = print_rest;
        failed = rung_generate(m, &r, &result, &e);
    }
    puts(failed ? e.message : "");
    rung_free_ids(ids);
    rung_close(m);
    return failed ? 1 : 0;
}
