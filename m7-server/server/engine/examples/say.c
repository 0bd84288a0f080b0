/* Go on with a text:  ./say MODEL 'Once upon a time'
 *
 *     cc say.c $(pkg-config --cflags --libs rung) -o say */
#include "rung.h"

#include <stdio.h>
#include <string.h>

static int print_token(void *out, const struct rung_token_event *t)
{
    fwrite(t->text, 1, t->size, out);
    return fflush(out); /* nobody reads any more: 0 would go on */
}

/* The rest, which was held back till now. */
static void print_rest(void *out, const struct rung_result *r)
{
    fwrite(r->text, 1, r->size, out);
}

int main(int argc, char **argv)
{
    struct rung_error e = {RUNG_INPUT, 0, 0, "usage: say MODEL TEXT"};
    struct rung_request r;
    struct rung_model *m = argc == 3 ? rung_open(argv[1], NULL, &e) : NULL;
    int *ids = NULL;
    rung_request_init(&r);
    r.max_tokens = 40;
    r.sampling.temperature = 0;
    r.on_token = print_token;
    r.on_end = print_rest;
    r.context = stdout;
    int failed = !m || rung_encode(m, argv[2], strlen(argv[2]), NULL, &ids,
                                   &r.n_ids, &e);
    r.ids = ids;
    failed = failed || rung_generate(m, &r, NULL, &e);
    puts(failed ? e.message : "");
    rung_free_ids(ids);
    rung_close(m);
    return failed;
}
