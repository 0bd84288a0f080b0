/* Go on with a text:  ./say MODEL 'Once upon a time'
 *
 *     cc say.c $(pkg-config --cflags --libs rung) -o say */
#include "rung.h"

#include <stdio.h>

static int print_text(void *out, const char *text, size_t size)
{
    fwrite(text, 1, size, out);
    return fflush(out); /* nobody reads any more: 0 would go on */
}

int main(int argc, char **argv)
{
    struct rung_error e = {.message = "usage: say MODEL TEXT"};
    struct rung_model *m = argc == 3 ? rung_open(argv[1], NULL, &e) : NULL;
    int failed = !m || rung_continue(m, argv[2], 40, print_text, stdout, &e);
    puts(failed ? e.message : "");
    rung_close(m);
    return failed;
}
